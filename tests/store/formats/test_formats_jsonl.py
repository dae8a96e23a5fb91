"""JSON lines: our Items come back as they were; outside questions become Items with their contexts; hostile lines are named."""

import json
from pathlib import Path
from typing import Any

import pytest

from core.errors import BenchError
from core.ids import content_hash
from core.nouns import Span
from core.records import item_record
from store.formats import jsonl
from store.formats.shipped.verify import verify
from tests.store.released import bundle, items

QA = {
    "question": "Who built the mill?",
    "answer": "Ada Reed",
    "contexts": [
        {"title": "Mill", "text": "Ada Reed built the mill.", "gold": True},
        {"text": "Bread is baked.", "gold": False},
    ],
}


def read_lines(tmp_path: Path, *lines: Any) -> Any:
    path = tmp_path / "qa.jsonl"
    path.write_text("".join((line if isinstance(line, str) else json.dumps(line)) + "\n" for line in lines), encoding="utf-8")
    return jsonl.read(path)


def exported(tmp_path: Path) -> Path:
    folder = tmp_path / "out"
    folder.mkdir()
    jsonl.write(bundle(), folder, frozenset())
    return folder


def change(path: Path, number: int, **fields: Any) -> None:
    records = [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line]
    records[number] |= fields
    path.write_text("".join(json.dumps(r, ensure_ascii=False) + "\n" for r in records), encoding="utf-8")


def test_an_exported_folder_comes_back_as_it_was(tmp_path):
    whole, back = bundle(), jsonl.read(exported(tmp_path))
    assert back.items == whole.items and list(back.variants) == list(whole.variants)
    assert {d.id: d for d in back.documents} == {d.id: d for d in whole.documents}
    assert (back.name, back.hash, back.manifest, list(back.refused)) == (whole.name, whole.hash, whole.manifest, [])


def test_a_changed_item_of_a_folder_is_refused(tmp_path):
    folder = exported(tmp_path)
    change(folder / "items.jsonl", 1, question="Another?")
    back = jsonl.read(folder)
    assert [i.id for i in back.items] == ["i1", "i3"]
    [refused] = back.refused
    assert (refused["where"], refused["line"]) == ("items.jsonl", 2) and "was changed" in refused["message"]


def test_a_span_shifted_by_one_character_is_found_by_reading_and_by_verify(tmp_path):
    folder = exported(tmp_path)
    record = json.loads((folder / "items.jsonl").read_text(encoding="utf-8").split("\n")[1])
    [span] = record["evidence"]
    change(folder / "items.jsonl", 1, evidence=[span | {"start": span["start"] + 1, "end": span["end"] + 1}])
    messages = [row["message"] for row in verify(folder)[1] if row["id"] == "i2"]
    assert any("is not the text that stands there" in message for message in messages)
    assert "has evidence that differs from the text at" in jsonl.read(folder).refused[0]["message"]


