"""Defines absence twins: an absence twin is an item's question, asked while all passages that prove the answer are hidden from
retrieval. The right answer to a twin is that the corpus does not contain the answer."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, get_args

from core.ids import content_hash
from core.nouns import Span

Reason = Literal["evidence", "near copy", "answer", "found by search"]
"""Why a passage is hidden: the passage contains evidence; it is a near copy of evidence; it contains a gold answer or a large
part of one; or the search that checks the twin found an answer in the passage."""
REASONS: tuple[Reason, ...] = get_args(Reason)
Obstacle = Literal["unanswerable", "own text", "general answer", "nothing to hide", "too much to hide"]
"""Why a chosen item gets no absence twin: the right answer is already a refusal; the item contains its own text; a gold answer
is too short or too general to be searched for, such as "yes"; the corpus contains neither the item's evidence nor its answer;
or too many passages (more than allowed, or half of all) would be hidden."""
DEFAULT_SEED = 13
DEFAULT_MOST = 50
"""Default of the maximum number of passages that a twin hides."""


class HiddenPassage(NamedTuple):
    """A passage that an absence twin hides from retrieval, with the first reason that was found for hiding the passage."""

    span: Span
    why: Reason


@dataclass(frozen=True, slots=True)
class AbsenceTwin:
    """The passages to hide when an item's question is asked as an absence twin."""

    item: str
    hidden: tuple[HiddenPassage, ...]
    """The hidden passages, sorted by document and position; at least one."""

    @property
    def id(self) -> str:
        """Return the id of the absence twin in files and on the screen."""
        return f"absence:{self.item}"

    @property
    def hash(self) -> str:
        return content_hash(twin_record(self))


def twin_record(twin: AbsenceTwin) -> dict[str, Any]:
    """Return the absence twin as JSON values for a file of twins."""
    hidden = [{"document": span.document, "start": span.start, "end": span.end, "why": why} for span, why in twin.hidden]
    return {"id": twin.id, "item": twin.item, "hidden": hidden}


def twin_from_record(record: Mapping[str, Any]) -> AbsenceTwin:
    """Return the absence twin from the JSON values that `twin_record` returned. Raises KeyError, TypeError or ValueError if the
    JSON values have another form."""
    rows = [(Span(str(row["document"]), int(row["start"]), int(row["end"])), row["why"]) for row in record["hidden"]]
    if odd := [why for _, why in rows if why not in REASONS]:
        raise ValueError(f"{odd[0]} is an unknown reason to hide a passage")
    return AbsenceTwin(str(record["item"]), tuple(HiddenPassage(span, why) for span, why in rows))


overlaps = Span.overlaps
