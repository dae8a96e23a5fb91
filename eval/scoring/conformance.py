"""Make the conformance table of the metrics: each metric's definition and reference implementation and, if that library is
installed, the difference between the two on a fixed set of text pairs."""

import random
from collections.abc import Callable, Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from typing import NamedTuple

from core.catalog import find_module
from core.nouns import Span
from core.text.words import jieba_words, rouge_tokens
from eval.metric import Metric, ScoringCase, metrics

PAIRS_PER_LANGUAGE = 100
"""Number of text pairs per language on which a metric is compared with its reference library."""
SEED = 20
WORDS = {
    "en": "the a bridge mill opened in 1890 it cost $2.4 million 30% of U.S. loans naïve co-op state-of-the-art and council",
    "zh": "大桥 于 一八九〇年 建成 全长 三百米 磨坊 法院 驳回 了 上诉 的 市政 会议 认为 ， 。 1951年 大旱 2.4",
}
"""A dict from language to the words of which the compared text pairs are made."""
PeerCase = tuple[ScoringCase, str, float]
"""(case, part of the metric, value of the part in the reference library)."""


class ConformanceRow(NamedTuple):
    """One metric, as a row of the conformance table."""

    name: str
    about: str
    """Definition of the metric: the first paragraph of its file's docstring."""
    kind: str
    """Way in which the metric is computed: computed (by a formula), model or judge."""
    metric: Metric


class Parity(NamedTuple):
    """The difference between a metric and its reference library on a fixed set of text pairs."""

    library: str
    """Name and version of the reference library."""
    error: float | None
    """Largest absolute difference on the text pairs; None = not measured."""
    pairs: int
    why: str = ""


def list_metrics() -> list[ConformanceRow]:
    """Return all metrics as rows of the conformance table, in alphabetical order."""
    return [_describe_metric(name, metric) for name, metric in metrics().items()]


def measure_parity() -> dict[str, Parity]:
    """Return a dict from metric to its difference from the reference library. Importing the libraries takes seconds."""
    return {name: _measure_distance(name, library, make) for name, (library, make) in PEERS.items()}


def make_text_pairs(language: str) -> list[tuple[str, str]]:
    """Return the fixed pairs of (answer, gold answer) on which metrics and reference libraries are compared."""
    chance = random.Random(f"{SEED} {language}")
    words, separator = WORDS[language].split(), "" if language == "zh" else " "
    golds = [[chance.choice(words) for _ in range(chance.randint(1, 30))] for _ in range(PAIRS_PER_LANGUAGE)]
    return [
        (separator.join(w if chance.random() < 0.6 else chance.choice(words) for w in gold), separator.join(gold))
        for gold in golds
    ]


def _describe_metric(name: str, metric: Metric) -> ConformanceRow:
    paragraph = " ".join((find_module("eval.metrics", name).__doc__ or "").split("\n\n")[0].split())
    about = paragraph.removeprefix(f"{name}: ")
    if "_" not in about.split(" ")[0]:  # keep a metric's name in lower case
        about = about[:1].upper() + about[1:]
    kind = "judge" if metric.judge else "model" if metric.batch else "computed"
    return ConformanceRow(name, about, kind, metric)


def _measure_distance(name: str, library: str, make: Callable[[], Sequence[PeerCase]]) -> Parity:
    try:
        label, cases = f"{library} {version(library)}", make()
    except (PackageNotFoundError, ImportError):
        return Parity(library, None, 0, f"{library} is not installed: tests check that the values are equal")
    score = metrics()[name].score
    values = [(score(case)[part] if score else None, theirs) for case, part, theirs in cases]
    distances = [abs(own - theirs) for own, theirs in values if isinstance(own, float)]
    if len(distances) < len(cases):
        return Parity(label, None, len(cases), f"{len(cases) - len(distances)} pairs have no value")
    return Parity(label, max(distances), len(cases))


def _score_pairs(peer: Callable[[str, str, str], float]) -> list[PeerCase]:
    """Return the fixed text pairs with the values of `peer`, a function of (answer, gold answer, language)."""
    return [
        (ScoringCase(str(n), prediction, (gold,), language), "", float(peer(prediction, gold, language)))
        for language in ("en", "zh")
        for n, (prediction, gold) in enumerate(make_text_pairs(language))
    ]


