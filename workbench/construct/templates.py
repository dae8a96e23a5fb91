"""Templates of questions: kept in versions, tried on the tables in use, and made into drafted items, a season each time. A
refresh reckons the questions of a season anew from the tables as they are now."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from builders.template_questions import SEED, TASK_NAME, Made, Season, make, refresh, season
from builders.templates import check_template, template_from_record, template_record
from core.errors import BenchError
from core.ids import derived_id
from core.nouns import Item
from store import items as stored_items
from store import templates as stored
from store.database import Database
from workbench.construct.tables import TableStage
from workbench.kept import Kept, Working
from workbench.roles import act


class TemplateStage:
    """Verbs on templates and seasons."""

    def __init__(self, database: Database, tables: TableStage) -> None:
        self._db, self._tables = database, tables
        self._kept = Kept()

    @act("draft items", lambda given: "a template")
    def save(self, record: Mapping[str, Any]) -> dict[str, Any]:
        """Keep a template under its id, as a new version unless it is the same; returns its card. Raises BenchError when it
        does not fit the tables in use."""
        template = template_from_record(record)
        check_template(template, self._tables.tables())
        stored.put(self._db, template.id, template.version, template_record(template))
        return next(card for card in self.every() if card["id"] == template.id)

    def every(self) -> list[dict[str, Any]]:
        """The templates in use: the record of each, with version, saved_at and how many versions are kept."""
        return [{**one.record, "version": one.version, "saved_at": one.saved_at, "versions": one.versions}
                for one in stored.every(self._db)]  # fmt: skip

    @act("draft items", is_logged=False)
    def preview(self, record: Mapping[str, Any], n: int = 5, seed: int = SEED) -> Working[dict[str, Any]]:
        """{"items": [{question, answer, popularity}], "candidates", "refused", "examples"} of a template that need not be kept.
        Raises BenchError when it does not fit the tables in use."""
        template, tables = template_from_record(record), self._tables.tables()
        check_template(template, tables)
        key = ("preview", template.version, tuple(tables.hashes.items()), n, seed)
        return self._kept.get(key, lambda: _told(make(tables, template, n, seed)))

    @act("draft items", "ids", notes=["count"])
    def make(self, ids: Sequence[str], count: int, seed: int = SEED, now: str | None = None) -> dict[str, Any]:
        """At most so many questions of each of these templates as drafted items: {"drafted", "already", "season", "templates":
        {id: {made, candidates, refused}}}. Raises BenchError when a template does not fit, or when nothing can be asked."""
        chosen = [template_from_record(stored.get(self._db, id).record) for id in dict.fromkeys(ids)]
        tables = self._tables.tables()
        made = {one.id: make(tables, one, count, seed, now=now) for one in chosen}
        items = [item for one in made.values() for item in one.items]
        if not items:
            raise BenchError(f"Nothing can be asked with {', '.join(made) or 'no template'}: {_why(made)}.")
        season_id, added = self._keep(items, seed)
        return {"drafted": len(added), "already": len(items) - len(added), "season": season_id, "templates": {
            id: {"made": len(one.items), "candidates": dict(one.candidates), "refused": dict(one.refused)}
            for id, one in made.items()
        }}  # fmt: skip

    def seasons(self) -> list[dict[str, Any]]:
        """Each season's record with made_at, newest first."""
        return [{**one.record, "made_at": one.made_at} for one in stored.seasons(self._db)]

    @act("draft items", "id")
    def refresh(self, id: str, now: str | None = None) -> dict[str, Any]:
        """The season's questions with answers of the tables in use, as new drafted items of a new season: {"season", "same",
        "changed": [{item, question, before, after (None = no question any more), why}]}."""
        of = stored.season(self._db, id)
        tables = self._tables.tables()
        found = [refresh(tables, item, now) for item in stored_items.many(self._db, of.items)]
        kept = [replace(one.refreshed, id=derived_id(TASK_NAME, one.item.id, sorted(tables.hashes.items())), revision=1,
                        status="drafted") for one in found if one.refreshed]  # fmt: skip
        season_id = self._keep(kept, int(of.record["seed"]))[0] if kept else None
        changed = [
            {"item": one.item.id, "question": one.item.question, "before": one.item.answers[0],
             "after": one.refreshed.answers[0] if one.refreshed else None, "why": one.why}
            for one in found if one.is_changed
        ]  # fmt: skip
        return {"season": season_id, "same": len(found) - len(changed), "changed": changed}

    def close(self) -> None:
        """Wait for what is under way."""
        self._kept.close()

    def _keep(self, items: Sequence[Item], seed: int) -> tuple[str, list[str]]:
        """Store the items and their season; returns its id, and the ids of the items that are new."""
        drawn: Season = season(items, seed)
        already = set(stored_items.add(self._db, items, by="tables").already)
        stored.put_season(self._db, drawn.id, drawn.record(), [item.id for item in items])
        return drawn.id, [item.id for item in items if item.id not in already]


def _told(made: Made) -> dict[str, Any]:
    return {
        "items": [{"question": item.question, "answer": item.answers[0], "popularity": item.labels.get("popularity", "")}
                  for item in made.items],
        "candidates": dict(made.candidates), "refused": dict(made.refused),
        "examples": [one._asdict() for one in made.examples],
    }  # fmt: skip


def _why(made: Mapping[str, Made]) -> str:
    refused = {why for one in made.values() for why in one.refused}
    empty = {bucket for one in made.values() for bucket, n in one.candidates.items() if bucket and not n}
    return "; ".join([*sorted(refused), *([f"no question in {', '.join(sorted(empty))}"] if empty else [])]) or "no row"
