"""Measure how far people agree on items with two or more opinions: on the decision, the reason for a discard, the evidence and
the answer. Each value comes with the number of items, a confidence interval (bootstrapped over the items) and, for comparison,
the value for random pairs of different items."""

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from core.label_questions import LabelQuestion
from core.nouns import Span
from core.statistics.agreement import (
    MASI,
    NOMINAL,
    Agreement,
    alpha,
    cohen,
    fleiss,
    ordinal,
)
from core.statistics.ratings import RESAMPLES, RatingTable
from core.statistics.text_agreement import compare_texts, span_jaccard
from core.text.text import token_f1
from eval.page import Cell, Page, Table, count, figure, words
from store.engine.columns import split_in_batches
from store.reviews.opinion_table import OpinionTable, OpinionText

MAX_PAIRS = 10
"""Maximum number of pairs of people that are shown, beginning with the pairs that have most items in common."""
MAX_DRAWN_UNITS = 20_000_000
"""Approximate maximum number of items drawn in all bootstrap samples of one interval, so that computing it takes only
seconds."""
MIN_RESAMPLES = 200
SEED = 0
CHANCE_PAIRS = 1_000
READ_TOGETHER = 256
"""Number of opinions whose documents are in memory at the same time."""
Sentences = Callable[[Collection[str]], Mapping[str, Sequence[tuple[int, int]]]]
"""Type of a function from document ids to a dict from document id to the (start, end) of each sentence."""


@dataclass(frozen=True, slots=True)
class AgreementLine:
    """One row of the agreement table: how far people agree on one thing, such as the decision, by one measure."""

    what: str
    measure: str
    people: str
    value: float | None
    """Value of the measure, or None if it is undefined; `why` has the reason."""
    low: float | None
    high: float | None
    items: int
    """Number of items for which two or more people gave what is compared."""
    chance: float | None = None
    """The same measure for random pairs of different items; None if the measure is corrected for chance or undefined."""
    is_corrected: bool = False
    """Whether the measure is corrected for chance, so that 0 means no more agreement than by chance."""
    why: str = ""


@dataclass(frozen=True, slots=True)
class AgreementReport:
    """How far people agree, without comparing the meaning of answers."""

    items: int
    """Number of items with opinions of two or more people."""
    blind: int
    """Number of compared items on which a person wrote an answer before seeing the drafted answer."""
    people: int
    lines: Sequence[AgreementLine]
    left_out: int
    """Number of pairs of people that are not shown, because only MAX_PAIRS are."""

    def hide_names(self) -> "AgreementReport":
        """Return the report with "two people" instead of the names of each pair."""
        lines = [line if line.people == EVERYBODY else replace(line, people="two people") for line in self.lines]
        return replace(self, lines=lines)


EVERYBODY = "everybody"
ALPHA = "Krippendorff's alpha"


def compare_opinions(opinions: OpinionTable, sentences: Sentences, questions: Sequence[LabelQuestion] = ()) -> AgreementReport:
    """Measure how far people agree, given one opinion per person and item; the last rows are for label questions."""
    import numpy as np

    decisions = opinions.tabulate_decisions()
    is_accepted = _has_label(opinions.decisions, opinions.decided, "accept")
    is_edited = is_accepted & np.array([text.is_changed for text in opinions.read], bool)[opinions.texts]
    changed = np.where(is_edited, len(opinions.decided), opinions.decisions)
    changes = opinions.tabulate(changed, [*opinions.decided, "edit"])
    is_discard = _has_label(opinions.decisions, opinions.decided, "discard")
    has_reason = ~_has_label(opinions.reasons, opinions.reasoned, "")
    discards = opinions.select(is_discard & has_reason)
    reasons = discards.tabulate(discards.reasons, discards.reasoned)
    accepted = opinions.select(is_accepted)
    evidence = _tabulate_texts(accepted, lambda text: text.evidence)
    cited = _tabulate_cited(accepted, sentences)
    answers = _tabulate_texts(_select_answered(accepted), lambda text: (text.answer, text.language))
    pairs = _count_pairs(opinions)
    shown = sorted(pairs, key=lambda pair: (-pairs[pair], pair))[:MAX_PAIRS]
    items = len(np.unique(opinions.items))
    draws: Any = {"resamples": _count_resamples(items), "seed": SEED}
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
    blind = len(np.unique(opinions.items[opinions.is_blind]))
    people = len(np.unique(opinions.people))
    return AgreementReport(items, blind, people, lines, len(pairs) - len(shown))


