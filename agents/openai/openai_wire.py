"""One request to an OpenAI-compatible endpoint: how it is sent, whole or streamed, and how what it delivers is read. Thinking
is taken off here, once, wherever it stands."""

import json
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from typing import Any, Literal, NamedTuple

from agents.openai.profile import ThinkingPlace
from core.agent import Completion
from core.text.thinking import TAGS, SplitText, split_thinking

_FINISH = {"content_filter": "filter", "function_call": "tool_calls"}


class Delivery(NamedTuple):
    """What one request brought, before anything is read of it."""

    body: bytes
    headers: Mapping[str, str]
    form: Literal["chat", "text"] = "chat"
    """The endpoint's path that it came from: /v1/chat/completions or /v1/completions."""


class Reading(NamedTuple):
    """What a delivery says."""

    completion: Completion
    """Without times, price and attempts, which the agent knows."""
    thinking: ThinkingPlace
    """Where its thinking stands; none = there is none."""
    is_open: bool = False
    """Whether its text never ends its thought, so that it holds no answer."""


class Allowed(NamedTuple):
    """What an endpoint says it allows a minute; None = it says nothing of it."""

    requests: float | None
    tokens: float | None


def allowed_by(headers: Mapping[str, str]) -> Allowed | None:
    """What x-ratelimit-limit-requests and -tokens say; None when neither holds a number above 0."""
    found = [headers.get(f"x-ratelimit-limit-{what}", "").strip() for what in ("requests", "tokens")]
    numbers = [float(text) if re.fullmatch(r"[0-9]{1,12}", text) and int(text) else None for text in found]
    return Allowed(*numbers) if any(numbers) else None


Send = Callable[[Any, dict[str, Any]], Awaitable[Delivery]]


async def send_whole(client: Any, body: dict[str, Any]) -> Delivery:
    """As it is: `create` would walk the whole body for each request, which takes half as long again."""
    return await _post(client, "/chat/completions", body, "chat")


async def send_text(client: Any, body: dict[str, Any]) -> Delivery:
    """A text to go on with, to /v1/completions."""
    return await _post(client, "/completions", body, "text")


async def _post(client: Any, path: str, body: dict[str, Any], form: Literal["chat", "text"]) -> Delivery:
    import httpx2

    response = await client.post(path, body=body, cast_to=httpx2.Response)
    return Delivery(response.content, response.headers, form)


async def send_stream(client: Any, body: dict[str, Any], on_text: Callable[[str], None]) -> Delivery:
    """One delivery in the form of a whole answer, put together from the pieces; `on_text` gets the text without thinking. A
    stream that says how it ended, counts its tokens or ends with [DONE] is whole. Raises ValueError at any other end."""
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
            is_tag = any(begins.startswith(visible.strip()) for begins, _ in TAGS)  # perhaps the first half of one
            if visible != shown and not is_tag:
                shown = visible
                on_text(visible)
        headers = dict(response.headers)
    return Delivery(json.dumps(whole.reply()).encode(), headers)


def read_delivery(delivery: Delivery, place: ThinkingPlace | None = None) -> Reading:
    """The reply in a delivery; `place` = where its thinking stands if that was set by hand, "none" leaves the text as it is.
    Raises Misshapen for a body of another shape, ErrorInBody or another ValueError for one that holds no completion."""
    return _read_text(delivery) if delivery.form == "text" else _read_chat(delivery, place)


def _read_chat(delivery: Delivery, by_hand: ThinkingPlace | None) -> Reading:
    from agents.openai.openai_shape import Chat, parsed, read_as, words_of

    data = parsed(delivery.body)
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
    from agents.openai.openai_shape import CompletionReply, parsed, read_as

    data = parsed(delivery.body)
    read = read_as(CompletionReply, data, delivery.body)
    choice, usage = read.choices[0], read.usage
    told = choice.logprobs
    tops = told.top_logprobs if told else None
    completion = Completion(
        text=choice.text or "",
        finish=_finish(choice.finish_reason, {}),
        tokens_in=usage and usage.prompt_tokens,
        tokens_out=usage and usage.completion_tokens,
        logprobs=tuple(zip(told.tokens or (), told.token_logprobs or (), strict=True)) or None if told else None,
        raw=data,
        alternatives=tuple(tuple((top or {}).values()) for top in tops) if tops else None,
    )
    return Reading(completion, "none")


