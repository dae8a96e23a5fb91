"""Measure how often a decision between two systems on a few items differs from the decision on all items, for systems that the
choice of the items did not see; and the same for random samples of equally many items. A decision is the paired test of the
leaderboard before its correction for many comparisons: one system is better if p < .05, else the pair is undecided."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, get_args

from core.nouns import Item
from core.statistics.clusters import clusters
from core.statistics.resampling import RESAMPLES
from core.statistics.statistics import Interval, bootstrap, compare_columns, wilson
from eval.tiny.choosing import MIN_SYSTEMS as MODEL_SYSTEMS
from eval.tiny.choosing import choose_items

LEVEL = 0.05
"""A difference with a smaller p value is a decision."""
MIN_SYSTEMS = 3
"""Minimum number of systems; with fewer, nothing is left to choose items by when one is held out."""
MAX_FOLDS = 10
"""Maximum number of times that items are chosen anew without some of the systems."""
RANDOM_SAMPLES = 30
Outcome = Literal["same", "opposite", "missed", "added", "neither"]
"""same: both decide for the same system; opposite: for different ones; missed: only all items decide; added: only the few
items decide; neither decides."""
OUTCOMES: tuple[Outcome, ...] = get_args(Outcome)


class PairOutcome(NamedTuple):
    """One pair of systems, decided on the few items and on all items."""

    held_out: str
    """The system, or one of the two, that the choice of the items did not see."""
    other: str
    outcome: Outcome
    is_order_kept: bool | None
    """Whether the system that is better on all items has the higher estimate; None if all items do not decide."""


class ScoreError(NamedTuple):
    """The mean score of a held-out system, estimated from the few items, beside its mean over all items."""

    system: str
    whole: float
    n_whole: int
    estimate: float
    n: int
    """Number of the few items that have a score of this system."""


@dataclass(frozen=True, slots=True)
class TinyAgreement:
    """How decisions and scores on the few items differ from those on all items."""

    pairs: Sequence[PairOutcome]
    errors: Sequence[ScoreError]
    differs: Interval
    """Share of pairs whose decision is not the same as on all items: opposite, missed and added, of all pairs."""
    wrong: Interval
    """Share of decisions on the few items that all items do not confirm: opposite and added, of same, opposite and added."""
    missed: Interval
    """Share of decisions on all items that the few items leave undecided."""
    order: Interval
    """Share of pairs that all items decide in which the better system has the higher estimate."""
    error: Interval
    """Mean absolute error of the estimated scores."""

    @property
    def counts(self) -> Counter[Outcome]:
        """Return how many pairs have each outcome; a pair counts once for each time that one of its systems was held out."""
        return Counter(pair.outcome for pair in self.pairs)


class RandomResult(NamedTuple):
    """A measure over random samples: the mean, lowest and highest value, and how many samples were at least as good as the
    chosen items."""

    mean: float | None
    low: float | None
    high: float | None
    n: int
    as_good: int


MEASURES = ("differs", "wrong", "missed", "order", "error")
"""Names of the measures of a TinyAgreement."""


class ScoreTable(NamedTuple):
    """The scores of some systems."""

    systems: Sequence[str]
    items: Sequence[str]
    values: Any
    """Array (items, systems) of scores; NaN = no score."""
    documents: Mapping[str, Sequence[str]]
    """Dict from item to the documents of its evidence, which decide what is resampled together."""


class TinyReport(NamedTuple):
    """The agreement of chosen items with all items, beside that of random samples."""

    chosen: TinyAgreement | None
    """None = it cannot be measured."""
    random: Mapping[str, RandomResult]
    """Dict from measure to its values over random samples."""
    why: str
    """Reason why nothing was measured; "" if it was."""


def lay_out_scores(items: Sequence[Item], scores: Mapping[tuple[str, str], float]) -> ScoreTable:
    """Return the scores, a dict from (system, item), as a table."""
    import numpy as np

    systems = sorted({system for system, _ in scores})
    at = {item.id: number for number, item in enumerate(items)}
    values = np.full((len(items), len(systems)), np.nan)
    columns = {system: number for number, system in enumerate(systems)}
    for (system, item), value in scores.items():
        if item in at:
            values[at[item], columns[system]] = value
    return ScoreTable(systems, list(at), values, {item.id: [span.document for span in item.evidence] for item in items})


def measure_agreement(
    items: Sequence[Item],
    scores: Mapping[tuple[str, str], float],
    size: int,
    seed: int,
    samples: int = RANDOM_SAMPLES,
    resamples: int = RESAMPLES,
) -> TinyReport:
    """Return how decisions on `size` of the items differ from those on all. The systems are held out in turn (in at most
    MAX_FOLDS folds, drawn with the seed), and the items are chosen by the other systems. Random samples are drawn with the
    seed too. With fewer than MIN_SYSTEMS systems, the result has the reason instead of values."""
    import numpy as np

    table = lay_out_scores(items, scores)
    systems = table.systems
    if len(systems) < MIN_SYSTEMS:
        return TinyReport(None, {}, f"{len(systems)} systems have scores, and {MIN_SYSTEMS} are needed")
    generator = np.random.default_rng(seed)
    shuffled = [systems[place] for place in generator.permutation(len(systems))]
    folds = min(len(systems), MAX_FOLDS)
    # Of five systems, four are left to choose by: they choose as the five do, or else the report would be on another choice.
    min_systems = MODEL_SYSTEMS - 1 if len(systems) >= MODEL_SYSTEMS else MODEL_SYSTEMS
    trials = []
    for fold in range(folds):
        held_out = frozenset(shuffled[fold::folds])
        seen = {key: value for key, value in scores.items() if key[0] not in held_out}
        trials.append((held_out, choose_items(items, seen, size, min_systems).weights))
    whole = decide_pairs(table, range(len(items)), resamples)
    chosen = measure_trials(table, trials, whole, resamples)
    everyone = frozenset(systems)
    drawn = [
        measure_trials(
            table,
            [(everyone, {table.items[place]: 1 for place in generator.choice(len(items), size, replace=False)})],
            whole,
            resamples,
        )
        for _ in range(samples)
    ]
    return TinyReport(chosen, {name: _compare_with_random(name, chosen, drawn) for name in MEASURES}, "")


def measure_trials(
    table: ScoreTable,
    trials: Sequence[tuple[Collection[str], Mapping[str, int]]],
    whole: Mapping[tuple[int, int], int],
    resamples: int = RESAMPLES,
) -> TinyAgreement:
    """Return how decisions on few items differ from `whole`, those on all. Each trial has the systems that were held out, and
    the weights of the items that were chosen without them; all pairs with a held-out system count."""
    import numpy as np

    pairs: list[PairOutcome] = []
    errors: list[ScoreError] = []
    at = {item: number for number, item in enumerate(table.items)}
    for held_out, weights in trials:
        rows = [at[item] for item in weights]
        decided = decide_pairs(table, rows, resamples, held_out)
        values = table.values[rows]
        share = np.where(np.isnan(values), 0.0, np.array(list(weights.values()), float)[:, None])
        with np.errstate(invalid="ignore"):
            estimates = (share * np.nan_to_num(values)).sum(axis=0) / share.sum(axis=0)
        for (a, b), few in decided.items():
            every = whole[a, b]
            kept = None if every == 0 or np.isnan(estimates[[a, b]]).any() else bool((estimates[a] - estimates[b]) * every > 0)
            names = sorted((table.systems[a], table.systems[b]), key=lambda name: name not in held_out)
            pairs.append(PairOutcome(names[0], names[1], _name_outcome(every, few), kept))
        for column, system in enumerate(table.systems):
            own, present = table.values[:, column], ~np.isnan(values[:, column])
            if system in held_out and present.any():
                mean, n = float(np.nanmean(own)), int((~np.isnan(own)).sum())
                errors.append(ScoreError(system, mean, n, float(estimates[column]), int(present.sum())))
    return _summarise(pairs, errors)


def decide_pairs(
    table: ScoreTable,
    rows: Sequence[int],
    resamples: int = RESAMPLES,
    held_out: Collection[str] | None = None,
) -> dict[tuple[int, int], int]:
    """Return the decision on these rows for each pair of systems, as a dict from (column, column): 1 = the first is better,
    -1 = the second, 0 = undecided. `held_out`: only pairs with one of these systems."""
    import numpy as np

    count = len(table.systems)
    pairs = [(a, b) for a in range(count) for b in range(a + 1, count)]
    if held_out is not None:
        pairs = [(a, b) for a, b in pairs if table.systems[a] in held_out or table.systems[b] in held_out]
    values, names = table.values[list(rows)], [table.items[row] for row in rows]
    together = clusters({name: table.documents[name] for name in names}).of
    differences = np.column_stack([values[:, a] - values[:, b] for a, b in pairs])
    tested = compare_columns(differences, [together[name] for name in names], resamples)
    return {
        pair: 0 if one.p is None or one.p >= LEVEL or not one.mean else (1 if one.mean > 0 else -1)
        for pair, one in zip(pairs, tested, strict=True)
    }


def _name_outcome(every: int, few: int) -> Outcome:
    if every == 0:
        return "added" if few else "neither"
    return "missed" if few == 0 else "same" if few == every else "opposite"


def _summarise(pairs: Sequence[PairOutcome], errors: Sequence[ScoreError]) -> TinyAgreement:
    """Return the measures with intervals that resample the held-out systems, because pairs with one system are not
    independent."""

    def rate(values: Sequence[tuple[str, bool]]) -> Interval:
        found = bootstrap([float(value) for _, value in values], [system for system, _ in values])
        if found.low is None or found.mean not in (0.0, 1.0):
            return found
        systems = len({system for system, _ in values})  # resamples of equal values would give an interval without width
        ends = wilson(round(systems * found.mean), systems)
        return found._replace(low=ends.low, high=ends.high)

    by_few = [pair for pair in pairs if pair.outcome in ("same", "opposite", "added")]
    by_whole = [pair for pair in pairs if pair.outcome in ("same", "opposite", "missed")]
    return TinyAgreement(
        pairs,
        errors,
        rate([(pair.held_out, pair.outcome not in ("same", "neither")) for pair in pairs]),
        rate([(pair.held_out, pair.outcome != "same") for pair in by_few]),
        rate([(pair.held_out, pair.outcome == "missed") for pair in by_whole]),
        rate([(pair.held_out, pair.is_order_kept) for pair in pairs if pair.is_order_kept is not None]),
        bootstrap([abs(one.estimate - one.whole) for one in errors], [one.system for one in errors]),
    )


def _compare_with_random(name: str, chosen: TinyAgreement, drawn: Sequence[TinyAgreement]) -> RandomResult:
    """Return a measure over random samples. For the share of pairs in the right order, more is better, for the others less."""
    own: float | None = getattr(chosen, name).mean
    values = [mean for one in drawn if (mean := getattr(one, name).mean) is not None]
    if not values:
        return RandomResult(None, None, None, 0, 0)
    sign = -1 if name == "order" else 1
    as_good = sum(own is not None and sign * value <= sign * own + 1e-12 for value in values)
    return RandomResult(sum(values) / len(values), min(values), max(values), len(values), as_good)
