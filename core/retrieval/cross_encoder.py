"""A cross-encoder from a local folder: a model that reads a query and a passage together and scores how well the two match. The
cross-encoder uses no network."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from core.devices import AUTO, place_model
from core.errors import BenchError, first_line
from core.load_once import load_once
from core.model_uses import note_model_use
from core.retrieval.model_folders import has_tokenizer

BATCH_SIZE = 32
ROLE = "reranker"


class RerankerOptions(NamedTuple):
    """Which reranker a retriever uses, with the reranker's settings."""

    name: str
    """Folder of a local reranker, or address of an endpoint."""
    device: str = AUTO
    dtype: str = AUTO
    model: str = ""
    """Name of the reranking model at an endpoint."""
    key_env: str = ""
    """Name of the environment variable with the endpoint's key."""
    price: float = 0.0
    """Price of an endpoint in US dollars per thousand requests; 0 = unknown."""


class Reranker(Protocol):
    """The interface of rerankers, which score passages by their relevance to a query: a model in this process, or an
    endpoint."""

    def scores(self, query: str, texts: Sequence[str]) -> list[float]:
        """Return a relevance score for each text; higher is better, and scores are comparable only within one query."""


class CrossEncoder:
    """Reranker from a local folder whose model reads a query and a passage together."""

    def __init__(self, folder: Path, device: str = AUTO, dtype: str = AUTO) -> None:
        """Load the model. Raises BenchError if the device is missing, or if the folder has no model that returns one number for
        a pair of texts."""
        if not (folder / "config.json").is_file():
            raise BenchError(f"No cross-encoder in {folder}: set reranker to a folder that contains one.")
        if not has_tokenizer(folder):
            raise BenchError(
                f"The cross-encoder in {folder} has no tokenizer: copy its file (tokenizer.json, vocab.txt, ...) there."
            )
        self._name, self._placement = str(folder), place_model(device, dtype)
        os.environ.setdefault("HF_HUB_OFFLINE", "1")
        import torch
        from sentence_transformers import CrossEncoder as Model
        from transformers.utils import logging

        logging.disable_progress_bar()
        try:
            self._model: Any = Model(str(folder), device=self._placement.device, local_files_only=True)
        except Exception as error:  # libraries raise any kind of error for damaged files
            raise BenchError(f"The cross-encoder in {folder} cannot be loaded ({first_line(error)}).") from error
        labels = int(self._model.config.num_labels)
        if labels != 1:
            raise BenchError(
                f"The model in {folder} returns {labels} numbers: choose a cross-encoder for reranking, which returns only one."
            )
        self._model.model.eval().to(getattr(torch, self._placement.dtype))

    def scores(self, query: str, texts: Sequence[str]) -> list[float]:
        """Return a relevance score for each text, see Reranker.scores. If a query and a text together exceed the maximum length
        of the model, they are truncated at the end."""
        note_model_use(ROLE, self._name, **self._placement._asdict())
        if not texts:
            return []
        pairs = [(query, text) for text in texts]
        return list(map(float, self._model.predict(pairs, batch_size=BATCH_SIZE, show_progress_bar=False)))


@load_once(2)
def cross_encoder(folder: str, device: str = AUTO, dtype: str = AUTO) -> CrossEncoder:
    """Return the cross-encoder in a folder, which is loaded once per process."""
    return CrossEncoder(Path(folder).expanduser(), device, dtype)


def load_cross_encoder(options: RerankerOptions) -> Reranker:
    """Return the cross-encoder in the folder that the options name. Raises BenchError if the options name an address, because
    an endpoint needs a workspace."""
    if options.name.startswith(("http:", "https:")):
        raise BenchError(f"The reranker {options.name} is an endpoint, which can be used only in a workspace.")
    return cross_encoder(options.name, options.device, options.dtype)
