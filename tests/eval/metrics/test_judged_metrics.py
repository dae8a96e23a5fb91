"""Metrics that ask a judge for claims, citations, questions or correctness: worked examples, what a reply that cannot be read
counts for, how many calls an answer costs, and the published figures."""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from core.errors import AgentError, BenchError
from core.nouns import Prompt
from eval.metric import ScoringCase
from eval.metrics.context_precision import average_precision
from eval.metrics.rag_quest_eval import compare_answers, compute_f1, is_unanswerable, read_words
from eval.scoring.citations import split_citing_sentences
from eval.scoring.scoring import configure_metric, score_cases
from tests.eval.metrics.judge_by_function import Asked, Reply, figures, scored

PASSAGES = ("The mill burned down in 1902.", "Ada Quill bought the ruin.", "Rain fell for a week.")


def claims_judge(prompt: Prompt, inputs: Mapping[str, object]) -> Any:
    """Sentences are claims; a passage supports what it says word for word."""
    if prompt.fields == {"claims"}:
        return {"claims": [one.strip() + "." for one in str(inputs["text"]).split(".") if one.strip()]}
    claims, passages = (
        [line.split("] ", 1) for line in str(inputs[name]).splitlines() if line] for name in ("statements", "context")
    )
    return {
        "support": [
            {"claim": int(n[1:]), "passages": [int(p[1:]) for p, text in passages if claim in text]} for n, claim in claims
        ]
    }


CASE = ScoringCase(
    "x",
    "The mill burned down in 1902. It was sold.",
    ("The mill burned down in 1902. Ada Quill bought the ruin.",),
    contexts=PASSAGES,
)


async def test_claims_are_shares_of_answer_gold_and_passages() -> None:
    one = figures(await scored(CASE, claims_judge, "faithfulness", "context_recall", "context_precision"))
    assert one == pytest.approx(
        {
            "faithfulness": 0.5,
            "faithfulness.unread": 0.0,
            "context_recall": 1.0,
            "context_recall.unread": 0.0,
            "context_precision": 2 / 3,
            "context_precision.ranked": 1.0,
            "context_precision.unread": 0.0,
        }
    )


async def test_all_three_cost_four_calls_and_another_system_on_the_same_question_two_less() -> None:
    asked = Asked(claims_judge)
    await scored(CASE, asked, "faithfulness", "context_recall", "context_precision")
    assert [prompt.name for prompt in asked.asked.values()] == ["extract/claims.en", "judge/claims.en"] * 2
    other = ScoringCase("x", "Rain fell for a week.", CASE.answers, contexts=PASSAGES)
    await scored(other, asked, "faithfulness", "context_recall", "context_precision")
    assert len(asked.asked) == 6


async def test_every_verdict_is_kept_with_its_words() -> None:
    details = (await scored(CASE, claims_judge, "faithfulness")).details["faithfulness"]
    assert [(v["sentence"], v["value"], v["passages"]) for v in details["verdicts"]] == [
        ("The mill burned down in 1902.", 1, [1]),
        ("It was sold.", 0, []),
    ]
    assert details["verdicts"][0]["replies"] == ['{"claim": 1, "passages": [1]}'] and details["claims"]["calls"] == ["c1"]


@pytest.mark.parametrize(
    "support",
    [
        "no idea",
        {"support": [{"claim": 1, "passages": [1]}]},
        {"support": [{"claim": 1, "passages": [1]}, {"claim": 2, "passages": [9]}]},
        {"support": [{"claim": 1, "passages": [1]}, {"claim": 2, "passages": []}, {"claim": 2, "passages": [1]}]},
    ],
)
async def test_a_verdict_that_cannot_be_read_is_no_grade(support: Any) -> None:
    def reply(prompt: Prompt, inputs: Mapping[str, object]) -> Any:
        return support if prompt.fields == {"support"} else claims_judge(prompt, inputs)

    one = figures(await scored(CASE, reply, "faithfulness", "context_precision"))
    if support == "no idea":
        assert one["faithfulness"] == "not read: no verdict could be read" and one["faithfulness.unread"] == 2.0
    else:
        assert one["faithfulness"] == 1.0 and one["faithfulness.unread"] == 1.0
    assert one["context_precision"] == "not read: a verdict on a claim"


