"""A local model folder, run with transformers; nothing is downloaded. Requests that wait together run as one batch, see
local_model.py."""

import json
import time
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from agents.huggingface.chat_text import list_template_variables, write_chat
from agents.huggingface.inside import Loss, ModelView, loss_of, view_attention
from agents.huggingface.local_model import GenerationTask, LocalModel, local_model
from agents.thinking import take_off_thinking
from core.agent import Capability, Completion, Sampling
from core.devices import AUTO
from core.errors import AgentError, BenchError
from core.model_uses import note_model_use
from core.nouns import Message, Prompt

CONTEXT_NAMES = ("max_position_embeddings", "n_positions", "n_ctx", "max_sequence_length")


class HuggingFaceAgent:
    """A causal language model with its tokenizer, loaded at the first request."""

    is_offline = False
    gives: frozenset[Capability] = frozenset({"logprobs", "attention"})
    width = 32
    """Number of questions in progress at once; their requests run together in batches."""

    def __init__(
        self,
        folder: str | Path,
        temperature: float | None = None,
        device: str = AUTO,
        dtype: str = AUTO,
        template: str = "auto",
        extra: Mapping[str, Any] | None = None,
    ) -> None:
        """`folder` holds config.json, weights and tokenizer, or names a model in the library's cache. `temperature` overrides
        the temperature of every prompt; `template` is auto or plain; `extra` holds chat template variables ({"enable_thinking":
        False})."""
        self.name = f"huggingface:{folder}"
        self.folder = _find_folder(folder)
        self.temperature, self._device, self._dtype = temperature, device, dtype
        self._template, self._extra = template, dict(extra or {})

    @cached_property
    def context(self) -> int | None:
        """Context length in tokens from config.json; None if absent."""
        config = json.loads((self.folder / "config.json").read_text(encoding="utf-8"))
        every = {**config.get("text_config", {}), **config}
        length = next((every[name] for name in CONTEXT_NAMES if every.get(name)), None)
        return int(length) if length else None

    @cached_property
    def model(self) -> LocalModel:
        """Model shared by all agents with the same folder, device and number format."""
        return local_model(self.folder, self._device, self._dtype, self.context)

    def request(self, prompt: Prompt, inputs: Mapping[str, object], sampling: Sampling) -> Mapping[str, Any]:
        own = {"dtype": self._dtype, "template": self._template}
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
                **{name: value for name, value in own.items() if value != AUTO},
            },
            "prompt": prompt.identity,
            "index": sampling.index,
            **({"extra": self._extra} if self._extra else {}),
            **sampling.continuation,
        }

    def worst_price(self, prompt: Prompt, inputs: Mapping[str, object], sampling: Sampling) -> float | None:
        return 0.0

    async def ask(self, prompt: Prompt, inputs: Mapping[str, object], sampling: Sampling) -> Completion:
        """Returns the model's reply. Raises AgentError of kind too_long if the messages and max_tokens exceed the context, and
        of kind thinking if the reply contains no answer after its thinking."""
        asked, messages = time.monotonic(), prompt.fill(inputs)
        tasks: list[GenerationTask] = []

        def prepare(tokenizer: Any) -> GenerationTask:
            tasks.append(self._prepare(tokenizer, messages, sampling))
            return tasks[0]

        generated = await self.model.generate(prepare)
        note_model_use("agent", self.name, **self.model.placement._asdict())
        raw = None
        if sampling.logprobs:
            raw = {"ids": generated.ids, "entropies": generated.entropies, "entropy_of": "raw logits"}
        completion = Completion(
            text=generated.text,
            tokens_in=len(tasks[0].ids),
            tokens_out=len(generated.ids),
            seconds=generated.seconds,
            waited=generated.began - asked,
            finish="stop" if generated.is_ended or len(generated.ids) < sampling.max_tokens else "length",
            logprobs=generated.logprobs,
            price=0.0,
            attempts=0,
            raw=raw,
        )
        return take_off_thinking(completion, self.name)

    async def look(self, read: str | Sequence[int], spaced: bool = True) -> ModelView:
        """Returns the model's attention within a text, or within generated tokens. `spaced` says whether the language separates
        words with spaces. Runs one text at a time, between two batches. The first call switches the model to eager attention,
        the only implementation that returns its weights. Raises BenchError if the model returns none."""
        return await self.model.use(lambda model, coder: view_attention(model, coder, read, self.name, spaced))

    def losses(self, texts: Sequence[str]) -> list[Loss]:
        """Returns the model's loss on each text, without a chat template."""
        return self.model.use_now(lambda model, tokenizer: [loss_of(model, tokenizer, text) for text in texts])

    def _prepare(self, tokenizer: Any, messages: tuple[Message, ...], sampling: Sampling) -> GenerationTask:
        text = write_chat(tokenizer, messages, self.name, self._template, list_template_variables(self._extra))
        ids = [int(token) for token in tokenizer(text + sampling.prefill, add_special_tokens=False)["input_ids"]]
        if self.context is not None and len(ids) + sampling.max_tokens > self.context:
            raise AgentError(
                f"{self.name} has a context of {self.context:,} tokens, but this request needs {len(ids):,} and a "
                f"reply of up to {sampling.max_tokens:,}.",
                kind="too_long",
                attempts=0,
            )
        heat, seed = self._temperature(sampling), (sampling.seed or 0) + sampling.index
        own = (sampling.max_tokens, heat, sampling.top_p, seed, sampling.stop, sampling.logprobs, sampling.prefill)
        return GenerationTask(ids, *own)

    def _temperature(self, sampling: Sampling) -> float:
        return sampling.temperature if self.temperature is None else self.temperature


def _find_folder(folder: str | Path) -> Path:
    if (Path(folder) / "config.json").is_file():
        return Path(folder)
    from huggingface_hub import try_to_load_from_cache
    from huggingface_hub.errors import HFValidationError

    try:
        cached = try_to_load_from_cache(str(folder), "config.json")
    except HFValidationError:  # the value is not a valid model name, so the user meant a folder
        cached = None
    if not isinstance(cached, str):
        raise BenchError(f"No model at {folder}: give a folder with config.json, weights and tokenizer.")
    return Path(cached).parent
