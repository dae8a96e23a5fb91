"""rouge_l against google's rouge_score without stemming, token_f1 against a plain SQuAD script, bleu against sacrebleu's own
function, over few pairs and over 10,000, with equal values: raw predictions, CPU time in
one process. token_f1 has its golds' tokens from the systems scored before, as in any comparison; rouge_l starts anew. bertscore
of a second system on the same golds against that of the first, with a model of random weights."""

import random
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

from core.retrieval.embeddings import embedder
from eval.metric import ScoringCase, metrics
from tests.benchmarks.evaluation.squad import squad_em, squad_f1
from tests.eval.tiny_model import tiny_model

PAIRS = 400
MANY = 10_000
ROUNDS = 5
"""The best of so many is taken on both sides, in turn."""
SYLLABLES = ("ba", "ket", "mor", "lin", "sto", "per", "ade", "vun", "gri", "osh", "tel", "ima", "roc", "das", "fen")


def texts(words: int, seed: int, pairs: int) -> list[tuple[str, str]]:
    """Pairs of prose-like texts around `words` tokens that share about half of their words."""
    chance = random.Random(seed)
    vocabulary = ["".join(chance.choices(SYLLABLES, k=chance.randint(1, 4))) for _ in range(4000)]
    small = ["the", "of", "a", "in", "and", "to", "was", "by"]

    def text(base: Sequence[str]) -> str:
        other = [chance.choice(small if chance.random() < 0.4 else vocabulary) for _ in base]
        said = [a if chance.random() < 0.5 else b for a, b in zip(base, other, strict=True)]
        return " ".join(f"{w.capitalize()}." if i % 17 == 16 else f"{w}," if i % 9 == 8 else w for i, w in enumerate(said))

    bases = [[chance.choice(vocabulary) for _ in range(words)] for _ in range(pairs)]
    return [(text(base), text(base)) for base in bases]


def cpu(score: Callable[[Any], object], inputs: Sequence[Any]) -> float:
    """Seconds of CPU per input."""
    began = time.process_time()
    for one in inputs:
        score(one)
    return (time.process_time() - began) / len(inputs)


def compared(
    name: str,
    peer: Callable[[str, str], float],
    words: int,
    target: float,
    many: int | None = None,
    turns: int | None = None,
) -> None:
    """One printed line; stops when the two sides differ at all."""
    pairs = texts(words, words, many or PAIRS)
    cases = [ScoringCase("x", prediction, (gold,)) for prediction, gold in pairs]
    ours = metrics()[name].score
    if ours is None:
        raise SystemExit(f"{name} must be a plain metric")
    for pair, case in zip(pairs, cases, strict=True):
        if abs(peer(*pair) - (ours(case)[""] or 0.0)) > 1e-12:  # type: ignore[operator]
            raise SystemExit(f"{name}: the two sides differ on {pair}")
    rounds = [(cpu(lambda pair: peer(*pair), pairs), cpu(ours, cases)) for _ in range(turns or ROUNDS)]
    theirs, own = min(r[0] for r in rounds), min(r[1] for r in rounds)
    held = "yes" if theirs / own >= target else "no"
    label = f"{name}, {words} tokens{'' if many is None else f' x {many:,}'} (us)"
    print(f"{label:<34}{theirs * 1e6:>8.1f}{own * 1e6:>8.1f}{theirs / own:>8.1f}{target:>8.0f}  {held}")


def second_system(target: float) -> None:
    """One printed line: the first system's seconds, the second's, and how much less those are."""
    batch = metrics()["bertscore"].batch
    if batch is None:
        raise SystemExit("bertscore must take many cases at once")
    chance = random.Random(1)

    def letters() -> str:
        return " ".join("".join(chance.choices("abcdefghij", k=4)) for _ in range(10))

    golds = [letters() for _ in range(PAIRS)]
    systems = [[ScoringCase(str(n), letters(), (gold,)) for n, gold in enumerate(golds)] for _ in range(2)]
    with tempfile.TemporaryDirectory() as folder:
        settings = {"model": str(tiny_model(Path(folder), layers=6, width=256)), "layer": 6}
        batch([ScoringCase("x", "a", ("b",))], settings, embedder)  # the model is loaded
        took = []
        for cases in systems:
            began = time.process_time()
            batch(cases, settings, embedder)
            took.append((time.process_time() - began) / len(cases))
    held = "yes" if took[0] / took[1] >= target else "no"
    label = "bertscore, first, second system (us)"
    print(f"{label:<34}{took[0] * 1e6:>8.0f}{took[1] * 1e6:>8.0f}{took[0] / took[1]:>8.2f}{target:>8.2f}  {held}")


def main() -> None:
    from rouge_score.rouge_scorer import RougeScorer
    from sacrebleu import sentence_bleu

    google = RougeScorer(["rougeL"], use_stemmer=False)
    print(f"{'metrics':<34}{'peer':>8}{'ours':>8}{'ratio':>8}{'target':>8}  held")
    for words, target in ((15, 5), (60, 15), (300, 60)):
        compared("rouge_l", lambda p, g: google.score(g, p)["rougeL"].fmeasure, words, target)
    for words, target in ((3, 3), (20, 5), (100, 5)):
        compared("token_f1", squad_f1, words, target)
    every = {"many": MANY, "turns": 1}
    compared("rouge_l", lambda p, g: google.score(g, p)["rougeL"].fmeasure, 20, 5, **every)
    compared("token_f1", squad_f1, 20, 5, **every)
    compared("exact_match", squad_em, 3, 1, **every)
    compared("bleu", lambda p, g: sentence_bleu(p, [g]).score / 100, 20, 1, **every)
    second_system(1 / 0.55)


if __name__ == "__main__":
    main()
