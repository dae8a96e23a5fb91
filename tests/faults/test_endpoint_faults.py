"""Drafting and runs through the terminal against an endpoint that fails by script: what can go on goes on, each failure is
counted as what it is, and the server's own count of requests is the ledger's count of attempts."""

import base64
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from store.engine.database import Database
from store.ledger.calls import Ledger
from tests.conftest import call_verb
from tests.openai_server import Running, running
from tests.orvel import NAMES, write_corpus

KEY = "sk-right-0123456789"
DRAFT = (
    "draft",
    "--task",
    "explicit_factoid",
    "--domain",
    "arts",
    "--agent",
    "openai:m",
    "--set",
    "run_on=false",
    "--set",
    "rag_check=false",
    "--set",
    "agent.concurrency=4",
    "--count",
)
RUN = ("run", "v1", "--system", "vanilla", "--agent", "openai:m", "--metrics", "exact_match", "--set", "agent.concurrency=2")

JUDGED = ("run", "v1", "--system", "echo", "--retriever", "bm25", "--metrics", "s_f1", "--judge", "openai:m")


@pytest.fixture(scope="module")
def one_server() -> Iterator[Running]:
    with running(key=KEY) as server:
        yield server


@pytest.fixture
def server(one_server: Running, monkeypatch: pytest.MonkeyPatch) -> Running:
    monkeypatch.setenv("OPENAI_BASE_URL", one_server.url)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    one_server.script([])
    one_server.reset()
    return one_server


@pytest.fixture(scope="module")
def made_corpus(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, str]]:
    """The workspace that `corpus` copies, and what it returns."""
    folder = tmp_path_factory.mktemp("corpus")
    workspace = folder / "w.duckdb"
    added = call_verb(workspace, "add", write_corpus(folder / "in"), "--domain", "arts", "--licence", "CC0-1.0")["added"]
    return workspace, {name: document["id"] for name in NAMES for document in added if name in document["title"]}


@pytest.fixture
def corpus(made_corpus: tuple[Path, dict[str, str]], tmp_path: Path) -> dict[str, str]:
    """The id of each document by its name."""
    workspace, ids = made_corpus
    shutil.copy(workspace, tmp_path)
    return ids


def counted(server: Running, tmp_path: Path) -> int:
    """Requests, by the server's count and the ledger's."""
    with Database.open(tmp_path / "w.duckdb") as database:
        attempts = Ledger(database).sum_spending().attempts
    assert server.count()["requests"] == attempts
    return attempts


@pytest.mark.parametrize(
    ("fault", "retries"),
    [
        ({"requests": [1, 3], "fault": "status", "status": 429, "retry_after": 1}, 2),
        ({"requests": [2], "fault": "status", "status": 500}, 1),
        ({"requests": [2], "fault": "status", "status": 503, "retry_after": 1}, 1),
        ({"requests": [2], "fault": "hang"}, 1),
        ({"requests": [2], "fault": "cut"}, 1),
        ({"requests": [2], "fault": "drop"}, 1),
    ],
    ids=["429", "500", "503", "hang", "cut", "drop"],
)
@pytest.mark.fault(27)
def test_a_passing_fault_is_retried_and_nobody_notices(bw, server, corpus, tmp_path, fault, retries):
    server.script([fault])
    said = bw(*DRAFT, 6, "--set", "agent.timeout=4")
    assert said.code == 0 and "Traceback" not in said.err
    assert (said.json["drafted"], said.json["failed"], said.json["unreadable"], said.json["calls"]) == (6, 0, 0, 6)
    assert counted(server, tmp_path) == 6 + retries


@pytest.mark.fault(27)
def test_a_draft_of_which_every_call_failed_exits_with_1(bw, server, corpus, tmp_path):
    server.script([{"contains": "", "fault": "status", "status": 500}])
    said = bw(*DRAFT, 1)
    assert (said.code, said.json["drafted"], said.json["stopped"]) == (1, 0, None) and "500" in said.json["message"]


@pytest.mark.fault(27)
def test_a_draft_of_which_no_reply_can_be_read_is_a_shortfall(bw, server, corpus, tmp_path):
    server.script([{"contains": "", "fault": "prose"}])
    said = bw(*DRAFT, 1)
    assert (said.code, said.json["drafted"], said.json["unreadable"], said.json["stopped"]) == (0, 0, 2, None)
    assert said.json["message"].startswith("asked 1, drafted 0: 2 unreadable")


