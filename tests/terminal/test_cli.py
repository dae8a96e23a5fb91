"""The main job through the terminal alone: the contract's JSON shapes and exit codes."""

import json
from pathlib import Path

import pytest

from core.errors import BenchError
from terminal.options import parser
from terminal.word_parser import parse_words

TOWN = """# The bridge at Orvel

The bridge at Orvel was designed by Marta Quill in 1931. It crosses the river Senn and is 212 metres long. The builder was
the Halden Ironworks, which had already built the station hall. Work began on 4 March 1929 and lasted 27 months.

The opening was attended by Mayor Tobias Renn. He praised the 340 workers who had laid the deck. The toll of 5 cents was
abolished in 1954, because the town council wanted more trade with the eastern bank.

In 1978 the Halden Ironworks closed. The Orvel Museum bought its archive for 12,000 crowns. Marta Quill died in Lisbon in 1969.
"""


@pytest.fixture
def town(tmp_path: Path) -> Path:
    path = tmp_path / "bridge.md"
    path.write_text(TOWN, encoding="utf-8")
    return path


def test_add_leaves_out_what_is_too_short_or_too_long_and_names_it(bw, tmp_path):
    file = tmp_path / "news.txt"
    file.write_text("桥。\nThe bridge was opened in 1890.\n" + "word " * 40 + "\n", encoding="utf-8")
    words = ("add", file, "--format", "lines", "--min-length", 5, "--max-length", 100)
    found = bw(*words).json
    assert [len(found[key]) for key in ("added", "already", "refused", "left_out")] == [1, 0, 0, 2]
    assert [row["message"] for row in found["left_out"]] == [
        "news.txt, line 1 has 2 characters, fewer than 5.",
        "news.txt, line 3 has 199 characters, more than 100.",
    ]
    again = bw(*words, json_too=False)
    assert "0 added, 1 already there, 0 refused, 2 left out by their length." in again.out and "line 3 has 199" in again.err
    for odd in ((0, 9), (9, 5)):
        assert bw("add", file, "--min-length", odd[0], "--max-length", odd[1]).code == 1


def test_add_says_how_many_files_state_another_domain_or_licence_than_was_given(bw, tmp_path):
    own = "---\ndomain: arts\nlicence: MIT\n---\nThe mill number {} of Orvel ground rye for a hundred years."
    for n in range(2):
        (tmp_path / f"own{n}.md").write_text(own.format(n))
    (tmp_path / "plain.md").write_text("The bridge at Orvel was built by Marta Quill in the year 1902.")
    words = ("add", *(tmp_path / name for name in ("own0.md", "own1.md", "plain.md")), "--domain", "Law", "--licence", "MIT")
    said = bw(*words)
    assert sorted(document["domain"] for document in said.json["added"]) == ["arts", "arts", "law"]
    assert "2 of the added documents keep the domain that the file states, not the one given" in said.err
    assert "licence" not in said.err and "own_facts" not in said.json
    assert "keep" not in bw(*words).err, "nothing was added"


def test_add_tells_what_is_new_what_is_known_and_what_is_broken(bw, town, tmp_path):
    (tmp_path / "empty.txt").write_text("", encoding="utf-8")
    first = bw("add", town, tmp_path / "empty.txt", "--domain", "arts", "--licence", "CC0-1.0")
    assert first.code == 0
    [document] = first.json["added"]
    assert document["characters"] == len(town.read_text(encoding="utf-8")) > 0 and "characters" not in first.json
    assert (document["title"], document["domain"], document["language"]) == ("The bridge at Orvel", "arts", "en")
    assert "text" not in document
    [refused] = first.json["refused"]
    assert refused["where"].endswith("empty.txt") and refused["message"]
    again = bw("add", town)
    assert again.code == 0 and again.json["added"] == []
    assert again.json["already"][0]["document"] == document["id"]


def test_bytes_that_are_no_text_are_said_whatever_the_language(bw, tmp_path):
    page = b'<meta charset="utf-8"><p>The old mill of Orvel was sold in 1872 to Ada Quill. \xff\xfe It was near the river.</p>'
    (tmp_path / "bad.html").write_bytes(page)
    said = bw("add", tmp_path / "bad.html", json_too=False)
    assert said.code == 0 and "bad.html has 2 places that are not utf-8" in said.out + said.err


