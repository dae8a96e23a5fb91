"""Two files may have one id for two questions: both come in, and either again is known. Evidence and
given documents that are not there stay out."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from store.corpus import documents
from store.items import items
from tests.conftest import Bench
from workbench import Workbench

ENGLISH = {
    "context": "The bridge at Orvel was designed by Marta Quill in 1931.",
    "question": "Who designed it?",
    "text": "Marta Quill",
}
CHINESE = {"context": "奥维尔的桥由玛塔奎尔于1931年设计。", "question": "谁设计的？", "text": "玛塔奎尔"}


@pytest.fixture
def bench() -> Iterator[Workbench]:
    with Workbench.open(":memory:") as bench:
        yield bench


def squad(path: Path, one: dict[str, str]) -> Path:
    answer = {"text": one["text"], "answer_start": one["context"].index(one["text"])}
    row = {"id": "56beb4343aeaaa14008c925b", "question": one["question"], "answers": [answer]}
    data = [{"title": "Bridge", "paragraphs": [{"context": one["context"], "qas": [row]}]}]
    path.write_text(json.dumps({"version": "1.1", "data": data}), encoding="utf-8")
    return path


def test_two_languages_of_one_set_come_in_with_their_equal_ids(bench: Workbench, tmp_path: Path) -> None:
    paths = [squad(tmp_path / "en.json", ENGLISH), squad(tmp_path / "zh.json", CHINESE)]
    came = [bench.releases.import_(path, "squad") for path in (*paths, *paths)]
    assert [(report.items, report.already) for report in came] == [(1, 0), (1, 0), (0, 1), (0, 1)]
    found = {item.language: item for item in items.list_items(bench.database)}
    assert found["en"].id == "56beb4343aeaaa14008c925b" == found["zh"].labels["own_id"] and len(found) == 2
    assert found["zh"].answers == ("玛塔奎尔",)


def test_a_question_that_was_edited_here_is_still_the_one_of_its_file(bench: Workbench, tmp_path: Path) -> None:
    path = squad(tmp_path / "en.json", ENGLISH)
    bench.releases.import_(path, "squad")
    [item] = items.list_items(bench.database)
    bench.reviews.decide(item.id, "accept", person="Ann", question="Who drew up its plans?")
    again: Any = bench.releases.import_(path, "squad")
    assert (again.items, again.already) == (0, 1)


def qa(path: Path, *rows: dict[str, Any]) -> Path:
    usual = {"question": "Who designed the bridge at Orvel in 1931?", "answer": "Marta Quill"}
    path.write_text("".join(json.dumps(usual | row) + "\n" for row in rows), encoding="utf-8")
    return path


def test_an_id_with_slashes_is_varied_like_any_other(tmp_path: Path, bw: Bench) -> None:
    assert bw("import", qa(tmp_path / "qa.jsonl", {"id": "a/b"}, {"id": "../x/"}), "--format", "jsonl").code == 0
    made = bw("vary", "--kinds", "keyboard")
    assert made.code == 0, made.err
    assert {row["item"] for row in [*made.json["made"], *made.json["refused"]]} == {"a/b", "../x/"}


def test_a_task_that_there_is_not_is_refused_by_its_line(bench: Workbench, tmp_path: Path) -> None:
    rows = [{"id": "a"}, {"id": "b", "task": "nonsense"}, {"id": "c"}]
    came: Any = bench.releases.import_(qa(tmp_path / "qa.jsonl", *rows), "jsonl")
    assert came.items == 2 and [row.line for row in came.refused] == [2]
    assert came.refused[0].message.startswith("Line 2 of qa.jsonl has the task 'nonsense', which is none of continu")


def import_changed(bench: Workbench, folder: Path, **change: Any) -> Any:
    """Export the English question, import it again as another item with `change` and without a document, and return the
    report."""
    bench.releases.import_(squad(folder / "en.json", ENGLISH), "squad")
    bench.releases.freeze("v1", allow_unlicensed="a test")
    bench.releases.export("v1", "jsonl", folder / "out")
    record = json.loads((folder / "out" / "items.jsonl").read_text(encoding="utf-8"))
    evidence = [record["evidence"][0] | change.pop("evidence", {})]
    record |= {"id": "other", "question": "Who else?", "evidence": evidence} | change
    (folder / "changed.jsonl").write_text(json.dumps(record) + "\n", encoding="utf-8")
    return bench.releases.import_(folder / "changed.jsonl", "jsonl")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"evidence": {"start": 0, "end": 10**9}}, "Line 1 of changed.jsonl (other) cites characters 0 to 1,000,000,000 of"),
        ({"evidence": {"text": "Marta Q"}}, "(other) states another text for its evidence than characters 0 to 56 of"),
        ({"evidence": {"document": "d9"}}, "(other) points into a document that is neither in changed.jsonl nor in"),
        ({"given": ["d9"]}, "(other) was given the document 'd9', which is neither in changed.jsonl nor in the workspace"),
    ],
)
def test_evidence_and_given_documents_that_are_not_there_stay_out(
    bench: Workbench, tmp_path: Path, change: dict[str, Any], message: str
) -> None:
    came = import_changed(bench, tmp_path, **change)
    assert came.items == 0 and message in came.refused[0].message


@pytest.mark.parametrize("text", [ENGLISH["context"], None])
def test_evidence_that_stands_there_comes_in(bench: Workbench, tmp_path: Path, text: str | None) -> None:
    assert import_changed(bench, tmp_path, evidence={"text": text}).items == 1


def test_nothing_stays_of_an_import_that_took_nothing(bench: Workbench, tmp_path: Path) -> None:
    row = {"contexts": [{"text": "The bridge at Orvel was designed by Marta Quill.", "gold": True}], "task": "nonsense"}
    came: Any = bench.releases.import_(qa(tmp_path / "qa.jsonl", row), "jsonl")
    assert (came.items, came.documents, len(came.refused)) == (0, 0, 1)
    assert documents.list_documents(bench.database) == []


def test_an_export_of_reviews_without_any_comes_in_as_nothing(bw: Bench, tmp_path: Path) -> None:
    assert bw("import", squad(tmp_path / "en.json", ENGLISH), "--format", "squad").code == 0
    assert bw("freeze", "v1", "--allow-unlicensed", "a test").code == 0
    assert bw("export", "v1", "--format", "reviews", tmp_path / "out").code == 0
    came = bw("import", tmp_path / "out", "--format", "reviews")
    assert (came.code, came.json["reviews"], came.json["refused"]) == (0, 0, [])
