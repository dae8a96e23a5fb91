"""Noise on 20,000 questions: spelling, keyboard and OCR in both modes against a plain loop over nlpaug's own augmenters, their
import apart, and what the guards cost beside it. The plain loop draws from the process's one generator; ours seeds one for
each question, and protected mode looks besides at what is to be left alone."""

import asyncio
import random
import sys
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

from builders.variation.guards import GuardedVariant, guards
from builders.variation.perturbation import VariationFailed, perturbations
from core.nouns import Item
from tests.benchmarks.table import by_turns, cpu, head, row

N = 20_000
TEXT = """who believes that the director of their first film received a separate letter from the government of Stoke in 1931
because its author had written about the Lantern Players before"""
WORDS = TEXT.split()
AUGMENTERS = {"spelling": ("word", "SpellingAug"), "keyboard": ("char", "KeyboardAug"), "ocr": ("char", "OcrAug")}
TARGET = 0.7
"""Of the plain loop's speed, for a generator a question."""


def questions() -> list[Item]:
    chance = random.Random(1)
    texts = [" ".join(chance.choices(WORDS, k=chance.randint(8, 18))).capitalize() + "?" for _ in range(N)]
    return [Item(f"q{n}", "explicit_factoid", text, ("Lantern Players",), (), 1, "arts", "en") for n, text in enumerate(texts)]


def theirs(augmenter: Any, items: list[Item]) -> None:
    random.seed(0)
    for item in items:
        augmenter.augment(item.question)


def ours(kind: str, mode: str, items: list[Item]) -> None:
    async def every() -> None:
        for item in items:
            with suppress(VariationFailed):
                await maker(item, 0, None)

    with perturbations()[kind].make({"mode": mode}) as maker:
        asyncio.run(every())


def main() -> None:
    from nlpaug.augmenter import char, word

    items = questions()
    head()
    for kind, (level, name) in AUGMENTERS.items():
        augmenter = getattr(word if level == "word" else char, name)()
        for mode in ("paper", "protected"):
            ours(kind, mode, items[:10])  # reads the tables
            took, own = by_turns(partial(theirs, augmenter, items), partial(ours, kind, mode, items))
            row(f"{kind}, {mode}, of {N:,} questions", "a plain nlpaug loop", took, own, TARGET)
    made = [GuardedVariant(item, "spelling", item.question.replace("e", "3")) for item in items]
    took = cpu(lambda: ours("spelling", "paper", items), 1)
    row(f"guards of {N:,} variants, no embedding", "the spelling itself", took, cpu(lambda: guards(made, "none"), 1), 0.5)


if __name__ == "__main__":
    main()
