"""What a function is, what it returns, and the result of a call: the nouns of core/functions/functions.py."""

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
    """The only valid values of a string; () = any."""
    zh: str = ""
    """The description in Chinese; "" = use the English one."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Function:
    """A function that an agent, a template or a program may call."""

    name: str
    description: str
    parameters: tuple[Parameter, ...] = ()
    returns: str
    """The result, in words."""
    match: Literal["exact", "fuzzy"] = "exact"
    call: Callable[..., object]
    """Takes the arguments by name, without those left out. Returns a JSON value or a FunctionResult; raises BenchError."""
    ends: bool = False
    """Whether a call ends the work, with its value as the answer."""
    zh: str = ""
    """The description in Chinese; "" = use the English one."""
    zh_returns: str = ""


class FunctionResult(NamedTuple):
    """The result of a function that has its own words or passages for its value."""

    value: object
    text: str
    spans: tuple[Span, ...] = ()


@dataclass(frozen=True, slots=True)
class Observation:
    """The result of one call. A call that finds nothing succeeds; a call that cannot be made fails."""

    text: str
    """The result as shown; the sentence of `error` after a failure."""
    value: Any = None
    """JSON value; None when there is none, and after a failure."""
    ok: bool = True
    error: str | None = None
    """One sentence: what is wrong and what would be right."""
    trouble: Trouble = ""
    spans: tuple[Span, ...] = ()
    """Passages of documents in the result."""
    arguments: Mapping[str, Any] = field(default_factory=dict)
    """The arguments as passed to the function."""
    ends: bool = False
    """Whether the work ends here, with `value` as the answer."""
