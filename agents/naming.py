"""An agent's name on the command line becomes an Agent: a kind of agents/kinds/, and what it takes behind a colon."""

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
    """The agent of that name. `settings` are values as --set reads them; `environment` holds the key under the name `key_env`,
    and OPENAI_BASE_URL for when `base_url` is empty; `recordings` are the recorded agent's files; `documents` is what an agent
    that works by rules may know; `memory` keeps what is learned of endpoints. Raises BenchError on an unknown name, an unknown
    setting or a value that does not fit."""
    values = checked(name, settings)
    kind, _, what = name.partition(":")
    return kinds()[kind].make(AgentOrder(what, values, environment, recordings, documents, base_url, key_env, memory))


def checked(name: str, settings: Mapping[str, object]) -> dict[str, Any]:
    """The settings of the agent of that name as it takes them, None left out. Raises BenchError on an unknown name, an unknown
    setting or a value that does not fit."""
    word, _, what = name.partition(":")
    kind = kinds().get(word)
    if kind is None or bool(what) != bool(kind.takes) or (not what and ":" in name):
        raise BenchError(f"No agent named {name!r}; there are: {', '.join(full_names())}, and those saved on the agents page.")
    known = {setting.name: setting for setting in kind.settings}
    if unknown := sorted(set(settings) - set(known)):
        there = f"there are: {', '.join(known)}" if known else "it takes none"
        raise BenchError(f"The agent {name} has no setting {unknown[0]!r}; {there}.")
    return {key: known[key].checked(value) for key, value in settings.items() if value is not None}
