"""The sample world keeps what it promises: eight documents of one town that share no run of words, and items that stand on
them, at every level and in every domain."""

import json
import re
from collections import Counter
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from builders.drafting.samples import FOLDER, sample_documents, sample_items
from builders.task import Task
from core.catalog import catalog
from core.errors import BenchError
from core.ids import content_hash
from core.nouns import Document, Item
from core.text.text import detect_language

DOMAINS = {"tech", "novel", "arts", "humanities", "paper", "science", "finance", "law"}
CHINESE = {"arts", "science"}
LONG = {"novel", "humanities"}
HAN = re.compile(r"[\u4e00-\u9fff]")


@pytest.fixture(scope="module")
def documents() -> list[Document]:
    return sample_documents()


@pytest.fixture(scope="module")
def items(documents: list[Document]) -> list[Item]:
    return sample_items(documents)


def runs(document: Document) -> set[str]:
    """Every run of 8 words, or of 12 Chinese characters, punctuation left out."""
    if document.language == "zh":
        characters = re.sub(r"[\W_]+", "", document.text)
        return {characters[i : i + 12] for i in range(len(characters) - 11)}
    words = re.findall(r"\w+(?:['’]\w+)?", document.text.lower())
    return {" ".join(words[i : i + 8]) for i in range(len(words) - 7)}


def length(text: str, language: str) -> int:
    """Words, in Chinese characters."""
    return len(HAN.findall(text)) if language == "zh" else len(text.split())


def test_one_document_a_domain_with_its_language_licence_and_date(documents: list[Document]) -> None:
    assert {d.domain for d in documents} == DOMAINS and len(documents) == 8
    assert {d.domain for d in documents if d.language == "zh"} == CHINESE
    for document in documents:
        assert detect_language(document.text) == document.language
        assert document.id == content_hash(document.text)
        assert document.licence == "CC0-1.0" and re.fullmatch(r"\d{4}-\d\d-\d\d", document.published or "")
        assert document.text.lstrip().startswith("# ") and "licence:" not in document.text


def test_two_documents_are_long_and_the_others_of_reading_length(documents: list[Document]) -> None:
    for document in documents:
        low, high = (2500, 4000) if document.language == "zh" else (6001, 8000) if document.domain in LONG else (1400, 1800)
        assert low <= length(document.text, document.language) <= high, document.domain


def test_no_run_of_words_stands_in_two_documents(documents: list[Document]) -> None:
    seen: dict[str, str] = {}
    for document in documents:
        for run in runs(document):
            assert seen.setdefault(run, document.domain) == document.domain, run


def test_every_cell_of_level_and_domain_has_an_item(items: list[Item]) -> None:
    assert {(item.level, item.domain) for item in items} == {(level, domain) for level in (1, 2, 3, 4) for domain in DOMAINS}
    assert min(Counter(item.level for item in items).values()) >= 10
    languages = Counter(item.language for item in items)
    assert languages["en"] >= 28 and languages["zh"] >= 12
    assert len({item.id for item in items}) == len({item.question for item in items}) == len(items)


def test_tasks_are_those_of_the_levels(items: list[Item]) -> None:
    tasks = catalog("builders.tasks", "TASK", Task)
    assert all(tasks[item.task].level == item.level for item in items)


def test_items_belong_to_their_document_first(documents: list[Document], items: list[Item]) -> None:
    ids = {document.id: document for document in documents}
    for item in items:
        assert ids[item.given[0]].domain == item.domain and ids[item.given[0]].language == item.language
        assert {span.document for span in item.evidence} <= set(item.given)
        assert item.status == "accepted" and item.provenance.origin == "written" and item.overlap is not None
    assert sum(len(item.given) > 1 for item in items) >= 8, "questions over several documents"
    assert sum((item.overlap or 0) < 0.8 for item in items) >= 0.9 * len(items), "asked in other words than the text's"


def test_factoid_answers_stand_in_their_evidence(documents: list[Document], items: list[Item]) -> None:
    texts = {document.id: document.text for document in documents}
    for item in items:
        if item.level in (1, 2):
            evidence = [texts[s.document][s.start : s.end] for s in item.evidence]
            assert any(answer in text for answer in item.answers for text in evidence), item.id
            assert length(item.answers[0], item.language) <= 12
        if item.level == 2:
            assert str(item.labels["referent"]).lower() not in item.question.lower()
            assert any(str(item.labels["referent"]) in text for text in evidence), item.id
            assert len(item.evidence) >= 2


def test_rationale_answers_rest_on_three_places_and_have_statements(items: list[Item]) -> None:
    for item in items:
        if item.level in (3, 4):
            low, high = (80, 160) if item.language == "zh" else (40, 90)
            assert low <= length(item.answers[0], item.language) <= high, item.id
            assert len(item.evidence) >= 3
            letters, true = list(item.labels["selections"]), item.labels["selection_answers"]
            assert letters == [chr(97 + i) for i in range(len(letters))] and set(true) < set(letters)
            assert 1 <= len(true) <= 5 and 3 <= len(letters) - len(true) <= 5


def test_spans_do_not_overlap_and_stand_in_document_order(items: list[Item]) -> None:
    for item in items:
        places = [(item.given.index(s.document), s.start, s.end) for s in item.evidence]
        assert places == sorted(places)
        for (one, _, end), (two, start, _) in pairwise(places):
            assert one != two or end <= start, item.id


def test_a_quote_that_is_not_there_once_is_named(documents: list[Document], tmp_path: Path) -> None:
    line = json.loads((FOLDER / "items.jsonl").read_text(encoding="utf-8").splitlines()[0])
    for quote in ("no such sentence", "the"):
        line["evidence"] = [{"document": "tech.md", "quote": quote}]
        line["given"] = ["tech.md"]
        (tmp_path / "items.jsonl").write_text(json.dumps(line), encoding="utf-8")
        with pytest.raises(BenchError, match=r"line 1: .* must occur exactly once"):
            sample_items(documents, tmp_path / "items.jsonl")


def test_items_without_their_documents_are_refused(documents: list[Document]) -> None:
    with pytest.raises(BenchError, match=r"no sample document .*tech\.md"):
        sample_items([replace(d) for d in documents if d.domain != "tech"])
