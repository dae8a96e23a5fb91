"""One request to an OpenAI-compatible endpoint: how the reply schema is put, how the request is sent, whole or streamed, and
how what it delivers is read."""

import json
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from typing import Any, Literal, NamedTuple

from core.nouns import Prompt

_FINISH = {"content_filter": "filter", "function_call": "tool_calls"}


class Delivery(NamedTuple):
    """What one request brought, before anything is read of it."""

    body: bytes
    headers: Mapping[str, str]
    form: Literal["chat", "text"] = "chat"
    """The endpoint's path that it came from: /v1/chat/completions or /v1/completions."""


class EndpointReply(NamedTuple):
    """What a delivery says."""

    text: str
    finish: str
    tokens_in: int | None
    tokens_out: int | None
    logprobs: tuple[tuple[str, float], ...] | None
    raw: Mapping[str, Any]
    allowed: "Allowed | None" = None
    alternatives: tuple[tuple[float, ...], ...] | None = None


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
    sent = {**body, **body.get("extra_body", {})}  # as it is: the package would walk every schema of a tool for each request
    sent.pop("extra_body", None)
    response = await client.chat.completions.with_raw_response.create(model=body["model"], messages=[], extra_body=sent)
    return Delivery(response.http_response.content, response.headers)


async def send_text(client: Any, body: dict[str, Any]) -> Delivery:
    """A text to go on with, to /v1/completions."""
    response = await client.completions.with_raw_response.create(**body)
    return Delivery(response.http_response.content, response.headers, "text")


def read_delivery(delivery: Delivery) -> EndpointReply:
    """The reply in a delivery. Raises Misshapen where it has another shape, ValueError where it is no completion."""
    return _read_text(delivery) if delivery.form == "text" else _read_chat(delivery)


def _read_chat(delivery: Delivery) -> EndpointReply:
    from agents.openai.openai_shape import Chat, parsed, read_as, words_of

    data = parsed(delivery.body)
    read = read_as(Chat, data, delivery.body)
    choice, usage = read.choices[0], read.usage
    return EndpointReply(
        text=words_of(choice.message),
        finish=_finish(choice.finish_reason, data["choices"][0].get("message") or {}),
        tokens_in=usage and usage.prompt_tokens,
        tokens_out=usage and usage.completion_tokens,
        raw=data,
        allowed=allowed_by(delivery.headers),
        **_logs(data["choices"][0].get("logprobs")),
    )


def _read_text(delivery: Delivery) -> EndpointReply:
    from agents.openai.openai_shape import CompletionReply, parsed, read_as

    data = parsed(delivery.body)
    read = read_as(CompletionReply, data, delivery.body)
    choice, usage = read.choices[0], read.usage
    told = choice.logprobs
    tops = told.top_logprobs if told else None
    return EndpointReply(
        text=choice.text or "",
        finish=_finish(choice.finish_reason, {}),
        tokens_in=usage and usage.prompt_tokens,
        tokens_out=usage and usage.completion_tokens,
        logprobs=tuple(zip(told.tokens or (), told.token_logprobs or (), strict=True)) or None if told else None,
        raw=data,
        allowed=allowed_by(delivery.headers),
        alternatives=tuple(tuple((top or {}).values()) for top in tops) if tops else None,
    )


async def send_stream(client: Any, body: dict[str, Any], on_text: Callable[[str], None]) -> Delivery:
    """One delivery in the form of a whole answer, put together from the pieces."""
    from agents.openai.openai_shape import Chat, Misshapen, read_as, words_of

    text, refusal, finish = "", "", None
    tokens: list[Any] = []
    usage: Any = None
    body = {**body, "stream": True, "stream_options": {"include_usage": True}}
    raw: dict[str, Any] = {}
    async with await client.chat.completions.create(**body) as chunks:
        headers = chunks.response.headers
        async for chunk in _shallow(chunks):
            try:
                piece = chunk.to_dict(warnings=False)
                raw = {"id": piece.get("id"), "model": piece.get("model")}
                usage = piece.get("usage") or usage
                for choice in (piece.get("choices") or ())[:1]:
                    delta = choice.get("delta") or {}
                    read = read_as(Chat, {"choices": [{**choice, "message": delta}]}, json.dumps(piece)).choices[0]
                    new = words_of(read.message) if not read.message.refusal else ""
                    refusal += read.message.refusal or ""
                    finish = read.finish_reason or finish
                    tokens += (choice.get("logprobs") or {}).get("content") or []
                    if new:
                        text += new
                        on_text(text)
            except (AttributeError, TypeError):
                raise Misshapen("a piece of its stream is not an object", repr(chunk)) from None
    if finish is None:
        raise ValueError("the stream ended before its end")
    choice = {"message": {"content": text, "refusal": refusal or None}, "finish_reason": finish}
    raw |= {"choices": [choice | ({"logprobs": {"content": tokens}} if tokens else {})], "usage": usage}
    return Delivery(json.dumps(raw).encode(), headers)


async def _shallow(chunks: Any) -> AsyncIterator[Any]:
    """The pieces of a stream. Raises Misshapen at one that is nested too deep to be read."""
    from agents.openai.openai_shape import Misshapen

    try:
        async for chunk in chunks:
            yield chunk
    except RecursionError:
        raise Misshapen("a piece of its stream is nested too deep", "") from None


def _finish(reason: str | None, message: Mapping[str, Any]) -> str:
    """Our word for the finish reason; a model's refusal in its own field counts as filtered."""
    if message.get("refusal") and not message.get("content"):
        return "filter"
    return _FINISH.get(reason or "stop", reason or "stop")


def _logs(told: Mapping[str, Any] | None) -> dict[str, Any]:
    """The tokens with their logs, and the logs of each token's alternatives; None where the endpoint tells none."""
    tokens = (told or {}).get("content") or ()
    tops = [tuple(float(top["logprob"]) for top in t.get("top_logprobs") or ()) for t in tokens]
    return {
        "logprobs": tuple((t["token"], float(t["logprob"])) for t in tokens) or None,
        "alternatives": tuple(tops) if any(tops) else None,
    }


def strict_schema(schema: Mapping[str, Any]) -> tuple[dict[str, Any], bool]:
    """The schema as strict mode wants it (every field required, no others), and whether it could be put so: a field that may
    be left out must allow null instead."""
    is_strict = True

    def walk(node: Any) -> Any:
        nonlocal is_strict
        if isinstance(node, list):
            return [walk(n) for n in node]
        if not isinstance(node, Mapping):
            return node
        made = {k: walk(v) for k, v in node.items()}
        fields = node.get("properties")
        if isinstance(fields, Mapping):
            optional = [f for name, f in fields.items() if name not in node.get("required", ())]
            if node.get("additionalProperties") is not False or any("null" not in f.get("type", ()) for f in optional):
                is_strict = False
            else:
                made["required"] = list(fields)
        return made

    made = walk(schema)
    return (made, True) if is_strict else (dict(schema), False)


def with_schema_in_words(messages: list[dict[str, Any]], prompt: Prompt) -> list[dict[str, Any]]:
    schema = json.dumps(prompt.schema, ensure_ascii=False)
    words = {
        "zh": f"只回复一个 JSON 对象，不要写别的内容。它必须符合这个 JSON schema：\n{schema}",
        "en": f"Reply with one JSON object and nothing else. It has to fit this JSON schema:\n{schema}",
    }
    text = words.get(prompt.language, words["en"])
    if messages and messages[0]["role"] == "system":
        return [{"role": "system", "content": f"{messages[0]['content']}\n\n{text}"}, *messages[1:]]
    return [{"role": "system", "content": text}, *messages]
