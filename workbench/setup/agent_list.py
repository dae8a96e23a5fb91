"""List the built-in and the saved agents for a page, with their usage so far and whether each API key is set. The key itself is
never shown."""

import asyncio
import time
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

from agents.kind import kinds
from agents.openai.openai_endpoint import DEFAULT_URL, OpenAIEndpoint
from agents.openai.openai_settings import OpenAISettings
from agents.saved import SavedAgent
from core.errors import BenchError
from core.inner_network import check_reachable
from store.engine.database import Database
from store.ledger import agents as saved_agents
from store.ledger.agent_use import AgentUse, count, load_agent_uses
from workbench.background_cache import BackgroundCache
from workbench.roles import requires
from workbench.setup.agents import ENVIRONMENT

LIST_SECONDS = 10.0
"""Maximum number of seconds to wait for an endpoint's list of models."""
REUSE_FACTOR = 10
"""Factor between the time for which a count of the usage is cached and the time that counting took, because each count reads
the whole ledger."""


class Counted(NamedTuple):
    """The usage of all agents at the last count."""

    calls: int
    """Number of calls in the ledger when the usage was counted."""
    uses: list[AgentUse]
    until: float
    """Time, on the monotonic clock, until which the count is used although there are newer calls."""


@dataclass(frozen=True, slots=True)
class AgentCard:
    """An agent as the page of agents shows it."""

    name: str
    """Name of the agent, as given to the option --agent."""
    label: str
    """Name, model and price of the agent, as plain text."""
    saved: SavedAgent | None
    """The saved agent, or None if the agent is built in."""
    endpoint: str | None
    """Address to which requests are sent, or None if the agent runs on this machine."""
    key_is_set: bool | None
    """Whether the environment variable with the agent's key is set, or None if the agent needs no key."""

    @property
    def hint(self) -> str:
        """Return a sentence that says which key is missing; "" if the agent is ready."""
        if self.key_is_set is not False or self.saved is None:
            return ""
        if self.saved.base_url:
            return f"{self.saved.key_env} is not set on the server: this endpoint is asked without a key."
        return f"{self.saved.key_env} is not set on the server: set it and start the app again."


class AgentList:
    """Methods that list, save and delete agents."""

    def __init__(self, database: Database) -> None:
        self._db = database
        self._cache = BackgroundCache(max_results=1)
        self._counted: Counted | None = None

    @requires("see agents")
    def list_agents(self) -> list[AgentCard]:
        """List the built-in agents, then the saved ones, sorted by name."""
        cards = [AgentCard(name, label, None, None, None) for name, label in built_in().items()]
        return cards + [card(agent) for agent in saved_agents.list_agents(self._db)]

    @requires("change agents", "record")
    def save(self, record: Mapping[str, Any], replaces: str | None = None) -> str:
        """Save an agent and return its name; `replaces` is the agent's name before the change. Raises BenchError if a field is
        invalid, if another agent has this name, or if people sign in on this server and the address is inside its network."""
        agent = SavedAgent.from_record(record)
        if agent.name != replaces and saved_agents.find(self._db, agent.name):
            raise BenchError(f"There is an agent {agent.name} already: choose another name, or edit that one.")
        check_reachable(agent.base_url)
        saved_agents.put(self._db, agent)
        if replaces and replaces != agent.name:
            saved_agents.remove(self._db, replaces)
        return agent.name

    @requires("change agents", "base_url")
    def list_models(self, base_url: str, key_env: str) -> list[str]:
        """List the models that an endpoint offers. Raises BenchError if the address or the name of the environment variable
        with the key is invalid, or if the endpoint lists no models."""
        asked = SavedAgent("models", model="any", base_url=base_url, key_env=key_env)
        environment = ENVIRONMENT.get()
        url = asked.base_url or environment.get("OPENAI_BASE_URL")
        endpoint = OpenAIEndpoint("any", url, environment.get(key_env), OpenAISettings(timeout=LIST_SECONDS), key_env)

        async def list_them() -> list[str]:
            try:
                return await endpoint.list_models()
            finally:
                await endpoint.close()

        return asyncio.run(list_them())

    @requires("change agents", "name")
    def delete(self, name: str) -> None:
        """Delete a saved agent; the ledger still contains its calls."""
        saved_agents.remove(self._db, name)

    @requires("see agents")
    def uses(self) -> list[AgentUse] | None:
        """Return the usage of every agent, which may be slightly out of date; None while it is being counted for the first
        time."""
        calls = count(self._db)
        last = self._counted
        if last is None or (calls != last.calls and time.monotonic() > last.until):
            self._counted = self._cache.get(last and last.until, partial(self._count_uses, calls)).value or last
        return self._counted.uses if self._counted else None

    def _count_uses(self, calls: int) -> Counted:
        began = time.monotonic()
        uses = load_agent_uses(self._db)
        return Counted(calls, uses, time.monotonic() + REUSE_FACTOR * (time.monotonic() - began))


def built_in() -> dict[str, str]:
    """Return a dict from name to label of the built-in agents, which need no settings."""
    return {name: kind.label for name, kind in kinds().items() if not kind.takes}


def card(agent: SavedAgent) -> AgentCard:
    environment = ENVIRONMENT.get()
    is_remote = agent.asks_endpoint
    endpoint = (agent.base_url or environment.get("OPENAI_BASE_URL") or DEFAULT_URL).rstrip("/") if is_remote else None
    words = [agent.name, agent.model if is_remote else agent.full_name, price(agent)]
    label = " · ".join(word for place, word in enumerate(words) if word and word not in words[:place])
    is_set = bool(environment.get(agent.key_env)) if is_remote else None
    return AgentCard(agent.name, label, agent, without_password(endpoint) if endpoint else None, is_set)


def price(agent: SavedAgent) -> str:
    """Return the agent's price per million tokens that are sent and received, or "price unknown", "free", or "" for an agent on
    this machine."""
    if not agent.asks_endpoint:
        return ""
    if agent.price_in is None or agent.price_out is None:
        return "price unknown"
    if not agent.price_in and not agent.price_out:
        return "free"
    return f"${agent.price_in:,.2f}/${agent.price_out:,.2f} per M"


def without_password(url: str) -> str:
    """Return the address without the user name and password that may be in it."""
    scheme, sign, rest = url.partition("://")
    host, slash, path = rest.partition("/")
    return f"{scheme}{sign}{host.rpartition('@')[2]}{slash}{path}"