@pytest.mark.fault(27)
def test_one_window_that_always_fails_leaves_the_others(bw, server, corpus, tmp_path):
    server.script([{"contains": NAMES[2], "fault": "status", "status": 500}])
    said = bw(*DRAFT, 6)
    assert said.code == 0 and (said.json["drafted"], said.json["failed"], said.json["calls"]) == (6, 1, 6)
    assert "1 failed" in said.json["message"] and "500" in said.json["message"] and "Kesh" not in said.json["message"]
    assert counted(server, tmp_path) == 6 + 3
    server.script([])
    again = bw(*DRAFT, 1).json
    assert again["drafted"] == 1 and again["items"][0]["given"] == [corpus[NAMES[2]]], "it may be tried again"


@pytest.mark.parametrize("fault", ["prose", "malformed", "answerless", "empty", "length", "filter"])
@pytest.mark.fault(27)
def test_replies_that_cannot_be_read_are_counted_as_unreadable(bw, server, corpus, tmp_path, fault):
    server.script([{"contains": NAMES[4], "fault": fault}])
    said = bw(*DRAFT, 6)
    assert said.code == 0 and (said.json["drafted"], said.json["unreadable"], said.json["failed"]) == (6, 1, 0)
    assert said.json["message"].startswith("asked 6, drafted 6: 1 unreadable")
    assert counted(server, tmp_path) == said.json["calls"] and 7 <= said.json["calls"] <= 9
    with Database.open(tmp_path / "w.duckdb") as database:
        assert database.rows("SELECT count(*) FROM call WHERE text IS NOT NULL") == [(said.json["calls"],)], "all are kept"


@pytest.mark.parametrize("reply", ["[" * 50_000, '{"a": ' * 50_000 + "1" + "}" * 50_000, "9" * 6000, '{"question": {}}', "\0"])
@pytest.mark.fault(27)
def test_monstrous_replies_are_unreadable_too(bw, server, corpus, tmp_path, reply):
    server.script([{"contains": NAMES[0], "fault": "text", "text": reply}])
    said = bw(*DRAFT, 6)
    assert said.code == 0 and (said.json["drafted"], said.json["unreadable"], said.json["failed"]) == (6, 1, 0)
    assert len(said.json["message"]) < 1000
    counted(server, tmp_path)


@pytest.mark.parametrize(("at", "value"), [(["usage", "prompt_tokens"], -1_000_000), (["choices", 0, "message"], "a text")])
@pytest.mark.fault(27)
def test_a_reply_of_another_shape_is_stored_counted_and_never_paid_again(bw, server, release, tmp_path, at, value):
    [question] = [item["question"] for item in bw("items").json if NAMES[1] in item["evidence"][0]["text"]]
    server.script([{"contains": question.replace('"', '\\"'), "fault": "shape", "at": at, "is": value}])
    priced = (*RUN, "--budget", "5", "--set", "agent.price_in=1", "--set", "agent.price_out=1")
    said = bw(*priced)
    assert said.code == 0 and (said.json["answered"], said.json["failed"]) == (5, 1) and said.json["cost_usd"] > 0
    asked = ran_requests(server, tmp_path, said.json["run"])
    assert asked == 6, "it was not asked for again"
    with Database.open(tmp_path / "w.duckdb") as database:
        [(kind, raw, charged)] = database.rows("SELECT kind, raw, charged FROM call WHERE error IS NOT NULL")
    assert kind == "malformed" and "unread" in raw and charged > 0
    other = bw(*priced, "--set", "max_tokens=16"), bw(*priced, "--sample", 5, "--seed", 3)
    assert all(one.code == 0 for one in other)
    assert server.count()["asked_again"] == 0, "another run with the same request meets the stored reply"


