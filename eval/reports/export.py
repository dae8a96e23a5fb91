"""Exports of a run: its traces and scores as another tool's result files. Every byte depends on what is stored."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from core.catalog import catalog
from core.nouns import Item, Score, Trace
from eval.reports.results import RunResult

Files = Mapping[str, str]
"""File name -> text; "" = the one file of an export that has one alone."""


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
        """Yields (trace, item, the question as it was asked, scores), by item and variant."""
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
    """Returns every form by name."""
    return catalog("eval.exporting", "EXPORT", RunExporter)


def name_trace(trace: Trace) -> str:
    """Returns the id of a question in other tools' files."""
    return trace.item if trace.variant is None else f"{trace.item}/{trace.variant}"


def split_scores(scores: Sequence[Score]) -> tuple[dict[str, float], dict[str, str]]:
    """Returns {metric: value}, and {metric: why} of those without a value."""
    values = {score.metric: score.value for score in scores if score.value is not None}
    return values, {score.metric: score.why for score in scores if score.value is None}


def count_usage(traces: Sequence[Trace]) -> dict[str, int]:
    """Returns the tokens and requests of some traces, as promptfoo names them."""
    tokens_in, tokens_out = (sum(getattr(t, name) or 0 for t in traces) for name in ("tokens_in", "tokens_out"))
    requests = sum(trace.calls for trace in traces)
    return {"total": tokens_in + tokens_out, "prompt": tokens_in, "completion": tokens_out, "numRequests": requests}


def write_json(record: Mapping[str, Any]) -> Files:
    """Returns the one file of an export in JSON."""
    return {"": json.dumps(record, ensure_ascii=False, indent=1, allow_nan=False) + "\n"}
