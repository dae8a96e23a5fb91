"""Define what a file format is. A file format writes a release into a folder, reads an exported release, or reads data of
another program."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.catalog import catalog
from core.nouns import Comment, Document, Item, Review, Span, Variant, Verdict

if TYPE_CHECKING:
    from core.tables.world import EntityTable


@dataclass(frozen=True, slots=True)
class Revision:
    """One revision of an item, as an export writes it in the item's history."""

    item: str
    revision: int
    question: str
    answers: tuple[str, ...]
    by: str
    """Name of the agent or person who wrote the revision."""
    at: str
    base: int | None = None
    """Number of the revision that a person reworded as part of an opinion, or of a decision between opinions; None if this
    revision became the current one."""
    evidence: tuple[Span, ...] = ()
    labels: Mapping[str, Any] = field(default_factory=dict)
    overlap: float | None = None


def no_page(hash_: str) -> str | None:
    """Return None for every hash of a web page; an export without web pages calls this function to look up HTML."""
    return None


@dataclass(frozen=True, slots=True)
class Bundle:
    """The content of a release that is being exported, or the content that was read from a file or folder."""

    documents: Sequence[Document] = ()
    items: Sequence[Item] = ()
    variants: Sequence[Variant] = ()
    verdicts: Sequence[Verdict] = ()
    reviews: Sequence[Review] = ()
    comments: Sequence[Comment] = ()
    history: Sequence[Revision] = ()
    manifest: Mapping[str, Any] = field(default_factory=dict)
    """Canonical manifest of the release; empty if the content is not a release."""
    name: str = ""
    hash: str = ""
    salts: Mapping[str, str] = field(default_factory=dict)
    """Dict from item id to the salt that hashes its withheld answers; an export never contains it."""
    commitments: Mapping[str, str] = field(default_factory=dict)
    """Dict from the public id of each item of a sealed split to the commitment to its content; empty if the release is not
    sealed. The bundle of a sealed release does not contain that content."""
    openings: Sequence[Mapping[str, Any]] = ()
    """What opens the seal of the release, as {"salt", "content"}; empty while the seal is closed."""
    composition: Mapping[str, Any] = field(default_factory=dict)
    """What the release consists of, for its card: numbers of items and mean tokens by domain and level, and classes of word
    overlap (from builders/drafting/composition.py)."""
    leakage: Mapping[str, Any] = field(default_factory=dict)
    """How much text of omitted source documents the retrieval corpus still contains (from builders/near_duplicates/leakage.py);
    empty if no source is omitted."""
    people: Mapping[str, Any] = field(default_factory=dict)
    """People's decisions on drafts of the release's tasks until it was frozen, and how far the gates' flags agree with them
    (from core/quality/people_report.py); empty if unknown."""
    difficulty: Mapping[str, Any] = field(default_factory=dict)
    """Difficulty of the items when the release was frozen (from core/quality/difficulty.py); empty if unknown."""
    tables: Sequence["EntityTable"] = ()
    """Tables from which answers of items were computed, with their rows."""
    nugget_sets: Sequence[Mapping[str, Any]] = ()
    """Records of the items' nugget sets, as store/runs/nugget_sets.py encodes them."""
    certificate: Mapping[str, Any] = field(default_factory=dict)
    """Shortcut certificate of the release with its rates and results, as workbench/release/certified.py records it; empty if
    the release has none."""
    half_life: Mapping[str, Any] = field(default_factory=dict)
    """Half-life checks of the release with their outcomes, as store/releases/half_life_checks.py records them; empty if there
    are none."""
    absence_twins: Sequence[Mapping[str, Any]] = ()
    """Records of the items' absence twins, as core/retrieval/absence.py makes them."""
    label_questions: Sequence[object] = ()
    """Records of the label questions that reviews in the bundle answer."""
    refused: Sequence[Mapping[str, Any]] = ()
    """Records that could not be read, as {"where", "line", "message"}."""
    lines: Mapping[str, int] = field(default_factory=dict)
    """Dict from the id of a review, or of an item of a single file, to its line number in the file."""
    quotes: Mapping[str, Sequence[str | None]] = field(default_factory=dict)
    """Dict from the id of an item of a single file to the texts that the file states for its evidence; None = not stated."""
    comment_lines: Mapping[str, int] = field(default_factory=dict)
    """Dict from comment id to its line number in the file."""
    rows_per_file: int | None = None
    """Maximum number of rows in a written file, or None to write one file per kind of record and split."""
    web_pages: Mapping[str, bytes] = field(default_factory=dict)
    """Dict from hash to the compressed HTML of a web page (see store/corpus/web_pages.py)."""
    web_page: Callable[[str], str | None] = no_page
    """Return the HTML of the web page with the given hash for an export, or None if the page is not stored or not requested."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Format:
    """One file format, with a function that writes files, a function that reads files, or both."""

    label: str
    name: str = ""
    """Name of the format, if it differs from the name of its module."""
    write: Callable[[Bundle, Path, frozenset[str]], None] | None = None
    """Function that writes the bundle into a new or empty folder; its third parameter names the withheld splits. The bytes
    written depend only on the bundle and on these splits."""
    read: Callable[[Path], Bundle] | None = None
    """Function that reads a file or folder into a bundle. A faulty record is added to `Bundle.refused`, and the next record is
    read. Raises BenchError if nothing can be read."""
    pieces: Callable[[Path], Iterator[Bundle]] | None = None
    """Function that reads a file a few records at a time, for files larger than memory; the last bundle has the manifest. If a
    format has no function `read`, these bundles are joined."""
    has_several_files: bool = False
    """Whether the format can divide its records into files with at most `Bundle.rows_per_file` rows."""
    decides: bool = False
    """Whether reading a file of this format records decisions on items that are already in the workspace."""

    def __post_init__(self) -> None:
        if (pieces := self.pieces) and self.read is None:
            object.__setattr__(self, "read", lambda path: join_bundles(pieces(path)))


def join_bundles(pieces: Iterable[Bundle]) -> Bundle:
    """Return one bundle with the content of all the given bundles, which come from one file."""
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


def formats() -> Mapping[str, Format]:
    """Return a dict from name to file format, for import or export."""
    by_file = catalog("store.formats", "FORMAT", Format)
    named: dict[str, Format] = {}
    for name, kind in by_file.items():
        named.setdefault(kind.name or name, kind)  # this program's own formats come first
    return named
