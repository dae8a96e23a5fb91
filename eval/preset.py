"""Define presets: tables and figures of papers, computed from the workspace. Each file in eval/papers/presets/ defines one
preset as its constant PRESET."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from core.catalog import catalog
from core.errors import BenchError
from eval.page import Page
from eval.settings import Settings


@dataclass(frozen=True, kw_only=True, slots=True)
class Preset:
    """One table or figure of a paper, named after its file."""

    label: str
    build: Callable[..., Page]
    """Returns the preset's page; the same input, seed and settings (keyword arguments) give the same bytes. Raises BenchError
    if the input has no data for the preset."""
    of: Literal["runs", "drafts", "wordings", "tasks"] = "runs"
    """Kind of input of the function `build`: a Report of runs, the Construction of a workspace's drafts, a Study of runs with
    several wordings of each question (eval/robustness/study.py), or the TaskRegistry of a workspace."""
    settings: Settings = field(default_factory=dict)
    """A dict from the preset's settings to their defaults."""

    def draw(self, source: Any, settings: Settings) -> Page:
        """Return the page that the preset computes with these settings. Raises BenchError if a setting is unknown."""
        for name in settings:
            if name not in self.settings:
                choices = f"there are {', '.join(self.settings)}" if self.settings else "it has none"
                raise BenchError(f"{self.label} has no setting {name!r}: {choices}.")
        return self.build(source, **settings)


def presets() -> Mapping[str, Preset]:
    """Return a dict from preset name to Preset, of all presets."""
    return catalog("eval.papers.presets", "PRESET", Preset)
