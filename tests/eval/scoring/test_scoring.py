"""Judged metrics: what a judge's reply counts for, what it never counts for, and whose name it bears."""

import asyncio
import json
from collections.abc import Callable, Mapping

import pytest

from core.agent import Completion, Sampling
from core.errors import AgentError, BenchError, BudgetReached
from core.nouns import Prompt, Span, Trace
from eval.metric import ScoringCase
from eval.running.runner import RunStopped
from eval.scoring.judging import read_number
from eval.scoring.scoring import ScoredCase, ScoringJudge, make_case, score_cases
from eval.system import Question

TWO = "The mill burned down. The court paid nothing."


def judge(reply: Callable[[Mapping[str, object], Sampling], str], name: str = "j", offline: bool = False) -> ScoringJudge:
    async def ask(prompt: Prompt, inputs: Mapping[str, object], sampling: Sampling) -> Completion:
        assert prompt.skill == "judge" and prompt.fields == {"contained"}
        return Completion(reply(inputs, sampling), call=f"{name}-{sampling.index}")

    return ScoringJudge(name, offline, ask)


def said(value: int) -> str:
    return json.dumps({"contained": value})


def inside(inputs: Mapping[str, object], _sampling: Sampling) -> str:
    return said(int(str(inputs["sentence"]) in str(inputs["reference"])))


async def scored(case: ScoringCase, *judges: ScoringJudge, votes: int = 1, metric: str = "s_f1") -> ScoredCase:
    (one,) = [s async for s in score_cases([case], [metric], judges=judges, votes=votes)]
    return one


def values(one: ScoredCase) -> dict[str, float | None]:
    return {name: value.value for name, value in one.values.items()}


async def test_each_side_is_the_share_of_its_sentences_and_every_verdict_is_kept() -> None:
    case = ScoringCase("x", "The mill burned down. It was sold. It was rebuilt.", (TWO,))
    one = await scored(case, judge(inside))
    assert values(one) == pytest.approx(
        {"s_f1": 5 / 12, "s_f1.harmonic": 0.4, "s_f1.precision": 1 / 3, "s_f1.recall": 1 / 2, "s_f1.unread": 0.0}
    )
    verdicts = one.details["s_f1"]["verdicts"]
    assert [(v["side"], v["value"]) for v in verdicts] == [
        ("precision", 1),
        ("precision", 0),
        ("precision", 0),
        ("recall", 1),
        ("recall", 0),
    ]
    assert verdicts[0]["replies"] == [said(1)] and verdicts[0]["calls"] == ["j-0"]


async def test_a_cancelled_scoring_says_so_however_few_are_left() -> None:
    cancel = asyncio.Event()
    cancel.set()
    with pytest.raises(RunStopped, match="Cancelled"):
        [s async for s in score_cases([ScoringCase("x", "a", ("a",))], ["exact_match"], cancel=cancel)]


async def test_an_empty_prediction_has_no_precision_but_its_recall_is_judged() -> None:
    one = await scored(ScoringCase("x", "", (TWO,)), judge(inside))
    assert (one.values["s_f1.precision"].value, one.values["s_f1.recall"].value) == (None, 0.0)
    assert one.values["s_f1"].value is None
    assert one.values["s_f1.precision"].why == "no sentence to judge for precision"


async def test_an_unreadable_verdict_is_counted_and_never_scored() -> None:
    def reply(inputs: Mapping[str, object], _sampling: Sampling) -> str:
        return "Maybe 1, maybe 0." if "court" in str(inputs["sentence"]) else said(1)

    one = await scored(ScoringCase("x", "The mill burned down.", (TWO,)), judge(reply))
    assert values(one) == {"s_f1": 1.0, "s_f1.harmonic": 1.0, "s_f1.precision": 1.0, "s_f1.recall": 1.0, "s_f1.unread": 1.0}
    assert one.details["s_f1"]["verdicts"][2]["replies"] == ["Maybe 1, maybe 0."]
    none = await scored(ScoringCase("x", "The mill burned down.", (TWO,)), judge(lambda inputs, sampling: "no idea"))
    assert none.values["s_f1"].value is None and none.values["s_f1"].why == "no verdict could be read"


