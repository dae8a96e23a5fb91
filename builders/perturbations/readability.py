"""Make a question harder to read, by passive voice, academic words and nouns derived from verbs, with the same meaning."""

from functools import partial

from builders.variation.perturbation import Perturbation
from builders.variation.rewording import TEMPERATURE, open_rewording

PROMPT = "vary/readability"

PERTURBATION = Perturbation(
    label="Readability",
    about="The question in words that are harder to read: passive voice, academic words, nouns made from verbs.",
    make=partial(open_rewording, PROMPT, "harder"),
    prompt=PROMPT,
    settings={"temperature": TEMPERATURE},
)
