"""A causal language model that runs in this process. Requests that wait at the same time run as one batch: one `generate` call
with left padding and a limit on the tokens of the batch. Each row of a batch has its own stop sequences, sampling and scores,
so a reply does not depend on the other rows."""

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
"""Maximum tokens in one batch on a CPU and on an accelerator, including padding and replies."""
PREFIX_TAIL_TOKENS = 8
"""Number of prompt tokens before a reply that are decoded with it, to see whether the reply begins with a space."""
GATHER_SECONDS, MAX_GATHER_SECONDS = 0.01, 0.05
"""Seconds without a new request after which a batch starts, and the most seconds that it waits in all. The replies of one batch
trigger new requests within moments of each other, so a short wait lets them share the next batch."""


class GenerationTask(NamedTuple):
    """A sequence of prompt tokens that the model continues, with the sampling parameters for it."""

    ids: Sequence[int]
    max_tokens: int
    temperature: float
    """Sampling temperature; 0 = greedy decoding."""
    top_p: float
    seed: int
    stop: Sequence[str]
    logprobs: bool
    begun: str = ""
    """Given beginning of the reply, which the prompt tokens already include at their end."""


class Generated(NamedTuple):
    """Text that the model generated for one request."""

    text: str
    """Generated text before the first stop sequence."""
    ids: list[int]
    logprobs: tuple[tuple[str, float], ...] | None
    """Generated tokens, each as (token, natural log of its probability before temperature), or None if not requested."""
    entropies: list[float] | None
    """Entropy of the raw logits at each generated token; set only together with `logprobs`."""
    is_ended: bool
    """Whether generation ended with an end token or a stop sequence, not at the token limit."""
    began: float
    seconds: float
    """Duration of the whole batch in seconds."""
    rows: int
    """Number of requests in the batch."""


class LoadedModel(NamedTuple):
    model: Any
    tokenizer: Any


class _Request:
    """A request that waits for a batch: builds its task with the tokenizer and holds the future of its result."""

    def __init__(self, prepare: Callable[[Any], GenerationTask]) -> None:
        self.prepare = prepare
        self.result: Future[Generated] = Future()
        self.task: GenerationTask | None = None


