"""A causal language model in this process. Requests that wait together run as one batch: left padding, one `generate` call, a
budget of tokens. Each row ends, samples and is scored by its own request, so that an answer does not depend on those beside
it."""

import asyncio
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple, TypeVar
from weakref import WeakValueDictionary

from agents.huggingface.inside import entropies
from core.devices import Placement, place_model
from core.errors import BenchError, first_line
from core.retrieval.model_folders import has_tokenizer

T = TypeVar("T")
CPU_BATCH_TOKENS, ACCELERATOR_BATCH_TOKENS = 8_192, 65_536
"""Tokens of a batch, padding and replies included."""
PREFIX_TAIL_TOKENS = 8
"""Tokens before a reply that decide how its first one is written: with a space or without."""
GATHER_SECONDS, MAX_GATHER_SECONDS = 0.01, 0.05
"""A batch begins when no request has come for so long, and at the latest after the second: the answers of one batch are
followed by questions that come a moment after each other."""


class GenerationTask(NamedTuple):
    """A text to go on with, as tokens, and how."""

    ids: Sequence[int]
    max_tokens: int
    temperature: float
    """0 = the likeliest token."""
    top_p: float
    seed: int
    stop: Sequence[str]
    logprobs: bool
    begun: str = ""
    """What the reply says already, at the end of the tokens."""


class Generated(NamedTuple):
    """The text that the model wrote."""

    text: str
    """Up to the first stop."""
    ids: list[int]
    logprobs: tuple[tuple[str, float], ...] | None
    """(token, natural log of its probability before any temperature)."""
    entropies: list[float] | None
    """Of the raw logits, with logprobs."""
    is_ended: bool
    """Whether the model itself ended, or one of its stops."""
    began: float
    seconds: float
    """Of the whole batch."""
    rows: int
    """Requests of the batch."""


class LoadedModel(NamedTuple):
    model: Any
    tokenizer: Any


class _Request:
    """A task to come, from the tokenizer, and where its result is awaited."""

    def __init__(self, prepare: Callable[[Any], GenerationTask]) -> None:
        self.prepare = prepare
        self.result: Future[Generated] = Future()
        self.task: GenerationTask | None = None


