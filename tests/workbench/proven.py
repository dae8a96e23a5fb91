"""A workspace of accepted items, each with a whole document as its evidence."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from core.ids import content_hash
from core.nouns import Document, Item, Span
from store.corpus import documents
from store.items import items
from workbench import Workbench

MILL = "The old mill of Orvel was bought by Ada Quill in 1902, a year after the great fire."
BREWERY = "The brewery of Orvel was bought by Bert Vane in 1911, after the long strike."
OTHERS = [f"Notes on the village number {n}: the weather was fair." for n in range(6)]


@contextmanager
def open_proven(
    file: Path, question: str, golds: Mapping[str, tuple[str, str]], others: Sequence[str] = ()
) -> Iterator[Workbench]:
    """Open a new workspace with an item for each name in `golds`, from its document's text and gold answer; `question` has {}
    for the name. `others` are the texts of further documents."""
    texts = dict.fromkeys([*(text for text, _ in golds.values()), *others])
    made = [
        Item(
            name,
            "question_answering",
            question.format(name),
            (gold,),
            status="accepted",
            evidence=(Span(content_hash(text), 0, len(text)),),
        )
        for name, (text, gold) in golds.items()
    ]
    with Workbench.open(file) as bench:
        documents.add(bench.database, [Document(content_hash(text), text, text[:12], licence="CC0") for text in texts])
        items.add(bench.database, made)
        yield bench


@contextmanager
def open_bought(file: Path) -> Iterator[Workbench]:
    """Open a new workspace with three questions, of which "yes" has an answer too general for an absence twin."""
    golds = {"mill": (MILL, "Ada Quill"), "brewery": (BREWERY, "Bert Vane"), "yes": (MILL, "yes")}
    with open_proven(file, "Who bought the {}?", golds, OTHERS) as bench:
        yield bench
