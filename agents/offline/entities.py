"""Extracts entities and relations from a text without a model: the entities are the names in the text, each described by the
first sentence that mentions it; the relations are pairs of names in the same sentence."""

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

from agents.offline.chinese.subjects import names_in_text
from agents.offline.exchange import names_of
from core.text.text import split_sentences

MAX_DESCRIPTION_CHARACTERS = 240
"""Maximum number of characters in the description of an entity or relation."""


def extract_entities(text: str, known: str, language: str) -> Mapping[str, Any]:
    """Return {"entities", "relations"} for the names in the text that are not in `known`, a comma-separated list. In each
    sentence, the first name is related to every other name, and each name to the name before it."""
    before = {name.strip() for name in known.split(",")}
    entities: dict[str, str] = {}
    relations: dict[tuple[str, str], str] = {}
    for start, end in split_sentences(text, language):
        sentence = " ".join(text[start:end].split())
        named = named_in(sentence, language)
        for name in named:
            entities.setdefault(name, sentence[:MAX_DESCRIPTION_CHARACTERS])
        for pair in dict.fromkeys([*((named[0], name) for name in named[1:]), *pairwise(named)]):
            if before.isdisjoint(pair) or not before.issuperset(pair):
                relations.setdefault(pair, sentence[:MAX_DESCRIPTION_CHARACTERS])
    return {
        "entities": [{"name": name, "description": said} for name, said in entities.items() if name not in before],
        "relations": [
            {"source": source, "target": target, "description": said} for (source, target), said in relations.items()
        ],
    }


def named_in(sentence: str, language: str) -> list[str]:
    """Return the names in a sentence, in order, without those that are part of a longer name."""
    names = names_in_text(sentence) if language == "zh" else [name for name in names_of([sentence], "en") if name in sentence]
    longest = [name for name in names if not any(name != other and name in other for other in names)]
    return sorted(longest, key=sentence.find)
