"""Chooses the LLM gates that run on every draft, and the agents that they ask: from the command, else from the workspace, else
from the task."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

from builders.llm_gate import ANSWERS_PER_AGENT, GateJudge, LlmGateContext, ask_gates, llm_gates
from builders.task import RunLlmGates, Task, run_no_gates
from core.as_json import Json
from core.catalog import pick
from core.errors import BenchError
from core.nouns import Document, Item, Verdict
from eval.settings import read_whole_number
from store.engine import settings as stored
from store.engine.database import Database
from store.ledger.budget import Budget
from store.ledger.ledgered_agent import OnText
from workbench.build.corpus.corpus import CorpusStage
from workbench.setup.agents import Agents, BoundAgent

KEY = "asked_gates"
SETTINGS = ("asks", "asks_by", "asks_samples")
"""Settings of drafting, as on the command line: names of gates and agents (with commas, or a JSON list), and a number."""
MAX_SAMPLES = 20


@dataclass(frozen=True, slots=True)
class LlmGateChoice:
    """LLM gates, the agents that they ask, and the number of samples."""

    gates: tuple[str, ...] = ()
    agents: tuple[str, ...] = ()
    """Names of the agents; none = the drafting agent."""
    samples: int = ANSWERS_PER_AGENT

    @property
    def record(self) -> dict[str, Json]:
        """Return the choice in the form that settings and job params store."""
        return {"gates": list(self.gates), "agents": list(self.agents), "samples": self.samples}

    def check(self) -> "LlmGateChoice":
        """Return the same choice; raise BenchError on an unknown gate, or on an impossible number of samples."""
        for name in self.gates:
            pick(llm_gates(), name, "LLM gate")
        if not 1 <= self.samples <= MAX_SAMPLES:
            raise BenchError(f"{self.samples} samples of one question cannot be asked for: give 1 to {MAX_SAMPLES}.")
        return self


def load_choice(database: Database) -> LlmGateChoice | None:
    """Load the workspace's choice; None = each task's own gates."""
    return _from_record(stored.get(database, KEY, None))


def save_choice(database: Database, choice: LlmGateChoice | None) -> None:
    """Store the workspace's choice; None = each task's own gates."""
    if choice is None:
        stored.remove(database, KEY)
    else:
        stored.put(database, KEY, (choice if choice.gates else LlmGateChoice(samples=choice.samples)).record)


def resolve_choice(database: Database, task: Task, own: Mapping[str, Any]) -> LlmGateChoice:
    """Return the gates for every draft of that task with these settings. Raises BenchError on an unknown gate."""
    base = load_choice(database) or LlmGateChoice(task.llm_gates)
    gates = _read_names(own["asks"]) if "asks" in own else base.gates
    agents = _read_names(own["asks_by"]) if "asks_by" in own else base.agents
    return LlmGateChoice(gates, agents, read_whole_number(own, "asks_samples", base.samples, low=1)).check()


def choice_from_params(params: Mapping[str, Any]) -> LlmGateChoice:
    """Read the choice from a drafting job's params; an empty choice without one."""
    return _from_record(params.get("asked")) or LlmGateChoice()


def choice_to_params(choice: LlmGateChoice) -> dict[str, Json]:
    """Convert the choice to params of a job: {"asked": ...} if a gate is chosen, else {}."""
    return {"asked": choice.record} if choice.gates else {}


def _from_record(record: Mapping[str, Any] | None) -> LlmGateChoice | None:
    return LlmGateChoice(tuple(record["gates"]), tuple(record["agents"]), record["samples"]) if record else None


@dataclass(frozen=True, slots=True)
class BoundAgents:
    """The agents that LLM gates ask in one job, and those that the job closes."""

    judges: tuple[GateJudge, ...]
    width: int
    """Number of concurrent calls that every judge allows."""
    owned: tuple[BoundAgent, ...]
    """Agents that only this object closes, in the order of closing."""

    async def close(self) -> None:
        """Wait for every call under way, then close the agents' connections."""
        for agent in self.owned:
            await agent.close()

    def break_off(self) -> None:
        """Abandon every call under way."""
        for agent in self.owned:
            agent.break_off()


def bind_gate_agents(
    agents: Agents,
    choice: LlmGateChoice,
    settings: Mapping[str, Any],
    *,
    budget: Budget,
    job: str,
    pinned: Mapping[str, Any] | None,
    bound: Mapping[str, BoundAgent] = MappingProxyType({}),
) -> BoundAgents:
    """Bind the agents by name, on one budget, with the settings of a judge; agents in `bound` are not bound again, and serve
    where the choice names no agent."""

    def bind(name: str) -> BoundAgent:
        return agents.bind(name, settings, budget=budget, job=job, owner="judge", pinned=pinned)

    hired = {name: bound.get(name) or bind(name) for name in choice.agents or bound}
    judges = tuple(GateJudge(agent.name, agent.ask, agent.is_offline) for agent in hired.values())
    owned = tuple(agent for name, agent in hired.items() if name not in bound)
    return BoundAgents(judges, min((agent.width for agent in hired.values()), default=1), owned)


def bind_drafting_agents(
    agents: Agents,
    params: Mapping[str, Any],
    *,
    budget: float | None,
    job: str,
    documents: Callable[[], Sequence[Document]],
    on_text: OnText | None = None,
) -> tuple[BoundAgent, BoundAgents]:
    """Return (the agent that a drafting job was planned with; all agents that the job closes, with its judges), on one budget.
    `on_text` receives the answers of the drafting agent."""
    name, settings, pinned = params["agent"], params["settings"], params.get("saved")
    cap = agents.budget(budget, job)
    agent = agents.bind(name, settings, budget=cap, job=job, documents=documents, pinned=pinned, on_text=on_text)
    choice = choice_from_params(params)
    asked = bind_gate_agents(agents, choice, settings, budget=cap, job=job, pinned=pinned, bound={name: agent})
    return agent, replace(asked, owned=(*asked.owned, agent))


def make_look(choice: LlmGateChoice, judges: Sequence[GateJudge], task: Task, seed: int, corpus: CorpusStage) -> RunLlmGates:
    """Return the function that runs the chosen gates on a draft."""
    if not choice.gates:
        return run_no_gates
    context = LlmGateContext(
        corpus.text, lambda id_: corpus.document(id_).text, task, tuple(judges), samples=choice.samples, seed=seed
    )

    async def look(item: Item) -> tuple[Verdict, ...]:
        return await ask_gates(item, choice.gates, context)

    return look


def _read_names(value: object) -> tuple[str, ...]:
    """Parse the names in a setting; "" and "none" mean no name."""
    names = value if isinstance(value, list | tuple) else str(value).split(",")
    return tuple(stripped for name in names if (stripped := str(name).strip()) and stripped != "none")
