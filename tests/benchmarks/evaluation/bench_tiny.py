"""Tiny releases of simulated benchmarks whose truth is known: how often decisions on few items differ from those on all, for
systems that the choice did not see, against random items, strata alone, and the anchor points of k-means; whether the report on
held-out systems tells it; and the time of the choice."""

import sys
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

from core.nouns import Item, Level
from eval.tiny.agreement import TinyAgreement, decide_pairs, lay_out_scores, measure_agreement, measure_trials
from eval.tiny.choosing import choose_items
from tests.benchmarks.table import cpu, head, row

ITEMS, WORLDS, FRESH = 1_000, 4, 10
SYSTEMS, SIZES = (5, 10, 30), (40, 60, 100)
RESAMPLES, SAMPLES = 500, 10
POPULATIONS = ("2PL", "four abilities", "specialists", "all equal")
Scores = dict[tuple[str, str], float]


class World(NamedTuple):
    """A simulated benchmark, with the scores of systems for the choice and of fresh ones."""

    items: list[Item]
    seen: Scores
    fresh: Scores


def make_world(population: str, systems: int, seed: int) -> World:
    """Items of two levels, the second of which is harder. specialists: 5 % of the items depend on another ability, in which
    the systems differ much more."""
    chance = np.random.default_rng([seed, systems, POPULATIONS.index(population)])
    everyone = systems + FRESH
    difficulty, slope = chance.normal(0, 1.3, ITEMS), np.exp(chance.normal(0, 0.4, ITEMS))
    levels: list[Level] = [2 if value > 0 else 1 for value in difficulty + chance.normal(0, 1.3, ITEMS)]
    ability = np.tile(chance.normal(0, 0.7, everyone), (ITEMS, 1))
    if population == "four abilities":
        ability = ability + chance.normal(0, 0.9, (4, everyone))[chance.integers(0, 4, ITEMS)]
    elif population == "specialists":
        ability = np.zeros((ITEMS, everyone))
        ability[::20] = chance.normal(0, 3, everyone)
    elif population == "all equal":
        ability = np.zeros((ITEMS, everyone))
    right = chance.random((ITEMS, everyone)) < 1 / (1 + np.exp(-slope[:, None] * (ability - difficulty[:, None])))
    items = [
        Item(f"q{n:04}", "question_answering", f"Question {n}?", ("x",), level=level, domain="law" if n % 3 else "arts")
        for n, level in enumerate(levels)
    ]

    def read(columns: range, prefix: str) -> Scores:
        return {(f"{prefix}{j:02}", items[i].id): float(right[i, j]) for j in columns for i in range(ITEMS)}

    return World(items, read(range(systems), "s"), read(range(systems, everyone), "t"))


def choose_anchors(world: World, size: int, seed: int) -> dict[str, int]:
    """Anchor points: the items nearest to the centres of k-means over the systems' responses, weighted by their clusters."""
    from sklearn.cluster import KMeans

    values = lay_out_scores(world.items, world.seen).values
    size = min(size, len(np.unique(values, axis=0)))
    found = KMeans(size, n_init=1, random_state=seed).fit(values)
    nearest = found.transform(values).argmin(axis=0)
    sizes = np.bincount(found.labels_, minlength=size)
    weights: dict[str, int] = {}
    for item, weight in zip(nearest.tolist(), sizes.tolist(), strict=True):
        weights[world.items[item].id] = weights.get(world.items[item].id, 0) + weight
    return weights


def draw_random(world: World, size: int, seed: int) -> dict[str, int]:
    chosen = np.random.default_rng(seed).choice(ITEMS, size, replace=False)
    return {world.items[place].id: 1 for place in chosen}


def measure(world: World, choices: list[dict[str, int]]) -> list[TinyAgreement]:
    """The agreement of each choice on the fresh systems alone."""
    table = lay_out_scores(world.items, world.fresh)
    whole = decide_pairs(table, range(ITEMS), RESAMPLES)
    everyone = frozenset(table.systems)
    return [measure_trials(table, [(everyone, weights)], whole, RESAMPLES) for weights in choices]


def main() -> None:
    head()
    errors = simulate()
    for systems in SYSTEMS:
        peers = errors["2PL", systems, SIZES[len(SIZES) // 2]]
        what = f"error of scores, {SIZES[len(SIZES) // 2]} of {ITEMS:,} items, {systems} systems"
        row(what, "random items", peers["random"], peers["ours"], 1)
        row(what, "strata alone", peers["strata"], peers["ours"], 1)
        row(what, "k-means of responses (sklearn)", peers["anchors"], peers["ours"], 1)
    world = make_world("2PL", SYSTEMS[-1], 0)
    theirs, own = (
        cpu(lambda: choose_anchors(world, SIZES[1], 0), 1),
        cpu(lambda: choose_items(world.items, world.seen, SIZES[1]), 1),
    )
    row(f"{SIZES[1]} of {ITEMS:,} items by {SYSTEMS[-1]} systems", "k-means of responses (sklearn)", theirs, own, 0.05)


def simulate() -> dict[tuple[str, int, int], dict[str, float]]:
    """Print, for every population, what fresh systems lose on the few items, and what the report on held-out systems says;
    return the mean errors of scores by kind of choice."""
    print(
        f"{WORLDS} worlds a line, {ITEMS:,} items, {FRESH} fresh systems. wrong: decisions on the few items that all do not "
        "confirm; missed: decisions on all that the few miss; error: of scores."
    )
    print("ours, strata alone, k-means anchors, random: on fresh systems; report: on the systems that were held out in turn.")
    kinds = ("ours", "report", "strata", "anchors", "random")
    print(f"{'population':<16}{'systems':>8}{'items':>6}  " + "".join(f"{name:^22}" for name in kinds))
    print(f"{'':<32}" + f"{'wrong missed error':^22}" * len(kinds))
    errors = {}
    for population in POPULATIONS:
        for systems in SYSTEMS:
            worlds = [make_world(population, systems, seed) for seed in range(WORLDS)]
            for size in SIZES:
                found: dict[str, list[TinyAgreement]] = {name: [] for name in kinds}
                for seed, world in enumerate(worlds):
                    ours = dict(choose_items(world.items, world.seen, size).weights)
                    strata = dict(choose_items(world.items, {}, size).weights)
                    drawn = [draw_random(world, size, seed * SAMPLES + n) for n in range(SAMPLES)]
                    first, second, third, *rest = measure(world, [ours, strata, choose_anchors(world, size, seed), *drawn])
                    report = measure_agreement(world.items, world.seen, size, seed, samples=1, resamples=RESAMPLES)
                    assert report.chosen is not None
                    for name, own in zip(kinds, ([first], [report.chosen], [second], [third], rest), strict=True):
                        found[name] += own
                cells = "".join(f"{describe(found[name]):^22}" for name in kinds)
                print(f"{population:<16}{systems:>8}{size:>6}  {cells}", flush=True)
                errors[population, systems, size] = {name: average(found[name], "error") or 0.0 for name in kinds}
    return errors


def describe(found: list[TinyAgreement]) -> str:
    values = (average(found, name) for name in ("wrong", "missed", "error"))
    return " ".join("  – " if value is None else f"{value:.3f}" for value in values)


def average(found: list[TinyAgreement], name: str) -> float | None:
    """The mean of a measure over worlds, weighted by its n; None if no world has a value."""
    own: list[Any] = [getattr(one, name) for one in found]
    n = sum(one.n for one in own if one.mean is not None)
    return sum(one.mean * one.n for one in own if one.mean is not None) / n if n else None


if __name__ == "__main__":
    main()
