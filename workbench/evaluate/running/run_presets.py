"""Runs by name: what system, retriever and settings a paper's own task comes to. CRAG's tasks 1 to 3 and its pages as one
corpus."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from core.catalog import pick
from core.errors import BenchError
from eval.system import systems
from workbench.evaluate.running.run_asked import RunRequest

CRAG_PAGES = 5
"""Pages that CRAG's first two tasks hand over."""
LOOKUP = "react"
"""The system by which a run asks tables."""


@dataclass(frozen=True, kw_only=True, slots=True)
class RunPreset:
    """One run by name."""

    label: str
    about: str
    """What it is, in a sentence."""
    system: str
    retriever: str
    settings: Mapping[str, Any] = field(default_factory=dict)
    metrics: tuple[str, ...] = ("crag_truthfulness", "length", "seconds", "calls", "tokens")

    @property
    def lacks(self) -> str:
        """Why it cannot be run here, in a sentence; "" when it can."""
        if self.system in systems():
            return ""
        return (
            f"{self.label} looks things up in tables, and no system here asks tables yet: take crag_task1, or crag_open "
            "for all pages as one corpus."
        )


def _lookup(label: str, about: str, pages: int) -> RunPreset:
    settings = {"environment": "documents,tables", "pages": pages}
    return RunPreset(label=label, about=about, system=LOOKUP, retriever="given_pages", settings=settings)


PRESETS: Mapping[str, RunPreset] = {
    "crag_task1": RunPreset(
        label="CRAG task 1",
        about="The first five pages of a question are searched, and nothing else.",
        system="vanilla",
        retriever="given_pages",
        settings={"pages": CRAG_PAGES, "order": "rank"},
    ),
    "crag_task2": _lookup("CRAG task 2", "The first five pages of a question, and the workspace's tables.", CRAG_PAGES),
    "crag_task3": _lookup("CRAG task 3", "All pages of a question, and the workspace's tables.", 0),
    "crag_open": RunPreset(
        label="CRAG, one corpus",
        about="All pages of all questions, each once, are searched together.",
        system="vanilla",
        retriever="bm25",
        settings={"order": "rank"},
    ),
}


def run_presets() -> Mapping[str, RunPreset]:
    """Every one by name."""
    return PRESETS


def preset_run(name: str, asked: RunRequest) -> RunRequest:
    """That run with what is asked besides: its own system and retriever, settings and metrics that are given go over its own.
    Raises BenchError when there is none of that name, or it cannot be run here."""
    found = pick(PRESETS, name, "run preset")
    if found.lacks:
        raise BenchError(found.lacks)
    return replace(
        asked,
        system=found.system,
        retriever=found.retriever,
        settings={**found.settings, **asked.settings},
        metrics=asked.metrics if asked.metrics is not None else found.metrics,
    )
