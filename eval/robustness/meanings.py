"""Texts as vectors for similarity and spread, by the model and under the language guard of embed_cosine: what it does not know,
or would have to cut, has no vector, and it is said why."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from core.retrieval.embeddings import Embedder, explain_unusable

SAMPLE_TEXTS = 200
"""Texts of a language by which is told whether the model knows it."""
EMPTY, TOO_LONG = "an answer is empty", "a text is longer than the model reads"


class Meanings(NamedTuple):
    """The vectors of some texts."""

    vectors: Any
    """float32 (different texts, d), rows of length 1."""
    rows: Any
    """int (texts,): the vector of each; -1 = none."""
    why: str
    """Why some have none; "" where all have one."""


Embed = Callable[[Sequence[str], Sequence[str]], Meanings]
"""(texts, their languages) -> their vectors."""


def embed_with(model: Embedder) -> Embed:
    """Vectors by that model; equal texts are encoded once."""

    def embed(texts: Sequence[str], languages: Sequence[str]) -> Meanings:
        samples: dict[str, list[str]] = {}
        for text, language in zip(texts, languages, strict=True):
            if len(samples.setdefault(language, [])) < SAMPLE_TEXTS and text.strip():
                samples[language].append(text)
        reasons = {
            f"not available for {language} with this model": language
            for language, some in samples.items()
            if some and explain_unusable(model, language, some) is not None
        }
        unknown = set(reasons.values())
        places: dict[str, int] = {}
        rows = np.full(len(texts), -1, np.int64)
        why = dict.fromkeys(reasons)
        long: dict[str, bool] = {}
        for number, (text, language) in enumerate(zip(texts, languages, strict=True)):
            if not text.strip():
                why[EMPTY] = None
            elif language not in unknown:
                if text not in long:
                    long[text] = (
                        model.max_tokens is not None
                        and len(text) > model.max_tokens
                        and model.count_tokens(text) > model.max_tokens
                    )
                if long[text]:
                    why[TOO_LONG] = None
                else:
                    rows[number] = places.setdefault(text, len(places))
        vectors = model.encode(list(places)) if places else np.zeros((0, 1), np.float32)
        return Meanings(vectors, rows, "; ".join(why))

    return embed