async def test_without_claims_or_passages_there_is_no_value() -> None:
    refusal = ScoringCase("x", "", ("",), contexts=PASSAGES)
    assert figures(await scored(refusal, claims_judge, "faithfulness"))["faithfulness"] == "no claim in the answer"
    assert figures(await scored(refusal, claims_judge, "context_recall"))["context_recall"] == "no claim in the gold answer"
    bare = ScoringCase("x", "It burned.", ("It burned.",))
    assert figures(await scored(bare, claims_judge, "faithfulness"))["faithfulness"] == "no passages to check it against"
    assert figures(await scored(bare, claims_judge, "citation_recall"))["citation_recall"] == "no passages to cite"


async def test_the_majority_of_votes_decides_each_claim() -> None:
    votes = iter([[1], [], [1, 2]])

    def reply(prompt: Prompt, inputs: Mapping[str, object]) -> Any:
        if prompt.fields == {"claims"}:
            return {"claims": ["It burned."]}
        return {"support": [{"claim": 1, "passages": next(votes)}]}

    one = await scored(CASE, reply, "faithfulness", votes=3)
    assert one.values["faithfulness"].value == 1.0 and one.details["faithfulness"]["verdicts"][0]["passages"] == [1]


def test_ranked_precision_is_the_mean_at_useful_ranks() -> None:
    assert average_precision([True, False, True]) == pytest.approx((1 + 2 / 3) / 2)
    assert average_precision([False, True]) == 0.5 and average_precision([False]) == 0.0


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        ("It burned [1]. It was sold.[2][3] Rain.", "en", [("It burned.", (1,)), ("It was sold.", (2, 3)), ("Rain.", ())]),
        ("It burned [1, 3] and fell [2-4].", "en", [("It burned and fell.", (1, 3, 2, 4))]),
        ("磨坊烧毁了【1】。后来卖掉了[2，3]。", "zh", [("磨坊烧毁了。", (1,)), ("后来卖掉了。", (2, 3))]),
        ("[1]", "en", []),
    ],
)
def test_sentences_know_what_they_cite(text: str, language: str, expected: list[tuple[str, tuple[int, ...]]]) -> None:
    assert split_citing_sentences(text, language) == expected


async def test_citations_are_judged_by_what_they_name_alone() -> None:
    text = "The mill burned down in 1902 [1]. Ada Quill bought the ruin [2][3]. Rain fell for a week. It was sold [9]."
    case = ScoringCase("x", text, (), contexts=PASSAGES)
    asked = Asked(claims_judge)
    one = figures(await scored(case, asked, "citation_recall", "citation_precision"))
    assert one == {
        "citation_recall": 0.5,
        "citation_recall.unread": 0.0,
        "citation_precision": 0.5,
        "citation_precision.unread": 0.0,
    }
    assert len(asked.asked) == 2 and "Rain" not in next(iter(asked.asked)), "the first sentence cites another passage"


async def test_an_answer_that_cites_nothing_has_no_precision_and_no_recall_left() -> None:
    case = ScoringCase("x", "The mill burned down in 1902.", (), contexts=PASSAGES)
    one = figures(await scored(case, claims_judge, "citation_recall", "citation_precision"))
    assert (one["citation_recall"], one["citation_precision"]) == (0.0, "no citation")


# RAGQuestEval


def test_figure_6_of_crud_rag() -> None:
    """3 questions, 2 of them answered, with F1s of .5 and 1."""
    found = compare_answers(["500万元", "西安市", "173家"], ["500万", "西安市", "无法推断"])
    assert found == {"precision": 0.75, "recall": pytest.approx(2 / 3)}


@pytest.mark.parametrize(
    ("gold", "said", "expected"), [("500万元", "500万", 0.5), ("陕西西安市", "西安", 0), ("42人", "42 人", 0.8)]
)
def test_the_token_f1_of_crud_rag(gold: str, said: str, expected: float) -> None:
    assert compute_f1(gold, said) == pytest.approx(expected)
    assert (compute_f1("", ""), compute_f1("", "a")) == (1.0, 0.0)


def test_unanswerable_is_read_tolerantly() -> None:
    assert all(map(is_unanswerable, ("无法推断", "无法推断。", " “无法推断” ", "Unanswerable.", "<unanswerable>")))
    assert not is_unanswerable("无法推断的数字") and not is_unanswerable("")


