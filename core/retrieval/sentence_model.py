"""A sentence-transformers model from a folder, on the CPU and without network. Texts are sorted by length into batches of a
token budget, so that there is little padding."""

import hashlib
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, Literal

from core.cancellation import raise_if_cancelled
from core.errors import BenchError, first_line
from core.ids import content_hash

MAX_BATCH_TOKENS = 2_048
"""Tokens of one batch, padding included."""
FULL_BATCH_TOKENS = 512
"""Tokens that use the processor fully: such a batch ends before a longer text, which would need padding."""
ENCODING_VERSION = 1
"""Increases when this file computes other vectors with the same model: cached ones are then replaced."""
_MAX_LANGUAGES = 20
"""A model card with more languages counts as multilingual."""


class SentenceModel:
    """See core.retrieval.embeddings.Embedder. `languages` of a folder are read from its model card."""

    is_lexical = False

    def __init__(
        self,
        name: str,
        folder: Path,
        languages: tuple[str, ...] | None = None,
        precision: Literal["float32", "bfloat16"] = "float32",
        is_known: bool = False,
    ) -> None:
        """Load a model.

        bfloat16 is about three times faster on processors that have it, at a mean cosine of .9999 to float32; on others it is
        slow and refused. With `is_known` the folder's files are trusted, and torch and the weights are loaded with the first
        text to encode: a run with cached vectors saves six seconds. Other folders are loaded at once, as transformers may make
        another tokenizer than tokenizer.json describes."""
        from tokenizers import Tokenizer

        self.name, self._folder, self._precision = name, folder, precision
        self.languages = card_languages(folder) if languages is None else languages
        if is_known:
            self._tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
            self._unknown = self._tokenizer.token_to_id(json.loads(self._tokenizer.to_str())["model"]["unk_token"])
            config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
            stated = json.loads((folder / "sentence_bert_config.json").read_text(encoding="utf-8"))["max_seq_length"]
        else:
            try:
                self._tokenizer = Tokenizer.from_str(self._model.tokenizer.backend_tokenizer.to_str())
            except AttributeError as error:
                raise BenchError(f"The embedding model in {folder} cannot be loaded ({first_line(error)}).") from error
            self._unknown = self._model.tokenizer.unk_token_id
            config, stated = self._model[0].auto_model.config.to_dict(), self._model.max_seq_length
        self._tokenizer.no_padding()
        self._tokenizer.no_truncation()
        self.max_tokens = self._find_input_length(config, stated)

    @cached_property
    def identity(self) -> str | None:
        """Hash of the folder's content, wherever it is, and of the precision. Reads the weights again, at about a second per
        gigabyte."""
        return content_hash({"files": digests(self._folder), "precision": self._precision, "encoding": ENCODING_VERSION})

    def encode(self, texts: Sequence[str]) -> Any:
        import numpy as np
        import torch

        vectors = np.zeros((len(texts), int(self._model.get_embedding_dimension())), np.float32)
        padding = self._model.tokenizer.pad_token_id or 0
        encodings = self._tokenizer.encode_batch(list(texts))
        added = self._tokenizer.num_special_tokens_to_add(is_pair=False)
        for place, encoding in enumerate(encodings, 1):
            tokens = len(encoding) - added
            if tokens > self.max_tokens:
                raise BenchError(
                    f"Text {place} of {len(texts)} has {tokens} tokens, and {self.name} reads {self.max_tokens}: set "
                    f"chunk_tokens to at most {self.max_tokens}."
                )
        lengths = [len(encoding) for encoding in encodings]
        with torch.inference_mode():
            for batch in batches(lengths):
                raise_if_cancelled()
                width = lengths[batch[-1]]
                ids = np.full((len(batch), width), padding, np.int64)
                mask = np.zeros((len(batch), width), np.int64)
                for row, place in enumerate(batch):
                    ids[row, : lengths[place]] = encodings[place].ids
                    mask[row, : lengths[place]] = 1
                inputs = {"input_ids": torch.from_numpy(ids), "attention_mask": torch.from_numpy(mask)}
                vectors[batch] = self._model(inputs)["sentence_embedding"].float().numpy()
        norms = np.linalg.norm(vectors, axis=1, keepdims=True)
        return vectors / np.where(norms > 0, norms, 1)

    def count_tokens(self, text: str) -> int:
        return len(self._tokenizer.encode(text, add_special_tokens=False))

    def offsets(self, text: str) -> list[tuple[int, int]]:
        return list(self._tokenizer.encode(text, add_special_tokens=False).offsets)

    def unknown_share(self, texts: Sequence[str]) -> float:
        if self._unknown is None:
            return 0.0
        encodings = self._tokenizer.encode_batch(list(texts), add_special_tokens=False)
        tokens = sum(map(len, encodings))
        return sum(encoding.ids.count(self._unknown) for encoding in encodings) / tokens if tokens else 0.0

    @cached_property
    def _model(self) -> Any:
        """The SentenceTransformer."""
        os.environ.setdefault("HF_HUB_OFFLINE", "1")  # without it libraries may ask the hub
        import torch
        from sentence_transformers import SentenceTransformer
        from transformers.utils import logging

        if self._precision == "bfloat16" and not torch.ops.mkldnn._is_mkldnn_bf16_supported():
            raise BenchError("This processor has no bfloat16: use the embedding model in float32.")
        logging.disable_progress_bar()
        try:
            model: Any = SentenceTransformer(str(self._folder), device="cpu", local_files_only=True)
        except (OSError, ValueError, KeyError, AttributeError, RuntimeError) as error:
            raise BenchError(f"The embedding model in {self._folder} cannot be loaded ({first_line(error)}).") from error
        model.eval()
        return model.to(torch.bfloat16) if self._precision == "bfloat16" else model

    def _find_input_length(self, config: Mapping[str, Any], stated: int | None) -> int:
        """The stated input length in tokens of text. Tokens that the model adds come on top if its positions suffice (MiniLM:
        256 + 2 of 512 positions), else they are subtracted."""
        positions = config.get("max_position_embeddings") or 512
        if "roberta" in str(config.get("model_type")):
            positions -= 2  # RoBERTa's positions begin at 2
        added = self._tokenizer.num_special_tokens_to_add(is_pair=False)
        return int(min(stated or positions, positions - added))


