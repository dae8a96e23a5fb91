"""Agreement of people on items with two or more opinions: on the decision, the reason of a discard, the evidence and the
answer. Each value has its n, an interval over items, and the value for random pairs of different items as a baseline."""

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

MAX_PAIRS = 10
"""Maximum number of displayed pairs of people, those with the most common items first."""
MAX_DRAWN_UNITS = 20_000_000
"""Approximate maximum number of units that one interval may draw, so that it takes seconds."""
MIN_RESAMPLES = 200
SEED = 0
CHANCE_PAIRS = 1_000
T = TypeVar("T")
Sentences = Callable[[str], Sequence[tuple[int, int]]]
"""Returns (start, end) of the sentences of a document."""


@dataclass(frozen=True, slots=True)
class AgreementLine:
    """One measure of the agreement on one thing."""

    what: str
    measure: str
    people: str
    value: float | None
    """The measure; None = undefined, for the reason in `why`."""
    low: float | None
    high: float | None
    items: int
    """Number of items with opinions of two or more people on this."""
    chance: float | None = None
    """Value for random pairs of different items; None if the measure corrects for chance, or is undefined."""
    is_corrected: bool = False
    """Whether the measure corrects for chance, so that 0 is chance."""
    why: str = ""


@dataclass(frozen=True, slots=True)
class AgreementReport:
    """The agreement of people, without similarity of meaning."""

    items: int
    """Number of items with opinions of two or more people."""
    blind: int
    """Number of these items with blind opinions."""
    people: int
    lines: Sequence[AgreementLine]
    left_out: int
    """Number of pairs of people without a line."""

    def hide_names(self) -> "AgreementReport":
        """Return the report without the names of pairs."""
        lines = [line if line.people == EVERYBODY else replace(line, people="two people") for line in self.lines]
        return replace(self, lines=lines)


EVERYBODY = "everybody"
ALPHA = "Krippendorff's alpha"


