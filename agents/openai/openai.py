"""Agent for any OpenAI-compatible endpoint. The agent itself retries, not the `openai` package, so that every request sent is
counted. No request record contains the API key."""

import asyncio
import json
import random
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from agents.openai.learned_profile import LearnedProfile
from agents.openai.limits import Circuit, Limits, share_limits
from agents.openai.openai_batch import BatchFailure, BatchReply, BatchRequest
from agents.openai.openai_endpoint import OpenAIEndpoint
from agents.openai.openai_request import RequestBody, build_body, build_params
from agents.openai.openai_settings import OpenAISettings
from agents.openai.openai_troubles import Trouble, trouble_of, trouble_of_status
from agents.openai.openai_wire import (
    Delivery,
    Reading,
    Send,
    allowed_by,
    read_delivery,
    send_stream,
    send_text,
    send_whole,
)
from agents.openai.pricing import count_request_tokens, price_reply, price_request
from agents.openai.probes import Probe, list_probes
from agents.openai.profile import JsonForm, PassingMemory, Profile, ProfileMemory
from agents.providers import quirks_of
from agents.thinking import DEFAULT_THINKING_TOKENS, THINKING_RETRY_FACTOR, describe_thought
from core.agent import Capability, Completion, Sampling
from core.errors import AgentError, BenchError
from core.ids import content_hash
from core.nouns import Message, Prompt

MAX_REFUSALS = 6
"""Maximum number of parameters that one call may omit or rename because the endpoint refuses them."""


