"""Agent for a local model folder, run with transformers; it downloads nothing. Requests that wait at the same time run as one
batch (see local_model.py)."""

import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

from agents.huggingface.chat_text import list_template_variables, write_chat
from agents.huggingface.inside import Loss, ModelView, loss_of, view_attention
from agents.huggingface.local_model import GenerationTask, LocalModel, local_model
from agents.openai.probes import JSON_FORMS, SWITCHES, THINKING_PLACES, Probe, list_probes
from agents.thinking import DEFAULT_THINKING_TOKENS, THINKING_RETRY_FACTOR, take_off_thinking
from core.agent import Capability, Completion, Sampling
from core.devices import AUTO
from core.errors import AgentError, BenchError
from core.model_uses import note_model_use
from core.nouns import Message, Prompt
from core.text.thinking import find_opened, split_thinking

CONTEXT_NAMES = ("max_position_embeddings", "n_positions", "n_ctx", "max_sequence_length")

_thinking_folders: set[Path] = set()
"""Folders of the models that have returned thinking (reasoning before the answer) in this process."""


class _Prepared(NamedTuple):
    task: GenerationTask
    opened: str
    """Tag at the end of the prompt that opens the model's thinking; "" = the prompt opens none."""


class _Reply(NamedTuple):
    completion: Completion
    """Completion with the model's thinking still at the beginning of its text."""
    opened: str


