"""Any OpenAI-compatible endpoint, through the `openai` package. Requests are retried here, not in the package, so that each
one that left this process is counted; the key is in no request record, error, log or repr."""

import asyncio
import random
import re
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NoReturn
from weakref import WeakKeyDictionary

from agents.openai.limits import Circuit, Limits, shared
from agents.openai.openai_troubles import Trouble, redact, trouble_of
from agents.openai.openai_wire import (
    Delivery,
    EndpointReply,
    Send,
    read_delivery,
    send_stream,
    send_text,
    send_whole,
    strict_schema,
    with_schema_in_words,
)
from core.agent import Capability, Completion, Sampling
from core.errors import UNREAD, AgentError, BenchError
from core.ids import canonical_json, content_hash
from core.nouns import Message, Prompt

DEFAULT_URL = "https://api.openai.com/v1"
Mode = Literal["schema", "json", "prompt"]
_PLAINER: dict[Mode, Mode] = {"schema": "json", "json": "prompt"}


@dataclass(frozen=True, slots=True)
class OpenAISettings:
    """How to use one model of one endpoint."""

    price_in: float | None = None
    """US dollars per million tokens sent; None = unknown."""
    price_out: float | None = None
    """US dollars per million tokens received; None = unknown."""
    context: int | None = None
    """Context window in tokens."""
    rpm: float | None = None
    """Requests per minute."""
    tpm: float | None = None
    """Tokens per minute, sent and received."""
    concurrency: int | None = None
    """Calls in flight, at the start and at most; None = start with 8 and grow up to 64 while the endpoint lets us."""
    timeout: float = 60.0
    """Seconds for one request, its whole answer included; when streaming, seconds without news."""
    temperature: float | None = None
    """Overrides every prompt's own temperature: some models take only one."""
    structured: Literal["auto", "schema", "json", "prompt"] = "auto"
    """How to ask for JSON: by JSON schema, as any JSON object, in words only; auto = the first that the endpoint takes."""
    tries: int = 3
    """Requests per call, 429 answers apart."""
    waits: int = 10
    """429 answers that one call sits out."""
    backoff: float = 1.0
    """Seconds before the second try, doubled for the third, with jitter."""
    cool_down: float = 2.0
    """Seconds to hold back after a 429 that does not say how long."""


