"""Sends one request to an OpenAI-compatible endpoint, whole or streamed, and parses the reply. This module separates thinking
from the text, wherever the endpoint returns the thinking."""

import json
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from typing import Any, Literal, NamedTuple

from agents.openai.profile import ThinkingPlace
from core.agent import Completion
from core.text.thinking import TAGS, SplitText, split_thinking

_FINISH = {"content_filter": "filter", "function_call": "tool_calls"}


class Delivery(NamedTuple):
    """Raw reply of an endpoint to one request, not yet parsed."""

    body: bytes
    headers: Mapping[str, str]
    form: Literal["chat", "text"] = "chat"
    """API that the reply comes from: chat = /v1/chat/completions, text = /v1/completions."""


class Reading(NamedTuple):
    """What an endpoint's reply contains, after parsing."""

    completion: Completion
    """Completion in the reply, still without times, price and number of requests, which the agent adds."""
    thinking: ThinkingPlace
    """Part of the reply that contains the model's thinking, see Profile.thinking; none = the reply contains no thinking."""
    is_open: bool = False
    """Whether the reply opens its thinking but never ends it, so that it contains no answer."""


class Allowed(NamedTuple):
    """Rate limits per minute that an endpoint reports; None = not reported."""

    requests: float | None
    tokens: float | None


def allowed_by(headers: Mapping[str, str]) -> Allowed | None:
    """Return the rate limits in the headers x-ratelimit-limit-requests and x-ratelimit-limit-tokens, or None if neither
    contains a number above 0."""
    limits = [headers.get(f"x-ratelimit-limit-{unit}", "").strip() for unit in ("requests", "tokens")]
    numbers = [float(text) if re.fullmatch(r"[0-9]{1,12}", text) and int(text) else None for text in limits]
    return Allowed(*numbers) if any(numbers) else None


Send = Callable[[Any, dict[str, Any]], Awaitable[Delivery]]


async def send_whole(client: Any, body: dict[str, Any]) -> Delivery:
    """Post a chat request and return its whole reply. The body is posted directly, because `create` of the openai package
    traverses it for each request, which takes 1.5 times as long."""
    return await _post(client, "/chat/completions", body, "chat")


async def send_text(client: Any, body: dict[str, Any]) -> Delivery:
    """Post a request to /v1/completions that continues a given text."""
    return await _post(client, "/completions", body, "text")


async def _post(client: Any, path: str, body: dict[str, Any], form: Literal["chat", "text"]) -> Delivery:
    import httpx2

    response = await client.post(path, body=body, cast_to=httpx2.Response)
    return Delivery(response.content, response.headers, form)


async def send_stream(client: Any, body: dict[str, Any], on_text: Callable[[str], None]) -> Delivery:
    """Send a streamed request and return its reply in the form of a reply that is not streamed; `on_text` receives the text so
    far, without thinking. A stream is complete if it contains a finish reason, a token count or [DONE]. Raises ValueError if it
    ends without any of these."""
    from agents.openai.openai_shape import ErrorInBody

    whole = _Whole()
    shown = ""
    made = client.chat.completions.with_streaming_response.create(model=body["model"], messages=[], extra_body=body)
    async with made as response:
        async for piece in _pieces(response):
            if piece == "[DONE]":
                whole.is_done = True
                break
            read = _read_piece(piece)
            if read.get("error"):
                raise ErrorInBody(read)
            text = whole.add(read, piece)
            visible = split_thinking(text).text if text else ""
            is_tag = any(begins.startswith(visible.strip()) for begins, _ in TAGS)  # perhaps the first half of a thinking tag
            if visible != shown and not is_tag:
                shown = visible
                on_text(visible)
        headers = dict(response.headers)
    return Delivery(json.dumps(whole.reply()).encode(), headers)


def read_delivery(delivery: Delivery, place: ThinkingPlace | None = None) -> Reading:
    """Parse the raw reply of an endpoint. `place` is where the reply contains thinking, if the user set this by hand; for
    "none", the text is not searched for thinking. Raises Misshapen for a malformed body, and ErrorInBody or another ValueError
    for a body without a completion."""
    return _read_text(delivery) if delivery.form == "text" else _read_chat(delivery, place)


