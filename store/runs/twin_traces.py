"""Store and load a run's answers to absence twins, which are questions whose evidence is hidden from the system. These answers
are stored under a separate key beside the run's id, so that code that counts, lists or scores the run's other answers leaves
them out."""

from collections.abc import Collection
from typing import NamedTuple

from core.nouns import Trace
from store.engine.columns import from_json
from store.engine.database import Database
from store.releases import absence_twins
from store.runs import run_pages, runs


class TwinCounts(NamedTuple):
    """Progress of a run on its absence twins."""

    asked: int
    """Number of absence twins that the run asks the system."""
    answered: int
    failed: int


def name_key(run: str) -> str:
    """Return the key under which the answers to the run's absence twins are stored."""
    return f"{run}.absence"


def load_traces(database: Database, run: str) -> dict[str, Trace]:
    """Return a dict from item to the trace of its absence twin."""
    return {trace.item: trace for trace in runs.load_traces(database, name_key(run))}


def note_applicability(database: Database, job: str, run: str, why: str) -> None:
    """Record the reason why no passages can be hidden from the run's system, so that its absence twins are not asked; "" if
    they can be hidden."""
    run_pages.note_values(database, job, run, {"absence": {"why": why}}, "absence")


def load_applicability(database: Database, run: str) -> str | None:
    """Return the reason why the run's absence twins are not asked; "" if they are asked, None if the run has not decided
    yet."""
    sql = "SELECT json_extract_string(result, '$.absence.why') FROM job_item WHERE key = ? ORDER BY job"
    return next((str(why) for (why,) in database.rows(sql, [run]) if why is not None), None)


def list_asked(database: Database, run: str) -> list[str]:
    """Return the items whose absence twins the run asks: its items that have one, or no items if the system cannot be asked
    twins."""
    rows = database.rows("SELECT release, release_hash FROM run WHERE id = ?", [run])
    if not rows or load_applicability(database, run) or not (with_twin := absence_twins.list_items(database, *rows[0])):
        return []
    ((asked,),) = database.rows("SELECT asked FROM run WHERE id = ?", [run])
    items = {item for item, variant in from_json(asked) if variant is None}
    return [item for item in with_twin if item in items]


def count(database: Database, named: Collection[str]) -> TwinCounts:
    """Return how many absence twins these runs ask, and how many of them are answered or failed so far."""
    asked = sum(len(list_asked(database, run)) for run in named)
    where = "run IN (SELECT unnest(?::VARCHAR[]))"
    sql = f"SELECT count(answer), count(*) - count(answer) FROM trace WHERE {where}"
    ((answered, failed),) = database.rows(sql, [[name_key(run) for run in named]])
    return TwinCounts(asked, answered, failed)
