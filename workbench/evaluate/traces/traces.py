"""Show traces (the answers of systems with all steps) on the screen: lists of questions with the outcome of every run, and full
views of one question. A full view shows each run's answer, scores, steps, LLM calls, passages beside the gold answer's
evidence, and judges' verdicts."""

from collections.abc import Mapping, Sequence
from itertools import zip_longest

from core.errors import BenchError
from core.nouns import Item, Run, Span, Trace
from eval.papers.response_types import METRICS, MIN_MATCHING_REWARD, classify_trace
from eval.reports.comparing import is_quality
from eval.reports.layout import select_headlines
from eval.workflows.hops import is_extracted
from eval.workflows.hops import list_hops as hops_of
from store.engine.database import Database
from store.items import items
from store.ledger.calls import Call
from store.runs import runs, traces
from store.runs.runs import QuestionKey
from store.runs.traces import TraceFilter, TraceListRow, TraceOrder, TraceOutcome, TraceState
from store.variants import variants
from workbench.evaluate.results.run_board import RunLine, list_lines
from workbench.evaluate.traces.evidence_overlap import EvidenceColumns, compare_evidence
from workbench.evaluate.traces.trace_records import (
    AnswerRecord,
    CallRecord,
    HopRecord,
    HopsRecord,
    JudgeRecord,
    StepRecord,
    TraceView,
    build_call_record,
    format_json,
    list_judges,
)
from workbench.evaluate.traces.work_records import WorkRecord, split_turns
from workbench.roles import requires
from workbench.setup.agents import Agents

__all__ = ["ORDERS", "PAGE_SIZE", "STATES", "TraceFilter", "TraceListRow", "TraceOutcome", "TraceStage"]

ORDERS: Mapping[TraceOrder, str] = {
    "release": "As in the release",
    "low": "Lowest score first",
    "high": "Highest score first",
    "gain": "Where the first run beats the second most",
    "loss": "Where the second run beats the first most",
}
STATES: Mapping[TraceState, str] = {"all": "All", "answered": "Answered", "failed": "Failed", "unscored": "Not scored"}
PAGE_SIZE = 50
"""Number of questions on one page of a list of traces."""
SEARCHED_CHARACTERS = 100_000
"""Maximum number of characters of a passage in which the program looks for gold answers."""
BEGINNING_CHARACTERS = 300
"""Number of characters of a passage that a step shows."""