def compare_meaning(
    opinions: OpinionTable,
    languages: Collection[str],
    model: str,
    embed: Callable[[Sequence[str]], Mapping[str, Any]],
) -> list[AgreementLine]:
    """Measure how similar in meaning the answers are that different people accepted, in one row per language. `embed` returns a
    dict from text to its vector of length 1; texts that are too long for the model are left out."""
    import numpy as np

    lines = []
    measure = f"cosine ({model})"
    all_accepted = opinions.select(_has_label(opinions.decisions, opinions.decided, "accept"))
    language_of = np.array([text.language for text in opinions.read], object)
    for language in sorted(set(language_of)) or ["en"]:
        accepted = all_accepted.select(language_of[all_accepted.texts] == language)
        answers = _tabulate_texts(_select_answered(accepted), lambda text: text.answer)
        what = f"Answer ({language})"
        if language not in languages:
            lines.append(_build_undefined(what, measure, answers, f"not available for {language} with this model"))
            continue
        paired = answers.select_paired()
        vectors = embed(sorted(answers.values[place] for place in np.unique(paired.labels)))
        known = answers.select(np.array([text in vectors for text in answers.values], bool)[answers.labels])
        lines.append(_build_compared(what, measure, known, lambda a, b: float(vectors[a] @ vectors[b])))  # noqa: B023
    return lines


def cited_sentences(evidence: Iterable[Span], sentences: Mapping[str, Sequence[tuple[int, int]]]) -> frozenset[tuple[str, int]]:
    """Return (document id, sentence number) for every sentence that overlaps the evidence. `sentences` is a dict from document
    to the (start, end) of each sentence."""
    cited: set[tuple[str, int]] = set()
    for span in evidence:
        cuts = sentences[span.document]
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
    """Return the page of the report with all rows of the agreement table and notes that explain it."""
    rows = [[cell(line) for cell in COLUMNS.values()] for line in (*report.lines, *meaning)]
    return Page("Agreement", [Table("Agreement", list(COLUMNS), rows, list_notes(report))])


def list_notes(report: AgreementReport) -> list[str]:
    """Return the notes below the agreement table, which explain its values."""
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


def _has_label(labels: Any, values: Sequence[str], value: str) -> Any:
    """Return a boolean array that is True where the label has the value `value`. `labels` are indexes into `values`."""
    import numpy as np

    return np.array([one == value for one in values], bool)[labels]


def _tabulate_texts(opinions: OpinionTable, label: Callable[[OpinionText], Hashable]) -> RatingTable:
    """Return a table by item and person of what the function `label` returns for the text of each opinion."""
    import numpy as np

    values: dict[Hashable, int] = {}
    used = np.unique(opinions.texts)
    places = np.empty(len(opinions.read), np.int64)
    places[used] = [values.setdefault(label(opinions.read[text]), len(values)) for text in used.tolist()]
    return opinions.tabulate(places[opinions.texts], list(values))


