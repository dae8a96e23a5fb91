"""Measure how often shortcuts are right by chance: each answer is also judged by gold answers of other questions. A shortcut
that is right no more often than by chance does not exist in the release."""

import random
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from core.cancellation import raise_if_cancelled
from eval.shortcut import ANY, Form, ProbeKey, ShortcutAnswer, ShortcutQuestion
from eval.shortcuts._judging import PreparedText, judge_answer, prepare_gold

REPEATS = 5
"""Number of other questions by whose gold answers each answer is also judged."""
_CHECK_EVERY = 500


class ShortcutResult(NamedTuple):
    """Whether a shortcut answers one question."""

    item: str
    probe: ProbeKey
    is_right: bool | None
    """Whether the answer is right; None = the answer is missing, or this cannot be decided."""
    chance: float | None
    """Share (0..1) of the gold answers of other questions by which the answer is right, or the probability that a guess is
    right; None = there is no other gold answer to compare with."""
    answer: ShortcutAnswer
    why: str = ""
    """Why `is_right` is None, in a few words."""


def judge_shortcuts(
    questions: Sequence[ShortcutQuestion],
    answers: Mapping[ProbeKey, tuple[Form, Sequence[ShortcutAnswer]]],
    threshold: float,
    seed: int,
) -> Iterator[ShortcutResult]:
    """Yield the result of each shortcut for each question, question by question, and then of all shortcuts together (`ANY`).

    All shortcuts are judged by the same other questions, so that the chance that at least one shortcut is right is measured
    too. These other questions have the same language, and their gold answers are short or long like the question's own."""
    others = draw_others(questions, seed)
    texts = {question.item: PreparedText(question.question, question.language) for question in questions}
    for place, question in enumerate(questions):
        if place % _CHECK_EVERY == 0:
            raise_if_cancelled()
        golds = [questions[other].answers for other in others[place]]
        missed = [1.0] * len(golds)  # for each of the other questions: the probability that no shortcut is right
        results = []
        for probe, (form, own) in answers.items():
            result, chances = _judge_one(question, texts[question.item], probe, form, own[place], golds, threshold)
            results.append(result)
            if result.is_right is not None:
                missed = [before * (1 - (chance or 0.0)) for before, chance in zip(missed, chances, strict=True)]
        yield from results
        yield _join_results(question.item, results, missed)


def draw_others(questions: Sequence[ShortcutQuestion], seed: int) -> list[list[int]]:
    """Return for each question the places of up to REPEATS other questions with the same language and with a gold answer of the
    same kind, short or long. Over all questions of such a group, each draw is a permutation."""
    groups: defaultdict[tuple[str, bool], list[int]] = defaultdict(list)
    for place, question in enumerate(questions):
        if question.answers:
            groups[question.language, prepare_gold(question.answers[0], question.language).is_short].append(place)
    others: list[list[int]] = [[] for _ in questions]
    generator = random.Random(seed)
    for _, members in sorted(groups.items()):
        generator.shuffle(members)
        steps = generator.sample(range(1, len(members)), min(REPEATS, len(members) - 1))
        for at, place in enumerate(members):
            others[place] = [members[(at + step) % len(members)] for step in steps]
    return others


def _judge_one(
    question: ShortcutQuestion,
    text: PreparedText,
    probe: ProbeKey,
    form: Form,
    answer: ShortcutAnswer,
    golds: Sequence[Sequence[str]],
    threshold: float,
) -> tuple[ShortcutResult, list[float | None]]:
    """Return the result of one shortcut for one question, and whether the shortcut's answer is right by each of the other gold
    answers; None if this cannot be decided."""
    nothing: list[float | None] = [None] * len(golds)
    if answer.text is None:
        return ShortcutResult(question.item, probe, None, None, answer, answer.why), nothing
    prepared = PreparedText(answer.text, question.language)
    judged = judge_answer(prepared, form, text, question.answers, threshold)
    if isinstance(judged, str):
        return ShortcutResult(question.item, probe, None, None, answer, judged), nothing
    if answer.chance is not None:
        return ShortcutResult(question.item, probe, judged, answer.chance, answer), [answer.chance] * len(golds)
    found = [judge_answer(prepared, form, text, others, threshold) for others in golds]
    chances = [None if isinstance(one, str) else float(one) for one in found]
    known = [chance for chance in chances if chance is not None]
    chance = sum(known) / len(known) if known else None
    return ShortcutResult(question.item, probe, judged, chance, answer), chances


def _join_results(item: str, results: Sequence[ShortcutResult], missed: Sequence[float]) -> ShortcutResult:
    """Return whether at least one shortcut is right, and the chance that at least one is right."""
    decided = [result.is_right for result in results if result.is_right is not None]
    if not decided:
        return ShortcutResult(item, ProbeKey(ANY), None, None, ShortcutAnswer(None), "no shortcut applies")
    chance = 1 - sum(missed) / len(missed) if missed else None
    return ShortcutResult(item, ProbeKey(ANY), any(decided), chance, ShortcutAnswer(None))
