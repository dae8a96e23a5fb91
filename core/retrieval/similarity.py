"""How one wording of a question stands to another: shared words, edit distance, length, likeness in meaning; and what is too
close to be a rewrite."""

import math
import unicodedata
from collections.abc import Collection, Sequence
from contextlib import suppress
from typing import Any

from core.errors import BenchError
from core.text.text import content_words, lcs_length, overlap, words

MAX_SAME_ORDER_SHARE = 0.9
"""From here on the content words are the question's in its order: 2 x longest common subsequence / all content words."""
MIN_EDIT_SHARE = 0.1
"""Up to here only letters were changed: edit distance by characters / the longer text's characters."""
MODEL = "minilm"
MODEL_LANGUAGES = ("en",)
"""Languages of that model."""


def measure_rewrite(question: str, text: str, language: str) -> dict[str, Any]:
    """`shared` = share of the question's content words that the rewrite holds; `in_order` = how far its content words are the
    question's in the same order; `edit` = edit distance by characters, 0 the same to 1; `words_ratio` and `characters_ratio` =
    its length to the question's. None = not to be had, as for a text without content words."""
    from rapidfuzz.distance import Levenshtein

    asked, written = content_words(question, language), content_words(text, language)
    in_order = 2 * lcs_length(asked, written) / (len(asked) + len(written)) if asked and written else None
    return {
        "shared": _round_value(overlap(question, text, language)),
        "in_order": _round_value(in_order),
        "edit": _round_value(Levenshtein.normalized_distance(fold_text(question), fold_text(text))),
        "words_ratio": _round_value(_ratio(len(words(text, language)), len(words(question, language)))),
        "characters_ratio": _round_value(_ratio(len(text.strip()), len(question.strip()))),
    }


def explain_near_copy(found: dict[str, Any]) -> str | None:
    """One sentence when these are the numbers of a near-copy, else None."""
    if found["edit"] <= MIN_EDIT_SHARE:
        return (
            f"Only {100 * found['edit']:.0f} % of the letters differ from the question, and more than "
            f"{100 * MIN_EDIT_SHARE:.0f} % must: say it in your own words."
        )
    if found["in_order"] is not None and found["in_order"] >= MAX_SAME_ORDER_SHARE:
        return (
            f"The content words are the question's in the same order ({100 * found['in_order']:.0f} %; it must be under "
            f"{100 * MAX_SAME_ORDER_SHARE:.0f} %): change words or their order."
        )
    return None


def is_same(question: str, text: str) -> bool:
    """Whether the letters and digits are the same, whatever their case, form, spaces and punctuation."""
    return strip_to_alphanumerics(question) == strip_to_alphanumerics(text)


def strip_to_alphanumerics(text: str) -> str:
    """Letters and digits alone, in one case and form."""
    return "".join(character for character in fold_text(text) if character.isalnum())


def fold_text(text: str) -> str:
    """One case, one form, one space between words."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def similarity(question: str, text: str, language: str) -> tuple[float | None, str]:
    """Cosine of the two by the bundled model, or None and why not. The first time it loads the model, which takes seconds."""
    return similarities([(question, text)], language)[0]


def similarities(pairs: Sequence[tuple[str, str]], language: str, model: str = MODEL) -> list[tuple[float | None, str]]:
    """As similarity, of many pairs at once, by that embedding model. A text that the model cannot read whole has none."""
    from core.retrieval.embeddings import embedder

    if model == MODEL and language not in MODEL_LANGUAGES:
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
    vectors = dict(zip(fitting, reader.encode(fitting), strict=True)) if fitting else {}

    def compare_pair(question: str, text: str) -> tuple[float | None, str]:
        for which in (question, text):
            if which not in vectors:
                return None, f"not available: {lengths[which]:,} tokens, and the model ({model}) reads {most:,}"
        a, b = vectors[question], vectors[text]
        return round(math.fsum(float(x) * float(y) for x, y in zip(a, b, strict=True)), 4), ""

    return [compare_pair(*pair) for pair in pairs]


def load_similarity_model(model: str, languages: Collection[str]) -> None:
    """Load what `similarities` needs for texts of those languages, which takes seconds; what stands in the way it tells."""
    from core.retrieval.embeddings import embedder

    if model == MODEL and not any(language in MODEL_LANGUAGES for language in languages):
        return
    with suppress(BenchError):
        reader = embedder(model)
        if not reader.languages or any(language in reader.languages for language in languages):
            reader.encode(())


def explain_missing_similarity(language: str, model: str) -> str:
    """Why there is no likeness in meaning."""
    return f"not available for {language} with this model ({model})"


def _ratio(a: int, b: int) -> float | None:
    return a / b if b else None


def _round_value(value: float | None) -> float | None:
    return None if value is None else round(value, 4)
