"""Store and load contests, which say what is wrong with an item of a release, and the decisions on them. Stored contests and
decisions never change; the last decision on a contest counts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple

from core.errors import BenchError
from core.ids import derived_id
from core.installation import COMMAND
from core.quality.contests import ContestKind
from store.engine.columns import Timestamp, current_time, fetch_from, fetch_in_batches, from_json, insert_row, insert_rows
from store.engine.database import Cursor, Database

ContestState = Literal["open", "accepted", "dismissed"]
ERRATUM = "erratum"
"""Key of the manifest of an erratum: "of" and "hash" are the name and hash of the corrected release, "changes" lists the items
that differ from it."""
CONTRADICTED = "contradicted_by_tables"
"""Key of a change in an erratum: the tables of the release still give the answer that was corrected."""
_CONTEST = "id, release, release_hash, item, kind, answer, reason, person, source, received_at"
_DECISION = "contest, decision, revision, reason, person, made_at"


class ContestDecision(NamedTuple):
    """One decision on a contest."""

    contest: str
    decision: Literal["accept", "dismiss"]
    revision: int | None
    """Revision of the corrected item; None = the contest is dismissed, or the item is withdrawn."""
    reason: str
    person: str
    at: Timestamp = ""


@dataclass(frozen=True, slots=True)
class Contest:
    """What somebody says is wrong with an item of a release."""

    id: str
    release: str
    release_hash: str
    item: str
    kind: ContestKind
    answer: str
    """The answer that the person proposes; "" = none."""
    reason: str
    person: str
    """Name of the person who contests; "" = not given."""
    source: Literal["file", "app"]
    at: Timestamp = ""
    """When the workspace received the contest."""
    decisions: Sequence[ContestDecision] = ()
    """All decisions on the contest, oldest first; the last one counts."""

    @property
    def state(self) -> ContestState:
        if not self.decisions:
            return "open"
        return "accepted" if self.decisions[-1].decision == "accept" else "dismissed"


def derive_contest_id(release_hash: str, item: str, kind: str, answer: str, reason: str, person: str) -> str:
    """Return the id of a contest. The id depends on these values alone, so the same contest has the same id in every
    workspace."""
    return derived_id("contest", release_hash, item, kind, answer, reason, person)


def add(database: Database, contests: Sequence[Contest]) -> list[str]:
    """Store the contests that are not stored yet, and return their ids."""

    def write(cursor: Cursor) -> list[str]:
        sql = "SELECT id FROM contest WHERE id IN (SELECT unnest(?::VARCHAR[]))"
        there = {id_ for (id_,) in fetch_in_batches(fetch_from(cursor), sql, [one.id for one in contests])}
        new = {one.id: one for one in contests if one.id not in there}
        rows = [
            (one.id, one.release, one.release_hash, one.item, one.kind, one.answer, one.reason, one.person, one.source, at)
            for at in [current_time()]
            for one in new.values()
        ]
        insert_rows(cursor, "contest", _CONTEST, rows, is_numbered=True)
        return list(new)

    return database.write(write)


def list_contests(database: Database, releases: Sequence[str] | None = None) -> list[Contest]:
    """Return the contests of the releases with these hashes, or of all releases, in the order in which they came in."""
    if not database.has_any("contest"):
        return []
    wanted = None if releases is None else list(releases)
    where = "?::VARCHAR[] IS NULL OR list_contains(?::VARCHAR[], release_hash)"
    rows = database.rows(f"SELECT {_CONTEST} FROM contest WHERE {where} ORDER BY number", [wanted, wanted])
    return _read_contests(database, rows)


def get(database: Database, name: str) -> Contest:
    """Return the contest with this id, which may be abbreviated to its first six or more characters. Raises BenchError unless
    exactly one contest matches."""
    length = len(name)
    rows = database.rows(
        f"SELECT {_CONTEST} FROM contest WHERE id = ? OR (? >= 6 AND starts_with(id, ?))", [name, length, name]
    )
    if len(rows) != 1:
        what = f"{len(rows)} contests have ids that begin" if rows else "No contest has an id that begins"
        raise BenchError(f"{what} with {name}: `{COMMAND} contests list` lists them.")
    return _read_contests(database, rows)[0]


def add_decision(database: Database, decision: ContestDecision, seen: int) -> None:
    """Store a decision by a person who saw `seen` earlier decisions on the contest. Raises BenchError if there are more
    decisions by now."""

    def write(cursor: Cursor) -> BenchError | None:
        sql = "SELECT person FROM contest_decision WHERE contest = ? ORDER BY number"
        there = cursor.execute(sql, [decision.contest]).fetchall()
        if len(there) != seen:
            return build_conflict([person for (person,) in there])
        row = (*decision[:5], current_time())
        insert_row(cursor, "contest_decision", _DECISION, row, is_numbered=True)
        return None

    database.write_or_raise(write)


def build_conflict(people: Sequence[str]) -> BenchError:
    """Return the error for a person who did not see the last decision of these people on a contest."""
    who = (people[-1] if people else "") or "Somebody"
    return BenchError(f"{who} decided on this contest in the meantime: look at it and decide again.")


def _read_contests(database: Database, rows: Sequence[tuple[Any, ...]]) -> list[Contest]:
    decisions: dict[str, list[ContestDecision]] = {}
    sql = f"SELECT {_DECISION} FROM contest_decision WHERE contest IN (SELECT unnest(?::VARCHAR[])) ORDER BY number"
    for row in fetch_in_batches(database.rows, sql, [row[0] for row in rows]):
        decisions.setdefault(row[0], []).append(ContestDecision(*row))
    return [replace(Contest(*row), decisions=tuple(decisions.get(row[0], ()))) for row in rows]


def list_chain(database: Database, release_hash: str, manifest: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Return the erratum entries of a release's manifest, of the release that it corrects, and so on, newest first. The chain
    ends at a release that is not in the workspace or is no erratum."""
    chain: list[Mapping[str, Any]] = []
    while entry := manifest.get(ERRATUM):
        chain.append(entry)
        rows = database.rows("SELECT manifest FROM release WHERE hash = ? ORDER BY number DESC LIMIT 1", [entry["hash"]])
        if not rows:
            break
        manifest = from_json(rows[0][0])
    return chain
