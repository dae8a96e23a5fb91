"""Freezes errata of releases, scores the stored answers of runs again on them, and shows which scores and ranks changed. No
system is asked again: questions that changed for a system are counted separately. Judges are asked about changed items only."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

from core.as_json import Json
from core.cancellation import Cancelled, cancel_when
from core.catalog import pick
from core.errors import BenchError
from core.installation import COMMAND
from core.nouns import Release, Run
from core.statistics.clusters import clusters
from eval.page import Page
from eval.reports.comparing import is_quality
from eval.reports.layout import select_headlines
from eval.reports.moves import MovedRun, build_moves_page, compute_moves
from eval.reports.renderer import renderers
from eval.reports.run_names import name_runs
from eval.running.runner import RunStopped
from store.engine.database import Database
from store.jobs import jobs
from store.ledger.budget import Budget
from store.releases import releases
from store.releases.contests import ERRATUM
from store.releases.releases import ReleaseMembers
from store.runs import runs, traces, twin_traces
from workbench.background_cache import CachedStage, RunningWork
from workbench.control import Control, describe_stop
from workbench.evaluate.results.reports import MIMES
from workbench.evaluate.running.carrying import CarriedRun, carry_run, collect_params, count_open, name_carried_run
from workbench.evaluate.running.run_request import RunRequest
from workbench.evaluate.running.run_worker import watch_for_cancel
from workbench.evaluate.scoring.scores import score_run
from workbench.release.errata import Erratum, describe_erratum, freeze_erratum, list_changes
from workbench.release.releases import ReleaseStage
from workbench.roles import requires
from workbench.setup.agents import Agents

__all__ = ["ErrataStage", "Erratum", "ErratumPreview", "FrozenErratum"]

KIND = "rescore"


class ErratumPreview(NamedTuple):
    """What an erratum of a release would change if it were frozen now."""

    corrected: Sequence[str]
    withdrawn: Sequence[str]
    runs: int
    """Number of runs on the release, which would be scored again."""


@dataclass(frozen=True, slots=True)
class FrozenErratum:
    """An erratum that was frozen, and the job that scores the runs again."""

    erratum: Erratum
    job: str | None
    """Id of the job; None if the corrected release has no runs."""


class ErrataStage(CachedStage):
    """Methods that freeze errata, score runs again on them, and show which scores and ranks changed."""

    def __init__(self, database: Database, agents: Agents, stage: ReleaseStage) -> None:
        super().__init__(database)
        self._agents, self._releases = agents, stage

    @requires("see releases", "name")
    def preview(self, name: str) -> ErratumPreview:
        """Return what an erratum of the release would change now."""
        release, content = self._releases.get(name)
        changes = list_changes(self._db, release, content)
        return ErratumPreview(
            [change.item for change in changes if change.after],
            [change.item for change in changes if not change.after],
            len(self._list_runs(release.hash)),
        )

    @requires("freeze releases", "name", notes=["of"])
    def freeze(self, name: str, of: str, budget: float | None = None) -> FrozenErratum:
        """Freeze the accepted contests of the release `of` as the release `name`, and plan the job that scores the runs on `of`
        again. `budget` is the most that judges may cost in US dollars; None = unlimited. Raises BenchError if no accepted
        contest changes the release."""
        erratum = freeze_erratum(self._db, name, *self._releases.get(of))
        job = self.plan(name, budget) if self._list_runs(erratum.of_hash) else None
        return FrozenErratum(erratum, job)

    @requires("run systems", "name")
    def plan(self, name: str, budget: float | None = None) -> str:
        """Return the id of the job that scores runs again on an erratum: an unfinished one, or a new one. Raises BenchError if
        the release is no erratum, or if there is nothing to score."""
        release, entry = self._load_erratum(name)
        total = len(self._list_runs(entry["hash"]))
        if not total:
            raise BenchError(f"No system ran on the release {entry['of']}, so there is nothing to score again on {name}.")
        params = {"release": name, "release_hash": release.hash}
        return jobs.find_or_create(self._db, KIND, params, budget=budget, total=total)

    async def work(self, job: str, control: Control) -> dict[str, Json]:
        """Carry the runs over to the erratum, and score the answers to changed items again."""
        row = await asyncio.to_thread(jobs.get, self._db, job)
        release, entry = await asyncio.to_thread(self._load_erratum, row.params["release"])
        before, after = [
            await asyncio.to_thread(self._releases.members, name, hash_)
            for name, hash_ in ((entry["of"], entry["hash"]), (release.name, release.hash))
        ]
        budget = self._agents.budget(row.budget, job)
        results: list[dict[str, Json]] = []
        stop: RunStopped | None = None
        for old in self._list_runs(entry["hash"]):
            if control.look():
                stop = RunStopped("", reason="cancelled")
                break
            carried = await asyncio.to_thread(carry_run, self._db, old, before, release, after)
            params = await asyncio.to_thread(collect_params, self._db, old, release)
            why = ""
            try:
                stop = await self._score(job, carried, params, after, budget, control)
            except BenchError as error:
                why = str(error)
            results.append(_describe_run(old, carried, params, why))
            if stop is not None:
                break
            await asyncio.to_thread(self._note_run, job, old, carried.run)
        scored = sum(len(own) for result in results for own in [result["rescored"]] if isinstance(own, list))
        asks = sum(len(own) for result in results for own in [result["ask_again"]] if isinstance(own, list))
        done = f"{len(results)} of {len(self._list_runs(entry['hash']))} runs carried over to {release.name}: "
        done += f"{scored} answers to changed items scored with the new gold answers, "
        done += f"{asks} {'question needs' if asks == 1 else 'questions need'} asking again."
        return {
            "release": release.name,
            "of": entry["of"],
            "runs": list(results),
            **self._agents.ledger.describe_spending(job),
            "stopped": stop.reason if stop else None,
            "message": f"{done} {describe_stop(stop.reason if stop else None, str(stop or ''))}".strip(),
        }

    @requires("see runs", "name")
    def report(self, name: str, form: str = "table", metrics: Sequence[str] = ()) -> str:
        """Return a report on the scores and ranks that an erratum changed, as text in the format `form`. `metrics` are the
        metrics to report; none means all headline metrics. Raises BenchError if the release is no erratum, or if no run was
        carried over."""
        return pick(renderers(), form, "format").render(self._build(name, tuple(metrics)))

    def file(self, name: str, form: str) -> tuple[str, str]:
        """Return (name, MIME type) for a file with the report on an erratum."""
        return f"errata-{name}{renderers()[form].ending}", MIMES[form]

    @requires("see runs", "name")
    def page(self, name: str, metrics: Sequence[str] = ()) -> RunningWork[Page]:
        """Return the content of `report` as a page of tables, computed in the background."""
        pairs = self._pair_runs(name)
        state = tuple((run.id, traces.fingerprint(self._db, run.id)) for pair in pairs for run in pair)
        return self._cache.get(("errata", name, tuple(metrics), state), lambda: self._build(name, tuple(metrics)))

    @requires("see runs", "job")
    def find_of_job(self, job: str) -> str | None:
        """Return the name of the erratum on which the job scores runs again, or None for a job of another kind."""
        row = jobs.get(self._db, job)
        return str(row.params["release"]) if row.kind == KIND else None

    @requires("see runs", "ids")
    def list_errata(self, ids: Sequence[str]) -> list[str]:
        """Return the names of the errata among the releases of these runs."""
        chosen = dict.fromkeys((run.release, run.release_hash) for run in (runs.get(self._db, id_) for id_ in ids))
        return [name for name, hash_ in chosen if releases.load_erratum(self._db, hash_)]

    async def _score(
        self,
        job: str,
        carried: CarriedRun,
        params: Mapping[str, Any],
        content: ReleaseMembers,
        budget: Budget,
        control: Control,
    ) -> RunStopped | None:
        """Score the carried answers to changed items; return the reason if the scoring ended early."""
        if not carried.rescored:
            return None
        endpoints = self._agents.connect_models(params["settings"], budget=budget, job=job, pinned=params.get("embeddings"))
        bind = partial(
            self._agents.bind, settings=params["settings"], budget=budget, job=job, pinned=params["saved"], owner="judge"
        )
        judges = [bind(name) for name in params["judges"]]
        cancel = asyncio.Event()
        watcher = asyncio.create_task(watch_for_cancel(control, cancel))
        try:
            for metrics, questions in carried.rescored.items():
                chosen = {**params, "metrics": list(metrics)}
                with cancel_when(lambda: control.stopping):
                    await score_run(self._db, carried.run, chosen, questions, content, judges, control, cancel, endpoints)
        except RunStopped as stop:
            return stop
        except Cancelled:
            return RunStopped("", reason="cancelled")
        finally:
            watcher.cancel()
            for judge in judges:
                await judge.drain()
                await judge.close()
        return None

    def _note_run(self, job: str, old: Run, run: Run) -> None:
        why = twin_traces.load_applicability(self._db, old.id)
        record = None if why is None else {"absence": {"why": why}}
        self._db.write(lambda cursor: jobs.insert_items(cursor, job, [(run.id, "done", record)]))

    def _load_erratum(self, name: str) -> tuple[Release, Mapping[str, Any]]:
        release = releases.get(self._db, name)
        entry = release.manifest.get(ERRATUM)
        if entry is None:
            raise BenchError(f"The release {name} is no erratum: freeze one with --errata-of RELEASE.")
        return release, entry

    def _list_runs(self, hash_: str) -> list[Run]:
        """Return the runs on the release content with this hash, whatever the name of the release was."""
        return [run for run in runs.list_runs(self._db) if run.release_hash == hash_]

    def _pair_runs(self, name: str) -> list[tuple[Run, Run]]:
        """Return each run on the corrected release with the run on the erratum that continues it."""
        release, entry = self._load_erratum(name)
        there = {run.id: run for run in self._list_runs(release.hash)}
        content = self._releases.members(name, release.hash)
        pairs = [(old, name_carried_run(old, release, content).id) for old in self._list_runs(entry["hash"])]
        return [(old, there[id_]) for old, id_ in pairs if id_ in there]

    def _build(self, name: str, metrics: Sequence[str]) -> Page:
        release, entry = self._load_erratum(name)
        pairs = self._pair_runs(name)
        if not pairs:
            raise BenchError(f"No run was carried over to {name} yet: `{COMMAND} errata rescore {name}` does it.")
        content = self._releases.members(name, release.hash)
        found = sorted({score.metric for _, run in pairs for score in runs.load_newest_scores(self._db, run.id)})
        chosen = metrics or [one for one in select_headlines(found) if is_quality(one)]
        if unknown := [one for one in metrics if one not in found or not is_quality(one)]:
            raise BenchError(
                f"No run on {name} has {unknown[0]}: choose from {', '.join(one for one in found if is_quality(one))}."
            )
        together = clusters({item.id: [span.document for span in item.evidence] for item in content.items}).of
        counts = [count_open(self._db, old, run) for old, run in pairs]

        def load(run: Run, metric: str) -> dict[str, float]:
            return {item: value for (item, variant), value in runs.load_values(self._db, run.id, metric).items() if not variant}

        moves = {
            metric: compute_moves(
                [
                    MovedRun(old, run, load(old, metric), load(run, metric), *one)
                    for (old, run), one in zip(pairs, counts, strict=True)
                ],
                together,
            )
            for metric in chosen
        }
        data = {"release": name, "hash": release.hash, "erratum": entry}
        title = f"What moved because of {name}, an erratum of {entry['of']}"
        return build_moves_page(
            title, name_runs([run for _, run in pairs]), moves, describe_erratum(self._db, release.hash), data
        )


def _describe_run(old: Run, carried: CarriedRun, params: Mapping[str, Any], why: str) -> dict[str, Json]:
    """Return what became of a run as JSON values. `command` is the command that asks only the open questions of the run."""
    is_open = bool(carried.ask_again or carried.unanswered) and not old.config.get("sample")  # a sample would be drawn anew
    return {
        "before": old.id,
        "run": carried.run.id,
        "system": old.system.name,
        "copied": len(carried.copied),
        "rescored": [question.item for own in carried.rescored.values() for question in own],
        "ask_again": [item for item, _ in carried.ask_again],
        "unanswered": len(carried.unanswered),
        "command": RunRequest.from_record(str(params["release"]), params).command() if is_open else None,
        "why": why,
    }
