"""Create agents by name. Only this module connects agents with the ledger (the record of all LLM calls), so that every call is
stored, priced, counted against the budget, and never paid twice."""

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from weakref import WeakSet, WeakValueDictionary

from agents.endpoints.embedding import EmbeddingAgent
from agents.kind import asks_endpoint, identity_of
from agents.naming import build
from agents.saved import SavedAgent, check_key_name
from core.agent import Agent, Completion, Sampling
from core.as_json import Json
from core.errors import BenchError
from core.inner_network import is_guarded
from core.nouns import Document, Prompt
from store.drafting import prompts
from store.engine.database import Database
from store.ledger import agents as saved_agents
from store.ledger.batches import BatchCollector
from store.ledger.budget import Budget
from store.ledger.calls import Ledger
from store.ledger.ledgered_agent import BatchMode, LedgeredAgent, OnText
from store.ledger.profiles import Profiles
from workbench import settings as keys
from workbench.roles import check_permission
from workbench.setup.model_endpoints import (
    ModelEndpoints,
    describe_embedding,
    find_rerank_address,
    is_embedding_endpoint,
    make_embedding_agent,
)

RECORDINGS = Path(__file__).parents[2] / "samples" / "recorded"
ENVIRONMENT: ContextVar[Mapping[str, str]] = ContextVar("environment", default=os.environ)
"""The environment variables that contain endpoints and keys. If a terminal forwards a command to the app, the terminal's
variables are added."""
KEY_SETTINGS = ("key_env", "reranker_key")
"""Settings of runs whose value is the name of the environment variable with a key."""
ADDRESS_SETTINGS = (*KEY_SETTINGS, "engine_address")
"""Settings of runs whose value is an address, or the name of the variable with a key that is sent to an address."""
BATCH_WIDTH = 64
"""Number of questions that are asked at the same time if the agent's answers come from batch files."""
LOCAL_WIDTH = 2
"""Number of questions that an agent on this machine is asked at the same time."""
OFFLINE_RUN_WIDTH = 32
"""Number of questions that a run asks the offline agent at the same time. Answers that are ready at the same time are stored
together, and storing takes most of the time."""


@dataclass(frozen=True, slots=True)
class BoundAgent:
    """An agent that is connected to a job: with the ledger that records its calls, the job's budget and the limits."""

    agent: LedgeredAgent
    width: int
    """Maximum number of questions that the agent is asked at the same time."""
    identity: Mapping[str, Any]
    """Everything that can change the agent's answers: its name, endpoint and settings."""
    look: Any = None
    """Gives access to the inside of a local model (see eval.system.Look); None if the agent is not a local model."""

    @property
    def name(self) -> str:
        return self.agent.name

    @property
    def run_width(self) -> int:
        """Maximum number of questions of a run that are answered at the same time."""
        return OFFLINE_RUN_WIDTH if self.agent.is_offline else self.width

    @property
    def is_offline(self) -> bool:
        return self.agent.is_offline

    @property
    def is_batched(self) -> bool:
        """Return whether the agent gets its answers from batch files."""
        return self.agent.is_batched

    @property
    def context(self) -> int | None:
        return self.agent.context

    async def ask(self, prompt: Prompt, inputs: Mapping[str, object], sampling: Sampling) -> Completion:
        return await self.agent.ask(prompt, inputs, sampling)

    async def ask_unless_failed(self, prompt: Prompt, inputs: Mapping[str, object], sampling: Sampling) -> Completion:
        return await self.agent.ask_unless_failed(prompt, inputs, sampling)

    async def drain(self) -> None:
        """Wait until every running call is stored in the ledger, even if nothing else waits for it."""
        await self.agent.drain()

    def break_off(self) -> None:
        """Cancel every running call; the ledger records each of these calls as cancelled."""
        self.agent.break_off()

    async def close(self) -> None:
        """Wait like `drain`, then close the connections that were opened in this event loop."""
        await self.agent.close()


