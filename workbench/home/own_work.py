"""List what is new for a person on the first page: waiting work, comments that mention the person, and guidelines that have
changed since the person last read them."""

import re
from collections.abc import Callable, Mapping
from typing import NamedTuple

from core.person_name import is_same_person
from store.engine.database import Database
from store.items import items
from store.people import guidelines, people, seen
from store.people.guidelines import GuidelineVersion
from store.reviews import comments
from workbench.annotate.reviewing.adjudication import AdjudicationStage
from workbench.annotate.reviewing.conversations import ConversationReviews
from workbench.annotate.reviewing.phases import PhaseStage
from workbench.annotate.reviewing.reviews import ItemKind, ReviewStage
from workbench.annotate.wordings.rewrites import RewriteStage
from workbench.annotate.wordings.variants import VariantKind, VariantStage
from workbench.roles import list_forbidden_permissions, list_missing_permissions, requires

MAX_MENTIONS = 20
"""Maximum number of comments that are listed because they mention the person, newest first."""

PAGE_PERMISSIONS = {
    "review": "decide on items",
    "conversations": "decide on items",
    "adjudicate": "decide between people",
    "rewrite": "rewrite questions",
    "phases": "review in phases",
    "variants": "decide on items",
}
"""Dict from page to the permission that a person needs to work on this page."""


class WaitingWork(NamedTuple):
    """How much work waits for a person on one page."""

    page: str
    """Name of the page in the menu Annotate."""
    free: int


class CommentMention(NamedTuple):
    """A comment that mentions a person by @NAME."""

    comment: str
    item: str
    question: str
    by: str
    text: str
    at: str
    """Time at which the comment was written, in UTC and ISO format."""
    is_open: bool
    """Whether the person may open the item; if not, `question` is empty."""


class OwnWorkStage:
    """Methods that list what waits for a person, and that record what the person has seen."""

    def __init__(
        self,
        database: Database,
        reviews: ReviewStage,
        adjudication: AdjudicationStage,
        rewrites: RewriteStage,
        variants: VariantStage,
        phases: PhaseStage,
        conversations: ConversationReviews,
    ) -> None:
        self._db, self._reviews, self._adjudication = database, reviews, adjudication
        self._rewrites, self._variants, self._phases, self._conversations = rewrites, variants, phases, conversations

    def list_waiting(self, person: str) -> list[WaitingWork]:
        """List the pages with work that waits for this person (for anybody if `person` is ""), in the order of the menu. Pages
        are left out if the person or the current user lacks the permission to work on them."""
        missing = list_forbidden_permissions(self._db)
        if person:
            missing |= list_missing_permissions(people.load_status(self._db, person))
        counts: Mapping[str, Callable[[], int]] = {
            "review": lambda: self._reviews.progress(ItemKind(), person).left,
            "conversations": self._conversations.count_waiting,
            "adjudicate": lambda: self._adjudication.count_disputed(person).left,
            "rewrite": lambda: self._rewrites.count(ItemKind(), person).left,
            "phases": lambda: sheet.left if (sheet := self._phases.find_next(person)) else 0,
            "variants": lambda: self._variants.progress(VariantKind(), person).left,
        }
        work = [WaitingWork(page, count()) for page, count in counts.items() if PAGE_PERMISSIONS[page] not in missing]
        return [waiting for waiting in work if waiting.free]

    def list_mentions(self, person: str) -> list[CommentMention]:
        """List the unread comments by others that mention this person by @NAME, newest first. A comment is left out if the
        person must still give an own opinion on the item."""
        if not person:
            return []
        pattern = re.compile(rf"(?<!\w)@{re.escape(person)}(?!\w)", re.IGNORECASE)
        known = seen.load_seen(self._db, person)
        named = [
            comment
            for comment in comments.search_comments(self._db, f"@{person}")
            if not is_same_person(comment.person, person)
            and pattern.search(comment.text)
            and comment.id not in known
            and not comments.is_blind(self._db, comment.item, person)
        ][:MAX_MENTIONS]
        is_open = {comment.item: self._reviews.may_open(comment.item, person) for comment in named}
        questions = {item.id: item.question for item in items.load_items(self._db, [id_ for id_ in is_open if is_open[id_]])}
        return [
            CommentMention(
                comment.id,
                comment.item,
                questions.get(comment.item, ""),
                comment.person,
                comment.text,
                comment.at,
                is_open[comment.item],
            )
            for comment in named
        ]

    def list_changed_guidelines(self, person: str) -> list[GuidelineVersion]:
        """List the guidelines that other people wrote or changed since this person last read them, newest first."""
        if not person:
            return []
        known = seen.load_seen(self._db, person)
        return [
            version
            for version in reversed(guidelines.load_current(self._db).values())
            if str(version.version) not in known and not is_same_person(version.by, person)
        ]

    def has_seen(self, person: str, thing: str) -> bool:
        """Return whether the person has seen `thing`, which is the id of a comment or a version of a guideline."""
        return bool(person) and thing in seen.load_seen(self._db, person)

    @requires("comment on items", "thing")
    def mark_seen(self, person: str, thing: str) -> None:
        """Record that this person has seen `thing`, which is the id of a comment or a version of a guideline."""
        seen.mark_seen(self._db, person, thing)