def test_a_missing_line_of_a_folder_is_told(tmp_path):
    folder = exported(tmp_path)
    lines = (folder / "items.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
    (folder / "items.jsonl").write_text("".join(lines[:-1]), encoding="utf-8")
    assert "lacks 1 items of the manifest, i3" in jsonl.read(folder).refused[0]["message"]


def test_withheld_items_do_not_come_in(tmp_path):
    folder = tmp_path / "out"
    folder.mkdir()
    jsonl.write(bundle(splits={"i2": "dev"}), folder, frozenset({"dev"}))
    back = jsonl.read(folder)
    assert [i.id for i in back.items] == ["i1", "i3"] and "is withheld" in back.refused[0]["message"]


@pytest.mark.fault(17)
def test_a_split_name_that_is_a_path_is_refused(tmp_path):
    folder = exported(tmp_path)
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    manifest["items"][0]["split"] = "../../x"
    (folder / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    with pytest.raises(BenchError, match="not a valid split name"):
        jsonl.read(folder)


@pytest.mark.parametrize("name", ["manifest.json", "checksums.json"])
def test_a_file_beside_the_records_that_is_nested_too_deeply_is_one_sentence(tmp_path, name):
    folder = exported(tmp_path)
    (folder / name).write_text('{"a": ' * 100_000, encoding="utf-8")
    with pytest.raises(BenchError) as raised:
        jsonl.read(folder)
    other = {"manifest.json", "checksums.json"} - {name}
    assert f"{name} is damaged: export the release again" in str(raised.value) and "\n" not in str(raised.value)
    assert not any(one in str(raised.value) for one in other), "only the damaged file is named"


def test_outside_questions_become_items_with_their_contexts(tmp_path):
    back = read_lines(tmp_path, QA)
    [item] = back.items
    gold, other = (context["text"] for context in QA["contexts"])
    assert (item.task, item.status, item.domain) == ("question_answering", "accepted", "general")
    assert (item.language, item.level) == ("en", None)
    assert item.provenance.origin == "imported" and item.answers == ("Ada Reed",)
    assert item.given == (content_hash(gold), content_hash(other))
    assert item.evidence == (Span(content_hash(gold), 0, len(gold)),) and item.overlap == 1.0
    assert [d.title for d in back.documents] == ["Mill", "Bread is baked."]


def test_an_item_without_an_id_gets_the_same_one_each_time(tmp_path):
    ids = [read_lines(tmp_path, QA).items[0].id, read_lines(tmp_path, QA).items[0].id]
    assert ids[0] == ids[1] != read_lines(tmp_path, QA | {"answer": "Bo"}).items[0].id


def test_one_context_in_two_lines_is_one_document(tmp_path):
    back = read_lines(tmp_path, QA, QA | {"question": "Who was it?"})
    assert len(back.items) == 2 and len(back.documents) == 2


def test_a_chinese_line_is_chinese_and_given_fields_win(tmp_path):
    given = {"level": "KS", "domain": "law", "labels": {"hops": 2}, "task": "t"}
    [item] = read_lines(tmp_path, {"id": 7, "question": "谁建了磨坊？", "answers": ["艾达"]} | given).items
    assert (item.id, item.language) == ("7", "zh")
    assert {name: getattr(item, name) for name in given} == given


def test_our_item_in_a_lone_file_comes_in_as_it_is(tmp_path):
    whole = items()[0]
    assert read_lines(tmp_path, item_record(whole, lambda span: "")).items == [whole]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("{broken", "is not JSON"),
        ("[" * 100_000, "nested too deeply"),
        ('{"question": "q", "level": ' + "9" * 5000 + "}", "too many digits"),
        ('{"question": NaN}', "holds NaN"),
        ('{"question": 1e999}', "too large"),
        ('{"question": "a", "question": "b"}', "twice"),
        ('"text"', "is not a JSON object"),
        ('{"question": "a\\u0000", "answer": "b"}', "NUL"),
        ('{"question": "a\\ud800", "answer": "b"}', "surrogate"),
        ({"question": " ", "answer": "b"}, "has no question"),
        ({"question": "a"}, "has no answers"),
        ({"question": "a", "answers": [3]}, "not text"),
        ({"question": "a", "answers": [""]}, "empty"),
        (QA | {"level": 9}, "level '9'"),
        (QA | {"language": "sv"}, "language 'sv'"),
        (QA | {"contexts": [{"text": ""}]}, "without text"),
        (QA | {"contexts": [{"text": "x" * 5_000_001}]}, "5,000,001 characters"),
        (QA | {"answer": "x" * 200_001}, "200,001 characters"),
        (QA | {"contexts": [{"text": "x", "gold": "yes"}]}, "neither true nor false"),
        (QA | {"id": True}, "id"),
        ({"id": "x", "revision": 1, "task": "t", "question": "q", "answers": ["a"], "status": "good"}, '"good" as its status'),
        ({"id": "x", "evidence": [{"document": "d"}], "task": "t", "question": "q", "answers": ["a"]}, "evidence"),
    ],
)
@pytest.mark.fault(12)
def test_a_bad_line_is_refused_by_its_number_and_the_rest_goes_on(tmp_path, line, said):
    back = read_lines(tmp_path, QA | {"id": "one"}, line, "", QA | {"id": "two"})
    assert [i.id for i in back.items] == ["one", "two"]
    [refused] = back.refused
    assert refused["line"] == 2 and said in refused["message"] and refused["message"].startswith("Line 2 of qa.jsonl ")


@pytest.mark.fault(13)
def test_a_repeated_id_is_refused(tmp_path):
    back = read_lines(tmp_path, QA | {"id": "a"}, QA | {"id": "a", "answer": "Bo"})
    assert [i.answers for i in back.items] == [("Ada Reed",)] and "of line 1" in back.refused[0]["message"]


