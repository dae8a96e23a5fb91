"""Rewrite a question in casual words, contractions and slang with the same meaning, as the paper "Out of Style" does."""

from functools import partial

from builders.variation.perturbation import Perturbation
from builders.variation.rewording import TEMPERATURE, open_rewording

PROMPT = "vary/formality"

PERTURBATION = Perturbation(
    label="Formality",
    about="The question in casual words, with contractions and slang.",
    make=partial(open_rewording, PROMPT, "casual"),
    prompt=PROMPT,
    languages=(),
    settings={"temperature": TEMPERATURE},
)
