"""What a run will come to, before it starts."""

import math
import statistics
from collections.abc import Iterator
from pathlib import Path

import pytest

import jobs
from agents.offline.agent import OfflineAgent
from core.errors import BenchError
from core.statistics.effects import DETECTABLE_STANDARD_ERRORS, find_detectable_difference, questions_for
from eval.settings import list_defaults
from eval.system import Question, systems
from terminal.planning import plan_lines
from tests.eval.tiny_model import tiny_compressor
from workbench import Workbench
from workbench.evaluate.running.rehearsal import rehearse
from workbench.evaluate.running.run_estimate import WORST_SPREAD, AgentPace, RunEstimate, StoredRun
from workbench.evaluate.running.run_request import RunRequest

WAIT = 30.0
AGENT = {"name": "priced", "model": "m", "base_url": "http://127.0.0.1:9/v1", "price_in": 1.0, "price_out": 2.0}


@pytest.fixture(scope="module")
def bench() -> Iterator[Workbench]:
    with Workbench.open(":memory:") as made:
        made.corpus.load_samples()
        yield made
        jobs.stop(made)


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "none")


def found(bench: Workbench, asked: RunRequest) -> RunEstimate:
    made = bench.runs.estimate(asked, wait=WAIT).value
    assert made is not None
    return made


def finish(bench: Workbench, asked: RunRequest) -> dict[str, object]:
    return jobs.start(bench).submit(bench.runs.plan(asked)).result()


def test_a_system_without_an_agent_costs_nothing(bench: Workbench) -> None:
    made = found(bench, RunRequest(release="working", system="echo", retriever="bm25"))
    assert (made.questions, made.calls, made.judge_calls, made.price_usd) == (40, 0, 0, 0.0)


def test_more_passages_are_more_tokens_and_more_money(bench: Workbench) -> None:
    if not any(card.name == "priced" for card in bench.agent_list.list_agents()):
        bench.agent_list.save(AGENT)
    few, many = (
        found(bench, RunRequest(release="working", system="vanilla", agent="priced", settings={"top_k": k})) for k in (1, 8)
    )
    assert few.calls == many.calls == 40
    assert many.tokens_in > 3 * few.tokens_in
    assert 0 < few.price_usd < many.price_usd < many.most_usd
    assert many.pace == AgentPace(seconds=1.0, width=8, measured=0)
    assert many.seconds == 40 / 8


def test_a_price_that_nobody_knows_is_none_and_never_zero(bench: Workbench) -> None:
    made = found(bench, RunRequest(release="working", system="closed_book", agent="openai:unpriced"))
    assert made.calls == 40 and made.price_usd is None and made.most_usd is None


def test_every_judge_and_vote_is_a_call(bench: Workbench) -> None:
    one = found(bench, RunRequest(release="working", system="echo", judges=["offline"]))
    both = found(bench, RunRequest(release="working", system="echo", judges=["offline", "recorded"], votes=3))
    assert one.judge_calls > 0 and both.judge_calls == 6 * one.judge_calls


def test_a_rehearsal_counts_what_the_run_then_asks(bench: Workbench) -> None:
    asked = RunRequest(release="working", system="oracle", agent="offline", sample=8)
    made = found(bench, asked)
    ran = finish(bench, asked)
    assert made.calls == ran["calls"] == 8
    again = found(bench, asked)
    assert again.stored == StoredRun(str(ran["run"]), 8)
    assert again.pace.measured >= 8


@pytest.mark.parametrize(("system", "per_question"), [("hyde", 2), ("query_decomposition", 2), ("memory", 2), ("graph", 1)])
def test_the_calls_before_an_answer_and_those_of_a_building_are_counted(
    bench: Workbench, system: str, per_question: int
) -> None:
    made = found(bench, RunRequest(release="working", system=system, agent="openai:unpriced"))
    building = int(made.building_calls)
    assert (made.calls_per_question, made.calls) == (per_question, 40 * per_question + building), made.notes
    is_built = system in ("memory", "graph")
    assert (building > 20) == is_built
    assert any("reads the whole corpus first" in note for note in made.notes) == is_built


