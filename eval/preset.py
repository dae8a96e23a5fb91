"""Presets: a paper's table or figure, computed from the workspace. Each file in eval/papers/presets/ declares one as its
constant PRESET."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from core.catalog import catalog
from core.errors import BenchError
from eval.page import Page
from eval.settings import Settings


@dataclass(frozen=True, kw_only=True, slots=True)
class Preset:
    """One table or figure, named after its file."""

    label: str
    build: Callable[..., Page]
    """Returns the page, byte-identical for the same input, seed and settings. The settings are passed as keyword arguments.
    Raises BenchError if the input has no data for the preset."""
    of: Literal["runs", "drafts", "wordings", "tasks"] = "runs"
    """Input of `build`: a Report of runs, the Construction of a workspace's drafts, a Study of runs with several wordings of
    each question (eval/robustness/study.py), or the TaskRegistry of a workspace."""
    settings: Settings = field(default_factory=dict)
    """Settings with their defaults."""

    def draw(self, source: Any, settings: Settings) -> Page:
        """Return the page under those settings. Raises BenchError for an unknown setting."""
        for name in settings:
            if name not in self.settings:
                choices = f"there are {', '.join(self.settings)}" if self.settings else "it has none"
                raise BenchError(f"{self.label} has no setting {name!r}: {choices}.")
        return self.build(source, **settings)


def presets() -> Mapping[str, Preset]:
    """Return all presets by name."""
    return catalog("eval.papers.presets", "PRESET", Preset)
