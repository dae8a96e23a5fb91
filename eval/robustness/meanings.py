"""Embed texts to compare their meanings, with the model and the language check of the metric embed_cosine: a text in a language
that the model does not know, or that is longer than the model's input, has no vector, and the reason is reported."""

from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np

from core.retrieval.embedding_options import Side
from core.retrieval.embeddings import Embedder, encode_unit_rows
from eval.scoring.model_texts import find_unknown_languages

EMPTY, TOO_LONG = "an answer is empty", "a text is longer than the model reads"


class Meanings(NamedTuple):
    """The embedding vectors of some texts, and the reason why some of the texts have no vector."""

    vectors: Any
    """Vectors of the distinct texts as float32 rows of length 1."""
    rows: Any
    """For each text, the index of its row in `vectors`; -1 = the text has no vector."""
    why: str
    """Reason why some texts have no vector; "" = all texts have a vector."""


class Embed(Protocol):
    """A function that embeds texts in the given languages; questions and search queries are encoded as queries."""

    def __call__(self, texts: Sequence[str], languages: Sequence[str], side: Side = "text") -> Meanings: ...


def embed_with(model: Embedder) -> Embed:
    """Return a function that embeds texts with this model; equal texts are encoded once."""

    def embed(texts: Sequence[str], languages: Sequence[str], side: Side = "text") -> Meanings:
        pairs = list(zip(texts, languages, strict=True))
        unknown = find_unknown_languages(model, [(text, language) for text, language in pairs if text.strip()])
        why = dict.fromkeys(unknown.values())
        places: dict[str, int] = {}
        rows = np.full(len(texts), -1, np.int64)
        is_long: dict[str, bool] = {}
        for number, (text, language) in enumerate(pairs):
            if not text.strip():
                why[EMPTY] = None
            elif language not in unknown:
                if text not in is_long:
                    limit = model.max_tokens
                    is_long[text] = limit is not None and len(text) > limit and model.count_tokens(text) > limit
                if is_long[text]:
                    why[TOO_LONG] = None
                else:
                    rows[number] = places.setdefault(text, len(places))
        vectors = encode_unit_rows(model, list(places), side) if places else np.zeros((0, 1), np.float32)
        return Meanings(vectors, rows, "; ".join(why))

    return embed
