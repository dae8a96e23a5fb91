"""Finds out which parameter an endpoint refused, from the body of its error answer: first by the fields `param`, `field` and
`loc` of the error, then by the error message. This module reads the error before secrets are redacted."""

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
"""Dict from our name of a parameter to the names that it has in a request."""
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
"""Dict from our name of a parameter to the pattern of its wording in error messages."""
_FOR_ALL = re.compile(
    r"(?i)unsupported|not (be )?support|n[o']t support|unknown|unrecogni[sz]ed|unexpected|not permitted|not allowed|deprecated"
    r"|cannot find field|not enabled|extra_forbidden|extra (field|input)|no longer|unavailable|only .{0,20}default"
)
"""Pattern of error messages that mean the endpoint never accepts the parameter; any other refusal concerns only the value
sent."""
_NO_FUNCTIONS = re.compile(r"requires --|support (tool|function)")
"""Pattern of the error messages of vLLM, llama.cpp and OpenRouter that mean the endpoint never accepts functions."""
_ONE_FUNCTION = re.compile(r"\btools(\[|\.)\d|schema for function|function_declarations")
"""Pattern of error messages about the definition of one function; the endpoint may accept other functions."""
_MAXIMUM = re.compile(
    r"(?:at most|less than or equal to|up to|<=|≤|cannot exceed|maximum (?:value )?(?:is|of))\D{0,4}(\d{2,9})"
    r"|> (\d{2,9}), which is"
)
_WITHOUT_EFFORT = re.compile(r"set reasoning_effort to ['\"`]?none")
"""Pattern of the message with which an endpoint rejects functions together with reasoning."""
_WITH_THINKING = re.compile(r"reasoning_content.{0,60}(passed back|missing|required)|[Mm]issing .{0,3}reasoning_content")
"""Pattern of the message with which an endpoint requires the thinking of earlier turns to be sent back."""
_PLAIN_WORDS = {"stop", "seed", "stream", "tools", "functions", "temperature"}
_PLAIN_WORD = (
    r"(?i)['\"`]{}['\"`]|(?:param(?:eter)?s?|field|argument|name|supports?):? {}\b"
    r"|\b{}:? (?:param|is|are|does|must|should|may|cannot)"
)
"""Pattern for a parameter whose name is also an English word (stop, seed ...); it matches only where the message uses the word
as a name."""
_MAX_DEPTH = 12
"""Maximum depth to which the nested objects of an error body are searched."""


class Refusal(NamedTuple):
    """Which parameter of a request an endpoint refused, and how."""

    parameter: str
    """Our name of the refused parameter, or extra.NAME for a part of agent.extra; "" if the endpoint does not name it."""
    is_general: bool = True
    """Whether the model never accepts the parameter; False = it refused only the value sent."""
    may_rename: bool = False
    """Whether the endpoint may accept the parameter under another name, because it refuses fields that it does not know."""
    most: int | None = None
    """Highest token limit that the endpoint says it accepts."""


NOT_SAID = Refusal("")
"""Refusal for an error message that names no parameter."""


def read_refusal(body: Any, sent: Collection[str], extra: Collection[str] = ()) -> Refusal:
    """Return which parameter the endpoint refused. `body` is the decoded JSON of its answer, `sent` contains Benchwright's
    names of the parameters in the request, and `extra` the names of the fields that the setting agent.extra adds."""
    objects = list(_objects(body))
    words = " ".join(text for record in objects for key in _MESSAGES if isinstance(text := record.get(key), str))
    codes = " ".join(str(record.get(key) or "") for record in objects for key in ("code", "type"))
    if "tools" in sent and _WITHOUT_EFFORT.search(words):
        return Refusal("tools_effort")
    if "tools" in sent and _WITH_THINKING.search(words):
        return Refusal("returns_thinking")
    fields = list(_fields(objects))
    parameter = next((p for name in fields if (p := _ours(name, words, sent, extra))), "")
    parameter = parameter or _by_words(words, sent, extra)
    if not parameter:
        return NOT_SAID
    maximum = _MAXIMUM.search(words) if parameter == "token_limit" else None
    is_general = parameter == "reasoning" or bool(_FOR_ALL.search(f"{words} {codes}"))
    if parameter == "tools":
        is_general = (is_general or bool(_NO_FUNCTIONS.search(words))) and not _ONE_FUNCTION.search(" ".join([*fields, words]))
    most = int(maximum[1] or maximum[2]) if maximum else None
    return Refusal(parameter, is_general, bool(re.search("extra_forbidden|nknown", f"{words} {codes}")), most)


_MESSAGES = ("message", "msg", "detail", "description", "error", "raw")


def _objects(node: Any, depth: int = 0) -> Iterator[Mapping[str, Any]]:
    """Yield every object in the body of an error, including objects encoded as text, because proxies quote the error of the
    endpoint behind them and vLLM prints errors as Python lists."""
    if depth > _MAX_DEPTH:
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
    """Yield the names of the fields that an error body blames: `param`, `field`, or `loc` without its first part ("body")."""
    for record in objects:
        if isinstance(param := record.get("param") or record.get("field"), str):
            yield param
        if isinstance(loc := record.get("loc"), list | tuple):
            yield ".".join(str(part) for part in loc if part != "body")


def _ours(field: str, words: str, sent: Collection[str], extra: Collection[str]) -> str:
    """Return Benchwright's name for a field that the endpoint blames, if it was sent in the request; "" for any other field."""
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
    """Return the parameter, among those sent, that an error message mentions first; "" if it mentions none."""
    places: dict[str, int] = {}
    names = [(f"extra.{name}", re.escape(name)) for name in extra]
    names += [(ours, re.escape(wire)) for ours, wires in WIRE_NAMES.items() if ours in sent for wire in wires]
    for ours, pattern in names:
        as_name = _PLAIN_WORD if pattern in _PLAIN_WORDS else r"(?<![\w.]){}(?!\w)"
        if match := re.search(as_name.format(*[pattern] * as_name.count("{}")), words):
            places[ours] = min(places.get(ours, match.start()), match.start())
    if not places:
        for ours, pattern in _IN_WORDS.items():
            if ours in sent and (match := re.search(pattern, words, re.IGNORECASE)):
                places[ours] = match.start()
    return min(places, key=places.__getitem__) if places else ""
