"""The nouns of core/functions/functions.py: a function, its result, and the observation of a call."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from core.nouns import Span

Type = Literal["string", "integer", "number", "boolean"]
Trouble = Literal["", "unknown_function", "bad_arguments", "failed"]


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of a function."""

    name: str
    type: Type
    description: str
    required: bool = True
    choices: tuple[str, ...] = ()
    """Valid values of a string; () = any value."""
    zh: str = ""
    """Description in Chinese; "" = the English description is used."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Function:
    """A function that an agent, a template or a program may call."""

    name: str
    description: str
    parameters: tuple[Parameter, ...] = ()
    returns: str
    """Description of the result, in English."""
    match: Literal["exact", "fuzzy"] = "exact"
    call: Callable[..., object]
    """Callable that takes the given arguments by name. Returns a JSON value or a FunctionResult; raises BenchError."""
    ends: bool = False
    """Whether a call ends the agent's work, with the call's value as the answer."""
    zh: str = ""
    """Description in Chinese; "" = the English description is used."""
    zh_returns: str = ""


class FunctionResult(NamedTuple):
    """The result of a function that provides a text or passages together with its value."""

    value: object
    text: str
    spans: tuple[Span, ...] = ()


@dataclass(frozen=True, slots=True)
class Observation:
    """The result of one call. A call with no matches succeeds; a call with invalid arguments fails."""

    text: str
    """Text of the result; the sentence of `error` after a failure."""
    value: Any = None
    """JSON value, or None when the call has no value or failed."""
    ok: bool = True
    error: str | None = None
    """One sentence with the fault and the correct form, or None after a success."""
    trouble: Trouble = ""
    spans: tuple[Span, ...] = ()
    """Passages of documents in the result."""
    arguments: Mapping[str, Any] = field(default_factory=dict)
    """Arguments passed to the function, by name."""
    ends: bool = False
    """Whether the call ends the agent's work, with `value` as the answer."""
