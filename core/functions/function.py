"""A function that an agent may call, its parameters, its result, and the observation that a call returns."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from core.nouns import Span

Type = Literal["string", "integer", "number", "boolean"]
Trouble = Literal["", "unknown_function", "bad_arguments", "failed"]


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of a function that an agent may call."""

    name: str
    type: Type
    description: str
    required: bool = True
    choices: tuple[str, ...] = ()
    """Allowed values of a string parameter; () = any value."""
    zh: str = ""
    """Description of the parameter in Chinese; "" = the English description is used."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Function:
    """A function that an agent, a template or a program may call."""

    name: str
    description: str
    parameters: tuple[Parameter, ...] = ()
    returns: str
    """Description of what the function returns, in English."""
    match: Literal["exact", "fuzzy"] = "exact"
    call: Callable[..., object]
    """Python function that takes the arguments by name and returns a JSON value or a FunctionResult. Raises BenchError for a
    fault that the caller can fix."""
    ends: bool = False
    """Whether calling the function ends the agent's work, with the value of the call as the answer."""
    zh: str = ""
    """Description of the function in Chinese; "" = the English description is used."""
    zh_returns: str = ""


class FunctionResult(NamedTuple):
    """Result of a function that returns a text or passages of documents besides its value."""

    value: object
    text: str
    spans: tuple[Span, ...] = ()


@dataclass(frozen=True, slots=True)
class Observation:
    """The result of one function call, as the caller (such as an agent) receives it. A call that finds nothing succeeds; a call
    with invalid arguments fails."""

    text: str
    """Result of the call as text; after a failure, the sentence in `error`."""
    value: Any = None
    """Result of the call as a JSON value, or None if the call failed or has no such result."""
    ok: bool = True
    error: str | None = None
    """Sentence that names the fault and shows a correct call, or None if the call succeeded."""
    trouble: Trouble = ""
    spans: tuple[Span, ...] = ()
    """Passages of documents that the call returned."""
    arguments: Mapping[str, Any] = field(default_factory=dict)
    """Dict from argument name to the value that the function was called with."""
    ends: bool = False
    """Whether the call ends the agent's work, with `value` as the answer."""
