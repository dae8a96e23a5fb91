"""Reads an agent's reply into values: parsed as JSON, repaired if only the JSON is faulty, then validated strictly against the
prompt's reply schema. If a reply does not fit, the agent is asked again, at most twice, with the reason; nothing is
invented."""

import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from core.agent import Completion, Sampling
from core.errors import Unreadable
from core.nouns import Message, Prompt

MAX_REGENERATIONS = 2
"""Maximum number of further requests after an unreadable reply."""
MAX_SHOWN_CHARACTERS = 2000
"""Maximum number of characters of an unreadable reply that the next request quotes."""
MAX_OBJECTS = 50
"""Maximum number of JSON objects, counted from the end of a reply, that are tried."""
MAX_REPAIRED_CHARACTERS = 50_000
RETRY_NOTE = {
    "en": "That reply cannot be used: {why}\nReply once more, with one whole JSON object of the asked form and nothing else.",
    "zh": "上面的回复无法使用：{why}\n请重新回复：只给出一个完整的、符合要求格式的 JSON 对象，不要任何其他文字。",
}
Ask = Callable[[Prompt, Mapping[str, object], Sampling], Awaitable[Completion]]
"""One call to an agent."""


class Reply(NamedTuple):
    """The values of a reply that fit the schema, and the ids of the ledger's calls that produced them."""

    values: dict[str, Any]
    calls: tuple[str, ...]


def parse(prompt: Prompt, completion: Completion) -> dict[str, Any]:
    """Return the fields of the reply, or {"text": ...} for a prompt without a schema.

    If the schema has a field `none` and the reply fills it, the other fields may be empty or missing. Raises Unreadable if the
    reply was cut off or filtered, is not one complete JSON object, or has a missing, mistyped or empty field."""
    text, calls = completion.text, (completion.call,) if completion.call else ()
    if completion.finish in ("length", "filter", "content_filter"):
        how = "was cut off by its length limit" if completion.finish == "length" else "was held back by the endpoint's filter"
        raise Unreadable(f"The reply to {prompt.name} {how}.", text=text, calls=calls)
    if prompt.schema is None:
        return {"text": text.strip()}
    objects = _find_objects(text)
    if isinstance(objects, str):
        raise Unreadable(f"The reply to {prompt.name} {objects}.", text=text, calls=calls)
    why = ""
    for candidate in objects[: -MAX_OBJECTS - 1 : -1]:
        values, why = _validate_object(prompt.schema, candidate)
        if not why:
            return values
    raise Unreadable(f"The reply to {prompt.name} does not have the expected fields: {why}.", text=text, calls=calls)


async def ask_for(
    ask: Ask,
    prompt: Prompt,
    inputs: Mapping[str, object],
    sampling: Sampling,
    check: Callable[[dict[str, Any]], str | None] | None = None,
) -> Reply:
    """Return a readable reply that passes `check`, after at most 1 + REGENERATIONS requests. `check` maps the values to a
    description of the error, or None.

    Each repeated request contains the last reply and its error. Raises Unreadable with the ids of all calls."""
    calls: list[str] = []
    current, settings = prompt, sampling
    for left in range(MAX_REGENERATIONS, -1, -1):
        completion = await ask(current, inputs, settings)
        if completion.call:
            calls.append(completion.call)
        try:
            values = parse(prompt, completion)
            fault = check(values) if check and not values.get("none") else None
            if fault is None:
                return Reply(values, tuple(calls))
            why = f"The reply to {prompt.name} does not hold together: {fault}."
        except Unreadable as error:
            why = str(error)
        if not left or completion.finish in ("filter", "content_filter"):
            break
        if completion.finish == "length":
            settings = replace(sampling, max_tokens=2 * sampling.max_tokens)
        current = _add_fault(prompt, completion.text, why)
    raise Unreadable(why, text=completion.text, calls=tuple(calls))


def _add_fault(prompt: Prompt, text: str, why: str) -> Prompt:
    """Return the prompt followed by the unusable reply and the reason. The result is a different request with a different key
    in the ledger."""
    note = RETRY_NOTE.get(prompt.language, RETRY_NOTE["en"]).format(why=why)
    shown = text.strip()[:MAX_SHOWN_CHARACTERS] or "(empty)"
    more = (Message("assistant", shown.replace("$", "$$")), Message("user", note.replace("$", "$$")))
    return replace(prompt, messages=prompt.messages + more)


def _find_objects(text: str) -> list[dict[str, Any]] | str:
    """Return the JSON objects of a reply in order, without code fences and surrounding prose, or a description of the error."""
    text = text.lstrip("\ufeff").strip()
    at = text.find("{")
    if at < 0:
        return "holds no JSON object"
    decoder, objects = json.JSONDecoder(strict=False), list[dict[str, Any]]()
    while at >= 0:
        try:
            value, end = decoder.raw_decode(text, at)
        except (
            ValueError,
            RecursionError,
        ):  # faulty JSON, a number with thousands of digits, or JSON nested deeper than any schema
            return objects + _repair_object(text[at:]) or "breaks off before its JSON object ends"
        objects.append(value)
        at = text.find("{", end)
    return objects


def _repair_object(text: str) -> list[dict[str, Any]]:
    """Return the object of a text with faulty JSON as a list, or [] if the object is incomplete.

    json-repair would complete a reply that was cut off and so return half an answer. An object is therefore incomplete if it
    has more opening than closing braces, or a comma, colon or string after the last brace."""
    from json_repair import loads

    body = text[: text.rfind("}") + 1]
    is_cut = body.count("{") > body.count("}") or text[len(body) :].lstrip()[:1] in {",", "，", '"', "“", ":"}
    if not body or len(body) > MAX_REPAIRED_CHARACTERS or is_cut:
        return []
    try:
        value = loads(body)
    except (ValueError, RecursionError):
        return []
    return [_map_strings(value, _drop_closing_quote)] if isinstance(value, dict) else []


def _drop_closing_quote(text: str) -> str:
    """Return the text without a stray closing quotation mark, which a repair leaves behind if it took the opening one for JSON
    syntax."""
    return text[:-1] if text.endswith("”") and "“" not in text else text


def _validate_object(schema: Mapping[str, Any], value: dict[str, Any]) -> tuple[dict[str, Any], str]:
    """Return (values, "") if the values fit the schema, else ({}, description of the error)."""
    from prompts.reply_schema import read_reply

    may_decline, reason = "none" in schema.get("properties", {}), value.get("none")
    if may_decline and isinstance(reason, str) and reason.strip():
        return {"none": reason.strip()}, ""
    try:
        values = read_reply(schema, value)
    except ValueError as error:
        return {}, str(error)
    values = {name: part for name, part in _map_strings(values, str.strip).items() if name != "none" or part}
    fields = schema.get("required", ()) if may_decline else ()
    empty = [name for name in fields if name != "none" and values.get(name) in ("", [], None)]
    return (values, "") if not empty else ({}, f"field {empty[0]} is empty and no reason is given under none")


def _map_strings(value: Any, change: Callable[[str], str]) -> Any:
    """Return the value with the function `change` applied to each string at any depth."""
    if isinstance(value, dict):
        return {name: _map_strings(part, change) for name, part in value.items()}
    if isinstance(value, list):
        return [_map_strings(part, change) for part in value]
    return change(value) if isinstance(value, str) else value