class OpenAIAgent:
    """One model of one endpoint, with its limits."""

    is_offline = False
    gives: frozenset[Capability] = frozenset({"logprobs", "tools"})
    """Where its endpoint does; nobody knows before it is asked."""

    def __init__(
        self,
        model: str,
        base_url: str | None,
        key: str | None,
        settings: OpenAISettings | None = None,
        key_env: str = "OPENAI_API_KEY",
    ) -> None:
        """An endpoint of one's own may need no key; raises BenchError when there is neither a key nor an endpoint. `key_env` is
        the variable that the key came from, for words on it alone."""
        if not key and not base_url:
            raise BenchError(f"No key for openai:{model}: set {key_env}, or OPENAI_BASE_URL for an endpoint without one.")
        self._key_env = key_env
        self.model = model
        self.base_url = (base_url or DEFAULT_URL).rstrip("/")
        self.settings = settings or OpenAISettings()
        self._key = key or ""
        wanted = self.settings.concurrency
        rpm, tpm, cool_down = self.settings.rpm, self.settings.tpm, self.settings.cool_down
        self._own_limits = Limits(start=wanted or 8, maximum=wanted or 64, rpm=rpm, tpm=tpm, cool_down=cool_down)
        self._place = (self.base_url, model, self._key, wanted, rpm, tpm, cool_down)
        self.circuit = Circuit()
        self._mode: Mode = "schema" if self.settings.structured == "auto" else self.settings.structured
        self._limit_name = "max_tokens"
        self._clients: WeakKeyDictionary[asyncio.AbstractEventLoop, Any] = WeakKeyDictionary()

    def __repr__(self) -> str:
        return f"<{self._where}>"

    @property
    def name(self) -> str:
        return f"openai:{self.model}"

    @property
    def context(self) -> int | None:
        return self.settings.context

    @property
    def limits(self) -> Limits:
        """The gate that this agent shares with all others of the event loop that have its endpoint, model, key and limits; its
        own where no loop runs."""
        try:
            return shared(self._place, self._own_limits)
        except RuntimeError:
            return self._own_limits

    @property
    def structured_by(self) -> Mode:
        """How JSON is asked for now: as set, or as found out from what the endpoint took."""
        return self._mode

    @property
    def _where(self) -> str:
        return f"{self.name} at {self.shown_url}"

    @property
    def shown_url(self) -> str:
        """The endpoint without the name and password that a URL may carry."""
        return re.sub(r"(?<=://)[^/@]+@", "", self.base_url)

    def request(self, prompt: Prompt, inputs: Mapping[str, object], sampling: Sampling) -> Mapping[str, Any]:
        """Endpoint, model, filled messages, parameters, schema hash, prompt identity, sample index. How the JSON was asked for
        is in it as set, not as found out: what an endpoint turns out to take does not change what was asked."""
        params: dict[str, Any] = {**self._params(sampling), "structured": self.settings.structured}
        return {
            "base_url": self.shown_url,
            "model": self.model,
            "messages": [{"role": m.role, "content": m.content} for m in prompt.fill(inputs)],
            "params": params,
            "schema": content_hash(prompt.schema) if prompt.schema else None,
            "prompt": prompt.identity,
            "index": sampling.index,
            **sampling.continuation,
        }

    def worst_price(self, prompt: Prompt, inputs: Mapping[str, object], sampling: Sampling) -> float | None:
        """1.3 times the estimated tokens of the messages, the functions and the reply schema, and the whole of max_tokens."""
        if self.settings.price_in is None or self.settings.price_out is None:
            return None
        sent = 1.3 * _count(prompt.fill(inputs), prompt, sampling)
        return (sent * self.settings.price_in + sampling.max_tokens * self.settings.price_out) / 1e6

    async def ask(self, prompt: Prompt, inputs: Mapping[str, object], sampling: Sampling) -> Completion:
        return await self._complete(prompt, inputs, sampling, send_whole)

    async def stream(
        self, prompt: Prompt, inputs: Mapping[str, object], sampling: Sampling, on_text: Callable[[str], None]
    ) -> Completion:
        """As ask; `on_text` is given the whole text so far at each piece of it, and starts over when a try broke off."""

        async def send(client: Any, body: dict[str, Any]) -> Delivery:
            return await send_stream(client, body, on_text)

        return await self._complete(prompt, inputs, sampling, send)

    def read_again(self, kept: Mapping[str, Any]) -> Completion:
        """The completion in a delivery that could not be worked up when it came, from the `raw` of its AgentError; raises what
        reading it raises."""
        delivery = Delivery(str(kept["body"]).encode(), {}, kept.get("form", "chat"))
        times = [float(kept.get(name, 0.0)) for name in ("seconds", "waited", "retrying")]
        return self._completion(read_delivery(delivery), int(kept.get("attempts", 1)), *times)

    async def close(self) -> None:
        """Close this event loop's connections; the agent can be asked again."""
        client = self._clients.pop(asyncio.get_running_loop(), None)
        if client is not None:
            await client.close()

    async def _complete(self, prompt: Prompt, inputs: Mapping[str, object], sampling: Sampling, send: Send) -> Completion:
        messages = prompt.fill(inputs)
        question = hash(messages)
        with self.circuit.asking(question):
            return await self._tried(question, messages, prompt, sampling, send)

    async def _tried(
        self, question: int, messages: Sequence[Message], prompt: Prompt, sampling: Sampling, send: Send
    ) -> Completion:
        """The completion, after as many requests as it takes; tells the circuit how the question ended."""
        limits, circuit = self.limits, self.circuit
        began = time.monotonic()
        first: float | None = None
        attempts = tries = waits = 0
        mode, limit_name = self._mode, self._limit_name
        while True:
            tokens = _count(messages, prompt, sampling) + sampling.max_tokens if limits.counts_tokens else 0
            async with limits.place(tokens, goes_first=attempts > 0):
                if circuit.is_open:
                    raise AgentError(
                        f"{self._where} failed on more than half of the last questions: stopped asking; go on when it is well.",
                        kind="endpoint",
                        attempts=attempts,
                        stops_job=True,
                    )
                attempts += 1
                sent = time.monotonic()
                first = sent if first is None else first
                if sampling.prefill_mode == "text":
                    outcome = await self._attempt(self._text_body(messages, sampling), send_text)
                else:
                    outcome = await self._attempt(self._body(prompt, messages, sampling, mode, limit_name), send)
                seconds = time.monotonic() - sent
            delivery = outcome if isinstance(outcome, Delivery) else None
            try:
                read = outcome if isinstance(outcome, Trouble) else self._read(outcome)
                if read.allowed:
                    limits.told(*read.allowed)
                if isinstance(read, EndpointReply):
                    limits.succeeded()
                    circuit.answered(question)
                    self._mode, self._limit_name = (mode if prompt.schema else self._mode), limit_name
                    return self._completion(read, attempts, seconds, sent - began, sent - first)
            except Exception as error:  # whatever it is: the delivery may have been paid, and goes into the ledger
                if delivery is None:
                    raise
                times = {"seconds": seconds, "waited": sent - began, "retrying": sent - first}
                raise self._unread(delivery, error, attempts, times) from error
            if read.next == "plainer" and read.drop == "max_tokens" and limit_name == "max_tokens":
                limit_name = "max_completion_tokens"
            elif read.next == "plainer" and prompt.schema and self.settings.structured == "auto" and mode in _PLAINER:
                mode = _PLAINER[mode]
            elif read.next == "wait":
                waits += 1
                alone = limits.throttled(read.wait)
                if waits >= self.settings.waits:
                    self._give_up(read, attempts, stops_job=True)
                await asyncio.sleep(alone)
            elif read.next == "again":
                tries += 1
                if tries >= self.settings.tries:
                    circuit.failed(question)
                    self._give_up(read, attempts, stops_job=False)
                pause = self.settings.backoff * 2 ** (tries - 1) * random.uniform(0.5, 1.5)
                await asyncio.sleep(min(60.0, max(pause, read.wait or 0.0)))
            else:
                if read.next == "plainer" or read.raw is not None:
                    circuit.failed(question)
                self._give_up(read, attempts, stops_job=read.stops_job)

    def _give_up(self, trouble: Trouble, attempts: int, stops_job: bool) -> NoReturn:
        times = f" after {attempts} requests" if attempts > 1 else ""
        text = redact(f"{self._where} {trouble.why}{times}", self._key)
        advice = trouble.advice.replace("OPENAI_API_KEY", self._key_env)
        raise AgentError(
            f"{text}. {advice}".strip(),
            kind=trouble.kind,
            attempts=attempts,
            stops_job=stops_job,
            may_be_its_own=trouble.next == "plainer",
            raw=trouble.raw,
        )

    def _unread(self, delivery: Delivery, error: Exception, attempts: int, times: Mapping[str, float]) -> AgentError:
        """What keeps a delivery that came and could not be worked up here."""
        why = redact(f"{type(error).__name__}: {error}", self._key)
        return AgentError(
            f"{self._where} answered, and working its reply up failed ({why}). The reply is kept, and is read again when the "
            "same is asked again; nothing is sent for that.",
            kind=UNREAD,
            attempts=attempts,
            raw={"body": delivery.body.decode("utf-8", "replace"), "form": delivery.form, "attempts": attempts, **times},
        )

    async def _attempt(self, body: dict[str, Any], send: Send) -> Delivery | Trouble:
        """One request."""
        import httpx2
        import openai

        from agents.openai.openai_shape import Misshapen

        try:
            async with asyncio.timeout(self.settings.timeout if send is send_whole else None):
                return await send(self._client(), body)
        except (openai.OpenAIError, httpx2.HTTPError, TimeoutError, ValueError, Misshapen) as error:
            return trouble_of(error, self._key)

    def _read(self, delivery: Delivery) -> EndpointReply | Trouble:
        from agents.openai.openai_shape import Misshapen

        try:
            return read_delivery(delivery)
        except (ValueError, Misshapen) as error:
            return trouble_of(error, self._key)

    def _client(self) -> Any:
        """This event loop's client."""
        from openai import AsyncOpenAI

        loop = asyncio.get_running_loop()
        client = self._clients.get(loop)
        if client is None:
            client = AsyncOpenAI(
                api_key=self._key or "none", base_url=self.base_url, max_retries=0, timeout=self.settings.timeout
            )
            self._clients[loop] = client
        return client

    def _params(self, sampling: Sampling) -> dict[str, Any]:
        """Sampling in the endpoint's words. A seed is moved on by the sample's index: several samples are to differ."""
        own = self.settings.temperature
        temperature = sampling.temperature if own is None else own
        params: dict[str, Any] = {"temperature": temperature, "max_tokens": sampling.max_tokens}
        if sampling.top_p != 1.0:
            params["top_p"] = sampling.top_p
        if sampling.seed is not None:
            params["seed"] = sampling.seed + sampling.index
        if sampling.stop:
            params["stop"] = list(sampling.stop)
        if sampling.logprobs:
            params |= {"logprobs": True, **({"top_logprobs": sampling.top_logprobs} if sampling.top_logprobs else {})}
        return params

    def _body(
        self, prompt: Prompt, messages: Sequence[Message], sampling: Sampling, mode: Mode, limit_name: str
    ) -> dict[str, Any]:
        params = self._params(sampling)
        params[limit_name] = params.pop("max_tokens")
        sent: list[dict[str, Any]] = [{"role": m.role, "content": m.content} for m in messages]
        if sampling.prefill:
            sent.append({"role": "assistant", "content": sampling.prefill})
            params["extra_body"] = {"continue_final_message": True, "add_generation_prompt": False}
        sent += [dict(turn) for turn in sampling.turns]
        if sampling.tools:
            params["tools"] = [dict(tool) for tool in sampling.tools]
        if prompt.schema and mode == "schema":
            schema, is_strict = strict_schema(prompt.schema)
            name = re.sub(r"[^A-Za-z0-9_-]", "_", prompt.name.rpartition("/")[2].partition(".")[0])[:64]
            params["response_format"] = {
                "type": "json_schema",
                "json_schema": {"name": name, "schema": schema, "strict": is_strict},
            }
        elif prompt.schema:
            sent = with_schema_in_words(sent, prompt)
            if mode == "json":
                params["response_format"] = {"type": "json_object"}
        return {"model": self.model, "messages": sent, **params}

    def _text_body(self, messages: Sequence[Message], sampling: Sampling) -> dict[str, Any]:
        """For /v1/completions: the messages as paragraphs, then what the reply says already."""
        params = self._params(sampling)
        if params.pop("logprobs", False):
            params["logprobs"] = max(params.pop("top_logprobs", 0), 1)
        text = "\n\n".join(m.content for m in messages) + "\n\n" + sampling.prefill
        return {"model": self.model, "prompt": text, **params}

    def _completion(self, reply: EndpointReply, attempts: int, seconds: float, waited: float, retrying: float) -> Completion:
        price = None
        prices, counts = (self.settings.price_in, self.settings.price_out), (reply.tokens_in, reply.tokens_out)
        if None not in prices and None not in counts:
            price = sum((p or 0.0) * (n or 0) for p, n in zip(prices, counts, strict=True)) / 1e6
        return Completion(
            text=reply.text,
            tokens_in=reply.tokens_in,
            tokens_out=reply.tokens_out,
            seconds=seconds,
            waited=waited,
            retrying=retrying,
            finish=reply.finish,
            logprobs=reply.logprobs,
            alternatives=reply.alternatives,
            price=price,
            attempts=attempts,
            raw=reply.raw,
        )


def _count(messages: Sequence[Message], prompt: Prompt, sampling: Sampling) -> int:
    """Tokens that are sent, estimated: the messages, the functions, and the reply schema, however it is put."""
    from core.text.text import count_tokens

    schema = count_tokens(canonical_json(prompt.schema), "en") if prompt.schema else 0
    more = count_tokens(canonical_json(sampling.continuation), prompt.language) if sampling.tools or sampling.turns else 0
    told = sum(count_tokens(m.content, prompt.language) + 4 for m in messages)  # some 4 tokens mark a message's ends
    return schema + more + told
