"""Turn a question into another type of sentence (statement, command), by one prompt with a slot for the type."""

from collections.abc import Mapping
from contextlib import AbstractContextManager
from typing import Any

from builders.variation.perturbation import VariantMaker
from builders.variation.rewording import open_rewording

PROMPT = "vary/sentence_type"


def sentence_type(target: Mapping[str, str], settings: Mapping[str, Any]) -> AbstractContextManager[VariantMaker]:
    """Return the VariantMaker of one sentence type; `target` is a dict from language to the words that describe it in the
    prompt."""
    return open_rewording(PROMPT, "restated", settings, lambda item: {"target": target[item.language]})
