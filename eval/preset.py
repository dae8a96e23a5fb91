"""What a preset is: a paper's own table or figure, drawn from our runs, or from what became of our drafts. One file each under
presets/."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from core.catalog import catalog
from eval.page import Page


@dataclass(frozen=True, kw_only=True, slots=True)
class Preset:
    """One table or figure. Its name is its file's name."""

    label: str
    build: Callable[[Any], Page]
    """The same page, to the byte, for the same Report or Study and seed, or the same Construction. Raises BenchError when the
    runs hold nothing for it."""
    of: Literal["runs", "drafts", "wordings"] = "runs"
    """What `build` is given: a Report of runs, the Construction of a workspace's drafts, or a Study of runs that asked
    questions in several wordings (eval/robustness/study.py)."""


def presets() -> Mapping[str, Preset]:
    """Every preset by name."""
    return catalog("eval.presets", "PRESET", Preset)
