"""A sentence-transformers model from a local folder, used as its authors intend (prompts, similarity, modules) and without
network. Texts are sorted by length and grouped into batches with a limited number of tokens, so that little padding is
needed."""

import json
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple, get_args

from core.cancellation import raise_if_cancelled
from core.devices import AUTO, Placement, place_model
from core.errors import BenchError, first_line
from core.ids import content_hash
from core.model_uses import note_model_use
from core.retrieval.embedding_options import EmbeddingOptions, Side, Similarity, advise_shortening
from core.retrieval.model_folders import card_languages, digests, has_tokenizer
from core.retrieval.packed_layers import pack_linear_layers


class BatchBudget(NamedTuple):
    """Limits on the number of tokens in a batch of texts."""

    most_tokens: int
    """Maximum number of tokens in a batch, including padding."""
    full_tokens: int
    """Number of tokens in a batch from which the device is fully used; the batch then ends before a longer text, which would
    need padding."""


CPU_BATCH = BatchBudget(2_048, 512)
ACCELERATOR_BATCH = BatchBudget(32_768, 32_768)
LIBRARY_BATCH_TEXTS = 256
"""Number of texts in a batch when sentence-transformers' own methods encode them."""
MAX_STATED_TOKENS = 10**9
"""Largest input length that a tokenizer can state as a limit; tokenizers without a limit state a larger number."""
SIDES = get_args(Side)
ROLE = "embedding"
ENCODING_VERSION = 1
"""Version of how this file computes vectors. Increase this version when vectors change, so that cached vectors of the same
model are replaced."""