def _read_chat(delivery: Delivery, by_hand: ThinkingPlace | None) -> Reading:
    from agents.openai.openai_shape import Chat, parse_reply, read_as, words_of

    data = parse_reply(delivery.body)
    read = read_as(Chat, data, delivery.body)
    choice, usage = read.choices[0], read.usage
    message = data["choices"][0].get("message") or {}
    place, thought = find_thinking(message)
    written = words_of(choice.message)
    split = SplitText(written, "", False) if by_hand == "none" else split_thinking(written)
    details = usage and usage.completion_tokens_details
    spent = details and details.reasoning_tokens
    if split.thinking:
        place = "text" if place == "none" else place
        thought = "\n\n".join(part for part in (thought, split.thinking) if part)
    logs = _logs(data["choices"][0].get("logprobs"), len(written) - len(split.text) if split.thinking else 0)
    completion = Completion(
        text=split.text,
        thinking=thought,
        finish=_finish(choice.finish_reason, message),
        tokens_in=usage and usage.prompt_tokens,
        tokens_out=usage and usage.completion_tokens,
        tokens_thinking=spent,
        raw=data,
        **logs,
    )
    return Reading(completion, "hidden" if place == "none" and spent else place, split.is_open)


def _read_text(delivery: Delivery) -> Reading:
    from agents.openai.openai_shape import CompletionReply, parse_reply, read_as

    data = parse_reply(delivery.body)
    read = read_as(CompletionReply, data, delivery.body)
    choice, usage = read.choices[0], read.usage
    logprobs = choice.logprobs
    tops = logprobs.top_logprobs if logprobs else None
    completion = Completion(
        text=choice.text or "",
        finish=_finish(choice.finish_reason, {}),
        tokens_in=usage and usage.prompt_tokens,
        tokens_out=usage and usage.completion_tokens,
        logprobs=tuple(zip(logprobs.tokens or (), logprobs.token_logprobs or (), strict=True)) or None if logprobs else None,
        raw=data,
        alternatives=tuple(tuple((top or {}).values()) for top in tops) if tops else None,
    )
    return Reading(completion, "none")


def find_thinking(message: Mapping[str, Any]) -> tuple[ThinkingPlace, str]:
    """Return where a message contains thinking outside its text, and the thinking itself; content parts of type thinking are
    the format of the Magistral models."""
    places: tuple[ThinkingPlace, ...] = ("reasoning", "reasoning_content")
    for place in places:
        if isinstance(text := message.get(place), str) and text.strip():
            return place, text.strip()
    if text := _join_texts(message.get("reasoning_details")).strip():
        return "reasoning_details", text
    text = _read_thinking_parts(message.get("content")).strip()
    return ("parts", text) if text else ("none", "")


def _read_thinking_parts(content: Any) -> str:
    """Return the joined text of those parts of a message's content that are thinking."""
    parts = [part for part in content if isinstance(part, dict)] if isinstance(content, list) else []
    thoughts = [part.get("thinking") for part in parts]
    return "".join(thought if isinstance(thought, str) else _join_texts(thought) for thought in thoughts)


def _join_texts(details: Any) -> str:
    """Return the joined texts of a list of message parts; an encrypted part has no text."""
    parts = [part for part in details if isinstance(part, dict)] if isinstance(details, list) else []
    return "".join(text for part in parts if isinstance(text := part.get("text") or part.get("summary"), str))


