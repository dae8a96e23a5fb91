"""Define exports of a run: files for other tools, made from its traces and scores. The output depends only on stored data."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from core.catalog import catalog
from core.nouns import Item, Score, Span, Trace
from eval.reports.results import RunResult

Files = Mapping[str, str | bytes]
"""A dict from file name to its text or bytes; the key is "" if the export is a single file."""


@dataclass(frozen=True, slots=True)
class ExportedRun:
    """A run with everything that an export needs."""

    result: RunResult
    """The exported run with its complete traces."""
    questions: Mapping[str, str]
    """A dict from variant id to the variant's text."""
    made_at: str
    """Time at which the run started, in UTC and ISO format."""
    cut: Callable[[Span], str] = lambda span: ""
    """Returns the text of a passage; "" for a document that is not in the release."""
    rows_per_file: int | None = None
    """Maximum number of rows in one file; None = no limit."""

    twins: Sequence[Trace] = ()
    """The traces of the run's absence twins, which `result` leaves out."""

    def answers(self) -> Iterator[tuple[Trace, Item, str, list[Score]]]:
        """Yield (trace, item, text of the question, scores) for each answer, ordered by item and variant."""
        scores: dict[tuple[str, str | None], list[Score]] = {}
        for score in self.result.scores:
            scores.setdefault((score.item, score.variant), []).append(score)
        for trace in sorted(self.result.traces, key=lambda t: (t.item, t.variant or "")):
            item = self.result.items[trace.item]
            question = self.questions.get(trace.variant or "", item.question)
            yield trace, item, question, scores.get((trace.item, trace.variant), [])


@dataclass(frozen=True, kw_only=True, slots=True)
class RunExporter:
    """One format in which a run can be exported, named after its file."""

    label: str
    is_folder: bool = False
    """Whether the export is a folder of files; False = it is a single file."""
    has_several_files: bool = False
    """Whether the format can divide its rows into several files of at most `ExportedRun.rows_per_file` rows."""
    files: Callable[[ExportedRun], Files]
    """Returns the files of the export. Raises BenchError if the run has no data for the format."""


def exporters() -> Mapping[str, RunExporter]:
    """Return a dict from format name to RunExporter, of all export formats."""
    return catalog("eval.exporting", "EXPORT", RunExporter)


def name_trace(trace: Trace) -> str:
    """Return the id of an answer in the exported files."""
    return trace.item if trace.variant is None else f"{trace.item}/{trace.variant}"


def split_scores(scores: Sequence[Score]) -> tuple[dict[str, float], dict[str, str]]:
    """Return ({metric: value}, {metric: reason}): the scores, and the reasons of metrics without a value."""
    values = {score.metric: score.value for score in scores if score.value is not None}
    return values, {score.metric: score.why for score in scores if score.value is None}


def count_usage(traces: Sequence[Trace]) -> dict[str, int]:
    """Return the number of tokens and requests of the traces, under promptfoo's names."""
    tokens_in, tokens_out = (sum(getattr(t, name) or 0 for t in traces) for name in ("tokens_in", "tokens_out"))
    requests = sum(trace.calls for trace in traces)
    return {"total": tokens_in + tokens_out, "prompt": tokens_in, "completion": tokens_out, "numRequests": requests}


def write_json(record: Mapping[str, Any]) -> Files:
    """Return the files of an export that is a single JSON file."""
    return {"": json.dumps(record, ensure_ascii=False, indent=1, allow_nan=False) + "\n"}
