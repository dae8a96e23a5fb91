"""Makes a tiny release of another one: a few of its items, which stand for all of them, in the same corpus."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from core.catalog import pick
from core.errors import BenchError
from core.nouns import Item, Release, Run
from core.quality.conversations import LABEL
from core.quality.tiny import KEY, MAX_SIZE, MIN_SIZE
from eval.metric import metrics, split_name
from eval.reports.comparing import is_quality
from eval.reports.run_names import name_runs
from eval.tiny.agreement import measure_agreement
from eval.tiny.choosing import Method, choose_items
from eval.tiny.layout import describe_choice, encode_report, judge_choice
from store.engine.database import Database
from store.releases.contests import ERRATUM
from store.releases.manifest import change_gold_sets, change_items, release_hash
from store.releases.releases import WORKING_RELEASE, ReleaseMembers
from store.runs import runs, traces
from workbench.release.members import save_frozen
from workbench.release.naming import check_name
from workbench.release.sealing import check_open


@dataclass(frozen=True, slots=True)
class TinyRelease:
    """A tiny release, with how it was chosen and how often decisions on it were wrong."""

    release: str
    hash: str
    of: str
    """Name of the release that it was made from."""
    items: int
    metric: str
    """Metric by whose scores the items were chosen; "" = no run has scores."""
    method: Method
    systems: Sequence[str]
    """Names of the systems by whose scores the items were chosen."""
    weights: Mapping[str, int]
    """Dict from each item to the number of items that it stands for."""
    sentences: Sequence[str]
    """How the items were chosen, and whether they are better than random samples, or why that is unknown."""


class FinishedScores(NamedTuple):
    """The scores of the finished runs on a release by one metric."""

    metric: str
    """Name of the metric; "" = no run has scores."""
    names: Mapping[str, str]
    """Dict from run to the name of its system, in the order in which the runs were started."""
    scores: Mapping[tuple[str, str], float]
    """Dict from (run, item) to the score, as a share of the metric's scale."""


def load_finished_scores(database: Database, release: Release, metric: str | None) -> FinishedScores:
    """Return the scores of all distinct systems that answered the whole release, by the metric, or by the quality metric that
    most of them have (the first in the alphabet of equals). Of the repetitions of a run, the first counts; runs on a sample and
    unfinished runs do not count. Raises BenchError if the metric has no lower and upper bound, or if no run has scores by
    it."""
    finished = {
        tally.run
        for tally in traces.load_tallies(database, release.name)
        if tally.scored and tally.answered + tally.failed == tally.asked
    }
    systems: dict[tuple[str, ...], Run] = {}
    for run in runs.list_runs(database, release.name):
        if run.release_hash == release.hash and run.id in finished and not run.config.get("sample"):
            own = ("agent", "retriever", "variants", "defaults")
            systems.setdefault((run.system.identity, *(str(run.config.get(name)) for name in own)), run)
    found = list(systems.values())
    if metric is None:
        named = [name for run in found for name in list_scaled_metrics(database, [run.id])]
        if not named:
            return FinishedScores("", {}, {})
        metric = min(named, key=lambda name: (-named.count(name), name))
    low, high = _read_scale(metric)
    values = {run.id: runs.load_values(database, run.id, metric) for run in found}
    scored = [run for run in found if values[run.id]]
    if not scored:
        raise BenchError(f"No finished run on {release.name} has scores by {metric}: choose a metric that its runs have.")
    return FinishedScores(
        metric,
        dict(zip([run.id for run in scored], name_runs(scored), strict=True)),
        {
            (run.id, item): (value - low) / (high - low)
            for run in scored
            for (item, variant), value in values[run.id].items()
            if variant is None
        },
    )


def freeze_tiny(
    database: Database, name: str, of: Release, content: ReleaseMembers, size: int, metric: str | None, seed: int
) -> TinyRelease:
    """Freeze `size` items of a release under a name, chosen by its finished runs. Raises BenchError if the size is not in the
    bounds of tiny releases, or if the release has too few items, is tiny itself, is sealed or has conversations."""
    check_name(name)
    if of.name == WORKING_RELEASE or KEY in of.manifest:
        kind = "is tiny itself" if KEY in of.manifest else "changes by itself"
        raise BenchError(f"The release {of.name} {kind}, so it has no tiny release: name a whole one that was frozen.")
    check_open(database, of, "a tiny release")
    if any(LABEL in item.labels for item in content.items):
        raise BenchError(
            f"The release {of.name} has conversations, and a choice of single items would tear their turns apart: freeze a "
            "release without the task conversation, and make a tiny release of that."
        )
    if not MIN_SIZE <= size <= MAX_SIZE:
        raise BenchError(f"A tiny release has {MIN_SIZE} to {MAX_SIZE} items, not {size}: choose a size in these bounds.")
    found = load_finished_scores(database, of, metric)
    pool = select_pool(content.items, found.scores)
    choice = choose_items(pool, found.scores, size)
    report = measure_agreement(pool, found.scores, size, seed)
    record = {
        "of": {"name": of.name, "hash": of.hash, "items": len(content.items)},
        "size": size,
        "metric": found.metric,
        "seed": seed,
        "method": choice.method,
        "why": choice.why,
        "by": list(choice.by),
        "strata": [{**one._asdict(), "values": list(one.values)} for one in choice.strata],
        "unscored": len(content.items) - len(pool),
        "systems": [{"run": run, "name": system} for run, system in found.names.items()],
        "weights": dict(sorted(choice.weights.items())),
        "agreement": encode_report(report),
    }
    dropped = {item.id for item in content.items if item.id not in choice.weights}
    manifest = {name: value for name, value in of.manifest.items() if name != ERRATUM}
    manifest = change_items(manifest, [{"item": item, "after": None} for item in sorted(dropped)])
    manifest = change_gold_sets(manifest, [], dropped)
    variants = [variant for variant in content.variants if variant.item in choice.weights]
    kept = {variant.id for variant in variants}
    manifest |= {"variants": [row for row in manifest["variants"] if row["id"] in kept], KEY: record}
    members = [item for item in content.items if item.id in choice.weights]
    made = Release(name, release_hash(manifest), manifest)
    save_frozen(database, made, members, variants)
    return TinyRelease(
        release=name,
        hash=made.hash,
        of=of.name,
        items=len(members),
        metric=found.metric,
        method=choice.method,
        systems=list(found.names.values()),
        weights=choice.weights,
        sentences=[*describe_choice(record), judge_choice(report)],
    )


def select_pool(items: Sequence[Item], scores: Mapping[tuple[str, str], float]) -> list[Item]:
    """Return the items that a tiny release can choose from: those with a score of at least one system, or all items if no
    system has scores."""
    scored = {item for _, item in scores}
    return [item for item in items if item.id in scored] if scored else list(items)


def list_scaled_metrics(database: Database, named: Sequence[str]) -> list[str]:
    """Return the quality metrics with a lower and an upper bound by which any of these runs has scores."""
    return [name for name in traces.list_metrics(database, named) if is_quality(name) and _find_scale(name)]


def _find_scale(name: str) -> tuple[float, float] | None:
    metric = pick(metrics(), split_name(name).metric, "metric")
    is_count = split_name(name).part in metric.counts
    return None if metric.low is None or metric.high is None or is_count else (metric.low, metric.high)


def _read_scale(name: str) -> tuple[float, float]:
    scale = _find_scale(name)
    if scale is None:
        raise BenchError(f"{name} has no lower and upper bound, so items cannot be chosen by it: choose another metric.")
    return scale