class SentenceModel:
    """Embedder that is loaded from a local folder; its `languages` come from the model card in the folder."""

    is_lexical = False

    def __init__(
        self,
        name: str,
        folder: Path,
        languages: tuple[str, ...] | None = None,
        options: EmbeddingOptions = EmbeddingOptions(),
        is_known: bool = False,
    ) -> None:
        """Load a model. Raises BenchError if loading fails or the options do not suit this machine.

        bfloat16 is about three times faster on processors that support it, at a mean cosine of .9999 to float32. With
        `is_known`, the files of the folder are trusted, and torch and the weights are loaded with the first text, which saves
        six seconds in a run with cached vectors. Without `is_known`, the model is loaded immediately, because transformers may
        create a tokenizer other than the one that tokenizer.json describes."""
        from tokenizers import Tokenizer

        self.name, self._folder, self._options = name, folder, options
        if not has_tokenizer(folder):
            raise self._refuse("it has no tokenizer: copy tokenizer.json, vocab.txt or the like into it")
        self.languages = card_languages(folder) if languages is None else languages
        if is_known:
            self._tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
            self._unknown = self._tokenizer.token_to_id(json.loads(self._tokenizer.to_str())["model"]["unk_token"])
            config, stated = _read_json(folder / "config.json"), _read_stated(folder)
            longest = _read_json(folder / "sentence_bert_config.json")["max_seq_length"]
        else:
            self._tokenizer, self._unknown = self._copy_tokenizer()
            config, stated, longest = self._read_config(), _describe_stated(self._model), self._model.max_seq_length
        self._tokenizer.no_padding()
        self._tokenizer.no_truncation()
        self.similarity: Similarity = options.similarity or stated.similarity
        self._is_unit = stated.is_unit and options.truncate_dim is None
        self._prompts = choose_prompts(stated, options)
        self._limit = self._find_input_length(config, longest)
        self.max_tokens = self._subtract_prompts()
        note_model_use(ROLE, name, similarity=self.similarity)

    @cached_property
    def identity(self) -> str | None:
        """Return a hash of the folder's content (wherever the folder is) and of the options. The method reads the weights
        again, which takes about one second per gigabyte."""
        keys = {side: self.vector_key(side) for side in SIDES}
        if self.similarity == "cosine" and len(set(keys.values())) == 1:
            return keys["text"]
        return content_hash({"vectors": keys, "similarity": self.similarity})

    def vector_key(self, side: Side) -> str | None:
        raw = {} if self._is_unit else {"raw": True}
        size = {"truncate_dim": self._options.truncate_dim} if self._options.truncate_dim else {}
        prompt = {"prompt": self._prompts[side]} if self._prompts[side] else {}
        dtype = "float32" if self._options.dtype == AUTO else self._options.dtype
        plain = {"files": digests(self._folder), "precision": dtype, "encoding": ENCODING_VERSION}
        return content_hash({**plain, **raw, **size, **prompt})

    def encode(self, texts: Sequence[str], side: Side = "text") -> Any:
        """Return the vectors of the texts, see Embedder.encode. The size of a batch includes the prompt of each text."""
        prompt = self._prompts[side]
        note_model_use(
            ROLE,
            self.name,
            **self._placement._asdict(),
            similarity=self.similarity,
            prompt_query=self._prompts["query"] or None,
            prompt_document=self._prompts["document"] or None,
            truncate_dim=self._options.truncate_dim,
        )
        encodings = self._tokenizer.encode_batch([f"{prompt}{text}" for text in texts])
        self._check_lengths([len(encoding) for encoding in encodings], side)
        is_plain = _is_plain(self._model)
        vectors = self._encode_batches(encodings, prompt) if is_plain else self._encode_by_library(texts, side)
        return vectors[:, : self._options.truncate_dim] if self._options.truncate_dim else vectors

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
    def _placement(self) -> Placement:
        return place_model(self._options.device, self._options.dtype)

    @cached_property
    def _model(self) -> Any:
        """The SentenceTransformer of the folder, loaded at first use."""
        placement = self._placement
        os.environ.setdefault("HF_HUB_OFFLINE", "1")  # without this variable, libraries may send requests to the hub
        import torch
        from sentence_transformers import SentenceTransformer
        from transformers.utils import logging

        logging.disable_progress_bar()
        try:
            model: Any = SentenceTransformer(str(self._folder), device="cpu", local_files_only=True)
            model.eval()
            model.to(device=placement.device, dtype=getattr(torch, placement.dtype))
            if placement == Placement("cpu", "float32") and _is_plain(model):
                pack_linear_layers(model, lambda: model(make_sample_inputs())["sentence_embedding"])
            return model
        except Exception as error:  # libraries raise any kind of error for damaged files
            raise self._refuse(first_line(error)) from error

    def _copy_tokenizer(self) -> tuple[Any, int | None]:
        """Return a copy of the model's tokenizer, and the id of its token for unknown text."""
        from tokenizers import Tokenizer

        own = getattr(self._model, "tokenizer", None)
        fast = own if isinstance(own, Tokenizer) else getattr(own, "backend_tokenizer", None)
        if fast is None:
            raise self._refuse("it has no fast tokenizer, tokenizer.json")
        unknown = getattr(own, "unk_token_id", None)
        return Tokenizer.from_str(fast.to_str()), unknown

    def _read_config(self) -> Mapping[str, Any]:
        """Return the configuration of the transformers model, or a configuration without a length limit if the model has static
        vectors."""
        inner = getattr(self._model, "transformers_model", None)
        return (
            inner.config.to_dict() if inner is not None else {"max_position_embeddings": sys.maxsize}
        )  # a model with static vectors

    def _refuse(self, why: str) -> BenchError:
        return BenchError(f"The embedding model in {self._folder} cannot be loaded ({why}).")

    def _find_input_length(self, config: Mapping[str, Any], stated: float | None) -> int | None:
        """Return the maximum number of tokens of a text with its prompt; None = no limit. Special tokens that the model adds do
        not count if the model has enough positions for them (MiniLM: 256 + 2 of 512 positions); otherwise they are
        subtracted."""
        positions = config.get("max_position_embeddings") or 512
        if "roberta" in str(config.get("model_type")):
            positions -= 2  # RoBERTa's positions start at 2
        added = self._tokenizer.num_special_tokens_to_add(is_pair=False)
        longest = min(stated or positions, positions - added)
        return None if longest > MAX_STATED_TOKENS else int(longest)

    def _subtract_prompts(self) -> int | None:
        """Return how many tokens a text may have so that the text and the longest prompt together fit into the model's input;
        None = no limit. Raises BenchError if no token is left."""
        longest = max(self.count_tokens(prompt) for prompt in self._prompts.values())
        if self._limit is not None and longest >= self._limit:
            raise self._refuse(
                f"its longest prompt has {longest} tokens and the model reads {self._limit}, which leaves no room for a text"
            )
        return None if self._limit is None else self._limit - longest

    def _check_lengths(self, lengths: Sequence[int], side: Side) -> None:
        """Check the lengths of the texts with their prompts. Raises BenchError if one of the texts is too long, because the
        model would cut it."""
        added = self._tokenizer.num_special_tokens_to_add(is_pair=False)
        for place, length in enumerate(lengths, 1):
            if self._limit is not None and length - added > self._limit:
                prompted = " with its prompt" if self._prompts[side] else ""
                raise BenchError(
                    f"Text {place} of {len(lengths)} has {length - added} tokens{prompted}, and {self.name} reads at "
                    f"most {self._limit}: {advise_shortening(side, self.max_tokens)}."
                )

    def _encode_batches(self, encodings: Sequence[Any], prompt: str) -> Any:
        import numpy as np
        import torch

        vectors = np.zeros((len(encodings), int(self._model.get_embedding_dimension())), np.float32)
        padding, device = self._model.tokenizer.pad_token_id or 0, self._placement.device
        lengths = [len(encoding) for encoding in encodings]
        more = {"prompt_length": self._count_prompt(prompt)} if prompt and _leaves_out_prompt(self._model) else {}
        with torch.inference_mode():
            for batch in batches(lengths, CPU_BATCH if device == "cpu" else ACCELERATOR_BATCH):
                raise_if_cancelled()
                width = lengths[batch[-1]]
                ids = np.full((len(batch), width), padding, np.int64)
                mask = np.zeros((len(batch), width), np.int64)
                for row, place in enumerate(batch):
                    ids[row, : lengths[place]] = encodings[place].ids
                    mask[row, : lengths[place]] = 1
                inputs = {"input_ids": torch.from_numpy(ids).to(device), "attention_mask": torch.from_numpy(mask).to(device)}
                vectors[batch] = self._model(inputs | more)["sentence_embedding"].float().cpu().numpy()
        return vectors

    def _count_prompt(self, prompt: str) -> int:
        """Return the number of tokens up to the end of the prompt, which the model leaves out when it pools the tokens of a
        text."""
        encoding = self._tokenizer.encode(prompt)
        return len(encoding) - (encoding.special_tokens_mask[-1] if len(encoding) else 0)

    def _encode_by_library(self, texts: Sequence[str], side: Side) -> Any:
        """Return the vectors of the texts as sentence-transformers' own methods compute them, for models whose first module is
        not a single transformer on tokens: static embeddings, or a router with a module for each side."""
        import numpy as np
        from sentence_transformers.base.modules import Router

        plain = self._model.encode_document if isinstance(self._model[0], Router) else self._model.encode
        encode = {"query": self._model.encode_query, "document": self._model.encode_document, "text": plain}[side]
        groups = [texts[first : first + LIBRARY_BATCH_TEXTS] for first in range(0, len(texts), LIBRARY_BATCH_TEXTS)]
        size = int(self._model.get_embedding_dimension() or 0)
        rows = [np.zeros((0, size), np.float32)]
        for group in groups:
            raise_if_cancelled()
            rows.append(encode(list(group), prompt=self._prompts[side], show_progress_bar=False).astype(np.float32))
        return np.concatenate(rows)