class LocalModel:
    """One folder on one device, loaded at its first use; all work on it is done by one thread."""

    def __init__(self, folder: Path, placement: Placement, context: int | None) -> None:
        self.folder, self.placement, self._context = folder, placement, context
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="local model")
        self._came = threading.Condition()
        self._new: deque[_Request] = deque()
        self._ready: deque[_Request] = deque()
        """Requests with their tokens; touched by the thread alone."""
        on_cpu = placement.device == "cpu"
        self.batch_tokens = CPU_BATCH_TOKENS if on_cpu else ACCELERATOR_BATCH_TOKENS
        self.batches: deque[int] = deque(maxlen=1_000)
        """Requests of the last batches."""

    async def generate(self, prepare: Callable[[Any], GenerationTask]) -> Generated:
        """Returns the text that the model writes; `prepare` makes the task with the tokenizer, and may raise."""
        request = _Request(prepare)
        with self._came:
            self._new.append(request)
            self._came.notify()
        self._thread.submit(self._work_batch)
        return await asyncio.wrap_future(request.result)

    async def use(self, work: Callable[[Any, Any], T]) -> T:
        """The result of work on (model, tokenizer), between two batches."""
        return await asyncio.wrap_future(self._thread.submit(self._use, work))

    def use_now(self, work: Callable[[Any, Any], T]) -> T:
        """Same as `use`, from a thread that waits."""
        return self._thread.submit(self._use, work).result()

    def _use(self, work: Callable[[Any, Any], T]) -> T:
        import torch

        with torch.inference_mode():
            return work(*self._loaded)

    @cached_property
    def _loaded(self) -> LoadedModel:
        if not has_tokenizer(self.folder):
            raise self._refuse("it has no tokenizer: copy tokenizer.json, tokenizer.model or the like into it")
        import torch
        from transformers import AutoModelForCausalLM, AutoTokenizer
        from transformers.utils import logging

        logging.disable_progress_bar()
        number_format = getattr(torch, self.placement.dtype)
        try:
            tokenizer = AutoTokenizer.from_pretrained(self.folder, local_files_only=True)
            model = AutoModelForCausalLM.from_pretrained(self.folder, local_files_only=True, dtype=number_format)
            return LoadedModel(model.eval().to(self.placement.device), tokenizer)
        except Exception as error:  # libraries raise anything on damaged files
            raise self._refuse(first_line(error)[:200]) from error

    def _refuse(self, why: str) -> BenchError:
        return BenchError(f"The model at {self.folder} cannot be loaded ({why}).")

    def _work_batch(self) -> None:
        """Answer the request that has waited longest, with those that fit beside it."""
        import torch

        if not self._new and not self._ready:
            return  # others took it along
        batch = self._take_batch()
        if not batch:
            return
        tasks = [request.task for request in batch if request.task is not None]
        try:
            results = self._use(lambda model, tokenizer: _run(model, tokenizer, tasks))
            self.batches.append(len(batch))
            for request, generated in zip(batch, results, strict=True):
                request.result.set_result(generated)
        except torch.OutOfMemoryError as error:
            torch.accelerator.empty_cache()
            if len(batch) > 1:  # from now on in smaller batches
                self.batch_tokens = max(1, _count_tokens(tasks) // 2)
                self._ready.extendleft(reversed(batch))
                self._thread.submit(self._work_batch)
                return
            batch[0].result.set_exception(BenchError(f"The model at {self.folder} ran out of memory ({first_line(error)})."))
        except Exception as error:  # noqa: BLE001 - raised in the caller that waits for the reply
            for request in batch:
                request.result.set_exception(error)

    def _take_batch(self) -> list[_Request]:
        """The requests of the next batch, none of which is cancelled any more; [] where others took them."""
        self._prepare_new()
        batch: list[_Request] = []
        left: deque[_Request] = deque()
        for request in self._ready:
            if request.task is not None and self._fits_in_batch([*(r.task for r in batch if r.task is not None), request.task]):
                if request.result.running() or request.result.set_running_or_notify_cancel():
                    batch.append(request)
            else:
                left.append(request)
        self._ready = left
        return batch

    def _prepare_new(self) -> None:
        """Make the tasks of what came, and of what comes in the next moment."""
        until = time.monotonic() + MAX_GATHER_SECONDS
        with self._came:
            while self._came.wait(min(GATHER_SECONDS, max(0.0, until - time.monotonic()))) and time.monotonic() < until:
                pass
            new, self._new = self._new, deque()
        for request in new:
            try:
                _, tokenizer = self._loaded
                request.task = request.prepare(tokenizer)
                self._ready.append(request)
            except Exception as error:  # noqa: BLE001 - raised in the caller that waits for the reply
                if not request.result.cancelled():
                    request.result.set_exception(error)

    def _fits_in_batch(self, tasks: Sequence[GenerationTask]) -> bool:
        """Whether they may run as one batch. A padded row must not reach past the context either: some models count its
        places. Recurrent models would read the padding."""
        if len(tasks) == 1:
            return True
        if getattr(self._loaded.model, "_is_stateful", False):
            return False
        width = _find_width(tasks)
        return width * len(tasks) <= self.batch_tokens and (self._context is None or width <= self._context)


_models: "WeakValueDictionary[tuple[Path, Placement], LocalModel]" = WeakValueDictionary()
_models_lock = threading.Lock()


def local_model(folder: Path, device: str, dtype: str, context: int | None) -> LocalModel:
    """The model of that folder, device and number format, shared by all who use it now. Raises BenchError for a device that is
    not there."""
    key = (folder.resolve(), place_model(device, dtype))
    with _models_lock:
        model = _models.get(key)
        if model is None:
            model = _models[key] = LocalModel(folder, key[1], context)
        return model


def _find_width(tasks: Sequence[GenerationTask]) -> int:
    """Tokens of a row, the longest text and the longest reply together."""
    return max(len(task.ids) for task in tasks) + max(task.max_tokens for task in tasks)


def _count_tokens(tasks: Sequence[GenerationTask]) -> int:
    return _find_width(tasks) * len(tasks)


def _run(model: Any, tokenizer: Any, tasks: Sequence[GenerationTask]) -> list[Generated]:
    """One generate call for all tasks."""
    import torch
    from transformers import LogitsProcessorList, StoppingCriteriaList

    began = time.monotonic()
    width = max(len(task.ids) for task in tasks)
    pad = find_pad_token(tokenizer)
    ids = torch.full((len(tasks), width), pad)
    mask = torch.zeros((len(tasks), width), dtype=torch.long)
    for row, task in enumerate(tasks):
        ids[row, width - len(task.ids) :] = torch.tensor(list(task.ids))
        mask[row, width - len(task.ids) :] = 1
    ends = _RowEnds(tokenizer, tasks, width)
    made = model.generate(
        input_ids=ids.to(model.device),
        attention_mask=mask.to(model.device),
        max_new_tokens=max(task.max_tokens for task in tasks),
        do_sample=False,
        return_dict_in_generate=True,
        output_logits=any(task.logprobs for task in tasks),
        pad_token_id=pad,
        logits_processor=LogitsProcessorList([_RowSampler(tasks)] if any(task.temperature > 0 for task in tasks) else []),
        stopping_criteria=StoppingCriteriaList([ends]),
    )
    seconds, endings = time.monotonic() - began, set(list_end_tokens(model))
    results = []
    for row, task in enumerate(tasks):
        own = made.sequences[row, width:].tolist()[: ends.lengths.get(row)]
        end = next((place for place, token in enumerate(own) if token in endings), None)
        own = own if end is None else own[: end + 1]
        logprobs = uncertainty = None
        if task.logprobs:
            steps = [step[row : row + 1] for step in made.logits[: len(own)]]
            logs = [torch.log_softmax(step[0].float(), -1)[token].item() for token, step in zip(own, steps, strict=True)]
            logprobs = tuple((tokenizer.decode([token]), log) for token, log in zip(own, logs, strict=True))
            uncertainty = entropies(steps)
        text, is_stopped = _cut_at_stop(_decode_reply(tokenizer, task, own), task.stop)
        is_ended = is_stopped or end is not None
        results.append(Generated(text, own, logprobs, uncertainty, is_ended, began, seconds, len(tasks)))
    return results


class _RowEnds:
    """Stopping criteria: ends each row at its own limit, or at one of its stops. (The library's own stop_strings fails on
    tokenizers of whole words.)"""

    def __init__(self, tokenizer: Any, tasks: Sequence[GenerationTask], width: int) -> None:
        self._tokenizer, self._tasks, self._width = tokenizer, tasks, width
        self.lengths: dict[int, int] = {}
        """Tokens of each row that has ended."""

    def __call__(self, ids: Any, scores: Any, **_: Any) -> Any:
        import torch

        count = ids.shape[1] - self._width
        for row, task in enumerate(self._tasks):
            if row not in self.lengths and (count >= task.max_tokens or self._is_stopped(ids[row], task)):
                self.lengths[row] = count
        return torch.tensor([row in self.lengths for row in range(len(self._tasks))], device=ids.device)

    def _is_stopped(self, row: Any, task: GenerationTask) -> bool:
        if not task.stop:
            return False
        text = self._tokenizer.decode(row[self._width :], skip_special_tokens=True)
        return any(stop in text for stop in task.stop)


class _RowSampler:
    """Logits processor: adds Gumbel noise to the rows that sample, so that their largest logit is a draw from their
    distribution (Maddison et al. 2014, "A* sampling", section 2). The noise depends on a row's seed alone."""

    def __init__(self, tasks: Sequence[GenerationTask]) -> None:
        import torch

        self._rows = {
            row: (task, torch.Generator().manual_seed(task.seed)) for row, task in enumerate(tasks) if task.temperature > 0
        }

    def __call__(self, ids: Any, scores: Any) -> Any:
        import torch

        scores = scores.clone()
        for row, (task, generator) in self._rows.items():
            logits = _keep_likeliest(scores[row].float() / task.temperature, task.top_p)
            noise = torch.empty(logits.shape).exponential_(generator=generator).log().to(logits.device)
            scores[row] = (logits - noise).to(scores.dtype)
        return scores


def _keep_likeliest(logits: Any, top_p: float) -> Any:
    """The logits, those outside the smallest set of tokens with that share of the probability at -inf."""
    import torch

    if top_p >= 1:
        return logits
    ordered, places = logits.sort(descending=True)
    shares = ordered.softmax(-1)
    is_outside = shares.cumsum(-1) - shares >= top_p
    return logits.scatter(-1, places, torch.where(is_outside, float("-inf"), ordered))


def _decode_reply(tokenizer: Any, task: GenerationTask, ids: Sequence[int]) -> str:
    """The reply's text; one that goes on keeps the space it begins with, which decoding it alone would lose."""
    if task.begun:
        tail = list(task.ids[-PREFIX_TAIL_TOKENS:])
        before = tokenizer.decode(tail, skip_special_tokens=True)
        both = tokenizer.decode([*tail, *ids], skip_special_tokens=True)
        if both.startswith(before):
            return str(both[len(before) :])
    return str(tokenizer.decode(list(ids), skip_special_tokens=True))


def _cut_at_stop(text: str, stops: Sequence[str]) -> tuple[str, bool]:
    """The text before the first stop, and whether there was one."""
    places = [text.index(stop) for stop in stops if stop in text]
    return (text[: min(places)], True) if places else (text, False)


def find_pad_token(tokenizer: Any) -> int:
    """The token that fills rows."""
    token = tokenizer.pad_token_id if tokenizer.pad_token_id is not None else tokenizer.eos_token_id
    return int(token or 0)


def list_end_tokens(model: Any) -> list[int]:
    """The tokens with which the model ends a reply."""
    ends = model.generation_config.eos_token_id
    return [int(end) for end in (ends if isinstance(ends, list) else [ends]) if end is not None]
