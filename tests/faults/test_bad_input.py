"""Hostile words and broken documents at the terminal: one sentence each, an exit code of the contract, and nothing is lost."""

import json
import os
from pathlib import Path

import pytest

from core.ids import content_hash
from store.engine.database import Database
from tests.as_process import terminal
from tests.terminal.test_cli import TOWN


def test_broken_files_among_good_ones_are_told_one_by_one(bw, tmp_path):
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "a.md").write_text(TOWN, encoding="utf-8")
    (folder / "empty.txt").write_text("", encoding="utf-8")
    (folder / "blank.txt").write_text(" \n\t\n", encoding="utf-8")
    (folder / "picture.pdf").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(range(256)))
    (folder / "cut.docx").write_bytes(b"PK\x03\x04cut")
    (folder / "latin.txt").write_bytes("Ein schöner Überblick über die Brücke.".encode("utf-16"))
    (folder / "z.txt").write_text("The mill of Orvel burnt in 1902. Nobody was hurt.", encoding="utf-8")
    said = bw("add", folder, "--domain", "arts")
    assert said.code == 0 and "Traceback" not in said.err
    assert {d["title"] for d in said.json["added"]} >= {"The bridge at Orvel"}
    refused = {Path(r["where"]).name: r["message"] for r in said.json["refused"]}
    assert {"empty.txt", "blank.txt", "picture.pdf", "cut.docx"} <= refused.keys()
    assert all(message and "\n" not in message for message in refused.values())
    assert len(said.json["added"]) + len(refused) == 7


@pytest.mark.fault(12)
def test_a_broken_line_of_jsonl_is_named_by_its_number(bw, tmp_path):
    path = tmp_path / "d.jsonl"
    path.write_text(
        '{"text": "The mill of Orvel burnt in 1902."}\n{"text": \n{"title": "no text"}\n' + "[" * 100_000 + "\n"
        '{"text": "x", "n": NaN}\n{"text": "A second good line about the mill."}\n',
        encoding="utf-8",
    )
    said = bw("add", path, "--language", "en")
    assert said.code == 0 and len(said.json["added"]) == 2
    assert [r["line"] for r in said.json["refused"]] == [2, 3, 4, 5]


