"""rag_quest_eval: how well the answer answers questions about the key information of the gold answer, as two shares from 0 to 1
(CRUD-RAG's RAGQuestEval, in the order of its code). rag_quest_eval.recall is the share of the questions answerable from the
gold answer that are also answerable from the system's answer. rag_quest_eval.precision is the mean token F1 of the replies to
those questions against the replies from the gold answer; 0 if the system's answer answers none of the questions. The metric has
no value that combines recall and precision.

The metric makes three calls: one for the questions about the gold answer and one for the gold answer's replies, both made once
for all systems, and one for the answer's replies. An item has no value, but a reason, if no question can be derived from its
gold answer, or if the gold answer answers none of the derived questions. "Unanswerable" and its equivalents are recognised
regardless of case, full stop and quotation marks. A reply with more or fewer answers than questions is unreadable. A line of a
predictions file may contain its own `question_set`: a list of {"question", "answer"}; a workspace stores such a list for each
gold answer, and users can edit the list. The number of the judge's votes has no effect on this metric.

Settings: `unanswerable` replaces the built-in list of additional phrases that mean that a text does not contain the answer.
`claims=nuggets` asks one question about each nugget of the item, which people can edit, in place of questions about the gold
answer; one call writes the questions and their answers. That is not CRUD-RAG's definition."""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import Any

from core.text.language import FULL_LANGUAGES
from core.text.text import f1_tokens
from core.text.words import jieba_words
from eval.metric import NO_GOLD, JudgedScore, Metric, ScoringCase, Unscored, Values
from eval.retriever import Embedders
from eval.scoring.claims import number_texts
from eval.scoring.judging import ask_judge, index_entries
from eval.scoring.nuggets import (
    CLAIMS_SETTING,
    describe_claim_set,
    describe_claims,
    join_nuggets,
    prepare_nuggets,
    takes_nuggets,
)
from eval.settings import Settings, read_texts, refuse_setting
from eval.system import AskInRun
from prompts.prompt import load

QUESTIONS = "extract/key_questions"
"""Prompt that asks an agent for questions about a text: its input is `text`, its reply field `questions`."""
NUGGET_QUESTIONS = "extract/nugget_questions"
"""Prompt that asks an agent for one question about each nugget: its input is `nuggets`, its reply field `nugget_questions`."""
ANSWERS = "extract/short_answers"
"""Prompt that asks an agent to answer questions from a text: its inputs are `text` and `questions`, its reply field
`answers`."""
PROMPTED_WORDS = frozenset(("unanswerable", "无法推断"))
"""Replies that the prompt asks for if the text does not answer a question; they always mean "unanswerable"."""
UNANSWERABLE_WORDS = ("无法回答", "cannot be inferred", "cannot be answered")
SETTINGS: Settings = MappingProxyType({"unanswerable": [], **CLAIMS_SETTING})
LEFT_OUT = "left out: "


async def judge(case: ScoringCase, ask: AskInRun, votes: int, settings: Settings = SETTINGS) -> JudgedScore:
    others = read_words(settings)
    details: dict[str, Any] = {}

    def leave_unscored(why: Unscored) -> JudgedScore:
        return JudgedScore({"precision": why, "recall": why}, details)

    async def answer(text: str, questions: Sequence[str], side: str) -> Sequence[str] | None:
        """Return the judge's answers to the questions, based only on the text, or None if the judge's reply is unreadable. If
        the text is empty, all questions are unanswerable and no call is made."""
        if not questions or not text.strip():
            return ["unanswerable"] * len(questions)
        inputs = {"text": text, "questions": number_texts(dict(enumerate(questions, 1)))}
        reply = await ask_judge(ask, load(ANSWERS, case.language), inputs)
        details[side] = reply.record()
        answers = reply.values["answers"] if reply.values else []
        return answers if len(answers) == len(questions) else None

    async def ask_about_nuggets() -> list[Mapping[str, Any]] | Unscored:
        """Return a question about each nugget of the case with its answer; nuggets without a question are left out."""
        nuggets = await prepare_nuggets(case, ask, details)
        if isinstance(nuggets, Unscored):
            return nuggets
        numbered = number_texts({number: nugget.text for number, nugget in enumerate(nuggets, 1)})
        reply = await ask_judge(ask, load(NUGGET_QUESTIONS, case.language), {"nuggets": numbered})
        details["asked about nuggets"] = reply.record()
        details["nuggets"] = join_nuggets(nuggets)
        if reply.values is None:
            return Unscored("not read: the questions about the nuggets")
        entries = index_entries(reply, "nugget_questions", "nugget")
        return [entries[n] for n in range(1, len(nuggets) + 1) if n in entries and entries[n]["question"].strip()]

    golds: Sequence[str] | None
    if (question_set := case.extra.get("question_set")) is not None:
        rows = [row for row in question_set if isinstance(row, Mapping)] if isinstance(question_set, list) else []
        questions = [str(row.get("question") or "") for row in rows]
        golds = [str(row.get("answer") or "unanswerable") for row in rows]
    elif takes_nuggets(settings):
        drafted = await ask_about_nuggets()
        if isinstance(drafted, Unscored):
            return leave_unscored(drafted)
        questions = [row["question"] for row in drafted]
        golds = [row["answer"].strip() or "unanswerable" for row in drafted]
    else:
        if not case.answers:
            return leave_unscored(NO_GOLD)
        reply = await ask_judge(ask, load(QUESTIONS, case.language), {"text": case.answers[0]})
        details["asked"] = reply.record(text=case.answers[0])
        if reply.values is None:
            return leave_unscored(Unscored("not read: the questions about the gold answer"))
        questions = [entry["question"] for entry in reply.values["questions"] if entry["question"].strip()]
        golds = await answer(case.answers[0], questions, "from the gold answer")
    if golds is None:
        return leave_unscored(Unscored("not read: the answers from the gold answer"))
    details["question_set"] = [{"question": q, "answer": a} for q, a in zip(questions, golds, strict=True)]
    if all(is_unanswerable(gold, others) for gold in golds):
        why = "no question that the gold answer answers" if questions else "no question about the gold answer"
        return leave_unscored(Unscored(LEFT_OUT + why))
    own = await answer(case.prediction, questions, "from the answer")
    if own is None:
        return leave_unscored(Unscored("not read: the answers from the answer"))
    details["answers"] = list(own)
    return JudgedScore(compare_answers(golds, own, others, case.language), details)


