"""query_loss: mean of -log p(token | previous tokens) over the tokens of the question, in nats (0 or more), by a causal
language model; it measures how much the question's wording surprises the model and does not depend on the answer. The
exponential of the value is the question's perplexity. The question is scored alone, without a chat template. query_loss.tokens
is the number of scored tokens; the first token is scored if the model has a token that starts a text.

Settings: `model` is the folder of a causal language model (transformers); without this setting, the metric is not run. Values
of different models are not comparable: the model is a part of the score's version."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from agents.huggingface.huggingface import HuggingFaceAgent
from core.ids import content_hash
from core.load_once import load_once
from core.retrieval.model_folders import digests
from eval.metric import Metric, ScoringCase, Unscored, Values
from eval.retriever import Embedders
from eval.settings import Settings, read_text

NO_MODEL = "not run: no model, set query_loss.model to the folder of one"


def batch(cases: Sequence[ScoringCase], settings: Settings, embedders: Embedders) -> list[Values]:
    """Return the loss of each case's question; each distinct question is computed once."""
    folder = read_text(settings, "model")
    if not folder:
        return [dict.fromkeys(("", "tokens"), Unscored(NO_MODEL)) for _ in cases]
    questions = list(dict.fromkeys(case.question for case in cases if case.question.strip()))
    losses = dict(zip(questions, _load_model(folder).losses(questions), strict=True))
    return [_list_values(losses.get(case.question)) for case in cases]


def describe_settings(settings: Settings, embedders: Embedders) -> str:
    """Return the model's name and the hash of its files, as a text for the version of a score; "" if no model is set."""
    folder = read_text(settings, "model")
    return f"{Path(folder).name} {content_hash(digests(_load_model(folder).folder))[:15]}" if folder else ""


@load_once()
def _load_model(folder: str) -> HuggingFaceAgent:
    return HuggingFaceAgent(folder)


def _list_values(loss: Any) -> Values:
    if loss is None:
        return dict.fromkeys(("", "tokens"), Unscored("the question is not known"))
    return {"": loss.mean if loss.mean is not None else Unscored("no token could be scored"), "tokens": loss.tokens}


METRIC = Metric(
    high=None,
    higher_is_better=None,
    counts=("tokens",),
    settings={"model": ""},
    batch=batch,
    describe_settings=describe_settings,
    reference="the loss that the causal language model itself returns for the question",
)
