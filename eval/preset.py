"""Presets: a paper's own table or figure, drawn from this workspace. One a file in eval/papers/presets/, its constant
PRESET."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from core.catalog import catalog
from core.errors import BenchError
from eval.page import Page
from eval.settings import Settings


@dataclass(frozen=True, kw_only=True, slots=True)
class Preset:
    """One table or figure. Its name is its file's name."""

    label: str
    build: Callable[..., Page]
    """Returns the same page, to the byte, for the same input, seed and settings; the settings are its further arguments.
    Raises BenchError when the input holds nothing for it."""
    of: Literal["runs", "drafts", "wordings", "tasks"] = "runs"
    """What `build` takes: a Report of runs, the Construction of a workspace's drafts, a Study of runs that asked questions
    in several wordings (eval/robustness/study.py), or the TaskRegistry of a workspace."""
    settings: Settings = field(default_factory=dict)
    """Its settings with their defaults."""

    def draw(self, source: Any, settings: Settings) -> Page:
        """Returns the page under those settings. Raises BenchError on a setting that it does not have."""
        for name in settings:
            if name not in self.settings:
                choices = f"there are {', '.join(self.settings)}" if self.settings else "it has none"
                raise BenchError(f"{self.label} has no setting {name!r}: {choices}.")
        return self.build(source, **settings)


def presets() -> Mapping[str, Preset]:
    """Returns every preset by name."""
    return catalog("eval.papers.presets", "PRESET", Preset)
