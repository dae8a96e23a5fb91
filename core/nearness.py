"""How one wording of a question stands to another: shared words, edit distance, length, likeness in meaning; and what is too
close to be a rewrite."""

import math
import unicodedata
from collections.abc import Sequence
from typing import Any

from core.errors import BenchError
from core.text import content_words, lcs_length, overlap, words

SAME_WORDS = 0.9
"""From here on the content words are the question's in its order: 2 x longest common subsequence / all content words."""
LEAST_EDIT = 0.1
"""Up to here only letters were changed: edit distance by characters / the longer text's characters."""
MODEL = "minilm"
KNOWS = ("en",)
"""Languages of that model."""


def numbers(question: str, text: str, language: str) -> dict[str, Any]:
    """`shared` = share of the question's content words that the rewrite holds; `in_order` = how far its content words are the
    question's in the same order; `edit` = edit distance by characters, 0 the same to 1; `words_ratio` and `characters_ratio` =
    its length to the question's. None = not to be had, as for a text without content words."""
    from rapidfuzz.distance import Levenshtein

    asked, written = content_words(question, language), content_words(text, language)
    in_order = 2 * lcs_length(asked, written) / (len(asked) + len(written)) if asked and written else None
    return {
        "shared": _rounded(overlap(question, text, language)), "in_order": _rounded(in_order),
        "edit": _rounded(Levenshtein.normalized_distance(folded(question), folded(text))),
        "words_ratio": _rounded(_ratio(len(words(text, language)), len(words(question, language)))),
        "characters_ratio": _rounded(_ratio(len(text.strip()), len(question.strip()))),
    }  # fmt: skip


def too_close(found: dict[str, Any]) -> str | None:
    """One sentence when these are the numbers of a near-copy, else None."""
    if found["edit"] <= LEAST_EDIT:
        return (f"Only {100 * found['edit']:.0f} % of the letters differ from the question, and more than "
                f"{100 * LEAST_EDIT:.0f} % must: say it in your own words.")  # fmt: skip
    if found["in_order"] is not None and found["in_order"] >= SAME_WORDS:
        return (f"The content words are the question's in the same order ({100 * found['in_order']:.0f} %; it must be under "
                f"{100 * SAME_WORDS:.0f} %): change words or their order.")  # fmt: skip
    return None


def is_same(question: str, text: str) -> bool:
    """Whether the letters and digits are the same, whatever their case, form, spaces and punctuation."""
    return solid(question) == solid(text)


def solid(text: str) -> str:
    """Letters and digits alone, in one case and form."""
    return "".join(character for character in folded(text) if character.isalnum())


def folded(text: str) -> str:
    """One case, one form, one space between words."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def similarity(question: str, text: str, language: str) -> tuple[float | None, str]:
    """Cosine of the two by the bundled model, or None and why not. The first time it loads the model, which takes seconds."""
    return similarities([(question, text)], language)[0]


def similarities(pairs: Sequence[tuple[str, str]], language: str, model: str = MODEL) -> list[tuple[float | None, str]]:
    """As similarity, of many pairs at once, by that embedding model. A text that the model cannot read whole has none."""
    from core.embeddings import embedder

    if model == MODEL and language not in KNOWS:
        return [(None, not_for(language, model))] * len(pairs)
    try:
        reader = embedder(model)
    except BenchError as error:
        return [(None, str(error))] * len(pairs)
    if reader.languages and language not in reader.languages:
        return [(None, not_for(language, model))] * len(pairs)
    texts = list(dict.fromkeys(text for pair in pairs for text in pair))
    most = reader.max_tokens
    lengths = {text: reader.count_tokens(text) if most is not None else 0 for text in texts}
    fitting = [text for text in texts if most is None or lengths[text] <= most]
    vectors = dict(zip(fitting, reader.encode(fitting), strict=True)) if fitting else {}

    def one(question: str, text: str) -> tuple[float | None, str]:
        for which in (question, text):
            if which not in vectors:
                return None, f"not available: {lengths[which]:,} tokens, and the model ({model}) reads {most:,}"
        a, b = vectors[question], vectors[text]
        return round(math.fsum(float(x) * float(y) for x, y in zip(a, b, strict=True)), 4), ""

    return [one(*pair) for pair in pairs]


def not_for(language: str, model: str) -> str:
    """Why there is no likeness in meaning."""
    return f"not available for {language} with this model ({model})"


def _ratio(a: int, b: int) -> float | None:
    return a / b if b else None


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 4)
