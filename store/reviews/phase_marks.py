"""What people say of questions in the two phases of their review: rows are added, never changed; one that is taken back is
followed by a row without a mark."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from core.nouns import Grade
from store.engine.columns import Fetch, current_time, fetch_from, insert_rows
from store.engine.database import Cursor, Database

_COLUMNS = {
    "id": "VARCHAR",
    "number": "INTEGER",
    "item": "VARCHAR",
    "phase": "VARCHAR",
    "person": "VARCHAR",
    "mark": "VARCHAR",
    "role": "VARCHAR",
    "comment": "VARCHAR",
    "made_at": "VARCHAR",
}
Place = tuple[str, str]
"""Item and phase."""


def add(
    database: Database,
    place: Place,
    grade: Grade,
    is_wanted: Callable[[Sequence[Grade]], bool],
    then: Callable[[Cursor], object] = lambda cursor: None,
) -> bool:
    """Store it where those that are there still want it; returns False where they do not. `then` writes what follows from it in
    the same transaction: when it raises, nothing is stored."""

    def write(cursor: Cursor) -> bool:
        there = _read(fetch_from(cursor), "WHERE item = ? AND phase = ?", list(place)).get(place, [])
        if not is_wanted(there):
            return False
        [(last,)] = cursor.execute("SELECT coalesce(max(number), 0) FROM phase_mark").fetchall()
        row = (grade.id, last + 1, *place, grade.person, grade.mark, grade.role, grade.comment, grade.at or current_time())
        insert_rows(cursor, "phase_mark", _COLUMNS, [row])
        then(cursor)
        return True

    return database.write(write)


def load_marks(fetch: Fetch, items: Iterable[str] | None = None) -> Mapping[Place, list[Grade]]:
    """All of those items, None = of all; by item and phase, oldest first."""
    if items is None:
        return _read(fetch, "", [])
    return _read(fetch, "WHERE item IN (SELECT unnest(?::VARCHAR[]))", [list(items)])


def _read(fetch: Fetch, where: str, params: list[Any]) -> dict[Place, list[Grade]]:
    sql = f"SELECT id, item, phase, person, mark, role, comment, made_at FROM phase_mark {where} ORDER BY number"
    found: dict[Place, list[Grade]] = {}
    for id_, item, phase, person, mark, role, comment, at in fetch(sql, params):
        found.setdefault((item, phase), []).append(Grade(id_, f"{item} {phase}", person, mark, role, comment, at=at))
    return found
