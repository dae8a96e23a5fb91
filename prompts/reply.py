"""An agent's reply becomes values: read as JSON, repaired where only the JSON is at fault, then held strictly against the
prompt's reply schema (gate G0). A reply that does not fit is asked for again, at most twice, with the reason; nothing is
invented."""

import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from core.agent import Completion, Sampling
from core.errors import Unreadable
from core.nouns import Message, Prompt
from core.text.thinking import strip_thinking

REGENERATIONS = 2
"""How often an unreadable reply is asked for again (construction.md, G0)."""
MAX_SHOWN_CHARACTERS = 2000
"""Characters of an unreadable reply that the agent is shown again."""
MOST, LONGEST_REPAIRED = 50, 50_000
"""Objects of a reply that are looked at, its last ones, and characters of faulty JSON that are repaired."""
RETRY_NOTE = {
    "en": "That reply cannot be used: {why}\nReply once more, with one whole JSON object of the asked form and nothing else.",
    "zh": "上面的回复无法使用：{why}\n请重新回复：只给出一个完整的、符合要求格式的 JSON 对象，不要任何其他文字。",
}


Ask = Callable[[Prompt, Mapping[str, object], Sampling], Awaitable[Completion]]
"""One call to an agent."""


class Reply(NamedTuple):
    """Values that fit the schema, and the ledger's calls it took."""

    values: dict[str, Any]
    calls: tuple[str, ...]


def parse(prompt: Prompt, completion: Completion) -> dict[str, Any]:
    """The reply's fields. A prompt without a schema gives {"text": ...}. Where the schema has a field `none` and the reply
    fills it, the other fields may be empty or missing. Raises Unreadable on a cut or filtered reply, on anything that is not
    one whole JSON object, on a missing, mistyped or empty field."""
    text, calls = completion.text, (completion.call,) if completion.call else ()
    if completion.finish in ("length", "filter", "content_filter"):
        how = "was cut off by its length limit" if completion.finish == "length" else "was held back by the endpoint's filter"
        raise Unreadable(f"The reply to {prompt.name} {how}.", text=text, calls=calls)
    if prompt.schema is None:
        return {"text": text.strip()}
    found = _objects(text)
    if isinstance(found, str):
        raise Unreadable(f"The reply to {prompt.name} {found}.", text=text, calls=calls)
    why = ""
    for candidate in found[: -MOST - 1 : -1]:
        values, why = _validated(prompt.schema, candidate)
        if not why:
            return values
    raise Unreadable(f"The reply to {prompt.name} does not fit its form: {why}.", text=text, calls=calls)


async def ask_for(
    ask: Ask,
    prompt: Prompt,
    inputs: Mapping[str, object],
    sampling: Sampling,
    check: Callable[[dict[str, Any]], str | None] | None = None,
) -> Reply:
    """Asks until the reply can be read and `check` (values -> what is wrong, or None) is content, at most 1 + REGENERATIONS
    times; each further request carries the reply and what was wrong with it. Raises Unreadable with every call's id."""
    calls: list[str] = []
    asked, wanted = prompt, sampling
    for left in range(REGENERATIONS, -1, -1):
        completion = await ask(asked, inputs, wanted)
        if completion.call:
            calls.append(completion.call)
        try:
            values = parse(prompt, completion)
            wrong = check(values) if check and not values.get("none") else None
            if wrong is None:
                return Reply(values, tuple(calls))
            why = f"The reply to {prompt.name} does not hold together: {wrong}."
        except Unreadable as error:
            why = str(error)
        if not left or completion.finish in ("filter", "content_filter"):
            break
        if completion.finish == "length":
            wanted = replace(sampling, max_tokens=2 * sampling.max_tokens)
        asked = _again(prompt, completion.text, why)
    raise Unreadable(why, text=completion.text, calls=tuple(calls))


def _again(prompt: Prompt, text: str, why: str) -> Prompt:
    """The same prompt with the unusable reply and the reason behind it: another request, so another key in the ledger."""
    words = RETRY_NOTE.get(prompt.language, RETRY_NOTE["en"]).format(why=why)
    shown = text.strip()[:MAX_SHOWN_CHARACTERS] or "(empty)"
    more = (Message("assistant", shown.replace("$", "$$")), Message("user", words.replace("$", "$$")))
    return replace(prompt, messages=prompt.messages + more)


def _objects(text: str) -> list[dict[str, Any]] | str:
    """The JSON objects of a reply in their order (fences, thinking and prose around them left out), or what is wrong."""
    text = strip_thinking(text).lstrip("\ufeff").strip()
    start = text.find("{")
    if start < 0:
        return "holds no JSON object"
    decoder, found, at = json.JSONDecoder(strict=False), [], start
    while at >= 0:
        try:
            value, end = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):  # faulty, a number of thousands of digits, or nested beyond any schema
            break
        found.append(value)
        at = text.find("{", end)
    if found and at < 0:
        return found
    return found + _repaired(text[at:]) or "breaks off before its JSON object ends"


def _repaired(text: str) -> list[dict[str, Any]]:
    """The object of a text whose JSON is faulty; empty when it is not whole. json-repair would close a reply that was cut and
    hand over half an answer, so more opening than closing braces mean: not whole."""
    from json_repair import loads

    body = text[: text.rfind("}") + 1]
    if not body or len(body) > LONGEST_REPAIRED or body.count("{") > body.count("}") or _goes_on(text[len(body) :]):
        return []
    try:
        value = loads(body)
    except (ValueError, RecursionError):
        return []
    return [_unquoted(value)] if isinstance(value, dict) else []


def _goes_on(rest: str) -> bool:
    """Whether what follows the last closing brace is more of the object (a comma, a colon, a string) and no prose."""
    return rest.lstrip()[:1] in {",", "，", '"', "“", ":"}


def _unquoted(value: Any) -> Any:
    """Strings without the closing quotation mark that a repair leaves behind when the opening one was taken for JSON's own."""
    if isinstance(value, dict):
        return {k: _unquoted(v) for k, v in value.items()}
    if isinstance(value, list):
        return [_unquoted(v) for v in value]
    return value[:-1] if isinstance(value, str) and value.endswith("”") and "“" not in value else value


def _validated(schema: Mapping[str, Any], value: dict[str, Any]) -> tuple[dict[str, Any], str]:
    """(values, "") when they fit, else ({}, what is wrong)."""
    from prompts.reply_schema import read_reply

    reason = value.get("none")
    declined = "none" in schema.get("properties", {}) and isinstance(reason, str) and bool(reason.strip())
    fields = schema.get("required", ()) if "none" in schema.get("properties", {}) and not declined else ()
    if declined:
        return {"none": str(reason).strip()}, ""
    try:
        values = read_reply(schema, value)
    except ValueError as error:
        return {}, str(error)
    values = {name: part for name, part in _stripped(values).items() if name != "none" or part}
    empty = [name for name in fields if name != "none" and values.get(name) in ("", [], None)]
    return (values, "") if not empty else ({}, f"field {empty[0]} is empty and no reason is given under none")


def _stripped(value: Any) -> Any:
    """Strings without white space around them, at any depth."""
    if isinstance(value, dict):
        return {k: _stripped(v) for k, v in value.items()}
    if isinstance(value, list):
        return [_stripped(v) for v in value]
    return value.strip() if isinstance(value, str) else value
