"""Whoever guesses an answer finds nothing in an export to test the guess against: all dates of three years are tried against
every hash in every file of every format."""

import hashlib
import json
import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest

from core.errors import BenchError
from core.ids import commit, content_hash, derived_id
from core.nouns import Document, Item, Provenance, Span
from core.records import item_record
from store.corpus import documents
from store.format import formats
from store.items import items
from workbench import Workbench

TEXT = "The old mill of Orvel burnt down on 14 March 1902, as its owner Ada Quill wrote. Nobody was hurt."
GOLD = "14 March 1902"
WRITTEN = sorted(name for name, form in formats().items() if form.write)
HASH = re.compile(r"(?<![0-9a-f])[0-9a-f]{16,64}(?![0-9a-f])")


def make_item(name: str, answer: str) -> Item:
    """An item as HawkBench's layout names it: its id is a hash of question and answer."""
    question = f"When did the {name} burn down?"
    return Item(
        id=hashlib.md5((question + answer).encode()).hexdigest(),
        task="explicit_factoid",
        question=question,
        answers=(answer,),
        evidence=(Span(content_hash(TEXT), TEXT.index(GOLD), TEXT.index(GOLD) + len(GOLD)),),
        level=1,
        domain="law",
        status="accepted",
        given=(content_hash(TEXT),),
        labels={"referent": answer, "frame_of": answer},
        provenance=Provenance("offline", "p@b2:1", 7, (content_hash(["request", answer]),)),
    )


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Workbench]:
    with Workbench.open(tmp_path / "w.duckdb") as bench:
        documents.add(bench.database, [Document(content_hash(TEXT), TEXT, "Mill", domain="law", licence="CC0-1.0")])
        items.add(bench.database, [make_item("mill", GOLD), make_item("bakery", "2 May 1903")])
        yield bench


def list_dates() -> Iterator[str]:
    day = date(1901, 1, 1)
    while day.year < 1904:
        yield f"{day.day} {day:%B %Y}"
        day += timedelta(days=1)


def guess(item: Item, answer: str, names: list[str]) -> set[str]:
    """Every hash that this program makes of an item with that answer, without a salt or with the ids in the export as salt."""

    def text(span: Span) -> str:
        return TEXT[span.start : span.end]

    guessed = replace(make_item("mill", answer), evidence=item.evidence)
    whole = [replace(guessed, id=name) for name in (item.id, guessed.id, *names)]
    records: list[dict[str, Any]] = [item_record(one, text) for one in whole]
    question = item.question
    values: list[Any] = [answer, [answer], [question, answer], question + answer, *records]
    found = {content_hash(value).removeprefix("b2:") for value in values}
    found |= {content_hash([name, answer]).removeprefix("b2:") for name in names}
    found |= {derived_id("hawkbench", question, answer, "law"), derived_id("outside", question, answer)}
    for plain in (answer, question + answer, json.dumps([answer]), json.dumps(records[0])):
        found |= {hashlib.new(kind, plain.encode()).hexdigest() for kind in ("md5", "sha1", "sha256")}
    for name, record in zip(["", *names], records[:1] * (len(names) + 1), strict=True):
        content = {"id": name, "split": "test", "item": record, "nuggets": None, "absence": None}
        found |= {commit(salt, content).removeprefix("sha256:") for salt in ("", name)}
    return found | {guessed.provenance.calls[0].removeprefix("b2:")}


def attack(texts: list[str], item: Item, names: list[str]) -> list[str]:
    """The dates that a hash in the texts confirms."""
    hashes = {found for text in texts for found in HASH.findall(text)}
    return [answer for answer in list_dates() if guess(item, answer, names) & hashes]


def read_files(folder: Path) -> list[str]:
    """The texts of all files; of a Parquet file its cells."""
    import pyarrow.parquet

    texts = []
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        if path.suffix == ".parquet":
            texts.append(json.dumps(pyarrow.parquet.read_table(path).to_pylist(), ensure_ascii=False))
        else:
            texts.append(path.read_bytes().decode("utf-8", "replace"))
    return texts


def find_item(bench: Workbench) -> Item:
    return next(item for item in bench.reviews.items(status="accepted") if item.answers == (GOLD,))


@pytest.mark.parametrize("form", WRITTEN)
def test_no_hash_in_a_sealed_export_confirms_a_guessed_date(bench: Workbench, tmp_path: Path, form: str) -> None:
    bench.releases.freeze("v1", sealed=True)
    item = find_item(bench)
    try:
        bench.releases.export("v1", form, tmp_path / "out")
    except BenchError:
        assert form not in ("jsonl", "parquet", "huggingface", "csv", "nq_open", "triviaqa", "reviews"), form
        assert not (tmp_path / "out").exists()
        return
    texts = read_files(tmp_path / "out")
    names = sorted(set(HASH.findall("".join(texts))))
    assert attack(texts, item, [name for name in names if len(name) == 16]) == []
    told = "".join(text.replace(TEXT, "") for text in texts)
    assert GOLD not in told and item.id not in told


def test_the_attack_finds_the_date_where_it_can(bench: Workbench, tmp_path: Path) -> None:
    bench.releases.freeze("v1")
    release, _ = bench.releases.get("v1")
    item = find_item(bench)
    manifest = json.dumps(release.manifest).replace(item.id, "")
    assert attack([manifest], item, []) == [GOLD], "the hash of the whole item confirms it"
    bench.releases.export("v1", "jsonl", tmp_path / "out")
    assert GOLD in attack(read_files(tmp_path / "out"), item, [])


def test_a_withheld_split_has_no_hash_of_a_whole_item_nor_of_a_request(bench: Workbench, tmp_path: Path) -> None:
    """An id that its makers took from question and answer stays the item's id: only a seal replaces it."""
    bench.releases.freeze("v1", split="dev=0.5,test=0.5")
    item = find_item(bench)
    split = next(row["split"] for row in bench.releases.get("v1")[0].manifest["items"] if row["id"] == item.id)
    bench.releases.export("v1", "jsonl", tmp_path / "out", withhold=[split])
    texts = [text.replace(item.id, "") for text in read_files(tmp_path / "out")]
    assert attack(texts, item, []) == []
