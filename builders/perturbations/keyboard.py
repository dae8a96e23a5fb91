"""Replace letters of a question by letters on neighbouring keys, with nlpaug's KeyboardAug, or by applying KeyboardAug's table
to single words. Chinese is typed by sound, so its typing errors belong to the perturbation `spelling`."""

from collections.abc import Mapping
from contextlib import AbstractContextManager
from random import Random
from typing import Any

from builders.variation.noise import MODE, by_nlpaug, in_a_word, neighbours, noise
from builders.variation.perturbation import Perturbation, VariantMaker
from builders.variation.protection import ProtectedSpans

SHORTEST, LEAST = 4, 1
"""nlpaug's defaults: words with fewer letters than SHORTEST are not changed, and at least LEAST letters of a word are
changed."""


def make(settings: Mapping[str, Any]) -> AbstractContextManager[VariantMaker]:
    neighbours()
    return noise("keyboard", by_nlpaug("KeyboardAug") if settings["mode"] == "paper" else None, draw, None, settings)


def draw(random: Random, text: str, kept: ProtectedSpans) -> str:
    return in_a_word(random, text, kept, neighbours(), SHORTEST, LEAST)


PERTURBATION = Perturbation(
    label="Keyboard",
    about="Letters of some words are replaced by letters on neighbouring keys.",
    make=make,
    languages=("en",),
    missing={"zh": "Chinese is typed by sound, and such typing errors are the kind spelling"},
    settings={"mode": MODE},
)
