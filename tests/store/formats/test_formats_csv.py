"""CSV: one row an item, read back by any reader of CSV; nothing in it is run as a formula."""

import csv
import io
import json
from dataclasses import replace
from pathlib import Path

import pytest

from core.spreadsheet import safe_cell
from store.formats import csv as csv_format
from tests.conftest import Bench
from tests.store.released import bundle, items


def rows(folder: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO((folder / "items.csv").read_text("utf-8-sig"))))


def test_a_row_holds_an_item_with_the_text_of_its_evidence(tmp_path: Path) -> None:
    whole = bundle()
    csv_format.write(whole, tmp_path, frozenset())
    found = {row["id"]: row for row in rows(tmp_path)}
    assert (tmp_path / "items.csv").read_bytes().startswith(b"\xef\xbb\xbfid,") and list(found) == sorted(i.id for i in items())
    texts = {document.id: document.text for document in whole.documents}
    for item in items():
        row = found[item.id]
        assert [row["question"], row["answer"], row["task"]] == [item.question, item.answers[0], item.task]
        assert json.loads(row["other answers"] or "[]") == list(item.answers[1:])
        assert row["evidence"] == "\n".join(texts[span.document][span.start : span.end] for span in item.evidence)
        assert [place["start"] for place in json.loads(row["evidence places"] or "[]")] == [s.start for s in item.evidence]


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "＝1+1", "＠x", "a\r=1"])
def test_no_cell_is_run_as_a_formula(text: str, tmp_path: Path) -> None:
    item = replace(items()[0], question=text, answers=(text, "b"), labels={"=cmd": text, "set": [text]}, inputs={text: text})
    csv_format.write(bundle([item]), tmp_path, frozenset())
    table = list(csv.reader(io.StringIO((tmp_path / "items.csv").read_text("utf-8-sig"), newline="")))
    assert [cell for row in table for cell in row if cell and safe_cell(cell) != cell] == []
    assert len(table) == 2 and text != safe_cell(text)
    [row] = [dict(zip(table[0], one, strict=True)) for one in table[1:]]
    assert [row["question"], row["answer"], row["label: =cmd"], row[safe_cell(f"input: {text}")]] == [safe_cell(text)] * 4
    assert json.loads(row["label: set"]) == [text]


def test_a_withheld_item_has_hashes_in_the_place_of_its_answers(tmp_path: Path) -> None:
    whole = bundle(splits={"i1": "dev"})
    csv_format.write(whole, tmp_path, frozenset({"dev"}))
    row = next(row for row in rows(tmp_path) if row["id"] == "i1")
    assert (row["answer"], row["evidence"], row["withheld"], row["split"]) == ("", "", "yes", "dev")
    assert len(json.loads(row["answer hashes"])) == 2


def test_the_command_line_exports_it_and_cannot_read_it(bw: Bench, world: dict[str, str], tmp_path: Path) -> None:
    assert bw("export", "v1", "--format", "csv", tmp_path / "out").code == 0
    assert len(rows(tmp_path / "out")) == 2 and bw("verify", tmp_path / "out").code == 0
    done = bw("import", tmp_path / "out", "--format", "csv")
    assert done.code != 0 and "csv" in done.err
