"""Robustness over wordings: similarity and diversity of 20,000 families of 8 against a plain loop over families, equal values;
and every figure of 200,000 traces."""

import random
import resource
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

from core.nouns import Item, Run, Span, Step, System, Trace, Variant
from eval.robustness.formulas import measure_diversity, measure_similarity
from eval.robustness.meanings import Meanings
from eval.robustness.measures import MEASURES
from eval.robustness.records import read_traces
from eval.robustness.study import ORDER, Arm, Study
from tests.benchmarks.table import by_turns, head, row

FAMILIES, SIZE, WIDTH, TEXTS = 20_000, 8, 384, 40_000
ITEMS = 25_000
KINDS = ORDER[:7]


def main() -> None:
    head()
    chance = np.random.default_rng(1)
    vectors = chance.normal(size=(TEXTS, WIDTH)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    rows = chance.integers(0, TEXTS, FAMILIES * SIZE)
    families = np.repeat(np.arange(FAMILIES), SIZE)
    originals = np.repeat(rows[::SIZE], SIZE)

    def plain() -> tuple[Any, Any]:
        upper = np.triu_indices(SIZE, 1)
        alike, spread = np.empty((FAMILIES, SIZE)), np.empty(FAMILIES)
        for family in range(FAMILIES):
            own = vectors[rows[family * SIZE : (family + 1) * SIZE]]
            cosines = own @ own.T
            alike[family], spread[family] = cosines[0], 1 - cosines[upper].mean()
        return alike.ravel(), spread

    def ours() -> tuple[Any, Any]:
        return measure_similarity(vectors, originals, rows), measure_diversity(vectors, rows, families, FAMILIES)

    for a, b in zip(plain(), ours(), strict=True):
        np.testing.assert_allclose(a, b, atol=2e-6)
    row(f"similarity and diversity, {FAMILIES:,} families of {SIZE}", "a numpy loop over families", *by_turns(plain, ours), 1)
    every_figure(ITEMS)


def every_figure(items: int) -> None:
    """Of `items` questions in eight wordings, from stored traces to means, then with their intervals."""
    run, traces, asked, variants = made(items)

    def embed(texts: Any, languages: Any, side: Any = "text") -> Meanings:
        places: dict[str, int] = {}
        found = np.array([places.setdefault(text, len(places)) for text in texts], np.int64)
        vectors = np.random.default_rng(2).normal(size=(max(len(places), 1), WIDTH)).astype(np.float32)
        return Meanings(vectors / np.linalg.norm(vectors, axis=1, keepdims=True), found, "")

    began = time.process_time()
    records = read_traces(run, traces, asked, variants, {})
    read = time.process_time() - began
    study = Study([Arm("a", [records], [records])], embed, resamples=1)
    began = time.process_time()
    study.figures(0, list(MEASURES))
    means = time.process_time() - began
    whole = Study(study.arms, embed)
    whole.layouts[0][0].__dict__.update(study.layouts[0][0].__dict__)  # what is laid out and compared is not counted again
    began = time.process_time()
    whole.figures(0, list(MEASURES))
    drawn = time.process_time() - began
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{len(traces):,} traces, {len(MEASURES)} figures: records {read:.1f} s, means {means:.1f} s, intervals of all")
    print(f"(10,000 resamples of {items:,} items) {drawn:.1f} s of CPU; {peak:,.0f} MB at most in this process")


def made(items: int) -> tuple[Run, list[Trace], dict[str, Item], dict[str, Variant]]:
    """A run of a system that searches up to four times."""
    chance = random.Random(3)
    asked, variants, traces = {}, {}, []
    for number in range(items):
        item = f"i{number:06d}"
        asked[item] = Item(
            item,
            "question_answering",
            f"Who built house {number}?",
            (f"person {number % 500}",),
            evidence=(Span(f"d{number % 3000}", 0, 9),),
        )
        for kind in ("", *KINDS):
            variant = f"{item}-{kind}" if kind else None
            if variant:
                variants[variant] = Variant(variant, item, 1, kind, f"{kind}: house {number}, whose?")
            queries = [f"house {number} {hop} {chance.randrange(3)}" for hop in range(chance.randrange(5))]
            steps = tuple(
                Step("retrieve", query, spans=tuple(Span(f"d{chance.randrange(3000)}", 0, 9) for _ in range(5)))
                for query in queries
            )
            answer = f"It was person {number % 500 if chance.random() < 0.5 else chance.randrange(500)}."
            traces.append(Trace("r", item, variant, answer, steps=steps, calls=1 + len(steps), tokens_in=9, tokens_out=9))
    return Run("r", "r", System("hyde"), "made", "b2:x", "m", {}), traces, asked, variants


if __name__ == "__main__":
    main()
