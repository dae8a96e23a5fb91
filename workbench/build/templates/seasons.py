"""Make items from question templates, in jobs. The questions that one job draws are stored together as a season. A refresh
computes the answers of a season again from the current tables. A job uses the versions of templates and tables from the time
when it was planned, so that it continues in the same way after it was killed."""

import asyncio
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any, NamedTuple

from builders.templates import seasons as drawn_seasons
from builders.templates.entity_naming import Owners
from builders.templates.question_maker import RefreshedItem
from builders.templates.template_duplicates import TemplateQuestionIndex
from builders.templates.template_questions import SEED, TemplateQuestions, make
from builders.templates.templates import check_template, template_from_record
from core.as_json import Json
from core.errors import BenchError
from core.nouns import Item, Provenance
from store.drafting import templates as stored
from store.drafting.templates import StoredSeason
from store.engine.database import Cursor, Database
from store.items import items as stored_items
from store.jobs import jobs
from workbench.build.templates.tables import TableStage
from workbench.control import Control
from workbench.roles import requires

MAKE, REFRESH = "template", "refresh"
"""Two kinds of job: one makes questions from templates, the other computes the answers of a season again (a refresh)."""
BATCH_QUESTIONS = 200
"""Number of questions that a refresh computes and stores in one batch."""


class SeasonCard(NamedTuple):
    """A season (one draw of template questions), with the changes of its tables since. The season's record has the keys id,
    seed, n, templates {id: version}, tables {name: hash}, data_hash and refreshed_from."""

    season: StoredSeason
    changed_tables: Sequence[str]
    """Names of the tables that have changed since the season was drawn."""


class TemplateTally(NamedTuple):
    """Numbers of the questions that a job made from one template."""

    template: str
    made: int
    already: int
    """Number of questions that existed before, because an earlier draw made them from the same rows."""
    candidates: Mapping[str, int]
    """Dict from range of popularity to the number of possible questions; counting stops at the wanted number."""
    refused: Mapping[str, int]
    """Dict from reason to the number of rows that gave no question for this reason."""


class AnswerChange(NamedTuple):
    """A question whose answer changed in a refresh."""

    item: str
    question: str
    before: str
    after: str | None
    """The answer after the refresh, or None if the tables give no answer any more."""
    why: str


