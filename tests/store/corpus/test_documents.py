"""Documents in the store."""

import pytest

from core.ids import content_hash
from core.nouns import Document
from store.corpus import documents
from store.engine.database import Database


def document(text: str, **fields: object) -> Document:
    return Document(content_hash(text), text, text[:10], **fields)  # type: ignore[arg-type]


def test_a_document_comes_back_as_it_went_in() -> None:
    one = document(
        "雨后的城市。\n\x00 \U0001f9ea",
        domain="law",
        language="zh",
        origin="a.jsonl:3",
        licence="CC-BY-4.0",
        published="2026-11-20",
        meta={"author": "甲", "n": 1.5, "none": None},
    )
    with Database.open(":memory:") as database:
        assert documents.add(database, [one]) == ([one.id], [])
        assert documents.get(database, one.id) == one
        assert documents.list_documents(database)[0].text == "" and documents.list_documents(database)[0].meta == one.meta
        assert documents.load_lengths(database) == {one.id: len(one.text)}


def test_the_same_text_twice_stays_as_the_first() -> None:
    with Database.open(":memory:") as database:
        a, b = document("a", domain="law"), document("b")
        again = document("a", domain="tech")
        assert documents.add(database, [a, again]) == ([a.id], [a.id])
        assert documents.add(database, [again, b]) == ([b.id], [a.id])
        assert documents.get(database, a.id).domain == "law"


def test_documents_come_in_their_order_and_by_domain_and_language() -> None:
    with Database.open(":memory:") as database:
        every = [document(f"text {n}", domain=("law", "tech")[n % 2], language=("en", "zh")[n // 3]) for n in range(6)]
        documents.add(database, every[:3])
        documents.add(database, every[3:])
        assert documents.load_documents(database) == every
        assert documents.load_documents(database, domain="law") == every[::2]
        assert documents.load_documents(database, domain="law", language="zh") == [every[4]]
        assert documents.load_documents(database, ids=[every[5].id, "unknown", every[0].id]) == [every[5], every[0]]
        assert documents.filter_known_ids(database, [every[1].id, "unknown"]) == {every[1].id}
        assert documents.count_documents(database)[0] == ("law", "en", 2, 12)


@pytest.mark.fault(44)
def test_thousands_go_in_with_a_few_statements() -> None:
    with Database.open(":memory:") as database:
        every = [document(f"text {n}") for n in range(5000)]
        assert len(documents.add(database, every).added) == 5000
        assert documents.load_documents(database, ids=[d.id for d in every[4000:]]) == every[4000:]


def test_three_million_characters_are_one_document() -> None:
    with Database.open(":memory:") as database:
        long = document("水" * 3_000_000)
        documents.add(database, [long, document("short")])
        assert documents.get(database, long.id).text == long.text