class TraceStage:
    """Methods with which the app shows how a system answered single questions, with all steps."""

    def __init__(self, database: Database, agents: Agents) -> None:
        self._db, self._agents = database, agents

    @requires("see runs", "ids")
    def runs(self, ids: Sequence[str]) -> list[RunLine]:
        """Return the runs with the given ids, or first characters of ids, in the given order."""
        tallies = {tally.run: tally for tally in traces.load_tallies(self._db)}
        return list_lines([(run, tallies[run.id]) for run in self._load_runs(ids)])

    @requires("see runs", "ids")
    def page(
        self, ids: Sequence[str], wanted: TraceFilter, number: int = 1
    ) -> tuple[list[tuple[TraceListRow, dict[str, TraceOutcome]]], int]:
        """Return (one page of questions, number of all questions); each question has a dict from run to outcome."""
        chosen = self._load_runs(ids)
        rows, total = traces.load_page(self._db, chosen, wanted, PAGE_SIZE, PAGE_SIZE * (number - 1))
        keys = [(row.item, row.variant) for row in rows]
        outcomes = traces.load_outcomes(self._db, [run.id for run in chosen], keys, wanted.metric)
        by_row = [{run.id: outcomes[run.id, key] for run in chosen if (run.id, key) in outcomes} for key in keys]
        return list(zip(rows, by_row, strict=True)), total

    @requires("see runs", "ids")
    def neighbours(
        self, ids: Sequence[str], wanted: TraceFilter, asked: QuestionKey
    ) -> tuple[QuestionKey | None, QuestionKey | None, int | None, int]:
        """Return (previous question, next question, position from 1, number of questions) for the question `asked` in the list
        of the runs' questions."""
        return traces.find_neighbours(self._db, self._load_runs(ids), wanted, asked)

    @requires("see runs", "ids")
    def metrics(self, ids: Sequence[str]) -> list[str]:
        """Return the names of the metrics for which at least one run has scores, beginning with the main metrics of quality."""
        names = traces.list_metrics(self._db, [run.id for run in self._load_runs(ids)])
        first = _quality_headlines(names)
        return sorted(names, key=lambda name: (name not in first, name))

    @requires("see runs", "ids")
    def facets(self, ids: Sequence[str]) -> dict[str, list[str | None]]:
        """Return the sorted values of "level", "domain" and "language" in the runs' questions, with None last."""
        rows = traces.list_facets(self._db, self._load_runs(ids))
        return {
            name: sorted({row[place] for row in rows}, key=lambda value: (value is None, value or ""))
            for place, name in enumerate(("level", "domain", "language"))
        }

    @requires("see runs", "ids")
    def view(self, ids: Sequence[str], item: str, variant: str | None = None) -> TraceView:
        """Return one question with the answers of the given runs. Raises BenchError if none of the runs asked this question."""
        pairs = [(run, runs.find_trace(self._db, run.id, (item, variant))) for run in self._load_runs(ids)]
        answered = [(run, trace) for run, trace in pairs if trace is not None]
        if not answered:
            raise BenchError(f"None of these runs has a trace of {variant or item}: choose another question or run.")
        lines = {line.run.id: line for line in self.runs(ids)}
        return TraceView(
            self._load_item(answered[0][0], item),
            next(iter(variants.load_variants(self._db, [variant] if variant else [])), None),
            [self._build_answer(lines[run.id], trace) for run, trace in answered],
        )

    @requires("see runs", "run")
    def steps(self, run: str, item: str, variant: str | None = None) -> list[StepRecord]:
        """Return the system's steps on the way to the answer, in order, each with its LLM calls."""
        chosen, trace = self._load_trace(run, item, variant)
        began = runs.load_start_time(self._db, chosen.id)
        texts = self._cut(trace, BEGINNING_CHARACTERS)
        return [
            StepRecord(
                step,
                [(span, *texts.get(span, ("", ""))) for span in step.spans],
                self._load_call(step.call, began) if step.call else None,
            )
            for step in trace.steps
        ]

    @requires("see runs", "run")
    def hops(self, run: str, item: str, variant: str | None = None) -> HopsRecord | None:
        """Return the searches of a trace with their reasons, or None if the system does not itself decide when to search."""
        trace = self._load_trace(run, item, variant)[1]
        written = next((step.about for step in trace.steps if step.kind == "output"), None)
        searches = hops_of(trace)
        if written is None and not any(hop.trigger for hop in searches):
            return None
        texts = traces.cut_spans(self._db, [span for hop in searches for span in hop.spans], 1)
        records = [
            HopRecord(hop, [(texts.get(span, ("", ""))[0], score) for span, score in zip_longest(hop.spans, hop.scores)])
            for hop in searches
        ]
        before = sum(step.kind == "call" for step in trace.steps) - sum(hop.calls for hop in searches)
        return HopsRecord(records, before, is_extracted(trace) if written else None, str((written or {}).get("ended", "")))

    @requires("see runs", "run")
    def work(
        self, run: str, item: str, variant: str | None = None, threshold: float = MIN_MATCHING_REWARD, whole: bool = False
    ) -> WorkRecord | None:
        """Return what the system thought, did and observed in each turn, with gold answers marked, and the type of its
        response. Return None if the system does not record its turns. If `whole` is true, gold answers are also marked in the
        text that the system wrote."""
        chosen, trace = self._load_trace(run, item, variant)
        golds = self._load_item(chosen, item).answers
        turns, times = split_turns(trace, golds, self._cut(trace, SEARCHED_CHARACTERS), whole)
        if not turns and trace.answer is not None:
            return None
        scores = {score.metric: score for score in runs.load_scores(self._db, chosen.id, (item, variant))}
        rewards = (scores[name].value for name in METRICS if name in scores)
        return WorkRecord(
            turns=turns,
            has_calls=any(step.kind in ("action", "observation") for step in trace.steps),
            stop=trace.stop,
            golds=golds,
            times=times,
            reward=next((reward for reward in rewards if reward is not None), None),
            kind=classify_trace(trace, scores, threshold, whole),
            threshold=threshold,
            is_whole=whole,
        )

    @requires("see runs", "run")
    def evidence(self, run: str, item: str, variant: str | None = None) -> EvidenceColumns:
        """Return the passages that the run retrieved for the question, beside the evidence of the gold answer."""
        chosen, trace = self._load_trace(run, item, variant)
        return compare_evidence(self._db, trace.retrieved, self._load_item(chosen, item).evidence)

    @requires("see runs", "run")
    def call(self, run: str, call: str) -> CallRecord | None:
        """Return an LLM call of a run from the ledger, or None if the ledger does not contain it any more."""
        return self._load_call(call, runs.load_start_time(self._db, self._load_runs([run])[0].id))

    @requires("see runs", "run")
    def judges(self, run: str, item: str, variant: str | None = None) -> list[JudgeRecord]:
        """Return the judges' verdicts on the answer, sentence by sentence."""
        return list_judges(runs.load_judgements(self._db, self._load_runs([run])[0].id, (item, variant)))

    @requires("see runs", "run")
    def export(self, run: str, item: str, variant: str | None = None) -> str:
        """Return the trace with everything that is stored about it, as JSON for a file."""
        view, records = self.view([run], item, variant), self.steps(run, item, variant)
        answer = view.answers[0]
        trace = answer.trace
        data = {
            "run": answer.line.run.id,
            "item": item,
            "variant": variant,
            "question": view.question,
            "answers": list(view.item.answers),
            **{name: getattr(trace, name) for name in ("answer", "stop", "error", "seconds", "tokens_in", "tokens_out")},
            "tokens_thinking": trace.tokens_thinking,
            "not_taken": list(trace.not_taken),
            "calls": [step.call.record() for step in records if step.call],
            "retrieved": None if trace.retrieved is None else [span.triple for span in trace.retrieved],
            "evidence": [span.triple for span in view.item.evidence],
            "steps": [
                {
                    "kind": step.kind,
                    "text": step.text,
                    "seconds": step.seconds,
                    "call": step.call,
                    "spans": [span.triple for span in step.spans],
                    **({"scores": list(step.scores)} if step.scores else {}),
                    **({"about": dict(step.about)} if step.about else {}),
                }
                for step in trace.steps
            ],
            "scores": [
                {"metric": score.metric, "version": score.version, "value": score.value, "why": score.why}
                for score in answer.scores
            ],
        }
        return format_json(data) + "\n"

    def _build_answer(self, line: RunLine, trace: Trace) -> AnswerRecord:
        scores = runs.load_scores(self._db, line.run.id, (trace.item, trace.variant))
        calls = [self._find_call(step.call) for step in trace.steps if step.call]
        prices = [call.completion.price if call and call.completion else None for call in calls]
        cost = sum(price for price in prices if price is not None) if prices and None not in prices else None
        return AnswerRecord(line, trace, cost, scores, frozenset(_quality_headlines([score.metric for score in scores])))

    def _load_call(self, call: str, began: str) -> CallRecord | None:
        stored = self._find_call(call)
        return None if stored is None else build_call_record(stored, was_stored=bool(began) and stored.at < began)

    def _find_call(self, call: str) -> Call | None:
        """Return the call from the ledger, or None if the ledger does not contain it any more."""
        try:
            return self._agents.ledger.get(call)
        except BenchError:
            return None

    def _cut(self, trace: Trace, characters: int) -> dict[Span, tuple[str, str]]:
        """Return a dict from passage to (title of its document, first characters of the passage) for the passages of all
        steps."""
        return traces.cut_spans(self._db, [span for step in trace.steps for span in step.spans], characters)

    def _load_trace(self, run: str, item: str, variant: str | None) -> tuple[Run, Trace]:
        chosen = self._load_runs([run])[0]
        trace = runs.find_trace(self._db, chosen.id, (item, variant))
        if trace is None:
            raise BenchError(f"The run {chosen.id} has no trace of {variant or item}.")
        return chosen, trace

    def _load_item(self, run: Run, item: str) -> Item:
        """Return the item in the revision that the run used."""
        revision = traces.find_revision(self._db, run, item)
        worded = items.fetch_revisions(self._db.rows, [(item, revision, "accepted")]) if revision else []
        if not worded:
            raise BenchError(f"The item {item} is not in this workspace in the revision that the run used.")
        return worded[0]

    def _load_runs(self, names: Sequence[str]) -> list[Run]:
        if not names:
            raise BenchError("No run is chosen: choose at least one run.")
        return list({run.id: run for run in (runs.get(self._db, name) for name in names)}.values())


def _quality_headlines(names: Sequence[str]) -> set[str]:
    return {name for name in select_headlines(names) if is_quality(name)}
