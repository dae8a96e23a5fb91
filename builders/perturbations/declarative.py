"""Turn a question into a statement of what the asker wants to know."""

from functools import partial

from builders.variation.perturbation import Perturbation
from builders.variation.rewording import TEMPERATURE
from builders.variation.sentence_types import PROMPT, sentence_type
from core.text.language import ByLanguage

TARGET = ByLanguage(
    {
        "en": "a declarative sentence, which says what the asker wants to know.",
        "zh": "陈述句，即说明提问者想知道什么的句子。",
    }
)

PERTURBATION = Perturbation(
    label="Declarative",
    about='A statement of what one wants to know: "I want to know ...".',
    make=partial(sentence_type, TARGET),
    prompt=PROMPT,
    languages=(),
    settings={"temperature": TEMPERATURE},
)