class SeasonStage:
    """Methods that plan, make, refresh and list seasons (draws of template questions)."""

    def __init__(self, database: Database, tables: TableStage) -> None:
        self._db, self._tables = database, tables

    def list_seasons(self) -> list[SeasonCard]:
        """List all seasons (draws of template questions), newest first."""
        now = self._tables.hashes()
        return [
            SeasonCard(season, [name for name, hash in season.record["tables"].items() if now.get(name) != hash])
            for season in stored.list_seasons(self._db)
        ]

    @requires("draft items", "id", is_logged=False)
    def questions(self, id: str, limit: int, offset: int) -> list[Item]:
        """Return the items of a season (one draw of template questions), in the order in which they were drawn."""
        return stored_items.load_items(self._db, stored.get_season(self._db, id).items[offset : offset + limit])

    @requires("draft items", "ids", notes=["count"])
    def plan(self, ids: Sequence[str], count: int, seed: int = SEED, now: str | None = None) -> str:
        """Return the id of the queued job that makes `count` questions, equally many from each template. If an unfinished job
        has the same parameters, return its id. Raises BenchError if a template does not fit the tables in use."""
        chosen = [stored.get(self._db, id) for id in dict.fromkeys(ids)]
        if not chosen:
            raise BenchError("No template is chosen: choose one or more.")
        if count < len(chosen):
            raise BenchError(f"{count} questions are too few for {len(chosen)} templates: ask for one for each, or more.")
        tables = self._tables.tables()
        for template in chosen:
            check_template(template_from_record(template.record), tables)
        versions = [[template.id, template.version] for template in chosen]
        params = {"templates": versions, "count": count, "seed": seed, "now": now, "tables": tables.hashes}
        return jobs.find_or_create(self._db, MAKE, params, total=len(chosen))

    @requires("draft items", "id")
    def plan_refresh(self, id: str, now: str | None = None) -> str:
        """Return the id of the queued job that computes the season's answers again from the tables in use and stores the
        questions as a new season. Raises BenchError if a template does not fit the tables any more."""
        old = stored.get_season(self._db, id)
        tables = self._tables.tables()
        for record in drawn_seasons.templates_of(stored_items.load_items(self._db, old.items)).values():
            check_template(template_from_record(record), tables)
        params = {"season": id, "tables": tables.hashes, "now": now}
        return jobs.find_or_create(self._db, REFRESH, params, total=len(old.items))

    async def work(self, job: str, control: Control) -> dict[str, Json]:
        """Run the job that makes questions, one template after the other; all questions of a template are stored together."""
        params = (await asyncio.to_thread(jobs.get, self._db, job)).params
        versions, count, seed = dict(params["templates"]), params["count"], params["seed"]
        n = len(versions)
        shares = {id: count // n + (place < count % n) for place, id in enumerate(versions)}  # counts differ by 1 at most
        records = await asyncio.to_thread(stored.load_versions, self._db, list(versions.values()))
        templates = {template.id: template for template in records}
        tables = await asyncio.to_thread(self._tables.tables, params["tables"].values())
        asked = await asyncio.to_thread(lambda: TemplateQuestionIndex(stored_items.list_items(self._db)))
        done = dict(jobs.load_results(self._db, job))
        owners: Owners = {}
        for id in (id for id in versions if id not in done):
            if control.stopping:
                break
            control.say(f"{id}: {len(done):,} of {n:,} templates are done")
            made = await asyncio.to_thread(
                make,
                tables,
                template_from_record(templates[id].record),
                shares[id],
                seed,
                now=params["now"],
                asked=asked,
                provenance=_make_provenance(templates[id].about, seed),
                owners=owners,
            )
            done[id] = await asyncio.to_thread(self._store, job, id, made)
            control.look()
        is_whole = len(done) == n
        season_id = None
        if is_whole:
            ids = [item for result in done.values() for item in result["items"]]
            season_id = await asyncio.to_thread(self._freeze, ids, seed) if ids else None
        return _result(job, count, done, season_id, None if is_whole else "cancelled")

    async def work_refresh(self, job: str, control: Control) -> dict[str, Json]:
        """Run the job that refreshes a season, one batch of questions after the other."""
        params = (await asyncio.to_thread(jobs.get, self._db, job)).params
        old = stored.get_season(self._db, params["season"])
        done = dict(jobs.load_results(self._db, job))
        tables = await asyncio.to_thread(self._tables.tables, params["tables"].values())
        left = await asyncio.to_thread(stored_items.load_items, self._db, [item for item in old.items if item not in done])
        refreshed = drawn_seasons.refresh(tables, left, params["now"])
        while not control.stopping and (batch := await asyncio.to_thread(lambda: list(islice(refreshed, BATCH_QUESTIONS)))):
            done |= await asyncio.to_thread(self._store_batch, job, batch)
            control.say(f"{len(done):,} of {len(old.items):,} questions")
            control.look()
        tally = Counter(result["state"] for result in done.values())
        is_whole = len(done) == len(old.items)
        season_id = await asyncio.to_thread(self._freeze_refreshed, old, done) if is_whole else None
        message = f"{tally['same']:,} answers unchanged, {tally['changed']:,} changed, {tally['gone']:,} without an answer now"
        return {
            "job": job,
            "season": season_id,
            **{state: tally[state] for state in ("same", "changed", "gone")},
            "failed": 0,
            "message": f"{message}{'' if is_whole else f'; {len(old.items) - len(done):,} not looked at'}.",
            "stopped": None if is_whole else "cancelled",
        }

    @requires("draft items", "job", is_logged=False)
    def list_made(self, job: str) -> list[Item]:
        """List the items that a job has made from templates."""
        ids = [item for _, result in jobs.load_results(self._db, job) for item in result["items"]]
        return stored_items.load_items(self._db, ids)

    @requires("draft items", "job", is_logged=False)
    def tally(self, job: str) -> list[TemplateTally]:
        """Count, for each finished template, the questions that the job made from it."""
        return [
            TemplateTally(id, **{name: result[name] for name in TemplateTally._fields[1:]})
            for id, result in jobs.load_results(self._db, job)
        ]

    @requires("draft items", "job", is_logged=False)
    def list_changes(self, job: str) -> list[AnswerChange]:
        """List the questions whose answers changed in the refresh job."""
        return [
            AnswerChange(key, **{name: result[name] for name in AnswerChange._fields[1:]})
            for key, result in jobs.load_results(self._db, job)
            if result["state"] != "same"
        ]

    @requires("draft items", "id", is_logged=False)
    def list_refreshes(self, id: str) -> list[str]:
        """List the ids of the jobs that refreshed this season, newest first."""
        return [job.id for job in reversed(jobs.list_jobs(self._db)) if job.kind == REFRESH and job.params["season"] == id]

    def _store(self, job: str, id: str, made: TemplateQuestions) -> dict[str, Any]:
        result: dict[str, Any] = {
            "made": len(made.items),
            "candidates": dict(made.candidates),
            "refused": dict(made.refused),
            "items": [item.id for item in made.items],
        }

        def write(cursor: Cursor) -> None:
            result["already"] = len(stored_items.insert(cursor, made.items, by=_maker_of(made.items)).already)
            jobs.insert_items(cursor, job, [(id, "done", result)])

        self._db.write(write)
        return result

    def _store_batch(self, job: str, batch: Sequence[RefreshedItem]) -> dict[str, dict[str, Any]]:
        new = [change.refreshed for change in batch if change.refreshed]
        results = {change.item.id: _change_record(change) for change in batch}

        def write(cursor: Cursor) -> None:
            stored_items.insert(cursor, new, by=_maker_of(new))
            jobs.insert_items(cursor, job, [(key, "done", result) for key, result in results.items()])

        self._db.write(write)
        return results

    def _freeze(self, ids: Sequence[str], seed: int, refreshed_from: str | None = None) -> str:
        """Store the items with these ids as a season (one draw of template questions); return the season's id."""
        drawn = drawn_seasons.season(stored_items.load_items(self._db, ids), seed)
        source = {"refreshed_from": refreshed_from} if refreshed_from else {}
        stored.put_season(self._db, drawn.id, {**drawn.record(), **source}, ids)
        return drawn.id

    def _freeze_refreshed(self, old: StoredSeason, done: Mapping[str, Mapping[str, Any]]) -> str | None:
        """Store the questions of a refresh as a new season, and return its id. If nothing changed, return the old season's id;
        if no question is left, return None."""
        ids = [done[item]["item"] for item in old.items if done[item]["item"]]
        if not ids or ids == list(old.items):
            return old.id if ids else None
        return self._freeze(ids, int(old.record["seed"]), old.id)


def _make_provenance(about: Mapping[str, Any] | None, seed: int) -> Provenance:
    """Return the provenance of a template's questions; if an agent wrote the template, the provenance names the agent and its
    prompt."""
    if about is None:
        return Provenance(seed=seed)
    return Provenance(agent=about["agent"], prompt=about["prompt"], seed=seed, calls=tuple(about["calls"]))


def _maker_of(items: Sequence[Item]) -> str | None:
    """Return the author to store with these questions: None if an agent wrote their template, otherwise "tables"."""
    return None if items and items[0].provenance.agent else "tables"


def _change_record(change: RefreshedItem) -> dict[str, Any]:
    refreshed = change.refreshed
    is_same = refreshed is not None and (refreshed.id == change.item.id or not change.is_changed)
    return {
        "state": "same" if is_same else "changed" if refreshed else "gone",
        "item": refreshed.id if refreshed else None,
        "question": change.item.question,
        "before": change.item.answers[0],
        "after": refreshed.answers[0] if refreshed else None,
        "why": change.why,
    }


def _result(
    job: str, asked: int, done: Mapping[str, Mapping[str, Any]], season_id: str | None, stopped: str | None
) -> dict[str, Json]:
    """Return the result of the job as JSON. The result leaves out the new items, which are in the database."""
    refused = Counter[str]()
    for result in done.values():
        refused.update(result["refused"])
    empty = {bucket for result in done.values() for bucket, n in result["candidates"].items() if not n}
    drafted = sum(result["made"] - result["already"] for result in done.values())
    already = sum(result["already"] for result in done.values())
    message = f"asked {asked}, drafted {drafted}" + (f", {already} there already" if already else "")
    why = "; ".join(f"{n} {reason}" for reason, n in refused.most_common())
    is_short = drafted + already < asked
    message += f". Rows without a question: {why}." if why and is_short else "."
    message += f" Popularity buckets without a question: {', '.join(sorted(empty))}." if empty - {""} and is_short else ""
    end = "Stopped (cancelled)." if stopped else f"Season {season_id}." if season_id else ""
    return {
        "job": job,
        "asked": asked,
        "drafted": drafted,
        "already": already,
        "refused": [{"gate": reason, "n": n} for reason, n in sorted(refused.items())],
        "unreadable": 0,
        "failed": 0,
        "calls": 0,
        "cost_usd": 0.0,
        "stopped": stopped,
        "season": season_id,
        "message": f"{message} {end}".strip(),
    }
