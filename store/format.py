"""What a format is: a way to write a release into a folder and to read it (or outside data) back."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.nouns import Comment, Document, Item, Review, Span, Variant, Verdict

if TYPE_CHECKING:
    from core.tables.world import EntityTable


@dataclass(frozen=True, slots=True)
class Revision:
    """One step of an item's history, for the reader of an export."""

    item: str
    revision: int
    question: str
    answers: tuple[str, ...]
    by: str
    """Agent or person."""
    at: str
    base: int | None = None
    """The revision that an opinion, or a decision between opinions, put in other words; None = it became the current one."""
    evidence: tuple[Span, ...] = ()
    labels: Mapping[str, Any] = field(default_factory=dict)
    overlap: float | None = None


def no_page(hash_: str) -> str | None:
    """Where no HTML is to go out."""
    return None


@dataclass(frozen=True, slots=True)
class Bundle:
    """What a release holds, ready to be written; or what was read from a folder."""

    documents: Sequence[Document] = ()
    items: Sequence[Item] = ()
    variants: Sequence[Variant] = ()
    verdicts: Sequence[Verdict] = ()
    reviews: Sequence[Review] = ()
    comments: "Sequence[Comment]" = ()
    history: Sequence[Revision] = ()
    manifest: Mapping[str, Any] = field(default_factory=dict)
    """Canonical manifest; empty for outside data."""
    name: str = ""
    hash: str = ""
    salts: Mapping[str, str] = field(default_factory=dict)
    """Item id -> salt, for withheld splits; never exported for an item whose gold is withheld."""
    composition: Mapping[str, Any] = field(default_factory=dict)
    """Items and mean tokens by domain and level, and classes of overlap, as builders/drafting/composition.py tells them; the
    card prints it."""
    leakage: Mapping[str, Any] = field(default_factory=dict)
    """What of the sources left out of retrieval still stands in the corpus, as builders/near_duplicates/leakage.py reports it;
    empty where none is left out."""
    people: Mapping[str, Any] = field(default_factory=dict)
    """What people had made of the drafts of its kinds when it was frozen, and how the gates' flags did against that, as
    core/quality/people_report.py tells it; empty where it is not known."""
    difficulty: Mapping[str, Any] = field(default_factory=dict)
    """How hard systems had found its items when it was frozen, as core/quality/difficulty.py tells it; empty where it is not
    known."""
    tables: Sequence["EntityTable"] = ()
    """The tables that its items were made from, with their rows."""
    label_questions: Sequence[object] = ()
    """Records of the label questions that its reviews answer."""
    refused: Sequence[Mapping[str, Any]] = ()
    """What could not be read: {"where", "line", "message"}."""
    lines: Mapping[str, int] = field(default_factory=dict)
    """Id of a review, or of an item of a lone file -> the line that it was read from."""
    comment_lines: Mapping[str, int] = field(default_factory=dict)
    """Comment id -> the line that it was read from."""
    web_pages: Mapping[str, bytes] = field(default_factory=dict)
    """HTML that was read, packed, by its hash (store/corpus/web_pages.py)."""
    web_page: Callable[[str], str | None] = no_page
    """Hash -> HTML of a page that goes out with a release; None where it is not kept, or not wanted."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Format:
    """One format. Its name is its file's name, unless it says another. A format may write, read, or both."""

    label: str
    name: str = ""
    """What people call it, where a file of Python cannot be called so."""
    write: Callable[[Bundle, Path, frozenset[str]], None] | None = None
    """(bundle, new or empty folder, withheld splits). Every byte depends on the bundle and the splits alone."""
    read: Callable[[Path], Bundle] | None = None
    """A file or folder. One broken record goes into `refused`, the rest goes on; raises BenchError when nothing can be read."""
    pieces: Callable[[Path], Iterator[Bundle]] | None = None
    """As read, some records at a time, where a file may be too large to be held whole; the last piece has the manifest."""


def join_bundles(pieces: Iterable[Bundle]) -> Bundle:
    """All pieces as one."""
    whole = Bundle()
    for one in pieces:
        whole = replace(
            one,
            documents=[*whole.documents, *one.documents],
            items=[*whole.items, *one.items],
            refused=[*whole.refused, *one.refused],
            web_pages={**whole.web_pages, **one.web_pages},
        )
    return whole
