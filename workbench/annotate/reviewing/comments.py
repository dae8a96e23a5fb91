"""Store people's comments on items. While several people review an item without seeing each other's opinions, a person who has
not decided yet does not see the others' comments."""

from collections.abc import Callable

from core.errors import BenchError
from core.nouns import Comment
from core.person_name import UNSTORABLE
from store.engine.database import Database
from store.reviews import comments
from store.reviews.comments import EDIT_KIND
from store.reviews.unsent_edits import UnsentEdit
from workbench.annotate.desk import box
from workbench.annotate.desk.decisions import clean_text
from workbench.annotate.desk.desk_data import CommentLine, CommentThread, UnsentWords
from workbench.roles import requires

MAX_CHARACTERS = 20_000
"""Maximum length of a comment in characters."""


class CommentStage:
    """Methods that list, add and withdraw comments on items."""

    def __init__(self, database: Database, check_open: Callable[[str, str], None]) -> None:
        """Create the stage; `check_open(item, person)` raises NotAllowed if that person may not open the item."""
        self._db, self._check_open = database, check_open

    def load_beside(self, item: str, person: str, unsent: UnsentEdit | None) -> CommentThread:
        """Load the comments on the item that this person may read, and the comment that the person is still typing."""
        return CommentThread(self._load_thread(item, person), UnsentWords.from_edits(unsent))

    def thread(self, item: str, person: str) -> list[CommentLine]:
        """Return the comments on an item that this person may read, oldest first. Raises NotAllowed if the person may not open
        the item."""
        self._check_open(item, person)
        return self._load_thread(item, person)

    def _load_thread(self, item: str, person: str) -> list[CommentLine]:
        every = comments.load_comments(self._db, [item])
        is_apart = every and comments.is_blind(self._db, item, person)
        return [
            CommentLine(one.id, one.person, one.text, one.at, bool(one.taken_back_at))
            for one in every
            if not is_apart or (person and one.person == person)
        ]

    @requires("comment on items", "item")
    def say(self, person: str, item: str, text: str, key: str, tab: str = "") -> None:
        """Store a comment and delete its unsent text; calling `say` again with the same `key` stores nothing.

        Raises BenchError if the text cannot be stored, and NotAllowed if this person may not open the item."""
        words = clean_text(text)
        if not person.strip() or not key.strip():
            raise BenchError(
                "A comment without a name or a request key is not stored: enter your name, or load the page again."
            )
        if not words:
            raise BenchError("The comment is empty: enter its text first.")
        if len(words) > MAX_CHARACTERS or max(len(person), len(key)) > 200:
            raise BenchError(f"A comment has at most {MAX_CHARACTERS:,} characters, a name at most 200: shorten it.")
        if any(UNSTORABLE.search(one) for one in (words, person, key)):
            raise BenchError("The comment contains a character that no file can store (NUL or a broken character): remove it.")
        self._check_open(item, person)
        stored = comments.add(self._db, Comment(key, item, person, words), tab)
        if stored is None:
            raise BenchError(f"No item {item} in this workspace: load the page again.")
        if (stored.item, stored.person, stored.text) != (item, person, words):
            raise BenchError("This comment has the same request key as another comment: load the page again.")

    @requires("comment on items", "id_")
    def take_back(self, person: str, id_: str) -> str:
        """Mark the person's own comment as withdrawn; return the id of its item. Raises BenchError if the comment is another
        person's, or does not exist."""
        comment = comments.get(self._db, id_)
        if comment is None or comment.person != person:
            raise BenchError("Only its writer can withdraw a comment.")
        self._check_open(comment.item, person)
        comments.take_back(self._db, id_)
        return comment.item

    def keep(self, person: str, item: str, revision: int, text: str, *, tab: str = "", since: str | None = None) -> str:
        """Store the comment that a person is typing but has not sent; return the time of storing. Raises the same errors as
        box.keep_edits."""
        return box.keep_edits(self._db, UnsentEdit(person, item, revision, text, "", on=EDIT_KIND, tab=tab), since)
