"""Tell by rules whether a system read its answer in a counterfactual world or remembers it from the real one, and compute the
rates over the items of a run. The rules are those of absence twins (eval/absence/outcomes.py): refusals come first; an answer
reads if it is or contains a new gold answer, and remembers if it is or contains an old one."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple, get_args

from core.nouns import Item, Run, Trace
from core.quality.counterfactual import Origin
from core.statistics.clusters import clusters
from core.statistics.statistics import Interval, bootstrap_many
from eval.absence.outcomes import Outcome as RealOutcome
from eval.absence.outcomes import read_outcome

Outcome = Literal["reads", "remembers", "both", "refused", "other", "failed"]
"""How a question was answered in the counterfactual world: with the new answer, with the old one, with both, with a refusal,
with another answer, or not at all."""
OUTCOMES: tuple[Outcome, ...] = get_args(Outcome)
Rate = Literal["reads", "remembers", "both", "refused", "other", "remembers_known", "right_in_both"]
RATES: Mapping[Rate, str] = {
    "reads": "Reads: the new answer",
    "remembers": "Remembers: the old answer",
    "both": "Names both",
    "refused": "Refuses",
    "other": "Another answer",
    "remembers_known": "Remembers, of those right in the real world",
    "right_in_both": "Right in both worlds",
}
"""A dict from the name of a rate to its label."""


class WorldPair(NamedTuple):
    """The outcomes of one item in the real world and in the counterfactual one; None = not asked."""

    item: str
    """Id of the item in the counterfactual release."""
    of: str
    """Id of the item that it was made from."""
    real: RealOutcome | None
    outcome: Outcome | None


@dataclass(frozen=True, slots=True)
class WorldResult:
    """The outcomes of the items of one run whose gold answers were replaced."""

    run: Run
    real_run: Run | None
    """The run of the same system on the release that the counterfactual one was made from; None = there is none."""
    pairs: Sequence[WorldPair]
    rates: Mapping[Rate, Interval]

    def count(self) -> Counter[Outcome]:
        """Return the number of each outcome in the counterfactual world; questions that are not asked yet are left out."""
        return Counter(pair.outcome for pair in self.pairs if pair.outcome)

    def count_real(self) -> Counter[RealOutcome]:
        """Return the number of each outcome in the real world."""
        return Counter(pair.real for pair in self.pairs if pair.real)


def read_world_outcome(trace: Trace, item: Item, old_answers: Sequence[str]) -> Outcome:
    """Return how the trace answered an item of which the gold answers were the old ones before."""
    new = read_outcome(trace, item)
    if new in ("refused", "failed"):
        return "refused" if new == "refused" else "failed"
    remembers = read_outcome(trace, replace(item, answers=tuple(old_answers))) == "gold"
    if new == "gold":
        return "both" if remembers else "reads"
    return "remembers" if remembers else "other"


def compare_worlds(
    run: Run,
    real_run: Run | None,
    items: Mapping[str, Item],
    origins: Mapping[str, Origin],
    real_items: Mapping[str, Item],
    traces: Mapping[str, Trace],
    real_traces: Mapping[str, Trace],
    seed: int = 0,
) -> WorldResult:
    """Return the outcomes and rates of a run. `items` and `origins` are dicts from the id of each asked item whose answers were
    replaced, `real_items` from the id of each item before. Intervals resample items with evidence in the same documents
    together."""
    import numpy as np

    pairs = []
    for name, origin in origins.items():
        real, trace = real_traces.get(origin.item), traces.get(name)
        is_comparable = real is not None and origin.item in real_items
        pairs.append(
            WorldPair(
                name,
                origin.item,
                read_outcome(real, real_items[origin.item]) if real is not None and is_comparable else None,
                read_world_outcome(trace, items[name], origin.old_answers) if trace else None,
            )
        )
    together = clusters({pair.item: [span.document for span in items[pair.item].evidence] for pair in pairs})
    table = np.array([_list_values(pair) for pair in pairs], np.float64).reshape(-1, len(RATES))
    found = bootstrap_many(table, [together.of[pair.item] for pair in pairs], seed=seed) if pairs else [_NO_VALUE] * len(RATES)
    return WorldResult(run, real_run, pairs, dict(zip(RATES, found, strict=True)))


_NO_VALUE = Interval(None, None, None, 0, "no replaced answer")


def _list_values(pair: WorldPair) -> list[Any]:
    """Return the pair's value of each rate, in the order of RATES; NaN = it does not count."""
    nan = float("nan")
    is_answered = pair.outcome not in (None, "failed")
    has_both = is_answered and pair.real not in (None, "failed")
    return [
        *(float(pair.outcome == outcome) if is_answered else nan for outcome in OUTCOMES[:-1]),
        float(pair.outcome == "remembers") if is_answered and pair.real == "gold" else nan,
        float(pair.outcome == "reads" and pair.real == "gold") if has_both else nan,
    ]
