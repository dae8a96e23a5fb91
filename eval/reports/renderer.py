"""What a renderer is: a way to write a Page down."""

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
    """Every renderer by name: csv, html, json, latex, table."""
    return catalog("eval.reports.rendering", "RENDERER", Renderer)
