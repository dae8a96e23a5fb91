"""What a preset is: a paper's own table or figure, drawn from our runs, or from what became of our drafts. One file each under
presets/."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from core.catalog import catalog
from core.errors import BenchError
from eval.page import Page


@dataclass(frozen=True, kw_only=True, slots=True)
class Preset:
    """One table or figure. Its name is its file's name."""

    label: str
    build: Callable[..., Page]
    """The same page, to the byte, for the same Report or Study and seed, or the same Construction, and the same settings, which
    are its further arguments. Raises BenchError when the runs hold nothing for it."""
    of: Literal["runs", "drafts", "wordings", "tasks"] = "runs"
    """What `build` is given: a Report of runs, the Construction of a workspace's drafts, a Study of runs that asked questions
    in several wordings (eval/robustness/study.py), or the TaskRegistry of a workspace."""
    settings: Mapping[str, Any] = field(default_factory=dict)
    """What can be set, with what it is unless told otherwise."""

    def draw(self, given: Any, settings: Mapping[str, Any]) -> Page:
        """The page as it is set. Raises BenchError on a setting that it does not have."""
        for name in settings:
            if name not in self.settings:
                there = f"there are {', '.join(self.settings)}" if self.settings else "it has none"
                raise BenchError(f"{self.label} has no setting {name!r}: {there}.")
        return self.build(given, **settings)


def presets() -> Mapping[str, Preset]:
    """Every preset by name."""
    return catalog("eval.papers.presets", "PRESET", Preset)
