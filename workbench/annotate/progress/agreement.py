"""How far people agree where at least two gave an opinion on one item: on what to do with it, why it goes, where its evidence
stands and what the answer is. Each value has its n, an interval over items, and what random pairs of different items give."""

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any, TypeVar

from core.label_questions import LabelQuestion
from core.nouns import Span
from core.statistics.agreement import (
    MASI,
    NOMINAL,
    RESAMPLES,
    Agreement,
    alpha,
    cohen,
    compare_texts,
    fleiss,
    ordinal,
    span_jaccard,
)
from core.text.text import token_f1
from eval.page import Cell, Page, Table, count, figure, words
from store.reviews.progress import ProgressOpinion

PAIRS = 10
"""Pairs of people that are shown, those with the most items in common."""
DRAWN = 20_000_000
"""Units drawn for an interval, about: it is to be there within seconds."""
LEAST = 200
"""Resamples at least."""
SEED = 0
CHANCE_PAIRS = 1_000
T = TypeVar("T")
Sentences = Callable[[str], Sequence[tuple[int, int]]]
"""Document -> (start, end) of its sentences."""


@dataclass(frozen=True, slots=True)
class AgreementLine:
    """One line: a measure of one thing."""

    what: str
    measure: str
    people: str
    value: float | None
    """None = undefined, and `why` says why."""
    low: float | None
    high: float | None
    items: int
    """That two people at least gave an opinion on."""
    chance: float | None = None
    """The measure over random pairs of different items; None where the measure itself leaves chance out, or it is undefined."""
    is_corrected: bool = False
    """Whether the measure itself leaves chance out: 0 is chance."""
    why: str = ""


@dataclass(frozen=True, slots=True)
class Agreed:
    """All of it but likeness in meaning."""

    items: int
    """Items that at least two people gave an opinion on."""
    blind: int
    """Those of them whose opinions were given blind."""
    people: int
    lines: Sequence[AgreementLine]
    left_out: int
    """Pairs of people that are not among the lines."""
    seed: int = SEED
    chance_pairs: int = CHANCE_PAIRS


