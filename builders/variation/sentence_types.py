"""The two sentence types that a question is put in, by one prompt with a slot."""

from collections.abc import Mapping
from contextlib import AbstractContextManager
from typing import Any

from builders.variation.perturbation import VariantMaker
from builders.variation.rewording import open_rewording

PROMPT = "vary/sentence_type"


def sentence_type(target: Mapping[str, str], settings: Mapping[str, Any]) -> AbstractContextManager[VariantMaker]:
    """Return the maker of one sentence type; `target` contains the words for the prompt's slot, by language."""
    return open_rewording(PROMPT, "restated", settings, lambda item: {"target": target[item.language]})
