"""embed_cosine: cosine of the sentence embeddings of answer and gold answer, which CRUD-RAG's code calls bertScore. The setting
model is minilm (bundled, English) or a folder with a sentence-transformers model; a language that it does not know gives no
value. An empty answer is 0. A text longer than the model's input gives no value: nothing is cut in silence."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from core.errors import BenchError
from core.retrieval.embeddings import Embedder, explain_unusable
from eval.metric import Metric, ScoringCase, Unscored, Values
from eval.retriever import Embedders
from eval.running.settings import read_text

SAMPLE_TEXTS = 200
"""Texts of a language by which is told whether the model knows it."""


def batch(cases: Sequence[ScoringCase], settings: Mapping[str, Any], embedders: Embedders) -> list[Values]:
    """Best over the gold answers; None without one."""
    model = _model(settings, embedders)
    by_language: dict[str, list[str]] = defaultdict(list)
    for case in cases:
        by_language[case.language] += [*case.answers, case.prediction]
    known = {
        language for language, texts in by_language.items() if explain_unusable(model, language, texts[:SAMPLE_TEXTS]) is None
    }
    why = {id(case): _why_not(case, model, known) for case in cases}
    texts = list(dict.fromkeys(t for c in cases if why[id(c)] is None for t in (c.prediction, *c.answers) if t.strip()))
    vectors = dict(zip(texts, model.encode(texts), strict=True)) if texts else {}
    return [{"": why[id(case)] or _score_best(case, vectors)} for case in cases]


def made_with(settings: Mapping[str, Any], embedders: Embedders) -> str:
    """The model's name and the hash of its files."""
    model = _model(settings, embedders)
    return f"{Path(model.name).name} {(model.identity or '')[:15]}".strip()


def _model(settings: Mapping[str, Any], embedders: Embedders) -> Embedder:
    name = read_text(settings, "model", "minilm")
    if name == "lexical_vectors":
        raise BenchError(
            "embed_cosine compares meanings, and lexical_vectors letters: set embed_cosine.model to minilm or to a folder."
        )
    return embedders(name, (), None)


def _why_not(case: ScoringCase, model: Embedder, known: set[str]) -> Unscored | None:
    if case.language not in known:
        return Unscored(f"not available for {case.language} with this model")
    if not case.answers:
        return Unscored("no gold answer")
    longest = max(model.count_tokens(one) for one in (case.prediction, *case.answers))
    if model.max_tokens is not None and longest > model.max_tokens:
        return Unscored(f"a text of {longest} tokens, and the model reads {model.max_tokens}")
    return None


def _score_best(case: ScoringCase, vectors: Mapping[str, Any]) -> float:
    zero = 0.0
    if not case.prediction.strip():
        return zero
    own = vectors[case.prediction]
    found = [float(own @ vectors[gold]) if gold.strip() else zero for gold in case.answers]
    return min(max(-1.0, *found), 1.0)


METRIC = Metric(
    version="1",
    low=-1.0,
    high=1.0,
    settings={"model": "minilm"},
    batch=batch,
    made_with=made_with,
    reference="sentence-transformers: the cosine of encode() of both texts, within 1e-5",
)
