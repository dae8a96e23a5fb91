"""Store and load unsent edits: the latest text that a person has typed for an item but not submitted. When the person submits a
decision, the same transaction deletes the unsent edit. The database table has the older name scratch."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from core.errors import BenchError
from core.label_questions import LABEL_ANSWERS, read_label_answers
from core.nouns import Span
from store.controls import control_items
from store.engine.columns import Timestamp, current_time, from_json, insert_row, pair_key, to_json
from store.engine.database import Cursor, Database, follow
from store.engine.followers import Mirror

WHY_KIND = "why"
"""Kind under which the reason for a decision between opinions is stored while it is not submitted."""
_COLUMNS = "person, item, revision, words, seconds, made_at"


@dataclass(frozen=True, slots=True)
class UnsentEdit:
    """The latest text that one person has typed for one item but not submitted."""

    person: str
    item: str
    revision: int
    """Number of the item's revision that the person has on the screen."""
    question: str
    answer: str
    evidence: tuple[Span, ...] = ()
    seconds: float | None = None
    """Active seconds that the person has spent on the item so far, over all visits, or None if not measured."""
    at: Timestamp = ""
    on: str = ""
    """What the person is typing: "" = question and answer, "rewrite" = a rewrite of the question, "comment" = a comment,
    WHY_KIND = a reason, "own" = an answer given before the drafted answer is shown."""
    tab: str = ""
    """Id of the browser tab in which the text was typed."""
    label_answers: Mapping[str, Any] = field(default_factory=dict)
    """Dict from label question to the answer given so far."""


class UnsentKey(NamedTuple):
    """The key of an unsent edit, made from person, item and kind."""

    key: str


class UnsentMirror(Mirror[UnsentKey]):
    """The keys of all unsent edits in memory, so that an item without an unsent edit needs no query."""

    table, columns, row, key = "scratch", UnsentKey._fields, UnsentKey, ("key",)


class EditedElsewhere(BenchError):
    """Raised if the same person has typed another text for the item in another browser tab, and this tab has not loaded that
    text. Nothing was stored; the error contains the other text."""

    def __init__(self, message: str, theirs: UnsentEdit) -> None:
        super().__init__(message)
        self.theirs = theirs


def put(
    database: Database, edit: UnsentEdit, *, since: str | None = None, key: str = "", is_there: bool = False
) -> UnsentEdit | None:
    """Store the unsent edit, replacing an earlier one; return it with its time, or None if the item does not exist.

    `since` is the time of the stored text that this browser tab has loaded ("" = none). Raises EditedElsewhere if another tab
    has stored a different text since that time. `key` identifies the decision that will submit this text; if that decision is
    already stored, the text is not stored. If `is_there` is true, the caller knows that the item exists."""
    at = edit.at or current_time()
    answers = {LABEL_ANSWERS: dict(edit.label_answers)} if edit.label_answers else {}
    words = to_json({"question": edit.question, "answer": edit.answer, "evidence": edit.evidence, "tab": edit.tab} | answers)
    place = _key(edit.person, edit.item, edit.on)
    new = replace(edit, at=at)
    is_control = control_items.is_control_item(database, edit.item)
    table, column = ("plant_answer", "plant") if is_control else ("review", "item")
    is_decided = f"SELECT 1 FROM {table} WHERE id = ? AND {column} = ? AND person = ?"

    def write(cursor: Cursor) -> UnsentEdit | None:
        """Store the unsent edit within the transaction; return the edit that is stored afterwards."""
        item = "SELECT 1 FROM state WHERE item = ?"
        if not (is_there or is_control or cursor.execute(item, [edit.item]).fetchall()):
            return None
        if key and cursor.execute(is_decided, [key, edit.item, edit.person]).fetchall():
            return new
        stored = cursor.execute(f"SELECT {_COLUMNS} FROM scratch WHERE key = ?", [place]).fetchall()
        if stored and since is not None and is_from_elsewhere(other := _edit_from_row(stored[0]), edit, since):
            return other
        if stored:  # UPDATE is three times faster than ON CONFLICT DO UPDATE
            sql = "UPDATE scratch SET revision = ?, words = ?, seconds = ?, made_at = ? WHERE key = ?"
            cursor.execute(sql, [edit.revision, words, edit.seconds, at, place])
        else:
            row = (edit.person, edit.item, edit.revision, words, edit.seconds, at, place)
            insert_row(cursor, "scratch", f"{_COLUMNS}, key", row)
        return new

    outcome = database.write(write)
    if outcome is not None and outcome is not new:
        message = "You typed a different text for this item in another tab or browser. Neither text is lost."
        raise EditedElsewhere(message, outcome)
    return outcome


