"""Runs, scores and reports over what is not there, is broken, or fails: one sentence, or a failure that is counted."""

import json
import os
import select
import signal
import subprocess

import pytest

from store.engine.database import Database
from tests.as_process import command, surroundings

LINE = {"id": "mapped", "prediction": "Marta Quill", "answers": ["Marta Quill"]}


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (("nope", "--system", "echo"), "nope"),
        (("v1", "--system", "nope"), "nope"),
        (("v1", "--system", "vanilla"), "--agent"),
        (("v1", "--system", "echo", "--retriever", "nope"), "nope"),
        (("v1", "--system", "echo", "--metrics", "nope"), "rouge_l"),
        (("v1", "--system", "echo", "--metrics", "rogue_l"), "did you mean rouge_l"),
        (("v1", "--system", "echo", "--judge", "nope"), "nope"),
        (("v1", "--system", "echo", "--sample", "0"), "--sample"),
        (("v1", "--system", "echo", "--repeat", "0"), "--repeat"),
        (("v1", "--system", "echo", "--set", "top_k=many"), "top_k"),
        (("v1", "--system", "echo", "--set", "item_timeout=-1"), "item_timeout"),
        (("v1", "--system", "echo", "--set", "nope=1"), "nope"),
        (("v1", "--system", "echo", "--set", "concurrency=0"), "concurrency"),
        (("v1", "--system", "echo", "--set", "agent.rpm=3"), "agent.rpm"),
        (("v1", "--system", "react", "--agent", "offline", "--set", "pages=5"), "add --retriever given_pages"),
        (("v1", "--system", "recorded"), "predictions"),
        (("v1", "--system", "recorded", "--set", "predictions=/nowhere"), "/nowhere"),
        (("v1", "--system", "program"), "program"),
        (("v1", "--system", "endpoint"), "url"),
        (("v1", "--system", "endpoint", "--set", "url=file:///etc/passwd"), "url"),
        (("v1", "--system", "endpoint", "--set", "url=http://me:secret@127.0.0.1:9/x"), "key_env"),
        (("v1", "--system", "endpoint", "--set", "url=http://127.0.0.1:9/x", "--set", "key_env=secret"), "key_env"),
        (("v1", "--system", "endpoint", "--set", "url=http://127.0.0.1:9/x", "--set", "key_env=ABSENT_API_KEY"), "key_env"),
    ],
)
def test_a_run_that_cannot_begin_names_what_does_not_fit(bw, world, words, named):
    said = bw("run", *words)
    assert said.code == 1 and named in said.sentence and len(said.err) < 600
    assert "endpoint" not in words or bw("runs").json == [], "what is refused leaves no row in the list of runs"
    assert "secret" not in said.err.replace("'secret'", "") + json.dumps(bw("jobs").json)


def test_reports_of_what_is_not_there(bw, world):
    run = bw("run", "v1", "--system", "echo", "--retriever", "bm25").json["run"]
    for words in ((run, "nope"), ("",), ("abc",), (run, "--preset", "nope"), (run, "--by", "nope")):
        said = bw("report", *words)
        assert said.code == 1 and said.sentence
    assert len(bw("report", run, run[:6]).json["runs"]) == 1, "a run named twice is one run"


def test_line_7_of_a_predictions_file_is_named_and_the_others_count(bw, world, tmp_path):
    lines = [json.dumps(LINE | {"id": world["1902"] if n == 2 else f"q{n}"}) for n in range(10)]
    lines[6] = '{"id": "q6", "prediction": '
    path = tmp_path / "p.jsonl"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    said = bw("score", path, "--metrics", "exact_match")
    assert said.code == 0 and said.json["n"] == 9 and "Line 7 of p.jsonl" in said.err
    assert [r["line"] for r in said.json["refused"]] == [7]
    run = bw("run", "v1", "--system", "recorded", "--set", f"predictions={path}")
    assert run.code == 0 and "Line 7 of p.jsonl" in run.err
    assert "8 of 9 lines" in run.err and "belong to no item of this run" in run.err
    assert (run.json["answered"], run.json["failed"]) == (1, 1), "the item without a line is a failed trace"


def test_without_evidence_recall_is_undefined_and_says_why(bw, tmp_path):
    (tmp_path / "mill.txt").write_text("The mill of Orvel burnt in 1902, and the tower stood.", encoding="utf-8")
    assert bw("add", tmp_path / "mill.txt", "--licence", "CC0-1.0").code == 0
    with Database.open(tmp_path / "w.duckdb") as database:
        [[document]] = database.rows("SELECT id FROM document")
    path = tmp_path / "items.jsonl"
    rows = [
        {
            "id": name,
            "task": "explicit_factoid",
            "question": f"What of {name}?",
            "answers": [name],
            "domain": "arts",
            "language": "en",
            "given": [document],
        }
        for name in ("mill", "tower")
    ]
    path.write_text("\n".join(map(json.dumps, rows)) + "\n", encoding="utf-8")
    assert bw("import", path, "--format", "jsonl").code == 0
    assert bw("freeze", "bare").code == 0
    said = bw("run", "bare", "--system", "echo", "--retriever", "bm25", "--metrics", "evidence_recall,ndcg,length")
    assert said.code == 0 and said.json["answered"] == 2, said.err
    cells = {cell["metric"]: cell for cell in bw("report", said.json["run"], "--by", "level").json["runs"][0]["cells"]}
    for metric in ("evidence_recall@5", "ndcg@5"):
        assert (cells[metric]["mean"], cells[metric]["n"], cells[metric]["unscored"]) == (None, 0, 2)
        assert "no gold evidence" in cells[metric]["why"]
    assert cells["length"]["n"] == 2