def batches(lengths: Sequence[int]) -> Iterator[list[int]]:
    """Indexes of the texts, shortest first, in batches of at most MAX_BATCH_TOKENS (at least one text)."""
    batch: list[int] = []
    for place in sorted(range(len(lengths)), key=lengths.__getitem__):
        if batch:
            longer = lengths[place] > lengths[batch[-1]] and len(batch) * lengths[batch[-1]] >= FULL_BATCH_TOKENS
            if longer or (len(batch) + 1) * lengths[place] > MAX_BATCH_TOKENS:
                yield batch
                batch = []
        batch.append(place)
    if batch:
        yield batch


def digests(folder: Path) -> list[list[str]]:
    """[name, digest] of each file that may change a vector: all except hidden files and Markdown."""
    pairs = []
    for file in sorted(folder.rglob("*")):
        name = file.relative_to(folder)
        if file.is_file() and file.suffix != ".md" and not any(part.startswith(".") for part in name.parts):
            stat = file.stat()
            pairs.append([name.as_posix(), _digest(file, stat.st_size, stat.st_mtime_ns)])
    return pairs


@lru_cache(maxsize=256)
def _digest(file: Path, _size: int, _changed: int) -> str:
    """Digest of a file, which is read again only after a change: weights are gigabytes."""
    with file.open("rb") as handle:
        return hashlib.file_digest(handle, "blake2b").hexdigest()


def card_languages(folder: Path) -> tuple[str, ...]:
    """Languages in the front matter of the model card; empty without any, or for "multilingual"."""
    import yaml

    card = folder / "README.md"
    text = card.read_text(encoding="utf-8", errors="replace") if card.is_file() else ""
    if not text.startswith("---"):
        return ()
    try:
        front = yaml.safe_load(text.split("---", 2)[1])
    except yaml.YAMLError:
        return ()
    value = front.get("language") if isinstance(front, dict) else None
    languages = [value] if isinstance(value, str) else list(map(str, value or []))
    return () if "multilingual" in languages or len(languages) > _MAX_LANGUAGES else tuple(languages)
