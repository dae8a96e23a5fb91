"""Choose the LLM gates (checks by a model) that run on every draft, and the agents that they ask. Settings on the command line
replace the workspace's choice, which replaces the default of the task."""

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
"""Settings of drafting that concern LLM gates: names of gates and of agents (joined by commas, or as a JSON list), and a number
of samples."""
MAX_SAMPLES = 20


@dataclass(frozen=True, slots=True)
class LlmGateChoice:
    """The LLM gates that run on drafts, the agents that they ask, and how often they ask each question."""

    gates: tuple[str, ...] = ()
    agents: tuple[str, ...] = ()
    """Names of the agents that the gates ask; empty means the agent that drafts."""
    samples: int = ANSWERS_PER_AGENT

    @property
    def record(self) -> dict[str, Json]:
        """Return the choice as a dict, in the form in which settings and parameters of jobs store it."""
        return {"gates": list(self.gates), "agents": list(self.agents), "samples": self.samples}

    def check(self) -> "LlmGateChoice":
        """Return this choice, unchanged. Raises BenchError if a gate is unknown or the number of samples is out of range."""
        for name in self.gates:
            pick(llm_gates(), name, "LLM gate")
        if not 1 <= self.samples <= MAX_SAMPLES:
            raise BenchError(f"An LLM gate cannot ask each question {self.samples} times: give 1 to {MAX_SAMPLES} samples.")
        return self


def load_choice(database: Database) -> LlmGateChoice | None:
    """Return the LLM gates that the workspace runs on every draft, or None if each task uses its default gates."""
    return _from_record(stored.get(database, KEY, None))


def save_choice(database: Database, choice: LlmGateChoice | None) -> None:
    """Store which LLM gates the workspace runs on every draft; None means that each task uses its default gates."""
    if choice is None:
        stored.remove(database, KEY)
    else:
        stored.put(database, KEY, (choice if choice.gates else LlmGateChoice(samples=choice.samples)).record)


def resolve_choice(database: Database, task: Task, own: Mapping[str, Any]) -> LlmGateChoice:
    """Return the LLM gates for drafts of `task`. The settings `own` replace the workspace's choice, which replaces the default
    of the task. Raises BenchError if a gate is unknown."""
    base = load_choice(database) or LlmGateChoice(task.llm_gates)
    gates = _read_names(own["asks"]) if "asks" in own else base.gates
    agents = _read_names(own["asks_by"]) if "asks_by" in own else base.agents
    return LlmGateChoice(gates, agents, read_whole_number(own, "asks_samples", base.samples, low=1)).check()


def choice_from_params(params: Mapping[str, Any]) -> LlmGateChoice:
    """Return the LLM gates that a drafting job's parameters name; empty if the job runs none."""
    return _from_record(params.get("asked")) or LlmGateChoice()


def choice_to_params(choice: LlmGateChoice) -> dict[str, Json]:
    """Return the choice as parameters of a job: {"asked": record}, or {} if no gate is chosen."""
    return {"asked": choice.record} if choice.gates else {}


def _from_record(record: Mapping[str, Any] | None) -> LlmGateChoice | None:
    return LlmGateChoice(tuple(record["gates"]), tuple(record["agents"]), record["samples"]) if record else None


@dataclass(frozen=True, slots=True)
class BoundAgents:
    """The agents that LLM gates ask in one job, and which of them the job must close."""

    judges: tuple[GateJudge, ...]
    width: int
    """Number of calls at the same time that all of the agents allow."""
    owned: tuple[BoundAgent, ...]
    """Agents whose connections this object must close, in this order."""

    async def close(self) -> None:
        """Wait until every running call has ended, and then close the connections of the agents in `owned`."""
        for agent in self.owned:
            await agent.close()

    def break_off(self) -> None:
        """Abandon every running call of the agents in `owned`."""
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
    """Connect the agents that LLM gates ask to the job and its budget, with the settings for judges. Agents in `bound` are
    already connected. If the choice names no agent, the gates ask the agents in `bound`."""

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
    """Connect the agents of a drafting job to its budget; return the agent that drafts, and the agents that LLM gates ask.
    `on_text` gets the replies of the agent that drafts while they arrive."""
    name, settings, pinned = params["agent"], params["settings"], params.get("saved")
    cap = agents.budget(budget, job)
    agent = agents.bind(name, settings, budget=cap, job=job, documents=documents, pinned=pinned, on_text=on_text)
    choice = choice_from_params(params)
    asked = bind_gate_agents(agents, choice, settings, budget=cap, job=job, pinned=pinned, bound={name: agent})
    return agent, replace(asked, owned=(*asked.owned, agent))


def make_look(choice: LlmGateChoice, judges: Sequence[GateJudge], task: Task, seed: int, corpus: CorpusStage) -> RunLlmGates:
    """Return a function that runs the chosen LLM gates on a draft and returns their verdicts."""
    if not choice.gates:
        return run_no_gates
    context = LlmGateContext(
        corpus.text, lambda id_: corpus.document(id_).text, task, tuple(judges), samples=choice.samples, seed=seed
    )

    async def look(item: Item) -> tuple[Verdict, ...]:
        return await ask_gates(item, choice.gates, context)

    return look


def _read_names(value: object) -> tuple[str, ...]:
    """Return the names that a setting lists; "" and "none" give an empty list."""
    names = value if isinstance(value, list | tuple) else str(value).split(",")
    return tuple(stripped for name in names if (stripped := str(name).strip()) and stripped != "none")
