"""Turn a question into a command or request."""

from functools import partial

from builders.variation.perturbation import Perturbation
from builders.variation.rewording import TEMPERATURE
from builders.variation.sentence_types import PROMPT, sentence_type
from core.text.language import ByLanguage

TARGET = ByLanguage(
    {
        "en": "an imperative sentence, which tells somebody to name, give or explain it.",
        "zh": "祈使句，即要求对方说出答案的句子。",
    }
)

PERTURBATION = Perturbation(
    label="Imperative",
    about='A command or request: "Name the child of ...".',
    make=partial(sentence_type, TARGET),
    prompt=PROMPT,
    languages=(),
    settings={"temperature": TEMPERATURE},
)