class StatedUse(NamedTuple):
    """The use of a model that its authors intend: prompts, similarity and scaling."""

    prompts: Mapping[str, str]
    default_prompt: str | None
    similarity: Similarity
    is_unit: bool
    """Whether the last module of the model scales vectors to length 1."""


def choose_prompts(stated: StatedUse, options: EmbeddingOptions) -> dict[Side, str]:
    """Return a dict from the role of a text (query, document, text) to the prompt that is put before texts with this role. The
    prompt for documents is the first nonempty prompt of document, passage and corpus, as encode_document documents it;
    sentence-transformers 6.2 skips passage, because it adds an empty document prompt."""
    named = [stated.prompts.get(name) for name in ("document", "passage", "corpus")]
    query = stated.prompts.get("query") or "" if options.prompt_query is None else options.prompt_query
    document = next(filter(None, named), "") if options.prompt_document is None else options.prompt_document
    by_default = stated.default_prompt is not None and options.prompt_document is None
    plain = stated.prompts[stated.default_prompt or ""] if by_default else document
    return {"query": query, "document": document, "text": plain}


def _read_stated(folder: Path) -> StatedUse:
    """Read the model's intended use (prompts, similarity, scaling) from the files in its folder, without loading torch."""
    config, modules = _read_json(folder / "config_sentence_transformers.json"), _read_json(folder / "modules.json")
    similarity: Similarity = config.get("similarity_fn_name") or "cosine"
    is_unit = modules[-1]["type"].endswith("Normalize")
    return StatedUse(config.get("prompts", {}), config.get("default_prompt_name"), similarity, is_unit)


def _describe_stated(model: Any) -> StatedUse:
    """Read the model's intended use (prompts, similarity, scaling) from a loaded SentenceTransformer."""
    from sentence_transformers.base.modules import Normalize

    return StatedUse(model.prompts, model.default_prompt_name, model.similarity_fn_name, isinstance(model[-1], Normalize))


def _is_plain(model: Any) -> bool:
    """Return whether the model reads only token ids and their mask, in the same way for queries and documents."""
    from sentence_transformers.base.modules import Transformer

    first = model[0]
    own_lengths = (getattr(first, name, None) for name in ("query_length", "document_length", "query_expansion"))
    return type(first) is Transformer and "message" not in first.modality_config and not any(own_lengths)


def _leaves_out_prompt(model: Any) -> bool:
    """Return whether a module of the model ignores the prompt's tokens when it pools the tokens of a text."""
    return any(getattr(module, "include_prompt", True) is False for module in model)


def _read_json(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


def make_sample_inputs() -> dict[str, Any]:
    """Return the inputs of a model for two short texts: token ids and their mask, with padding in the second text."""
    import torch

    ids = torch.tensor([[1, 2, 3, 4], [3, 2, 0, 0]])
    return {"input_ids": ids, "attention_mask": torch.tensor([[1, 1, 1, 1], [1, 1, 0, 0]])}


def batches(lengths: Sequence[int], budget: BatchBudget = CPU_BATCH) -> Iterator[list[int]]:
    """Yield the indexes of the texts, shortest first, in batches within the limits on tokens; each batch has at least one
    text."""
    batch: list[int] = []
    for place in sorted(range(len(lengths)), key=lengths.__getitem__):
        if batch:
            longer = lengths[place] > lengths[batch[-1]] and len(batch) * lengths[batch[-1]] >= budget.full_tokens
            if longer or (len(batch) + 1) * lengths[place] > budget.most_tokens:
                yield batch
                batch = []
        batch.append(place)
    if batch:
        yield batch
