"""shouting: the question in capital letters."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from benchwright import Item, Perturbation, PerturbedText, VariantMaker, VariationAgent


@contextmanager
def make(settings: Mapping[str, Any]) -> Iterator[VariantMaker]:
    async def shout(item: Item, seed: int, voice: VariationAgent | None) -> PerturbedText:
        return PerturbedText(item.question.upper(), "benchwright-example 0.1.0", {})

    yield shout


PERTURBATION = Perturbation(label="Shouting", about="The question is written in capital letters.", make=make, languages=("en",))
