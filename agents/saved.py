"""An agent saved under a name of its own: its kind, prices and usage limits. The record contains the NAME of the environment
variable with the key, never the key. The constructor checks all fields."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from agents.kind import asks_endpoint, identity_of, kinds
from agents.naming import check_settings
from agents.providers import PROVIDERS
from core.errors import BenchError

DEFAULT_KIND = "openai"
DEFAULT_KEY = "OPENAI_API_KEY"
_KEYS_OF_PROVIDERS = {provider.key_env for provider in PROVIDERS.values()}
_PLACE = ("name", "kind", "model", "base_url", "key_env")
KEY_NAME = re.compile(r"(?:[A-Z][A-Z0-9_]*_)?API_KEY")
"""Pattern that the name of an environment variable must match for its value to be sent to an endpoint as key."""


def check_key_name(setting: str, name: str) -> None:
    """Raise BenchError if `name`, the value of a setting, is not the name of a variable with a key. The message does not
    repeat the value, which may be a key that was pasted by mistake."""
    if not KEY_NAME.fullmatch(name):
        raise BenchError(
            f"The setting {setting} is not the name of an environment variable that holds a key, such as MY_API_KEY: give the "
            "name of the variable, not the key."
        )


@dataclass(frozen=True, slots=True)
class SavedAgent:
    """An agent saved under a name of its own; its answers depend only on `what_it_is`."""

    name: str
    """Name of the saved agent: letters, digits and - _ . but not the name of a kind of agent."""
    kind: str = DEFAULT_KIND
    """Kind of the agent: one that takes a model, a folder or a file. Agents of other kinds need not be saved."""
    model: str = ""
    """Name of an endpoint's model, folder of a local model, or file of replies."""
    base_url: str = ""
    """Base URL of the endpoint; empty = $OPENAI_BASE_URL, else OpenAI's URL."""
    key_env: str = DEFAULT_KEY
    """Name of the environment variable that contains the API key."""
    settings: Mapping[str, Any] = field(default_factory=dict)
    """Settings of the agent, named as in --set agent.NAME=VALUE."""

    def __post_init__(self) -> None:
        """Raise BenchError for an invalid field."""
        if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]{0,59}", self.name):
            raise BenchError(
                f"{self.name!r} cannot be the name of an agent: use up to 60 letters, digits, hyphens, underscores and "
                "periods, and begin with a letter or digit."
            )
        if self.name.lower() in kinds():
            raise BenchError(f"{self.name} is the name of a kind of agent: choose another name.")
        there = saved_kinds()
        if self.kind not in there:
            raise BenchError(f"No agent of the kind {self.kind!r} can be saved: choose one of {', '.join(there)}.")
        if not self.model.strip():
            raise BenchError(f"The agent {self.name} needs a {_shorten_label(there[self.kind])}: give one.")
        if not self.asks_endpoint and self.base_url:
            raise BenchError(f"An agent of the kind {self.kind} calls no endpoint: leave the endpoint's address empty.")
        check_url(self.base_url)
        if self.asks_endpoint and not (KEY_NAME.fullmatch(self.key_env) or self.key_env in _KEYS_OF_PROVIDERS):
            raise BenchError(
                "The environment variable of the key must have a name like MY_API_KEY, in capitals and ending in API_KEY. "
                "Enter only the name here, never the key; no variable with another name is sent to an endpoint."
            )
        object.__setattr__(self, "settings", check_settings(self.full_name, self.settings))

    @property
    def asks_endpoint(self) -> bool:
        """Whether the agent calls an endpoint with an address and a key, and may cost money."""
        return asks_endpoint(self.full_name)

    @property
    def full_name(self) -> str:
        """Name of the agent as on the command line, such as openai:MODEL."""
        return f"{self.kind}:{self.model}"

    @property
    def price_in(self) -> float | None:
        """Price in US dollars per million input tokens; None = unknown."""
        return self.settings.get("price_in")

    @property
    def price_out(self) -> float | None:
        """Price in US dollars per million output tokens; None = unknown."""
        return self.settings.get("price_out")

    @property
    def what_it_is(self) -> dict[str, Any]:
        """Fields and settings of the agent that can change its answers: its full name, its endpoint, and some settings."""
        identity = identity_of(self.full_name, self.settings)
        return {"name": self.full_name, **({"endpoint": self.base_url} if self.base_url else {}), **identity}

    @property
    def record(self) -> dict[str, Any]:
        """All fields and settings of the saved agent as JSON values."""
        return {**{name: getattr(self, name) for name in _PLACE}, **self.settings}

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> "SavedAgent":
        """Return the saved agent that a record describes. Ignores unknown settings, which a later version may have written."""
        known = {setting.name for kind in kinds().values() for setting in kind.settings}
        settings = {key: value for key, value in record.items() if key in known and value is not None}
        return cls(**{key: value for key, value in record.items() if key in _PLACE}, settings=settings)


def is_saved_name(name: str) -> bool:
    """Return whether the name can only be that of a saved agent, because it is not KIND or KIND:MODEL."""
    return ":" not in name and name not in kinds()


def saved_kinds() -> dict[str, str]:
    """Return a dict from each kind of agent that can be saved, the default first, to the label of the field for its model,
    folder or file."""
    labels = {name: kind.takes_label for name, kind in kinds().items() if kind.takes}
    return {DEFAULT_KIND: labels[DEFAULT_KIND]} | labels


def _shorten_label(label: str) -> str:
    """Return a label in a form that fits within a sentence: with a lower-case first letter and without text in brackets."""
    return re.sub(r" \([^()]*\)", "", label[:1].lower() + label[1:])


def check_url(url: str) -> None:
    """Check the URL of an endpoint. Raises BenchError unless it is empty or a plain http(s) server address."""
    if not url:
        return
    try:
        parts = urlsplit(url)
        has_host = bool(parts.hostname) and (parts.port is None or parts.port > 0)
    except ValueError:
        parts, has_host = urlsplit(""), False
    if "@" in url:
        raise BenchError(
            "The endpoint's address contains a name or password: put the key in an environment variable and give the "
            "variable's name."
        )
    rest = re.sub(r"\?api-version=[\w.-]+$", "", url)  # older Azure addresses end in ?api-version=...
    if parts.scheme not in ("http", "https") or not has_host or re.search(r"[\s?#]", rest):
        raise BenchError(
            "The endpoint's address must look like https://host/v1: it needs http or https and a host, and can have no # and "
            "no query except ?api-version=."
        )
