"""Runs on conversations: what a follow-up comes with, what a failed or killed run does, and the table of results."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import jobs
from core.errors import BenchError
from core.nouns import Trace
from eval.conversations.history import EARLIER_FAILED
from eval.conversations.user import USER_LEFT, list_messages
from eval.scoring.scoring import make_case
from store.items import items
from store.runs import runs
from tests.workbench.talks import TALKS, import_talks, records, write_talks
from workbench import Workbench
from workbench.evaluate.running.questions import build_question
from workbench.evaluate.running.run_request import RunRequest
from workbench.release.contests import ContestRuling, NewContest

LOGGING = """
import json, pathlib
HERE = pathlib.Path(__file__).parent
def answer(question, retrieve, ask):
    with (HERE / "asked.jsonl").open("a") as log:
        log.write(json.dumps([question.id, question.bare, question.history]) + "\\n")
    if (HERE / "fail").exists() and question.id == "mill:1":
        raise ValueError("no")
    return "Ada Quill" if question.id.endswith(":1") else f"born after {question.history[0]['answer']}"
"""
STUBBORN = """
def answer(question, retrieve, ask):
    if question.id.startswith("mill"):
        return {"mill:1": "Ada Quill", "mill:2": "in 1731"}[question.id]
    if question.id.startswith("forge"):
        return question.bare
    return "Cora Lunt" if "Find out" in question else "no idea"