def compare_answers(
    golds: Sequence[str], own: Sequence[str], others: Sequence[str] = UNANSWERABLE_WORDS, language: str = "en"
) -> Values:
    """Return recall and precision of the answers from the system's text (`own`) against those from the gold answer (`golds`),
    of which at least one must be answerable."""
    answerable = [(gold, answer) for gold, answer in zip(golds, own, strict=True) if not is_unanswerable(gold, others)]
    answered = [(gold, answer) for gold, answer in answerable if not is_unanswerable(answer, others)]
    matches = [compute_f1(gold, answer, language) for gold, answer in answered]
    return {"precision": sum(matches) / len(matches) if matches else 0.0, "recall": len(answered) / len(answerable)}


def compute_f1(gold: str, prediction: str, language: str = "en") -> float:
    """Return the token F1 of two texts over jieba's words, including white space and punctuation; in languages other than
    English and Chinese, over the tokens of token_f1. Two empty texts give 1."""
    cut = jieba_words if language in FULL_LANGUAGES else partial(f1_tokens, language=language)
    gold_words, words = Counter(cut(gold)), Counter(cut(prediction))
    if not gold_words or not words:
        return float(gold_words == words)
    return 2 * (gold_words & words).total() / (gold_words.total() + words.total())


def is_unanswerable(answer: str, others: Sequence[str] = UNANSWERABLE_WORDS) -> bool:
    """Check whether the reply says that the text does not answer the question, by the phrase in the prompt or a phrase in
    `others`."""
    plain = _normalise_answer(answer)
    return plain in PROMPTED_WORDS or plain in map(_normalise_answer, others)


def read_words(settings: Settings) -> tuple[str, ...]:
    """Return the phrases that mean "unanswerable": those in the settings, else the default ones."""
    texts = read_texts(settings, "unanswerable")
    if not all(map(_normalise_answer, texts)):
        raise refuse_setting("unanswerable", list(texts), "a list of texts, or leave it out")
    return texts or UNANSWERABLE_WORDS


def describe_settings(settings: Settings, embedders: Embedders) -> str:
    """Return the phrases in the settings that mean "unanswerable", and whether nuggets are used as the claims of the gold
    answer, as a text for the version of a score. Raises BenchError for an invalid setting."""
    return f"unanswerable {'|'.join(read_words(settings))} {describe_claims(settings, embedders)}".strip()


def describe_sets(case: ScoringCase, settings: Settings) -> str:
    """Return the part of a score's version that says which versions of a nugget set and a question set the case has."""
    questions = str(case.extra.get("question_set_version", ""))
    if not takes_nuggets(settings):
        return questions
    return f"{describe_claim_set(case, settings)} {questions and f'questions {questions}'}".strip()


def _normalise_answer(answer: str) -> str:
    return answer.strip(" \t\n.。!！“”\"'‘’「」<>《》").lower()


METRIC = Metric(
    version="1 jieba 0.42.1",
    headline="recall",
    judge=judge,
    settings=SETTINGS,
    describe_settings=describe_settings,
    describe_case=describe_sets,
    reference="CRUD-RAG's code: tests check the order of its rules, its figure 6 and its published token F1s",
)
