"""query_loss on a tiny Llama: the mean of -log p over the question's tokens, by hand; without a model it is not run."""

from pathlib import Path

import numpy as np
import pytest

from core.retrieval.embeddings import embedder
from eval.metric import ScoringCase, Unscored
from eval.metrics.query_loss import NO_MODEL, batch, describe_settings
from tests.eval.tiny_llama import tiny_llama

ASKED = "When was the mill built?"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_llama(tmp_path_factory.mktemp("llama"))


def by_hand(folder: Path, text: str) -> tuple[float, int]:
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    ids = [0, *AutoTokenizer.from_pretrained(folder)(text, add_special_tokens=False)["input_ids"]]
    with torch.inference_mode():
        logits = AutoModelForCausalLM.from_pretrained(folder)(torch.tensor([ids])).logits[0].double().numpy()
    logs = (
        logits
        - np.log(np.exp(logits - logits.max(axis=1, keepdims=True)).sum(axis=1, keepdims=True))
        - logits.max(axis=1, keepdims=True)
    )
    return float(-np.mean([logs[at, token] for at, token in enumerate(ids[1:])])), len(ids) - 1


def test_the_loss_is_the_mean_over_all_tokens_behind_the_opening_one(folder: Path) -> None:
    cases = [
        ScoringCase("a", "x", (), question=ASKED),
        ScoringCase("b", "y", (), question=ASKED),
        ScoringCase("c", "", (), question="  "),
    ]
    first, same, none = batch(cases, {"model": str(folder)}, embedder)
    loss, tokens = by_hand(folder, ASKED)
    assert first == same == {"": pytest.approx(loss, rel=1e-5), "tokens": tokens}
    assert none == {"": Unscored("the question is not known"), "tokens": Unscored("the question is not known")}


def test_the_model_is_a_part_of_the_version_and_without_one_nothing_is_run(folder: Path, tmp_path: Path) -> None:
    other = tiny_llama(tmp_path / "other", seed=9)
    made = {describe_settings({"model": str(one)}, embedder) for one in (folder, other)}
    assert len(made) == 2 and describe_settings({"model": ""}, embedder) == ""
    assert batch([ScoringCase("a", "x", (), question=ASKED)], {"model": ""}, embedder)[0][""] == Unscored(NO_MODEL)
