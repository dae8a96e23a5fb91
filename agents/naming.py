"""Builds an agent from its command-line name: a kind from agents/kinds/, for most kinds followed by a colon and a model, folder
or file."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from agents.kind import AgentOrder, full_names, kinds
from agents.openai.profile import ProfileMemory
from core.agent import Agent
from core.errors import BenchError
from core.nouns import Document


def build(
    name: str,
    settings: Mapping[str, object],
    environment: Mapping[str, str],
    recordings: Sequence[Path],
    documents: Callable[[], Sequence[Document]] | None,
    *,
    base_url: str = "",
    key_env: str = "OPENAI_API_KEY",
    memory: ProfileMemory | None = None,
) -> Agent:
    """Build the agent with the command-line name `name`. `settings` holds values as given with --set; `environment` holds
    environment variables: the API key in the variable `key_env`, and OPENAI_BASE_URL as the fallback for `base_url`;
    `recordings` are the files of the recorded agent; `documents` loads the documents that a rule-based agent may use; `memory`
    stores what is learned about endpoints. Raises BenchError for an unknown name, an unknown setting or an invalid value."""
    values = check_settings(name, settings)
    kind, _, model = name.partition(":")
    return kinds()[kind].make(AgentOrder(model, values, environment, recordings, documents, base_url, key_env, memory))


def check_settings(name: str, settings: Mapping[str, object]) -> dict[str, Any]:
    """Check the settings of the agent named `name` and return them as typed values, without those that are None. Raises
    BenchError for an unknown name, an unknown setting or an invalid value."""
    word, _, model = name.partition(":")
    kind = kinds().get(word)
    if kind is None or bool(model) != bool(kind.takes) or (not model and ":" in name):
        raise BenchError(
            f"No agent named {name!r}; there are: {', '.join(full_names())}, and the agents saved on the Agents page."
        )
    known = {setting.name: setting for setting in kind.settings}
    if unknown := sorted(set(settings) - set(known)):
        there = f"there are: {', '.join(known)}" if known else "it has no settings"
        raise BenchError(f"The agent {name} has no setting {unknown[0]!r}; {there}.")
    return {key: known[key].check_value(value) for key, value in settings.items() if value is not None}
