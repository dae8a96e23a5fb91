"""Which gates that ask an agent run on every draft, and whom they ask: what a command says, else what is set for the workspace,
else the task's own."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from builders.llm_gate import SAMPLES, AskedContext, GateJudge, ask_gates, llm_gates
from builders.task import Look, Task
from core.catalog import pick
from core.errors import BenchError
from core.nouns import Document, Item, Span, Verdict
from eval.settings import read_whole_number
from store.engine import settings as stored
from store.engine.database import Database
from store.ledger.budget import Budget
from workbench.setup.agents import Agents, Hired

KEY = "asked_gates"
SETTINGS = ("asks", "asks_by", "asks_samples")
"""Settings of drafting, as on the command line: gates and agents by name (with commas, or a JSON list), a number."""
MOST_SAMPLES = 20


@dataclass(frozen=True, slots=True)
class Asks:
    """Gates, whom they ask and how often."""

    gates: tuple[str, ...] = ()
    agents: tuple[str, ...] = ()
    """By name; none = the agent that drafts."""
    samples: int = SAMPLES


def standing(database: Database) -> Asks | None:
    """What is set for the workspace; None = each task's own."""
    found = stored.get(database, KEY, None)
    return None if found is None else Asks(tuple(found["gates"]), tuple(found["agents"]), found["samples"])


def resolved(database: Database, task: Task, own: Mapping[str, Any]) -> Asks:
    """What runs on every draft of that task with these settings. Raises BenchError on a gate there is not."""
    base = standing(database) or Asks(task.asks)
    names = _names(own["asks"]) if "asks" in own else base.gates
    agents = _names(own["asks_by"]) if "asks_by" in own else base.agents
    return checked(Asks(names, agents, read_whole_number(own, "asks_samples", base.samples, low=1)))


def checked(asks: Asks) -> Asks:
    """The same; raises BenchError on a gate there is not, or on a number of samples that is none."""
    for name in asks.gates:
        pick(llm_gates(), name, "asked gate")
    if not 1 <= asks.samples <= MOST_SAMPLES:
        raise BenchError(f"{asks.samples} samples of one question cannot be asked for: give 1 to {MOST_SAMPLES}.")
    return asks


def asks_of(params: Mapping[str, Any]) -> Asks:
    """What a drafting job was planned with; nothing where its params name none."""
    found = params.get("asked")
    return Asks(tuple(found["gates"]), tuple(found["agents"]), found["samples"]) if found else Asks()


def params_of(asks: Asks) -> dict[str, Any]:
    """For a job's params: {"asked": ...}, where there is something to ask."""
    return {"asked": {"gates": list(asks.gates), "agents": list(asks.agents), "samples": asks.samples}} if asks.gates else {}


class GateAgents:
    """The agents that asked gates ask in one job."""

    def __init__(self, hired: Sequence[Hired], owned: Sequence[Hired]) -> None:
        """`owned` are those of them that nobody else closes."""
        self._owned = tuple(owned)
        self.judges = tuple(GateJudge(one.name, one.ask, one.is_offline) for one in hired)
        self.width = min((one.width for one in hired), default=1)

    async def close(self) -> None:
        """Wait for every call under way; then the agents let go of their connections."""
        for one in self._owned:
            await one.close()

    def break_off(self) -> None:
        """Let go of every call under way."""
        for one in self._owned:
            one.break_off()


class Drafting(NamedTuple):
    """The agent that drafts, by the name it was asked for."""

    name: str
    agent: Hired


def hire(
    agents: Agents,
    asks: Asks,
    settings: Mapping[str, Any],
    *,
    budget: Budget,
    job: str,
    pinned: Mapping[str, Any] | None,
    drafting: Drafting | None = None,
) -> GateAgents:
    """The agents by name, on one budget, with the settings of a judge; without names the one that drafts. That one is not hired
    a second time."""
    names = asks.agents or ((drafting.name,) if drafting else ())
    hired, owned = [], []
    for name in dict.fromkeys(names):
        if drafting is not None and name == drafting.name:
            hired.append(drafting.agent)
        else:
            hired.append(agents.hire(name, settings, budget=budget, job=job, owner="judge", pinned=pinned))
            owned.append(hired[-1])
    return GateAgents(hired, owned)


def look(
    asks: Asks,
    judges: Sequence[GateJudge],
    task: Task,
    seed: int,
    text_of: Callable[[Span], str],
    document: Callable[[str], Document],
) -> Look:
    """Runs the gates on one draft."""
    context = AskedContext(
        text_of=text_of, whole=lambda one: document(one).text, task=task, judges=tuple(judges), samples=asks.samples, seed=seed
    )

    async def looked(item: Item) -> tuple[Verdict, ...]:
        return await ask_gates(item, asks.gates, context)

    return looked


def _names(value: object) -> tuple[str, ...]:
    """Names of a setting; "" and "none" are none."""
    found = value if isinstance(value, list | tuple) else str(value).split(",")
    return tuple(name for one in found if (name := str(one).strip()) and name != "none")