async def test_the_majority_of_votes_decides_and_a_tie_decides_nothing() -> None:
    def reply(_inputs: Mapping[str, object], sampling: Sampling) -> str:
        assert sampling.temperature > 0
        return said(int(sampling.index == 0))

    case = ScoringCase("x", "The mill burned down.", ("The mill burned down.",))
    assert (await scored(case, judge(reply), votes=3)).values["s_f1"].value == 0.0
    tie = await scored(case, judge(reply), votes=2)
    assert (tie.values["s_f1"].value, tie.values["s_f1.unread"].value) == (None, 2.0)
    assert tie.values["s_f1"].version.endswith("votes 2")


async def test_an_offline_judges_verdicts_have_their_own_name() -> None:
    one = await scored(ScoringCase("x", TWO, (TWO,)), judge(inside, offline=True))
    assert {name.removeprefix("s_f1.offline") for name in one.values} == {"", ".harmonic", ".precision", ".recall", ".unread"}
    assert one.details["s_f1.offline"]["judge"] == "j"


async def test_several_judges_stand_apart_and_their_mean_has_the_plain_name() -> None:
    yes, no = judge(lambda i, s: said(1), "yes"), judge(lambda i, s: said(0), "no")
    offline = judge(lambda i, s: said(0), "off", offline=True)
    one = values(await scored(ScoringCase("x", "It burned.", ("It burned.",)), yes, no, offline))
    assert (one["s_f1.judge1"], one["s_f1.judge2"], one["s_f1"]) == (1.0, 0.0, 0.5)
    assert (one["s_f1.offline.judge3"], one["s_f1.offline"], one["s_f1.judge2.recall"]) == (0.0, 0.0, 0.0)


async def test_without_a_judge_it_is_not_run() -> None:
    one = await scored(ScoringCase("x", TWO, (TWO,)))
    assert (one.values["s_f1"].value, one.values["s_f1"].why) == (None, "not run: no judge")


async def test_a_judge_that_fails_leaves_no_value_and_a_dead_one_stops_the_scoring() -> None:
    def failing(error: Exception) -> ScoringJudge:
        async def ask(prompt: Prompt, inputs: Mapping[str, object], sampling: Sampling) -> Completion:
            raise error

        return ScoringJudge("j", False, ask)

    case = ScoringCase("x", TWO, (TWO,))
    one = await scored(case, failing(AgentError("no reply in 60 s", kind="timeout", attempts=5)))
    assert one.values["s_f1"].value is None and "no reply in 60 s" in one.values["s_f1"].why
    with pytest.raises(RunStopped) as stopped:
        await scored(case, failing(BudgetReached("used up")))
    assert stopped.value.reason == "budget"
    with pytest.raises(RunStopped):
        await scored(case, failing(AgentError("wrong key", kind="refused", attempts=1, stops_job=True)))


async def test_an_unknown_metric_is_named_with_those_near_to_it() -> None:
    with pytest.raises(BenchError, match=r"No metric named 'rougeX'.*rouge_l"):
        await scored(ScoringCase("x", "a", ("a",)), metric="rougeX")


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ('{"contained": 1}', 1),
        ('```json\n{"contained": 0}\n```', 0),
        ("1", 1),
        ('{"contained": "1"}', 1),
        ("<think>0</think>1", None),
        ('{"contained": 2}', None),
        ("The answer is 1", None),
        ('{"contained": true}', None),
        ("", None),
        ('{"other": 1}', None),
        ("1" + "0" * 400, None),
        ('{"contained": ' + "9" * 400 + "}", None),
        ('{"contained": "' + "9" * 5000 + '"}', None),
        ("1e400", None),
        ('{"contained": 0.5}', None),
        ('{"contained": 1', None),
    ],
)
@pytest.mark.fault(26)
def test_a_grade_is_never_found_by_accident(text: str, number: int | None) -> None:
    assert read_number(text, "contained", range(2)) == number


def test_a_failed_trace_is_no_case() -> None:
    question = Question("i", "q", "q", "en", "t", None, 8, answers=("a",))
    span = Span("d", 0, 3)
    assert make_case(Trace("r", "i", stop="timeout"), question, lambda s: "abc") is None
    case = make_case(Trace("r", "i", answer="", retrieved=(span,), tokens_in=3), question, lambda s: "abc", top_k=5)
    assert case is not None and (case.prediction, case.contexts, case.tokens, case.extra) == ("", ("abc",), 3, {"top_k": 5})
