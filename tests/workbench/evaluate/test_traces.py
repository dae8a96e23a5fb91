"""Evidence beside passages, worked by hand."""

from core.nouns import Document, Span
from store.corpus import documents
from store.engine.database import Database
from workbench.evaluate.traces.evidence_overlap import compare_evidence

TEXT = "The bridge was built in 1901. Marta Quill designed it. The mill burnt."
DOCUMENT = Document("d", TEXT, "Bridge")


def test_overlaps_are_marked_and_measured() -> None:
    with Database.open(":memory:") as database:
        documents.add(database, [DOCUMENT])
        gold = Span("d", 30, 54)  # the second sentence
        found = compare_evidence(database, [Span("d", 0, 42), Span("d", 36, 70), Span("x", 0, 5)], [gold])
    first, second, unknown = found.passages or ()
    assert first.shares == [(1, 0.5)] and second.shares == [(1, 0.75)] and unknown.shares == []
    assert "".join(text for text, _ in first.pieces) == TEXT[:42] and first.pieces[-1] == (TEXT[30:42], True)
    assert found.gold[0].shares == [(1, 0.5), (2, 0.75)] and found.covered == [1.0]
    assert unknown.title == "" and unknown.pieces == []


def test_offsets_are_code_points_whatever_the_letters() -> None:
    text = "😀 é 中文 and \u0065\u0301 end"
    with Database.open(":memory:") as database:
        documents.add(database, [Document("d", text, "Letters")])
        found = compare_evidence(database, [Span("d", 2, 6)], [Span("d", 4, 9)])
    assert "".join(part for part, _ in (found.passages or ())[0].pieces) == text[2:6]
    assert [part for part, is_both in found.gold[0].pieces if is_both] == [text[4:6]]
