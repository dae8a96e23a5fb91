"""Show how runs answer the absence twins of their release. A twin asks an item's question while all passages that prove the
answer are hidden from the system. The package eval/absence computes the results, only from stored answers."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from core.errors import BenchError
from core.nouns import Run, Span, Trace
from core.retrieval.absence import Reason
from eval.absence.layout import NOTES, WORDS, build_page
from eval.absence.outcomes import AbsenceResult, compare_twins, read_outcome
from eval.page import Page
from eval.reports.run_names import name_runs
from store.runs import runs, traces, twin_traces
from workbench.evaluate.results.tables_of_runs import RunTableStage
from workbench.roles import requires

__all__ = ["BEGINNING_CHARACTERS", "NOTES", "AbsenceStage", "TwinPassage", "TwinRecord"]

BEGINNING_CHARACTERS = 300
"""Number of characters that a screen shows of a passage."""


class TwinPassage(NamedTuple):
    """A passage that was hidden for an absence twin, or that the system got instead."""

    span: Span
    title: str
    beginning: str
    why: Reason | None = None
    """Reason why the passage was hidden; None if the system got this passage."""


@dataclass(frozen=True, slots=True)
class TwinRecord:
    """One run's answer to the absence twin of an item."""

    trace: Trace
    outcome: str
    """What the answer to the absence twin was, such as a refusal, in words."""
    hidden: Sequence[TwinPassage]
    passages: Sequence[TwinPassage]
    """The passages that the system got, best first."""


class AbsenceStage(RunTableStage[Run]):
    """Methods with which the app and the command line show the outcomes of absence twins."""

    NAME, SUBJECT = "absence", "The table on absence twins"

    @requires("see runs", "run")
    def twin(self, run: str, item: str) -> TwinRecord | None:
        """Return the run's answer to the item's absence twin, or None if there is none."""
        chosen = runs.get(self._db, run)
        trace = runs.find_trace(self._db, twin_traces.name_key(chosen.id), (item, None))
        if trace is None:
            return None
        content = self._releases.members(chosen.release, chosen.release_hash)
        twin = next(twin for twin in content.twins if twin.item == item)
        passages = list(trace.retrieved or ())
        texts = traces.cut_spans(self._db, [*(hidden.span for hidden in twin.hidden), *passages], BEGINNING_CHARACTERS)
        outcome = read_outcome(trace, next(own for own in content.items if own.id == item))
        return TwinRecord(
            trace,
            WORDS[outcome],
            [TwinPassage(hidden.span, *texts.get(hidden.span, ("", "")), hidden.why) for hidden in twin.hidden],
            [TwinPassage(span, *texts.get(span, ("", ""))) for span in passages],
        )

    def _choose(self, every: Sequence[Run]) -> Sequence[Run]:
        return every

    def _list_traced(self, chosen: Sequence[Run]) -> list[str]:
        return [name for run in chosen for name in (run.id, twin_traces.name_key(run.id))]

    def _build(self, chosen: Sequence[Run]) -> Page:
        results = [(name, self._compare(run)) for name, run in zip(name_runs(chosen), chosen, strict=True)]
        found = [(name, result) for name, result in results if result is not None]
        if not found:
            named = ", ".join(dict.fromkeys(run.release for run in chosen))
            raise BenchError(
                f"The release {named} has no absence twins of these runs' questions: freeze a release with --absence-share, "
                "and run systems on it."
            )
        return build_page([result for _, result in found], [name for name, _ in found])

    def _compare(self, run: Run) -> AbsenceResult | None:
        """Return how the run answered its absence twins, or None if its release has no twins of its questions."""
        content = self._releases.members(run.release, run.release_hash)
        asked = self._load_asked(run)
        twins = [twin.item for twin in content.twins if twin.item in asked]
        if not twins:
            return None
        texts = {document.id: document.text for document in content.documents}
        own = self._load_answers(run)
        return compare_twins(
            run,
            {item.id: item for item in content.items},
            own,
            twin_traces.load_traces(self._db, run.id),
            twins,
            lambda span: texts.get(span.document, "")[span.start : span.end],
            twin_traces.load_applicability(self._db, run.id) or "",
        )
