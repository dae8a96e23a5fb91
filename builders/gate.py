"""Defines gates. A gate checks one draft and returns pass, flag or refuse, with the details of the check. Gates do not call
agents, so they can run again on any revision. Each file in builders/gates/ defines one gate as its constant GATE."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

from builders.near_duplicate_index import NearDuplicateIndex
from core.catalog import catalog, pick
from core.nouns import Item, Outcome, Span, Verdict


class SimilarQuestion(NamedTuple):
    """The question most similar to another question."""

    item: str
    """Id of the other item; "" = no other item."""
    question: str
    cosine: float


class SimilarQuestionFinder(Protocol):
    """Finds the question whose meaning is most similar to that of an item's question."""

    @property
    def model(self) -> str: ...

    def limit(self, language: str) -> float | str:
        """Return the cosine that random pairs of questions rarely reach, or a sentence with the reason if the model is not used
        for the given language."""

    def find_nearest(self, item: Item) -> SimilarQuestion | None:
        """Return the most similar other question, or None if the item's question cannot be compared."""


@dataclass(frozen=True, slots=True)
class GateContext:
    """The inputs of a gate other than the item."""

    text_of: Callable[[Span], str]
    """Returns a span's text; raises BenchError for a missing document."""
    near_duplicates: NearDuplicateIndex = field(default_factory=NearDuplicateIndex)
    """Items that the checked item must not repeat."""
    similar_questions: SimilarQuestionFinder | None = None
    """Search for similar questions; None = questions are compared only by words."""


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of a gate."""

    outcome: Outcome
    why: str = ""
    """Reason in one sentence; empty for a plain pass."""
    details: Mapping[str, Any] = field(default_factory=dict)
    calls: tuple[str, ...] = ()
    """Ids of the ledger's calls behind the finding, for gates with agents."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Gate:
    """One gate, named after its file."""

    version: str
    """Version of the gate's rules; part of a verdict's identity."""
    check: Callable[[Item, GateContext], Finding]


def gates() -> Mapping[str, Gate]:
    """Return gate name -> gate, for every gate."""
    return catalog("builders.gates", "GATE", Gate)


def run_gates(item: Item, names: Iterable[str], context: GateContext) -> tuple[Verdict, ...]:
    """Return the verdicts of the named gates on the current revision of the item, in order. Raises BenchError if a name is not
    the name of a gate."""
    verdicts = []
    for name in names:
        gate = pick(gates(), name, "gate")
        finding = gate.check(item, context)
        verdicts.append(Verdict(item.id, item.revision, name, gate.version, finding.outcome, finding.why, finding.details))
    return tuple(verdicts)


def is_refused(verdicts: Iterable[Verdict]) -> bool:
    """Check whether one of the verdicts excludes the draft from the queue."""
    return any(verdict.outcome == "refuse" for verdict in verdicts)