OWN = {"id": "x", "revision": 1, "task": "t", "question": "q", "answers": ["a"]}


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"answers": "Paris"}, 'has "Paris" as its answers, where a list belongs'),
        ({"answers": [None]}, "has null as its answers[0], where text belongs"),
        ({"answers": [["a"]]}, 'has ["a"] as its answers[0], where text belongs'),
        ({"answers": []}, "has no answers"),
        ({"answers": [" "]}, "or an empty answer"),
        ({"answers": None}, "has null as its answers, where a list belongs"),
        ({"question": 5}, "has 5 as its question, where text belongs"),
        ({"id": 5}, "has 5 as its id, where text belongs"),
        ({"revision": "1"}, 'has "1" as its revision, where a whole number belongs'),
        ({"revision": 2**40}, "as its revision, where a number below"),
        ({"level": True}, "has true as its level"),
        ({"given": "doc"}, 'has "doc" as its given, where a list belongs'),
        ({"steps": [3]}, "has 3 as its steps[0], where an object belongs"),
        ({"steps": [{"kind": "tables", "tables": "t"}]}, 'has "t" as its steps[0].tables, where an object belongs'),
        ({"inputs": {"hallucinated": 4}}, "has 4 as its inputs.hallucinated, where text belongs"),
        ({"overlap": "much"}, 'has "much" as its overlap, where a number belongs'),
        ({"labels": {"annotations": "none"}}, 'has "none" as its labels.annotations, where a list belongs'),
        ({"provenance": "me"}, 'has "me" as its provenance, where an object belongs'),
        ({"provenance": {"seed": "3"}}, 'has "3" as its provenance.seed, where a whole number belongs'),
        ({"provenance": {"calls": "abc"}}, 'has "abc" as its provenance.calls, where a list belongs'),
        ({"evidence": [{"document": "d", "start": True, "end": 2}]}, "has true as its evidence[0].start"),
        ({"evidence": "d:1-2"}, "as its evidence, where a list belongs"),
    ],
)
def test_a_field_of_another_type_is_refused_by_its_line_and_name_and_never_turned_into_its_own(tmp_path, fields, said):
    back = read_lines(tmp_path, OWN | {"id": "one"}, OWN | fields, OWN | {"id": "two"})
    assert [(i.id, i.answers) for i in back.items] == [("one", ("a",)), ("two", ("a",))]
    [refused] = back.refused
    assert refused["message"].startswith("Line 2 of qa.jsonl ") and said in refused["message"]


def test_a_draft_without_an_answer_comes_in_as_one(tmp_path):
    [item] = read_lines(tmp_path, OWN | {"answers": [], "status": "drafted"}).items
    assert (item.status, item.answers) == ("drafted", ())


@pytest.mark.parametrize(
    ("file", "fields", "said"),
    [
        ("items.jsonl", {"answers": "M. Quill"}, 'has "M. Quill" as its answers, where a list belongs'),
        ("variants.jsonl", {"text": 7}, "has 7 as its text, where text belongs"),
        ("documents.jsonl", {"title": ["a"]}, 'has ["a"] as its title, where text belongs'),
    ],
)
def test_a_field_of_another_type_in_an_exported_folder_is_refused_by_its_name(tmp_path, file, fields, said):
    folder = exported(tmp_path)
    change(folder / file, 0, **fields)
    assert f"Line 1 of {file} {said}." in [row["message"] for row in jsonl.read(folder).refused]


@pytest.mark.fault(12)
def test_byte_order_mark_and_windows_lines_are_read_latin_1_is_named(tmp_path):
    path = tmp_path / "x.jsonl"
    line = json.dumps(QA).encode()
    path.write_bytes(b"\xef\xbb\xbf" + line + b"\r\n" + '{"question": "é", "answer": "b"}'.encode("latin-1") + b"\r\n")
    back = jsonl.read(path)
    assert len(back.items) == 1 and "Line 2 of x.jsonl is not UTF-8" in back.refused[0]["message"]


def test_nothing_readable_is_one_sentence(tmp_path):
    with pytest.raises(BenchError, match=r"Line 1 of qa\.jsonl is not JSON"):
        read_lines(tmp_path, "{broken", "{too")


def test_a_folder_without_items_says_so(tmp_path):
    with pytest.raises(BenchError, match=r"holds no items\.jsonl"):
        jsonl.read(tmp_path)


@pytest.mark.fault(18)
def test_a_path_inside_a_record_is_text_and_nothing_else(tmp_path):
    [item] = read_lines(tmp_path, QA | {"contexts": ["/etc/hostname"], "answer": "file:///etc/passwd"}).items
    assert item.answers == ("file:///etc/passwd",) and item.given == (content_hash("/etc/hostname"),)