def _score_rouge(tokenizers: Mapping[str, Callable[[str], list[str]]]) -> list[PeerCase]:
    """Return the fixed text pairs with rouge_score's values. `tokenizers` is a dict from language to the tokenizer to use;
    other languages use rouge_score's own."""
    from rouge_score.rouge_scorer import RougeScorer

    class Tokenizer:
        def __init__(self, cut: Callable[[str], list[str]]) -> None:
            self.tokenize = cut

    scorers = {
        language: RougeScorer(["rougeL"], tokenizer=Tokenizer(tokenizers[language]) if language in tokenizers else None)
        for language in ("en", "zh")
    }
    return _score_pairs(lambda prediction, gold, language: scorers[language].score(gold, prediction)["rougeL"].fmeasure)


def _score_bleu() -> list[PeerCase]:
    from sacrebleu.metrics.bleu import BLEU

    scorers = {language: BLEU(effective_order=True, tokenize=cut) for language, cut in (("en", "13a"), ("zh", "zh"))}
    return _score_pairs(lambda answer, gold, language: min(scorers[language].sentence_score(answer, [gold]).score / 100, 1.0))


def _score_bleu_crud() -> list[PeerCase]:
    """Return the fixed text pairs with CRUD-RAG's BLEU: the mean of sacrebleu's precisions over jieba's words, without brevity
    penalty."""
    from sacrebleu.metrics.bleu import BLEU

    scorer = BLEU(tokenize="none", smooth_method="none", force=True)  # a corpus of one, because sentence_score warns each time

    def mark_words(text: str) -> str:
        return " ".join(word.replace(" ", "␣") for word in jieba_words(text))

    def score(prediction: str, gold: str, language: str) -> float:
        bleu = scorer.corpus_score([mark_words(prediction)], [[mark_words(gold)]])
        shares = [hits / total if total else 0.0 for hits, total in zip(bleu.counts, bleu.totals, strict=True)]
        return float((shares[0] * shares[1] * shares[2] * shares[3]) ** 0.25)

    return _score_pairs(score)


def _score_rankings(measure: str, part: str) -> list[PeerCase]:
    from pytrec_eval import RelevanceEvaluator

    chance, cases = random.Random(SEED), []
    names = [f"d{n}" for n in range(30)]
    for n in range(PAIRS_PER_LANGUAGE):
        gold, ranked = chance.sample(names, chance.randint(1, 8)), chance.sample(names, 10)
        evaluator = RelevanceEvaluator({"q": dict.fromkeys(gold, 1)}, {measure.replace("_5", ".5")})
        theirs = evaluator.evaluate({"q": {name: float(-place) for place, name in enumerate(ranked)}})["q"][measure]
        evidence, retrieved = (tuple(Span(name, 0, 10) for name in chosen) for chosen in (gold, ranked))
        cases.append((ScoringCase(str(n), "", ("a",), evidence=evidence, retrieved=retrieved), part, float(theirs)))
    return cases


PEERS: Mapping[str, tuple[str, Callable[[], Sequence[PeerCase]]]] = {
    "bleu": ("sacrebleu", _score_bleu),
    "bleu_crud": ("sacrebleu", _score_bleu_crud),
    "rouge_l": ("rouge_score", lambda: _score_rouge({"zh": lambda text: rouge_tokens(text, "zh")})),
    "rouge_l_crud": ("rouge_score", lambda: _score_rouge({"en": jieba_words, "zh": jieba_words})),
    "mrr": ("pytrec_eval-terrier", lambda: _score_rankings("recip_rank", "")),
    "ndcg": ("pytrec_eval-terrier", lambda: _score_rankings("ndcg_cut_5", "@5")),
    "retrieval_precision": ("pytrec_eval-terrier", lambda: _score_rankings("P_5", "@5")),
    "evidence_recall": ("pytrec_eval-terrier", lambda: _score_rankings("recall_5", "@5")),
}
"""A dict from metric to (reference library, function that returns text pairs with the library's values)."""
