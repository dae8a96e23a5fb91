"""Style: harder to read by passives, academic words, nouns made of verbs; the same meaning."""

from collections.abc import Mapping
from contextlib import AbstractContextManager
from typing import Any

from builders.perturbation import Maker, Perturbation
from builders.rewording import TEMPERATURE, rewording

PROMPT = "vary/readability"


def make(settings: Mapping[str, Any]) -> AbstractContextManager[Maker]:
    return rewording(PROMPT, "harder", settings)


PERTURBATION = Perturbation(
    label="Readability",
    about="The question in heavier wording: passives, academic words, nouns made of verbs.",
    make=make,
    prompt=PROMPT,
    settings={"temperature": TEMPERATURE},
)
