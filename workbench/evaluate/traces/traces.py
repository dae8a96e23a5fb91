"""Traces for a screen: lists of questions with how several runs fared, and one question in full: each run's answer, scores,
steps, calls as they stand in the ledger, passages beside gold evidence, and what judges said."""

import json
from collections.abc import Mapping, Sequence
from itertools import zip_longest
from typing import Any

from core.errors import BenchError
from core.nouns import Item, Run, Trace
from eval.papers.response_types import METRICS, THRESHOLD, classify_trace
from eval.reports.comparing import is_quality
from eval.reports.layout import select_headlines
from eval.workflows.hops import is_extracted
from eval.workflows.hops import list_hops as hops_of
from store.engine.database import Database
from store.items import items
from store.runs import runs, traces
from store.runs.runs import QuestionKey
from store.runs.traces import TraceFilter, TraceListRow, TraceOrder, TraceOutcome, TraceState
from store.variants import variants
from workbench.evaluate.results.board_of_runs import RunLine, lines_of
from workbench.evaluate.traces.evidence_found import EvidenceColumns, found_of
from workbench.evaluate.traces.trace_records import (
    CallRecord,
    HopRecord,
    HopsRecord,
    JudgeRecord,
    OneTrace,
    ScoreLine,
    StepRecord,
    TraceView,
    call_record,
    judged_of,
)
from workbench.evaluate.traces.work_records import WorkRecord, turns_of
from workbench.roles import act
from workbench.setup.agents import Agents

__all__ = ["ORDERS", "PAGE", "STATES", "TraceFilter", "TraceStage"]

ORDERS: Mapping[TraceOrder, str] = {
    "release": "As in the release",
    "low": "Lowest score first",
    "high": "Highest score first",
    "gain": "Where the first run beats the second most",
    "loss": "Where the second run beats the first most",
}
STATES: Mapping[TraceState, str] = {"all": "All", "answered": "Answered", "failed": "Failed", "unscored": "Not scored"}

WHOLE = 100_000
"""Characters of a passage that a gold answer is looked for in."""
PAGE = 50
"""Questions on one page of a list."""