def compare_opinions(
    opinions: Sequence[ProgressOpinion], sentences: Sentences, questions: Sequence[LabelQuestion] = ()
) -> AgreementReport:
    """Compare one opinion of each person on each item; the last lines are those of the label questions."""
    decisions = _by_item(opinions, lambda opinion: opinion.decision)
    changes = _by_item(opinions, lambda opinion: "edit" if opinion.is_edited else opinion.decision)
    discards = [opinion for opinion in opinions if opinion.decision == "discard" and opinion.reason]
    reasons = _by_item(discards, lambda opinion: opinion.reason)
    accepted = [opinion for opinion in opinions if opinion.decision == "accept"]
    evidence = _by_item(accepted, lambda opinion: opinion.evidence)
    by_document = sorted(accepted, key=lambda opinion: opinion.evidence[:1])  # read each document once
    cited = _by_item(by_document, lambda opinion: cited_sentences(opinion.evidence, sentences))
    answers = _by_item(_select_answered(accepted), lambda opinion: (opinion.answer, opinion.language))
    pairs = Counter(pair for row in decisions.values() for pair in combinations(sorted(row), 2))
    shown = sorted(pairs, key=lambda pair: (-pairs[pair], pair))[:MAX_PAIRS]
    resamples = max(MIN_RESAMPLES, min(RESAMPLES, MAX_DRAWN_UNITS // max(1, len(decisions))))
    draws: Any = {"resamples": resamples, "seed": SEED}
    decision, change, reason = "Accept or discard", "As drafted, edited or discarded", "Reason of discards"
    lines = [
        _build_corrected(decision, ALPHA, alpha(decisions, **draws)),
        _build_corrected(decision, "Fleiss' kappa", fleiss(decisions, **draws)),
        *(_build_corrected(decision, "Cohen's kappa", cohen(decisions, a, b, **draws), f"{a} and {b}") for a, b in shown),
        _build_compared(decision, "pairs of one decision", decisions, _score_equality),
        _build_corrected(change, ALPHA, alpha(changes, **draws)),
        _build_compared(change, "pairs that did the same", changes, _score_equality),
        _build_corrected(reason, ALPHA, alpha(reasons, **draws)),
        _build_compared(reason, "pairs with one reason", reasons, _score_equality),
        _build_compared("Evidence", "Jaccard of the marked characters", evidence, span_jaccard),
        _build_corrected("Evidence", f"{ALPHA} of the cited sentences, MASI distance", alpha(cited, MASI, **draws)),
        _build_compared("Answer", "token F1", answers, lambda a, b: token_f1(a[0], b[0], a[1])),
        *(line for question in questions for line in _compare_labels(question, opinions, draws)),
    ]
    blind = len({opinion.item for opinion in opinions if opinion.is_blind})
    people = len({opinion.person for opinion in opinions})
    return AgreementReport(len(decisions), blind, people, lines, len(pairs) - len(shown))


def compare_meaning(
    opinions: Sequence[ProgressOpinion],
    languages: Collection[str],
    model: str,
    embed: Callable[[Sequence[str]], Mapping[str, Any]],
) -> list[AgreementLine]:
    """Return the cosine of accepted answers, one line per language. `embed` returns the vectors (of length 1) of the texts that
    are not too long for the model."""
    lines = []
    measure = f"cosine ({model})"
    for language in sorted({opinion.language for opinion in opinions}) or ["en"]:
        accepted = [opinion for opinion in opinions if opinion.decision == "accept" and opinion.language == language]
        answers = _by_item(_select_answered(accepted), lambda opinion: opinion.answer)
        what = f"Answer ({language})"
        if language not in languages:
            lines.append(_build_undefined(what, measure, answers, f"not available for {language} with this model"))
            continue
        vectors = embed(sorted({text for row in answers.values() if len(row) > 1 for text in row.values()}))
        known = {item: {name: vectors[text] for name, text in row.items() if text in vectors} for item, row in answers.items()}
        lines.append(_build_compared(what, measure, known, lambda a, b: float(a @ b)))
    return lines


def cited_sentences(evidence: Iterable[Span], sentences: Sentences) -> frozenset[tuple[str, int]]:
    """Return (document, number) of every sentence that overlaps the evidence."""
    cited: set[tuple[str, int]] = set()
    for span in evidence:
        cuts = sentences(span.document)
        first = bisect_right(cuts, span.start, key=lambda cut: cut[1])
        cited.update((span.document, number) for number in range(first, bisect_left(cuts, span.end, key=lambda cut: cut[0])))
    return frozenset(cited)


COLUMNS: Mapping[str, Callable[[AgreementLine], Cell]] = {
    "what": lambda line: words(line.what),
    "measure": lambda line: words(line.measure),
    "people": lambda line: words(line.people),
    "value": lambda line: figure(line.value),
    "low": lambda line: figure(line.low),
    "high": lambda line: figure(line.high),
    "items": lambda line: count(line.items),
    "chance": lambda line: Cell("0 (corrected)", 0.0) if line.is_corrected else figure(line.chance),
    "undefined": lambda line: words(line.why) if line.why else Cell(""),
}


def build_page(report: AgreementReport, meaning: Sequence[AgreementLine]) -> Page:
    """Build the page: every line, with its basis."""
    rows = [[cell(line) for cell in COLUMNS.values()] for line in (*report.lines, *meaning)]
    return Page("Agreement", [Table("Agreement", list(COLUMNS), rows, list_notes(report))])


def list_notes(report: AgreementReport) -> list[str]:
    """List notes that explain the figures."""
    notes = [
        "1 = perfect. Kappa and alpha leave chance out: by definition 0 = as by chance, below 0 = worse. Each person's last "
        "opinion on an item counts.",
        f"By chance: the same measure over {CHANCE_PAIRS:,} random pairs of different items (seed {SEED}). "
        "Intervals: 95 %, bootstrapped over items.",
        "Evidence and answers are those of people who accepted. Two people who keep the draft agree with each other: only "
        "opinions given blind are independent.",
    ]
    if report.left_out:
        pairs = "pair" if report.left_out == 1 else "pairs"
        notes.append(f"{report.left_out:,} {pairs} of people with fewer items in common not shown.")
    return notes


def _by_item(opinions: Iterable[ProgressOpinion], label: Callable[[ProgressOpinion], T]) -> dict[str, dict[str, T]]:
    """Return a dict: item -> person -> label."""
    labels: dict[str, dict[str, T]] = {}
    for opinion in opinions:
        labels.setdefault(opinion.item, {})[opinion.person] = label(opinion)
    return labels


def _select_answered(opinions: Iterable[ProgressOpinion]) -> list[ProgressOpinion]:
    return [opinion for opinion in opinions if opinion.answer.strip()]


def _compare_labels(
    question: LabelQuestion, opinions: Sequence[ProgressOpinion], draws: Mapping[str, Any]
) -> list[AgreementLine]:
    """Return the lines of one label question; return no lines for a question without answers."""
    what = f"Label: {question.name}"
    answered = [opinion for opinion in opinions if question.name in opinion.label_answers]
    labels = _by_item(answered, lambda opinion: _as_label(opinion.label_answers[question.name]))
    if not answered:
        return []
    if question.kind == "text":
        return [_build_undefined(what, "none", labels, "free text: no coefficient says how far two texts agree")]
    distance, measure = {
        "one": (NOMINAL, ALPHA),
        "rating": (ordinal(labels), f"{ALPHA}, ordinal"),
        "several": (MASI, f"{ALPHA} of the chosen sets, MASI distance"),
    }[question.kind]
    lines = [_build_corrected(what, measure, alpha(labels, distance, **draws))]
    if question.kind == "one":
        lines.append(_build_corrected(what, "Fleiss' kappa", fleiss(labels, **draws)))
    return [*lines, _build_compared(what, "pairs of one answer", labels, _score_equality)]


def _as_label(answer: Any) -> Any:
    return frozenset(answer) if isinstance(answer, list) else answer


def _build_corrected(what: str, measure: str, agreement: Agreement, people: str = EVERYBODY) -> AgreementLine:
    """Build the line of a coefficient that is corrected for chance."""
    ends = agreement.value, agreement.low, agreement.high
    return AgreementLine(what, measure, people, *ends, agreement.units, is_corrected=True, why=agreement.why)


def _build_compared(
    what: str, measure: str, labels: Mapping[str, Mapping[str, T]], score: Callable[[T, T], float | None]
) -> AgreementLine:
    """Build the line of a measure, with its mean over random pairs as the baseline."""
    several = {item: row for item, row in labels.items() if len(row) > 1}
    observed, chance = compare_texts(several, score, pairs=CHANCE_PAIRS, seed=SEED)
    why = "" if observed.mean is not None else "undefined, because no item has it of two people"
    ends = observed.mean, observed.low, observed.high
    return AgreementLine(what, measure, EVERYBODY, *ends, len(several), chance.mean, why=why)


def _build_undefined(what: str, measure: str, labels: Mapping[str, Mapping[str, object]], why: str) -> AgreementLine:
    several = sum(len(row) > 1 for row in labels.values())
    return AgreementLine(what, measure, EVERYBODY, None, None, None, several, why=why)


def _score_equality(a: object, b: object) -> float:
    return float(a == b)
