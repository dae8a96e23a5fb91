"""CRAG's layout: what stands in its lines, traps of the real files included, comes in and goes out as it was."""

import bz2
import json
from pathlib import Path
from typing import Any

import pytest

from core.errors import BenchError
from core.nouns import Item
from store.formats import crag
from tests.conftest import Bench

PAGE = (
    "<!DOCTYPE html><html><head><title>Ferries</title><style>p {color: red}</style><script>let x = 'secret';</script>"
    "</head><body><article><h1>Ferries of Port Ellery</h1><p>The ferry of Port Ellery leaves at nine and at five, every day "
    "of the year, and takes forty people across the bay.</p></article></body></html>"
)


def page(html: str = PAGE, **more: Any) -> dict[str, Any]:
    return {
        "page_name": "Ferries",
        "page_url": "https://ellery.example/ferries",
        "page_snippet": "The <strong>ferry</strong> &amp; bus",
        "page_result": html,
        "page_last_modified": "Tue, 27 Feb 2024 22:55:55 GMT",
    } | more


def record(id_: str = "q1", **more: Any) -> dict[str, Any]:
    return {
        "interaction_id": id_,
        "query_time": "02/28/2024, 08:35:24 PT",
        "domain": "open",
        "question_type": "simple",
        "static_or_dynamic": "slow-changing",
        "query": f"when does ferry {id_} leave?",
        "answer": "at nine",
        "alternative_answers": "[]",
        "split": 1,
        "search_results": [page()],
    } | more


def written(path: Path, *records: Any) -> Path:
    lines = [one if isinstance(one, str) else json.dumps(one) for one in records]
    data = ("\n".join(lines) + "\n").encode()
    path.write_bytes(bz2.compress(data) if path.suffix == ".bz2" else data)
    return path


def items(path: Path) -> list[Item]:
    return list(crag.read(path).items)


def exported(bw: Bench, path: Path, out: Path, *more: str) -> dict[str, dict[str, Any]]:
    assert bw("import", path, "--format", "crag").code == 0
    assert bw("freeze", "r", "--allow-unlicensed", "a test").code == 0
    assert bw("export", "r", "--format", "crag", out, *more).code == 0
    with bz2.open(out / "crag.jsonl.bz2", "rt", encoding="utf-8") as file:
        return {one["interaction_id"]: one for one in map(json.loads, file)}


TRAPS = [
    record(
        "q1",
        answer="nan",
        search_results=[page(), page(page_url="https://other.example"), page("", page_snippet="<strong>Bus</strong> 4")],
    ),
    record("q2", answer="i don't know", search_results=[page("", page_snippet=""), page("  \n")]),
    record("q3", answer="invalid question", question_type="false_premise", alternative_answers="['never', \"nobody\"]"),
    {k: v for k, v in record("q4", popularity="", alt_ans=["five", "at 5"], split=0).items() if k != "alternative_answers"},
    record("q5", popularity="tail", alternative_answers=["one"], search_results=[], extra={"kept": [1]}),
]


@pytest.mark.parametrize("name", ["sample.jsonl", "sample.jsonl.bz2"])
def test_every_field_goes_out_as_it_came_in(bw: Bench, tmp_path: Path, name: str) -> None:
    out = exported(bw, written(tmp_path / name, *TRAPS), tmp_path / "out")
    assert out == {one["interaction_id"]: one for one in TRAPS}


def test_an_export_comes_in_as_it_was(tmp_path: Path, bw: Bench) -> None:
    exported(bw, written(tmp_path / "a.jsonl", *TRAPS), tmp_path / "out")
    assert bw("import", tmp_path / "out", "--format", "crag", workspace=tmp_path / "other.duckdb").json["items"] == 5
    before, after = ({i.id: i for i in items(path)} for path in (tmp_path / "a.jsonl", tmp_path / "out"))
    assert before == after


def test_without_html_the_text_stands_in_its_place_and_gives_the_same_documents(tmp_path: Path, bw: Bench) -> None:
    first = written(tmp_path / "a.jsonl", *TRAPS)
    out = exported(bw, first, tmp_path / "out", "--without-html")
    [shown, _, empty] = out["q1"]["search_results"]
    assert "leaves at nine" in shown["page_result"] and "<" not in shown["page_result"] and "secret" not in shown["page_result"]
    assert empty["page_result"] == "" and shown["page_snippet"] == page()["page_snippet"]
    assert [i.given for i in items(tmp_path / "out")] == [i.given for i in items(first)]


