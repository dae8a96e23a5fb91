"""HawkBench's layout: what was imported goes out as it came, what was made here in its form; archives are not trusted."""

import hashlib
import io
import json
import tarfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from core.errors import BenchError
from core.ids import content_hash
from core.nouns import Document, Item
from store.format import Bundle
from store.formats import hawkbench
from tests.store.released import BRIDGE, COURT, bundle, items

LONG = "The harbour of Orvel froze in 1902. " * 80
CONTEXTS = {
    hawkbench.context_id(LONG): {"context": LONG, "domain": "arts", "meta": {"title": "Harbour", "authors": ["Ann Ode"]}},
    "an-id-of-their-own": {"context": "Short text.", "domain": "law", "meta": {}},
}
LONG_ID = hawkbench.context_id(LONG)


def line(level: int, **fields: Any) -> dict[str, Any]:
    return {
        "input": f"When did it freeze, {level}?",
        "answers": ["1902"],
        "context_id": LONG_ID,
        "_id": f"id{level}",
        "label": "arts",
        "type": level,
        "selections": "",
        "selection_answers": "",
    } | fields


LINES = [
    line(1),
    line(2, context_id="an-id-of-their-own", label="law"),
    line(3),
    line(4, selections='{"a": "It froze.", "b": "caf\\u00e9"}', selection_answers='["a"]'),
    line(1, _id="x", note="kept"),
]


def layout(folder: Path, lines: list[Any]) -> Path:
    for record in lines:
        file = folder / "data" / "HawkBench" / f"level_{record['type']}" / f"{record['label']}.jsonl"
        file.parent.mkdir(parents=True, exist_ok=True)
        with file.open("a", encoding="utf-8") as out:
            out.write(json.dumps(record, ensure_ascii=False) + "\n")
    (folder / "data/HawkBench/all_context.json").write_text(json.dumps(CONTEXTS), encoding="utf-8")
    return folder


def as_written(folder: Path) -> tuple[dict[str, str], Any]:
    root = folder / "data" / "HawkBench"
    found = [text for file in root.glob("level_*/*.jsonl") for text in file.read_text("utf-8").splitlines()]
    return {json.loads(text)["_id"]: text for text in found}, json.loads((root / "all_context.json").read_text("utf-8"))


def export(found: Bundle, folder: Path) -> Path:
    folder.mkdir()
    manifest = {"items": [{"id": item.id, "split": "test"} for item in found.items]}
    hawkbench.write(replace(found, name="h", hash="b2:0", manifest=manifest), folder, frozenset())
    return folder


def test_imported_lines_go_out_byte_for_byte_and_come_back_equal(tmp_path):
    first = hawkbench.read(layout(tmp_path / "in", LINES))
    assert list(first.refused) == []
    out = export(first, tmp_path / "out")
    lines, contexts = as_written(out)
    assert lines == {record["_id"]: json.dumps(record, ensure_ascii=False) for record in LINES}
    assert contexts == CONTEXTS
    again = hawkbench.read(out)
    assert {i.id: i for i in again.items} == {i.id: i for i in first.items}
    assert {d.id: d for d in again.documents} == {d.id: d for d in first.documents}


def test_what_the_lines_say_is_read(tmp_path):
    found = {item.id: item for item in hawkbench.read(layout(tmp_path, LINES)).items}
    four = found["id4"]
    assert (four.task, four.level, four.domain) == ("implicit_rationale", 4, "arts")
    assert (four.status, four.provenance.origin) == ("accepted", "imported")
    assert four.labels["selections"] == {"a": "It froze.", "b": "café"} and four.labels["selection_answers"] == ["a"]
    assert [found[f"id{n}"].task for n in (1, 2, 3)] == ["explicit_factoid", "implicit_factoid", "explicit_rationale"]