class _Whole:
    """Assembles a whole reply from the pieces of a stream."""

    def __init__(self) -> None:
        self.is_done = False
        self._head: dict[str, Any] = {}
        self._texts: dict[str, str] = {}
        """Dict from message field (content, refusal, reasoning, reasoning_content) to its text so far; "thinking" collects
        parts of the content."""
        self._details: list[Any] = []
        self._calls: dict[int, dict[str, Any]] = {}
        self._tokens: list[Any] = []
        self._usage: Any = None
        self._finish: str | None = None

    def add(self, piece: Mapping[str, Any], body: str) -> str:
        """Add a piece of the stream and return the reply's text so far, including thinking. Raises Misshapen if the piece is
        malformed."""
        from agents.openai.openai_shape import Chat, read_as, words_of

        self._head = {name: piece[name] for name in ("id", "model") if piece.get(name)} or self._head
        self._usage = piece.get("usage") or self._usage
        for choice in (piece.get("choices") or ())[:1]:
            delta = choice.get("delta") or {}
            checked = read_as(Chat, {"choices": [{**choice, "message": delta}]}, body).choices[0]
            refusal = checked.message and checked.message.refusal
            new = {"content": "" if refusal else words_of(checked.message), "refusal": refusal}
            new |= {name: delta.get(name) for name in ("reasoning", "reasoning_content")}
            new["thinking"] = _read_thinking_parts(delta.get("content"))
            for name, text in new.items():
                if isinstance(text, str) and text:
                    self._texts[name] = self._texts.get(name, "") + text
            details = delta.get("reasoning_details")
            self._details += details if isinstance(details, list) else []
            for call in delta.get("tool_calls") or ():
                self._add_call(call)
            self._finish = checked.finish_reason or self._finish
            self._tokens += (choice.get("logprobs") or {}).get("content") or []
        return self._texts.get("content", "")

    def reply(self) -> dict[str, Any]:
        """Return the reply assembled from the stream. Raises ValueError if the stream ended early."""
        if self._finish is None and self._usage is None and not self.is_done:
            raise ValueError("the stream ended early")
        message: dict[str, Any] = {"content": "", "refusal": None, **self._texts}
        if thinking := message.pop("thinking", ""):
            message["content"] = [{"type": "thinking", "thinking": thinking}, {"type": "text", "text": message["content"]}]
        if self._details:
            message["reasoning_details"] = self._details
        if self._calls:
            message["tool_calls"] = [call for _, call in sorted(self._calls.items())]
        logs = {"logprobs": {"content": self._tokens}} if self._tokens else {}
        return {**self._head, "choices": [{"message": message, "finish_reason": self._finish, **logs}], "usage": self._usage}

    def _add_call(self, call: Mapping[str, Any]) -> None:
        """Add a piece of a function call; the arguments of a call arrive in fragments."""
        whole = self._calls.setdefault(int(call.get("index") or 0), {"type": "function", "function": {"arguments": ""}})
        function = call.get("function") or {}
        whole["id"] = call.get("id") or whole.get("id")
        whole["function"]["name"] = function.get("name") or whole["function"].get("name")
        whole["function"]["arguments"] += str(function.get("arguments") or "")


async def _pieces(response: Any) -> AsyncIterator[str]:
    """Yield the data of each server-sent event in a stream. Lines are split only at line feeds, because an event may contain
    U+2028 (a Unicode line separator)."""
    rest = b""
    async for block in response.iter_bytes():
        *lines, rest = (rest + block).split(b"\n")
        for line in lines:
            if line.startswith(b"data:"):
                yield line[5:].strip().decode("utf-8", "replace")
    if rest.startswith(b"data:"):
        yield rest[5:].strip().decode("utf-8", "replace")


def _read_piece(piece: str) -> dict[str, Any]:
    """Decode one piece of a stream. Raises Misshapen if the piece is not a JSON object or is nested too deeply, and ValueError
    if it is not complete JSON."""
    from agents.openai.openai_shape import Misshapen

    try:
        read = json.loads(piece)
    except RecursionError:
        raise Misshapen("a piece of its stream is nested too deep", "") from None
    if not isinstance(read, dict):
        raise Misshapen("a piece of its stream is not an object", piece)
    return read


def _finish(reason: str | None, message: Mapping[str, Any]) -> str:
    """Return why the reply ended, as a value of Completion.finish; a message with text in its field `refusal` and no content
    counts as filtered."""
    if message.get("refusal") and not message.get("content"):
        return "filter"
    return _FINISH.get(reason or "stop", reason or "stop")


def _logs(logprobs: Mapping[str, Any] | None, thought: int) -> dict[str, Any]:
    """Return {"logprobs", "alternatives"}: each token with its log-probability, and the log-probabilities of each token's
    alternatives; a value is None if the endpoint returns none. Leaves out the tokens of the first `thought` characters, which
    are thinking."""
    tokens, at = list[Any](), 0
    for token in (logprobs or {}).get("content") or ():
        at += len(token["token"])
        if at > thought:
            tokens.append(token)
    tops = [tuple(float(top["logprob"]) for top in t.get("top_logprobs") or ()) for t in tokens]
    return {
        "logprobs": tuple((t["token"], float(t["logprob"])) for t in tokens) or None,
        "alternatives": tuple(tops) if any(tops) else None,
    }
