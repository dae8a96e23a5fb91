"""What a preset is: a paper's own table or figure, drawn from our runs. One file each under presets/."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from core.catalog import catalog
from eval.page import Page
from eval.report import Report


@dataclass(frozen=True, kw_only=True, slots=True)
class Preset:
    """One table or figure. Its name is its file's name."""

    label: str
    build: Callable[[Report], Page]
    """The same page, to the byte, for the same runs and seed. Raises BenchError when the runs hold nothing for it."""


def presets() -> Mapping[str, Preset]:
    """Every preset by name."""
    return catalog("eval.presets", "PRESET", Preset)