def test_a_line_without_its_context_is_refused_not_dropped(tmp_path):
    found = hawkbench.read(layout(tmp_path, [line(1), line(2, context_id="gone")]))
    [refused] = found.refused
    assert len(found.items) == 1 and refused["where"].endswith("level_2/arts.jsonl") and refused["line"] == 1
    assert "'gone', which is not in all_context.json" in refused["message"]


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"input": ""}, "no input"),
        ({"answers": []}, "no answers"),
        ({"type": 5}, "level"),
        ({"selections": "{"}, "not JSON"),
        ({"selections": '{"a": "x"}', "selection_answers": '["z"]'}, "not among"),
        ({"_id": 3}, "_id"),
    ],
)
def test_a_bad_line_is_refused_and_the_rest_goes_on(tmp_path, fields, said):
    found = hawkbench.read(layout(tmp_path, [line(1), line(4, **fields)]))
    assert len(found.items) == 1 and said in found.refused[0]["message"]


def test_one_id_for_two_different_lines_keeps_both(tmp_path):
    found = hawkbench.read(layout(tmp_path / "in", [line(1), line(1, input="Another?"), line(1)]))
    assert len(found.items) == 2 and "repeats the record" in found.refused[0]["message"]
    out = export(found, tmp_path / "out") / "data/HawkBench/level_1/arts.jsonl"
    assert [json.loads(text)["_id"] for text in out.read_text("utf-8").splitlines()] == ["id1", "id1"]


def test_an_item_made_here_goes_out_in_the_released_form(tmp_path):
    hawkbench.write(bundle(), tmp_path, frozenset())
    lines, contexts = as_written(tmp_path)
    four = next(json.loads(text) for text in lines.values() if '"type": 4' in text)
    assert tuple(four) == hawkbench.KEYS
    joined = BRIDGE + "\n\n" + COURT
    name = hashlib.md5((joined[:1024] + joined[-1024:]).encode()).hexdigest()
    assert four["context_id"] == name and contexts[name]["context"] == joined
    assert four["_id"] == hashlib.md5((four["input"] + four["answers"][0]).encode()).hexdigest()
    assert json.loads(four["selections"]) == {"a": "The toll went.", "b": "It rose."} and four["selection_answers"] == '["a"]'
    assert all(json.loads(t)["selections"] == "" for t in lines.values() if '"type": 1' in t)
    assert contexts[hawkbench.context_id(BRIDGE)]["meta"]["title"] == "The bridge at Orvel"
    assert len(hawkbench.read(tmp_path).items) == 3


def test_two_contexts_with_the_same_ends_both_go_out(tmp_path):
    ends = LONG[:1100], LONG[-1100:]
    texts = [Document(content_hash(text), text, "Harbour") for text in ("ONE".join(ends), "TWO".join(ends))]
    asked = [Item(f"i{n}", "explicit_factoid", f"When, {n}?", ("1902",), level=1, given=(d.id,)) for n, d in enumerate(texts)]
    out = export(Bundle(documents=texts, items=asked), tmp_path / "out")
    lines, contexts = as_written(out)
    assert {contexts[json.loads(text)["context_id"]]["context"] for text in lines.values()} == {d.text for d in texts}
    again = hawkbench.read(out)
    assert {item.given for item in again.items} == {item.given for item in asked}


def test_an_edited_answer_keeps_the_imported_id_and_edited_statements_go_out(tmp_path):
    found = hawkbench.read(layout(tmp_path / "in", LINES))
    four = next(item for item in found.items if item.id == "id4")
    edited = replace(four, answers=("1903",), labels=four.labels | {"selections": {"a": "It thawed.", "b": "No."}})
    lines, _ = as_written(export(replace(found, items=[edited]), tmp_path / "out"))
    record = json.loads(lines["id4"])
    assert record["answers"] == ["1903"] and json.loads(record["selections"]) == {"a": "It thawed.", "b": "No."}


@pytest.mark.parametrize("domain", ["../../up", "a/b", "..", "CON.txt", "x" * 300, "法律"])
@pytest.mark.fault(17)
def test_a_domain_is_never_a_path(tmp_path, domain):
    item: Item = replace(items()[0], domain=domain)
    hawkbench.write(bundle([item]), tmp_path, frozenset())
    [file] = (tmp_path / "data/HawkBench").glob("level_1/*")
    assert file.parent == tmp_path / "data/HawkBench/level_1" and len(file.name) < 220
    assert [i.domain for i in hawkbench.read(tmp_path).items] == [domain]


