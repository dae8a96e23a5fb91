"""rag_quest_eval: what questions about the gold answer's key information the answer can answer (CRUD-RAG's RAGQuestEval, by
the order of its code). rag_quest_eval.recall: of the questions that the gold answer answers, the share that the answer answers
at all. rag_quest_eval.precision: the mean token F1 of those answers against the gold answer's; 0 when it answers none. There is
no figure for both together.

Three calls: questions about the gold answer and their answers from it, made once for all systems, then their answers from the
answer. Items whose gold answer gives no question, or none that it answers, have no value and say so. "Unanswerable", and other
words for it, are read with or without full stop, quotation marks and case. A reply with more or fewer answers than questions is
not read. A predictions file's line may bring its own `question_set`: a list of {"question", "answer"}; a workspace keeps one
for each gold answer, which people can change. Votes make no difference.

unanswerable   other words that say that a text does not tell, in the place of our own list"""

from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import Any

from core.errors import BenchError
from core.text.words import jieba_words
from eval.metric import JudgedScore, Metric, ScoringCase, Unscored, Values
from eval.retriever import Embedders
from eval.running.settings import shorten_value
from eval.scoring.claims import number_texts
from eval.scoring.judging import ask_judge
from eval.system import AskInRun
from prompts.prompt import load

QUESTIONS = "extract/key_questions"
"""Input text; reply field questions."""
ANSWERS = "extract/short_answers"
"""Inputs text and questions; reply field answers."""
ASKED_FOR = frozenset(("unanswerable", "无法推断"))
"""What the prompt asks for where a text does not tell; always read as that."""
UNANSWERABLE_WORDS = ("无法回答", "cannot be inferred", "cannot be answered")
SETTINGS: Mapping[str, Any] = MappingProxyType({"unanswerable": []})
LEFT_OUT = "left out: "


async def judge(case: ScoringCase, ask: AskInRun, votes: int, settings: Mapping[str, Any] = SETTINGS) -> JudgedScore:
    others = read_words(settings)
    details: dict[str, Any] = {}
    given = case.extra.get("question_set")
    if given is None:
        if not case.answers:
            return _leave_unscored(Unscored("no gold answer"), details)
        found = await ask_judge(ask, load(QUESTIONS, case.language), {"text": case.answers[0]})
        details["asked"] = found.record(text=case.answers[0])
        if found.values is None:
            return _leave_unscored(Unscored("not read: the questions about the gold answer"), details)
        questions = [one["question"] for one in found.values["questions"] if one["question"].strip()]
        golds = await _answers(case.answers[0], questions, case, ask, details, "from the gold answer")
    else:
        questions, golds = _read_question_set(given)
    if golds is None:
        return _leave_unscored(Unscored("not read: the answers from the gold answer"), details)
    details["question_set"] = [{"question": q, "answer": a} for q, a in zip(questions, golds, strict=True)]
    if all(is_unanswerable(gold, others) for gold in golds):
        why = "no question that the gold answer answers" if questions else "no question about the gold answer"
        return _leave_unscored(Unscored(LEFT_OUT + why), details)
    own = await _answers(case.prediction, questions, case, ask, details, "from the answer")
    if own is None:
        return _leave_unscored(Unscored("not read: the answers from the answer"), details)
    details["answers"] = list(own)
    return JudgedScore(compare_answers(golds, own, others), details)


def compare_answers(golds: Sequence[str], own: Sequence[str], others: Sequence[str] = UNANSWERABLE_WORDS) -> Values:
    """Recall and precision of answers against those of the gold answer, at least one of which is not "unanswerable"."""
    asked = [(gold, said) for gold, said in zip(golds, own, strict=True) if not is_unanswerable(gold, others)]
    answered = [(gold, said) for gold, said in asked if not is_unanswerable(said, others)]
    matches = [compute_f1(gold, said) for gold, said in answered]
    return {"precision": sum(matches) / len(matches) if matches else 0.0, "recall": len(answered) / len(asked)}


def compute_f1(gold: str, said: str) -> float:
    """Token F1 over jieba's words, white space and punctuation among them; both empty = 1."""
    one, other = Counter(jieba_words(gold)), Counter(jieba_words(said))
    if not one or not other:
        return float(one == other)
    shared = (one & other).total()
    return 2 * shared / (one.total() + other.total())


def is_unanswerable(answer: str, others: Sequence[str] = UNANSWERABLE_WORDS) -> bool:
    """Whether it says that the text does not tell, in the prompt's words or in one of the `others`."""
    plain = _normalise_answer(answer)
    return plain in ASKED_FOR or plain in map(_normalise_answer, others)


def read_words(settings: Mapping[str, Any]) -> tuple[str, ...]:
    """The words that are set, else our own."""
    found = settings.get("unanswerable", [])
    found = [found] if isinstance(found, str) else found
    if not isinstance(found, list) or not all(isinstance(one, str) and _normalise_answer(one) for one in found):
        raise BenchError(f"The setting unanswerable is {shorten_value(found)}: give a list of texts, or leave it out.")
    return tuple(found) or UNANSWERABLE_WORDS


def judge_as(settings: Mapping[str, Any]) -> Callable[[ScoringCase, AskInRun, int], Awaitable[JudgedScore]]:
    """METRIC.judge_as."""
    return partial(judge, settings=settings)


def made_with(settings: Mapping[str, Any], embedders: Embedders) -> str:
    """METRIC.made_with. Raises BenchError on what cannot be set."""
    return f"unanswerable {'|'.join(read_words(settings))}"


def _normalise_answer(answer: str) -> str:
    return answer.strip(" \t\n.。!！“”\"'‘’「」<>《》").lower()


async def _answers(
    text: str, questions: Sequence[str], case: ScoringCase, ask: AskInRun, details: dict[str, Any], side: str
) -> Sequence[str] | None:
    """None when the reply cannot be read. From an empty text nothing can be answered: nobody is asked."""
    if not questions or not text.strip():
        return ["unanswerable"] * len(questions)
    inputs = {"text": text, "questions": number_texts(dict(enumerate(questions, 1)))}
    found = await ask_judge(ask, load(ANSWERS, case.language), inputs)
    details[side] = found.record()
    answers = found.values["answers"] if found.values else []
    return answers if len(answers) == len(questions) else None


def _read_question_set(given: Any) -> tuple[list[str], list[str]]:
    """A question set as a predictions file brings it; what is none counts as empty."""
    rows = [one for one in given if isinstance(one, Mapping)] if isinstance(given, list) else []
    pairs = [(str(one.get("question") or ""), str(one.get("answer") or "unanswerable")) for one in rows]
    return [question for question, _ in pairs], [answer for _, answer in pairs]


def _leave_unscored(why: Unscored, details: Mapping[str, Any]) -> JudgedScore:
    return JudgedScore({"precision": why, "recall": why}, details)


METRIC = Metric(
    version="1 jieba 0.42.1",
    low=0.0,
    high=1.0,
    headline="recall",
    judge=judge,
    judge_as=judge_as,
    settings=SETTINGS,
    made_with=made_with,
    asked_by=lambda case: str(case.extra.get("question_set_version", "")),
    reference="CRUD-RAG's code: the order of its rules, its figure 6 and its published token F1s, by tests",
)
