"""A local model folder through transformers; nothing is downloaded. One text is generated at a time, in a thread."""

import asyncio
import json
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from agents.huggingface.inside import Loss, ModelView, attended, entropies, loss_of
from core.agent import Capability, Completion, Sampling
from core.errors import AgentError, BenchError
from core.nouns import Message, Prompt

T = TypeVar("T")
TAIL = 8
"""Tokens before a reply that decide how its first one is written: with a space or without."""


class _Loaded(NamedTuple):
    model: Any
    tokenizer: Any


class HuggingFaceAgent:
    """A causal language model with its tokenizer, loaded at the first question."""

    is_offline = False
    gives: frozenset[Capability] = frozenset({"logprobs", "attention"})

    def __init__(self, folder: str | Path, temperature: float | None = None) -> None:
        """`folder` holds config.json, weights and tokenizer, or is the name of a model that an earlier download left in the
        library's cache; `temperature` overrides every prompt's own."""
        self.name = f"huggingface:{folder}"
        self.folder = _found(folder)
        self.temperature = temperature
        self._one_at_a_time = threading.Lock()

    @cached_property
    def context(self) -> int | None:
        """As its config.json says."""
        config = json.loads((self.folder / "config.json").read_text(encoding="utf-8"))
        found = next((config[k] for k in ("max_position_embeddings", "n_positions", "n_ctx") if k in config), None)
        return int(found) if found else None

    def request(self, prompt: Prompt, inputs: Mapping[str, object], sampling: Sampling) -> Mapping[str, Any]:
        return {
            "model": self.name,
            "messages": [{"role": m.role, "content": m.content} for m in prompt.fill(inputs)],
            "params": {
                "temperature": self._temperature(sampling),
                "top_p": sampling.top_p,
                "max_tokens": sampling.max_tokens,
                "seed": sampling.seed,
                "stop": list(sampling.stop),
                "logprobs": sampling.logprobs,
            },
            "prompt": prompt.identity,
            "index": sampling.index,
            **sampling.continuation,
        }

    def worst_price(self, prompt: Prompt, inputs: Mapping[str, object], sampling: Sampling) -> float | None:
        return 0.0

    async def ask(self, prompt: Prompt, inputs: Mapping[str, object], sampling: Sampling) -> Completion:
        """Raises AgentError of kind too_long when messages and max_tokens do not fit the context."""
        asked = time.monotonic()
        return await asyncio.to_thread(self._generate, prompt.fill(inputs), sampling, asked)

    async def look(self, read: str | Sequence[int], spaced: bool = True) -> ModelView:
        """How the model attends within a text, or within tokens that it made, in a language written with spaces or not. From
        the first look on it works with eager attention, the only kind that shows its weights. Raises BenchError when it shows
        none."""
        return await asyncio.to_thread(self._inside, lambda model, coder: attended(model, coder, read, self.name, spaced))

    def losses(self, texts: Sequence[str]) -> list[Loss]:
        """How much each bare text surprises the model, without any template."""
        return self._inside(lambda model, tokenizer: [loss_of(model, tokenizer, text) for text in texts])

    def _inside(self, work: Callable[[Any, Any], T]) -> T:
        import torch

        with self._one_at_a_time, torch.inference_mode():
            return work(*self._loaded)

    def _generate(self, messages: tuple[Message, ...], sampling: Sampling, asked: float) -> Completion:
        import torch

        with self._one_at_a_time, torch.random.fork_rng(devices=[]), torch.inference_mode():
            model, tokenizer = self._loaded
            started = time.monotonic()
            tokens = tokenizer(self._text(tokenizer, messages, sampling.prefill), return_tensors="pt", add_special_tokens=False)
            sent = int(tokens["input_ids"].shape[1])
            if self.context is not None and sent + sampling.max_tokens > self.context:
                raise AgentError(
                    f"{self.name} holds {self.context} tokens, and this asks for {sent} + {sampling.max_tokens}.",
                    kind="too_long",
                    attempts=0,
                )
            torch.manual_seed((sampling.seed or 0) + sampling.index)
            heat = self._temperature(sampling)
            sampled = {"do_sample": True, "temperature": heat, "top_p": sampling.top_p} if heat > 0 else {"do_sample": False}
            stops = {"stopping_criteria": [_stopper(tokenizer, sent, sampling.stop)]} if sampling.stop else {}
            made = model.generate(
                **tokens,
                max_new_tokens=sampling.max_tokens,
                return_dict_in_generate=True,
                output_logits=sampling.logprobs,
                pad_token_id=_pad(tokenizer),
                **sampled,
                **stops,
            )
            ids = made.sequences[0, sent:].tolist()
            logprobs = raw = None
            if sampling.logprobs:
                logs = (torch.log_softmax(step[0].float(), -1)[i].item() for i, step in zip(ids, made.logits, strict=True))
                logprobs = tuple((tokenizer.decode([i]), log) for i, log in zip(ids, logs, strict=True))
                raw = {"ids": ids, "entropies": entropies(made.logits), "entropy_of": "raw logits"}
        text, stopped = _until(_after(tokenizer, tokens["input_ids"][0].tolist(), ids, sampling.prefill), sampling.stop)
        ended = stopped or (bool(ids) and ids[-1] in _ends(model))
        return Completion(
            text=text,
            tokens_in=sent,
            tokens_out=len(ids),
            seconds=time.monotonic() - started,
            waited=started - asked,
            finish="stop" if ended or len(ids) < sampling.max_tokens else "length",
            logprobs=logprobs,
            price=0.0,
            attempts=0,
            raw=raw,
        )

    @cached_property
    def _loaded(self) -> _Loaded:
        from transformers import AutoModelForCausalLM, AutoTokenizer

        try:
            tokenizer = AutoTokenizer.from_pretrained(self.folder, local_files_only=True)
            model = AutoModelForCausalLM.from_pretrained(self.folder, local_files_only=True)
        except (OSError, ValueError) as error:
            raise BenchError(f"The model at {self.folder} cannot be loaded: {' '.join(str(error).split())[:200]}.") from error
        return _Loaded(model.eval(), tokenizer)

    def _temperature(self, sampling: Sampling) -> float:
        return sampling.temperature if self.temperature is None else self.temperature

    def _text(self, tokenizer: Any, messages: tuple[Message, ...], begun: str) -> str:
        """By the model's own chat template; base models, which have none, are given the messages as paragraphs. What the reply
        says already stands at the end."""
        if tokenizer.chat_template:
            chat = [{"role": m.role, "content": m.content} for m in messages]
            return str(tokenizer.apply_chat_template(chat, tokenize=False, add_generation_prompt=True)) + begun
        return "\n\n".join(m.content for m in messages) + "\n\n" + begun


