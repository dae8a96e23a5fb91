"""One request to an OpenAI-compatible endpoint: how the reply schema is put, how the request is sent, whole or streamed, and
how the answer is read."""

import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, NamedTuple

from core.nouns import Prompt

_FINISH = {"content_filter": "filter", "function_call": "tool_calls"}


class Reply(NamedTuple):
    """What one request brought."""

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
    numbers = [float(text) if text.isdigit() and int(text) else None for text in found]
    return Allowed(*numbers) if any(numbers) else None


Send = Callable[[Any, dict[str, Any]], Awaitable[Reply]]


async def send_whole(client: Any, body: dict[str, Any]) -> Reply:
    sent = {**body, **body.get("extra_body", {})}  # as it is: the package would walk every schema of a tool for each request
    sent.pop("extra_body", None)
    response = await client.chat.completions.with_raw_response.create(model=body["model"], messages=[], extra_body=sent)
    data = json.loads(response.http_response.content)
    choices = data.get("choices") if isinstance(data, dict) else None
    if not choices or not isinstance(choices[0], dict):
        error = data.get("error") if isinstance(data, dict) else None
        raise ValueError(str(error or "no choices in it"))
    choice, usage = choices[0], data.get("usage") or {}
    message = choice.get("message") or {}
    told = (choice.get("logprobs") or {}).get("content")
    return Reply(
        text=message.get("content") or message.get("refusal") or "",
        finish=_finish(choice.get("finish_reason"), message),
        tokens_in=usage.get("prompt_tokens"), tokens_out=usage.get("completion_tokens"),
        logprobs=_logprobs(told), raw=data, allowed=allowed_by(response.headers), alternatives=_alternatives(told),
    )  # fmt: skip


async def send_text(client: Any, body: dict[str, Any]) -> Reply:
    """A text to go on with, to /v1/completions."""
    response = await client.completions.with_raw_response.create(**body)
    data = json.loads(response.http_response.content)
    choices = data.get("choices") if isinstance(data, dict) else None
    if not choices or not isinstance(choices[0], dict):
        raise ValueError(str((data.get("error") if isinstance(data, dict) else None) or "no choices in it"))
    choice, usage = choices[0], data.get("usage") or {}
    told = choice.get("logprobs") or {}
    pairs = zip(told.get("tokens") or (), told.get("token_logprobs") or (), strict=True)
    tops = told.get("top_logprobs")
    return Reply(
        text=choice.get("text") or "", finish=_finish(choice.get("finish_reason"), {}),
        tokens_in=usage.get("prompt_tokens"), tokens_out=usage.get("completion_tokens"),
        logprobs=tuple((str(token), float(log)) for token, log in pairs) or None, raw=data,
        allowed=allowed_by(response.headers),
        alternatives=tuple(tuple(map(float, (top or {}).values())) for top in tops) if tops else None,
    )  # fmt: skip


async def send_stream(client: Any, body: dict[str, Any], on_text: Callable[[str], None]) -> Reply:
    text, refusal, finish, usage, tokens = "", "", None, None, []
    body = {**body, "stream": True, "stream_options": {"include_usage": True}}
    raw: dict[str, Any] = {}
    async with await client.chat.completions.create(**body) as chunks:
        allowed = allowed_by(chunks.response.headers)
        async for chunk in chunks:
            raw = {"id": chunk.id, "model": chunk.model}
            usage = chunk.usage or usage
            for choice in chunk.choices[:1]:
                refusal += choice.delta.refusal or ""
                finish = choice.finish_reason or finish
                if choice.logprobs and choice.logprobs.content:
                    tokens += [t.to_dict() for t in choice.logprobs.content]
                if choice.delta.content:
                    text += choice.delta.content
                    on_text(text)
    if finish is None:
        raise ValueError("the stream ended before its end")
    counts = (usage.prompt_tokens, usage.completion_tokens) if usage else (None, None)
    message = {"content": text, "refusal": refusal or None}
    raw |= {"choices": [{"message": message, "finish_reason": finish}], "usage": usage.to_dict() if usage else None}
    return Reply(
        text or refusal, _finish(finish, message), counts[0], counts[1], _logprobs(tokens), raw, allowed, _alternatives(tokens)
    )  # fmt: skip


def _finish(reason: str | None, message: Mapping[str, Any]) -> str:
    """Our word for the finish reason; a model's refusal in its own field counts as filtered."""
    if message.get("refusal") and not message.get("content"):
        return "filter"
    return _FINISH.get(reason or "stop", reason or "stop")


def _logprobs(tokens: Sequence[Mapping[str, Any]] | None) -> tuple[tuple[str, float], ...] | None:
    return tuple((str(t["token"]), float(t["logprob"])) for t in tokens) if tokens else None


def _alternatives(tokens: Sequence[Mapping[str, Any]] | None) -> tuple[tuple[float, ...], ...] | None:
    """The logs of each token's alternatives; None where the endpoint tells none."""
    tops = [tuple(float(top["logprob"]) for top in t.get("top_logprobs") or ()) for t in tokens or ()]
    return tuple(tops) if any(tops) else None


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
