"""Items made from templates, as jobs: a draw is a season, frozen; a refresh reckons a season's questions anew from the tables
in use. A job stands on the versions and snapshots that it was planned with, so that one that was killed goes on as it began."""

import asyncio
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any

from builders.templates.template_doubles import KnownQuestions
from builders.templates.template_questions import (
    SEED,
    DraftedQuestion,
    Owners,
    RefreshedItem,
    make,
    refresh,
    season,
    templates_of,
)
from builders.templates.templates import check_template, template_from_record
from core.errors import BenchError
from core.nouns import Item, Provenance
from core.records import item_record
from store.drafting import templates as stored
from store.engine.database import Cursor, Database
from store.items import items as stored_items
from store.jobs import jobs
from workbench.build.templates.tables import TableStage
from workbench.control import Control
from workbench.roles import act

MAKE, REFRESH = "template", "refresh"
"""Kinds of jobs."""
AT_ONCE = 200
"""Questions that are reckoned anew and stored together."""


class SeasonStage:
    """Verbs on draws."""

    def __init__(self, database: Database, tables: TableStage) -> None:
        self._db, self._tables = database, tables

    def every(self) -> list[dict[str, Any]]:
        """Each season's record: id, seed, n, templates {id: version}, tables {name: hash}, data_hash, made_at, the season that
        it was refreshed from, and which of its tables have changed since; newest first."""
        now = self._tables.hashes()
        return [
            {
                **one.record,
                "made_at": one.made_at,
                "refreshed_from": one.record.get("refreshed_from"),
                "changed_tables": [name for name, hash in one.record["tables"].items() if now.get(name) != hash],
            }
            for one in stored.seasons(self._db)
        ]

    @act("draft items", "id", is_logged=False)
    def questions(self, id: str, limit: int, offset: int) -> list[dict[str, Any]]:
        """{"id", "question", "answer", "status", "level", "question_type", "popularity", "template", "difficulty"} of the
        items of a season, in the order of the draw."""
        found = stored_items.load_items(self._db, stored.season(self._db, id).items[offset : offset + limit])
        labels = ("question_type", "popularity", "template", "difficulty")
        return [
            {
                "id": item.id,
                "question": item.question,
                "answer": item.answers[0],
                "status": item.status,
                "level": item.level,
                **{name: item.labels.get(name, "") for name in labels},
            }
            for item in found
        ]

    @act("draft items", "ids", notes=["count"])
    def plan(self, ids: Sequence[str], count: int, seed: int = SEED, now: str | None = None) -> str:
        """The queued job that makes so many questions, shared equally among these templates; the unfinished one of the same
        wish where there is one. Raises BenchError when a template does not fit the tables in use."""
        chosen = [stored.get(self._db, id) for id in dict.fromkeys(ids)]
        if not chosen:
            raise BenchError("No template is chosen: choose one or more.")
        if count < len(chosen):
            raise BenchError(f"{count} questions of {len(chosen)} templates are fewer than one of each: ask for more.")
        tables = self._tables.tables()
        for one in chosen:
            check_template(template_from_record(one.record), tables)
        params = {
            "templates": [[one.id, one.version] for one in chosen],
            "count": count,
            "seed": seed,
            "now": now,
            "tables": tables.hashes,
        }
        return jobs.find_or_create(self._db, MAKE, params, total=len(chosen))

    @act("draft items", "id")
    def plan_refresh(self, id: str, now: str | None = None) -> str:
        """The queued job that reckons a season's questions anew from the tables in use, which makes a new season. Raises
        BenchError when a template does not fit these any more."""
        of = stored.season(self._db, id)
        tables = self._tables.tables()
        for record in templates_of(stored_items.load_items(self._db, of.items)).values():
            check_template(template_from_record(record), tables)
        params = {"season": id, "tables": tables.hashes, "now": now}
        return jobs.find_or_create(self._db, REFRESH, params, total=len(of.items))

    async def work(self, job: str, control: Control) -> dict[str, Any]:
        """One template after the other, each stored whole."""
        params = (await asyncio.to_thread(jobs.get, self._db, job)).params
        wanted = dict(params["templates"])
        shares = dict(zip(wanted, _shares(params["count"], len(wanted)), strict=True))
        kept = {one.id: one for one in await asyncio.to_thread(stored.load_versions, self._db, list(wanted.values()))}
        tables = await asyncio.to_thread(self._tables.tables, params["tables"].values())
        asked = await asyncio.to_thread(lambda: KnownQuestions(stored_items.list_items(self._db)))
        done = dict(jobs.results(self._db, job))
        owners: Owners = {}
        for id in (id for id in wanted if id not in done):
            if control.stopping:
                break
            control.say(f"{id}: {len(done):,} of {len(wanted):,} templates are done")
            template, words = template_from_record(kept[id].record), _provenance(kept[id].about, params["seed"])
            made = await asyncio.to_thread(
                make,
                tables,
                template,
                shares[id],
                params["seed"],
                now=params["now"],
                asked=asked,
                provenance=words,
                owners=owners,
            )
            done[id] = await asyncio.to_thread(self._store, job, id, made)
            control.look()
        is_whole = len(done) == len(wanted)
        season_id = await asyncio.to_thread(self._freeze, done, params["seed"]) if is_whole else None
        return _made(job, params["count"], done, season_id, None if is_whole else "cancelled")

    async def work_refresh(self, job: str, control: Control) -> dict[str, Any]:
        """So many questions at a time, each with what it comes to now."""
        params = (await asyncio.to_thread(jobs.get, self._db, job)).params
        of = stored.season(self._db, params["season"])
        done = dict(jobs.results(self._db, job))
        tables = await asyncio.to_thread(self._tables.tables, params["tables"].values())
        left = await asyncio.to_thread(stored_items.load_items, self._db, [item for item in of.items if item not in done])
        found = refresh(tables, left, params["now"])
        while not control.stopping and (changes := await asyncio.to_thread(lambda: list(islice(found, AT_ONCE)))):
            done |= await asyncio.to_thread(self._store_changes, job, changes)
            control.say(f"{len(done):,} of {len(of.items):,} questions")
            control.look()
        tally = Counter(result["state"] for result in done.values())
        is_whole = len(done) == len(of.items)
        season_id = await asyncio.to_thread(self._refreshed, of, done) if is_whole else None
        said = f"{tally['same']:,} answers as they were, {tally['changed']:,} changed, {tally['gone']:,} no question any more"
        return {
            "job": job,
            "season": season_id,
            "same": tally["same"],
            "changed": tally["changed"],
            "gone": tally["gone"],
            "failed": 0,
            "message": f"{said}{'' if is_whole else f'; {len(of.items) - len(done):,} not looked at'}.",
            "stopped": None if is_whole else "cancelled",
        }

    @act("draft items", "job", is_logged=False)
    def told(self, job: str) -> dict[str, Any]:
        """What a job made, as `cli.py draft` prints it: {"items": [ITEM]}."""
        ids = [item for _, result in jobs.results(self._db, job) for item in result["items"]]
        return {"items": [item_record(item, lambda span: "") for item in stored_items.load_items(self._db, ids)]}

    @act("draft items", "job", is_logged=False)
    def tally(self, job: str) -> list[dict[str, Any]]:
        """{"template", "made", "already", "candidates": {bucket: n}, "refused": {why: n}} of each template that a job is
        done with."""
        return [
            {"template": id} | {name: result[name] for name in ("made", "already", "candidates", "refused")}
            for id, result in jobs.results(self._db, job)
        ]

    @act("draft items", "job", is_logged=False)
    def changes(self, job: str) -> list[dict[str, Any]]:
        """{"item", "question", "before", "after" (None = no question any more), "why"} of each answer that a refresh
        changed."""
        return [
            {"item": key, **{name: result[name] for name in ("question", "before", "after", "why")}}
            for key, result in jobs.results(self._db, job)
            if result["state"] != "same"
        ]

    @act("draft items", "id", is_logged=False)
    def refreshes(self, id: str) -> list[str]:
        """Ids of the jobs that refreshed that season, newest first."""
        return [job.id for job in reversed(jobs.list_jobs(self._db)) if job.kind == REFRESH and job.params["season"] == id]

    def _store(self, job: str, id: str, made: DraftedQuestion) -> dict[str, Any]:
        result: dict[str, Any] = {
            "made": len(made.items),
            "candidates": dict(made.candidates),
            "refused": dict(made.refused),
            "items": [item.id for item in made.items],
        }

        def write(cursor: Cursor) -> None:
            result["already"] = len(stored_items.insert(cursor, made.items, by=_by(made.items)).already)
            jobs.insert_items(cursor, job, [(id, "done", result)])

        self._db.write(write)
        return result

    def _freeze(self, done: Mapping[str, Mapping[str, Any]], seed: int) -> str | None:
        """The season of all that the job made; None when that is nothing."""
        ids = [item for result in done.values() for item in result["items"]]
        if not ids:
            return None
        drawn = season(stored_items.load_items(self._db, ids), seed)
        stored.put_season(self._db, drawn.id, drawn.record(), ids)
        return drawn.id

    def _store_changes(self, job: str, changes: Sequence[RefreshedItem]) -> dict[str, dict[str, Any]]:
        kept = [one.refreshed for one in changes if one.refreshed]
        results = {one.item.id: _change(one) for one in changes}

        def write(cursor: Cursor) -> None:
            stored_items.insert(cursor, kept, by=_by(kept))
            jobs.insert_items(cursor, job, [(key, "done", result) for key, result in results.items()])

        self._db.write(write)
        return results

    def _refreshed(self, of: stored.StoredSeason, done: Mapping[str, Mapping[str, Any]]) -> str | None:
        ids = [done[item]["item"] for item in of.items if done[item]["item"]]
        if not ids or ids == list(of.items):
            return of.id if ids else None
        drawn = season(stored_items.load_items(self._db, ids), int(of.record["seed"]))
        stored.put_season(self._db, drawn.id, {**drawn.record(), "refreshed_from": of.id}, ids)
        return drawn.id


