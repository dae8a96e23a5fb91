"""bertscore: BERTScore F1 (Zhang et al. 2020) without idf and without baseline: every token of the answer is held against its
nearest token of the gold answer by the cosine of their vectors in one layer, and the other way round. bertscore.precision and
bertscore.recall are its two sides.

Settings: model, the folder of a transformers model, without which it is not run; layer, how many layers a text goes through,
0 = three quarters of them. The model's own first and last token may be a nearest one but have no weight, as in the package
bert-score. An empty text is 0; one that is longer than the model's input gives no value."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from core.errors import BenchError
from core.retrieval.embeddings import explain_unusable
from core.retrieval.token_vectors import TokenModel, Tokens, token_model
from eval.metric import Metric, ScoringCase, Unscored, Values
from eval.retriever import Embedders
from eval.running.settings import read_text, read_whole_number

SAMPLE_TEXTS = 200
"""Texts of a language by which is told whether the model knows it."""
NO_MODEL = "not run: no model, set bertscore.model to the folder of one"
Sides = tuple[float, float, float]
"""F1, precision, recall."""


def batch(cases: Sequence[ScoringCase], settings: Mapping[str, Any], embedders: Embedders) -> list[Values]:
    """Best over the gold answers by F1, with that answer's sides."""
    folder = read_text(settings, "model")
    if not folder:
        return [_leave_unscored(Unscored(NO_MODEL)) for _ in cases]
    model = token_model(folder)
    layer = _layer(model, settings)
    by_language: dict[str, list[str]] = defaultdict(list)
    for case in cases:
        by_language[case.language] += [*case.answers, case.prediction]
    known = {
        language for language, texts in by_language.items() if explain_unusable(model, language, texts[:SAMPLE_TEXTS]) is None
    }
    why = {id(case): _why_not(case, model, known) for case in cases}
    there = [case for case in cases if why[id(case)] is None]
    golds = model.read([gold for case in there for gold in case.answers if gold.strip()], layer, keep=True)
    own = model.read([case.prediction for case in there if case.prediction.strip()], layer)
    return [_leave_unscored(no) if (no := why[id(case)]) else _score_best(case, own, golds) for case in cases]


def made_with(settings: Mapping[str, Any], embedders: Embedders) -> str:
    """The model's name, the hash of its files, and the layer; nothing without a model."""
    folder = read_text(settings, "model")
    if not folder:
        return ""
    model = token_model(folder)
    return f"{Path(folder).name} {model.identity[:15]} layer {_layer(model, settings)}"


def compare_texts(prediction: Tokens, gold: Tokens) -> Sides:
    """Of two texts that are not empty."""
    near = prediction.vectors @ gold.vectors.T
    precision = float(near.max(axis=1)[prediction.counts].mean()) if prediction.counts.any() else 0.0
    recall = float(near.max(axis=0)[gold.counts].mean()) if gold.counts.any() else 0.0
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0, precision, recall


def _layer(model: TokenModel, settings: Mapping[str, Any]) -> int:
    layer = read_whole_number(settings, "layer", 0) or max(1, 3 * model.layers // 4)
    if layer > model.layers:
        raise BenchError(f"bertscore.layer is {layer}, and {model.name} has {model.layers} layers: give at most that.")
    return layer


def _why_not(case: ScoringCase, model: TokenModel, known: set[str]) -> Unscored | None:
    if case.language not in known:
        return Unscored(f"not available for {case.language} with this model")
    if not case.answers:
        return Unscored("no gold answer")
    longest = max(model.count(one) for one in (case.prediction, *case.answers))
    is_read = longest <= model.max_tokens
    return None if is_read else Unscored(f"a text of {longest} tokens, and the model reads {model.max_tokens}")


def _score_best(case: ScoringCase, own: Mapping[str, Tokens], golds: Mapping[str, Tokens]) -> Values:
    empty: Sides = (0.0, 0.0, 0.0)
    found = [
        compare_texts(own[case.prediction], golds[gold]) if case.prediction.strip() and gold.strip() else empty
        for gold in case.answers
    ]
    return {part: min(max(value, -1.0), 1.0) for part, value in zip(("", "precision", "recall"), max(found), strict=True)}


def _leave_unscored(why: Unscored) -> Values:
    return {"": why, "precision": why, "recall": why}


METRIC = Metric(
    version="1",
    low=-1.0,
    high=1.0,
    settings={"model": "", "layer": 0},
    batch=batch,
    made_with=made_with,
    reference="bert-score: idf off, no baseline, by a plain implementation of its definition, within 1e-5",
)
