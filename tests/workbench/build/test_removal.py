"""Documents leave the corpus only when nothing stands on them, releases keep them, and items move to a newer text only where
their evidence stands in it letter by letter."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from core.errors import BenchError
from core.ids import content_hash
from core.nouns import Document, Item, Span
from store.corpus import documents
from store.items import items
from workbench import Workbench
from workbench.build.corpus.corpus import DocumentFilter

OLD = "The mill of Orvel burnt in 1902. It was built again. Its owner was Marta Quill."
NEW = "A new edition. The mill of Orvel burnt in 1902. Nobody built it again. Nobody."
HARBOUR = "The harbour froze in 1911."


def document(text: str, title: str) -> Document:
    return Document(content_hash(text), text, title, "law", licence="CC0-1.0")


MILL, NEWER, OTHER = document(OLD, "Mill"), document(NEW, "Mill"), document(HARBOUR, "Harbour")


def on(document: Document, words: str) -> Span:
    start = document.text.index(words)
    return Span(document.id, start, start + len(words))


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Workbench]:
    """Two documents; on the mill two items, one of them accepted, and one that has evidence in both."""
    with Workbench.open(tmp_path / "w.duckdb") as bench:
        documents.add(bench.database, [MILL, OTHER])
        made = Item(
            "fire",
            "explicit_factoid",
            "When did the mill of Orvel burn?",
            ("1902",),
            (on(MILL, "burnt in 1902"),),
            1,
            "law",
            given=(MILL.id,),
        )
        owner = replace(
            made, id="owner", question="Who owned the mill?", answers=("Marta Quill",), evidence=(on(MILL, "Marta Quill"),)
        )
        both = replace(
            made,
            id="both",
            question="What came after the fire?",
            answers=("Frost",),
            given=(OTHER.id,),
            evidence=(on(OTHER, "froze"), on(MILL, "1902")),
        )
        items.add(bench.database, [made, owner, both])
        bench.reviews.decide("fire", "accept", person="Ada")
        yield bench


def corpus(bench: Workbench) -> set[str]:
    return {heading.title for heading in bench.corpus.page(DocumentFilter())[0]}


def test_what_stands_on_a_document_is_told_and_keeps_it(bench: Workbench) -> None:
    bench.releases.freeze("v1")
    standing = bench.removal.count_dependents([MILL.id])
    assert (standing.accepted, standing.drafted, list(standing.releases)) == (1, 2, ["v1"])
    with pytest.raises(BenchError, match=r"3 items use documents that would be removed \(1 accepted, 2 to review\)"):
        bench.removal.remove([MILL.id], "Lea")
    with pytest.raises(BenchError, match="requires a name"):
        bench.removal.replace(MILL.id, OTHER.id, " ")
    assert corpus(bench) == {"Mill", "Harbour"}


def test_a_removed_document_is_in_no_new_release_and_old_ones_keep_it(bench: Workbench, tmp_path: Path) -> None:
    for name in ("owner", "both"):
        bench.reviews.decide(name, "discard", person="Ada", reason="a test")
    bench.releases.freeze("v1")
    documents.add(bench.database, [document("A third text of law.", "Third")])
    third = next(one.id for one in bench.corpus.page(DocumentFilter())[0] if one.title == "Third")
    assert bench.removal.remove([third, OTHER.id], "Lea") == 2
    assert corpus(bench) == {"Mill"} and bench.corpus.size().documents == 1
    assert [one.title for one in bench.corpus.load_documents("law")] == ["Mill"]
    assert bench.corpus.heading(third).removed_at and bench.corpus.document(third).title == "Third"
    second = bench.releases.freeze("v2")
    assert second.documents == 1
    bench.releases.verify("v1")
    assert [change.field for change in bench.corpus.changes(third)] == ["removed_at"]
    assert bench.removal.bring_back([third], "Lea") == 1 and corpus(bench) == {"Mill", "Third"}


def test_a_removed_text_that_comes_in_again_is_in_the_corpus_again(bench: Workbench, tmp_path: Path) -> None:
    documents.add(bench.database, [document("A third text of law.", "Third")])
    third = next(one.id for one in bench.corpus.page(DocumentFilter())[0] if one.title == "Third")
    bench.removal.remove([third], "Lea")
    (tmp_path / "third.txt").write_text("A third text of law.", encoding="utf-8")
    added = bench.corpus.add([tmp_path / "third.txt"], domain="law", language="en")
    assert [one.id for one in added.added] == [third] and "Third" in corpus(bench)


def test_items_move_to_the_newer_text_where_their_evidence_stands_in_it(bench: Workbench) -> None:
    documents.add(bench.database, [NEWER])
    assert next(iter(bench.removal.list_successors(MILL.id))).id == NEWER.id
    told = bench.removal.preview_replacement(MILL.id, NEWER.id)
    assert items.get(bench.database, "fire").revision == 1, "a look changes nothing"
    result = bench.removal.replace(MILL.id, NEWER.id, "Lea")
    assert told == result and result.accepted == 1
    assert (sorted(result.moved), list(result.left), result.is_removed) == (["both", "fire"], ["owner"], False)
    fire, both = (items.get(bench.database, name) for name in ("fire", "both"))
    assert [bench.corpus.text(span) for span in fire.evidence] == ["burnt in 1902"] and fire.given == (NEWER.id,)
    assert [bench.corpus.text(span) for span in both.evidence] == ["froze", "1902"] and both.given == (OTHER.id,)
    assert (fire.revision, fire.status) == (2, "drafted"), "what was accepted is looked at again on the newer text"
    bench.reviews.decide("owner", "discard", person="Ada", reason="not in the newer text")
    assert bench.removal.replace(MILL.id, NEWER.id, "Lea").is_removed and bench.corpus.heading(MILL.id).removed_at
    with pytest.raises(BenchError, match="replace itself"):
        bench.removal.replace(NEWER.id, NEWER.id, "Lea")


def test_words_that_stand_twice_in_the_newer_text_move_no_item(bench: Workbench) -> None:
    twice = document("It burnt in 1902, and burnt in 1902 again. Marta Quill.", "Twice")
    documents.add(bench.database, [twice])
    result = bench.removal.replace(MILL.id, twice.id, "Lea")
    assert list(result.moved) == ["owner"] and sorted(result.left) == ["both", "fire"]