def test_a_second_import_brings_nothing_new(tmp_path: Path, bw: Bench) -> None:
    path = written(tmp_path / "a.jsonl", *TRAPS)
    first, second = (bw("import", path, "--format", "crag").json for _ in range(2))
    assert (first["items"], first["documents"], second["items"], second["documents"], second["already"]) == (5, 3, 0, 0, 5)


def test_pages_that_say_the_same_are_one_document_and_every_rank_stays(tmp_path: Path) -> None:
    bundle = crag.read(written(tmp_path / "a.jsonl", TRAPS[0]))
    (item,) = bundle.items
    ranks = [entry["document"] for entry in item.labels["crag"]["pages"]]
    assert ranks[0] == ranks[1] and list(item.given) == [ranks[0], ranks[2]]
    ferry, bus = bundle.documents
    assert "leaves at nine" in ferry.text and "secret" not in ferry.text and "color" not in ferry.text
    assert (ferry.title, ferry.origin, ferry.published) == (
        "Ferries",
        "https://ellery.example/ferries",
        "2024-02-27T22:55:55+00:00",
    )
    assert bus.text == "Bus 4" and "is empty" in item.labels["crag"]["pages"][2]["why"]


def test_a_page_without_text_and_snippet_is_a_rank_without_a_document(tmp_path: Path) -> None:
    (item,) = items(written(tmp_path / "a.jsonl", record(search_results=[page("", page_snippet="")])))
    assert item.given == () and item.labels["crag"]["pages"][0]["document"] is None


@pytest.mark.parametrize(
    ("more", "golds"),
    [
        ({"alternative_answers": "[]"}, []),
        ({"alternative_answers": '["a", "b"]'}, ["a", "b"]),
        ({"alternative_answers": "['a']"}, ["a"]),
        ({"alternative_answers": "plain words"}, ["plain words"]),
        ({"alternative_answers": None}, []),
        ({"alternative_answers": ["a", " "]}, ["a"]),
        ({"alt_ans": ["x"]}, ["x"]),
        ({"alternative_answers": "[not a list"}, ["[not a list"]),
    ],
)
def test_both_spellings_of_other_golds_are_read_as_list_or_text(tmp_path: Path, more: dict[str, Any], golds: list[str]) -> None:
    (item,) = items(written(tmp_path / "a.jsonl", record(**more)))
    assert item.answers == ("at nine", *golds)


def test_golds_that_look_like_numbers_of_python_stay_words(tmp_path: Path) -> None:
    assert [i.answers[0] for i in items(written(tmp_path / "a.jsonl", *TRAPS))][:3] == [
        "nan",
        "i don't know",
        "invalid question",
    ]


@pytest.mark.parametrize(
    ("broken", "why"),
    [
        ("{", "is not JSON"),
        ('{"interaction_id": "x", "answer": NaN}', "holds NaN"),
        (record(question_type="multi_hop"), "multi_hop"),
        (record(domain="news"), "has the domain 'news'"),
        (record(static_or_dynamic=None), "has no static_or_dynamic"),
        (record(query_time="yesterday"), "has the query_time 'yesterday'"),
        (record(popularity="big"), "has the popularity 'big'"),
        (record(answer=""), "has no answer"),
        (record(answer=5), "a value other than text as its answer"),
        (record(split="1"), "split"),
        (record(search_results="none"), "not a list of pages"),
        (record(search_results=[{"page_result": 1}]), "has a page whose page_result is not text"),
        (record(alternative_answers="[1]"), "alternative answers"),
        (record("ok"), "of line 1"),
        (record("ok", query="other?"), "of line 1"),
        ({"query": "?"}, "has no interaction_id"),
    ],
)
def test_a_bad_line_is_told_with_its_number_and_the_rest_comes_in(tmp_path: Path, broken: Any, why: str) -> None:
    bundle = crag.read(written(tmp_path / "a.jsonl", record("ok"), broken, record("after")))
    assert [item.id for item in bundle.items] == ["ok", "after"]
    (row,) = bundle.refused
    assert row["line"] == 2 and row["message"].startswith("Line 2 of a.jsonl ") and why in row["message"], row


def test_a_page_of_a_megabyte_and_a_half_comes_in_and_goes_out_whole(tmp_path: Path, bw: Bench) -> None:
    aside = "<div><span><a href='/x'>more of it</a></span></div>\n"
    long = PAGE.replace("</body>", f"<footer>{aside * (1_550_000 // len(aside))}</footer></body>")
    one = record(search_results=[page(long)])
    assert len(long) > 1_500_000 and exported(bw, written(tmp_path / "a.jsonl.bz2", one), tmp_path / "out") == {"q1": one}
    (document,) = crag.read(tmp_path / "a.jsonl.bz2").documents
    assert "leaves at nine" in document.text and "secret" not in document.text


