"""Comments: the thread under an item. As long as several people are to decide on it, each for themselves, who has not yet
decided does not see what the others say."""

import re
from collections.abc import Callable
from typing import Any

from core.errors import BenchError
from core.nouns import Comment
from store.engine.database import Database
from store.reviews import comments
from store.reviews.comments import EDIT_KIND
from store.reviews.unsent_edits import UnsentEdit
from workbench.annotate.desk import box
from workbench.roles import requires

LONGEST = 20_000
"""Characters of one comment."""
_UNSTORABLE = re.compile("[\0\ud800-\udfff]")


class CommentStage:
    """Verbs on comments."""

    def __init__(self, database: Database, check_open: Callable[[str, str], None]) -> None:
        """`check_open` raises Refused when that item is not that person's to open."""
        self._db, self._check_open = database, check_open

    def beside(self, item: str, person: str, left: UnsentEdit | None) -> dict[str, Any]:
        """{"thread", "scratch"}: what this person may read of it, oldest first, and what they typed and did not send."""
        return {
            "thread": self._thread(item, person),
            "scratch": left
            and {
                "question": left.question,
                "answer": "",
                "evidence": [],
                "revision": left.revision,
                "seconds": None,
                "saved_at": left.at,
            },
        }

    def thread(self, item: str, person: str) -> list[dict[str, Any]]:
        """The comments on an item that this person may read, oldest first. Raises Refused when the item is not theirs to
        open."""
        self._check_open(item, person)
        return self._thread(item, person)

    def _thread(self, item: str, person: str) -> list[dict[str, Any]]:
        said = comments.load_comments(self._db, [item])
        is_apart = said and comments.is_blind(self._db, item, person)
        return [told(one) for one in said if not is_apart or (person and one.person == person)]

    @requires("comment on items", "item")
    def say(self, person: str, item: str, text: str, key: str, tab: str = "") -> None:
        """Store a comment; the same key again is the same comment. What that tab kept of it goes. Raises BenchError on what
        cannot be stored, Refused when the item is not this person's to open."""
        words = text.replace("\r\n", "\n").replace("\r", "\n").strip()
        if not person.strip() or not key.strip():
            raise BenchError("A comment needs a name and a key of its own: give your name first.")
        if not words:
            raise BenchError("The comment is empty: write a word, or leave it.")
        if len(words) > LONGEST or max(len(person), len(key)) > 200:
            raise BenchError(f"A comment has at most {LONGEST:,} characters, a name at most 200: shorten it.")
        if any(_UNSTORABLE.search(one) for one in (words, person, key)):
            raise BenchError("The comment holds a character that no file can hold (NUL or half a character): take it out.")
        self._check_open(item, person)
        stored = comments.add(self._db, Comment(key, item, person, words), tab)
        if stored is None:
            raise BenchError(f"No item {item} in this workspace: load the page again.")
        if (stored.item, stored.person, stored.text) != (item, person, words):
            raise BenchError("This comment has the key of another one: load the page again.")

    @requires("comment on items", "id_")
    def take_back(self, person: str, id_: str) -> str:
        """Mark an own comment as taken back; again changes nothing. Returns its item. Raises BenchError for one of somebody
        else's, or none."""
        found = comments.get(self._db, id_)
        if found is None or found.person != person:
            raise BenchError("Only the one who wrote a comment takes it back.")
        self._check_open(found.item, person)
        comments.take_back(self._db, id_)
        return found.item

    def keep(self, person: str, item: str, revision: int, text: str, *, tab: str = "", since: str | None = None) -> str:
        """Keep what a person has typed and not sent; returns when. Raises as box.keep."""
        return box.keep(self._db, UnsentEdit(person, item, revision, text, "", on=EDIT_KIND, tab=tab), since)


def told(comment: Comment) -> dict[str, Any]:
    """A comment as the screen knows it."""
    return {
        "id": comment.id,
        "person": comment.person,
        "text": comment.text,
        "at": comment.at,
        "taken_back": bool(comment.taken_back_at),
    }
