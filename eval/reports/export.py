"""What an export of a run is: its traces and scores as another tool's result files. Every byte depends on what is stored."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from core.catalog import catalog
from core.nouns import Item, Score, Trace
from eval.reports.results import RunResult

Files = Mapping[str, str]
"""File name -> text."""


@dataclass(frozen=True, slots=True)
class ExportedRun:
    """A run, ready to be written."""

    result: RunResult
    """With whole traces."""
    questions: Mapping[str, str]
    """Text of each variant by its id."""
    made_at: str
    """When the run began; UTC, ISO format."""

    def answers(self) -> Iterator[tuple[Trace, Item, str, list[Score]]]:
        """(trace, item, the question as it was asked, scores), by item and variant."""
        scores: dict[tuple[str, str | None], list[Score]] = {}
        for score in self.result.scores:
            scores.setdefault((score.item, score.variant), []).append(score)
        for trace in sorted(self.result.traces, key=lambda t: (t.item, t.variant or "")):
            item = self.result.items[trace.item]
            question = self.questions.get(trace.variant or "", item.question)
            yield trace, item, question, scores.get((trace.item, trace.variant), [])


@dataclass(frozen=True, kw_only=True, slots=True)
class RunExporter:
    """One form. Its name is its file's name."""

    label: str
    is_folder: bool = False
    """Whether it is several files; otherwise the one file is OUT itself."""
    files: Callable[[ExportedRun], Files]
    """Raises BenchError when the run holds nothing for it."""


def exporters() -> Mapping[str, RunExporter]:
    """Every form by name."""
    return catalog("eval.exporting", "EXPORT", RunExporter)


def name_trace(trace: Trace) -> str:
    """The id of a question in other tools' files."""
    return trace.item if trace.variant is None else f"{trace.item}/{trace.variant}"