class LocalModel:
    """A model from a local folder on one device, loaded at first use. One worker thread runs all work on the model."""

    def __init__(self, folder: Path, placement: Placement, context: int | None) -> None:
        self.folder, self.placement, self._context = folder, placement, context
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="local model")
        self._came = threading.Condition()
        self._new: deque[_Request] = deque()
        self._ready: deque[_Request] = deque()
        """Requests that are tokenized and wait for a batch; only the worker thread uses this queue."""
        on_cpu = placement.device == "cpu"
        self.batch_tokens = CPU_BATCH_TOKENS if on_cpu else ACCELERATOR_BATCH_TOKENS
        self.batches: deque[int] = deque(maxlen=1_000)
        """Number of requests in each of the last 1,000 batches."""

    async def generate(self, prepare: Callable[[Any], GenerationTask]) -> Generated:
        """Generate text for one request. `prepare` builds the request's task with the tokenizer; this method raises any
        exception that `prepare` raises."""
        request = _Request(prepare)
        with self._came:
            self._new.append(request)
            self._came.notify()
        self._thread.submit(self._work_batch)
        return await asyncio.wrap_future(request.result)

    async def use(self, work: Callable[[Any, Any], T]) -> T:
        """Call `work` with the model and the tokenizer between two batches, and return the result."""
        return await asyncio.wrap_future(self._thread.submit(self._use, work))

    def use_now(self, work: Callable[[Any, Any], T]) -> T:
        """Call `work` with the model and the tokenizer between two batches, and wait for the result: the blocking version of
        `use`."""
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
        except Exception as error:  # transformers may raise any exception on damaged files
            raise self._refuse(first_line(error)[:200]) from error

    def _refuse(self, why: str) -> BenchError:
        return BenchError(f"The model at {self.folder} cannot be loaded ({why}).")

    def _work_batch(self) -> None:
        """Run one batch: the request that has waited longest, and the other waiting requests that fit in the same batch."""
        import torch

        if not self._new and not self._ready:
            return  # an earlier batch included this request
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
            if len(batch) > 1:  # retry in smaller batches, and keep to that size
                self.batch_tokens = max(1, _count_tokens(tasks) // 2)
                self._ready.extendleft(reversed(batch))
                self._thread.submit(self._work_batch)
                return
            batch[0].result.set_exception(BenchError(f"The model at {self.folder} ran out of memory ({first_line(error)})."))
        except Exception as error:  # noqa: BLE001 - raised in the caller that waits for the reply
            for request in batch:
                request.result.set_exception(error)

    def _take_batch(self) -> list[_Request]:
        """Return the requests for the next batch, without cancelled ones; [] if an earlier batch has taken all of them."""
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
        """Build the tasks of the new requests, after a short wait for more requests."""
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
        """Return whether the tasks fit in one batch. Each row including its padding must also fit in the context, because some
        models count padding as positions. A recurrent model runs one row at a time, because it would process the padding as
        input."""
        if len(tasks) == 1:
            return True
        if getattr(self._loaded.model, "_is_stateful", False):
            return False
        width = _find_width(tasks)
        return width * len(tasks) <= self.batch_tokens and (self._context is None or width <= self._context)


_models: "WeakValueDictionary[tuple[Path, Placement], LocalModel]" = WeakValueDictionary()
_models_lock = threading.Lock()


def local_model(folder: Path, device: str, dtype: str, context: int | None) -> LocalModel:
    """Return the model for a folder, device and number format; all callers with the same three values share one model. Raises
    BenchError if the device is not available."""
    key = (folder.resolve(), place_model(device, dtype))
    with _models_lock:
        model = _models.get(key)
        if model is None:
            model = _models[key] = LocalModel(folder, key[1], context)
        return model


def _find_width(tasks: Sequence[GenerationTask]) -> int:
    """Return the number of tokens per row of a batch: the length of the longest prompt plus the highest reply limit."""
    return max(len(task.ids) for task in tasks) + max(task.max_tokens for task in tasks)


def _count_tokens(tasks: Sequence[GenerationTask]) -> int:
    return _find_width(tasks) * len(tasks)


def _run(model: Any, tokenizer: Any, tasks: Sequence[GenerationTask]) -> list[Generated]:
    """Run one `generate` call for all tasks of a batch and return a result for each task."""
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
    """Stopping criteria that end each row of a batch at its own token limit or stop sequence. (The option `stop_strings` of
    transformers does not work with word-level tokenizers.)"""

    def __init__(self, tokenizer: Any, tasks: Sequence[GenerationTask], width: int) -> None:
        self._tokenizer, self._tasks, self._width = tokenizer, tasks, width
        self.lengths: dict[int, int] = {}
        """Dict from the index of a finished row to the number of its generated tokens."""

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
    """Logits processor that adds Gumbel noise to each row with a temperature above 0, so that the token with the largest logit
    is a sample from the row's distribution (Maddison et al. 2014, "A* sampling", section 2). The noise depends only on the
    row's seed."""

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
    """Return the logits for top_p sampling: -inf outside the smallest set of tokens whose probabilities sum to at least
    top_p."""
    import torch

    if top_p >= 1:
        return logits
    ordered, places = logits.sort(descending=True)
    shares = ordered.softmax(-1)
    is_outside = shares.cumsum(-1) - shares >= top_p
    return logits.scatter(-1, places, torch.where(is_outside, float("-inf"), ordered))


def _decode_reply(tokenizer: Any, task: GenerationTask, ids: Sequence[int]) -> str:
    """Return the text of the generated tokens. If the reply continues a given text, keeps the reply's leading space, which
    decoding the reply alone would drop."""
    if task.begun:
        tail = list(task.ids[-PREFIX_TAIL_TOKENS:])
        before = tokenizer.decode(tail, skip_special_tokens=True)
        both = tokenizer.decode([*tail, *ids], skip_special_tokens=True)
        if both.startswith(before):
            return str(both[len(before) :])
    return str(tokenizer.decode(list(ids), skip_special_tokens=True))


def _cut_at_stop(text: str, stops: Sequence[str]) -> tuple[str, bool]:
    """Return the text before its first stop sequence, and whether the text contains a stop sequence."""
    places = [text.index(stop) for stop in stops if stop in text]
    return (text[: min(places)], True) if places else (text, False)


def find_pad_token(tokenizer: Any) -> int:
    """Return the id of the tokenizer's padding token, or of the token used in its place."""
    token = tokenizer.pad_token_id if tokenizer.pad_token_id is not None else tokenizer.eos_token_id
    return int(token or 0)


def list_end_tokens(model: Any) -> list[int]:
    """Return the ids of the tokens that end the model's reply."""
    ends = model.generation_config.eos_token_id
    return [int(end) for end in (ends if isinstance(ends, list) else [ends]) if end is not None]
