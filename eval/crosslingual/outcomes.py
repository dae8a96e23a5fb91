"""Determine by rules how a system answered an item and its twin in another language, and compute means and differences over the
same pairs. The outcomes gold, refused, other and failed are those of absence twins. In addition, an answer in another language
than its question's counts as wrong language: one that is written in it apart from the gold answer, or one that is not the gold
answer but the gold answer of the twin."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, get_args

from core.nouns import Item, Level, Run, Span, Trace
from core.statistics.clusters import clusters
from core.statistics.statistics import Interval, bootstrap_many
from core.text.detection import detect_language
from core.text.language import may_match
from core.text.scripts import find_scripts
from eval.absence.outcomes import read_outcome
from eval.scoring.span_hits import measure_recall

LanguageOutcome = Literal["gold", "wrong language", "refused", "other", "failed"]
"""Outcome of a question: the system gave the gold answer, an answer in another language, a refusal or another answer, or it
failed."""
OUTCOMES: tuple[LanguageOutcome, ...] = get_args(LanguageOutcome)
FOUND = "evidence found"
"""Name under which a comparison states the share of the gold evidence that the system found."""
RIGHT = "right answer"
"""Name under which a comparison states the share of answers whose outcome is the gold answer."""
MIN_LETTERS = 8
"""Least number of letters, besides the gold answer, from which an answer can be in the wrong language; short names and figures
are in no language. A letter outside ASCII counts twice, because a Chinese character says more than a Latin letter."""


class PairSide(NamedTuple):
    """One question of a pair in one run."""

    item: Item
    trace: Trace | None
    """The system's answer; None = the question was not asked yet."""
    scores: Mapping[str, float]
    """Dict from metric to the value of the answer; metrics without a value are left out."""
    evidence: Sequence[tuple[Span, ...]]
    """The gold evidence in each language that the question searches: its own, its twin's, or both."""


class AnsweredPair(NamedTuple):
    """The outcomes and values of one pair in one run, with the sides in the order of the languages."""

    items: tuple[str, str]
    languages: tuple[str, str]
    level: Level
    domain: str
    outcomes: tuple[LanguageOutcome | None, LanguageOutcome | None]
    """None = the question was not asked yet."""
    values: Mapping[str, tuple[float | None, float | None]]
    """Dict from metric to the value of each side. If one side failed or was not asked, neither side has a value, so that both
    means are over the same pairs."""


class PairedMeans(NamedTuple):
    """The means of a metric in two languages over the same pairs, and the mean difference of the pairs."""

    metric: str
    first: Interval
    second: Interval
    loss: Interval
    """First language minus second language, pair by pair."""


@dataclass(frozen=True, slots=True)
class CrossLingualResult:
    """The outcomes of one run's pairs in two languages."""

    run: Run
    languages: tuple[str, str]
    pairs: Sequence[AnsweredPair]
    means: Sequence[PairedMeans]
    slices: Mapping[tuple[str, str], Sequence[PairedMeans]]
    """Dict from ("level" or "domain", its value) to the means of the pairs with this value, for levels and domains of which
    the pairs have several."""

    def count(self, side: int) -> Counter[LanguageOutcome]:
        """Return the number of each outcome on one side: 0 = the first language, 1 = the second. Questions that are not asked
        yet are left out."""
        return Counter(outcome for pair in self.pairs if (outcome := pair.outcomes[side]) is not None)

    @property
    def crossed(self) -> Counter[tuple[LanguageOutcome, LanguageOutcome]]:
        """Return the number of pairs by (outcome in the first language, outcome in the second), over the pairs of which both
        questions were asked."""
        return Counter((a, b) for a, b in (pair.outcomes for pair in self.pairs) if a is not None and b is not None)

    @property
    def right(self) -> dict[str, int]:
        """Return the number of pairs of which the answers are right on both sides, only in the first language, only in the
        second, or on neither side. Pairs with a failed answer are left out."""
        counted = Counter((a == "gold", b == "gold") for a, b in self.crossed.elements() if "failed" not in (a, b))
        keys = {"both": (True, True), "first": (True, False), "second": (False, True), "neither": (False, False)}
        return {name: counted[key] for name, key in keys.items()}


def read_language_outcome(trace: Trace, item: Item, twin: Item) -> LanguageOutcome:
    """Return the outcome of the trace, which answers the item's question. A refusal in either language is a refusal. A figure
    is in no language: if it is the gold answer of the twin ("1902", "2.4 m"), it is the item's too ("1902年", "2.4米")."""
    own, others = read_outcome(trace, item), read_outcome(trace, twin)
    if own in ("failed", "refused") or others == "refused":
        return "refused" if own != "failed" else own
    answer = trace.answer or ""
    if own != "gold" and others == "gold":
        return "gold" if _is_figure(answer) else "wrong language"
    return "wrong language" if _is_foreign(answer, item) else own