def agreed(opinions: Sequence[ProgressOpinion], sentences: Sentences, questions: Sequence[LabelQuestion] = ()) -> Agreed:
    """From one opinion of each person on each such item; label questions come last."""
    decisions = _by_item(opinions, lambda one: one.decision)
    done = _by_item(opinions, lambda one: "edit" if one.is_edited else one.decision)
    reasons = _by_item((one for one in opinions if one.decision == "discard" and one.reason), lambda one: one.reason)
    accepted = [one for one in opinions if one.decision == "accept"]
    evidence = _by_item(accepted, lambda one: one.evidence)
    by_document = sorted(accepted, key=lambda one: one.evidence[:1])  # so that each document is read once
    cited = _by_item(by_document, lambda one: cited_sentences(one.evidence, sentences))
    answers = _by_item((one for one in accepted if one.answer.strip()), lambda one: (one.answer, one.language))
    pairs = Counter(pair for row in decisions.values() for pair in combinations(sorted(row), 2))
    shown = sorted(pairs, key=lambda pair: (-pairs[pair], pair))[:PAIRS]
    resamples = max(LEAST, min(RESAMPLES, DRAWN // max(1, len(decisions))))
    chance: Any = {"resamples": resamples, "seed": SEED}
    what = "Accept or discard"
    lines = [
        _corrected(what, "Krippendorff's alpha", "everybody", alpha(decisions, **chance)),
        _corrected(what, "Fleiss' kappa", "everybody", fleiss(decisions, **chance)),
        *(_corrected(what, "Cohen's kappa", f"{a} and {b}", cohen(decisions, a, b, **chance)) for a, b in shown),
        _alike(what, "pairs of one decision", decisions, _same),
        _corrected("As drafted, edited or discarded", "Krippendorff's alpha", "everybody", alpha(done, **chance)),
        _alike("As drafted, edited or discarded", "pairs that did the same", done, _same),
        _corrected("Reason of discards", "Krippendorff's alpha", "everybody", alpha(reasons, **chance)),
        _alike("Reason of discards", "pairs with one reason", reasons, _same),
        _alike("Evidence", "Jaccard of the marked characters", evidence, span_jaccard),
        _corrected(
            "Evidence", "Krippendorff's alpha of the cited sentences, MASI distance", "everybody", alpha(cited, MASI, **chance)
        ),
        _alike("Answer", "token F1", answers, lambda a, b: token_f1(a[0], b[0], a[1])),
        *(line for question in questions for line in _labelled(question, opinions, chance)),
    ]
    blind = len({one.item for one in opinions if one.is_blind})
    return Agreed(len(decisions), blind, len({one.person for one in opinions}), lines, len(pairs) - len(shown))


def nameless(found: Agreed) -> Agreed:
    """The same without the names of pairs."""
    lines = [line if line.people == "everybody" else replace(line, people="two people") for line in found.lines]
    return replace(found, lines=lines)


def alike_in_meaning(
    opinions: Sequence[ProgressOpinion],
    languages: Collection[str],
    model: str,
    vectors: Callable[[Sequence[str]], Mapping[str, Any]],
) -> list[AgreementLine]:
    """Likeness of accepted answers by cosine: a line for each language. `vectors` gives those of length 1 of the texts that are
    not too long for the model."""
    found = []
    measure = f"cosine ({model})"
    for language in sorted({one.language for one in opinions}) or ["en"]:
        accepted = [one for one in opinions if one.decision == "accept" and one.answer.strip() and one.language == language]
        answers = _by_item(accepted, lambda one: one.answer)
        what = f"Answer ({language})"
        if language not in languages:
            several = sum(len(row) > 1 for row in answers.values())
            why = f"not available for {language} with this model"
            found.append(AgreementLine(what, measure, "everybody", None, None, None, several, why=why))
            continue
        of = vectors(sorted({text for row in answers.values() if len(row) > 1 for text in row.values()}))
        fitting = {item: {person: of[text] for person, text in row.items() if text in of} for item, row in answers.items()}
        found.append(_alike(what, measure, fitting, lambda a, b: float(a @ b)))
    return found


def cited_sentences(evidence: Iterable[Span], sentences: Sentences) -> frozenset[tuple[str, int]]:
    """(document, number) of every sentence that the evidence touches."""
    found: set[tuple[str, int]] = set()
    for span in evidence:
        cuts = sentences(span.document)
        first = bisect_right(cuts, span.start, key=lambda cut: cut[1])
        found.update((span.document, number) for number in range(first, bisect_left(cuts, span.end, key=lambda cut: cut[0])))
    return frozenset(found)


def page_of(found: Agreed, meaning: Sequence[AgreementLine]) -> Page:
    """Every line, with what it rests on."""
    heads = ["what", "measure", "people", "value", "low", "high", "items", "chance", "undefined"]
    rows: list[list[Cell]] = [
        [
            words(line.what),
            words(line.measure),
            words(line.people),
            figure(line.value),
            figure(line.low),
            figure(line.high),
            count(line.items),
            Cell("0 (corrected)", 0.0) if line.is_corrected else figure(line.chance),
            words(line.why) if line.why else Cell(""),
        ]
        for line in (*found.lines, *meaning)
    ]
    return Page("Agreement", [Table("Agreement", heads, rows, notes_of(found))])


def notes_of(found: Agreed) -> list[str]:
    """What must be known beside the figures."""
    said = [
        "1 = perfect. Kappa and alpha leave chance out: by definition 0 = as by chance, below 0 = worse. Each person's last "
        "opinion on an item counts.",
        f"By chance: the same measure over {found.chance_pairs:,} random pairs of different items (seed {found.seed}). "
        "Intervals: 95 %, bootstrapped over items.",
        "Evidence and answers are those of people who accepted. Who keeps the draft agrees with whoever keeps it too: only "
        "opinions given blind are independent.",
    ]
    if found.left_out:
        pairs = "pair" if found.left_out == 1 else "pairs"
        said.append(f"{found.left_out:,} {pairs} of people with fewer items in common not shown.")
    return said


def _by_item(opinions: Iterable[ProgressOpinion], label: Callable[[ProgressOpinion], T]) -> dict[str, dict[str, T]]:
    """Item -> person -> label."""
    found: dict[str, dict[str, T]] = {}
    for one in opinions:
        found.setdefault(one.item, {})[one.person] = label(one)
    return found


def _labelled(question: LabelQuestion, opinions: Sequence[ProgressOpinion], chance: Mapping[str, Any]) -> list[AgreementLine]:
    """The lines of one label question; none where nobody answered it."""
    name = question.name
    given = [one for one in opinions if name in one.label_answers]
    what = f"Label: {name}"
    if question.kind == "text":
        several = sum(len(row) > 1 for row in _by_item(given, lambda one: one.person).values())
        why = "free text: no coefficient says how far two texts agree"
        return [AgreementLine(what, "none", "everybody", None, None, None, several, why=why)] if given else []
    found = _by_item(given, lambda one: _as_label(one.label_answers[name]))
    distance, measure = {
        "one": (NOMINAL, "Krippendorff's alpha"),
        "rating": (ordinal(found), "Krippendorff's alpha, ordinal"),
        "several": (MASI, "Krippendorff's alpha of the chosen sets, MASI distance"),
    }[question.kind]
    if not given:
        return []
    lines = [_corrected(what, measure, "everybody", alpha(found, distance, **chance))]
    if question.kind == "one":
        lines.append(_corrected(what, "Fleiss' kappa", "everybody", fleiss(found, **chance)))
    return [*lines, _alike(what, "pairs of one answer", found, _same)]


def _as_label(answer: Any) -> Any:
    return frozenset(answer) if isinstance(answer, list) else answer


def _corrected(what: str, measure: str, people: str, found: Agreement) -> AgreementLine:
    return AgreementLine(
        what, measure, people, found.value, found.low, found.high, found.units, is_corrected=True, why=found.why
    )


def _alike(
    what: str, measure: str, texts: Mapping[str, Mapping[str, T]], score: Callable[[T, T], float | None]
) -> AgreementLine:
    several = {item: row for item, row in texts.items() if len(row) > 1}
    observed, chance = compare_texts(several, score, pairs=CHANCE_PAIRS, seed=SEED)
    why = "" if observed.mean is not None else "undefined, because no item has it of two people"
    return AgreementLine(
        what, measure, "everybody", observed.mean, observed.low, observed.high, len(several), chance.mean, why=why
    )


def _same(a: object, b: object) -> float:
    return float(a == b)
