"""A cross-encoder from a folder, on the CPU and without network: it reads query and passage together and scores the pair."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from core.errors import BenchError, first_line
from core.load_once import load_once

BATCH_SIZE = 32


class CrossEncoder:
    """A model that scores pairs of texts."""

    def __init__(self, folder: Path) -> None:
        """Raises BenchError when the folder holds no model that returns one number for a pair of texts."""
        if not (folder / "config.json").is_file():
            raise BenchError(f"No cross-encoder in {folder}: give the setting reranker a folder with one.")
        os.environ.setdefault("HF_HUB_OFFLINE", "1")
        from sentence_transformers import CrossEncoder as Model
        from transformers.utils import logging

        logging.disable_progress_bar()
        try:
            self._model: Any = Model(str(folder), device="cpu", local_files_only=True)
        except (OSError, ValueError, KeyError, AttributeError, RuntimeError) as error:
            raise BenchError(f"The cross-encoder in {folder} cannot be loaded ({first_line(error)}).") from error
        labels = int(self._model.config.num_labels)
        if labels != 1:
            raise BenchError(f"The model in {folder} tells {labels} classes: a cross-encoder that ranks tells one number.")
        self._model.model.eval()

    def scores(self, query: str, texts: Sequence[str]) -> list[float]:
        """A score for each text, higher is better, comparable within one query. A pair that is too long is cut at its end."""
        if not texts:
            return []
        pairs = [(query, text) for text in texts]
        return list(map(float, self._model.predict(pairs, batch_size=BATCH_SIZE, show_progress_bar=False)))


@load_once(2)
def cross_encoder(folder: str) -> CrossEncoder:
    """The model in that folder, loaded once per process."""
    return CrossEncoder(Path(folder).expanduser())