def _is_figure(answer: str) -> bool:
    """Return whether the answer has digits, and no letters besides the symbol of a unit: up to two letters of ASCII."""
    letters = [letter for letter in answer if letter.isalpha()]
    return any(map(str.isdigit, answer)) and len(letters) <= 2 and "".join(letters).isascii()


def _is_foreign(answer: str, item: Item) -> bool:
    """Return whether the answer, apart from the gold answers in it, is in another language than the item: in other scripts than
    the question, or else by the detection of languages."""
    rest = answer
    for gold in sorted(item.answers, key=len, reverse=True):
        rest = rest.replace(gold, " ")
    if sum(1 if letter.isascii() else 2 for letter in rest if letter.isalpha()) < MIN_LETTERS:
        return False
    if find_scripts(rest).isdisjoint(find_scripts(item.question)):
        return True
    return not may_match(detect_language(rest), item.language)


def compare_languages(
    run: Run,
    sides: Sequence[tuple[PairSide, PairSide]],
    seed: int = 0,
) -> list[CrossLingualResult]:
    """Return the comparison of each two languages that the pairs have, in the order of their codes."""
    of_languages: dict[tuple[str, str], list[tuple[PairSide, PairSide]]] = {}
    for one, other in sides:
        first, second = sorted((one, other), key=lambda side: side.item.language)
        of_languages.setdefault((first.item.language, second.item.language), []).append((first, second))
    return [_compare(run, languages, pairs, seed) for languages, pairs in sorted(of_languages.items())]


def _compare(run: Run, languages: tuple[str, str], sides: Sequence[tuple[PairSide, PairSide]], seed: int) -> CrossLingualResult:
    pairs = [_read_pair(first, second) for first, second in sides]
    cited = {
        first.item.id: [span.document for side in (first, second) for span in side.item.evidence] for first, second in sides
    }
    cluster = clusters(cited).of if cited else {}
    slices: dict[tuple[str, str], Sequence[PairedMeans]] = {}
    for kind, value_of in _SLICES.items():
        values = sorted({value_of(pair) for pair in pairs})
        for value in values if len(values) > 1 else ():
            slices[kind, value] = measure_means([pair for pair in pairs if value_of(pair) == value], cluster, seed)
    return CrossLingualResult(run, languages, pairs, measure_means(pairs, cluster, seed), slices)


_SLICES: Mapping[str, Callable[[AnsweredPair], str]] = {
    "level": lambda pair: "–" if pair.level is None else str(pair.level),
    "domain": lambda pair: pair.domain,
}


def _read_pair(first: PairSide, second: PairSide) -> AnsweredPair:
    outcomes = (
        read_language_outcome(first.trace, first.item, second.item) if first.trace else None,
        read_language_outcome(second.trace, second.item, first.item) if second.trace else None,
    )
    is_complete = not {None, "failed"}.intersection(outcomes)
    values: dict[str, tuple[float | None, float | None]] = {}
    values[RIGHT] = float(outcomes[0] == "gold"), float(outcomes[1] == "gold")
    values[FOUND] = _measure_recall(first), _measure_recall(second)
    for metric in sorted({*first.scores, *second.scores} - {RIGHT, FOUND}):
        values[metric] = (first.scores.get(metric), second.scores.get(metric))
    return AnsweredPair(
        (first.item.id, second.item.id),
        (first.item.language, second.item.language),
        first.item.level,
        first.item.domain,
        outcomes,
        {name: own if is_complete and None not in own else (None, None) for name, own in values.items()},
    )


def _measure_recall(side: PairSide) -> float | None:
    """Return the share of the side's evidence that was found, in the language in which more was found; None if there is no
    evidence or no search."""
    if side.trace is None or side.trace.retrieved is None:
        return None
    return max((measure_recall(spans, side.trace.retrieved) for spans in side.evidence if spans), default=None)


def measure_means(pairs: Sequence[AnsweredPair], cluster: Mapping[str, str], seed: int = 0) -> list[PairedMeans]:
    """Return the means and the mean difference of every metric over the pairs in which both sides have a value. `cluster` is a
    dict from the first item of a pair to its cluster; intervals resample clusters."""
    import numpy as np

    names = list(dict.fromkeys(name for pair in pairs for name, values in pair.values.items() if None not in values))
    if not names:
        return []
    nan = float("nan")
    rows = []
    for pair in pairs:
        cells: list[float] = []
        for name in names:
            first, second = pair.values.get(name, (None, None))
            cells += [nan] * 3 if first is None or second is None else [first, second, first - second]
        rows.append(cells)
    found = bootstrap_many(np.array(rows, np.float64), [cluster[pair.items[0]] for pair in pairs], seed=seed)
    return [PairedMeans(name, *found[3 * place : 3 * place + 3]) for place, name in enumerate(names)]
