"""The nouns of core/functions/functions.py: what a function is, what it gives, and what a call of it came to."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from core.nouns import Span

Type = Literal["string", "integer", "number", "boolean"]
Trouble = Literal["", "unknown_function", "bad_arguments", "failed"]


@dataclass(frozen=True, slots=True)
class Parameter:
    """One argument of a function."""

    name: str
    type: Type
    description: str
    required: bool = True
    choices: tuple[str, ...] = ()
    """The only values of a string that there are; () = any."""
    zh: str = ""
    """The description in Chinese; "" = the English one serves."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Function:
    """One function: what it is called, takes, gives, and does."""

    name: str
    description: str
    parameters: tuple[Parameter, ...] = ()
    returns: str
    """What comes back, in words."""
    match: Literal["exact", "fuzzy"] = "exact"
    call: Callable[..., object]
    """Given its arguments by name, those that were left out not at all. Gives a JSON value, or Found; raises BenchError when
    it cannot do that."""
    ends: bool = False
    """Calling it ends the work; its value is the answer."""
    zh: str = ""
    """The description in Chinese; "" = the English one serves."""
    zh_returns: str = ""


class FunctionResult(NamedTuple):
    """What a function gives that has words or passages of its own for its value."""

    value: object
    text: str
    spans: tuple[Span, ...] = ()


@dataclass(frozen=True, slots=True)
class Observation:
    """What one call came to. A call that found nothing is a good call; one that could not be made is not."""

    text: str
    """What is shown of it; the sentence of `error` when it went wrong."""
    value: Any = None
    """JSON value; None when there is none, and when it went wrong."""
    ok: bool = True
    error: str | None = None
    """One sentence: what is wrong and what would be right."""
    trouble: Trouble = ""
    spans: tuple[Span, ...] = ()
    """Passages of documents that it shows."""
    arguments: Mapping[str, Any] = field(default_factory=dict)
    """The arguments as the function was given them."""
    ends: bool = False
    """The work ends here, with `value` as the answer."""
