"""Every metric as whoever must trust it wants to see it: what it measures, what it is held equal to, and, where that library is
installed, how far apart the two are on a fixed set of pairs."""

import random
import sys
from collections.abc import Callable, Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from typing import Any, NamedTuple

from core.nouns import Span
from core.text.words import jieba_words, rouge_tokens
from eval.metric import Metric, ScoringCase, metrics

PAIRS = 100
"""Of each language."""
SEED = 20
ENGLISH = (
    "the",
    "a",
    "bridge",
    "mill",
    "opened",
    "in",
    "1890",
    "it",
    "cost",
    "$2.4",
    "million",
    "30%",
    "of",
    "U.S.",
    "loans",
    "naïve",
    "co-op",
    "state-of-the-art",
    "and",
    "council",
)
CHINESE = (
    "大桥",
    "于",
    "一八九〇年",
    "建成",
    "全长",
    "三百米",
    "磨坊",
    "法院",
    "驳回",
    "了",
    "上诉",
    "的",
    "市政",
    "会议",
    "认为",
    "，",
    "。",
    "1951年",
    "大旱",
    "2.4",
)


class ConformanceRow(NamedTuple):
    """One metric."""

    name: str
    about: str
    """What it measures: the first paragraph of its file."""
    reference: str
    version: str
    settings: Mapping[str, Any]
    low: float | None
    high: float | None
    languages: tuple[str, ...]
    kind: str
    """computed, model or judge."""
    higher_is_better: bool | None


class Parity(NamedTuple):
    """How far a metric is from its reference library."""

    library: str
    """With its version."""
    error: float | None
    """The largest difference on the pairs; None = not measured."""
    pairs: int
    why: str = ""


def list_metrics() -> list[ConformanceRow]:
    """Every metric, in alphabetical order."""
    return [_line(name, metric) for name, metric in metrics().items()]


def measure_parity() -> dict[str, Parity]:
    """{metric: how far it is from its reference library}, for those that have one. The libraries take seconds to load."""
    return {name: _parity(name, library, make) for name, (library, make) in PEERS.items()}


def make_text_pairs(language: str) -> list[tuple[str, str]]:
    """The fixed pairs of an answer and a gold answer."""
    chance = random.Random(f"{SEED} {language}")
    words, join = (CHINESE, "") if language == "zh" else (ENGLISH, " ")
    base = [[chance.choice(words) for _ in range(chance.randint(1, 30))] for _ in range(PAIRS)]
    return [(join.join(w if chance.random() < 0.6 else chance.choice(words) for w in gold), join.join(gold)) for gold in base]


def _line(name: str, metric: Metric) -> ConformanceRow:
    said = " ".join((sys.modules[f"eval.metrics.{name}"].__doc__ or "").split("\n\n")[0].split())
    kind = "judge" if metric.judge else "model" if metric.batch else "computed"
    about = said.removeprefix(f"{name}: ")
    first = about.split(" ")[0]
    about = about if "_" in first else about[:1].upper() + about[1:]  # a metric's name stays as it is
    return ConformanceRow(
        name,
        about,
        metric.reference,
        metric.version,
        metric.settings,
        metric.low,
        metric.high,
        metric.languages,
        kind,
        metric.higher_is_better,
    )


def _parity(name: str, library: str, make: Callable[[], Sequence[tuple[ScoringCase, str, float]]]) -> Parity:
    try:
        known = f"{library} {version(library)}"
        cases = make()
    except (PackageNotFoundError, ImportError):
        return Parity(library, None, 0, f"{library} is not installed: held equal by tests")
    score = metrics()[name].score
    found = [score(case)[part] if score else None for case, part, _ in cases]
    apart = [abs(own - theirs) for own, (_, _, theirs) in zip(found, cases, strict=True) if isinstance(own, float)]
    if len(apart) < len(cases):
        return Parity(known, None, len(cases), f"{len(cases) - len(apart)} pairs have no value")
    return Parity(known, max(apart), len(cases))


def _of_texts(peer: Callable[[str, str, str], float]) -> list[tuple[ScoringCase, str, float]]:
    """`peer` = (answer, gold answer, language) -> value."""
    return [
        (ScoringCase(str(n), said, (gold,), language), "", peer(said, gold, language))
        for language in ("en", "zh")
        for n, (said, gold) in enumerate(make_text_pairs(language))
    ]