"""


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Workbench]:
    with Workbench.open(tmp_path / "w.duckdb") as bench:
        import_talks(bench, tmp_path)
        bench.releases.freeze("v1", allow_unlicensed="test")
        jobs.start(bench)
        yield bench
        jobs.stop(bench)


def run(bench: Workbench, retry_failed: bool = False, **fields: Any) -> str:
    request = RunRequest(**({"release": "v1", "metrics": ["in_accuracy"]} | fields))
    return str(jobs.start(bench).submit(bench.runs.plan(request, retry_failed=retry_failed)).result()["run"])


def program(folder: Path, code: str, **settings: object) -> dict[str, Any]:
    (folder / "system.py").write_text(code, encoding="utf-8")
    return {"system": "program", "settings": {"program": str(folder / "system.py"), "processes": 1, **settings}}


def load(bench: Workbench, name: str) -> dict[str, Trace]:
    return {trace.item: trace for trace in runs.load_traces(bench.database, name)}


def read_log(folder: Path) -> dict[str, tuple[str, list[dict[str, str]]]]:
    lines = [json.loads(line) for line in (folder / "asked.jsonl").read_text().splitlines()]
    assert len({item for item, *_ in lines}) == len(lines), "a turn was asked twice"
    return {item: (bare, history) for item, bare, history in lines}


def report(bench: Workbench, name: str, **more: Any) -> dict[str, Any]:
    [row] = json.loads(bench.conversations.report([name], "json", **more))["runs"]
    return row  # type: ignore[no-any-return]


def means(bench: Workbench, name: str, metric: str) -> list[float]:
    return [row["value"] for row in report(bench, name, metric=metric)["turns"] if row["metric"] == metric]


def test_without_the_history_search_fails_on_follow_ups_and_not_on_first_turns(bench: Workbench) -> None:
    own: dict[str, Any] = {"system": "echo", "retriever": "bm25", "metrics": ["evidence_recall"]}
    bare, alone, gold = (run(bench, **own, settings={"top_k": 1, "history": name}) for name in ("none", "standalone", "gold"))
    assert means(bench, bare, "evidence_recall@1") == [1.0, 0.0]
    assert means(bench, alone, "evidence_recall@1") == [1.0, 1.0]
    assert means(bench, gold, "evidence_recall@1")[0] == 1.0


def test_a_follow_up_gets_the_systems_own_answers_and_the_setting_is_stored(bench: Workbench, tmp_path: Path) -> None:
    name = run(bench, **program(tmp_path, LOGGING))
    asked = read_log(tmp_path)
    assert asked["forge:1"] == ("Who owned the forge of Tarn?", [])
    before = [{"question": "Who owned the forge of Tarn?", "answer": "Ada Quill"}]
    assert asked["forge:2"] == ("In which year was that person born?", before)
    assert load(bench, name)["forge:2"].answer == "born after Ada Quill"
    assert runs.get(bench.database, name).config["settings"]["history"] == "own"


def test_gold_history_has_the_gold_answers(bench: Workbench, tmp_path: Path) -> None:
    run(bench, **program(tmp_path, LOGGING, history="gold"))
    assert read_log(tmp_path)["forge:2"][1][0]["answer"] == "Bert Vane"


def test_the_agent_rewrites_follow_ups_from_the_systems_own_answers(bench: Workbench) -> None:
    name = run(bench, system="oracle", agent="offline", settings={"history": "rewrite"})
    trace = load(bench, name)["mill:2"]
    assert [step.text for step in trace.steps if "rewritten" in step.about] == ["In which year was Ada Quill born?"]
    assert trace.answer == "1731" and trace.calls == 2
    with pytest.raises(BenchError, match="name one with --agent"):
        run(bench, system="echo", settings={"history": "rewrite"})


def test_a_failed_turn_ends_its_conversation_and_both_are_repeated(bench: Workbench, tmp_path: Path) -> None:
    (tmp_path / "fail").touch()
    name = run(bench, **program(tmp_path, LOGGING))
    failed = load(bench, name)
    assert failed["mill:1"].stop == "crashed" and failed["mill:2"].stop == EARLIER_FAILED
    assert "mill:2" not in read_log(tmp_path) and failed["forge:2"].answer
    row = report(bench, name)
    assert (row["failed"], row["rates"]["reached"]["n"], [turn["failed"] for turn in row["turns"]]) == (1, 2, [1, 1])
    (tmp_path / "fail").unlink()
    (tmp_path / "asked.jsonl").unlink()
    assert run(bench, retry_failed=True, **program(tmp_path, LOGGING)) == name
    assert list(read_log(tmp_path)) == ["mill:1", "mill:2"]
    assert load(bench, name)["mill:2"].answer == "born after Ada Quill" and report(bench, name)["failed"] == 0


def test_a_killed_run_resumes_in_the_right_turn_with_the_same_history(bench: Workbench, tmp_path: Path) -> None:
    name = run(bench, **program(tmp_path, LOGGING))
    whole = read_log(tmp_path)
    bench.database.execute("DELETE FROM trace WHERE run = ? AND item IN ('mill:2', 'forge:1', 'forge:2')", [name])
    (tmp_path / "asked.jsonl").unlink()
    assert run(bench, **program(tmp_path, LOGGING)) == name
    again = read_log(tmp_path)
    assert list(again) in (["forge:1", "mill:2", "forge:2"], ["forge:1", "forge:2", "mill:2"])
    assert again == {item: whole[item] for item in again}


def test_a_simulated_user_asks_again_learns_and_leaves(bench: Workbench, tmp_path: Path) -> None:
    name = run(bench, **program(tmp_path, STUBBORN, user="goal", patience=2))
    found = load(bench, name)
    assert [one.question for one in list_messages(found["mill:1"])] == ["Who owned the mill of Orvel?"]
    first, second = list_messages(found["dairy:1"])
    assert (
        first.answer == "no idea"
        and second.question.startswith("Find out who owned the dairy")
        and second.answer == "Cora Lunt"
    )
    assert found["forge:2"].stop == USER_LEFT and len(list_messages(found["forge:1"])) == 2
    row = report(bench, name)
    by_name = {one["conversation"]: one for one in row["conversations"]}
    assert {name: (one["used"], one["right"], one["has_left"]) for name, one in by_name.items()} == {
        "mill": (2, 2, False),
        "forge": (2, 0, True),
        "dairy": (4, 1, False),
    }
    assert row["settings"] == {"history": "own", "user": "goal", "patience": 2}
    assert row["rates"]["reached"]["value"] == pytest.approx(1 / 3) and row["rates"]["left"]["value"] == pytest.approx(1 / 3)
    with pytest.raises(BenchError, match="hears the system's own answers"):
        run(bench, system="echo", settings={"user": "goal", "history": "gold"})


def play(folder: Path, *moves: tuple[str, str]) -> str:
    lines = [json.dumps({"text": json.dumps({"move": move, "message": message})}) for move, message in moves]
    (folder / "user.jsonl").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return f"scripted:{folder / 'user.jsonl'}"


def test_an_agent_plays_the_user_by_a_prompt_that_has_no_gold_answer(bench: Workbench, tmp_path: Path) -> None:
    again = [("ask", "Who paid for the dairy?"), ("ask", "And whose was it?"), ("skip", "")]
    player = play(tmp_path, *again, ("leave", ""), *[("skip", "")] * 3)
    system = "def answer(question, retrieve, ask):\n    return 'no idea'\n"
    own = {"user": "llm", "user_agent": player, "patience": 9, "concurrency": 1}
    name = run(bench, **program(tmp_path, system, **own))
    found = load(bench, name)
    said = {item: [one.question for one in list_messages(trace)] for item, trace in found.items()}
    assert sorted(map(len, said.values())) == [0, 1, 1, 1, 1, 3], "after the user left, the next turn is not asked"
    [long] = [item for item, messages in said.items() if len(messages) == 3]
    assert said[long][1:] == ["Who paid for the dairy?", "And whose was it?"]
    row = report(bench, name)
    assert row["settings"]["user"] == "llm" and row["rates"]["left"]["value"] == pytest.approx(1 / 3)
    assert runs.get(bench.database, name).config["settings"]["user_agent"] == player


def test_a_user_is_played_by_a_language_model_alone(bench: Workbench) -> None:
    for settings, why in (
        ({"user": "llm"}, "name one with --user-agent"),
        ({"user": "llm", "user_agent": "offline"}, "offline works by rules and cannot play the user"),
        ({"user": "goal", "user_agent": "offline"}, "give --user llm too"),
        ({"user.rpm": 5}, "belongs to a --user"),
    ):
        with pytest.raises(BenchError, match=why):
            run(bench, system="echo", retriever="bm25", settings=settings)


def test_whole_conversations_are_judged_by_a_stated_metric(bench: Workbench, tmp_path: Path) -> None:
    name = run(bench, **program(tmp_path, LOGGING))
    row = report(bench, name)
    assert row["rates"]["learnt"] == pytest.approx({"value": 1 / 6, "low": 0.0, "high": 0.5, "n": 3, "why": ""})
    with pytest.raises(BenchError, match="has no scores of 'token_f1': name another metric, of in_accuracy"):
        bench.conversations.report([name], metric="token_f1")


def test_a_threshold_out_of_reach_is_said(bench: Workbench) -> None:
    name = run(bench, system="oracle", agent="offline")
    assert report(bench, name, threshold=1.0)["notes"] == [
        "a turn is right, and its fact learnt, if in_accuracy is at least 1."
    ]
    [_, why] = report(bench, name, threshold=1.5)["notes"]
    assert why == "no turn can be right, because in_accuracy is at most 1: give a --threshold up to 1."


def test_follow_ups_without_a_standalone_question_are_counted(tmp_path: Path) -> None:
    made = records()
    del made[0]["turns"][1]["standalone"]
    with Workbench.open(tmp_path / "w.duckdb") as bench:
        bench.releases.import_(write_talks(tmp_path / "talks.jsonl", made), "conversations")
        bench.releases.freeze("v1", allow_unlicensed="test")
        bare, own = (
            jobs.start(bench).submit(bench.runs.plan(RunRequest(release="v1", system="echo", settings={"history": name})))
            for name in ("standalone", "own")
        )
        assert bare.result()["without_standalone"] == 1 and "without_standalone" not in own.result()
        [row] = json.loads(bench.conversations.report([bare.result()["run"]], "json", metric="evidence_recall@5"))["runs"]
        jobs.stop(bench)
    assert row["without_standalone"] == 1 and "1 follow-up has no standalone question" in row["notes"][1]


def test_a_sample_divides_no_conversation(bench: Workbench) -> None:
    with pytest.raises(BenchError, match="leave out --sample"):
        run(bench, system="echo", retriever="bm25", sample=5)
    name = run(bench, system="echo", retriever="bm25", sample=5, settings={"history": "gold"})
    row = report(bench, name)
    assert any(one["open"] for one in row["conversations"]), "turns that were not asked"
    assert all(one["turns"] == 2 or one["turns"] >= len(one["items"]) for one in row["conversations"])
    assert row["rates"]["reached"]["n"] == sum(not one["open"] for one in row["conversations"])


def test_judges_read_the_standalone_question(bench: Workbench) -> None:
    first, second = (build_question(items.get(bench.database, name)) for name in ("mill:1", "mill:2"))
    cases = [make_case(Trace("r", one.item, answer="x"), one, lambda span: "") for one in (first, second)]
    assert [case and case.question for case in cases] == [first.text, "In which year was Ada Quill born?"]


def test_a_release_without_conversations_ignores_the_settings(tmp_path: Path) -> None:
    with Workbench.open(tmp_path / "w.duckdb") as bench:
        bench.corpus.load_samples()
        bench.releases.freeze("v1")
        jobs.start(bench)
        plain, other = (run(bench, system="echo", settings=own) for own in ({}, {"history": "gold"}))
        jobs.stop(bench)
        assert plain == other and "history" not in runs.get(bench.database, plain).config["settings"]
        with pytest.raises(BenchError, match="has no conversations"):
            bench.conversations.report([plain])


def test_absence_twins_of_follow_ups_come_with_the_history(tmp_path: Path) -> None:
    with Workbench.open(tmp_path / "w.duckdb") as bench:
        import_talks(bench, tmp_path)
        assert bench.releases.freeze("v1", allow_unlicensed="test", absence_share=1.0).absence_twins == 2 * len(TALKS)
        jobs.start(bench)
        result = (
            jobs.start(bench)
            .submit(
                bench.runs.plan(
                    RunRequest(release="v1", system="vanilla", agent="offline", retriever="bm25", metrics=["in_accuracy"])
                )
            )
            .result()
        )
        jobs.stop(bench)
    assert result["absence"]["twins"] == 2 * len(TALKS) and result["absence"]["failed"] == 0


def test_an_erratum_asks_the_follow_ups_of_a_changed_conversation_again(bench: Workbench, tmp_path: Path) -> None:
    name = run(bench, **program(tmp_path, LOGGING))
    contest = bench.contests.submit(
        "v1", NewContest(item="mill:1", kind="wrong_answer", answer="Zed", reason="x", person="Ada")
    )
    bench.contests.decide(ContestRuling(contest=contest.id, decision="accept", person="Ada", answers=["Zed"]))
    frozen = bench.errata.freeze("v1.1", "v1")
    assert frozen.job
    jobs.start(bench).submit(frozen.job).result()
    [carried] = [one for one in runs.list_runs(bench.database, "v1.1") if one.id != name]
    assert sorted(load(bench, carried.id)) == ["dairy:1", "dairy:2", "forge:1", "forge:2", "mill:1"]


def test_a_trace_shows_what_was_said_before(bench: Workbench, tmp_path: Path) -> None:
    name = run(bench, **program(tmp_path, STUBBORN, user="goal", patience=2))
    heard = bench.conversations.load_turn(name, "dairy:2")
    assert heard is not None and (heard.turn.number, heard.history) == (2, "own")
    assert [(number, one.answer) for number, one in heard.said] == [
        (1, "no idea"),
        (1, "Cora Lunt"),
        (2, "Cora Lunt"),
        (2, "Cora Lunt"),
    ]


def test_a_counterfactual_release_keeps_an_answer_that_a_standalone_question_names(bench: Workbench) -> None:
    made = bench.releases.freeze_counterfactual("other", "v1")
    assert {made.obstacles[f"{name}:1"] for name, *_ in TALKS} == {"in another question"} and made.replaced > 0