def test_other_words_for_unanswerable_are_a_setting_that_its_scores_name() -> None:
    one = configure_metric("rag_quest_eval", {"rag_quest_eval.unanswerable": ["not told", "文中未提及"]})
    assert one.version != configure_metric("rag_quest_eval", {}).version and "not told|文中未提及" in one.version
    others = read_words(one.settings)
    assert all(is_unanswerable(said, others) for said in ("Not told.", "文中未提及。", "无法推断", "unanswerable"))
    assert not is_unanswerable("cannot be answered", others) and is_unanswerable("cannot be answered")
    assert compare_answers(["a", "not told", "b"], ["a", "c", "“Not told”"], others) == {"precision": 1.0, "recall": 0.5}
    with pytest.raises(BenchError, match="setting unanswerable is 7: give a list of texts"):
        configure_metric("rag_quest_eval", {"rag_quest_eval.unanswerable": 7})


async def test_a_judge_is_read_by_the_words_that_are_set() -> None:
    replies = quest(["a", "b"], ["a", "not told"])
    for words, recall in (([], 1.0), (["not told"], 0.5)):
        asked = Asked(replies)
        settings = {"rag_quest_eval.unanswerable": words}
        (one,) = [s async for s in score_cases([QUEST], ["rag_quest_eval"], judges=[asked.judge], settings=settings)]
        assert figures(one)["rag_quest_eval.recall"] == recall


def quest(golds: Sequence[str], own: Any) -> Reply:
    def reply(prompt: Prompt, inputs: Mapping[str, object]) -> Any:
        if prompt.fields == {"questions"}:
            return {"questions": [{"key": gold, "question": f"Q{n}?"} for n, gold in enumerate(golds)]}
        return {"answers": list(golds if "gold" in str(inputs["text"]) else own)}

    return reply


QUEST = ScoringCase("x", "an answer", ("the gold one",))
PARTS = ("rag_quest_eval.precision", "rag_quest_eval.recall")


async def test_questions_that_the_gold_answer_does_not_answer_are_left_out_first() -> None:
    replies = quest(["a", "unanswerable", "b", "c"], ["a", "z", "unanswerable", "d"])
    one = figures(await scored(QUEST, replies, "rag_quest_eval"))
    assert one == {PARTS[0]: 0.5, PARTS[1]: pytest.approx(2 / 3)}
    none = figures(await scored(QUEST, quest(["a"], ["无法推断"]), "rag_quest_eval"))
    assert none == {PARTS[0]: 0.0, PARTS[1]: 0.0}


@pytest.mark.parametrize(
    ("golds", "why"),
    [
        ([], "left out: no question about the gold answer"),
        (["unanswerable", "无法推断。"], "left out: no question that the gold answer answers"),
    ],
)
async def test_an_item_without_an_answerable_question_is_left_out_and_says_so(golds: list[str], why: str) -> None:
    assert figures(await scored(QUEST, quest(golds, golds), "rag_quest_eval")) == dict.fromkeys(PARTS, why)


async def test_too_few_answers_are_not_read_and_an_empty_answer_is_not_asked_about() -> None:
    one = figures(await scored(QUEST, quest(["a", "b"], ["a"]), "rag_quest_eval"))
    assert one == dict.fromkeys(PARTS, "not read: the answers from the answer")
    asked = Asked(quest(["a", "b"], []))
    empty = figures(await scored(ScoringCase("x", " ", QUEST.answers), asked, "rag_quest_eval"))
    assert empty == dict.fromkeys(PARTS, 0.0) and len(asked.asked) == 2


async def test_a_question_set_of_its_own_costs_one_call() -> None:
    given = [{"question": "Who?", "answer": "a"}, {"question": "When?", "answer": "b"}]
    asked = Asked(quest([], ["a", "unanswerable"]))
    one = await scored(ScoringCase("x", "an answer", (), extra={"question_set": given}), asked, "rag_quest_eval")
    assert figures(one) == {PARTS[0]: 1.0, PARTS[1]: 0.5} and len(asked.asked) == 1
    assert one.details["rag_quest_eval"]["question_set"] == given


async def test_without_a_judge_its_headline_says_so() -> None:
    (one,) = [s async for s in score_cases([QUEST], ["rag_quest_eval"])]
    assert figures(one) == {"rag_quest_eval.recall": "not run: no judge"}


# CRAG


def verdicts(answer: str) -> Reply:
    return lambda prompt, inputs: {"correct": int(str(inputs["prediction"]) == answer), "why": "so"}


