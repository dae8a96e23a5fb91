"""Defines formats. A format writes a release into a folder, reads it back, or reads outside data."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.nouns import Comment, Document, Item, Review, Span, Variant, Verdict

if TYPE_CHECKING:
    from core.tables.world import EntityTable


@dataclass(frozen=True, slots=True)
class Revision:
    """One revision of an item, for its history in an export."""

    item: str
    revision: int
    question: str
    answers: tuple[str, ...]
    by: str
    """Name of the agent or person."""
    at: str
    base: int | None = None
    """Revision that an opinion, or a decision between opinions, reworded; None = the revision became the current one."""
    evidence: tuple[Span, ...] = ()
    labels: Mapping[str, Any] = field(default_factory=dict)
    overlap: float | None = None


def no_page(hash_: str) -> str | None:
    """Return None for every hash, for exports without HTML."""
    return None


@dataclass(frozen=True, slots=True)
class Bundle:
    """The content of a release to export, or the content read from a folder."""

    documents: Sequence[Document] = ()
    items: Sequence[Item] = ()
    variants: Sequence[Variant] = ()
    verdicts: Sequence[Verdict] = ()
    reviews: Sequence[Review] = ()
    comments: Sequence[Comment] = ()
    history: Sequence[Revision] = ()
    manifest: Mapping[str, Any] = field(default_factory=dict)
    """Canonical manifest; empty for data from elsewhere."""
    name: str = ""
    hash: str = ""
    salts: Mapping[str, str] = field(default_factory=dict)
    """Salt of the withheld golds by item id; never exported."""
    composition: Mapping[str, Any] = field(default_factory=dict)
    """Numbers of items and mean tokens by domain and level, and classes of overlap, from builders/drafting/composition.py, for
    the card."""
    leakage: Mapping[str, Any] = field(default_factory=dict)
    """Text of omitted sources that remains in the retrieval corpus, from builders/near_duplicates/leakage.py; empty if no
    source is omitted."""
    people: Mapping[str, Any] = field(default_factory=dict)
    """Decisions of people on drafts of the release's kinds at the time of freezing, and their agreement with the gates' flags,
    from core/quality/people_report.py; empty = unknown."""
    difficulty: Mapping[str, Any] = field(default_factory=dict)
    """Difficulty of the items at the time of freezing, from core/quality/difficulty.py; empty = unknown."""
    tables: Sequence["EntityTable"] = ()
    """Tables behind the items, with their rows."""
    label_questions: Sequence[object] = ()
    """Records of the label questions that the reviews answer."""
    refused: Sequence[Mapping[str, Any]] = ()
    """Unreadable records: {"where", "line", "message"}."""
    lines: Mapping[str, int] = field(default_factory=dict)
    """Line numbers by id of a review, or of an item of a single file."""
    comment_lines: Mapping[str, int] = field(default_factory=dict)
    """Line numbers by comment id."""
    rows_per_file: int | None = None
    """Maximum number of rows of a written file; None = one file for each kind and split."""
    web_pages: Mapping[str, bytes] = field(default_factory=dict)
    """Packed HTML of pages by hash (store/corpus/web_pages.py)."""
    web_page: Callable[[str], str | None] = no_page
    """Returns the HTML of a page by hash for an export, or None if the page is not stored or not requested."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Format:
    """One file format, which can write, read or do both."""

    label: str
    name: str = ""
    """Name of the format, if it differs from the module's name."""
    write: Callable[[Bundle, Path, frozenset[str]], None] | None = None
    """Writes (bundle, new or empty folder, withheld splits). The bytes depend only on the bundle and the splits."""
    read: Callable[[Path], Bundle] | None = None
    """Reads a file or folder. A faulty record is added to `refused` and the rest is read; raises BenchError for a wholly
    unreadable file."""
    pieces: Callable[[Path], Iterator[Bundle]] | None = None
    """Reads some records at a time, for files larger than memory; the last bundle has the manifest. Without `read`, all pieces
    are joined."""
    has_several_files: bool = False
    """Whether it can write files of at most `Bundle.rows_per_file` rows."""
    decides: bool = False
    """Whether a file of this format decides on items that are in the workspace already."""

    def __post_init__(self) -> None:
        if (pieces := self.pieces) and self.read is None:
            object.__setattr__(self, "read", lambda path: join_bundles(pieces(path)))


def join_bundles(pieces: Iterable[Bundle]) -> Bundle:
    """Return all pieces joined into one bundle."""
    whole = Bundle()
    for piece in pieces:
        whole = replace(
            piece,
            documents=[*whole.documents, *piece.documents],
            items=[*whole.items, *piece.items],
            refused=[*whole.refused, *piece.refused],
            web_pages={**whole.web_pages, **piece.web_pages},
        )
    return whole