def test_items_without_a_level_or_a_document_are_one_sentence(tmp_path):
    with pytest.raises(BenchError, match="1 items have no level from 1 to 4, for example i1"):
        hawkbench.write(bundle([replace(items()[0], level=None)]), tmp_path, frozenset())
    with pytest.raises(BenchError, match="belong to no document"):
        hawkbench.write(bundle([replace(items()[0], given=(), evidence=())]), tmp_path, frozenset())


def archive(path: Path, members: list[tuple[tarfile.TarInfo, bytes]]) -> Path:
    with tarfile.open(path, "w:bz2") as out:
        for info, content in members:
            out.addfile(info, io.BytesIO(content))
    return path


def member(name: str, content: bytes = b"", **fields: Any) -> tuple[tarfile.TarInfo, bytes]:
    info = tarfile.TarInfo(name)
    info.size = len(content)
    for key, value in fields.items():
        setattr(info, key, value)
    return info, content


def test_an_archive_reads_like_its_folder(tmp_path):
    folder = layout(tmp_path / "in", LINES)
    with tarfile.open(tmp_path / "h.tar.bz2", "w:bz2") as out:
        out.add(folder / "data", "data")
    assert hawkbench.read(tmp_path / "h.tar.bz2").items == hawkbench.read(folder).items


@pytest.mark.parametrize(
    ("name", "fields", "said"),
    [
        ("/etc/level_1/a.jsonl", {}, "leads outside the archive"),
        ("x/../../level_1/a.jsonl", {}, "leads outside the archive"),
        ("level_1/a.jsonl", {"type": tarfile.SYMTYPE, "linkname": "/etc/passwd"}, "link"),
        ("level_1/a.jsonl", {"type": tarfile.LNKTYPE, "linkname": "all_context.json"}, "link"),
    ],
)
def test_an_archive_with_a_way_out_is_refused_whole(tmp_path, name, fields, said):
    path = archive(tmp_path / "h.tar.bz2", [member("all_context.json", b"{}"), member(name, **fields)])
    with pytest.raises(BenchError, match=said):
        hawkbench.read(path)


@pytest.mark.fault(15)
def test_a_bomb_is_refused_by_what_it_claims(tmp_path):
    info, _ = member("level_1/a.jsonl", size=2**40)
    (tmp_path / "h.tar").write_bytes(info.tobuf() + b"\0" * 2048)
    with pytest.raises(BenchError, match="unpacks to over 1024 MB"):
        hawkbench.read(tmp_path / "h.tar")


@pytest.mark.fault(12)
def test_a_cut_archive_is_one_sentence(tmp_path):
    whole = archive(tmp_path / "h.tar.bz2", [member("all_context.json", b"{}" + b" " * 5000)]).read_bytes()
    (tmp_path / "cut.tar.bz2").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(BenchError, match="cannot be read as a tar archive"):
        hawkbench.read(tmp_path / "cut.tar.bz2")


@pytest.mark.fault(17)
def test_a_link_in_a_folder_is_not_followed(tmp_path):
    folder = layout(tmp_path / "in", [line(1)])
    (tmp_path / "secret.jsonl").write_text(json.dumps(line(1, _id="s")), encoding="utf-8")
    (folder / "data/HawkBench/level_1/zz.jsonl").symlink_to(tmp_path / "secret.jsonl")
    found = hawkbench.read(folder)
    assert [i.id for i in found.items] == ["id1"] and "is a link" in found.refused[0]["message"]


@pytest.mark.parametrize(
    ("content", "said"), [("[]", "not a JSON object"), ("{", "is not JSON"), (None, "holds no all_context.json")]
)
def test_broken_contexts_are_one_sentence(tmp_path, content, said):
    folder = layout(tmp_path, [line(1)])
    path = folder / "data/HawkBench/all_context.json"
    path.unlink()
    if content is not None:
        path.write_text(content, encoding="utf-8")
    with pytest.raises(BenchError, match=said):
        hawkbench.read(folder)