def is_from_elsewhere(stored: UnsentEdit, new: UnsentEdit, since: str) -> bool:
    """Check whether the stored text is from another tab and differs from the new text. A stored text does not count if this tab
    has loaded it; `since` is the time of the text that this tab has loaded."""
    return not has_same_words(stored, new) and stored.tab != new.tab and stored.at != since


def get(database: Database, person: str, item: str, on: str = "") -> UnsentEdit | None:
    """Return the person's unsent edit of the item, or None if there is none."""
    return load_kinds(database, person, item, [on]).get(on)


def load_kinds(database: Database, person: str, item: str, kinds: Sequence[str]) -> dict[str, UnsentEdit]:
    """Return a dict from kind to the person's unsent edit of that kind on the item, with one query."""
    stored, every = database.follow(UnsentMirror), {_key(person, item, on): on for on in kinds}
    keys = {key: on for key, on in every.items() if stored.get(key)}
    if not keys:
        return {}
    rows = database.rows(f"SELECT key, {_COLUMNS} FROM scratch WHERE key IN ({', '.join('?' * len(keys))})", list(keys))
    return {keys[key]: replace(_edit_from_row(row), on=keys[key]) for key, *row in rows}


def find_edited(database: Database, person: str, items: Sequence[str]) -> set[str]:
    """Return the ids of those given items whose question or answer the person has edited without submitting."""
    stored = database.follow(UnsentMirror)
    return {item for item in items if stored.get(_key(person, item, ""))}


def list_unsent_edits(database: Database, person: str, limit: int = 20) -> list[UnsentEdit]:
    """Return the person's unsent edits of questions and answers, newest first."""
    where = "person = ? AND NOT regexp_matches(key, '^[a-z]+:')"
    sql = f"SELECT {_COLUMNS} FROM scratch WHERE {where} ORDER BY made_at DESC, item LIMIT ?"
    return [_edit_from_row(row) for row in database.rows(sql, [person, limit])]


def forget_sent(cursor: Cursor, sent: UnsentEdit) -> None:
    """Delete the unsent edit after its text was submitted with a decision, within the caller's transaction. An edit from
    another browser tab is deleted only if it has the same text."""
    key = _key(sent.person, sent.item, sent.on)
    if not follow(cursor, UnsentMirror).get(key):
        return
    own = "key = ? AND coalesce(words ->> '$.tab', '') IN ('', ?)"
    [(deleted,)] = cursor.execute(f"DELETE FROM scratch WHERE {own}", [key, sent.tab]).fetchall()
    if deleted:
        return
    other = cursor.execute(f"SELECT {_COLUMNS} FROM scratch WHERE key = ?", [key]).fetchall()
    if other and has_same_words(_edit_from_row(other[0]), sent):
        drop_edit(cursor, sent.person, sent.item, sent.on)


def has_same_words(a: UnsentEdit, b: UnsentEdit) -> bool:
    def words(edit: UnsentEdit) -> tuple[Any, ...]:
        return edit.question, edit.answer, set(edit.evidence), dict(edit.label_answers)

    return words(a) == words(b)


def drop_edit(cursor: Cursor, person: str, item: str, on: str = "") -> None:
    """Delete the person's unsent edit of the item, within the caller's transaction."""
    cursor.execute("DELETE FROM scratch WHERE key = ?", [_key(person, item, on)])


def _key(person: str, item: str, on: str) -> str:
    """Return the key of an unsent edit. Colons within names are escaped, so that no key begins like a key of another kind of
    edit."""
    return f"{on}:{pair_key(person, item)}" if on else pair_key(person, item)


def _edit_from_row(row: Sequence[Any]) -> UnsentEdit:
    person, item, revision, words, seconds, at = row
    values = from_json(words)
    evidence = tuple(Span(*span) for span in values["evidence"])
    edit = UnsentEdit(person, item, revision, values["question"], values["answer"], evidence, seconds, at)
    return replace(edit, tab=values.get("tab", ""), label_answers=read_label_answers(values))