def test_a_prediction_without_answers_is_said_to_be_unscored(bw, tmp_path):
    path = tmp_path / "p.jsonl"
    lines = [{"id": str(n), "prediction": "x", "answers": golds} for n, golds in enumerate(([], [""], [" ", "\n"]))]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    assert "unscored=3 (no value)" in bw("score", path, "--metrics", "exact_match", json_too=False).out
    scored = json.dumps({"id": "scored", "prediction": "x", "answers": ["x"]})
    path.write_text("".join(json.dumps(line) + "\n" for line in lines) + scored, encoding="utf-8")
    said = bw("score", path, "--metrics", "exact_match", json_too=False)
    assert "1.0000  n=1 failed=0 unscored=3 (no value)" in said.out, "the mean of the others is theirs alone"
    said = bw("score", path, "--metrics", "crag_truthfulness,exact_match", json_too=False)
    assert said.err.strip() == "Not judged: crag_truthfulness (4 answers). Name a judge with --judge AGENT."


def test_nothing_added_is_exit_1(bw, tmp_path):
    (tmp_path / "empty.txt").write_text("", encoding="utf-8")
    assert bw("add", tmp_path / "empty.txt").code == 1


def test_draft_decide_freeze_export_verify_import(bw, town, tmp_path):
    bw("add", town, "--domain", "arts", "--licence", "CC0-1.0")
    drafted = bw("draft", "--task", "explicit_factoid", "--domain", "arts", "--count", 1, "--agent", "offline").json
    assert drafted["asked"] == 1 and drafted["drafted"] == 1 and drafted["stopped"] is None and drafted["cost_usd"] == 0
    [item] = drafted["items"]
    assert item["level"] == 1 and item["status"] == "drafted" and item["provenance"]["agent"] == "offline"
    for span in item["evidence"]:
        assert span["text"] in TOWN

    assert bw("freeze", "empty").code == 1  # nothing accepted yet
    [done] = bw("decide", item["id"], "accept", "--as", "Ada", "--question", "Who designed it, then?").json
    assert (done["status"], done["revision"], done["question"]) == ("accepted", 2, "Who designed it, then?")

    frozen = bw("freeze", "v1").json
    assert (frozen["items"], frozen["documents"]) == (1, 1)
    assert bw("freeze", "v1").json["hash"] == frozen["hash"]
    assert bw("verify", "v1").json == {"ok": True, "hash": frozen["hash"], "problems": []}
    out = tmp_path / "out"
    assert bw("export", "v1", "--format", "jsonl", out).code == 0
    assert bw("verify", out).json["ok"]

    other = tmp_path / "other.duckdb"
    got = bw("import", out, "--format", "jsonl", workspace=other).json
    assert (got["items"], got["documents"], got["release"]) == (1, 1, "v1")
    assert bw("items", workspace=other).json == bw("items").json
    assert bw("verify", "v1", workspace=other).json["hash"] == frozen["hash"]
    assert bw("import", out, "--format", "jsonl", workspace=other).json["already"] == 1


def test_a_very_long_answer_is_stored_only_with_allow_long(bw, town):
    bw("add", town, "--domain", "arts", "--licence", "CC0-1.0")
    [item] = bw("draft", "--task", "explicit_factoid", "--domain", "arts", "--count", 1, "--agent", "offline").json["items"]
    long = "tower " * 9_000
    refused = bw("decide", item["id"], "accept", "--as", "Ada", "--answer", long)
    assert refused.code == 1 and "The answer has 54,000 characters" in refused.sentence and "--allow-long" in refused.sentence
    [kept] = bw("items").json
    assert (kept["status"], kept["revision"]) == ("drafted", 1)
    refused = bw("decide", item["id"], "accept", "--as", "Ada", "--question", long, "--allow-long")
    assert refused.code == 1 and "at most 20,000 can be stored" in refused.sentence
    refused = bw("rewrite", item["id"], "--as", "Ada", "--text", long)
    assert refused.code == 1 and "at most 20,000 can be stored" in refused.sentence
    [done] = bw("decide", item["id"], "accept", "--as", "Ada", "--answer", long, "--allow-long").json
    assert (done["status"], done["answers"][0]) == ("accepted", long.strip())
    [again] = bw("decide", item["id"], "accept", "--as", "Ada", "--answer", long.strip()).json
    assert again["answers"] == done["answers"], "what is stored already is not confirmed again"


