"""Which parameter an endpoint refuses, read from the body of its 400 or 422: by the error's own `param`, `loc` or field first,
by its words last. It is read before anything is redacted."""

import ast
import json
import re
from collections.abc import Collection, Iterator, Mapping
from typing import Any, NamedTuple

WIRE_NAMES: Mapping[str, tuple[str, ...]] = {
    "token_limit": ("max_tokens", "max_completion_tokens"),
    "temperature": ("temperature",),
    "top_p": ("top_p",),
    "stop": ("stop",),
    "seed": ("seed", "random_seed"),
    "logprobs": ("logprobs", "top_logprobs"),
    "tools": ("tools", "tool_choice", "functions"),
    "reasoning": ("reasoning_effort",),
    "stream_usage": ("stream_options", "include_usage"),
    "stream": ("stream",),
    "structured": ("response_format", "json_schema", "json_object"),
}
"""Our name of a parameter -> its names in a request."""
_IN_WORDS: Mapping[str, str] = {
    "system": r"system (role|message|prompt|instruction)|developer (role|message|instruction)|role '?\"?system"
    r"|'system' with this model",
    "tools": r"(tool|function)[ _-]?(use|call|calling|choice)",
    "structured": r"json mode|json schema|structured output|guided (json|decoding)|response format",
    "logprobs": r"log ?prob(s|abilities)",
    "reasoning": r"reasoning effort|thinking level",
    "stream": r"to stream this model|streaming",
    "token_limit": r"output tokens|completion tokens",
}
"""Our name of a parameter -> how sentences speak of it."""
_FOR_ALL = re.compile(
    r"(?i)unsupported|not (be )?support|n[o']t support|unknown|unrecogni[sz]ed|unexpected|not permitted|not allowed|deprecated"
    r"|cannot find field|not enabled|extra_forbidden|extra (field|input)|no longer|unavailable|only .{0,20}default"
)
"""The endpoint never takes it; any other refusal is of this request's value alone."""
_MOST = re.compile(
    r"(?:at most|less than or equal to|up to|<=|≤|cannot exceed|maximum (?:value )?(?:is|of))\D{0,4}(\d{2,9})"
    r"|> (\d{2,9}), which is"
)
_WITHOUT_EFFORT = re.compile(r"set reasoning_effort to ['\"`]?none")
"""Functions and reasoning are not taken together."""
_WITH_THINKING = re.compile(r"reasoning_content.{0,60}(passed back|missing|required)|[Mm]issing .{0,3}reasoning_content")
"""The thinking of earlier turns is wanted back."""
_PLAIN_WORDS = {"stop", "seed", "stream", "tools", "functions", "temperature"}
_PLAIN_WORD = (
    r"(?i)['\"`]{}['\"`]|(?:param(?:eter)?s?|field|argument|name|supports?):? {}\b"
    r"|\b{}:? (?:param|is|are|does|must|should|may|cannot)"
)
"""A parameter's name that is a word of plain English is taken for the parameter only where it stands like one."""
_DEPTH = 12
"""Objects within each other that are looked into."""


class Refusal(NamedTuple):
    """One refused parameter."""

    parameter: str
    """Our name, or extra.NAME for a part of agent.extra; "" when the endpoint does not say which."""
    is_general: bool = True
    """Whether the model never takes it; False = this value was out of bounds."""
    may_rename: bool = False
    """Whether the endpoint may know it by another name: it refuses fields that it does not know."""
    most: int | None = None
    """The highest limit of tokens that the endpoint says it allows."""


NOT_SAID = Refusal("")
"""The endpoint does not say what it refuses."""


def read_refusal(body: Any, sent: Collection[str], extra: Collection[str] = ()) -> Refusal:
    """What was refused. `body` is the JSON of the answer, `sent` our names of what the request held, `extra` the names that
    agent.extra added."""
    objects = list(_objects(body))
    words = " ".join(text for one in objects for key in _MESSAGES if isinstance(text := one.get(key), str))
    codes = " ".join(str(one.get(key) or "") for one in objects for key in ("code", "type"))
    if "tools" in sent and _WITHOUT_EFFORT.search(words):
        return Refusal("tools_effort")
    if "tools" in sent and _WITH_THINKING.search(words):
        return Refusal("returns_thinking")
    parameter = next((p for name in _fields(objects) if (p := _ours(name, words, sent, extra))), "")
    parameter = parameter or _by_words(words, sent, extra)
    if not parameter:
        return NOT_SAID
    found = _MOST.search(words) if parameter == "token_limit" else None
    is_general = parameter == "reasoning" or bool(_FOR_ALL.search(f"{words} {codes}"))
    most = int(found[1] or found[2]) if found else None
    return Refusal(parameter, is_general, bool(re.search("extra_forbidden|nknown", f"{words} {codes}")), most)


_MESSAGES = ("message", "msg", "detail", "description", "error", "raw")


def _objects(node: Any, depth: int = 0) -> Iterator[Mapping[str, Any]]:
    """Every object of the body, those that stand as text within it included: proxies quote the error of the endpoint behind
    them, and vLLM prints Python's lists."""
    if depth > _DEPTH:
        return
    if isinstance(node, str) and node.strip()[:1] in ("{", "["):
        node = _read_text(node.strip())
    if isinstance(node, Mapping):
        yield node
    if isinstance(node, Mapping | list | tuple):
        for inner in node.values() if isinstance(node, Mapping) else node:
            yield from _objects(inner, depth + 1)


def _read_text(text: str) -> Any:
    for read in (json.loads, ast.literal_eval):
        try:
            return read(text)
        except (ValueError, SyntaxError, RecursionError, MemoryError):
            continue
    return None


def _fields(objects: list[Mapping[str, Any]]) -> Iterator[str]:
    """Names of refused fields as the body gives them: `param`, `loc` without its first part (body), `field`."""
    for one in objects:
        if isinstance(param := one.get("param") or one.get("field"), str):
            yield param
        if isinstance(loc := one.get("loc"), list | tuple):
            yield ".".join(str(part) for part in loc if part != "body")


def _ours(field: str, words: str, sent: Collection[str], extra: Collection[str]) -> str:
    """Our name for a field of the request that was sent; "" for any other."""
    parts = re.split(r"[.\[\]]+", field)
    if parts[0] in extra:
        return f"extra.{parts[0]}"
    if parts[0] == "messages":
        return "system" if "system" in sent and re.search(r"(?i)\b(system|developer)\b", words) else ""
    for name, wire in WIRE_NAMES.items():
        if name in sent and parts[0] in wire:
            return "stream_usage" if field.startswith("stream_options") else name
    return ""


def _by_words(words: str, sent: Collection[str], extra: Collection[str]) -> str:
    """The parameter that the words name first; what was not sent is passed over."""
    places: dict[str, int] = {}
    names = [(f"extra.{name}", re.escape(name)) for name in extra]
    names += [(ours, re.escape(wire)) for ours, wires in WIRE_NAMES.items() if ours in sent for wire in wires]
    for ours, pattern in names:
        as_name = _PLAIN_WORD if pattern in _PLAIN_WORDS else r"(?<![\w.]){}(?!\w)"
        if found := re.search(as_name.format(*[pattern] * as_name.count("{}")), words):
            places[ours] = min(places.get(ours, found.start()), found.start())
    if not places:
        for ours, pattern in _IN_WORDS.items():
            if ours in sent and (found := re.search(pattern, words, re.IGNORECASE)):
                places[ours] = found.start()
    return min(places, key=places.__getitem__) if places else ""
