"""Define renderers, which write a Page in an output format. Each file in eval/reports/rendering/ defines one renderer as its
constant RENDERER."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from core.catalog import catalog
from eval.page import Page


@dataclass(frozen=True, kw_only=True, slots=True)
class Renderer:
    """One output format of reports, named after its file."""

    label: str
    ending: str
    """File extension of the format, including the dot."""
    render: Callable[[Page], str]
    """Returns the page as text in this format. The output depends only on the page."""


def renderers() -> Mapping[str, Renderer]:
    """Return a dict from format name (csv, html, json, latex, markdown, table) to Renderer."""
    return catalog("eval.reports.rendering", "RENDERER", Renderer)
