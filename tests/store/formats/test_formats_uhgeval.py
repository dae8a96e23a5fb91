"""UHGEval's rows: what came in goes out equal, what has no repaired text waits for one, what is broken is refused alone."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from core.errors import BenchError
from core.nouns import Item
from store.format import Bundle
from store.formats import uhgeval
from tests.store.released import items

REAL = "渡口由石匠奎尔于1908年修建。"
WRONG = "渡口由木匠维尔于1908年修建，耗资九万元。"


def row(**fields: Any) -> dict[str, Any]:
    made = {
        "id": "doc_000001",
        "headLine": " 渡口百年 ",
        "broadcastDate": "2015-01-22 12:16:02",
        "type": "doc",
        "newsBeginning": "  奥维尔的渡口一百多年来没有停过。",
        "hallucinatedContinuation": f"\n{WRONG}",
        "generatedBy": "Model_7B",
        "annotations": [
            "渡口<sep>合理",
            "木匠维尔<sep>不合理，与事实冲突，应为石匠奎尔",
            "耗资九万元<sep>不合理，事实中没有提到",
        ],
        "realContinuation": REAL,
        "newsRemainder": f"{REAL}\n1954年停止收费。",
    }
    return made | fields


def write(path: Path, *rows: Any) -> Path:
    path.write_text("".join(json.dumps(one, ensure_ascii=False) + "\n" for one in rows), encoding="utf-8")
    return path


def export(found: Bundle, folder: Path) -> list[dict[str, Any]]:
    folder.mkdir()
    manifest = {"items": [{"id": item.id, "split": "test"} for item in found.items]}
    uhgeval.write(replace(found, name="u", hash="b2:0", manifest=manifest), folder, frozenset())
    return [json.loads(line) for line in (folder / uhgeval.FILE).read_text("utf-8").splitlines()]


ROWS = [
    row(),
    row(id="num_000002", newsRemainder="", realContinuation="", annotations=[]),
    row(id="gen_000003", hallucinatedMod=f"{REAL}\n", note=[1, None]),
    {"id": "kno_000004", "newsBeginning": "A ferry ran here.", "hallucinatedContinuation": "It sank in 1900."},
]


def test_rows_go_out_as_they_came_and_come_back_equal(tmp_path):
    first = uhgeval.read(write(tmp_path / "in.jsonl", *ROWS))
    assert list(first.refused) == []
    out = export(first, tmp_path / "out")
    assert {one["id"]: one for one in out} == {one["id"]: one for one in ROWS}
    again = uhgeval.read(tmp_path / "out")
    assert {i.id: i for i in again.items} == {i.id: i for i in first.items}
    assert {d.id: d for d in again.documents} == {d.id: d for d in first.documents}


def test_an_array_of_rows_reads_as_lines_do(tmp_path):
    (tmp_path / "in.json").write_text(json.dumps(ROWS, ensure_ascii=False, indent=1), encoding="utf-8")
    lines = uhgeval.read(write(tmp_path / "in.jsonl", *ROWS))
    assert uhgeval.read(tmp_path / "in.json").items == lines.items


def read_items(path: Path) -> dict[str, Item]:
    return {item.id.split(":")[1]: item for item in uhgeval.read(path).items}


def test_only_a_repaired_row_is_accepted_the_others_wait_for_an_answer(tmp_path):
    found = read_items(write(tmp_path / "in.jsonl", *ROWS))
    assert {name: (item.status, item.answers) for name, item in found.items()} == {
        "doc_000001": ("drafted", ()),
        "num_000002": ("drafted", ()),
        "gen_000003": ("accepted", (REAL,)),
        "kno_000004": ("drafted", ()),
    }
    assert {item.provenance.origin for item in found.values()} == {"imported"}


def test_article_evidence_and_annotations_are_read(tmp_path):
    bundle = uhgeval.read(write(tmp_path / "in.jsonl", row()))
    [item], [article] = bundle.items, bundle.documents
    [span] = item.evidence
    assert article.text == f"  奥维尔的渡口一百多年来没有停过。{REAL}\n1954年停止收费。"
    assert article.text[span.start : span.end] == REAL and item.given == (article.id,)
    assert (article.title, article.published) == ("渡口百年", "2015-01-22 12:16:02")
    assert item.labels["annotations"][1] == {"keyword": "木匠维尔", "is_right": False, "reason": "与事实冲突，应为石匠奎尔"}
    assert (item.language, item.inputs["hallucinated"]) == ("zh", WRONG)


def test_what_a_person_wrote_since_goes_out_and_the_rest_as_it_came(tmp_path):
    bundle = uhgeval.read(write(tmp_path / "in.jsonl", row()))
    repaired = replace(bundle, items=[replace(bundle.items[0], answers=(REAL,), status="accepted")])
    assert export(repaired, tmp_path / "out") == [row(hallucinatedMod=REAL)]


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"hallucinatedMod": '","msg":"request openai failed"'}, "failed API call as its hallucinatedMod"),
        ({"hallucinatedContinuation": "Request OpenAI failed"}, "failed API call as its hallucinatedContinuation"),
        ({"hallucinatedMod": " "}, "an empty hallucinatedMod"),
        ({"newsBeginning": ""}, "no newsBeginning"),
        ({"newsBeginning": ["a"]}, "a value other than text as its newsBeginning"),
        ({"id": 7}, "a value other than text as its id"),
        ({"annotations": "渡口<sep>合理"}, "annotations that are not a list"),
        ({"annotations": ["渡口"]}, "annotation '渡口'"),
        ({"id": "doc_000001"}, "repeats the id 'doc_000001'"),
    ],
)
def test_a_bad_row_is_refused_in_one_sentence_and_the_rest_goes_on(tmp_path, fields, said):
    found = uhgeval.read(write(tmp_path / "in.jsonl", row(), row(id="x") | fields))
    [refused] = found.refused
    assert len(found.items) == 1 and refused["line"] == 2
    assert refused["message"].startswith("Line 2 of in.jsonl ") and said in refused["message"]


def test_other_tasks_have_no_place_there(tmp_path):
    (tmp_path / "out").mkdir()
    with pytest.raises(BenchError, match="3 items are not of the task hallucination_repair, for example i1"):
        uhgeval.write(Bundle(items=items()), tmp_path / "out", frozenset())


def test_a_withheld_row_tells_no_answer_and_does_not_come_back(tmp_path):
    found = uhgeval.read(write(tmp_path / "in.jsonl", ROWS[2], row()))
    (tmp_path / "out").mkdir()
    manifest = {"items": [{"id": item.id, "split": "test"} for item in found.items]}
    salts = {item.id: "salt" for item in found.items}
    uhgeval.write(replace(found, manifest=manifest, salts=salts), tmp_path / "out", frozenset({"test"}))
    text = (tmp_path / "out" / uhgeval.FILE).read_text("utf-8")
    assert REAL not in text and "不合理" not in text
    with pytest.raises(BenchError, match="is withheld"):
        uhgeval.read(tmp_path / "out")


def test_annotations_go_out_with_the_marks_that_they_came_with(tmp_path):
    notes = [
        "渡口<sep>不合理：应为桥",
        "木匠<sep>不合理, 应为石匠",
        "九万<sep>不合理，，没有提到",
        "一九五四年<sep>合理，事实如此",
        "ferry<sep>unreasonable, it sank",
        "桥<sep>不合理没有",
    ]
    found = uhgeval.read(write(tmp_path / "in.jsonl", row(annotations=notes), row(id="b", annotations=notes)))
    [one, two] = found.items
    assert [note["reason"] for note in one.labels["annotations"]][:2] == ["应为桥", "应为石匠"]
    edited = [dict(note) for note in two.labels["annotations"]]
    edited[0]["reason"] = "应为船"
    changed = replace(found, items=[one, replace(two, labels={**two.labels, "annotations": edited})])
    out = {line["id"]: line["annotations"] for line in export(changed, tmp_path / "out")}
    assert out["doc_000001"] == notes and out["b"] == ["渡口<sep>不合理，应为船", *notes[1:]]