@pytest.mark.parametrize(
    ("prediction", "answers", "expected", "rule", "calls"),
    [
        ("Paris", ("paris",), 1.0, "equal to a gold answer", 0),
        ("I don’t know the exact date, but 1999", ("1999",), 0.0, "says “i don't know”", 0),
        ("I don't know", ("I don't know",), 0.0, "says “i don't know”", 0),
        ("", ("x",), 0.0, "empty", 0),
        ("Invalid question", ("invalid question",), 1.0, "equal to a gold answer", 0),
        ("That is an invalid premise", ("invalid question",), 1.0, "both say invalid", 0),
        ("In 1999", ("invalid question",), -1.0, "the judge", 1),
        ("right", ("invalid question", "never"), 1.0, "the judge", 1),
        ("“Paris”.", ("paris",), 1.0, "equal to a gold answer", 0),
        ("universal pictures, inc.", ("Universal Pictures Inc",), 1.0, "equal to a gold answer", 0),
        ("-5 %", ("5 %",), -1.0, "the judge", 1),
        ("nan", ("nan",), 1.0, "equal to a gold answer", 0),
        ("Do you mean the film or the song?", ("1999",), 0.0, "says “do you mean”", 0),
        ("I DON‘T know.", ("invalid question",), 0.0, "says “i don't know”", 0),
        ("right", ("one", "another"), 1.0, "the judge", 1),
        ("wrong", ("one", "another"), -1.0, "the judge", 2),
    ],
)
async def test_truthfulness_goes_by_its_rules_in_order(
    prediction: str, answers: tuple[str, ...], expected: float, rule: str, calls: int
) -> None:
    asked = Asked(verdicts("right"))
    one = await scored(ScoringCase("x", prediction, answers), asked, "crag_truthfulness")
    assert one.values["crag_truthfulness"].value == expected and len(asked.asked) == calls
    assert one.details["crag_truthfulness"]["rule"] == rule


@pytest.mark.parametrize(
    ("premise", "prediction", "gold", "expected", "rule", "calls"),
    [
        ("strict", "Invalid question.", "invalid question", 1.0, "equal to a gold answer", 0),
        ("strict", "The premise is invalid", "invalid question", -1.0, "a false premise, met by “invalid question” alone", 0),
        ("strict", "invalid question", "he never won it", -1.0, "the judge", 1),
        ("judge", "The premise is invalid", "invalid question", 1.0, "both say invalid", 0),
        ("judge", "invalid question", "he never won it", -1.0, "the judge", 1),
        ("reference", "The premise is invalid", "invalid question", 1.0, "both say invalid", 0),
        ("reference", "invalid question", "he never won it", -1.0, "only one side is invalid", 0),
        ("reference", "He never won it", "invalid question", -1.0, "only one side is invalid", 0),
    ],
)
async def test_the_policy_on_false_premises_is_a_switch_stored_with_the_score(
    premise: str, prediction: str, gold: str, expected: float, rule: str, calls: int
) -> None:
    asked = Asked(verdicts("right"))
    settings = {"crag_truthfulness.premise": premise}
    (one,) = [
        s
        async for s in score_cases(
            [ScoringCase("x", prediction, (gold,))], ["crag_truthfulness"], judges=[asked.judge], settings=settings
        )
    ]
    value = one.values["crag_truthfulness"]
    assert (value.value, len(asked.asked)) == (expected, calls) and f"premise {premise}" in value.version
    assert (one.details["crag_truthfulness"]["rule"], one.details["crag_truthfulness"]["premise"]) == (rule, premise)


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({}, -1.0),
        ({"tokens": 0}, 0.0),
        ({"tokens": 300, "tokenizer": "words"}, 0.0),
        ({"tokens": 100, "tokenizer": "words"}, -1.0),
        ({"phrases": ["word word"]}, 0.0),
    ],
)
async def test_what_counts_of_an_answer_and_what_says_that_there_is_none_can_be_set(
    settings: dict[str, Any], expected: float
) -> None:
    case = ScoringCase("x", "word " * 200 + "I don't know", ("a",))
    named = {f"crag_truthfulness.{key}": value for key, value in settings.items()}
    (one,) = [s async for s in score_cases([case], ["crag_truthfulness"], judges=[Asked(verdicts("-")).judge], settings=named)]
    assert one.values["crag_truthfulness"].value == expected