@pytest.mark.fault(7)
def test_three_million_characters_are_taken_six_million_are_one_sentence(bw, tmp_path):
    sentence = "The bridge at Orvel crosses the river Senn and was built by the Halden Ironworks. "
    taken, refused = tmp_path / "taken.txt", tmp_path / "refused.txt"
    taken.write_text(sentence * (3_000_000 // len(sentence)), encoding="utf-8")
    refused.write_text(sentence * (6_000_000 // len(sentence)), encoding="utf-8")
    said = bw("add", taken, refused)
    assert said.code == 0
    assert [d["origin"] for d in said.json["added"]] == ["taken.txt"]
    assert [r["where"] for r in said.json["refused"]] == ["refused.txt"]


def test_a_path_that_is_not_there_and_bytes_that_are_no_utf8(bw, tmp_path):
    said = bw("add", tmp_path / "nowhere.md")
    assert said.code == 1 and said.json["refused"][0]["message"]
    assert bw("add", "x" * 300).code == 1
    assert "not UTF-8" in bw("add", tmp_path / "caf\udce9.txt").sentence


@pytest.mark.parametrize(("name", "form"), [("folder", "auto"), ("blank.jsonl", "jsonl"), ("blank.txt", "lines")])
def test_a_folder_without_a_file_and_a_file_of_blank_lines_say_so(bw, tmp_path, name, form):
    (tmp_path / "folder").mkdir()
    for file in ("blank.jsonl", "blank.txt"):
        (tmp_path / file).write_text("\n \n", encoding="utf-8")
    said = bw("add", tmp_path / name, "--format", form)
    assert said.code == 1 and said.json["added"] == []
    assert f"{name} contains no" in said.json["refused"][0]["message"] and f"{name} contains no" in said.err


@pytest.mark.skipif(os.name != "posix", reason="pipes are POSIX's")
@pytest.mark.parametrize(
    "words", [("score", "pipe", "--metrics", "token_f1"), ("question-sets", "save", "i", "g", "pipe", "--as", "Ada")]
)
def test_a_named_pipe_that_nobody_writes_to_is_not_waited_for(bw, tmp_path, words):
    os.mkfifo(tmp_path / "pipe")
    said = bw(*(tmp_path / word if word == "pipe" else word for word in words))
    assert said.code == 1 and "it is a named pipe" in said.sentence


def test_usage_is_exit_2(bw):
    assert bw("no_such_verb").code == 2
    assert bw("items", "--status", "maybe").code == 2
    assert bw("items", "--stat", "drafted").code == 2, "an abbreviation would break with the next option"
    assert bw("freeze", "v1", "--seed", "-1").code == 2
    assert bw("freeze", "v1", "--seed", 2**63).code == 2
    assert bw("jobs", "--resume", "a", "--cancel", "b").code == 2


def test_a_piped_reader_that_goes_away_is_no_error(world, tmp_path):
    done = terminal("items", "--json", "--workspace", tmp_path / "w.duckdb", cwd=tmp_path, pipe="head -c 1")
    assert (done.returncode, done.stdout, done.stderr) == (0, "[", "")
    done = terminal("items", "--json", "--workspace", tmp_path / "w.duckdb", cwd=tmp_path, pipe="true")
    assert done.returncode == 0 and done.stderr == ""


def test_json_is_whole_on_a_terminal_without_the_letters(bw, tmp_path):
    (tmp_path / "z.md").write_text("# 奥维尔大桥\n\n大桥建于1931年。设计者是玛尔塔·奎尔。", encoding="utf-8")
    plain = {"PYTHONIOENCODING": "ascii"}
    done = terminal("add", "z.md", "--json", "--workspace", "z.duckdb", cwd=tmp_path, environment=plain)
    assert done.returncode == 0 and json.loads(done.stdout)["added"][0]["title"] == "奥维尔大桥"
    assert terminal("add", "z.md", "--workspace", "z.duckdb", cwd=tmp_path, environment=plain).returncode == 0


DRAFT = ("draft", "--task", "explicit_factoid", "--domain", "arts", "--agent", "offline", "--count")


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (("0",), "--count is 0"),
        (("-3",), "--count is -3"),
        (("99999999999",), "--count"),
        (("1", "--set", "nothing"), "key=value"),
        (("1", "--set", "=1"), "key=value"),
        (("1", "--set", "colour=red"), "no setting 'colour'"),
        (("1", "--set", "agent.rpm=3"), "no setting 'rpm'"),
        (("1", "--set", "judge.rpm=3"), "judge.rpm"),
        (("1", "--set", "window_tokens=abc"), "window_tokens"),
        (("1", "--set", "window_tokens=NaN"), "window_tokens"),
        (("1", "--set", "temperature=hot"), "temperature"),
        (("1", "--set", "temperature=" + "[" * 50_000), "temperature"),
        (("1", "--set", "language=xx"), "language"),
        (("1", "--set", "run_on=perhaps"), "true or false"),
        (("1", "--budget", "nan"), "budget"),
        (("1", "--budget", "-1"), "budget"),
    ],
)
def test_drafting_names_the_word_that_does_not_fit(bw, town, words, named):
    bw("add", town, "--domain", "arts")
    said = bw(*DRAFT, *words)
    assert said.code == 1 and named in said.sentence and len(said.err) < 400
    assert bw("jobs").json == [], "a job that cannot begin is not a job"


def test_drafting_without_documents_task_or_agent(bw, town):
    bw("add", town, "--domain", "arts")
    for words in (
        ("--task", "explicit_factoid", "--domain", "law", "--count", 1, "--agent", "offline"),
        ("--task", "../tasks", "--domain", "arts", "--count", 1, "--agent", "offline"),
        ("--task", "implicit_factoid", "--domain", "arts", "--count", 1, "--agent", "offline"),
        ("--task", "explicit_factoid", "--domain", "arts", "--count", 1, "--agent", "nobody"),
        ("--task", "explicit_factoid", "--domain", "arts", "--count", 1, "--agent", "openai:"),
        ("--task", "explicit_factoid", "--domain", "arts", "--count", 1, "--agent", "scripted:/nowhere.jsonl"),
        ("--task", "explicit_factoid", "--domain", "arts", "--count", 1, "--agent", "huggingface:/nowhere"),
    ):
        said = bw("draft", *words)
        assert said.code == 1 and said.sentence


@pytest.mark.parametrize(
    "words",
    [
        ("nobody", "accept", "--as", "Ada"),
        ("", "accept", "--as", "Ada"),
        ("ITEM", "accept", "--as", " "),
        ("ITEM", "accept", "--as", "Ada", "--answer", "  "),
        ("ITEM", "accept", "--as", "Ada", "--question", ""),
        ("ITEM", "discard", "--as", "Ada", "--question", "Why?"),
        ("ITEM", "accept", "--as", "A\udcff"),
    ],
)
def test_a_decision_that_cannot_be_is_one_sentence(bw, world, words):
    before = bw("items").json
    said = bw("decide", *(world["1902"] if word == "ITEM" else word for word in words))
    assert said.code == 1 and said.sentence
    assert bw("items").json == before


def test_deciding_twice_is_once_and_the_last_review_decides(bw, world, tmp_path):
    item = world["1902"]
    [first] = bw("decide", item, "discard", "--as", "Ada", "--reason", "dull").json
    assert bw("decide", item, "discard", "--as", "Ada", "--reason", "dull").json == [first]
    with Database.open(tmp_path / "w.duckdb") as database:
        assert database.rows("SELECT count(*) FROM review") == [(1,)]
    [second] = bw("decide", item, "accept", "--as", "Bob", "--question", "When exactly did the mill burn?").json
    assert (second["status"], second["revision"]) == ("accepted", 2)
    [third] = bw("decide", item, "accept", "--as", "Cy", "--answer", "in 1902").json
    assert (third["revision"], third["question"]) == (3, "When exactly did the mill burn?")


def test_nothing_is_lost_by_all_of_it(bw, world):
    """What was stored before hostile commands is there after them, to the byte."""
    before, hashed = bw("items").json, bw("verify", "v1").json
    for words in (
        ("run", "v1", "--system", "program", "--set", "program=/nowhere"),
        ("freeze", ".."),
        ("add", "/dev/null"),
        ("decide", "x", "accept", "--as", "A"),
        ("import", "/proc/self/status", "--format", "jsonl"),
        ("jobs", "--cancel", "nope"),
        ("backup", "/"),
    ):
        assert bw(*words).code == 1
    assert bw("items").json == before and bw("verify", "v1").json == hashed and hashed["ok"]
    assert content_hash(TOWN) in json.dumps(before)
