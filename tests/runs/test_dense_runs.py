"""A dense run keeps its vectors in the workspace: another run over the same texts encodes nothing."""

from typing import Any

import pytest

from core.retrieval.sentence_model import SentenceModel
from tests.conftest import Bench


def test_a_second_dense_run_encodes_nothing(bw: Bench, world: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    encoded: list[str] = []
    real = SentenceModel.encode

    def noted(self: SentenceModel, texts: list[str], *given: Any) -> object:
        encoded.extend(texts)
        return real(self, texts, *given)

    monkeypatch.setattr(SentenceModel, "encode", noted)

    def dense(*settings: str) -> dict[str, object]:
        words = [word for setting in settings for word in ("--set", setting)]
        result = bw("run", "v1", "--system", "echo", "--retriever", "dense", *words).json
        assert result["answered"] == len(world) == 2
        return result

    first = dense("top_k=1")
    assert len(encoded) == len(set(encoded)) == 4, "the chunk of each document, and each question"
    encoded.clear()
    again = dense("top_k=1")
    assert again["run"] == first["run"] and again["reused"] == 2
    assert dense("top_k=2")["run"] != first["run"]
    assert dense("top_k=1", "chunk_overlap=8")["run"] != first["run"]
    assert encoded == []
    dense("top_k=1", "chunk_tokens=40")
    assert len(encoded) > 2 and "The mill of Orvel burnt in 1902." not in encoded, "only chunks that are new"
