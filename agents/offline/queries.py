"""Search queries written by rules without a model: the question as a statement, one query for each name in it, and the
sentences of a memory (summaries of the corpus) that relate to the question. All queries consist of words from the input."""

import re

from agents.offline.entities import named_in
from core.text.text import content_words, split_sentences

MAX_QUERIES = 4
"""Maximum number of search queries for one question."""
MAX_CLUES = 3
MIN_CLUE_WORDS = 4
"""Minimum number of words in a clue (a sentence that helps to search); in Chinese, twice this number of characters."""
MIN_CLUE_SHARE = 0.2
"""Minimum share of the question's content words that a sentence of the memory must contain to be a clue."""
_ASKS = {
    "en": re.compile(
        r"^(?:(?:at|by|for|from|in|of|on|to|with) )?"
        r"(?:who|whom|whose|what|which|when|where|why|how(?: (?:many|much|long|far|old))?)\b"
        r"(?: (?:is|are|was|were|do|does|did|has|have|had|can|could|will|would)\b)?"
        r"|^(?:is|are|was|were|do|does|did|has|have|had)\b",
        re.IGNORECASE,
    ),
    "zh": re.compile(r"请问|为什么|什么时候|在?哪一?[天年个家里部本所座位]|何[时地年日人处]|多少|是?谁|什么|怎么|如何|[吗呢]"),
}
"""Pattern of question words by language; a question without them reads like a passage."""


def passage(question: str, language: str) -> str:
    """Return the question without its question words, as a statement; unchanged if no content word would remain."""
    flat = " ".join(question.split())
    kept = " ".join(_ASKS[language].sub("", flat, count=1 if language == "en" else 0).strip(" ?？.。,，").split())
    if not content_words(kept, language):
        return flat
    return kept[:1].upper() + kept[1:] + ("。" if language == "zh" else ".")


def queries(question: str, language: str) -> list[str]:
    """Return search queries for a question: the question itself and, if it contains several names, one query per name."""
    flat = " ".join(question.split())
    named = named_in(flat, language)
    if len(named) < 2:
        return [flat]
    rest = flat
    for name in sorted(named, key=len, reverse=True):
        rest = rest.replace(name, " ")
    asked = [word for word in dict.fromkeys(content_words(rest, language)) if len(word) > 1]
    apart = "" if language == "zh" else " "
    return list(dict.fromkeys([flat, *(apart.join([name, *asked]) for name in named)]))[:MAX_QUERIES]


def clues(question: str, memory: str, language: str) -> list[str]:
    """Return the sentences of the text `memory` that share most content words with the question, best first."""
    wanted = set(content_words(question, language))
    sentences = [" ".join(memory[start:end].split()) for start, end in split_sentences(memory, language)]
    held = {text: len(wanted & set(content_words(text, language))) for text in sentences if _is_long(text, language)}
    best = sorted((text for text in held if held[text] >= MIN_CLUE_SHARE * len(wanted) > 0), key=lambda text: -held[text])
    return best[:MAX_CLUES]


def _is_long(text: str, language: str) -> bool:
    return len(text.split()) >= MIN_CLUE_WORDS if language == "en" else len(text) >= 2 * MIN_CLUE_WORDS
