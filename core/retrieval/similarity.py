"""Compares two wordings of a question by shared words, edit distance, length and similarity in meaning, and detects rewrites
that differ too little from the question (near copies) or are too short to ask the same question."""

import math
import unicodedata
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from core.errors import BenchError
from core.text.text import content_words, lcs_length, overlap, words

if TYPE_CHECKING:
    from core.retrieval.embeddings import Embedder

MAX_SAME_ORDER_SHARE = 0.9
"""A rewrite is a near copy if at least this share of the content words is the same, in the same order, in question and rewrite.
The share is 2 x longest common subsequence / number of content words in question and rewrite."""
MIN_EDIT_SHARE = 0.1
"""A rewrite is a near copy if at most this share of characters differs from the question: edit distance / length of the longer
text."""
MIN_LENGTH_SHARE = 0.2
"""A rewrite is too short to ask the same question if its number of characters is less than this share of the question's."""
MODEL = "minilm"
MODEL_LANGUAGES = ("en",)
"""Languages in which the bundled model MODEL measures similarity in meaning."""


def measure_rewrite(question: str, text: str, language: str) -> dict[str, Any]:
    """Measure how a rewrite differs from the question: return {"shared", "in_order", "edit", "words_ratio",
    "characters_ratio"}, in which measures of content words are None if the texts have no content words.

    `shared` = share of the question's content words in the rewrite, 0..1; `in_order` = share of content words in the same
    order, 0..1; `edit` = edit distance by characters, from 0 (equal) to 1; the ratios are the length of the rewrite divided by
    the length of the question, in words and in characters."""
    from rapidfuzz.distance import Levenshtein

    before, after = content_words(question, language), content_words(text, language)
    measures = {
        "shared": overlap(question, text, language),
        "in_order": 2 * lcs_length(before, after) / (len(before) + len(after)) if before and after else None,
        "edit": Levenshtein.normalized_distance(fold_text(question), fold_text(text)),
        "words_ratio": _ratio(len(words(text, language)), len(words(question, language))),
        "characters_ratio": _ratio(len(text.strip()), len(question.strip())),
    }
    return {name: None if value is None else round(value, 4) for name, value in measures.items()}


def explain_near_copy(measures: dict[str, Any]) -> str | None:
    """Return a sentence that says why the rewrite is a near copy of the question, or None if the measures show that the rewrite
    is not a near copy."""
    if measures["edit"] <= MIN_EDIT_SHARE:
        return (
            f"Only {100 * measures['edit']:.0f} % of the letters differ from the question, and more than "
            f"{100 * MIN_EDIT_SHARE:.0f} % must: say it in your own words."
        )
    if measures["in_order"] is not None and measures["in_order"] >= MAX_SAME_ORDER_SHARE:
        return (
            f"The rewrite has the question's content words in the same order ({100 * measures['in_order']:.0f} %; it must be "
            f"under {100 * MAX_SAME_ORDER_SHARE:.0f} %): change words or their order."
        )
    return None


def explain_too_short(measures: dict[str, Any]) -> str | None:
    """Return a sentence that says why the rewrite is too short to ask the same question, or None if the rewrite is not too
    short."""
    share = measures["characters_ratio"]
    if share is None or share >= MIN_LENGTH_SHARE:
        return None
    return (
        f"The rewrite has {100 * share:.0f} % of the question's characters; a rewrite that asks the same needs at least "
        f"{100 * MIN_LENGTH_SHARE:.0f} %: write the whole question."
    )


def is_same(question: str, text: str) -> bool:
    """Return whether two texts have the same letters and digits, ignoring case, Unicode form, spaces and punctuation."""
    return strip_to_alphanumerics(question) == strip_to_alphanumerics(text)


def strip_to_alphanumerics(text: str) -> str:
    """Return the letters and digits of the text, in a uniform case and Unicode form."""
    return "".join(character for character in fold_text(text) if character.isalnum())


def fold_text(text: str) -> str:
    """Return the text in a uniform case and Unicode form, with single spaces."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def similarity(question: str, text: str, language: str) -> tuple[float | None, str]:
    """Return (similarity in meaning, ""), where the similarity is the cosine by the bundled model. If the similarity cannot be
    computed, return (None, the reason). The first call loads the model, which takes seconds."""
    return similarities([(question, text)], language)[0]


def similarities(pairs: Sequence[tuple[str, str]], language: str, model: str = MODEL) -> list[tuple[float | None, str]]:
    """Return the similarity in meaning of each pair of texts, as `similarity` does, by the embedding model named `model`. Both
    texts of a pair are encoded as queries. A pair with a text that is too long for the model has no similarity."""
    from core.retrieval.embeddings import embedder, encode_unit_rows

    if model == MODEL and language not in MODEL_LANGUAGES:  # the languages of MODEL are known without loading it
        return [(None, explain_missing_similarity(language, model))] * len(pairs)
    try:
        reader = embedder(model)
    except BenchError as error:
        return [(None, str(error))] * len(pairs)
    if reader.languages and language not in reader.languages:
        return [(None, explain_missing_similarity(language, model))] * len(pairs)
    texts = list(dict.fromkeys(text for pair in pairs for text in pair))
    most = reader.max_tokens
    lengths = {text: reader.count_tokens(text) if most is not None else 0 for text in texts}
    fitting = [text for text in texts if most is None or lengths[text] <= most]
    vectors = dict(zip(fitting, encode_unit_rows(reader, fitting, "query"), strict=True)) if fitting else {}

    def compare_pair(question: str, text: str) -> tuple[float | None, str]:
        for part in (question, text):
            if part not in vectors:
                return None, f"not available: {lengths[part]:,} tokens, and the model ({model}) reads {most:,}"
        a, b = vectors[question], vectors[text]
        return round(math.fsum(float(x) * float(y) for x, y in zip(a, b, strict=True)), 4), ""

    return [compare_pair(*pair) for pair in pairs]


def load_similarity_model(model: str, languages: Collection[str], load: "Callable[[str], Embedder] | None" = None) -> None:
    """Load the model that `similarities` uses, which takes seconds. An error in loading is not raised by this function but
    reported by `similarities`."""
    from core.retrieval.embeddings import embedder

    if model == MODEL and not any(language in MODEL_LANGUAGES for language in languages):
        return
    with suppress(BenchError):
        reader = (load or embedder)(model)
        if not reader.languages or any(language in reader.languages for language in languages):
            reader.encode(())


def explain_missing_similarity(language: str, model: str) -> str:
    """Return the reason why the similarity in meaning of two texts in the language cannot be computed."""
    return f"not available for {language} with this model ({model})"


def _ratio(a: int, b: int) -> float | None:
    return a / b if b else None
