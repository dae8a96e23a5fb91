"""rag_quest_eval: what questions about the gold answer's key information the answer can answer (CRUD-RAG's RAGQuestEval, by
the order of its code). rag_quest_eval.recall: of the questions that the gold answer answers, the share that the answer answers
at all. rag_quest_eval.precision: the mean token F1 of those answers against the gold answer's; 0 when it answers none. There is
no figure for both together.

Three calls: questions about the gold answer and their answers from it, made once for all systems, then their answers from the
answer. Items whose gold answer gives no question, or none that it answers, have no value and say so. "Unanswerable" is read
with or without its full stop, quotation marks and case. A reply with more or fewer answers than questions is not read. A
predictions file's line may bring its own `question_set`: a list of {"question", "answer"}; a workspace keeps one for each gold
answer, which people can change. Votes make no difference."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from core.words import jieba_words
from eval.claims import numbered
from eval.judging import said
from eval.metric import Case, Judged, Metric, Unscored, Values
from eval.system import Ask
from prompts.prompt import load

QUESTIONS = "extract/key_questions"
"""Input text; reply field questions."""
ANSWERS = "extract/short_answers"
"""Inputs text and questions; reply field answers."""
UNANSWERABLE = frozenset(("unanswerable", "无法推断", "无法回答", "cannot be inferred", "cannot be answered"))
LEFT_OUT = "left out: "


async def judge(case: Case, ask: Ask, votes: int) -> Judged:
    details: dict[str, Any] = {}
    given = case.extra.get("question_set")
    if given is None:
        if not case.answers:
            return _without(Unscored("no gold answer"), details)
        found = await said(ask, load(QUESTIONS, case.language), {"text": case.answers[0]})
        details["asked"] = found.record(text=case.answers[0])
        if found.values is None:
            return _without(Unscored("not read: the questions about the gold answer"), details)
        questions = [one["question"] for one in found.values["questions"] if one["question"].strip()]
        golds = await _answers(case.answers[0], questions, case, ask, details, "from the gold answer")
    else:
        questions, golds = _given(given)
    if golds is None:
        return _without(Unscored("not read: the answers from the gold answer"), details)
    details["question_set"] = [{"question": q, "answer": a} for q, a in zip(questions, golds, strict=True)]
    if all(is_unanswerable(gold) for gold in golds):
        why = "no question that the gold answer answers" if questions else "no question about the gold answer"
        return _without(Unscored(LEFT_OUT + why), details)
    own = await _answers(case.prediction, questions, case, ask, details, "from the answer")
    if own is None:
        return _without(Unscored("not read: the answers from the answer"), details)
    details["answers"] = list(own)
    return Judged(values(golds, own), details)


def values(golds: Sequence[str], own: Sequence[str]) -> Values:
    """Recall and precision of answers against those of the gold answer, at least one of which is not "unanswerable"."""
    asked = [(gold, said) for gold, said in zip(golds, own, strict=True) if not is_unanswerable(gold)]
    answered = [(gold, said) for gold, said in asked if not is_unanswerable(said)]
    matches = [f1(gold, said) for gold, said in answered]
    return {"precision": sum(matches) / len(matches) if matches else 0.0, "recall": len(answered) / len(asked)}


def f1(gold: str, said: str) -> float:
    """Token F1 over jieba's words, white space and punctuation among them; both empty = 1."""
    one, other = Counter(jieba_words(gold)), Counter(jieba_words(said))
    if not one or not other:
        return float(one == other)
    shared = (one & other).total()
    return 2 * shared / (one.total() + other.total())


def is_unanswerable(answer: str) -> bool:
    """Whether it says that the text does not tell."""
    return answer.strip(" \t\n.。!！“”\"'‘’「」<>《》").lower() in UNANSWERABLE


async def _answers(
    text: str, questions: Sequence[str], case: Case, ask: Ask, details: dict[str, Any], side: str
) -> Sequence[str] | None:  # fmt: skip
    """None when the reply cannot be read. From an empty text nothing can be answered: nobody is asked."""
    if not questions or not text.strip():
        return ["unanswerable"] * len(questions)
    inputs = {"text": text, "questions": numbered(dict(enumerate(questions, 1)))}
    found = await said(ask, load(ANSWERS, case.language), inputs)
    details[side] = found.record()
    answers = found.values["answers"] if found.values else []
    return answers if len(answers) == len(questions) else None


def _given(given: Any) -> tuple[list[str], list[str]]:
    """A question set as a predictions file brings it; what is none counts as empty."""
    rows = [one for one in given if isinstance(one, Mapping)] if isinstance(given, list) else []
    pairs = [(str(one.get("question") or ""), str(one.get("answer") or "unanswerable")) for one in rows]
    return [question for question, _ in pairs], [answer for _, answer in pairs]


def _without(why: Unscored, details: Mapping[str, Any]) -> Judged:
    return Judged({"precision": why, "recall": why}, details)


METRIC = Metric(
    version="1 jieba 0.42.1", low=0.0, high=1.0, headline="recall", judge=judge,
    asked_by=lambda case: str(case.extra.get("question_set_version", "")),
    reference="CRUD-RAG's code: the order of its rules, its figure 6 and its published token F1s, by tests",
)  # fmt: skip
