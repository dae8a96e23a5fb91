"""Store the grades that people give when they review a web question in two phases. Stored grades are never changed or deleted:
to withdraw a grade, add a row without a mark."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from core.nouns import Grade
from store.engine.columns import Fetch, current_time, fetch_from, insert_rows
from store.engine.database import Cursor, Database

PhasePlace = tuple[str, str]
"""(item id, phase), which identifies one phase of an item's review."""


def add(
    database: Database,
    place: PhasePlace,
    grade: Grade,
    is_wanted: Callable[[Sequence[Grade]], bool],
    then: Callable[[Cursor], object] = lambda cursor: None,
) -> bool:
    """Store the grade if `is_wanted` returns True for the grades that the item and phase already have; return whether the grade
    was stored.

    `then(cursor)` makes further changes in the same transaction; if it raises an error, the grade is not stored either."""

    def write(cursor: Cursor) -> bool:
        stored = _fetch_marks(fetch_from(cursor), "WHERE item = ? AND phase = ?", list(place)).get(place, [])
        if not is_wanted(stored):
            return False
        row = (grade.id, *place, grade.person, grade.mark, grade.role, grade.comment, grade.at or current_time())
        columns = "id, item, phase, person, mark, role, comment, made_at"
        insert_rows(cursor, "phase_mark", columns, [row], is_numbered=True)
        then(cursor)
        return True

    return database.write(write)


def load_marks(fetch: Fetch, items: Iterable[str] | None = None) -> Mapping[PhasePlace, list[Grade]]:
    """Return a dict from (item, phase) to its grades, oldest first. The dict covers the given items, or all items if `items` is
    None."""
    if items is None:
        return _fetch_marks(fetch, "", [])
    return _fetch_marks(fetch, "WHERE item IN (SELECT unnest(?::VARCHAR[]))", [list(items)])


def _fetch_marks(fetch: Fetch, where: str, params: list[Any]) -> dict[PhasePlace, list[Grade]]:
    sql = f"SELECT id, item, phase, person, mark, role, comment, made_at FROM phase_mark {where} ORDER BY number"
    marks: dict[PhasePlace, list[Grade]] = {}
    for id_, item, phase, person, mark, role, comment, at in fetch(sql, params):
        marks.setdefault((item, phase), []).append(Grade(id_, f"{item} {phase}", person, mark, role, comment, at=at))
    return marks
