"""Exports of a run: its traces and scores as result files of another tool. The output depends only on stored data."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from core.catalog import catalog
from core.nouns import Item, Score, Span, Trace
from eval.reports.results import RunResult

Files = Mapping[str, str | bytes]
"""File name -> text or bytes; "" = the file of a single-file export."""


@dataclass(frozen=True, slots=True)
class ExportedRun:
    """A run, ready for export."""

    result: RunResult
    """Result with complete traces."""
    questions: Mapping[str, str]
    """Text of each variant by id."""
    made_at: str
    """Start of the run; UTC, ISO format."""
    cut: Callable[[Span], str] = lambda span: ""
    """Returns the text of a passage; "" for a document that is not in the release."""
    rows_per_file: int | None = None
    """Maximum number of rows of a file; None = no limit."""

    def answers(self) -> Iterator[tuple[Trace, Item, str, list[Score]]]:
        """Yield (trace, item, question text, scores), ordered by item and variant."""
        scores: dict[tuple[str, str | None], list[Score]] = {}
        for score in self.result.scores:
            scores.setdefault((score.item, score.variant), []).append(score)
        for trace in sorted(self.result.traces, key=lambda t: (t.item, t.variant or "")):
            item = self.result.items[trace.item]
            question = self.questions.get(trace.variant or "", item.question)
            yield trace, item, question, scores.get((trace.item, trace.variant), [])


@dataclass(frozen=True, kw_only=True, slots=True)
class RunExporter:
    """One export format, named after its file."""

    label: str
    is_folder: bool = False
    """Whether the export is a folder of files; otherwise it is the single file OUT."""
    has_several_files: bool = False
    """Whether it can write files of at most `ExportedRun.rows_per_file` rows."""
    files: Callable[[ExportedRun], Files]
    """Returns the files. Raises BenchError if the run has no data for the format."""


def exporters() -> Mapping[str, RunExporter]:
    """Return all export formats by name."""
    return catalog("eval.exporting", "EXPORT", RunExporter)


def name_trace(trace: Trace) -> str:
    """Return the id of a question in other tools' files."""
    return trace.item if trace.variant is None else f"{trace.item}/{trace.variant}"


def split_scores(scores: Sequence[Score]) -> tuple[dict[str, float], dict[str, str]]:
    """Return {metric: value}, and {metric: why} for the metrics without a value."""
    values = {score.metric: score.value for score in scores if score.value is not None}
    return values, {score.metric: score.why for score in scores if score.value is None}


def count_usage(traces: Sequence[Trace]) -> dict[str, int]:
    """Return the tokens and requests of the traces, under promptfoo's names."""
    tokens_in, tokens_out = (sum(getattr(t, name) or 0 for t in traces) for name in ("tokens_in", "tokens_out"))
    requests = sum(trace.calls for trace in traces)
    return {"total": tokens_in + tokens_out, "prompt": tokens_in, "completion": tokens_out, "numRequests": requests}


def write_json(record: Mapping[str, Any]) -> Files:
    """Return the only file of a JSON export."""
    return {"": json.dumps(record, ensure_ascii=False, indent=1, allow_nan=False) + "\n"}
