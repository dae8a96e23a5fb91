"""Vectors for the tokens of a text from a transformers model in a local folder, without network. Vectors of texts that recur,
such as the gold answers that all systems share, are cached."""

import os
from collections import OrderedDict
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

from core.cancellation import raise_if_cancelled
from core.devices import AUTO, place_model
from core.errors import BenchError, first_line
from core.ids import content_hash
from core.load_once import load_once
from core.model_uses import note_model_use
from core.retrieval.model_folders import card_languages, digests, has_tokenizer
from core.retrieval.sentence_model import ACCELERATOR_BATCH, CPU_BATCH, batches

MAX_KEPT_BYTES = 512 * 2**20
"""Maximum size in bytes of all cached token vectors; the least recently used ones are removed first."""


class Tokens(NamedTuple):
    """Vectors of the tokens of one text."""

    vectors: Any
    """Vectors as a float32 array of shape (tokens, dimensions), each of length 1; the model adds the first and last tokens."""
    counts: Any
    """Bool array of shape (tokens,): True for the tokens of the text itself, False for tokens that the model adds."""


class TokenModel:
    """Model from a local folder that returns a vector for each token of a text."""

    is_lexical = False

    def __init__(self, name: str, folder: Path, device: str = AUTO, dtype: str = AUTO) -> None:
        """Load the model. Raises BenchError if the device is missing, or if the folder contains no model."""
        if not (folder / "config.json").is_file():
            raise BenchError(
                f"No transformers model in {name!r}: choose a folder that contains one (config.json, weights, tokenizer)."
            )
        if not has_tokenizer(folder):
            raise BenchError(f"The model in {name} has no tokenizer: copy its file (tokenizer.json, vocab.txt, ...) there.")
        self._placement = place_model(device, dtype)
        os.environ.setdefault("HF_HUB_OFFLINE", "1")
        import torch
        from transformers import AutoModel, AutoTokenizer
        from transformers.utils import logging

        logging.disable_progress_bar()
        try:
            self._tokenizer: Any = AutoTokenizer.from_pretrained(str(folder), local_files_only=True)
            self._model: Any = AutoModel.from_pretrained(str(folder), local_files_only=True)
        except Exception as error:  # libraries raise any kind of error for damaged files
            raise BenchError(f"The model in {name} cannot be loaded ({first_line(error)}).") from error
        self._model.eval().to(device=self._placement.device, dtype=getattr(torch, self._placement.dtype))
        self.name, self._folder, self.languages = name, folder, card_languages(folder)
        self.layers = int(self._model.config.num_hidden_layers)
        positions = int(getattr(self._model.config, "max_position_embeddings", 512) or 512)
        positions -= 2 if "roberta" in str(self._model.config.model_type) else 0  # RoBERTa's positions start at 2
        self.max_tokens = min(int(self._tokenizer.model_max_length), positions)
        self._cache: OrderedDict[tuple[int, str], Tokens] = OrderedDict()
        self._bytes = 0

    @cached_property
    def identity(self) -> str:
        """Return a hash of the folder's content (wherever the folder is) and of the number format if that is not float32."""
        files, dtype = digests(self._folder), self._placement.dtype
        return content_hash(files if dtype == "float32" else {"files": files, "precision": dtype})

    def count(self, text: str) -> int:
        """Return the number of tokens of the text, including the special tokens that the model adds; max_tokens limits this
        number."""
        return len(self._tokenizer(text, verbose=False)["input_ids"])

    def unknown_share(self, texts: Sequence[str]) -> float:
        unknown = self._tokenizer.unk_token_id
        ids_of_texts = [self._tokenizer(text, add_special_tokens=False, verbose=False)["input_ids"] for text in texts]
        total = sum(map(len, ids_of_texts))
        return 0.0 if unknown is None or not total else sum(ids.count(unknown) for ids in ids_of_texts) / total

    def read(self, texts: Sequence[str], layer: int, keep: bool = False) -> dict[str, Tokens]:
        """Return a dict from each text to the vectors of its tokens after `layer` layers of the model. With `keep`, the vectors
        are cached. No text may exceed max_tokens."""
        note_model_use("metric", self.name, **self._placement._asdict())
        different = dict.fromkeys(texts)
        cached = {text: self._cache[layer, text] for text in different if (layer, text) in self._cache}
        for text in cached:
            self._cache.move_to_end((layer, text))
        encoded = self._encode_texts([text for text in different if text not in cached], layer)
        for text, tokens in encoded.items() if keep else ():
            self._cache[layer, text] = tokens
            self._bytes += tokens.vectors.nbytes
        while self._bytes > MAX_KEPT_BYTES:
            self._bytes -= self._cache.popitem(last=False)[1].vectors.nbytes
        return cached | encoded

    def _encode_texts(self, texts: Sequence[str], layer: int) -> dict[str, Tokens]:
        import numpy as np
        import torch

        encoded = [self._tokenizer(text, return_special_tokens_mask=True, verbose=False) for text in texts]
        lengths = [len(encoding["input_ids"]) for encoding in encoded]
        padding, device = self._tokenizer.pad_token_id or 0, self._placement.device
        by_text: dict[str, Tokens] = {}
        with torch.inference_mode():
            for batch in batches(lengths, CPU_BATCH if device == "cpu" else ACCELERATOR_BATCH):
                raise_if_cancelled()
                width = max(lengths[place] for place in batch)
                ids = torch.full((len(batch), width), padding)
                mask = torch.zeros((len(batch), width), dtype=torch.long)
                for row, place in enumerate(batch):
                    ids[row, : lengths[place]] = torch.tensor(encoded[place]["input_ids"])
                    mask[row, : lengths[place]] = 1
                inputs = {"input_ids": ids.to(device), "attention_mask": mask.to(device)}
                read = self._model(**inputs, output_hidden_states=True).hidden_states[layer]
                read = torch.nn.functional.normalize(read.float(), dim=-1).cpu().numpy()
                for row, place in enumerate(batch):
                    own = np.asarray(encoded[place]["special_tokens_mask"]) == 0
                    by_text[texts[place]] = Tokens(read[row, : lengths[place]].copy(), own)
        return by_text


@load_once()
def token_model(folder: str, device: str = AUTO, dtype: str = AUTO) -> TokenModel:
    """Return the token model in a folder, which is loaded once per process."""
    return TokenModel(folder, Path(folder).expanduser(), device, dtype)
