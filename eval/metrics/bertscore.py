"""bertscore: BERTScore F1 (Zhang et al. 2020), from -1 to 1, without idf weights and without baseline rescaling.
bertscore.precision compares each token of the answer with its nearest token of the gold answer, by the cosine of their vectors
in one layer, and is the mean of these cosines; bertscore.recall is the same from the gold answer to the answer. If there are
several gold answers, the gold answer with the highest F1 counts.

Settings: `model` is the folder of a transformers model; without this setting, the metric is not run. The settings `device` and
`dtype` set the device and the number format of the computation. `layer` is the number of layers that a text goes through; 0 =
three quarters of all layers. As in the package bert-score, the special tokens that the model adds at the beginning and end of a
text may be the nearest token of another token, but are not counted in the mean. An empty text gives 0; a text that is longer
than the model's input gives no value."""

from collections.abc import Sequence
from pathlib import Path

from core.devices import AUTO
from core.errors import BenchError
from core.retrieval.token_vectors import TokenModel, Tokens, token_model
from eval.metric import Metric, ScoringCase, Unscored, Values
from eval.retriever import Embedders
from eval.scoring.model_texts import explain_unread_cases
from eval.settings import Settings, read_text, read_whole_number

NO_MODEL = "not run: no model, set bertscore.model to the folder of one"
PARTS = ("", "precision", "recall")
Sides = tuple[float, float, float]
"""F1, precision and recall of an answer against one gold answer."""


def batch(cases: Sequence[ScoringCase], settings: Settings, embedders: Embedders) -> list[Values]:
    """Return, for each case, F1, precision and recall against the gold answer with the highest F1."""
    folder = read_text(settings, "model")
    if not folder:
        return [dict.fromkeys(PARTS, Unscored(NO_MODEL)) for _ in cases]
    model = _load_model(folder, settings)
    layer = _choose_layer(model, settings)
    why = explain_unread_cases(cases, model, model.count, model.max_tokens)
    read = [case for case in cases if why[id(case)] is None]
    golds = model.read([gold for case in read for gold in case.answers if gold.strip()], layer, keep=True)
    own = model.read([case.prediction for case in read if case.prediction.strip()], layer)

    def score(case: ScoringCase) -> Values:
        if (unscored := why[id(case)]) is not None:
            return dict.fromkeys(PARTS, unscored)
        sides: list[Sides] = [
            compare_texts(own[case.prediction], golds[gold]) if case.prediction.strip() and gold.strip() else (0.0, 0.0, 0.0)
            for gold in case.answers
        ]
        return {part: min(max(value, -1.0), 1.0) for part, value in zip(PARTS, max(sides), strict=True)}

    return [score(case) for case in cases]


def describe_settings(settings: Settings, embedders: Embedders) -> str:
    """Return the model's name, the hash of its files, and the layer, as a text for the version of a score; "" if no model is
    set."""
    folder = read_text(settings, "model")
    if not folder:
        return ""
    model = _load_model(folder, settings)
    return f"{Path(folder).name} {model.identity[:15]} layer {_choose_layer(model, settings)}"


def _load_model(folder: str, settings: Settings) -> TokenModel:
    return token_model(folder, read_text(settings, "device", AUTO), read_text(settings, "dtype", AUTO))


def compare_texts(prediction: Tokens, gold: Tokens) -> Sides:
    """Return F1, precision and recall of two non-empty texts, given as the vectors of their tokens."""
    near = prediction.vectors @ gold.vectors.T
    precision = float(near.max(axis=1)[prediction.counts].mean()) if prediction.counts.any() else 0.0
    recall = float(near.max(axis=0)[gold.counts].mean()) if gold.counts.any() else 0.0
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0, precision, recall


def _choose_layer(model: TokenModel, settings: Settings) -> int:
    layer = read_whole_number(settings, "layer", 0) or max(1, 3 * model.layers // 4)
    if layer > model.layers:
        raise BenchError(f"bertscore.layer is {layer}, but {model.name} has only {model.layers} layers: give a lower number.")
    return layer


METRIC = Metric(
    low=-1.0,
    settings={"model": "", "layer": 0},
    batch=batch,
    describe_settings=describe_settings,
    reference="bert-score without idf and baseline: equal within 1e-5 to a plain implementation of its definition",
)
