"""Shortens prompts by LLMLingua-2 (Pan et al. 2024, section 4): a token classifier estimates for each token the probability
that it is worth keeping, and the words with the lowest probabilities are dropped. Any folder whose config.json describes a
model for token classification can be used.

The compressor keeps the words that the package llmlingua 0.2.2 keeps, except for six differences. (1) The compressor keeps the
spelling of the text; the package rebuilds words from tokens, which loses the letters' case with some tokenizers. (2) The
compressor values words that the tokenizer does not know; the package always drops such words. (3) The compressor keeps at least
one word. (4) The compressor counts a word's tokens with the model's own tokenizer, not with OpenAI's. (5) The compressor ends
chunks also after marks other than ".". (6) Each Chinese character is a word with every tokenizer. The package also downloads
OpenAI's tokenizer and supports only two models, by their names."""

import os
import string
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from core.cancellation import raise_if_cancelled
from core.devices import AUTO, place_model
from core.errors import BenchError, first_line
from core.load_once import load_once
from core.model_uses import note_model_use
from core.retrieval.model_folders import has_tokenizer
from core.text.scripts import HAN_CHARACTER

ROLE = "compressor"
BATCH_CHUNKS = 8
CHUNK_ENDS = ".!?。！？\n"
"""Characters after which the text may be cut into chunks for the model."""
KEEPING_LABELS = ("keep", "preserve", "retain")
"""Names that the label for tokens to keep may have. If a model has no label with such a name, the second of its two labels is
used."""
MAX_STATED_TOKENS = 10**6
"""Largest input length that a tokenizer can state as a limit; tokenizers without a limit state a larger number."""


class _Word(NamedTuple):
    start: int
    end: int
    first: int
    """Index of the first token of the word."""
    tokens: int


class PromptCompressor:
    """A model that shortens a text by removing the words that carry the least information."""

    def __init__(self, folder: Path, device: str = AUTO, dtype: str = AUTO, trust_remote_code: bool = False) -> None:
        """Load the model. Raises BenchError if the device is missing, or if the folder has no token classifier with two labels
        and a fast tokenizer. With `trust_remote_code`, Python files of the folder are executed."""
        if not (folder / "config.json").is_file():
            where = f"There is no model in {folder}" if folder.name else "No compressor is named"
            raise BenchError(f"{where}: set compressor to the folder of a token classifier.")
        if not has_tokenizer(folder):
            raise self._refuse(folder, "it has no tokenizer: copy tokenizer.json, vocab.txt or the like into it")
        self._name, self._placement = str(folder), place_model(device, dtype)
        os.environ.setdefault("HF_HUB_OFFLINE", "1")
        import torch
        from transformers import AutoConfig, AutoModelForTokenClassification, AutoTokenizer
        from transformers.utils import logging

        logging.disable_progress_bar()
        options = {"local_files_only": True, "trust_remote_code": trust_remote_code}
        try:
            config: Any = AutoConfig.from_pretrained(str(folder), **options)
            kinds = [str(kind) for kind in config.architectures or ()]
            if not any(kind.endswith("ForTokenClassification") for kind in kinds):
                kind = ", ".join(kinds) or "of no stated kind"
                raise self._refuse(folder, f"its config.json says {kind}, and a compressor is a model for token classification")
            self._tokenizer: Any = AutoTokenizer.from_pretrained(str(folder), **options)
            self._model: Any = AutoModelForTokenClassification.from_pretrained(str(folder), **options)
        except BenchError:
            raise
        except Exception as error:  # libraries raise any kind of error for damaged files
            is_code = "custom code" in str(error) and not trust_remote_code
            why = "it takes Python files of the folder, which run with trust_remote_code=true alone"
            raise self._refuse(folder, why if is_code else first_line(error)) from error
        if not self._tokenizer.is_fast:
            raise self._refuse(folder, "it has no fast tokenizer, tokenizer.json")
        self._marks_continuations = any(piece.startswith("##") for piece in self._tokenizer.get_vocab())
        self._keeping = self._find_keeping_label(folder, config)
        self._model.eval().to(device=self._placement.device, dtype=getattr(torch, self._placement.dtype))
        positions = int(getattr(config, "max_position_embeddings", 0) or 512)
        positions -= 2 if "roberta" in str(config.model_type) else 0  # RoBERTa's positions start at 2
        stated = int(self._tokenizer.model_max_length)
        self._max_tokens = min(positions, stated if stated < MAX_STATED_TOKENS else positions)
        self._before, self._after = self._list_added_tokens()
        self._max_tokens -= len(self._before) + len(self._after)

    def compress(self, text: str, rate: float) -> str:
        """Shorten the text to about the share `rate` of its tokens (0 < rate <= 1). A word is kept if its estimated value is
        above a percentile of the values in its chunk."""
        note_model_use(ROLE, self._name, **self._placement._asdict())
        if rate >= 1 or not text.strip():
            return text
        encoding = self._tokenizer(text, add_special_tokens=False, return_offsets_mapping=True, verbose=False)
        ids, offsets = encoding["input_ids"], encoding["offset_mapping"]
        pieces = self._tokenizer.convert_ids_to_tokens(ids)
        goes_on = [piece.startswith("##") or not self._marks_continuations for piece in pieces]
        chunks = list(_cut_chunks(text, offsets, self._max_tokens))
        kept: list[_Word] = []
        for first in range(0, len(chunks), BATCH_CHUNKS):
            raise_if_cancelled()
            batch = chunks[first : first + BATCH_CHUNKS]
            values = self._value_tokens([ids[start:end] for start, end in batch])
            for (start, end), own in zip(batch, values, strict=True):
                words = _find_words(text, offsets, goes_on, range(start, end))
                kept += _select_words(list(words), own, start, rate)
        return _join_words(text, kept)

    def _value_tokens(self, chunks: Sequence[Sequence[int]]) -> list[list[float]]:
        """Return, for each token of each chunk, the probability that it is worth keeping."""
        import torch

        rows = [[*self._before, *chunk, *self._after] for chunk in chunks]
        width, device, added = max(map(len, rows)), self._placement.device, len(self._before)
        ids = torch.full((len(rows), width), int(self._tokenizer.pad_token_id or 0))
        mask = torch.zeros((len(rows), width), dtype=torch.long)
        for number, row in enumerate(rows):
            ids[number, : len(row)] = torch.tensor(row)
            mask[number, : len(row)] = 1
        with torch.inference_mode():
            logits = self._model(input_ids=ids.to(device), attention_mask=mask.to(device)).logits.float()
        values = logits.softmax(-1)[:, :, self._keeping].cpu().tolist()
        return [row[added : added + len(chunk)] for row, chunk in zip(values, chunks, strict=True)]

    def _list_added_tokens(self) -> tuple[list[int], list[int]]:
        """Return the tokens that the model adds before a text, and those that it adds after it."""
        encoding = self._tokenizer("a", return_special_tokens_mask=True)
        ids, is_added = encoding["input_ids"], encoding["special_tokens_mask"]
        own = [place for place, added in enumerate(is_added) if not added]
        return (ids[: own[0]], ids[own[-1] + 1 :]) if own else ([], [])

    def _find_keeping_label(self, folder: Path, config: Any) -> int:
        labels = {int(number): str(name) for number, name in config.id2label.items()}
        if len(labels) != 2:
            raise self._refuse(folder, f"it has {len(labels)} labels, and a compressor has two: drop and keep")
        named = [number for number, name in labels.items() if any(word in name.lower() for word in KEEPING_LABELS)]
        return named[0] if len(named) == 1 else max(labels)

    @staticmethod
    def _refuse(folder: Path, why: str) -> BenchError:
        return BenchError(f"The compressor in {folder} cannot be loaded ({why}).")