def test_a_run_that_compresses_is_estimated_without_its_model_and_then_runs(bench: Workbench, tmp_path: Path) -> None:
    compressor = str(tiny_compressor(tmp_path / "compressor"))

    def ask(rate: float) -> RunRequest:
        settings = {"method": "llmlingua2", "compressor": compressor, "rate": rate, "top_k": 2}
        return RunRequest(
            release="working", system="compressed", agent="offline", retriever="bm25", sample=3, settings=settings
        )

    few, many = found(bench, ask(0.2)), found(bench, ask(0.9))
    assert few.calls == many.calls == 3 and 1.5 * few.tokens_in < many.tokens_in
    ran = finish(bench, ask(0.2))
    assert (ran["answered"], ran["failed"], ran["calls"]) == (3, 0, 3)


def test_each_setting_of_a_system_has_a_sentence(bench: Workbench) -> None:
    systems = bench.runs.choices().systems.values()
    assert [f"{system.name}.{one.name}" for system in systems for one in system.settings if not one.about] == []


def test_what_holds_for_several_metrics_is_said_once(bench: Workbench) -> None:
    names = ["exact_match", "token_f1", "s_f1", "faithfulness"]
    made = found(bench, RunRequest(release="working", system="closed_book", agent="offline", metrics=names))
    judged = [note for note in made.notes if "needs a judge" in note or "need a judge" in note]
    assert judged == ["s_f1 and faithfulness need a judge and none is chosen: they will not be scored."]
    same = [line for line in plan_lines(made) if "the worst case: every score 0 or 1" in line]
    assert len(same) == 1 and same[0].startswith("exact_match, token_f1, s_f1, faithfulness: a difference of")
    assert len(plan_lines(made)) == len(set(plan_lines(made)))


def test_what_can_be_detected_rests_on_earlier_runs_or_says_worst_case(bench: Workbench) -> None:
    asked = RunRequest(release="working", system="echo", metrics=["rouge_l"], retriever="bm25", settings={"top_k": 7})
    with Workbench.open(":memory:") as fresh:
        fresh.corpus.load_samples()
        (worst,) = found(fresh, asked).detectable
    assert (
        worst.difference == pytest.approx(DETECTABLE_STANDARD_ERRORS * WORST_SPREAD / math.sqrt(40))
        and "worst case" in worst.rests_on
    )
    finish(bench, asked)
    finish(bench, RunRequest(release="working", system="long_context", metrics=["rouge_l"], agent="offline"))
    (known,) = found(bench, asked).detectable
    assert known.difference < worst.difference and "earlier runs" in known.rests_on


def test_what_answers_elsewhere_is_not_guessed(bench: Workbench) -> None:
    made = found(bench, RunRequest(release="working", system="endpoint", settings={"url": "http://127.0.0.1:9/answer"}))
    assert made.calls is None and made.price_usd is None and made.seconds is None
    assert any("answers elsewhere" in note for note in made.notes)


def test_a_missing_judge_is_told_beforehand(bench: Workbench) -> None:
    made = found(bench, RunRequest(release="working", system="echo"))
    assert "s_f1 needs a judge and none is chosen: it will not be scored." in made.notes


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        (RunRequest(release="working", system="vanilla"), "asks an agent"),
        (RunRequest(release="nowhere", system="echo"), "No release nowhere"),
        (RunRequest(release="working", system="echo", settings={"colour": 1}), "has no setting 'colour'"),
        (RunRequest(release="working", system="closed_book", agent="openai:m", budget=1.0), "needs prices"),
        (RunRequest(release="working", system="echo", sample=0), "--sample is 0"),
    ],
)
def test_a_run_that_cannot_begin_is_a_sentence(bench: Workbench, asked: RunRequest, sentence: str) -> None:
    with pytest.raises(BenchError, match=sentence):
        bench.runs.estimate(asked, wait=WAIT)


def test_nothing_accepted_is_a_sentence() -> None:
    with Workbench.open(":memory:") as empty, pytest.raises(BenchError, match="Nothing is accepted yet"):
        empty.runs.estimate(RunRequest(release="working", system="echo"), wait=WAIT)


