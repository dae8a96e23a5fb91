"""UnsentEdit in and out: what a person has typed on an item and not submitted, the last state of it alone. It goes in the
transaction of the decision that makes it needless."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from core.errors import BenchError
from core.label_questions import LABEL_ANSWERS, read_label_answers
from core.nouns import Span
from store.controls import control_items
from store.engine.columns import current_time, from_json, insert_row, pair_key, to_json
from store.engine.database import Cursor, Database

WHY_KIND = "why"
"""What a person wrote on why it is decided so between opinions."""
_COLUMNS = ("key", "item", "person", "revision", "words", "seconds", "made_at")
_ALL_COLUMNS = "person, item, revision, words, seconds, made_at"


@dataclass(frozen=True, slots=True)
class UnsentEdit:
    """One person's unsubmitted words on one item."""

    person: str
    item: str
    revision: int
    """The revision that was on the screen."""
    question: str
    answer: str
    evidence: tuple[Span, ...] = ()
    seconds: float | None = None
    """Active seconds so far, over all visits."""
    at: str = ""
    """UTC, ISO format."""
    on: str = ""
    """What of the item the words are: "" its question and answer, "rewrite" a rewrite of its question, "comment" a comment,
    WHY, "own" an answer that is given before the draft's is shown."""
    tab: str = ""
    """The browser tab in which they were typed."""
    label_answers: Mapping[str, Any] = field(default_factory=dict)
    """Answers to label questions so far, by name."""


class EditedElsewhere(BenchError):
    """The same person typed other words in another tab since this one saw them. Nothing was stored; those words are here."""

    def __init__(self, message: str, theirs: UnsentEdit) -> None:
        super().__init__(message)
        self.theirs = theirs


def put(
    database: Database, scratch: UnsentEdit, *, since: str | None = None, key: str = "", is_there: bool = False
) -> UnsentEdit | None:
    """Keep it in the place of what was there; returns it with its time, None when there is no such item. `since` is the time of
    the words that this tab knows of ("" = of none): raises EditedElsewhere when another tab has stored others. `key` is the one
    that a decision on these words will have: words that come after it are part of it, and are not kept beside it. `is_there` =
    the caller knows that there is such an item."""
    at = scratch.at or current_time()
    places = [[span.document, span.start, span.end] for span in scratch.evidence]
    answers = {LABEL_ANSWERS: dict(scratch.label_answers)} if scratch.label_answers else {}
    words = to_json({"question": scratch.question, "answer": scratch.answer, "evidence": places, "tab": scratch.tab} | answers)
    place = _key(scratch.person, scratch.item, scratch.on)
    row = [place, scratch.item, scratch.person, scratch.revision, words, scratch.seconds, at]
    kept = replace(scratch, at=at)
    is_control = control_items.is_control_item(database, scratch.item)
    made = f"""
        SELECT 1
        FROM {"plant_answer" if is_control else "review"}
        WHERE id = ? AND {"plant" if is_control else "item"} = ? AND person = ?
        """

    def write(cursor: Cursor) -> UnsentEdit | None:
        """What is there afterwards."""
        known = "SELECT 1 FROM state WHERE item = ?"
        if not (is_there or is_control or cursor.execute(known, [scratch.item]).fetchall()):
            return None
        if key and cursor.execute(made, [key, scratch.item, scratch.person]).fetchall():
            return kept
        there = cursor.execute(f"SELECT {_ALL_COLUMNS} FROM scratch WHERE key = ?", [place]).fetchall()
        if there and since is not None and is_from_elsewhere(other := _scratch(there[0]), scratch, since):
            return other
        if there:  # ON CONFLICT DO UPDATE takes three times as long
            sql = "UPDATE scratch SET revision = ?, words = ?, seconds = ?, made_at = ? WHERE key = ?"
            cursor.execute(sql, [*row[3:], place])
        else:
            insert_row(cursor, "scratch", _COLUMNS, row)
        return kept

    found = database.write(write)
    if found is not None and found is not kept:
        raise EditedElsewhere(
            "You typed something else on this item in another tab or browser. Nothing of either is lost.", found
        )
    return found


def is_from_elsewhere(there: UnsentEdit, new: UnsentEdit, since: str) -> bool:
    """Whether other words stand there than those coming, from another tab, and not those that this one has seen."""
    return not has_same_words(there, new) and there.tab != new.tab and there.at != since


def get(database: Database, person: str, item: str, on: str = "") -> UnsentEdit | None:
    """What that person left on that item; None when nothing."""
    rows = database.rows(f"SELECT {_ALL_COLUMNS} FROM scratch WHERE key = ?", [_key(person, item, on)])
    return replace(_scratch(rows[0]), on=on) if rows else None


def load_kinds(database: Database, person: str, item: str, kinds: Sequence[str]) -> dict[str, UnsentEdit]:
    """As get, of several kinds with one query: on -> what was left."""
    keys = {_key(person, item, on): on for on in kinds}
    rows = database.rows(f"SELECT key, {_ALL_COLUMNS} FROM scratch WHERE key IN ({', '.join('?' * len(keys))})", list(keys))
    return {keys[key]: replace(_scratch(tuple(row)), on=keys[key]) for key, *row in rows}


def list_unsent_edits(database: Database, person: str, limit: int = 20) -> list[UnsentEdit]:
    """What that person left on items themselves, newest first."""
    sql = f"""
        SELECT {_ALL_COLUMNS}
        FROM scratch
        WHERE person = ? AND NOT regexp_matches(key, '^[a-z]+:')
        ORDER BY made_at DESC, item
        LIMIT ?
        """
    return [_scratch(row) for row in database.rows(sql, [person, limit])]


def forget_sent(cursor: Cursor, pressed: UnsentEdit) -> None:
    """These words were decided on: forget what their tab kept of them, within a transaction of the caller's. What another tab
    keeps stays, unless it says the same."""
    key = _key(pressed.person, pressed.item, pressed.on)
    own = "key = ? AND coalesce(words ->> '$.tab', '') IN ('', ?)"
    [(gone,)] = cursor.execute(f"DELETE FROM scratch WHERE {own}", [key, pressed.tab]).fetchall()
    if gone:
        return
    there = cursor.execute(f"SELECT {_ALL_COLUMNS} FROM scratch WHERE key = ?", [key]).fetchall()
    if there and has_same_words(_scratch(there[0]), pressed):
        drop_edit(cursor, pressed.person, pressed.item, pressed.on)


def has_same_words(a: UnsentEdit, b: UnsentEdit) -> bool:
    return (a.question, a.answer, set(a.evidence), dict(a.label_answers)) == (
        b.question,
        b.answer,
        set(b.evidence),
        dict(b.label_answers),
    )


def drop_edit(cursor: Cursor, person: str, item: str, on: str = "") -> None:
    """Forget it, within a transaction of the caller's."""
    cursor.execute("DELETE FROM scratch WHERE key = ?", [_key(person, item, on)])


def _key(person: str, item: str, on: str) -> str:
    """A colon within a name is escaped too, so that no name begins as another kind's key does."""
    return f"{on}:{pair_key(person, item)}" if on else pair_key(person, item)


def _scratch(row: tuple[Any, ...]) -> UnsentEdit:
    person, item, revision, words, seconds, at = row
    found = from_json(words)
    spans = tuple(Span(*triple) for triple in found["evidence"])
    return UnsentEdit(
        person,
        item,
        revision,
        found["question"],
        found["answer"],
        spans,
        seconds,
        at,
        tab=found.get("tab", ""),
        label_answers=read_label_answers(found),
    )
