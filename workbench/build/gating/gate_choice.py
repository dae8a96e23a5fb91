"""List the gates (checks of drafts) that people can run on items, and define the request to run some of them."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

from builders.gate import gates
from builders.llm_gate import ANSWERS_PER_AGENT, llm_gates
from core.as_json import Json
from core.catalog import pick
from core.errors import BenchError
from workbench.build.drafting.llm_gates import LlmGateChoice

ABOUT = {
    "evidence": "The evidence is text of the documents, and it contains the answer of an explicit factoid.",
    "figures": "The evidence contains every number, date and name of the answer.",
    "self_contained": "The question refers to no text, author or day that its reader cannot know.",
    "referent": "An implicit question does not name what it hides.",
    "duplicate": "No other item asks the same.",
    "near_in_meaning": "No other question is too similar in meaning; the bundled model checks English only.",
    "edit": "A hallucinated text is wrong in one recorded place, and the evidence shows it.",
    "support": "An item whose source is hidden from retrieval can be answered from other documents.",
    "language": "The draft is in the language that its item declares.",
    "level": "The measured level of the item equals its declared level.",
}
"""Dict from each gate that asks no agent to a sentence that says what it checks."""


class GateCard(NamedTuple):
    """A gate (a check of drafts) as a row in the list of gates."""

    name: str
    label: str
    about: str
    asks: bool
    """Whether the gate asks an agent, so that it can cost money."""
    judges: int
    """Maximum number of different agents that the gate asks; 0 if it asks none."""


@dataclass(frozen=True, slots=True)
class GateRequest:
    """A request to run some gates (checks of drafts) on items, with the agents to call and a budget."""

    gates: tuple[str, ...]
    agents: tuple[str, ...] = ()
    """Names of the agents that LLM gates ask; other gates need no agents."""
    samples: int = ANSWERS_PER_AGENT
    seed: int = 7
    budget: float | None = None
    """Maximum cost in US dollars, or None without a limit."""

    @property
    def llm_gates(self) -> tuple[str, ...]:
        """Return the names of the requested gates that ask an agent."""
        return tuple(name for name in self.gates if name in llm_gates())

    @property
    def free_gates(self) -> tuple[str, ...]:
        """Return the names of the requested gates that ask no agent."""
        return tuple(name for name in self.gates if name not in llm_gates())

    @property
    def choice(self) -> LlmGateChoice:
        """Return the requested LLM gates with their agents; empty if no LLM gate is requested."""
        return LlmGateChoice(self.llm_gates, self.agents, self.samples) if self.llm_gates else LlmGateChoice()

    @property
    def params(self) -> dict[str, Json]:
        """Return the request as parameters of a job, without the budget, which a job stores separately."""
        values = {name: list(value) if isinstance(value, tuple) else value for name, value in asdict(self).items()}
        del values["budget"]
        return values

    @staticmethod
    def from_params(params: Mapping[str, Any], budget: float | None = None) -> "GateRequest":
        """Return the request that a job's parameters and budget describe."""
        return GateRequest(tuple(params["gates"]), tuple(params["agents"]), params["samples"], params["seed"], budget)

    def check(self) -> None:
        """Raise BenchError if the gates cannot run, because none is chosen, one is unknown, or an LLM gate has no agent."""
        if not self.gates:
            raise BenchError("No gate is chosen: choose at least one.")
        for name in self.free_gates:
            pick(gates(), name, "gate")
        LlmGateChoice(self.llm_gates, self.agents, self.samples).check()
        if self.llm_gates and not self.agents:
            raise BenchError(f"{', '.join(self.llm_gates)} asks an agent, and none is named: choose an agent.")


def list_gates() -> list[GateCard]:
    """Return all gates, beginning with those that ask an agent."""
    asking = [GateCard(name, gate.label, gate.about, True, gate.judges) for name, gate in sorted(llm_gates().items())]
    free = [GateCard(name, name.replace("_", " ").capitalize(), ABOUT.get(name, ""), False, 0) for name in sorted(gates())]
    return asking + free