@pytest.mark.fault(25)
def test_a_wrong_key_stops_with_one_sentence_and_is_nowhere(bw, server, corpus, tmp_path, monkeypatch):
    wrong = "sk-wrong-9876543210"
    monkeypatch.setenv("OPENAI_API_KEY", wrong)
    said = bw(*DRAFT, 6)
    assert said.code == 1 and (said.json["stopped"], said.json["drafted"]) == ("endpoint", 0)
    assert "401" in said.sentence and "OPENAI_API_KEY" in said.sentence and said.sentence == said.json["message"]
    counted(server, tmp_path)
    [job] = bw("jobs").json
    assert (job["id"], job["state"]) == (said.json["job"], "endpoint")

    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    good = bw(*DRAFT, 6)
    assert good.code == 0 and (good.json["job"], good.json["drafted"]) == (said.json["job"], 6)
    for item in good.json["items"]:
        bw("decide", item["id"], "accept", "--as", "Ada")
    frozen, ran = bw("freeze", "v1"), bw(*RUN)
    assert frozen.code == ran.code == 0 and ran.json["answered"] == 6
    report = bw("report", ran.json["run"])
    for form in ("jsonl", "parquet", "huggingface", "hawkbench", "reviews"):
        assert bw("export", "v1", "--format", form, tmp_path / form).code == 0
    counted(server, tmp_path)
    printed = "".join(said.out + said.err for said in (said, good, frozen, ran, report))
    stored = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    for key in (wrong, KEY):
        assert key not in printed and key.encode() not in stored


@pytest.mark.fault(25)
def test_a_password_in_the_url_is_not_stored(bw, server, release, tmp_path, monkeypatch):
    monkeypatch.setenv("OPENAI_BASE_URL", server.url.replace("//", "//ada:swordfish@"))
    said, ran = bw(*DRAFT, 1), bw(*RUN)
    assert said.code == ran.code == 1 and "401" in said.sentence and "401" in ran.sentence  # this server wants a key
    for secret in ("swordfish", base64.b64encode(b"ada:swordfish").decode()):
        assert secret.encode() not in (tmp_path / "w.duckdb").read_bytes()
        assert secret not in said.out + said.err + ran.out + ran.err


