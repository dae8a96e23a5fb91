"""Store and load half-life checks, in which the questions of a release were asked again of newer tables and pages. A check
never changes and is never deleted."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from core.as_json import Json, as_json
from core.errors import BenchError
from core.installation import COMMAND
from core.quality.half_life import CheckedAnswer
from store.engine.columns import Timestamp, current_time, fetch_from, from_json, insert_row, insert_rows
from store.engine.database import Cursor, Database

_CHECK = "id, release, release_hash, checked_on, inputs, made_by, made_at"
_ANSWER = "item, outcome, why, before, after, days"


@dataclass(frozen=True, slots=True)
class HalfLifeCheck:
    """One half-life check of a release, without its outcomes."""

    id: str
    release: str
    release_hash: str
    on: str
    """Day of the newer tables and pages, as an ISO date."""
    inputs: Mapping[str, Any]
    """What the check read, as JSON values: `tables` {name: hash}, `pages` {address: hash}, `left_out` {table: columns}, `agent`
    (None = none), `offline` (whether the agent is no LLM) and `prompts`."""
    by: str
    at: Timestamp = ""

    def record(self) -> dict[str, Json]:
        """Return the check as JSON values, without its outcomes."""
        return {
            "check": self.id,
            "release": self.release,
            "hash": self.release_hash,
            "on": self.on,
            "by": self.by,
            "at": self.at,
            **dict(self.inputs),
        }


def add(database: Database, check: HalfLifeCheck, answers: Sequence[CheckedAnswer]) -> None:
    """Store a check with its outcomes, unless a check with its id is stored."""
    rows = [(check.id, one.item, one.outcome, one.why, one.before, one.after, one.days) for one in answers]

    def write(cursor: Cursor) -> None:
        if fetch_from(cursor)("SELECT 1 FROM half_life_check WHERE id = ?", [check.id]):
            return
        row = (check.id, check.release, check.release_hash, check.on, check.inputs, check.by, current_time())
        insert_row(cursor, "half_life_check", _CHECK, row, is_numbered=True)
        insert_rows(cursor, "checked_answer", f"half_life_check, {_ANSWER}", rows, conflict=None)

    database.write(write)


def list_checks(database: Database, release_hash: str) -> list[HalfLifeCheck]:
    """Return the checks of the release content with this hash by the day of their data, earliest first; checks of one day in
    the order in which they were made."""
    if not database.has_any("half_life_check"):
        return []
    sql = f"SELECT {_CHECK} FROM half_life_check WHERE release_hash = ? ORDER BY checked_on, number"
    return [_read_check(row) for row in database.rows(sql, [release_hash])]


def get(database: Database, name: str) -> HalfLifeCheck:
    """Return the check with this id, which may be abbreviated to its first six or more characters. Raises BenchError unless
    exactly one check matches."""
    sql = f"SELECT {_CHECK} FROM half_life_check WHERE id = ? OR (? >= 6 AND starts_with(id, ?))"
    rows = database.rows(sql, [name, len(name), name])
    if len(rows) != 1:
        what = f"{len(rows)} half-life checks have ids that begin" if rows else "No half-life check has an id that begins"
        raise BenchError(f"{what} with {name}: `{COMMAND} half-life list RELEASE` lists them.")
    return _read_check(rows[0])


def load_answers(database: Database, check: str) -> list[CheckedAnswer]:
    """Return the outcomes of the check with this id, sorted by item."""
    sql = f"SELECT {_ANSWER} FROM checked_answer WHERE half_life_check = ? ORDER BY item"
    return database.build_rows(_read_answer, sql, [check])


def load_record(database: Database, release_hash: str) -> dict[str, Json]:
    """Return all checks of the release content with this hash as JSON values for an export, each with its outcomes; {} if there
    is none."""
    checks = list_checks(database, release_hash)
    records = [{**one.record(), "answers": list(map(asdict, load_answers(database, one.id)))} for one in checks]
    return {"hash": release_hash, "checks": as_json(records)} if records else {}


def _read_check(row: tuple[Any, ...]) -> HalfLifeCheck:
    id_, release, release_hash, on, inputs, *rest = row
    return HalfLifeCheck(id_, release, release_hash, on, from_json(inputs), *rest)


def _read_answer(row: tuple[Any, ...]) -> CheckedAnswer:
    item, outcome, why, before, after, days = row
    return CheckedAnswer(item=item, outcome=outcome, why=why, before=before, after=after, days=days)
