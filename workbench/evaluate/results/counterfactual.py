"""Show which answers runs on counterfactual releases read in the corpus and which they remember, beside runs of the same
systems on the original releases. The package eval/counterfactual computes the results from stored traces only."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from core.errors import BenchError
from core.nouns import Item, Run, Trace
from core.quality.counterfactual import Origin, read_origin
from core.statistics.clusters import clusters
from eval.absence.outcomes import read_outcome
from eval.counterfactual.difficulty import DifficultyShift, measure_shift
from eval.counterfactual.layout import NOTES, build_page
from eval.counterfactual.outcomes import WorldResult, compare_worlds
from eval.page import Page
from eval.reports.run_names import name_runs
from store.releases import releases
from store.runs import runs
from workbench.evaluate.results.tables_of_runs import RunTableStage
from workbench.release.counterfactual import KEY
from workbench.roles import requires

__all__ = ["NOTES", "CounterfactualStage"]


class _Worlds(NamedTuple):
    """The items of a counterfactual release, and those of the original release."""

    items: Mapping[str, Item]
    origins: Mapping[str, Origin]
    """A dict from each item whose answers were replaced to its origin."""
    real_items: Mapping[str, Item]
    """The items of the original release; empty if the workspace does not have this release."""


class CounterfactualStage(RunTableStage[tuple[Run, Run | None]]):
    """Methods with which the app and the command line show what systems read and what they remember."""

    NAME, SUBJECT = "counterfactual", "The table on counterfactual releases"

    @requires("see releases", "release")
    def find_real(self, release: str) -> str:
        """Return the name of the release that a counterfactual one was made from. Raises BenchError if the release is not
        counterfactual, or if the workspace does not have the original release."""
        of = releases.get(self._db, release).manifest.get(KEY, {}).get("of")
        if of is None:
            raise BenchError(f"The release {release} is not counterfactual: make one with freeze --counterfactual-of.")
        return releases.get(self._db, of["name"], of["hash"]).name

    def _choose(self, every: Sequence[Run]) -> list[tuple[Run, Run | None]]:
        """Return each run on a counterfactual release with the newest run of the same system, agent and retriever on the
        original release, or with None if there is no such run."""
        paired = []
        for run in every:
            of = releases.get(self._db, run.release, run.release_hash).manifest.get(KEY, {}).get("of")
            if of:
                others = [other for other in runs.list_runs(self._db, of["name"]) if other.release_hash == of["hash"]]
                paired.append((run, next((other for other in others if _describe(other) == _describe(run)), None)))
        if not paired:
            named = ", ".join(dict.fromkeys(run.release for run in every))
            raise BenchError(
                f"The release {named} is not counterfactual: make one with freeze --counterfactual-of, and run systems on it."
            )
        return paired

    def _list_traced(self, chosen: Sequence[tuple[Run, Run | None]]) -> list[str]:
        return [run.id for pair in chosen for run in pair if run]

    def _build(self, chosen: Sequence[tuple[Run, Run | None]]) -> Page:
        of_release: dict[str, list[tuple[Run, Run | None]]] = {}
        for pair in chosen:
            of_release.setdefault(pair[0].release_hash, []).append(pair)
        found: dict[str, WorldResult] = {}
        shifts: dict[str, DifficultyShift] = {}
        for pairs in of_release.values():
            worlds = self._load_worlds(pairs[0][0])
            answers = {run.id: self._load_answers(run) for pair in pairs for run in pair if run}
            for run, real in pairs:
                asked = self._load_asked(run)
                origins = {name: origin for name, origin in worlds.origins.items() if name in asked}
                before = answers[real.id] if real else {}
                found[run.id] = compare_worlds(run, real, worlds.items, origins, worlds.real_items, answers[run.id], before)
            shifts[pairs[0][0].release] = _measure_shift(worlds, pairs, answers)
        first = [run for run, _ in chosen]
        return build_page([found[run.id] for run in first], name_runs(first), shifts)

    def _load_worlds(self, run: Run) -> _Worlds:
        content = self._releases.members(run.release, run.release_hash)
        of = releases.get(self._db, run.release, run.release_hash).manifest[KEY]["of"]
        try:
            real = self._releases.members(of["name"], of["hash"]).items
        except BenchError:  # an imported release whose original is not here
            real = []
        origins = {item.id: origin for item in content.items if (origin := read_origin(item)) and origin.old_answers}
        return _Worlds({item.id: item for item in content.items}, origins, {item.id: item for item in real})


def _describe(run: Run) -> tuple[object, ...]:
    """Return a value that is equal for two runs of the same system with the same agent, retriever and settings."""
    own = ("agent", "retriever", "variants", "sample", "defaults")
    return run.system.identity, run.repetition, *(run.config.get(name) for name in own)


def _measure_shift(
    worlds: _Worlds, pairs: Sequence[tuple[Run, Run | None]], answers: Mapping[str, Mapping[str, Trace]]
) -> DifficultyShift:
    """Return how much harder the replaced items became, by the runs on both releases; failed answers are left out."""
    real_name = {name: origin.item for name, item in worlds.items.items() if (origin := read_origin(item))}
    before, after = {}, {}
    for run, real in pairs:
        for name, trace in answers[run.id].items():
            if trace.answer is not None and name in worlds.items:
                after[run.id, real_name.get(name, name)] = read_outcome(trace, worlds.items[name]) == "gold"
        for name, trace in (answers[real.id] if real else {}).items():
            if real and trace.answer is not None and name in worlds.real_items:
                before[real.id, name] = read_outcome(trace, worlds.real_items[name]) == "gold"
    together = clusters({name: [span.document for span in worlds.items[name].evidence] for name in worlds.origins})
    replaced = {origin.item: together.of[name] for name, origin in worlds.origins.items()}
    return measure_shift(before, after, replaced)