def test_contexts_that_no_item_names_come_in_and_go_out(tmp_path):
    found = hawkbench.read(layout(tmp_path / "in", LINES[:1]))
    assert {document.text for document in found.documents} == {LONG, "Short text."} and len(found.items) == 1
    _, contexts = as_written(export(found, tmp_path / "out"))
    assert contexts == {LONG_ID: CONTEXTS[LONG_ID], hawkbench.context_id("Short text."): CONTEXTS["an-id-of-their-own"]}


def test_contexts_alone_are_imported_as_documents(bw, tmp_path):
    (tmp_path / "in/data/HawkBench").mkdir(parents=True)
    alone = layout(tmp_path / "in", [])
    file = tmp_path / "contexts.json"
    file.write_bytes((alone / "data/HawkBench/all_context.json").read_bytes())
    for path in (file, alone):
        done = bw("import", path, "--format", "hawkbench")
        assert done.code == 0, done.err
    assert (done.json["documents"], done.json["items"], done.json["already"], done.json["refused"]) == (0, 0, 2, [])
    found = {document.text: document for document in hawkbench.read(file).documents}
    assert found[LONG].domain == "arts" and found[LONG].title == "Harbour" and found[LONG].meta["authors"] == ["Ann Ode"]


def test_contexts_that_are_none_are_told_in_a_sentence(tmp_path):
    for content, said in ((b"{}", "neither contexts nor items"), (b"[1]", "JSON object"), (b'{"a": 7}', "is not an object")):
        (tmp_path / "c.json").write_bytes(content)
        with pytest.raises(BenchError, match=said):
            hawkbench.read(tmp_path / "c.json")


def test_contexts_alone_come_in_as_documents(tmp_path):
    path = tmp_path / "all_context.json"
    path.write_text(json.dumps(CONTEXTS | {"odd": {"context": 3}}), encoding="utf-8")
    for found in (hawkbench.read(path), hawkbench.read(tmp_path)):
        assert not found.items and {d.text for d in found.documents} == {one["context"] for one in CONTEXTS.values()}
        assert [row["message"] for row in found.refused] == ["all_context.json odd has a context without text."]


def test_a_link_to_a_folder_is_named(tmp_path):
    (tmp_path / "all_context.json").write_text(json.dumps(CONTEXTS), encoding="utf-8")
    (tmp_path / "level_1").symlink_to(tmp_path)
    messages = [row["message"] for row in hawkbench.read(tmp_path).refused]
    assert messages == ["level_1 is a link to a folder, which is not followed."]


def long_name(size: int, kind: bytes = tarfile.GNUTYPE_LONGNAME) -> bytes:
    """A header that claims a name of so many bytes."""
    header = tarfile.TarInfo("././@LongLink")
    header.type, header.size = kind, size
    return header.tobuf(tarfile.GNU_FORMAT)


@pytest.mark.parametrize("kind", [tarfile.GNUTYPE_LONGNAME, tarfile.GNUTYPE_LONGLINK, tarfile.XHDTYPE, tarfile.XGLTYPE])
def test_a_name_of_six_gigabytes_is_one_sentence_and_is_not_read(tmp_path, kind):
    (tmp_path / "x.tar").write_bytes(long_name(6 * 2**30, kind) + bytes(1024))
    with pytest.raises(BenchError, match="a name or attributes of 6,442,450,944 bytes"):
        hawkbench.read(tmp_path / "x.tar")


def test_five_thousand_names_for_one_file_are_one_sentence(tmp_path):
    (tmp_path / "x.tar").write_bytes((long_name(5) + b"name".ljust(512, bytes(1))) * 5_000 + bytes(1024))
    with pytest.raises(BenchError, match="too many name headers"):
        hawkbench.read(tmp_path / "x.tar")
