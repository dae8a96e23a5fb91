"""Misspelt words. English: nlpaug's SpellingAug, or its dictionary at single words. Chinese: characters that sound alike, as an
input method offers them."""

from collections.abc import Mapping
from contextlib import AbstractContextManager
from functools import partial
from typing import Any

from builders.chinese_slips import by_sound, slips
from builders.noise import MODE, by_nlpaug, misspelt, noise, spellings
from builders.perturbation import Maker, Perturbation


def make(settings: Mapping[str, Any]) -> AbstractContextManager[Maker]:
    spellings()
    paper = by_nlpaug("SpellingAug") if settings["mode"] == "paper" else None
    return noise("spelling", paper, misspelt, partial(slips, by_sound()), settings)


PERTURBATION = Perturbation(
    label="Spelling",
    about="Some words are misspelt; in Chinese, characters become others that sound alike.",
    make=make,
    settings={"mode": MODE},
)
