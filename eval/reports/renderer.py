"""Renderers write a Page in an output format. Each file in eval/reports/rendering/ declares one as its constant RENDERER."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from core.catalog import catalog
from eval.page import Page


@dataclass(frozen=True, kw_only=True, slots=True)
class Renderer:
    """One output format, named after its file."""

    label: str
    ending: str
    """File extension, including the dot."""
    render: Callable[[Page], str]
    """Returns the text of the page. The output depends only on the page."""


def renderers() -> Mapping[str, Renderer]:
    """Return all renderers by name: csv, html, json, latex, table."""
    return catalog("eval.reports.rendering", "RENDERER", Renderer)
