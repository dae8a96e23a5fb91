"""The two sentence types that a question is put in, by one prompt with a slot."""

from collections.abc import Mapping
from contextlib import AbstractContextManager
from typing import Any

from builders.variation.perturbation import VariantMaker
from builders.variation.rewording import open_rewording

PROMPT = "vary/sentence_type"


def sentence_type(target: Mapping[str, str], settings: Mapping[str, Any]) -> AbstractContextManager[VariantMaker]:
    """Returns the maker of one sentence type; `target` = the words in the prompt's slot, by language."""
    return open_rewording(PROMPT, "restated", settings, lambda item: {"target": target[item.language]})
