"""Renderers: ways to write a Page down. One a file in eval/reports/rendering/, its constant RENDERER."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from core.catalog import catalog
from eval.page import Page


@dataclass(frozen=True, kw_only=True, slots=True)
class Renderer:
    """One way to write. Its name is its file's name."""

    label: str
    ending: str
    """Of a file that holds it, with its dot."""
    render: Callable[[Page], str]
    """Every byte depends on the page alone."""


def renderers() -> Mapping[str, Renderer]:
    """Returns every renderer by name: csv, html, json, latex, table."""
    return catalog("eval.reports.rendering", "RENDERER", Renderer)