@pytest.mark.parametrize("settings", [{"premise": "lenient"}, {"tokens": -1}, {"tokenizer": "llama"}, {"phrases": [1]}])
async def test_what_cannot_be_set_is_told_in_a_sentence(settings: dict[str, Any]) -> None:
    named = {f"crag_truthfulness.{key}": value for key, value in settings.items()}
    with pytest.raises(BenchError, match=next(iter(settings))):
        [
            s
            async for s in score_cases(
                [ScoringCase("x", "a", ("b",))], ["crag_truthfulness"], judges=[Asked(verdicts("-")).judge], settings=named
            )
        ]


async def test_an_empty_answer_and_a_refused_call_are_missing_each_with_its_reason() -> None:
    empty = await scored(ScoringCase("x", " ", ("a",)), verdicts("-"), "crag_truthfulness")
    refused = await scored(ScoringCase("x", "", ("a",), extra={"stop": "refused"}), verdicts("-"), "crag_truthfulness")
    for one, rule in ((empty, "empty"), (refused, "a refused call")):
        assert one.values["crag_truthfulness.missing"].value == 1.0 and one.details["crag_truthfulness"]["rule"] == rule


async def test_two_judges_are_averaged_and_a_failed_one_is_counted_both_ways() -> None:
    def down(prompt: Any, inputs: Any) -> Any:
        raise AgentError("The endpoint did not answer.", kind="timeout", attempts=3)

    yes, no = Asked(verdicts("right")).judge, Asked(verdicts("-")).judge
    case, names = ScoringCase("x", "right", ("gold",)), ["crag_truthfulness"]
    (one,) = [s async for s in score_cases([case], names, judges=[yes, no])]
    (other,) = [s async for s in score_cases([case], names, judges=[yes, Asked(down).judge])]
    both, lost = one.values, other.values
    assert both["crag_truthfulness"].value == 0.0 and both["crag_truthfulness.accuracy"].value == 0.5
    assert lost["crag_truthfulness"].value is None and lost["crag_truthfulness"].why.startswith("judge failed (timeout)")
    assert lost["crag_truthfulness.failures_wrong"].value == 0.0 and lost["crag_truthfulness.unread"].value == 0.5
    assert lost["crag_truthfulness.judge1"].value == 1.0 and lost["crag_truthfulness.judge2.failures_wrong"].value == -1.0


async def test_only_the_first_75_tokens_count_and_chinese_refusals_are_known() -> None:
    long = ScoringCase("x", "word " * 200 + "I don't know", ("a",))
    assert (await scored(long, verdicts("-"), "crag_truthfulness")).values["crag_truthfulness"].value == -1.0
    chinese = ScoringCase("x", "抱歉，我不知道。", ("北京",), "zh")
    assert (await scored(chinese, verdicts("-"), "crag_truthfulness")).values["crag_truthfulness"].value == 0.0


@pytest.mark.parametrize(("correct", "wrong", "truthfulness"), [(436, 301, 0.134), (359, 282, 0.077)])
async def test_the_mean_is_accuracy_less_hallucination_as_crag_prints_it(correct: int, wrong: int, truthfulness: float) -> None:
    answers = ["right"] * correct + ["wrong"] * wrong + ["I don't know"] * (1000 - correct - wrong)
    cases = [ScoringCase(str(n), answer, ("gold",)) for n, answer in enumerate(answers)]
    found = [s.values async for s in score_cases(cases, ["crag_truthfulness"], judges=[Asked(verdicts("right")).judge])]
    means = {
        part: sum(v[f"crag_truthfulness{part}"].value or 0.0 for v in found) / 1000
        for part in ("", ".accuracy", ".hallucination", ".missing")
    }
    assert means[""] == pytest.approx(truthfulness, abs=0.0011)
    assert means[""] == pytest.approx(means[".accuracy"] - means[".hallucination"])
    assert means[".missing"] == pytest.approx((1000 - correct - wrong) / 1000)


async def test_a_verdict_on_truthfulness_that_cannot_be_read_is_no_hallucination() -> None:
    one = figures(await scored(ScoringCase("x", "maybe", ("a",)), lambda p, i: "hard to say", "crag_truthfulness"))
    assert one["crag_truthfulness"] == one["crag_truthfulness.hallucination"] == "not read: the judge's verdict"
    assert one["crag_truthfulness.unread"] == 1.0 and one["crag_truthfulness.failures_wrong"] == -1.0
