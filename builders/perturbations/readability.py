"""Make a question harder to read, by passive voice, academic words and nouns derived from verbs, with the same meaning."""

from collections.abc import Mapping
from contextlib import AbstractContextManager
from typing import Any

from builders.variation.perturbation import Perturbation, VariantMaker
from builders.variation.rewording import TEMPERATURE, open_rewording

PROMPT = "vary/readability"


def make(settings: Mapping[str, Any]) -> AbstractContextManager[VariantMaker]:
    return open_rewording(PROMPT, "harder", settings)


PERTURBATION = Perturbation(
    label="Readability",
    about="The question in words that are harder to read: passive voice, academic words, nouns made from verbs.",
    make=make,
    prompt=PROMPT,
    settings={"temperature": TEMPERATURE},
)