@pytest.fixture(scope="module")
def made_release(
    made_corpus: tuple[Path, dict[str, str]], one_server: Running, tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """The workspace that `release` copies."""
    workspace = Path(shutil.copy(made_corpus[0], tmp_path_factory.mktemp("release")))
    one_server.script([])
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("OPENAI_BASE_URL", one_server.url)
        patch.setenv("OPENAI_API_KEY", KEY)
        drafted = call_verb(workspace, *DRAFT, 6)["items"]
    for item in drafted:
        call_verb(workspace, "decide", item["id"], "accept", "--as", "Ada")
    assert call_verb(workspace, "freeze", "v1")["items"] == 6
    return workspace


@pytest.fixture
def release(made_release: Path, server: Running, tmp_path: Path) -> None:
    """The six documents, and a release of six drafts."""
    shutil.copy(made_release, tmp_path)
    server.reset()


def ran_requests(server: Running, tmp_path: Path, run: str) -> int:
    with Database.open(tmp_path / "w.duckdb") as database:
        [job] = database.rows("SELECT id FROM job WHERE kind = 'run'")
        attempts = Ledger(database).sum_spending(job[0]).attempts
    assert server.count()["requests"] == attempts
    return attempts


def test_a_run_goes_on_past_faults_and_keeps_failures_apart(bw, server, release, tmp_path):
    server.script(
        [
            {"requests": [1], "fault": "status", "status": 429, "retry_after": 1},
            {"requests": [2], "fault": "cut"},
            {"requests": [3], "fault": "hang"},
        ]
    )
    said = bw(*RUN, "--set", "agent.timeout=4")
    assert said.code == 0 and (said.json["answered"], said.json["failed"], said.json["stopped"]) == (6, 0, None)
    assert ran_requests(server, tmp_path, said.json["run"]) == 9
    again = bw(*RUN, "--set", "agent.timeout=4")
    assert again.json["run"] == said.json["run"] and again.json["reused"] == 6
    assert server.count()["requests"] == 9, "the same command asks nothing"


def test_a_question_that_always_fails_is_a_failed_trace_and_is_not_scored(bw, server, release, tmp_path):
    [question] = [item["question"] for item in bw("items").json if NAMES[1] in item["evidence"][0]["text"]]
    server.script([{"contains": question.replace('"', '\\"'), "fault": "status", "status": 500}])
    said = bw(*RUN)
    assert said.code == 0 and (said.json["answered"], said.json["failed"]) == (5, 1)
    ran_requests(server, tmp_path, said.json["run"])
    cells = bw("report", said.json["run"], "--by", "level").json["runs"][0]["cells"]
    [cell] = [cell for cell in cells if cell["metric"] == "exact_match"]
    assert (cell["n"], cell["failed"]) == (5, 1)


def test_questions_that_failed_in_an_outage_are_asked_again_only_when_that_is_asked(bw, server, release, tmp_path):
    server.script([{"from": 5, "fault": "status", "status": 500}])
    down = bw(*RUN).json
    assert down["answered"] == 4 and down["failed"] >= 1
    server.script([])
    again = bw(*RUN)
    assert again.json["failed"] == down["failed"], "failed with its tries is failed"
    assert f"{down['failed']} question" in again.err and "--retry-failed asks them again" in again.err
    assert "--retry-failed" in bw("runs", json_too=False).out
    before = server.count()["requests"]
    whole = bw(*RUN, "--retry-failed")
    assert (whole.json["run"], whole.json["answered"], whole.json["failed"]) == (down["run"], 6, 0)
    assert server.count()["requests"] - before == down["failed"] and "--retry-failed" not in whole.err
    assert len(bw("traces", down["run"]).json) == 6, "a failed answer is replaced, not doubled"
    scores = [s for s in bw("scores", down["run"]).json if s["metric"] == "exact_match"]
    assert len(scores) == len({s["item"] for s in scores}) == 6
    assert bw("run", tmp_path, "--system", "echo", "--shard", "0/2", "--out", tmp_path / "o", "--retry-failed").code == 1


def test_a_run_that_meets_a_401_stops_and_the_same_command_goes_on(bw, server, release, tmp_path):
    server.script([{"from": 4, "fault": "status", "status": 401, "message": "key revoked"}])
    said = bw(*RUN)
    assert said.code == 1 and said.json["stopped"] == "endpoint" and "key revoked" in said.sentence
    assert said.json["answered"] == 3 and said.json["failed"] == 0
    server.script([])
    again = bw(*RUN)
    assert again.code == 0 and (again.json["run"], again.json["answered"], again.json["reused"]) == (said.json["run"], 6, 3)
    ran_requests(server, tmp_path, said.json["run"])


def test_an_endpoint_that_dies_half_way_loses_no_answer_and_pays_none_twice(bw, server, release):
    server.script([{"from": 4, "fault": "drop"}])
    said = bw(*RUN)
    assert said.json["answered"] == 3, said.err
    cells = bw("report", said.json["run"]).json["runs"][0]["cells"]
    [cell] = [cell for cell in cells if cell["metric"] == "exact_match"]
    assert cell["n"] == 3 and cell["failed"] == said.json["failed"], "what it did not answer is no 0"
    first = server.count()["requests"]
    server.script([])
    again = bw(*RUN)
    assert again.json["run"] == said.json["run"] and again.json["reused"] == 3 + said.json["failed"]
    assert server.count()["requests"] - first == 3 - said.json["failed"], "only what was never asked to its end"


@pytest.mark.fault(26)
def test_a_judge_in_prose_is_no_grade(bw, server, release, tmp_path):
    server.script([{"fault": "prose"}])
    said = bw(*JUDGED)
    assert said.code == 0 and said.json["answered"] == 6
    cells = bw("report", said.json["run"], "--by", "level").json["runs"][0]["cells"]
    [cell] = [cell for cell in cells if cell["metric"] == "s_f1"]
    assert (cell["mean"], cell["n"], cell["unscored"]) == (None, 0, 6)
    ran_requests(server, tmp_path, said.json["run"])


def test_a_judge_with_a_wrong_key_stops_after_the_answers_are_stored(bw, server, release, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-wrong-9876543210")
    said = bw(*JUDGED)
    assert said.code == 1 and (said.json["answered"], said.json["stopped"]) == (6, "endpoint") and "401" in said.sentence
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    again = bw(*JUDGED)
    assert again.code == 0 and again.json["reused"] == 6
    [cell] = [c for c in bw("report", said.json["run"]).json["runs"][0]["cells"] if c["metric"] == "s_f1"]
    assert cell["unscored"] == 0, "a refused key is not an answer's own failure"