def _tabulate_cited(opinions: OpinionTable, sentences: Sentences) -> RatingTable:
    """Return a table by item and person of the sentences that overlap the evidence of each opinion. The items are sorted by
    document, so that few documents must be read twice."""
    import numpy as np

    if not len(opinions.items):
        return opinions.tabulate(opinions.texts, [])
    begins = [text.evidence[:1] for text in opinions.read]
    rank = {begin: place for place, begin in enumerate(sorted(set(begins)))}
    order = np.argsort(np.array([rank[begin] for begin in begins])[opinions.texts], kind="stable")
    values: dict[Hashable, int] = {}
    places = np.empty(len(opinions.read), np.int64)
    for batch in split_in_batches(dict.fromkeys(opinions.texts[order].tolist()), READ_TOGETHER):
        cuts = sentences({span.document for text in batch for span in opinions.read[text].evidence})
        for text in batch:
            places[text] = values.setdefault(cited_sentences(opinions.read[text].evidence, cuts), len(values))
    first = np.full(int(opinions.items.max()) + 1, len(order))
    np.minimum.at(first, opinions.items[order], np.arange(len(order)))
    ordered = opinions.select(np.argsort(first[opinions.items], kind="stable"))
    return ordered.tabulate(places[ordered.texts], list(values))


def _count_pairs(opinions: OpinionTable) -> dict[tuple[str, str], int]:
    """Return a dict from a pair of people to the number of items on which both gave an opinion."""
    import numpy as np

    counts: Counter[tuple[str, str]] = Counter()
    step = 1
    while (same := opinions.items[step:] == opinions.items[:-step]).any():  # the opinions on one item are adjacent
        keys = opinions.people[:-step][same] * len(opinions.names) + opinions.people[step:][same]
        for key, n in zip(*(column.tolist() for column in np.unique(keys, return_counts=True)), strict=True):
            first, second = divmod(key, len(opinions.names))
            counts[opinions.names[first], opinions.names[second]] += n
        step += 1
    return counts


def _select_answered(opinions: OpinionTable) -> OpinionTable:
    import numpy as np

    return opinions.select(np.array([bool(text.answer.strip()) for text in opinions.read], bool)[opinions.texts])


def _compare_labels(question: LabelQuestion, opinions: OpinionTable, draws: Mapping[str, Any]) -> list[AgreementLine]:
    """Return the agreement rows for the answers to one label question; empty if nobody answered it."""
    import numpy as np

    what = f"Label: {question.name}"
    values: dict[Hashable, int] = {}
    given = [
        values.setdefault(_as_label(answers[question.name]), len(values)) if question.name in answers else -1
        for answers in opinions.label_answers
    ]
    answered = opinions.select(np.array(given, np.int64)[opinions.answered] >= 0)
    if not len(answered.items):
        return []
    labels = answered.tabulate(np.array(given, np.int64)[answered.answered], list(values))
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
    """Return the row of a measure that is corrected for chance, such as kappa or alpha."""
    ends = agreement.value, agreement.low, agreement.high
    return AgreementLine(what, measure, people, *ends, agreement.units, is_corrected=True, why=agreement.why)


def _count_resamples(units: int) -> int:
    """Return the number of bootstrap samples from which the interval of a measure over so many units is computed."""
    return max(MIN_RESAMPLES, min(RESAMPLES, MAX_DRAWN_UNITS // max(1, units)))


def _build_compared(what: str, measure: str, labels: RatingTable, score: Callable[[Any, Any], float | None]) -> AgreementLine:
    """Return the row of a measure that is not corrected for chance, with its mean over random pairs for comparison."""
    several = labels.select_paired()
    units = several.count_units()
    observed, chance = compare_texts(several, score, pairs=CHANCE_PAIRS, seed=SEED, resamples=_count_resamples(units))
    why = "" if observed.mean is not None else "undefined, because no item has it from two people"
    ends = observed.mean, observed.low, observed.high
    return AgreementLine(what, measure, EVERYBODY, *ends, units, chance.mean, why=why)


def _build_undefined(what: str, measure: str, labels: RatingTable, why: str) -> AgreementLine:
    return AgreementLine(what, measure, EVERYBODY, None, None, None, labels.select_paired().count_units(), why=why)


def _score_equality(a: object, b: object) -> float:
    return float(a == b)
