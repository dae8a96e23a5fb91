"""Define named runs: system, retriever and settings of a task in a paper, such as CRAG's tasks 1 to 3."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from core.catalog import pick
from workbench.evaluate.running.run_request import RunRequest

CRAG_PAGES = 5
"""Number of pages per question that CRAG's first two tasks provide."""
METRICS = ("crag_truthfulness", "length", "seconds", "calls", "tokens")


@dataclass(frozen=True, slots=True)
class RunPreset:
    """A named run: system, retriever and settings of a task in a paper."""

    label: str
    about: str
    """One sentence that describes the named run."""
    system: str
    retriever: str
    settings: Mapping[str, Any] = field(default_factory=dict)


def _over_tables(label: str, about: str, pages: int) -> RunPreset:
    return RunPreset(label, about, "react", "given_pages", {"environment": "documents,tables", "pages": pages})


PRESETS: Mapping[str, RunPreset] = {
    "crag_task1": RunPreset(
        "CRAG task 1",
        "Searches the first five pages of each question and nothing else.",
        "vanilla",
        "given_pages",
        {"pages": CRAG_PAGES, "order": "rank"},
    ),
    "crag_task2": _over_tables(
        "CRAG task 2", "Searches the first five pages of each question, and can query the workspace's tables.", CRAG_PAGES
    ),
    "crag_task3": _over_tables("CRAG task 3", "Searches all pages of each question, and can query the workspace's tables.", 0),
    "crag_open": RunPreset(
        "CRAG, one corpus",
        "Searches all pages of all questions together, each page once.",
        "vanilla",
        "bm25",
        {"order": "rank"},
    ),
}


def apply_preset(name: str, request: RunRequest) -> RunRequest:
    """Return the request with the system, retriever and settings of the named run. Settings and metrics that the request
    already has stay as they are. Raises BenchError if there is no such named run."""
    preset = pick(PRESETS, name, "run preset")
    return replace(
        request,
        system=preset.system,
        retriever=preset.retriever,
        settings={**preset.settings, **request.settings},
        metrics=METRICS if request.metrics is None else request.metrics,
    )