def test_a_run_asks_once_and_reports(bw, town):
    bw("add", town, "--domain", "arts", "--licence", "CC0-1.0")
    [item] = bw("draft", "--task", "explicit_factoid", "--domain", "arts", "--count", 1, "--agent", "offline").json["items"]
    bw("decide", item["id"], "accept", "--as", "Ada")
    bw("freeze", "v1")
    first = bw("run", "v1", "--system", "vanilla", "--agent", "offline", "--retriever", "bm25").json
    assert (first["answered"], first["failed"], first["reused"], first["stopped"]) == (1, 0, 0, None)
    second = bw("run", "v1", "--system", "vanilla", "--agent", "offline", "--retriever", "bm25").json
    assert (second["run"], second["identity"], second["reused"]) == (first["run"], first["identity"], 1)
    report = bw("report", first["run"][:6]).json
    [run] = report["runs"]
    assert set(run["offline"]) == {"draft", "answer"}
    cells = {cell["metric"]: cell for cell in run["cells"]}
    assert cells["token_f1"]["n"] == 1 and cells["evidence_recall@5"]["mean"] is not None
    predictions = town.parent / "failed.jsonl"
    predictions.write_text(json.dumps({"id": item["id"], "prediction": None, "error": "no reply"}), encoding="utf-8")
    failed = bw("run", "v1", "--system", "recorded", "--set", f"predictions={predictions}")
    assert (failed.code, failed.json["failed"], failed.json["stopped"]) == (1, 1, None), "as a draft of which every call failed"
    assert "every question failed, 1 of 1. First failure: no reply" in failed.err
    assert bw("runs").json[0]["failed"] == 1, "and all is stored"


def test_score_needs_no_workspace(bw, tmp_path):
    lines = [
        {"id": "a", "prediction": "Paris", "answers": ["Paris"]},
        {"id": "b", "prediction": None, "answers": ["Rome"]},
        {"id": "c", "prediction": "", "answers": ["Oslo"]},
    ]
    path = tmp_path / "p.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    found = bw("score", path, "--metrics", "token_f1,exact_match").json
    assert found["n"] == 3
    assert found["metrics"]["token_f1"]["mean"] == 0.5
    assert found["metrics"]["token_f1"]["n"] == 2 and found["metrics"]["token_f1"]["failed"] == 1
    assert {row["id"]: row["token_f1"] for row in found["items"]} == {"a": 1.0, "b": None, "c": 0.0}


def test_usage_is_exit_2_and_a_wrong_name_is_one_sentence(bw):
    assert bw("draft", "--task", "x").code == 2
    wrong = bw("draft", "--task", "no_such_task", "--domain", "d", "--count", 1, "--agent", "offline")
    assert wrong.code == 1 and "explicit_factoid" in wrong.err and "Traceback" not in wrong.err


@pytest.mark.parametrize("name", ["a/b", "..", "../x", "-x", "a\nb", "", "working", "a\\b"])
def test_a_release_name_that_is_a_path_is_refused(bw, name):
    done = bw("freeze", "--", name) if name.startswith("-") else bw("freeze", name)
    assert done.code in (1, 2) and done.err and "Traceback" not in done.err


def test_the_help_of_demo_names_the_file_that_it_makes_anew(capsys):
    for verb, file in (
        ("demo", "demo.duckdb in the current folder, which is created anew"),
        ("items", "benchwright.duckdb in the current folder"),
    ):
        with pytest.raises(SystemExit):
            parser().parse_args([verb, "--help"])
        assert file in " ".join(capsys.readouterr().out.split())


def test_what_one_command_makes_optional_the_next_requires() -> None:
    assert parse_words(["draft", "--task", "template_question", "--count", "1"]).domain is None
    assert parse_words(["export", "v1", "--to", "hub:me/benchmark"]).format is None
    with pytest.raises(BenchError, match="are required: --domain, --agent"):
        parse_words(["draft", "--task", "summary", "--count", "1"])
    with pytest.raises(BenchError, match="are required: --format, out"):
        parse_words(["export", "v1"])


def test_reviews_name_the_reviewers_of_a_decision_that_new_rules_made(bw, town, tmp_path):
    assert bw("add", town, "--domain", "arts", "--licence", "CC0").code == 0
    words = ("--task", "explicit_factoid", "--domain", "arts", "--count", 1, "--agent", "offline")
    [item] = (one["id"] for one in bw("draft", *words).json["items"])
    rules = tmp_path / "queue.yaml"
    rules.write_text("overlaps: [{wanted: 2}]\n")
    assert bw("queue", rules, "--as", "Lea").code == bw("decide", item, "accept", "--as", "Ann").code == 0
    rules.write_text("seed: 0\n")
    assert bw("queue", rules, "--as", "Lea").code == 0
    lines = bw("reviews", json_too=False).out.splitlines()
    assert [line.split("  ")[2] for line in lines] == ["accept by Ann", "accept by Ann, by the rules of Lea"]
