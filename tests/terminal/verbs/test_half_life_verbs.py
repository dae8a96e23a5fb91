"""The verbs half-life, from a check of newer tables to the contests of changed answers."""

import json
import os
from pathlib import Path

import jobs
from tests.conftest import Bench
from tests.house.documents import find_shown
from tests.house.test_docs import compare_shapes
from workbench import Workbench

ROOT = Path(__file__).parents[3]
SHAPES = "docs/reference/json-shapes.md"


def test_from_a_newer_table_to_contests(bw: Bench, workspace: Path, tmp_path: Path) -> None:
    with Workbench.open(workspace) as bench:
        bench.tables.load_samples()
        words = {"id": "organization_of", "kind": "simple", "text": "What is the organization of {who}?"}
        bench.templates.save({**words, "table": "persons", "slots": {"who": "name"}, "answer": "organization"})
        job = bench.seasons.plan(["organization_of"], 12, 13)
        jobs.start(bench).submit(job).result()
        for item in bench.seasons.list_made(job):
            bench.reviews.decide(item.id, "accept", person="Ada", reason="")
        bench.releases.freeze("v1", tasks=["template_question"])
    newer = ROOT / "samples" / "newer"
    checked = bw("half-life", "check", "v1", "--tables", str(newer), "--pages", str(newer), "--at", "2040-01-01").json
    compare_shapes(find_shown(SHAPES, "half-life", "check"), checked, "half-life check")
    assert checked["outcomes"]["changed"] and not checked["outcomes"]["not_asked"]
    listed = bw("half-life", "list", "v1").json
    compare_shapes(find_shown(SHAPES, "half-life", "list"), listed, "half-life list")
    assert [one["check"] for one in listed["checks"]] == [checked["check"]] and len(listed["checks"][0]["pages"]) == 2
    shown = bw("half-life", "show", "v1", "--tolerance", "0.2").json
    compare_shapes(find_shown(SHAPES, "half-life", "show"), shown, "half-life show")
    assert shown["tolerance"] == 0.2 and shown["groups"][0]["points"][0]["counts"] == checked["outcomes"]
    assert "Answers that are still right" in bw("half-life", "show", "v1", json_too=False).out
    assert "<svg" in bw("half-life", "show", "v1", "--format", "html", json_too=False).out
    answers = bw("half-life", "answers", "v1", checked["check"][:6]).json
    compare_shapes(find_shown(SHAPES, "half-life", "answers"), answers, "half-life answers")
    lines = bw("half-life", "answers", "v1", checked["check"], "--format", "csv", json_too=False).out.splitlines()
    assert lines[0] == "item,outcome,why,question,released answer,newer answer,days"
    assert len(lines) == 1 + len(answers["answers"])
    contested = bw("half-life", "contest", "v1", checked["check"], "--as", "Lea").json
    compare_shapes(find_shown(SHAPES, "half-life", "contest"), contested, "half-life contest")
    assert len(contested["contests"]) == checked["outcomes"]["changed"]
    assert len(bw("contests", "list", "--release", "v1").json["contests"]) == len(contested["contests"])
    lost = bw("half-life", "check", "v1", "--tables", str(tmp_path / "none"))
    assert lost.code == 1 and "none does not exist" in lost.err
    os.mkfifo(tmp_path / "persons.csv")
    piped = bw("half-life", "check", "v1", "--tables", str(tmp_path / "persons.csv"))
    assert piped.code == 1 and "persons.csv is no regular file" in piped.sentence, "it waited for a writer for ever"
    (tmp_path / "persons.csv").unlink()
    (tmp_path / "persons.csv").write_text("person_id,name\nP001,Ann\nP001,Ann\n", encoding="utf-8")
    twice = bw("half-life", "check", "v1", "--tables", str(tmp_path / "persons.csv"), "--at", "2040-02-01")
    assert twice.code == 1 and "the key person_id stands more than once" in twice.err
    assert json.loads(json.dumps(shown, allow_nan=False)) == shown