def test_predictions_that_no_metric_can_take(bw, tmp_path):
    path = tmp_path / "p.jsonl"
    bad = [
        '{"id": "a", "seconds": Infinity}',
        '{"id": "b", "calls": 1e999}',
        "[" * 100_000,
        "[]",
        "null",
        '{"prediction": "x"}',
        f'{{"id": "c", "seconds": {"9" * 400}}}',
        f'{{"id": "d", "seconds": {"9" * 5000}}}',
        '{"id": "e", "answers": 3}',
    ]
    path.write_text("\n".join([*bad, json.dumps(LINE)]) + "\n", encoding="utf-8")
    said = bw("score", path, "--metrics", "exact_match,seconds")
    assert said.code == 0 and said.json["n"] == 1 and len(said.json["refused"]) == len(bad)
    for words in (
        (tmp_path / "nowhere.jsonl", "--metrics", "exact_match"),
        (tmp_path, "--metrics", "exact_match"),
        (path, "--metrics", ""),
        (path, "--metrics", "nope"),
        (path, "--metrics", "s_f1", "--judge", "nobody"),
        (path, "--metrics", "exact_match", "--set", "judge.rpm=2"),
        (path, "--metrics", "s_f1", "--votes", 0),
    ):
        said = bw("score", *words)
        assert said.code == 1 and said.sentence


PROGRAMS = {
    "raises": ("def answer(question, retrieve, ask):\n    raise ValueError('no idea')\n", "no idea"),
    "exits": ("import os\ndef answer(question, retrieve, ask):\n    os._exit(3)\n", "exit code 3"),
    "hangs": ("def answer(question, retrieve, ask):\n    while True: pass\n", "3 seconds"),
    "returns": ("def answer(question, retrieve, ask):\n    return 7\n", "neither a text"),
}


@pytest.mark.parametrize("kind", PROGRAMS)
def test_a_program_that_fails_is_failed_traces(bw, world, tmp_path, kind):
    words, said_of_it = PROGRAMS[kind]
    path = tmp_path / "program.py"
    path.write_text(words, encoding="utf-8")
    said = bw("run", "v1", "--system", "program", "--set", f"program={path}", "--set", "timeout=3")
    assert said.code == 1 and (said.json["answered"], said.json["failed"], said.json["stopped"]) == (0, 2, None)
    with Database.open(tmp_path / "w.duckdb") as database:
        errors = [row[0] for row in database.rows("SELECT error FROM trace")]
    assert len(errors) == 2 and all(said_of_it in error for error in errors)


def test_a_program_that_prints_ten_megabytes_answers_all_the_same(bw, world, tmp_path):
    path = tmp_path / "program.py"
    path.write_text("def answer(question, retrieve, ask):\n    print('x' * 10_000_000)\n    return '1902'\n", encoding="utf-8")
    said = bw("run", "v1", "--system", "program", "--set", f"program={path}", "--metrics", "exact_match")
    assert said.code == 0 and said.json["answered"] == 2 and len(said.out) < 2000 and len(said.err) < 2000
    assert (tmp_path / "w.duckdb").stat().st_size < 20_000_000


@pytest.mark.parametrize("words", ["def answer(:\n", "import no_such_module\ndef answer(q, r, a): pass\n", "x = 1\n", "\0"])
def test_a_program_that_cannot_be_loaded_ends_the_run_before_it_began(bw, world, tmp_path, words):
    path = tmp_path / "program.py"
    path.write_text(words, encoding="utf-8")
    said = bw("run", "v1", "--system", "program", "--set", f"program={path}")
    assert said.code == 1 and "program" in said.sentence


def test_a_hanging_program_does_not_outlive_a_killed_run(bw, world, tmp_path):
    path, told = tmp_path / "program.py", tmp_path / "told"
    os.mkfifo(told)
    path.write_text(
        f"import os\ndef answer(question, retrieve, ask):\n    open({str(told)!r}, 'w').write(str(os.getpid()))\n"
        "    while True: pass\n",
        encoding="utf-8",
    )
    line = command(
        "run",
        "v1",
        "--system",
        "program",
        "--set",
        f"program={path}",
        "--set",
        "processes=1",
        "--workspace",
        tmp_path / "w.duckdb",
    )
    ear = os.open(told, os.O_RDONLY | os.O_NONBLOCK)
    with subprocess.Popen(line, cwd=tmp_path, env=surroundings(), stdout=subprocess.DEVNULL) as child:
        assert select.select([ear], [], [], 20)[0], "it never began"
        hanging = os.pidfd_open(int(os.read(ear, 20)))
        child.send_signal(signal.SIGKILL)
    ended, _, _ = select.select([hanging], [], [], 20)
    for handle in (ear, hanging):
        os.close(handle)
    assert ended, "it still computes"


def test_a_report_wants_runs_or_the_preset_of_drafts(bw, world):
    assert bw("report").code == 2
    assert "no run was named" in bw("report", "--preset", "hawkbench_table2").sentence
    assert "give no run" in bw("report", "abcdef", "--preset", "hawkbench_table1").sentence


def test_a_sample_of_every_question_is_the_run_of_the_whole_release(bw, world):
    whole = bw("run", "v1", "--system", "echo", "--metrics", "token_f1").json
    again = bw("run", "v1", "--system", "echo", "--metrics", "token_f1", "--sample", "7", "--seed", "3").json
    one = bw("run", "v1", "--system", "echo", "--metrics", "token_f1", "--sample", "1").json
    assert (again["run"], again["reused"]) == (whole["run"], 2) and one["run"] != whole["run"]
    assert "a sample of" not in bw("report", again["run"], json_too=False).out
    assert "a sample of 1 question," in bw("report", one["run"], json_too=False).out
