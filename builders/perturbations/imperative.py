"""Turn a question into a command or request."""

from collections.abc import Mapping
from contextlib import AbstractContextManager
from typing import Any

from builders.variation.perturbation import Perturbation, VariantMaker
from builders.variation.rewording import TEMPERATURE
from builders.variation.sentence_types import PROMPT, sentence_type
from core.text.language import ByLanguage

TARGET = ByLanguage(
    {
        "en": "an imperative sentence, which tells somebody to name, give or explain it.",
        "zh": "祈使句，即要求对方说出答案的句子。",
    }
)


def make(settings: Mapping[str, Any]) -> AbstractContextManager[VariantMaker]:
    return sentence_type(TARGET, settings)


PERTURBATION = Perturbation(
    label="Imperative",
    about='A command or request: "Name the child of ...".',
    make=make,
    prompt=PROMPT,
    languages=(),
    settings={"temperature": TEMPERATURE},
)
