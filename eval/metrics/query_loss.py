"""query_loss: how much the question's own words surprise a model, the mean of -log p(token | tokens before) over its tokens, in
nats; it is the same whatever was answered. query_loss.tokens is how many tokens were scored: the first one counts where the
model has a token that opens a text. The question stands alone, without a chat template; exp of the value is its perplexity.

Settings: model, the folder of a causal language model (transformers), without which it is not run. Values of two models are
not comparable: the model is a part of the score's version."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from agents.huggingface.huggingface import HuggingFaceAgent
from core.ids import content_hash
from core.load_once import load_once
from core.retrieval.sentence_model import digests
from eval.metric import Metric, ScoringCase, Unscored, Values
from eval.retriever import Embedders
from eval.running.settings import read_text

NO_MODEL = "not run: no model, set query_loss.model to the folder of one"


def batch(cases: Sequence[ScoringCase], settings: Mapping[str, Any], embedders: Embedders) -> list[Values]:
    """Each question is read once, however often it was asked."""
    folder = read_text(settings, "model")
    if not folder:
        return [_leave_unscored(NO_MODEL) for _ in cases]
    asked = list(dict.fromkeys(case.question for case in cases if case.question.strip()))
    losses = dict(zip(asked, _model(folder).losses(asked), strict=True))
    return [_values(losses.get(case.question)) for case in cases]


def made_with(settings: Mapping[str, Any], embedders: Embedders) -> str:
    """The model's name and the hash of its files; nothing without a model."""
    folder = read_text(settings, "model")
    return f"{Path(folder).name} {content_hash(digests(_model(folder).folder))[:15]}" if folder else ""


@load_once()
def _model(folder: str) -> HuggingFaceAgent:
    return HuggingFaceAgent(folder)


def _values(found: Any) -> Values:
    if found is None:
        return _leave_unscored("the question is not told")
    return {"": found.mean if found.mean is not None else Unscored("no token could be scored"), "tokens": found.tokens}


def _leave_unscored(why: str) -> Values:
    return {"": Unscored(why), "tokens": Unscored(why)}


METRIC = Metric(
    version="1",
    low=0.0,
    high=None,
    higher_is_better=None,
    counts=("tokens",),
    settings={"model": ""},
    batch=batch,
    made_with=made_with,
    reference="the causal language model's own loss on the question alone",
)