def find_thinking(message: Mapping[str, Any]) -> tuple[ThinkingPlace, str]:
    """Where a message holds its thinking beside its text, and what it says; parts of the content are Magistral's."""
    places: tuple[ThinkingPlace, ...] = ("reasoning", "reasoning_content")
    for place in places:
        if isinstance(text := message.get(place), str) and text.strip():
            return place, text.strip()
    if text := _join_texts(message.get("reasoning_details")).strip():
        return "reasoning_details", text
    text = _read_thinking_parts(message.get("content")).strip()
    return ("parts", text) if text else ("none", "")


def _read_thinking_parts(content: Any) -> str:
    """What the parts of a content say that are thinking."""
    parts = [part for part in content if isinstance(part, dict)] if isinstance(content, list) else []
    thoughts = [part.get("thinking") for part in parts]
    return "".join(thought if isinstance(thought, str) else _join_texts(thought) for thought in thoughts)


def _join_texts(details: Any) -> str:
    """The words of a list of parts; encrypted ones have none."""
    parts = [part for part in details if isinstance(part, dict)] if isinstance(details, list) else []
    return "".join(text for part in parts if isinstance(text := part.get("text") or part.get("summary"), str))


class _Whole:
    """A whole answer, put together from the pieces of a stream."""

    def __init__(self) -> None:
        self.is_done = False
        self._head: dict[str, Any] = {}
        self._texts: dict[str, str] = {}
        """By field of the message: content, refusal, reasoning, reasoning_content; thinking = parts of the content."""
        self._details: list[Any] = []
        self._calls: dict[int, dict[str, Any]] = {}
        self._tokens: list[Any] = []
        self._usage: Any = None
        self._finish: str | None = None

    def add(self, piece: Mapping[str, Any], body: str) -> str:
        """Take a piece; returns the text so far, with thinking. Raises Misshapen."""
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
        """The answer. Raises ValueError where the stream broke off."""
        if self._finish is None and self._usage is None and not self.is_done:
            raise ValueError("the stream ended before its end")
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
        """A piece of a function call: its arguments come bit by bit."""
        whole = self._calls.setdefault(int(call.get("index") or 0), {"type": "function", "function": {"arguments": ""}})
        function = call.get("function") or {}
        whole["id"] = call.get("id") or whole.get("id")
        whole["function"]["name"] = function.get("name") or whole["function"].get("name")
        whole["function"]["arguments"] += str(function.get("arguments") or "")


async def _pieces(response: Any) -> AsyncIterator[str]:
    """The data of each server-sent event. Only a line feed ends a line: U+2028 may stand within one."""
    rest = b""
    async for block in response.iter_bytes():
        *lines, rest = (rest + block).split(b"\n")
        for line in lines:
            if line.startswith(b"data:"):
                yield line[5:].strip().decode("utf-8", "replace")
    if rest.startswith(b"data:"):
        yield rest[5:].strip().decode("utf-8", "replace")


def _read_piece(piece: str) -> dict[str, Any]:
    """Raises Misshapen when it is not an object or is nested too deep, ValueError when it breaks off."""
    from agents.openai.openai_shape import Misshapen

    try:
        read = json.loads(piece)
    except RecursionError:
        raise Misshapen("a piece of its stream is nested too deep", "") from None
    if not isinstance(read, dict):
        raise Misshapen("a piece of its stream is not an object", piece)
    return read


def _finish(reason: str | None, message: Mapping[str, Any]) -> str:
    """Our word for the finish reason; a model's refusal in its own field counts as filtered."""
    if message.get("refusal") and not message.get("content"):
        return "filter"
    return _FINISH.get(reason or "stop", reason or "stop")


def _logs(told: Mapping[str, Any] | None, thought: int) -> dict[str, Any]:
    """The tokens with their logs, and the logs of each token's alternatives; None where the endpoint tells none. The first
    `thought` characters are thinking: their tokens are left out."""
    tokens, at = list[Any](), 0
    for token in (told or {}).get("content") or ():
        at += len(token["token"])
        if at > thought:
            tokens.append(token)
    tops = [tuple(float(top["logprob"]) for top in t.get("top_logprobs") or ()) for t in tokens]
    return {
        "logprobs": tuple((t["token"], float(t["logprob"])) for t in tokens) or None,
        "alternatives": tuple(tops) if any(tops) else None,
    }
