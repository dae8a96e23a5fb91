"""Tell by rules whether a system read its answer in the changed corpus of a counterfactual release or remembers the answer of
the original release, and compute the rates over the items of a run. The rules are those for absence twins
(eval/absence/outcomes.py): a refusal is recognised first; otherwise the outcome is "reads" if the answer equals or contains a
new gold answer, and "remembers" if it equals or contains an old one."""

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
"""How a question of a counterfactual release was answered: with the new gold answer, with the old one, with both, with a
refusal, with another answer, or not at all."""
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
    """The outcomes of one item in the original release and in the counterfactual one; None = not asked."""

    item: str
    """Id of the item in the counterfactual release."""
    of: str
    """Id of the original item, from which this item was made."""
    real: RealOutcome | None
    outcome: Outcome | None


@dataclass(frozen=True, slots=True)
class WorldResult:
    """The outcomes of one run, for the items whose gold answers were replaced."""

    run: Run
    real_run: Run | None
    """The run of the same system on the original release; None if there is no such run."""
    pairs: Sequence[WorldPair]
    rates: Mapping[Rate, Interval]

    def count(self) -> Counter[Outcome]:
        """Return the number of items with each outcome on the counterfactual release; questions that are not asked yet are left
        out."""
        return Counter(pair.outcome for pair in self.pairs if pair.outcome)

    def count_real(self) -> Counter[RealOutcome]:
        """Return the number of items with each outcome on the original release."""
        return Counter(pair.real for pair in self.pairs if pair.real)


def read_world_outcome(trace: Trace, item: Item, old_answers: Sequence[str]) -> Outcome:
    """Return the outcome of the trace's answer to an item whose gold answers were `old_answers` before the replacement."""
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
    """Return the outcomes and rates of a run. `items` has the items of the counterfactual release by id, `origins` the origins
    of the asked items whose answers were replaced, and `real_items` the items of the original release. Intervals resample items
    with evidence in the same documents together."""
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
    """Return the pair's value for each rate, in the order of RATES; NaN if the pair does not count for the rate."""
    nan = float("nan")
    is_answered = pair.outcome not in (None, "failed")
    has_both = is_answered and pair.real not in (None, "failed")
    return [
        *(float(pair.outcome == outcome) if is_answered else nan for outcome in OUTCOMES[:-1]),
        float(pair.outcome == "remembers") if is_answered and pair.real == "gold" else nan,
        float(pair.outcome == "reads" and pair.real == "gold") if has_both else nan,
    ]
