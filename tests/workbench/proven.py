"""A workspace of accepted items, each with a whole document as its evidence."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from core.ids import content_hash
from core.nouns import Document, Item, Span
from store.corpus import documents
from store.items import items
from workbench import Workbench


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
