"""Turn a question into a statement of what the asker wants to know."""

from collections.abc import Mapping
from contextlib import AbstractContextManager
from typing import Any

from builders.variation.perturbation import Perturbation, VariantMaker
from builders.variation.rewording import TEMPERATURE
from builders.variation.sentence_types import PROMPT, sentence_type
from core.text.language import ByLanguage

TARGET = ByLanguage(
    {
        "en": "a declarative sentence, which says what the asker wants to know.",
        "zh": "陈述句，即说明提问者想知道什么的句子。",
    }
)


def make(settings: Mapping[str, Any]) -> AbstractContextManager[VariantMaker]:
    return sentence_type(TARGET, settings)


PERTURBATION = Perturbation(
    label="Declarative",
    about='A statement of what one wants to know: "I want to know ...".',
    make=make,
    prompt=PROMPT,
    languages=(),
    settings={"temperature": TEMPERATURE},
)
