"""What a kind of agent is: one file in agents/kinds/, its constant KIND. The command line, the Agents page and the checks of
settings read the declaration; nobody asks for a kind by its name to decide what to do."""

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
    """A setting of an agent, by --set agent.NAME=VALUE or in a box of the Agents page."""

    name: str
    label: str
    empty: str
    """What an empty box means."""
    is_whole: bool = False
    may_be_zero: bool = False
    choices: Mapping[str, str] = field(default_factory=dict)
    """Value -> its words, for a setting that is not a number; the first stands for unset."""
    is_object: bool = False
    """Whether it is a JSON object."""
    changes_answers: bool = False
    """Whether it is part of what the agent is: another value may get another answer."""
    group: str = ""
    """Settings of one group stand together, folded; empty = among the first."""
    help: str = ""
    check_text: Callable[[str], object] | None = None
    """For a setting that is a text: raises BenchError on one that does not fit."""

    def check_value(self, value: object) -> object:
        """The value as the agent takes it. Raises BenchError when it does not fit."""
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


class AgentOrder(NamedTuple):
    """The inputs from which an agent is made."""

    what: str
    """What stands behind the colon of its name."""
    values: Mapping[str, Any]
    """Its settings, checked."""
    environment: Mapping[str, str]
    recordings: Sequence[Path]
    documents: Callable[[], Sequence[Document]] | None
    """What it may know; None = the texts of each prompt alone."""
    base_url: str
    key_env: str
    memory: ProfileMemory | None
    """Keeps what is learned of endpoints; None = they are not kept."""


@dataclass(frozen=True, kw_only=True, slots=True)
class AgentKind:
    """One kind of agent. Its name is its file's name."""

    label: str
    """What it is, in a few words."""
    badge: str = ""
    """The same on a card; empty = the label."""
    about: str = ""
    """What it does, in a sentence, for a kind that is used without being saved."""
    make: Callable[[AgentOrder], Agent]
    takes: str = ""
    """What a name says behind the colon ("MODEL"); empty = the kind's name is the agent's."""
    takes_label: str = ""
    """The same as a label ("Model")."""
    takes_path: bool = False
    """Whether that may be a path."""
    settings: tuple[AgentSetting, ...] = ()
    needs_no_model: bool = False
    """Whether it works by rules: what it makes is marked offline."""
    asks_endpoint: bool = False
    """Whether it has an address and a key, and may cost money."""
    has_model: bool = False
    """Whether a language model stands behind it."""


def kinds() -> Mapping[str, AgentKind]:
    """Every kind by name."""
    return catalog("agents.kinds", "KIND", AgentKind)


def kind_of(name: str) -> AgentKind | None:
    """The kind that an agent's full name begins with; None for a saved name."""
    return kinds().get(name.partition(":")[0])


def needs_no_model(name: str | None) -> bool:
    """Whether the agent of that stored name works by rules alone."""
    kind = kind_of(name or "")
    return kind is not None and kind.needs_no_model


def asks_endpoint(name: str) -> bool:
    """Whether the agent of that full name asks an endpoint."""
    kind = kind_of(name)
    return kind is not None and kind.asks_endpoint


def identity_of(name: str, settings: Mapping[str, Any]) -> dict[str, Any]:
    """Those settings of the agent of that full name that can change an answer."""
    kind = kind_of(name)
    names = [setting.name for setting in kind.settings if setting.changes_answers] if kind else []
    return {key: settings[key] for key in names if key in settings}


def full_names(of: Callable[[AgentKind], bool] = lambda kind: True) -> list[str]:
    """How the agents of such kinds are named on the command line, those that need nothing first."""
    named = {name: f"{name}:{kind.takes}" if kind.takes else name for name, kind in kinds().items() if of(kind)}
    return sorted(named.values(), key=lambda name: ":" in name)