class Agents:
    """Creates agents for jobs: saved agents, and agents that the command line names in full, such as openai:MODEL."""

    def __init__(self, database: Database) -> None:
        self._db = database
        self.ledger = Ledger(database)
        self.profiles = Profiles(database)
        """What is known so far about the abilities of endpoints."""
        self._budgets: WeakValueDictionary[str, Budget] = WeakValueDictionary()
        self._of_jobs: dict[str, WeakSet[LedgeredAgent]] = {}
        """Dict from a running job to its agents."""
        self.collectors: dict[str, BatchCollector] = {}
        """Dict from a running job to the collector of its requests for a batch file."""

    def bind(
        self,
        name: str,
        settings: Mapping[str, Any],
        *,
        budget: Budget | None = None,
        job: str | None = None,
        documents: Callable[[], Sequence[Document]] = tuple,
        owner: str = "agent",
        pinned: Mapping[str, Any] | None = None,
        on_text: OnText | None = None,
    ) -> BoundAgent:
        """Return the agent with this name, connected to the job. Settings in `settings` that begin with `owner` ("agent" or
        "judge") replace the agent's saved settings; API keys come from the environment. `documents` returns the documents that
        the offline agent can use. `pinned` is the result of `pin` when the job was planned. `on_text` gets replies while they
        arrive. Raises BenchError if the saved agent has changed since `pin` was called."""
        saved = self.find_saved(name)
        if pinned is not None and name in pinned:
            check_same(name, pinned[name], saved)
        agent, own = self._build(name, saved, settings, owner, documents)
        identity = {
            "name": agent.name,
            "endpoint": getattr(agent, "shown_url", None),
            **identity_of(agent.name, own),
        }
        limits = getattr(agent, "limits", None)
        width = limits.maximum if limits else getattr(agent, "width", LOCAL_WIDTH)
        collector, batch = self.collectors.get(job or ""), None
        if collector is not None and hasattr(agent, "write_batch_request"):
            width = BATCH_WIDTH
            called = {"name": name, "settings": keys.select_owner(settings, owner), "owner": owner}
            batch = BatchMode(collector, called)
        asked = LedgeredAgent(agent, self.ledger, budget, job, on_text, batch)
        if job is not None:
            self._of_jobs.setdefault(job, WeakSet()).add(asked)
        return BoundAgent(asked, width, identity, getattr(agent, "look", None))

    def end_calls(self, job: str) -> None:
        """Cancel all running calls of the job's agents, and refuse later calls. Call this function in the event loop of the
        job."""
        for agent in list(self._of_jobs.get(job, ())):
            agent.end_calls()

    def forget_job(self, job: str) -> None:
        """Forget the agents of a job that has ended."""
        self._of_jobs.pop(job, None)

    def check_addresses(self, settings: Mapping[str, Any]) -> None:
        """Raise BenchError if a setting may contain a key or password, which must not be stored: a reranker's address with a
        password, or another value in place of the name of a key's variable. Raise NotAllowed if settings contain an address or
        such a name, people sign in on this server, and the current user may not change agents. Without this check, anybody
        could send the server's keys to any address."""
        find_rerank_address(str(settings.get("reranker") or ""))
        for name in KEY_SETTINGS:
            if settings.get(name):
                check_key_name(name, str(settings[name]))
        named = [name for name in ADDRESS_SETTINGS if settings.get(name)]
        if named and is_guarded():
            check_permission(self._db, "change agents", f"the setting {named[0]}")

    def find_saved(self, name: str) -> SavedAgent | None:
        """Return the agent that is saved under this name. Return None if there is no such agent, or if the name is a full name
        such as openai:MODEL."""
        return saved_agents.find(self._db, name) if ":" not in name else None

    def pin(self, names: Iterable[str], settings: Iterable[Mapping[str, Any]] = ()) -> dict[str, Json]:
        """Return the versions that a job depends on, which its parameters store: {"saved": {name: identity}} for saved agents,
        {"words": {prompt: hash}} for edited prompts, and {"embeddings": {name: model and address}} for endpoints used as
        embedding models. Empty parts are left out."""
        identities = {name: agent.what_it_is for name in names if (agent := self.find_saved(name))}
        words = prompts.load_current_versions(self._db)
        embeddings = {
            str(own["embedding_model"]): describe_embedding(model)
            for own in settings
            if (model := self.find_embedding_agent(own)) is not None
        }
        pinned: dict[str, Json] = {"saved": identities, "words": words, "embeddings": embeddings}
        return {name: values for name, values in pinned.items() if values}

    def find_embedding_agent(self, settings: Mapping[str, Any]) -> EmbeddingAgent | None:
        """Return the endpoint that the settings name as embedding model, or None if they name none."""
        name = str(settings.get("embedding_model") or "")
        saved = self.find_saved(name)
        is_endpoint = is_embedding_endpoint(name, saved)
        return make_embedding_agent(name, saved, settings, ENVIRONMENT.get()) if is_endpoint else None

    def connect_models(
        self,
        settings: Mapping[str, Any],
        *,
        budget: Budget | None = None,
        job: str | None = None,
        pinned: Mapping[str, str] | None = None,
    ) -> ModelEndpoints:
        """Return the embedding models and rerankers at endpoints for a job with these settings. `pinned` is the part
        "embeddings" of the result of `pin` when the job was planned."""
        return ModelEndpoints(self.ledger, self.find_saved, ENVIRONMENT.get(), settings, budget, job, pinned)

    def budget(self, limit: float | None, job: str) -> Budget:
        """Return the job's budget after deducting the costs so far."""
        budget = self._budgets[job] = Budget(limit, self.ledger.sum_charges(job))
        return budget

    def sum_reserved(self, job: str) -> float | None:
        """Return the highest possible cost in US dollars of the job's running calls, or None if the job does not run in this
        process. Calls of unknown price are left out."""
        budget = self._budgets.get(job)
        return None if budget is None else budget.reserved

    def check(self, name: str, settings: Mapping[str, Any], budget: float | None, owner: str = "agent") -> Agent:
        """Return the agent with this name without connecting it to a job. Raises BenchError if the agent does not exist, if a
        setting is invalid, or if there is a budget but no price."""
        saved = self.find_saved(name)
        own = {**(saved.settings if saved else {}), **keys.select_owner(settings, owner)}
        if budget is not None:
            Budget(budget)
            if self.is_paid(name) and not {"price_in", "price_out"} <= own.keys():
                where = f"save them with {name} on the agents page, or " if saved else ""
                raise BenchError(
                    f"A budget of {budget:g} USD needs prices: {where}give --set {owner}.price_in= {owner}.price_out= for "
                    f"{name}, in USD per million tokens, or leave the budget out."
                )
        return self._build(name, saved, settings, owner, None)[0]

    def check_embedding(self, settings: Mapping[str, Any], budget: float | None) -> bool:
        """Return whether the settings name an endpoint as embedding model. Raises BenchError if one of its settings is invalid,
        or if there is a budget but no price."""
        agent = self.find_embedding_agent(settings)
        if agent is not None and budget is not None and agent.price_in is None:
            raise BenchError(
                f"A budget of {budget:g} USD needs a price for {agent.name}: give --set embedding.price_in= in USD per "
                "million tokens, or leave the budget out."
            )
        return agent is not None

    def is_paid(self, name: str) -> bool:
        """Return whether calls to the agent can cost money, which is so if the agent is at an endpoint."""
        saved = self.find_saved(name)
        return saved.asks_endpoint if saved else asks_endpoint(name)

    def make(self, name: str, settings: Mapping[str, Any] | None = None, owner: str = "agent") -> Agent:
        """Create the agent without ledger, budget and limits, which the caller must add."""
        return self._build(name, self.find_saved(name), settings or {}, owner, None)[0]

    def _build(
        self,
        name: str,
        saved: SavedAgent | None,
        settings: Mapping[str, Any],
        owner: str,
        documents: Callable[[], Sequence[Document]] | None,
    ) -> tuple[Agent, dict[str, Any]]:
        """Create the agent; return (the agent, the settings with which it was created)."""
        full = saved.full_name if saved else name
        own = {**(saved.settings if saved else {}), **keys.select_owner(settings, owner)}
        place = {"base_url": saved.base_url, "key_env": saved.key_env} if saved else {}
        recordings = sorted(RECORDINGS.glob("*.jsonl"))
        return build(full, own, ENVIRONMENT.get(), recordings, documents, **place, memory=self.profiles), own


def check_same(name: str, planned: Mapping[str, Any], saved: SavedAgent | None) -> None:
    """Raise BenchError if the saved agent was changed or deleted after a job with it was planned."""
    if saved is None:
        raise BenchError(f"The agent {name} was deleted since this job was planned: save it again as {planned['name']}.")
    now = saved.what_it_is
    for key in [*planned, *now]:
        if planned.get(key) != now.get(key):
            raise BenchError(
                f"The agent {name} has changed since this job was planned ({key}: {planned.get(key)} then, {now.get(key)} "
                "now): change it back, or start the job again."
            )
