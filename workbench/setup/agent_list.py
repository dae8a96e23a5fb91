"""Lists the agents for a page: the built-in and the saved ones, each with its usage so far and whether its key exists (yes or
no; the key itself is never read into anything that is shown)."""

import asyncio
import time
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

from agents.kind import kinds
from agents.openai.openai import DEFAULT_URL, OpenAIAgent
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
"""Maximum seconds for an endpoint to list its models."""
REUSE_FACTOR = 10
"""Ratio of the time that a count is cached to the time that counting took, because counting reads the whole ledger."""


class Counted(NamedTuple):
    """One counted usage."""

    calls: int
    """Number of the ledger's rows at the time of counting."""
    uses: list[AgentUse]
    until: float
    """Time on the monotonic clock after which new calls are counted."""


@dataclass(frozen=True, slots=True)
class AgentCard:
    """An agent as shown on the page."""

    name: str
    """Value for --agent."""
    label: str
    """Name, kind and price, as plain text."""
    saved: SavedAgent | None
    """The saved agent, or None for a built-in agent."""
    endpoint: str | None
    """Address that receives the questions, or None for an agent on this machine."""
    key_is_set: bool | None
    """Whether the variable of the agent's key is set, or None for an agent without a key."""

    @property
    def hint(self) -> str:
        """Describe the missing setting of an agent in one sentence; empty when the agent is ready."""
        if self.key_is_set is not False or self.saved is None:
            return ""
        if self.saved.base_url:
            return f"{self.saved.key_env} is not set on the server: this endpoint is asked without a key."
        return f"{self.saved.key_env} is not set on the server: set it and start the app again."


class AgentList:
    """Verbs on the agents page."""

    def __init__(self, database: Database) -> None:
        self._db = database
        self._cache = BackgroundCache(max_results=1)
        self._counted: Counted | None = None

    @requires("see agents")
    def list_agents(self) -> list[AgentCard]:
        """List the built-in agents, then the saved agents by name."""
        cards = [AgentCard(name, label, None, None, None) for name, label in built_in().items()]
        return cards + [card(agent) for agent in saved_agents.list_agents(self._db)]

    @requires("change agents", "record")
    def save(self, record: Mapping[str, Any], replaces: str | None = None) -> str:
        """Save an agent; `replaces` is the agent's former name. Returns the agent's name; raises BenchError on an invalid
        field, a name that another agent has, or an address inside the network of a server with sign-in."""
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
        """List the models of an endpoint. Raises BenchError when the address or the variable does not fit, or the endpoint
        lists no models."""
        asked = SavedAgent("models", model="any", base_url=base_url, key_env=key_env)
        environment = ENVIRONMENT.get()
        url = asked.base_url or environment.get("OPENAI_BASE_URL")
        agent = OpenAIAgent("any", url, environment.get(key_env), OpenAISettings(timeout=LIST_SECONDS), key_env)

        async def list_them() -> list[str]:
            try:
                return await agent.list_models()
            finally:
                await agent.close()

        return asyncio.run(list_them())

    @requires("change agents", "name")
    def delete(self, name: str) -> None:
        """Delete a saved agent; its calls stay in the ledger."""
        saved_agents.remove(self._db, name)

    @requires("see agents")
    def uses(self) -> list[AgentUse] | None:
        """Return the usage of every agent, cached for a short time; None during the first count."""
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
    """List the built-in agents, which need no settings."""
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
    """Describe the price per million tokens, sent and received; an unknown price is named as such."""
    if not agent.asks_endpoint:
        return ""
    if agent.price_in is None or agent.price_out is None:
        return "price unknown"
    if not agent.price_in and not agent.price_out:
        return "free"
    return f"${agent.price_in:,.2f}/${agent.price_out:,.2f} per M"


def without_password(url: str) -> str:
    """Return the address without the name and password that an address from the environment may contain."""
    scheme, sign, rest = url.partition("://")
    host, slash, path = rest.partition("/")
    return f"{scheme}{sign}{host.rpartition('@')[2]}{slash}{path}"
