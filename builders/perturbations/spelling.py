"""Misspell words of a question. English words are misspelled by nlpaug's SpellingAug, or by applying SpellingAug's dictionary
to single words. Chinese characters are replaced by characters that sound alike, as an input method offers them."""

from collections.abc import Mapping
from contextlib import AbstractContextManager
from functools import partial
from typing import Any

from builders.variation.chinese_slips import by_sound, slips
from builders.variation.noise import MODE, by_nlpaug, misspell_words, noise, spellings
from builders.variation.perturbation import Perturbation, VariantMaker


def make(settings: Mapping[str, Any]) -> AbstractContextManager[VariantMaker]:
    spellings()
    paper = by_nlpaug("SpellingAug") if settings["mode"] == "paper" else None
    return noise("spelling", paper, misspell_words, partial(slips, by_sound()), settings)


PERTURBATION = Perturbation(
    label="Spelling",
    about="Some words are misspelt; in Chinese, characters become others that sound alike.",
    make=make,
    settings={"mode": MODE},
)
