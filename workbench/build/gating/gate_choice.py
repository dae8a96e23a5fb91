"""The gates that a person can have run, and how a run of them is asked for."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from builders.gate import gates as gates
from builders.llm_gate import SAMPLES, llm_gates
from core.catalog import pick
from core.errors import BenchError
from workbench.build.drafting.asks import Asks, checked

ABOUT = {
    "evidence": "The evidence is real text, and an explicit factoid's answer stands in it.",
    "figures": "Every number, date and name of the answer stands in the evidence.",
    "self_contained": "The question points at no text, author or day that its reader does not have.",
    "referent": "An implicit question does not name what it hides.",
    "duplicate": "No other item asks the same.",
    "near_in_meaning": "No other question comes as near in meaning; English only with the bundled model.",
    "edit": "A hallucinated text is wrong in one recorded place, and the evidence shows it.",
    "support": "An item whose source is left out has other documents to answer from.",
    "language": "The draft is in the language that its item declares.",
    "level": "The item measures as of the level that it is declared to be of.",
}
"""What gates that ask nobody look at, for people."""


@dataclass(frozen=True, slots=True)
class GateRequest:
    """What is to be run."""

    gates: tuple[str, ...]
    agents: tuple[str, ...] = ()
    """By name; only gates that ask need any."""
    samples: int = SAMPLES
    seed: int = 7
    budget: float | None = None

    @property
    def asked(self) -> tuple[str, ...]:
        """Those that ask an agent."""
        return tuple(name for name in self.gates if name in llm_gates())

    @property
    def free(self) -> tuple[str, ...]:
        """Those that ask nobody."""
        return tuple(name for name in self.gates if name not in llm_gates())

    @property
    def asks(self) -> Asks:
        return Asks(self.asked, self.agents, self.samples)


def choices() -> list[dict[str, Any]]:
    """{"name", "label", "about", "asks": whether it asks an agent, "judges": how many at most}, those that ask first."""
    asking = [
        {"name": name, "label": gate.label, "about": gate.about, "asks": True, "judges": gate.judges}
        for name, gate in sorted(llm_gates().items())
    ]
    free = [
        {"name": name, "label": name.replace("_", " ").capitalize(), "about": ABOUT.get(name, ""), "asks": False, "judges": 0}
        for name in sorted(gates())
    ]
    return asking + free


def check(wanted: GateRequest) -> None:
    """Raises BenchError on what cannot be run, in a sentence."""
    if not wanted.gates:
        raise BenchError("No gate is chosen: choose at least one.")
    for name in wanted.free:
        pick(gates(), name, "gate")
    checked(wanted.asks)
    if wanted.asked and not wanted.agents:
        raise BenchError(f"{', '.join(wanted.asked)} asks an agent, and none is named: choose one.")


def to_params(wanted: GateRequest) -> dict[str, Any]:
    """As a job keeps it; its budget stands with the job."""
    return {
        name: list(value) if isinstance(value, tuple) else value for name, value in asdict(wanted).items() if name != "budget"
    }


def from_params(params: Mapping[str, Any], budget: float | None = None) -> GateRequest:
    """What a job was asked."""
    return GateRequest(tuple(params["gates"]), tuple(params["agents"]), params["samples"], params["seed"], budget)