class TraceStage:
    """Verbs on traces."""

    def __init__(self, database: Database, agents: Agents) -> None:
        self._db, self._agents = database, agents

    @act("see runs", "ids")
    def runs(self, ids: Sequence[str]) -> list[RunLine]:
        """Those runs (ids or how they begin), in the order given."""
        wanted = [run.id for run in self._runs(ids)]
        tallies = {tally.run: tally for tally in traces.load_tallies(self._db)}
        return lines_of([(run, tallies[run.id]) for run in self._runs(wanted)])

    @act("see runs", "ids")
    def page(
        self, ids: Sequence[str], wanted: TraceFilter, number: int = 1
    ) -> tuple[list[tuple[TraceListRow, dict[str, TraceOutcome]]], int]:
        """(a page of questions, each with the runs' outcomes by run, how many there are in all)."""
        chosen = self._runs(ids)
        rows, total = traces.load_page(self._db, chosen, wanted, PAGE, PAGE * (number - 1))
        asked = [(row.item, row.variant) for row in rows]
        fared = traces.load_outcomes(self._db, [run.id for run in chosen], asked, wanted.metric)
        by_row = [{run.id: fared[run.id, key] for run in chosen if (run.id, key) in fared} for key in asked]
        return list(zip(rows, by_row, strict=True)), total

    @act("see runs", "ids")
    def neighbours(
        self, ids: Sequence[str], wanted: TraceFilter, asked: QuestionKey
    ) -> tuple[QuestionKey | None, QuestionKey | None, int | None, int]:
        """(before, after, place from 1, how many) in the list of those runs."""
        return traces.find_neighbours(self._db, self._runs(ids), wanted, asked)

    @act("see runs", "ids")
    def metrics(self, ids: Sequence[str]) -> list[str]:
        """Metrics that any of the runs has scores of, headlines of quality first."""
        names = traces.list_metrics(self._db, [run.id for run in self._runs(ids)])
        first = {name for name in select_headlines(names) if is_quality(name)}
        return sorted(names, key=lambda name: (name not in first, name))

    @act("see runs", "ids")
    def facets(self, ids: Sequence[str]) -> dict[str, list[str | None]]:
        """{"level", "domain", "language"}: what the runs' questions are of, in order, None last."""
        found = traces.list_facets(self._db, self._runs(ids))
        names = ("level", "domain", "language")
        return {
            name: sorted({row[i] for row in found}, key=lambda value: (value is None, value or ""))
            for i, name in enumerate(names)
        }

    @act("see runs", "ids")
    def view(self, ids: Sequence[str], item: str, variant: str | None = None) -> TraceView:
        """One question and how those runs answered it. Raises BenchError when none of them was asked it."""
        chosen = self._runs(ids)
        asked = (item, variant)
        found = [(run, trace) for run in chosen if (trace := traces.get(self._db, run.id, asked)) is not None]
        if not found:
            raise BenchError(f"None of these runs has a trace of {variant or item}: choose another question or run.")
        lines = {line.run: line for line in self.runs(ids)}
        return TraceView(
            item=self._item(found[0][0], item),
            variant=next(iter(variants.load_variants(self._db, [variant] if variant else [])), None),
            traces=[self._one(run, trace, lines[run.id]) for run, trace in found],
        )

    @act("see runs", "run")
    def steps(self, run: str, item: str, variant: str | None = None) -> list[StepRecord]:
        """What the system did, in order; calls as the ledger has them."""
        chosen, trace = self._trace(run, item, variant)
        begun = traces.load_start_time(self._db, chosen.id)
        texts = traces.cut_spans(self._db, [span for step in trace.steps for span in step.spans], 300)
        return [
            StepRecord(
                step.kind,
                step.text,
                step.seconds,
                [(span, *texts.get(span, ("", ""))) for span in step.spans],
                self._call(step.call, begun) if step.call else None,
                step.call,
            )
            for step in trace.steps
        ]

    @act("see runs", "run")
    def hops(self, run: str, item: str, variant: str | None = None) -> HopsRecord | None:
        """What it searched for and why; None for a system that does not decide that itself."""
        trace = self._trace(run, item, variant)[1]
        written = next((step.about for step in trace.steps if step.kind == "output"), None)
        found = hops_of(trace)
        if written is None and not any(hop.trigger for hop in found):
            return None
        texts = traces.cut_spans(self._db, [span for hop in found for span in hop.spans], 1)
        made = [
            HopRecord(
                hop.number,
                hop.query,
                hop.trigger,
                hop.blocked,
                [(texts.get(span, ("", ""))[0], score) for span, score in zip_longest(hop.spans, hop.scores)],
                hop.calls,
            )
            for hop in found
        ]
        before = sum(step.kind == "call" for step in trace.steps) - sum(hop.calls for hop in found)
        return HopsRecord(made, before, is_extracted(trace) if written else None, str((written or {}).get("ended", "")))

    @act("see runs", "run")
    def work(
        self, run: str, item: str, variant: str | None = None, threshold: float = THRESHOLD, whole: bool = False
    ) -> WorkRecord | None:
        """What it thought, called and saw, turn by turn, with the gold answers marked, and its response type; None for a system
        that tells none of these. `whole` = the gold answer is looked for in what it wrote too."""
        chosen, trace = self._trace(run, item, variant)
        golds = self._item(chosen, item).answers
        passages = traces.cut_spans(self._db, [span for step in trace.steps for span in step.spans], WHOLE)
        turns, times = turns_of(trace, golds, passages, whole)
        if not turns and trace.answer is not None:
            return None
        scores = {score.metric: score for score in traces.load_scores(self._db, chosen.id, (item, variant))}
        rewards = (scores[name].value for name in METRICS if name in scores)
        return WorkRecord(
            turns=turns,
            has_calls=any(step.kind in ("action", "observation") for step in trace.steps),
            stop=trace.stop,
            answer=trace.answer,
            golds=golds,
            times=times,
            reward=next((one for one in rewards if one is not None), None),
            kind=classify_trace(trace, scores, threshold, whole),
            threshold=threshold,
            is_whole=whole,
        )

    @act("see runs", "run")
    def evidence(self, run: str, item: str, variant: str | None = None) -> EvidenceColumns:
        """What was retrieved, beside the gold evidence."""
        chosen, trace = self._trace(run, item, variant)
        return found_of(self._db, trace.retrieved, self._item(chosen, item).evidence)

    @act("see runs", "run")
    def call(self, run: str, call: str) -> CallRecord | None:
        """A call as the ledger has it, seen from a run; None when it has it no more."""
        return self._call(call, traces.load_start_time(self._db, self._runs([run])[0].id))

    @act("see runs", "run")
    def judged(self, run: str, item: str, variant: str | None = None) -> list[JudgeRecord]:
        """What judges said on that answer, sentence by sentence."""
        return judged_of(traces.load_judgements(self._db, self._runs([run])[0].id, (item, variant)))

    @act("see runs", "run")
    def record(self, run: str, item: str, variant: str | None = None) -> str:
        """The trace as JSON, for a file: everything that is stored of it."""
        view, steps = self.view([run], item, variant), self.steps(run, item, variant)
        one = view.traces[0]
        calls = [step.call.whole for step in steps if step.call]
        trace = self._trace(run, item, variant)[1]
        data: dict[str, Any] = {
            "run": one.line.run,
            "item": item,
            "variant": variant,
            "question": view.question,
            "answers": list(view.item.answers),
            "answer": trace.answer,
            "stop": trace.stop,
            "error": trace.error,
            "seconds": trace.seconds,
            "tokens_in": trace.tokens_in,
            "tokens_out": trace.tokens_out,
            "calls": calls,
            "retrieved": None if trace.retrieved is None else [[s.document, s.start, s.end] for s in trace.retrieved],
            "evidence": [[s.document, s.start, s.end] for s in view.item.evidence],
            "steps": [
                {
                    "kind": s.kind,
                    "text": s.text,
                    "seconds": s.seconds,
                    "call": s.call_id,
                    "spans": [[x.document, x.start, x.end] for x, _, _ in s.spans],
                    **({"scores": list(kept.scores)} if kept.scores else {}),
                    **({"about": dict(kept.about)} if kept.about else {}),
                }
                for s, kept in zip(steps, trace.steps, strict=True)
            ],
            "scores": [{"metric": s.metric, "version": s.version, "value": s.value, "why": s.why} for s in one.scores],
        }
        return json.dumps(data, ensure_ascii=False, indent=2) + "\n"

    def _one(self, run: Run, trace: Trace, line: RunLine) -> OneTrace:
        scores = traces.load_scores(self._db, run.id, (trace.item, trace.variant))
        ids = [step.call for step in trace.steps if step.call]
        first = {name for name in select_headlines([s.metric for s in scores]) if is_quality(name)}
        prices = [self._price(call) for call in ids]
        return OneTrace(
            line=line,
            answer=trace.answer,
            stop=trace.stop,
            error=trace.error,
            seconds=trace.seconds,
            calls=trace.calls,
            queued=trace.queued,
            retrying=trace.retrying,
            tokens_in=trace.tokens_in,
            tokens_out=trace.tokens_out,
            cost=sum(p for p in prices if p is not None) if prices and None not in prices else None,
            scores=[ScoreLine(s.metric, s.value, s.why, s.version, s.metric in first) for s in scores],
        )

    def _call(self, call: str, begun: str) -> CallRecord | None:
        """None when the ledger has it no more."""
        try:
            stored = self._agents.ledger.get(call)
        except BenchError:
            return None
        return call_record(stored, was_there=bool(begun) and stored.at < begun)

    def _price(self, call: str) -> float | None:
        try:
            completion = self._agents.ledger.get(call).completion
        except BenchError:
            return None
        return completion.price if completion else None

    def _trace(self, run: str, item: str, variant: str | None) -> tuple[Run, Trace]:
        chosen = self._runs([run])[0]
        found = traces.get(self._db, chosen.id, (item, variant))
        if found is None:
            raise BenchError(f"The run {chosen.id} has no trace of {variant or item}.")
        return chosen, found

    def _item(self, run: Run, item: str) -> Item:
        """In the revision that was asked."""
        revision = traces.find_revision(self._db, run, item)
        found = items.fetch_revisions(self._db.rows, [(item, revision, "accepted")]) if revision else []
        if not found:
            raise BenchError(f"The item {item} is not in this workspace in the revision that was asked.")
        return found[0]

    def _runs(self, names: Sequence[str]) -> list[Run]:
        if not names:
            raise BenchError("No run chosen: choose one.")
        found = [runs.get(self._db, name) for name in names]
        return list({run.id: run for run in found}.values())
