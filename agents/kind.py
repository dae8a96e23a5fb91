"""Declaration of an agent kind: each file in agents/kinds/ declares one agent kind in the constant KIND. The command line, the
Agents page and the checks of settings read the declaration; no code branches on the name of a kind."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from agents.openai.profile import ProfileMemory
from core.agent import Agent
from core.catalog import catalog
from core.errors import BenchError
from core.nouns import Document


@dataclass(frozen=True, slots=True)
class AgentSetting:
    """A setting that an agent kind takes, given as --set agent.NAME=VALUE or on the Agents page."""

    name: str
    label: str
    empty: str
    """What applies if the setting's input box is empty, as shown in the box."""
    is_whole: bool = False
    may_be_zero: bool = False
    choices: Mapping[str, str] = field(default_factory=dict)
    """Dict from allowed value to its label, for a setting that is not a number; the first value means that the setting is
    unset."""
    is_object: bool = False
    """Whether the setting's value is a JSON object."""
    changes_answers: bool = False
    """Whether another value of the setting may change the agent's answers; the agent's identity includes such settings."""
    group: str = ""
    """Name of the collapsible group that contains the setting on the Agents page; empty = outside the groups, at the top."""
    help: str = ""
    check_text: Callable[[str], object] | None = None
    """Function that checks the value of a text setting and raises BenchError if it is invalid; None = not a text setting."""

    def check_value(self, value: object) -> object:
        """Return the setting's value, converted to the type that the agent takes. Raises BenchError if the value is invalid."""
        if self.is_object:
            return self._read_object(value)
        if self.choices:
            if value not in self.choices:
                raise BenchError(f"The agent's setting {self.name} is {value!r}: write one of {', '.join(self.choices)}.")
            return value
        if self.check_text is not None:
            self.check_text(value)  # type: ignore[arg-type]  # check_text refuses values that are not text
            return value
        is_number = isinstance(value, int | float) and not isinstance(value, bool) and -1e300 < value < 1e300
        number = float(value) if is_number else -1.0  # type: ignore[arg-type]
        if not is_number or not (number >= 0 if self.may_be_zero else number > 0) or (self.is_whole and number != int(number)):
            kind = "a whole number" if self.is_whole else "a number"
            least = "of at least 0" if self.may_be_zero else "above 0"
            raise BenchError(f"The agent's setting {self.name} is {value!r}: write {kind} {least}.")
        return int(number) if self.is_whole else number

    def _read_object(self, value: object) -> Mapping[str, Any]:
        if isinstance(value, str):
            try:
                value = json.loads(value)
            except (ValueError, RecursionError):
                value = None
        if not isinstance(value, Mapping):
            raise BenchError(f'The agent\'s setting {self.name} is not a JSON object: write it like {{"name": "value"}}.')
        return value


TEMPERATURE = AgentSetting("temperature", "Temperature", "the prompt's", may_be_zero=True, changes_answers=True)
THINKING_TOKENS = AgentSetting(
    "thinking_tokens",
    "Tokens for thinking",
    "4,096 if it thinks",
    is_whole=True,
    may_be_zero=True,
    changes_answers=True,
    help="Number of tokens for thinking, added to the token limit of every reply.",
)


class AgentOrder(NamedTuple):
    """Everything that an agent kind needs to build one agent: name, settings, environment, documents."""

    what: str
    """Part of the agent's name after the colon: a model, a folder or a file."""
    values: Mapping[str, Any]
    """Dict from setting name to its value, already checked."""
    environment: Mapping[str, str]
    recordings: Sequence[Path]
    documents: Callable[[], Sequence[Document]] | None
    """Function that loads the documents the agent may use; None = the agent sees only the texts in each prompt."""
    base_url: str
    key_env: str
    memory: ProfileMemory | None
    """Storage for what is learned about endpoints (accepted parameters); None = what is learned is not stored."""


@dataclass(frozen=True, kw_only=True, slots=True)
class AgentKind:
    """A kind of agent, such as a local model or an endpoint; its name is that of the file that declares it."""

    label: str
    """Short description of the agent kind."""
    badge: str = ""
    """Short description of the agent kind for a card on the Agents page; empty = use the label."""
    about: str = ""
    """Sentence about what an agent of this kind does, for kinds that are used without being saved."""
    make: Callable[[AgentOrder], Agent]
    takes: str = ""
    """Placeholder for the part of the agent's name after the colon, such as MODEL; empty = the agent is named after its
    kind."""
    takes_label: str = ""
    """Label for what follows the colon in the agent's name, such as "Model"."""
    takes_path: bool = False
    """Whether the part of the agent's name after the colon may be a file path."""
    settings: tuple[AgentSetting, ...] = ()
    needs_no_model: bool = False
    """Whether agents of this kind work by rules without a language model; their output is marked offline."""
    asks_endpoint: bool = False
    """Whether agents of this kind call an endpoint with an address and a key, and may cost money."""
    has_model: bool = False
    """Whether agents of this kind use a language model."""


def kinds() -> Mapping[str, AgentKind]:
    """Return a dict from the name of each agent kind to its declaration."""
    return catalog("agents.kinds", "KIND", AgentKind)


def kind_of(name: str) -> AgentKind | None:
    """Return the kind of the agent with the full name `name` (KIND:MODEL), or None if `name` is the name of a saved agent."""
    return kinds().get(name.partition(":")[0])


def needs_no_model(name: str | None) -> bool:
    """Return whether the agent with the stored name `name` works by rules alone, without a language model."""
    kind = kind_of(name or "")
    return kind is not None and kind.needs_no_model


def asks_endpoint(name: str) -> bool:
    """Return whether the agent with the full name `name` (KIND:MODEL) calls an endpoint."""
    kind = kind_of(name)
    return kind is not None and kind.asks_endpoint


def identity_of(name: str, settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return those entries of `settings` that can change the answers of the agent with the full name `name` (KIND:MODEL)."""
    kind = kind_of(name)
    names = [setting.name for setting in kind.settings if setting.changes_answers] if kind else []
    return {key: settings[key] for key in names if key in settings}


def full_names(of: Callable[[AgentKind], bool] = lambda kind: True) -> list[str]:
    """Return the command-line names (KIND:PLACEHOLDER) of the agent kinds for which `of` returns True; kinds without a
    placeholder come first."""
    named = {name: f"{name}:{kind.takes}" if kind.takes else name for name, kind in kinds().items() if of(kind)}
    return sorted(named.values(), key=lambda name: ":" in name)