def _found(folder: str | Path) -> Path:
    if (Path(folder) / "config.json").is_file():
        return Path(folder)
    from huggingface_hub import try_to_load_from_cache
    from huggingface_hub.errors import HFValidationError

    try:
        cached = try_to_load_from_cache(str(folder), "config.json")
    except HFValidationError:  # it is no name of a model, so it was meant as a folder
        cached = None
    if not isinstance(cached, str):
        raise BenchError(f"No model at {folder}: give a folder with config.json, weights and tokenizer.")
    return Path(cached).parent


def _after(tokenizer: Any, sent: list[int], ids: list[int], begun: str) -> str:
    """The reply's text; one that goes on keeps the space it begins with, which decoding it alone would lose."""
    if begun:
        before = tokenizer.decode(sent[-TAIL:], skip_special_tokens=True)
        both = tokenizer.decode([*sent[-TAIL:], *ids], skip_special_tokens=True)
        if both.startswith(before):
            return str(both[len(before) :])
    return str(tokenizer.decode(ids, skip_special_tokens=True))


def _stopper(tokenizer: Any, sent: int, stops: tuple[str, ...]) -> Any:
    """Ends generation at a stop. (The library's own stop_strings fails on tokenizers of whole words.)"""
    import torch

    def is_done(ids: Any, scores: Any, **_: Any) -> Any:
        text = tokenizer.decode(ids[0, sent:], skip_special_tokens=True)
        return torch.tensor([any(stop in text for stop in stops)], device=ids.device)

    return is_done


def _pad(tokenizer: Any) -> int:
    found = tokenizer.pad_token_id if tokenizer.pad_token_id is not None else tokenizer.eos_token_id
    return int(found or 0)


def _ends(model: Any) -> list[int]:
    ends = model.generation_config.eos_token_id
    return ends if isinstance(ends, list) else [ends]


def _until(text: str, stops: tuple[str, ...]) -> tuple[str, bool]:
    """The text before the first stop, and whether there was one."""
    places = [text.index(stop) for stop in stops if stop in text]
    return (text[: min(places)], True) if places else (text, False)
