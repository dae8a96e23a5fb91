"""Rewrite a question in casual words, contractions and slang with the same meaning, as the paper "Out of Style" does."""

from collections.abc import Mapping
from contextlib import AbstractContextManager
from typing import Any

from builders.variation.perturbation import Perturbation, VariantMaker
from builders.variation.rewording import TEMPERATURE, open_rewording

PROMPT = "vary/formality"


def make(settings: Mapping[str, Any]) -> AbstractContextManager[VariantMaker]:
    return open_rewording(PROMPT, "casual", settings)


PERTURBATION = Perturbation(
    label="Formality",
    about="The question in casual words, with contractions and slang.",
    make=make,
    prompt=PROMPT,
    languages=(),
    settings={"temperature": TEMPERATURE},
)