@load_once()
def prompt_compressor(folder: str, device: str = AUTO, dtype: str = AUTO, trust_remote_code: bool = False) -> PromptCompressor:
    """Return the prompt compressor in a folder, which is loaded once per process."""
    return PromptCompressor(Path(folder).expanduser(), device, dtype, trust_remote_code)


def _cut_chunks(text: str, offsets: Sequence[tuple[int, int]], most: int) -> Iterator[tuple[int, int]]:
    """Yield (index of the first token, index after the last token) of each chunk of at most `most` tokens; a chunk ends at the
    last sentence end within the limit, if there is one."""
    start = 0
    while start < len(offsets):
        end = min(start + most, len(offsets))
        if end < len(offsets):
            ends = (place + 1 for place in range(end - 1, start, -1) if text[slice(*offsets[place])][-1:] in CHUNK_ENDS)
            end = next(ends, end)
        yield start, end
        start = end


def _find_words(
    text: str, offsets: Sequence[tuple[int, int]], goes_on: Sequence[bool], places: Iterable[int]
) -> Iterator[_Word]:
    """Yield the words that the tokens at `places` form. A token starts a word if it follows a space, is a punctuation mark or a
    Chinese character, or is not marked as a continuation; WordPiece tokenizers mark continuations."""
    word: _Word | None = None
    for place in places:
        first, last = offsets[place]
        while first < last and text[first].isspace():  # some tokenizers include the preceding space
            first += 1
        if first == last:
            continue
        begins = text[first:last] in string.punctuation or HAN_CHARACTER.match(text, first)
        if word is not None and word.end == first and goes_on[place] and not begins:
            word = word._replace(end=last, tokens=place + 1 - word.first)
            continue
        if word is not None:
            yield word
        word = _Word(first, last, place, 1)
    if word is not None:
        yield word


def _select_words(words: Sequence[_Word], values: Sequence[float], offset: int, rate: float) -> list[_Word]:
    """Return the words whose mean value over their tokens is above the percentile of their chunk, but at least one word. For
    the percentile, each word counts once for each of its tokens. If the percentile is 1, the words with the value 1 are
    returned."""
    import numpy as np

    if not words:
        return []
    means = [float(np.mean(values[word.first - offset : word.first - offset + word.tokens])) for word in words]
    repeated = np.repeat(means, [word.tokens for word in words])
    limit = np.percentile(repeated, min(100, int(100 * (1 - rate) + 1)))
    kept = [word for word, mean in zip(words, means, strict=True) if mean > limit or mean == limit == 1]
    return kept or [words[int(np.argmax(means))]]


def _join_words(text: str, words: Sequence[_Word]) -> str:
    """Join the words in their order, with a space before each word that follows white space in the text."""
    parts: list[str] = []
    for word in words:
        has_space = bool(parts) and word.start > 0 and text[word.start - 1].isspace()
        parts.append(f"{' ' if has_space else ''}{text[word.start : word.end]}")
    return "".join(parts)
