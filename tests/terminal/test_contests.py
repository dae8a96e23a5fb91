"""The verbs contests, errata and freeze --errata-of, from a file to what moved."""

import json
from pathlib import Path

from tests.conftest import Bench
from tests.house.documents import find_shown
from tests.house.test_docs import compare_shapes
from workbench import Workbench

SHAPES = "docs/reference/json-shapes.md"


def test_from_a_file_to_what_moved(bw: Bench, workspace: Path, tmp_path: Path) -> None:
    with Workbench.open(workspace) as bench:
        hash_ = bench.releases.freeze("v1").hash
        item = next(one for one in bench.reviews.items(status="accepted") if one.task == "explicit_factoid")
    bw("run", "v1", "--system", "echo", "--retriever", "bm25", "--metrics", "exact_match,token_f1")
    words = {"item": item.id, "kind": "wrong_answer", "answer": item.question, "reason": "", "name": "Zoe"}
    content = {"format": "benchwright-contests", "version": 1, "release": "v1", "hash": hash_, "contests": [words]}
    (tmp_path / "c.json").write_text(json.dumps(content), encoding="utf-8")
    taken = bw("contests", "import", str(tmp_path / "c.json")).json
    compare_shapes(find_shown(SHAPES, "contests", "import"), taken, "contests import")
    added = bw("contests", "add", "v1", item.id, "--reason", "See page 3.").json
    compare_shapes(find_shown(SHAPES, "contests", "add"), added, "contests add")
    shown = bw("contests", "show", taken["new"][0]).json
    compare_shapes(find_shown(SHAPES, "contests", "show"), shown, "contests show")
    assert shown["others"] == [added["id"]]
    refused = bw("freeze", "v1.1", "--errata-of", "v1")
    assert refused.code == 1 and "No accepted contest changes the release v1" in refused.err
    decided = bw("contests", "decide", taken["new"][0], "accept", "--answer", item.question, "--as", "Lea").json
    compare_shapes(find_shown(SHAPES, "contests", "decide"), decided, "contests decide")
    listed = bw("contests", "list", "--state", "accepted").json
    assert [one["id"] for one in listed["contests"]] == taken["new"]
    odd = bw("freeze", "v1.1", "--errata-of", "v1", "--split", "dev=1")
    assert odd.code == 1 and "--split does not apply to --errata-of" in odd.err
    frozen = bw("freeze", "v1.1", "--errata-of", "v1").json
    assert frozen["corrected"] == [item.id] and frozen["rescored"]["runs"][0]["rescored"] == [item.id]
    rescored = bw("errata", "rescore", "v1.1").json
    compare_shapes(find_shown(SHAPES, "errata", "rescore"), rescored, "errata rescore")
    moved = bw("errata", "show", "v1.1", "--metric", "exact_match").json
    compare_shapes(find_shown(SHAPES, "errata", "show"), moved, "errata show")
    (move,) = moved["moves"]["exact_match"]
    assert (move["before"], move["after"], move["n_after"]) == (0.0, 1 / move["n_after"], move["n_before"])
    assert "exact_match: what moved" in bw("errata", "show", "v1.1", json_too=False).out
    other = bw("errata", "show", "v1")
    assert other.code == 1 and "The release v1 is no erratum" in other.err