def _shares(count: int, n: int) -> list[int]:
    """So many questions in n parts that differ by one at most."""
    return [count // n + (place < count % n) for place in range(n)]


def _provenance(about: Mapping[str, Any] | None, seed: int) -> Provenance:
    """Of a template's words: who gave them."""
    if about is None:
        return Provenance(seed=seed)
    return Provenance(agent=about["agent"], prompt=about["prompt"], seed=seed, calls=tuple(about["calls"]))


def _by(items: Sequence[Item]) -> str | None:
    """Who made them: the agent that gave the words, else the tables."""
    return None if items and items[0].provenance.agent else "tables"


def _change(one: RefreshedItem) -> dict[str, Any]:
    before = one.item.answers[0]
    after = one.refreshed.answers[0] if one.refreshed else None
    is_same = one.refreshed is not None and (one.refreshed.id == one.item.id or not one.is_changed)
    state = "same" if is_same else "changed" if one.refreshed else "gone"
    return {
        "state": state,
        "item": one.refreshed.id if one.refreshed else None,
        "question": one.item.question,
        "before": before,
        "after": after,
        "why": one.why,
    }


def _made(
    job: str, asked: int, done: Mapping[str, Mapping[str, Any]], season_id: str | None, stopped: str | None
) -> dict[str, Any]:
    """The job's JSON, its items left out: they are in the store."""
    refused = Counter[str]()
    for result in done.values():
        refused.update(result["refused"])
    empty = {bucket for result in done.values() for bucket, n in result["candidates"].items() if not n}
    drafted = sum(result["made"] - result["already"] for result in done.values())
    already = sum(result["already"] for result in done.values())
    said = f"asked {asked}, drafted {drafted}" + (f", {already} there already" if already else "")
    why = "; ".join(f"{n} {reason}" for reason, n in refused.most_common())
    is_short = drafted + already < asked
    said += f". Rows that gave none: {why}." if why and is_short else "."
    said += f" Buckets without any: {', '.join(sorted(empty))}." if empty - {""} and is_short else ""
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
        "message": f"{said} {'Stopped (cancelled).' if stopped else f'Season {season_id}.' if season_id else ''}".strip(),
    }
