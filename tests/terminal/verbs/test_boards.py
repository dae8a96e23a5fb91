"""The verbs board and freeze --sealed, from the frozen release to the opened seal."""

import json
from pathlib import Path

from store.releases import seals
from tests.conftest import Bench
from tests.house.documents import find_shown
from tests.house.test_docs import compare_shapes
from workbench import Workbench

SHAPES = "docs/reference/json-shapes.md"


def test_from_a_sealed_release_to_the_opened_seal(bw: Bench, workspace: Path, tmp_path: Path) -> None:
    frozen = bw("freeze", "v1", "--split", "dev=0.25,test=0.75", "--seed", "7", "--sealed", "--open-split", "dev").json
    assert frozen["sealed_items"] == 30
    bw("export", "v1", "--format", "jsonl", tmp_path / "out")
    rows = [json.loads(line) for line in (tmp_path / "out" / "items.jsonl").read_text(encoding="utf-8").splitlines()]
    sealed = [row for row in rows if row.get("withheld")]
    with Workbench.open(workspace) as bench:
        seal = seals.find(bench.database, frozen["hash"])
        assert seal is not None and {row["id"] for row in sealed} == set(seal.public_ids.values())
    predictions = tmp_path / "p.jsonl"
    predictions.write_text(
        "".join(json.dumps({"id": row["id"], "prediction": "no"}) + "\n" for row in sealed), encoding="utf-8"
    )
    taken = bw("board", "submit", "v1", predictions, "--system", "mine", "--as", "Zoe").json
    compare_shapes(find_shown(SHAPES, "board", "submit"), taken, "board submit")
    assert (taken["submission"], taken["left"], taken["metrics"]["exact_match"]["mean"]) == (2, 1, 0.0)
    shown = bw("board", "show", "v1").json
    compare_shapes(find_shown(SHAPES, "board", "show"), shown, "board show")
    assert [line["rank"] for line in shown["submissions"]] == [1]
    assert bw("board", "rules", "v1", "--per-week", "1").json == {"metrics": ["exact_match", "token_f1"], "per_week": 1}
    text = bw("board", "rules", "v1", json_too=False)
    assert "exact_match, token_f1; 1 submission of a person in seven days." in text.out
    predictions.write_text(predictions.read_text(encoding="utf-8").replace('"no"', '"yes"'), encoding="utf-8")
    refused = bw("board", "submit", "v1", predictions, "--system", "mine", "--as", "Zoe")
    assert refused.code == 1 and "takes 1 submission of a person in seven days, and Zoe has made 1" in refused.err
    assert bw("board", "record", "v1", tmp_path / "record.jsonl").json == {"entries": 4}
    assert bw("board", "verify", "v1", "--receipt", taken["receipt"]).json == {"ok": True, "problems": []}
    lost = bw("board", "verify", "v1", "--receipt", "sha256:00")
    assert lost.code == 1 and lost.json["problems"][0]["message"] == "is no entry of the record."
    opened = bw("board", "open", "v1", tmp_path / "out").json
    compare_shapes(find_shown(SHAPES, "board", "open"), opened, "board open")
    checked = bw("verify", tmp_path / "out")
    assert checked.code == 0 and checked.json["ok"]
    again = bw("board", "open", "v1", tmp_path / "out")
    assert again.code == 1 and "exists already: name a new file" in again.err
    assert "opened on" in bw("board", "show", "v1", json_too=False).out