def test_a_packed_file_that_breaks_off_keeps_what_stood_before(tmp_path: Path) -> None:
    path = written(tmp_path / "a.jsonl.bz2", *(record(f"q{n}", query=f"{n}" * 2000) for n in range(2000)))
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) - 40])
    bundle = crag.read(path)
    assert bundle.items and "cannot be decompressed" in bundle.refused[-1]["message"]


def test_a_large_file_is_handed_over_in_pieces(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crag, "MAX_QUESTIONS_PER_PIECE", 2)
    path = written(tmp_path / "a.jsonl", record("a"), "{", record("b"), record("c"))
    pieces = list(crag.pieces(path))
    assert [[item.id for item in piece.items] for piece in pieces] == [["a", "b"], ["c"]]
    assert [len(piece.documents) for piece in pieces] == [1, 0] and len(pieces[0].refused) == 1
    assert pieces[1].items[0].given == pieces[0].items[0].given


def test_an_edited_gold_goes_out_edited_in_the_form_in_which_it_was_read(tmp_path: Path, bw: Bench) -> None:
    path = written(tmp_path / "a.jsonl", record("q1", alternative_answers="['x']"))
    bw("import", path, "--format", "crag")
    assert bw("decide", "q1", "accept", "--as", "ann", "--answer", "at ten").code == 0
    out = exported(bw, path, tmp_path / "out")["q1"]
    assert out["answer"] == "at ten" and out["alternative_answers"] == "['x']"


def test_a_withheld_split_tells_no_gold_and_no_false_premise(tmp_path: Path, bw: Bench) -> None:
    path = written(tmp_path / "a.jsonl", *TRAPS)
    bw("import", path, "--format", "crag")
    bw("freeze", "r", "--allow-unlicensed", "a test")
    bw("export", "r", "--format", "crag", tmp_path / "out", "--withhold", "test")
    text = bz2.decompress((tmp_path / "out" / "crag.jsonl.bz2").read_bytes()).decode()
    assert "invalid question" not in text and "false_premise" not in text and "answer_hashes" in text
    with pytest.raises(BenchError, match="is withheld"):
        crag.read(tmp_path / "out")
    page_text = (tmp_path / "out" / "index.html").read_text()
    assert "false_premise" not in page_text and "i don't know" not in page_text


def test_an_item_without_the_labels_is_named(tmp_path: Path, bw: Bench) -> None:
    line = tmp_path / "own.jsonl"
    line.write_text(
        json.dumps({"id": "own", "question": "Who?", "answer": "A", "contexts": [{"text": "A did.", "gold": True}]})
    )
    bw("import", line, "--format", "jsonl")
    bw("freeze", "r", "--allow-unlicensed", "a test")
    said = bw("export", "r", "--format", "crag", tmp_path / "out")
    assert said.code == 1 and "Item own has the domain 'general'" in said.sentence


def test_a_file_of_something_else_is_refused_in_a_sentence(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b"PK\x03\x04 zip")
    with pytest.raises(BenchError):
        crag.read(path)
    path.write_text("\n\n")
    with pytest.raises(BenchError, match="holds no questions"):
        crag.read(path)


@pytest.mark.parametrize("blanks", [b" " * 2**20, b"\n" * 2**20])
def test_packed_blanks_without_end_are_given_up(tmp_path, monkeypatch, blanks):
    monkeypatch.setattr(crag, "MAX_UNPACKING_RATIO", 8)
    path = tmp_path / "x.jsonl.bz2"
    path.write_bytes(bz2.compress(blanks * 16))
    with pytest.raises(BenchError, match=r"unpacks to more than (8 times its size|100,000 blank lines)") as raised:
        crag.read(path)
    assert "\n" not in str(raised.value)


def test_packed_blank_lines_are_given_up_before_they_take_minutes(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl.bz2"
    path.write_bytes(bz2.compress(b"\n" * (crag.MAX_BLANK_LINES + 2)))
    with pytest.raises(BenchError, match="unpacks to more than 100,000 blank lines"):
        crag.read(path)


@pytest.mark.parametrize("year", ["99999999999999999999", "0", "x"])
def test_a_page_whose_date_cannot_be_read_has_none(tmp_path: Path, year: str) -> None:
    pages = [page(page_last_modified=f"Mon, 01 Jan {year} 00:00:00 GMT")]
    read = crag.read(written(tmp_path / "c.jsonl", record(search_results=pages), record("q2")))
    assert len(list(read.items)) == 2