class HuggingFaceAgent:
    """Agent that runs a causal language model with its tokenizer from a local folder; both are loaded at the first request."""

    is_offline = False
    gives: frozenset[Capability] = frozenset({"logprobs", "attention"})
    width = 32
    """Number of questions that a job asks this agent at once; their requests run together in batches."""

    def __init__(
        self,
        folder: str | Path,
        temperature: float | None = None,
        device: str = AUTO,
        dtype: str = AUTO,
        template: str = "auto",
        extra: Mapping[str, Any] | None = None,
        thinking_tokens: int | None = None,
    ) -> None:
        """`folder` is a folder with config.json, weights and tokenizer, or the name of a model in the Hugging Face cache.
        `temperature` overrides the temperature of every prompt; `template` is auto or plain; `extra` holds chat template
        variables ({"enable_thinking": False}); `thinking_tokens` is the number of tokens that are added to the limit of every
        reply for thinking (None = 0, and DEFAULT_THINKING_TOKENS once the model has returned thinking)."""
        self.name = f"huggingface:{folder}"
        self.folder = _find_folder(folder)
        self.temperature, self._device, self._dtype = temperature, device, dtype
        self._template, self._extra, self._thinking_tokens = template, dict(extra or {}), thinking_tokens

    @cached_property
    def context(self) -> int | None:
        """Context length of the model in tokens, from config.json; None if config.json does not state it."""
        config = json.loads((self.folder / "config.json").read_text(encoding="utf-8"))
        every = {**config.get("text_config", {}), **config}
        length = next((every[name] for name in CONTEXT_NAMES if every.get(name)), None)
        return int(length) if length else None

    @cached_property
    def model(self) -> LocalModel:
        """The model, shared by all agents with the same folder, device and number format."""
        return local_model(self.folder, self._device, self._dtype, self.context)

    def request(self, prompt: Prompt, inputs: Mapping[str, object], sampling: Sampling) -> Mapping[str, Any]:
        own = {"dtype": self._dtype, "template": self._template}
        thinking = {} if self._thinking_tokens is None else {"thinking_tokens": self._thinking_tokens}
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
                **thinking,
            },
            "prompt": prompt.identity,
            "index": sampling.index,
            **({"extra": self._extra} if self._extra else {}),
            **sampling.continuation,
        }

    def worst_price(self, prompt: Prompt, inputs: Mapping[str, object], sampling: Sampling) -> float | None:
        return 0.0

    @property
    def headroom(self) -> int:
        """Number of thinking tokens that are added to the limit of every reply: the agent's setting or, if it is not set, a
        default once the model has returned thinking and 0 before that."""
        default = DEFAULT_THINKING_TOKENS if self.folder in _thinking_folders else 0
        return default if self._thinking_tokens is None else self._thinking_tokens

    async def ask(self, prompt: Prompt, inputs: Mapping[str, object], sampling: Sampling) -> Completion:
        """Return the model's reply to the prompt. If the token limit cuts the reply off within its thinking, generates it once
        more with more tokens for thinking, as far as the context allows. Raises AgentError of kind too_long if the messages and
        max_tokens exceed the context, and of kind thinking if the reply contains no answer after its thinking."""
        messages, headroom = prompt.fill(inputs), 0 if sampling.prefill else self.headroom
        reply = await self._generate(messages, sampling, headroom)
        split = split_thinking(reply.opened + reply.completion.text)
        is_new = self._thinking_tokens is None and not headroom
        if split.thinking:
            _thinking_folders.add(self.folder)
        is_cut = reply.completion.finish == "length" and split.thinking and (is_new or not split.text.strip())
        if not is_cut:
            return take_off_thinking(reply.completion, self.name, reply.opened)
        more = await self._generate(messages, sampling, THINKING_RETRY_FACTOR * (headroom or DEFAULT_THINKING_TOKENS))
        return _add_tokens(take_off_thinking(more.completion, self.name, more.opened), reply.completion)

    async def _generate(self, messages: tuple[Message, ...], sampling: Sampling, headroom: int) -> _Reply:
        asked = time.monotonic()
        prepared: list[_Prepared] = []

        def prepare(tokenizer: Any) -> GenerationTask:
            prepared.append(self._prepare(tokenizer, messages, sampling, headroom))
            return prepared[0].task

        generated = await self.model.generate(prepare)
        note_model_use("agent", self.name, **self.model.placement._asdict())
        task, opened = prepared[0]
        raw = None
        if sampling.logprobs:
            raw = {"ids": generated.ids, "entropies": generated.entropies, "entropy_of": "raw logits"}
        completion = Completion(
            text=generated.text,
            tokens_in=len(task.ids),
            tokens_out=len(generated.ids),
            seconds=generated.seconds,
            waited=generated.began - asked,
            finish="stop" if generated.is_ended or len(generated.ids) < task.max_tokens else "length",
            logprobs=generated.logprobs,
            price=0.0,
            attempts=0,
            raw=raw,
        )
        return _Reply(completion, opened)

    def list_probes(self) -> list[Probe]:
        """Return one small test request, which shows whether the model can be loaded and replies."""
        return list_probes()[:1]

    def describe_capabilities(self) -> dict[str, str]:
        """Return a dict from the label of each capability (JSON, thinking, attention ...) to a short text on what this model
        can do."""
        placement, thinks = self.model.placement, self.folder in _thinking_folders
        window = {"context window": f"{self.context:,} tokens"} if self.context else {}
        return {
            "JSON": JSON_FORMS["prompt"],
            "thinking": THINKING_PLACES["text" if thinks else "none"],
            **window,
            "runs on": f"{placement.device}, {placement.dtype}",
            "log-probabilities": "given",
            "attention": "given",
            "functions": SWITCHES["tools"][1],
        }

    async def look(self, read: str | Sequence[int], spaced: bool = True) -> ModelView:
        """Return the model's attention between the words and tokens of `read`, which is a text or a sequence of generated token
        ids. `spaced` says whether the language separates words with spaces. Processes one text at a time, between two batches
        of requests. The first call switches the model to eager attention, the only implementation that returns attention
        weights. Raises BenchError if the model returns no attention weights."""
        return await self.model.use(lambda model, coder: view_attention(model, coder, read, self.name, spaced))

    def losses(self, texts: Sequence[str]) -> list[Loss]:
        """Return the model's loss on each text; no chat template is applied to the texts."""
        return self.model.use_now(lambda model, tokenizer: [loss_of(model, tokenizer, text) for text in texts])

    def _prepare(self, tokenizer: Any, messages: tuple[Message, ...], sampling: Sampling, headroom: int) -> _Prepared:
        text = write_chat(tokenizer, messages, self.name, self._template, list_template_variables(self._extra))
        ids = [int(token) for token in tokenizer(text + sampling.prefill, add_special_tokens=False)["input_ids"]]
        if self.context is not None:
            room = self.context - len(ids) - sampling.max_tokens
            if room < 0:
                raise AgentError(
                    f"{self.name} has a context of {self.context:,} tokens, but the messages of this request have "
                    f"{len(ids):,} tokens and the reply may have up to {sampling.max_tokens:,} more.",
                    kind="too_long",
                    attempts=0,
                )
            headroom = min(headroom, room)
        heat, seed = self._temperature(sampling), (sampling.seed or 0) + sampling.index
        own = (sampling.max_tokens + headroom, heat, sampling.top_p, seed, sampling.stop, sampling.logprobs, sampling.prefill)
        return _Prepared(GenerationTask(ids, *own), "" if sampling.prefill else find_opened(text))

    def _temperature(self, sampling: Sampling) -> float:
        return sampling.temperature if self.temperature is None else self.temperature


def _add_tokens(reply: Completion, earlier: Completion) -> Completion:
    """Return the second reply with token counts and seconds that include those of the earlier reply, which was cut off."""
    return replace(
        reply,
        tokens_in=(reply.tokens_in or 0) + (earlier.tokens_in or 0),
        tokens_out=(reply.tokens_out or 0) + (earlier.tokens_out or 0),
        seconds=(reply.seconds or 0.0) + (earlier.seconds or 0.0),
    )


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