def test_a_command_line_reads_back_what_it_was_made_from() -> None:
    asked = RunRequest(
        release="v 1",
        system="vanilla",
        agent="openai:m",
        metrics=["rouge_l"],
        judges=["a", "b"],
        votes=3,
        budget=0.5,
        settings={"order": "rank", "top_k": 3, "url": "http://x/?a=1&b='2'", "model": "7"},
        sample=4,
        seed=2,
    )
    assert asked.command() == (
        "python cli.py run 'v 1' --system vanilla --agent openai:m --budget 0.5 --sample 4 --metrics rouge_l --judge a "
        "--judge b --votes 3 --seed 2 --set order=rank --set top_k=3 "
        "--set 'url=http://x/?a=1&b='\"'\"'2'\"'\"'' --set 'model=\"7\"'"
    )


@pytest.mark.parametrize(
    ("metrics", "calls"),
    [
        (["faithfulness"], 2),
        (["context_recall"], 2),
        (["context_recall", "context_precision"], 2),
        (["faithfulness", "context_recall"], 4),
        (["crag_truthfulness"], 1),
        (["rag_quest_eval"], 3),
        (["nuggets"], 2),
        (["citation_recall", "citation_precision"], 1),
    ],
)
def test_calls_of_judges_are_counted_with_the_passages_that_they_read_and_once_for_what_two_metrics_ask(
    bench: Workbench, metrics: list[str], calls: int
) -> None:
    asked = RunRequest(
        release="working", system="vanilla", agent="openai:unpriced", judges=["openai:j"], metrics=metrics, sample=8
    )
    made = found(bench, asked)
    sentences = int(made.judge_calls) / 8
    assert sentences == calls if "citation_recall" not in metrics else sentences >= calls
    nothing = found(
        bench,
        RunRequest(
            release="working",
            system="closed_book",
            agent="openai:unpriced",
            judges=["openai:j"],
            metrics=["faithfulness"],
            sample=8,
        ),
    )
    assert nothing.judge_calls == 0, "no passages, so nothing is asked"


def test_what_a_judge_is_reckoned_to_ask_is_what_it_then_asks(bench: Workbench) -> None:
    asked = RunRequest(
        release="working",
        system="vanilla",
        agent="offline",
        judges=["offline"],
        sample=6,
        metrics=["context_recall", "context_precision"],
    )
    made = found(bench, asked)
    ran = finish(bench, asked)
    assert made.judge_calls == 12 and int(ran["calls"]) == 6 + 12


def test_the_questions_that_a_wished_difference_wants_follow_from_the_same_spread(bench: Workbench) -> None:
    (row,) = found(bench, RunRequest(release="working", system="echo", metrics=["exact_match"])).detectable
    assert questions_for(row.spread, row.difference) == pytest.approx(row.n, abs=1)
    assert questions_for(row.spread, row.difference / 2) == pytest.approx(4 * row.n, abs=1)
    assert questions_for(math.sqrt(0.5), 0.05) == 1570 and questions_for(0.5, 0.0) is None
    assert questions_for(0.0, 0.05) is None, "scores that do not differ say nothing about how many questions are needed"
    rounded = statistics.pstdev([0.1 + 0.2, 0.3] * 5)
    assert 0 < rounded < 1e-15 and questions_for(rounded, 0.05) is None and find_detectable_difference(rounded) is None
    (crag,) = found(
        bench, RunRequest(release="working", system="echo", metrics=["crag_truthfulness"], judges=["offline"])
    ).detectable
    assert crag.spread == pytest.approx(2 * WORST_SPREAD) and "every score -1 or 1" in crag.rests_on
    echo = RunRequest(release="working", system="echo", metrics=["exact_match"], sample=12)
    finish(bench, echo)
    estimate = found(bench, echo)
    (same,) = estimate.detectable
    assert same.difference is None and "the scores of an earlier run do not differ" in same.rests_on
    assert [
        line for line in plan_lines(estimate) if line.startswith("exact_match: the smallest detectable difference is unknown.")
    ]


@pytest.mark.parametrize("system", ["react", "pal"])
def test_a_workflow_over_tables_alone_is_estimated_without_a_document(system: str) -> None:
    words = "In which town is Marrow North?"
    asked = Question("i", words, words, "en", "template_question", None, 32, answers=("Marrow",))
    settings = list_defaults(systems()[system].settings)
    found = rehearse([asked], systems()[system], settings, [], OfflineAgent(), None, searches=False)
    assert (found.failed, found.totals.calls > 0) == (0, True), found.why