def _rouge() -> list[tuple[ScoringCase, str, float]]:
    from rouge_score.rouge_scorer import RougeScorer

    class OurTokens:
        def tokenize(self, text: str) -> list[str]:
            return rouge_tokens(text, "zh")

    scorers = {"en": RougeScorer(["rougeL"], use_stemmer=False), "zh": RougeScorer(["rougeL"], tokenizer=OurTokens())}
    return _of_texts(lambda said, gold, language: float(scorers[language].score(gold, said)["rougeL"].fmeasure))


def _rouge_crud() -> list[tuple[ScoringCase, str, float]]:
    from rouge_score.rouge_scorer import RougeScorer

    class JiebaTokens:
        def tokenize(self, text: str) -> list[str]:
            return jieba_words(text)

    scorer = RougeScorer(["rougeL"], tokenizer=JiebaTokens())
    return _of_texts(lambda said, gold, language: float(scorer.score(gold, said)["rougeL"].fmeasure))


def _bleu() -> list[tuple[ScoringCase, str, float]]:
    from sacrebleu.metrics.bleu import BLEU

    scorers = {language: BLEU(effective_order=True, tokenize=cut) for language, cut in (("en", "13a"), ("zh", "zh"))}
    return _of_texts(lambda said, gold, language: min(scorers[language].sentence_score(said, [gold]).score / 100, 1.0))


def _bleu_crud() -> list[tuple[ScoringCase, str, float]]:
    """sacrebleu's statistics over jieba's words give the same precisions; their mean without brevity penalty is CRUD-RAG's."""
    from sacrebleu.metrics.bleu import BLEU

    scorer = BLEU(tokenize="none", smooth_method="none", force=True)  # of a corpus of one: a sentence score warns each time

    def mark_words(text: str) -> str:
        return " ".join(word.replace(" ", "␣") for word in jieba_words(text))

    def peer(said: str, gold: str, language: str) -> float:
        found = scorer.corpus_score([mark_words(said)], [[mark_words(gold)]])
        shares = [hits / total if total else 0.0 for hits, total in zip(found.counts, found.totals, strict=True)]
        return float((shares[0] * shares[1] * shares[2] * shares[3]) ** 0.25)

    return _of_texts(peer)


def _rank_cases(measure: str, part: str) -> Callable[[], list[tuple[ScoringCase, str, float]]]:
    def make() -> list[tuple[ScoringCase, str, float]]:
        from pytrec_eval import RelevanceEvaluator

        chance, found = random.Random(SEED), []
        names = [f"d{n}" for n in range(30)]
        for n in range(PAIRS):
            gold, ranked = chance.sample(names, chance.randint(1, 8)), chance.sample(names, 10)
            judged = RelevanceEvaluator({"q": dict.fromkeys(gold, 1)}, {measure.replace("_5", ".5")})
            theirs = judged.evaluate({"q": {name: float(-place) for place, name in enumerate(ranked)}})["q"][measure]
            spans = [tuple(Span(name, 0, 10) for name in some) for some in (gold, ranked)]
            found.append((ScoringCase(str(n), "", ("a",), evidence=spans[0], retrieved=spans[1]), part, float(theirs)))
        return found

    return make


PEERS: Mapping[str, tuple[str, Callable[[], Sequence[tuple[ScoringCase, str, float]]]]] = {
    "bleu": ("sacrebleu", _bleu),
    "bleu_crud": ("sacrebleu", _bleu_crud),
    "rouge_l": ("rouge_score", _rouge),
    "rouge_l_crud": ("rouge_score", _rouge_crud),
    "mrr": ("pytrec_eval-terrier", _rank_cases("recip_rank", "")),
    "ndcg": ("pytrec_eval-terrier", _rank_cases("ndcg_cut_5", "@5")),
    "retrieval_precision": ("pytrec_eval-terrier", _rank_cases("P_5", "@5")),
    "evidence_recall": ("pytrec_eval-terrier", _rank_cases("recall_5", "@5")),
}
"""Metric -> the library that measures the same, and the cases with its values."""
