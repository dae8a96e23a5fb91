"""The gates that a person can run, and the request for such a run."""

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
    "evidence": "The evidence is real text, and an explicit factoid's answer stands in it.",
    "figures": "Every number, date and name of the answer stands in the evidence.",
    "self_contained": "The question points at no text, author or day that its reader does not have.",
    "referent": "An implicit question does not name what it hides.",
    "duplicate": "No other item asks the same.",
    "near_in_meaning": "No other question is too similar in meaning; the bundled model checks English only.",
    "edit": "A hallucinated text is wrong in one recorded place, and the evidence shows it.",
    "support": "An item whose source is left out has other documents to answer from.",
    "language": "The draft is in the language that its item declares.",
    "level": "The measured level of the item is its declared level.",
}
"""Descriptions of the checks by gates without agents."""


class GateCard(NamedTuple):
    """A gate as shown in a list of choices."""

    name: str
    label: str
    about: str
    asks: bool
    """Whether the gate calls an agent."""
    judges: int
    """Maximum number of agents that the gate calls."""


@dataclass(frozen=True, slots=True)
class GateRequest:
    """The gates to run."""

    gates: tuple[str, ...]
    agents: tuple[str, ...] = ()
    """Names of the agents; only LLM gates need agents."""
    samples: int = ANSWERS_PER_AGENT
    seed: int = 7
    budget: float | None = None
    """Maximum cost in US dollars; None = unlimited."""

    @property
    def llm_gates(self) -> tuple[str, ...]:
        """Return the chosen gates that ask an agent."""
        return tuple(name for name in self.gates if name in llm_gates())

    @property
    def free_gates(self) -> tuple[str, ...]:
        """Return the chosen gates that ask no agent."""
        return tuple(name for name in self.gates if name not in llm_gates())

    @property
    def choice(self) -> LlmGateChoice:
        """Return the LLM gates with their agents; empty without such a gate."""
        return LlmGateChoice(self.llm_gates, self.agents, self.samples) if self.llm_gates else LlmGateChoice()

    @property
    def params(self) -> dict[str, Json]:
        """Return the params of the job; the job stores its budget separately."""
        values = {name: list(value) if isinstance(value, tuple) else value for name, value in asdict(self).items()}
        del values["budget"]
        return values

    @staticmethod
    def from_params(params: Mapping[str, Any], budget: float | None = None) -> "GateRequest":
        """Read the request from a job's params."""
        return GateRequest(tuple(params["gates"]), tuple(params["agents"]), params["samples"], params["seed"], budget)

    def check(self) -> None:
        """Raise BenchError, in one sentence, on a request that cannot run."""
        if not self.gates:
            raise BenchError("No gate is chosen: choose at least one.")
        for name in self.free_gates:
            pick(gates(), name, "gate")
        LlmGateChoice(self.llm_gates, self.agents, self.samples).check()
        if self.llm_gates and not self.agents:
            raise BenchError(f"{', '.join(self.llm_gates)} asks an agent, and none is named: choose one.")


def list_gates() -> list[GateCard]:
    """List every gate; gates that ask an agent come first."""
    asking = [GateCard(name, gate.label, gate.about, True, gate.judges) for name, gate in sorted(llm_gates().items())]
    free = [GateCard(name, name.replace("_", " ").capitalize(), ABOUT.get(name, ""), False, 0) for name in sorted(gates())]
    return asking + free