class OpenAIAgent(OpenAIEndpoint):
    """Agent for one model of an OpenAI-compatible endpoint, with retries, call limits and a circuit breaker."""

    is_offline = False
    gives: frozenset[Capability] = frozenset({"logprobs", "tools"})
    """Capabilities that the endpoint may have; whether it has them is known only after a request."""

    def __init__(
        self,
        model: str,
        base_url: str | None,
        key: str | None,
        settings: OpenAISettings | None = None,
        key_env: str = "OPENAI_API_KEY",
        memory: ProfileMemory | None = None,
    ) -> None:
        """Like OpenAIEndpoint; `memory` stores what is learned about the endpoint (None = this knowledge lasts only as long as
        this object)."""
        super().__init__(model, base_url, key, settings or OpenAISettings(), key_env)
        wanted = self.settings.concurrency
        rpm, tpm, cool_down = self.settings.rpm, self.settings.tpm, self.settings.cool_down
        self._own_limits = Limits(start=wanted or 8, maximum=wanted or 64, rpm=rpm, tpm=tpm, cool_down=cool_down)
        self._place = (self.base_url, model, self._key, wanted, rpm, tpm, cool_down)
        self.circuit = Circuit()
        self._known = LearnedProfile(self.shown_url, model, self.settings, quirks_of(self.base_url), memory or PassingMemory())
        self.relearn_profile = self._known.relearn
        """Context manager in which the agent learns anew which parameters the endpoint accepts."""

    @property
    def context(self) -> int | None:
        return self.settings.context

    @property
    def limits(self) -> Limits:
        """Limits on calls, shared by all agents in the event loop that have the same endpoint, model, key and limits; outside
        an event loop, the limits of this agent alone."""
        try:
            return share_limits(self._place, self._own_limits)
        except RuntimeError:
            return self._own_limits

    @property
    def profile(self) -> Profile:
        """Parameters that the endpoint accepts, as learned from its answers so far or as set by hand."""
        return self._known.profile

    @property
    def structured_by(self) -> JsonForm:
        """How JSON replies are currently requested: as set by hand, or as learned from the endpoint."""
        return self.profile.structured or "schema"

    @property
    def headroom(self) -> int:
        """Number of thinking tokens that are added to the limit of every reply: the agent's setting or, if it is not set, a
        default once the model has returned thinking and 0 before that."""
        own = self.settings.thinking_tokens
        return own if own is not None else DEFAULT_THINKING_TOKENS if self.profile.thinks else 0

    def request(self, prompt: Prompt, inputs: Mapping[str, object], sampling: Sampling) -> Mapping[str, Any]:
        """Return the record that identifies a request: endpoint, model, filled messages, parameters, schema hash, prompt
        identity and sample index. The record contains all requested parameters, including those that the endpoint refuses."""
        settings = self.settings
        params = {**build_params(self._override(sampling)), "structured": settings.structured, **self._thinking_settings}
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

    def _override(self, sampling: Sampling) -> Sampling:
        """Return the prompt's sampling parameters, overridden by the agent's settings for temperature and max_tokens."""
        settings = self.settings
        if settings.temperature is not None:
            sampling = replace(sampling, temperature=settings.temperature)
        return sampling if settings.max_tokens is None else replace(sampling, max_tokens=settings.max_tokens)

    @property
    def _thinking_settings(self) -> dict[str, Any]:
        """Return those settings for reasoning, thinking tokens and extra fields that are set; every request record contains
        them."""
        settings = self.settings
        unset: dict[str, Any] = {"reasoning": "default", "extra": {}, "thinking_tokens": None}
        return {name: value for name, default in unset.items() if (value := getattr(settings, name)) != default}

    def worst_price(self, prompt: Prompt, inputs: Mapping[str, object], sampling: Sampling) -> float | None:
        """Return the highest price of a request in US dollars: 1.3 times the estimated price of the messages, functions and
        reply schema, plus the price of max_tokens reply tokens. If the model may think, includes its thinking tokens and a
        second request (see THINKING_RETRY_FACTOR)."""
        plain, headroom = self.plain_price(prompt, inputs, sampling), self.headroom
        if plain is None or not headroom:
            return plain
        return 2 * plain + (1 + THINKING_RETRY_FACTOR) * headroom * (self.settings.price_out or 0.0) / 1e6

    def plain_price(self, prompt: Prompt, inputs: Mapping[str, object], sampling: Sampling) -> float | None:
        """Return the highest price of a request in US dollars, as `worst_price` does, but without tokens for thinking."""
        return price_request(self.settings, prompt, inputs, self._override(sampling))

    def check_size(self, prompt: Prompt, inputs: Mapping[str, object], sampling: Sampling) -> None:
        """Raise CallTooLarge if the request needs more tokens than the setting agent.tpm allows per minute."""
        if self.settings.tpm is not None:
            own = self._override(sampling)
            tokens = count_request_tokens(prompt.fill(inputs), prompt, own) + own.max_tokens
            self.limits.check_size(tokens + (0 if own.prefill else self.headroom))

    async def ask(self, prompt: Prompt, inputs: Mapping[str, object], sampling: Sampling) -> Completion:
        return await self.stream(prompt, inputs, sampling, None)

    async def stream(
        self, prompt: Prompt, inputs: Mapping[str, object], sampling: Sampling, on_text: Callable[[str], None] | None
    ) -> Completion:
        """Return the completion as `ask` does, and call `on_text`, if given, after each piece of the reply with the whole text
        so far, without thinking. A retry starts again with an empty text."""
        self.connect()  # loads packages for a second or more, and the time of the call starts after that
        messages = prompt.fill(inputs)
        question = hash(messages)
        with self.circuit.track(question):
            return await self._ask_with_retries(question, messages, prompt, self._override(sampling), on_text)

    def read_again(self, kept: Mapping[str, Any]) -> Completion:
        """Return the completion from a reply that was stored because it could not be processed. `kept` is the attribute `raw`
        of the AgentError that was raised for that reply. Raises the same errors as read_delivery."""
        delivery = Delivery(str(kept["body"]).encode(), {}, kept.get("form", "chat"))
        times = [float(kept.get(name, 0.0)) for name in ("seconds", "waited", "retrying")]
        reading = read_delivery(delivery, self._known.by_hand.thinking)
        return price_reply(self.settings, reading.completion, [], int(kept.get("attempts", 1)), *times)

    def write_batch_request(self, prompt: Prompt, inputs: Mapping[str, object], sampling: Sampling) -> BatchRequest:
        """Return the request in the form of a line for the Batch API, without the parameters that the endpoint is known to
        refuse. Raises BenchError for a request to continue a given text, because a batch cannot contain such requests, and
        AgentError for a request with functions if the endpoint is known to refuse them."""
        if sampling.prefill_mode == "text":
            raise BenchError(
                f"A batch for {self._label} cannot contain requests that continue a given text: run the command without "
                "--batch."
            )
        messages, own, headroom = prompt.fill(inputs), self._override(sampling), self.headroom
        profile = self.profile
        self._check_functions(own, profile, 0)
        body, _ = self._body(prompt, messages, own, profile, headroom, None)
        prices = [
            None if plain is None else plain + headroom * (settings.price_out or 0.0) / 1e6
            for settings in (self.settings, self.settings.at_batch_prices)
            for plain in [price_request(settings, prompt, inputs, own)]
        ]
        return BatchRequest(*body, bool(prompt.schema), headroom, own.max_tokens, profile.record, *prices)

    def read_batch_reply(self, reply: BatchReply, sent: BatchRequest) -> Completion | BatchFailure:
        """Return the completion in one line of a batch's replies, at batch prices, or the failure if the line contains no
        completion. Learns from the line which parameters the endpoint refuses, so that the next batch file leaves these
        parameters out."""
        body = RequestBody(dict(sent.body), sent.parameters, sent.not_taken)
        if reply.status == 200:
            read = self._read(Delivery(json.dumps(reply.body).encode(), {}), body)
        else:
            given = (self._key, sent.parameters, self.settings.extra)
            read = trouble_of_status(reply.status or 500, reply.body, {}, *given)
        if isinstance(read, Trouble):
            return self._explain_batch_failure(read, sent)
        self._known.learn(Profile(), self.profile, body, read, has_schema=sent.has_schema)
        completion = replace(read.completion, not_taken=sent.not_taken)
        priced = price_reply(self.settings.at_batch_prices, completion, [], 1, 0.0, 0.0, 0.0)
        done = replace(priced, seconds=None)
        if self._is_cut(read, Sampling(), sent.headroom) and self.headroom > sent.headroom:
            why = f"{self._label} spent all its {sent.limit + sent.headroom:,} tokens on thinking."
            return BatchFailure("thinking", why, True, None, done.price)
        try:
            self._check_answer(read, done, sent.limit + sent.headroom)
        except AgentError as error:
            return BatchFailure(error.kind, str(error), False, error.raw, error.price)
        return done

    def _explain_batch_failure(self, trouble: Trouble, sent: BatchRequest) -> BatchFailure:
        is_passing = trouble.next in ("again", "wait") or (trouble.next == "stop" and trouble.stops_job)
        if trouble.next == "plainer":
            refusal, is_passing = trouble.refusal, self.profile.record != sent.profile  # learned from a line before
            if not is_passing and refusal.most and refusal.most != self.profile.most_tokens:
                self._known.add(Profile(most_tokens=refusal.most))
                is_passing = True
            elif not is_passing and refusal.parameter and refusal.is_general:
                is_passing = self._known.refuse(self.profile, refusal) is not None
        return BatchFailure(trouble.kind, self._describe(trouble), is_passing, trouble.raw)

    def list_probes(self) -> list[Probe]:
        """Return small test requests that show which parameters the endpoint accepts. Sending all test requests costs a few
        hundred tokens, plus thinking tokens if the model thinks."""
        return list_probes()

    async def _ask_with_retries(
        self,
        question: int,
        messages: Sequence[Message],
        prompt: Prompt,
        sampling: Sampling,
        on_text: Callable[[str], None] | None,
    ) -> Completion:
        """Return the completion of a prompt after as many requests as needed, and report success or failure to the circuit
        breaker."""
        limits, circuit = self.limits, self.circuit
        began = time.monotonic()
        first: float | None = None
        attempts = tries = waits = refusals = 0
        headroom = 0 if sampling.prefill else self.headroom  # a reply that was begun has been thought about
        guessed, passing = Profile(), Profile()  # changes to the profile: kept after an answer; for this call only
        cut: list[Completion] = []  # replies that were cut off within their thinking
        while True:
            profile = self.profile.update(guessed).update(passing)
            self._check_functions(sampling, profile, attempts)
            body, send = self._body(prompt, messages, sampling, profile, headroom, on_text)
            tokens = (
                count_request_tokens(messages, prompt, sampling) + sampling.max_tokens + headroom if limits.counts_tokens else 0
            )
            await circuit.wait_for_turn(question)
            async with limits.place(tokens, goes_first=attempts > 0):
                if circuit.is_open:
                    raise AgentError(
                        f"{self._label} failed on more than half of the last questions, so no more questions were sent: resume "
                        "the job when the endpoint works again.",
                        kind="endpoint",
                        attempts=attempts,
                        stops_job=True,
                    )
                if not circuit.may_ask(question):  # other questions failed while this call waited for its place
                    continue
                attempts += 1
                sent = time.monotonic()
                first = sent if first is None else first
                outcome = await self._attempt(body, send, is_streamed="stream" in body.parameters)
                seconds = time.monotonic() - sent
            delivery = outcome if isinstance(outcome, Delivery) else None
            try:
                read = outcome if isinstance(outcome, Trouble) else self._read(outcome, body)
                allowed = read.allowed if isinstance(read, Trouble) else allowed_by(delivery.headers) if delivery else None
                if allowed:
                    limits.adopt_rates(*allowed)
                if isinstance(read, Reading):
                    limits.note_success()
                    circuit.note_answer(question)
                    self._known.learn(guessed, profile, body, read, has_schema=bool(prompt.schema))
                    completion = replace(read.completion, not_taken=body.not_taken)
                    if not self._is_cut(read, sampling, headroom) or cut:
                        done = price_reply(self.settings, completion, cut, attempts, seconds, sent - began, sent - first)
                        self._check_answer(read, done, sampling.max_tokens + headroom)
                        return done
                    cut.append(completion)
                    headroom = THINKING_RETRY_FACTOR * (headroom or DEFAULT_THINKING_TOKENS)
                    continue
            except AgentError:
                raise
            except Exception as error:  # the delivery may have been charged, so the ledger stores it whatever the error
                if delivery is None:
                    raise
                times = {"seconds": seconds, "waited": sent - began, "retrying": sent - first}
                raise self._report_unread(delivery, error, attempts, times) from error
            if read.next == "plainer" and refusals < MAX_REFUSALS:
                refusals += 1
                refusal = read.refusal
                if refusal.most and refusal.most != profile.most_tokens:
                    self._known.add(Profile(most_tokens=refusal.most))
                    continue
                if refusal.parameter:
                    change = self._known.refuse(profile, refusal)
                    if change is not None and not refusal.is_general:
                        passing = passing.update(change)
                else:
                    change = self._known.guess(profile, prompt)
                    guessed = guessed if change is None else guessed.update(change)
                if change is not None:
                    continue
            if read.kind == "too_long" and headroom:
                headroom = 0  # a small context window may still fit the reply without thinking
            elif read.next == "wait":
                waits += 1
                alone = limits.note_refusal(read.wait)
                if waits >= self.settings.waits:
                    self._give_up(read, attempts, stops_job=True)
                await asyncio.sleep(alone)
            elif read.next == "again":
                tries += 1
                if tries >= self.settings.tries:
                    circuit.note_failure(question)
                    self._give_up(read, attempts, stops_job=False)
                circuit.note_failing(question)
                pause = self.settings.backoff * 2 ** (tries - 1) * random.uniform(0.5, 1.5)
                await asyncio.sleep(min(60.0, max(pause, read.wait or 0.0)))
            else:
                if read.next == "plainer" or read.raw is not None:
                    circuit.note_failure(question)
                self._give_up(read, attempts, stops_job=read.stops_job)

    def _check_functions(self, sampling: Sampling, profile: Profile, attempts: int) -> None:
        """Raise AgentError if the request has functions and the endpoint is known to refuse them. No request is sent."""
        if not sampling.tools or profile.tools is not False:
            return
        why = "refused functions in an earlier request, so this one was not sent: test the agent again if it accepts them now"
        if self._known.by_hand.tools is False:
            why = "gets no functions, because the agent's setting takes_tools is no"
        raise AgentError(f"{self._label} {why}.", kind="refused", attempts=attempts, stops_job=True, may_be_its_own=True)

    def _is_cut(self, reading: Reading, sampling: Sampling, headroom: int) -> bool:
        """Return whether the token limit cut off the reply because of thinking: before any visible text, or in a reply with
        thinking for which no thinking tokens were added to the limit."""
        completion = reading.completion
        if completion.finish != "length" or sampling.prefill_mode == "text":
            return False
        is_new = not headroom and reading.thinking != "none" and self.settings.thinking_tokens is None
        return is_new or not (completion.text.strip() or completion.actions)

    def _check_answer(self, reading: Reading, completion: Completion, limit: int) -> None:
        """Check that the reply contains more than thinking. Raises AgentError of kind "thinking" if it does not."""
        has_answer = bool(completion.text.strip() or completion.actions)
        is_cut = completion.finish == "length"
        if (has_answer and not reading.is_open) or not (is_cut or reading.is_open or completion.thinking):
            return
        why = f"spent all its {limit:,} tokens on thinking" if is_cut else describe_thought(reading.is_open)
        advice = "Set agent.thinking_tokens higher, or agent.reasoning lower." if is_cut else ""
        raise AgentError(
            f"{self._label} {why}. {advice}".strip(),
            kind="thinking",
            attempts=completion.attempts,
            raw=completion.raw,
            price=completion.price,
        )

    def _read(self, delivery: Delivery, body: RequestBody) -> Reading | Trouble:
        from agents.openai.openai_shape import Misshapen

        try:
            return read_delivery(delivery, self._known.by_hand.thinking)
        except (ValueError, Misshapen) as error:
            return trouble_of(error, self._key, body.parameters, self.settings.extra)

    def _body(
        self,
        prompt: Prompt,
        messages: Sequence[Message],
        sampling: Sampling,
        profile: Profile,
        headroom: int,
        on_text: Callable[[str], None] | None,
    ) -> tuple[RequestBody, Send]:
        """Return the body of a request and the function that sends it."""
        settings = self.settings
        params = build_params(sampling)
        more: dict[str, Any] = {"headroom": headroom, "reasoning": settings.reasoning, "extra": settings.extra}
        body = build_body(self.model, prompt, messages, sampling, profile, params, **more)
        if sampling.prefill_mode == "text":
            return body, send_text
        if on_text is None or profile.stream is False:
            return body, send_whole
        parameters, sent = (*body.parameters, "stream"), {**body.sent, "stream": True}
        if profile.stream_usage is not False:
            parameters, sent = (*parameters, "stream_usage"), {**sent, "stream_options": {"include_usage": True}}
        return RequestBody(sent, parameters, body.not_taken), partial(send_stream, on_text=on_text)
