"""Replace letters of a question by letters with which text recognition confuses them. English letters are replaced by nlpaug's
OcrAug, or by applying OcrAug's table to single words. Chinese characters are replaced by characters that look alike."""

from collections.abc import Mapping
from contextlib import AbstractContextManager
from functools import partial
from random import Random
from typing import Any

from builders.variation.chinese_slips import by_shape, slips
from builders.variation.noise import MODE, by_nlpaug, in_a_word, misreadings, noise
from builders.variation.perturbation import Perturbation, VariantMaker
from builders.variation.protection import ProtectedSpans

SHORTEST, LEAST = 1, 2
"""nlpaug's defaults: words with fewer letters than SHORTEST are not changed, and at least LEAST letters of a word are
changed."""


def make(settings: Mapping[str, Any]) -> AbstractContextManager[VariantMaker]:
    misreadings()
    paper = by_nlpaug("OcrAug") if settings["mode"] == "paper" else None
    return noise("ocr", paper, draw, partial(slips, by_shape()), settings)


def draw(random: Random, text: str, kept: ProtectedSpans) -> str:
    return in_a_word(random, text, kept, misreadings(), SHORTEST, LEAST)


PERTURBATION = Perturbation(
    label="OCR",
    about="Letters of some words are misread; in Chinese, characters become others that look alike.",
    make=make,
    settings={"mode": MODE},
)
