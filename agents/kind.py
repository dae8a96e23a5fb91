"""Declaration of an agent kind: one file in agents/kinds/ with a constant KIND. The command line, the Agents page and the
settings checks read the declaration; no code compares kinds by name."""

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
    """A setting of an agent, set with --set agent.NAME=VALUE or on the Agents page."""

    name: str
    label: str
    empty: str
    """Meaning of an empty box."""
    is_whole: bool = False
    may_be_zero: bool = False
    choices: Mapping[str, str] = field(default_factory=dict)
    """Value -> label, for a setting that is not a number; the first value means unset."""
    is_object: bool = False
    """Whether the value is a JSON object."""
    changes_answers: bool = False
    """Whether another value may change the answers; the agent's identity includes such settings."""
    group: str = ""
    """Name of the collapsible group on the Agents page; empty = shown at the top."""
    help: str = ""
    check_text: Callable[[str], object] | None = None
    """Check of a text setting; raises BenchError for an invalid value."""

    def check_value(self, value: object) -> object:
        """Return the value in the form that the agent takes. Raises BenchError for an invalid value."""
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
            least = "from 0" if self.may_be_zero else "above 0"
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
    """Inputs for building an agent."""

    what: str
    """Part of the agent's name after the colon."""
    values: Mapping[str, Any]
    """Checked settings."""
    environment: Mapping[str, str]
    recordings: Sequence[Path]
    documents: Callable[[], Sequence[Document]] | None
    """Loads the documents that the agent may use; None = only the texts of each prompt."""
    base_url: str
    key_env: str
    memory: ProfileMemory | None
    """Store for learned endpoint profiles; None = not stored."""


@dataclass(frozen=True, kw_only=True, slots=True)
class AgentKind:
    """One agent kind, named after its file."""

    label: str
    """Short description of the kind."""
    badge: str = ""
    """Short description on a card; empty = the label."""
    about: str = ""
    """Sentence on the behaviour of a kind that is used without being saved."""
    make: Callable[[AgentOrder], Agent]
    takes: str = ""
    """Placeholder for the part of the name after the colon ("MODEL"); empty = the agent is named after the kind."""
    takes_label: str = ""
    """Label of that placeholder ("Model")."""
    takes_path: bool = False
    """Whether the part after the colon may be a path."""
    settings: tuple[AgentSetting, ...] = ()
    needs_no_model: bool = False
    """Whether the agent works by rules; its output is marked offline."""
    asks_endpoint: bool = False
    """Whether the agent has an address and a key, and may cost money."""
    has_model: bool = False
    """Whether the agent uses a language model."""


def kinds() -> Mapping[str, AgentKind]:
    """Return all agent kinds by name."""
    return catalog("agents.kinds", "KIND", AgentKind)


def kind_of(name: str) -> AgentKind | None:
    """Return the kind of an agent's full name, or None for a saved name."""
    return kinds().get(name.partition(":")[0])


def needs_no_model(name: str | None) -> bool:
    """Return whether the agent with that stored name works by rules alone."""
    kind = kind_of(name or "")
    return kind is not None and kind.needs_no_model


def asks_endpoint(name: str) -> bool:
    """Return whether the agent with that full name calls an endpoint."""
    kind = kind_of(name)
    return kind is not None and kind.asks_endpoint


def identity_of(name: str, settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings that can change an answer of the agent with that full name."""
    kind = kind_of(name)
    names = [setting.name for setting in kind.settings if setting.changes_answers] if kind else []
    return {key: settings[key] for key in names if key in settings}


def full_names(of: Callable[[AgentKind], bool] = lambda kind: True) -> list[str]:
    """Return the command-line names of the kinds that satisfy `of`, kinds without a placeholder first."""
    named = {name: f"{name}:{kind.takes}" if kind.takes else name for name, kind in kinds().items() if of(kind)}
    return sorted(named.values(), key=lambda name: ":" in name)
