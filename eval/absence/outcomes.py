"""Determine by rules how a system answered an item and its absence twin, and compute the rates over the items of a run. An
answer is a refusal if it is empty, if its first tokens contain one of crag_truthfulness's phrases, or if its call was refused.
An answer contains the gold answer if crag_truthfulness's rules find the two equal, or if in_accuracy finds the gold answer in
it. An answer that is both counts as a refusal. The right answer to the item is the gold answer. The right answer to the twin is
a refusal; a gold answer to the twin comes from the system's memory, from a guess, or from a passage that should have been
hidden."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, get_args

from core.nouns import Item, Run, Span, Trace
from core.statistics.clusters import clusters
from core.statistics.statistics import Interval, bootstrap_many
from core.wording.answer_leaks import find_leaked_answer
from eval.metric import ScoringCase
from eval.metrics import crag_truthfulness, in_accuracy

Outcome = Literal["gold", "refused", "other", "failed"]
"""Outcome of a question: the system gave the gold answer, a refusal or another answer, or it failed."""
OUTCOMES: tuple[Outcome, ...] = get_args(Outcome)
GoldSource = Literal["passage", "question", "neither"]
"""Where a gold answer without evidence can come from. passage: a passage that the system got contains the answer, which is a
leak; question: the question contains the answer, so the system may have guessed; neither: the system remembers the answer or
has put it together."""
GOLD_SOURCES: tuple[GoldSource, ...] = get_args(GoldSource)
Side = Literal["original", "twin"]
"""The two sides of an item: original = the question is asked with its evidence in the corpus; twin = without."""
SIDES: tuple[Side, ...] = get_args(Side)
Rate = Literal["refuses_with", "answers_without", "gold_without", "right_on_both"]
RATES: Mapping[Rate, str] = {
    "refuses_with": "Refuses although the evidence is there",
    "answers_without": "Answers although the evidence is gone",
    "gold_without": "Of these, the gold answer",
    "right_on_both": "Right on both sides",
}
"""A dict from the name of a rate to its label."""


class AbsencePair(NamedTuple):
    """The outcomes of one item in one run: as it is, and with its evidence hidden (its absence twin). None = the question was
    not asked yet."""

    item: str
    original: Outcome | None
    twin: Outcome | None
    source: GoldSource | None = None
    """Where the gold answer can come from that the system gave to the twin; None = the system did not give the gold answer."""


@dataclass(frozen=True, slots=True)
class AbsenceResult:
    """The outcomes of the items of one run that have an absence twin."""

    run: Run
    pairs: Sequence[AbsencePair]
    rates: Mapping[Rate, Interval]
    why: str = ""
    """Reason why the run's twins are not asked, as a sentence fragment; "" if they are asked."""

    def count(self, side: Side) -> Counter[Outcome]:
        """Count the outcomes of one side, items or twins: return the number of each outcome. Questions that are not asked yet
        are left out."""
        return Counter(outcome for pair in self.pairs if (outcome := getattr(pair, side)) is not None)

    @property
    def crossed(self) -> Counter[tuple[Outcome, Outcome]]:
        """Return the number of items by (outcome of the item, outcome of its twin), over the items for which both were
        asked."""
        return Counter((pair.original, pair.twin) for pair in self.pairs if pair.original and pair.twin)

    @property
    def sources(self) -> Counter[GoldSource]:
        """Return the number of twins that were answered with the gold answer, by the source that the answer can come from."""
        return Counter(pair.source for pair in self.pairs if pair.source)


def read_outcome(trace: Trace, item: Item) -> Outcome:
    """Return the outcome of the trace, which answers an item's question or the item's absence twin."""
    if trace.stop == "refused":
        return "refused"
    if trace.answer is None:
        return "failed"
    case = ScoringCase(trace.item, trace.answer, item.answers, item.language, item.question)
    grade, _ = crag_truthfulness.grade_by_rule(crag_truthfulness.cut_prediction(trace.answer, item.language), case, {})
    if grade == "missing":
        return "refused"
    return "gold" if grade == "correct" or in_accuracy.score(case)[""] == 1 else "other"


def compare_twins(
    run: Run,
    items: Mapping[str, Item],
    originals: Mapping[str, Trace],
    twins: Mapping[str, Trace],
    asked: Sequence[str],
    cut: Callable[[Span], str],
    why: str = "",
    seed: int = 0,
) -> AbsenceResult:
    """Return the outcomes and rates of a run. `originals` and `twins` are dicts from item to trace, `asked` are the items with
    a twin, `cut` returns the text of a passage. Intervals resample items with evidence in the same documents together."""
    pairs = []
    for name in asked:
        item = items[name]
        own, other = originals.get(name), twins.get(name)
        twin = read_outcome(other, item) if other else None
        source = find_source(other, item, cut) if other and twin == "gold" else None
        pairs.append(AbsencePair(name, read_outcome(own, item) if own else None, twin, source))
    return AbsenceResult(run, pairs, measure_rates(pairs, items, seed), why)


def find_source(trace: Trace, item: Item, cut: Callable[[Span], str]) -> GoldSource:
    """Return where the gold answer in the trace of a twin can come from, by the rules of the search that checks twins."""
    seen = {span for step in trace.steps for span in step.spans} | set(trace.retrieved or ())
    if any(find_leaked_answer("", cut(span), item.answers) for span in sorted(seen)):
        return "passage"
    return "question" if find_leaked_answer("", item.question, item.answers) else "neither"


def measure_rates(pairs: Sequence[AbsencePair], items: Mapping[str, Item], seed: int = 0) -> dict[Rate, Interval]:
    """Return each rate with its interval. Questions that failed, and questions that are not asked yet, are left out."""
    import numpy as np

    together = clusters({pair.item: [span.document for span in items[pair.item].evidence] for pair in pairs})
    table = np.array([_list_values(pair) for pair in pairs], np.float64).reshape(-1, len(RATES))
    found = bootstrap_many(table, [together.of[pair.item] for pair in pairs], seed=seed) if pairs else [_NO_VALUE] * len(RATES)
    return dict(zip(RATES, found, strict=True))


_NO_VALUE = Interval(None, None, None, 0, "no absence twin")


def _list_values(pair: AbsencePair) -> list[Any]:
    """Return the pair's value for each rate, in the order of RATES; NaN = the pair does not count in the rate."""
    nan = float("nan")
    has_original, has_twin = (outcome not in (None, "failed") for outcome in (pair.original, pair.twin))
    return [
        float(pair.original == "refused") if has_original else nan,
        float(pair.twin != "refused") if has_twin else nan,
        float(pair.twin == "gold") if has_twin and pair.twin != "refused" else nan,
        float(pair.original == "gold" and pair.twin == "refused") if has_original and has_twin else nan,
    ]
