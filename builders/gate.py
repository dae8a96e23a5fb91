"""Defines gates. A gate checks one draft and returns pass, flag or refuse, with the details of the check. Gates do not call
agents, so they can run again on any revision. Each file in builders/gates/ defines one gate as its constant GATE."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

from builders.near_duplicate_index import NearDuplicateIndex
from core.catalog import catalog, pick
from core.nouns import Item, Outcome, Span, Verdict


class SimilarQuestion(NamedTuple):
    """The question nearest to another."""

    item: str
    """Id of the other item; "" = no other item."""
    question: str
    cosine: float


class SimilarQuestionFinder(Protocol):
    """Finds the question that comes nearest in meaning."""

    @property
    def model(self) -> str: ...

    def limit(self, language: str) -> float | str:
        """The cosine that random pairs of questions hardly reach; a sentence where the model is not used on that language."""

    def find_nearest(self, item: Item) -> SimilarQuestion | None:
        """The nearest other question; None when this one cannot be compared."""


@dataclass(frozen=True, slots=True)
class GateContext:
    """The inputs of a gate besides the item."""

    text_of: Callable[[Span], str]
    """Returns a span's text; raises BenchError for a missing document."""
    near_duplicates: NearDuplicateIndex = field(default_factory=NearDuplicateIndex)
    """Items that the checked item must not repeat."""
    similar_questions: SimilarQuestionFinder | None = None
    """Search for similar questions; None = questions are compared only by words."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A gate's result."""

    outcome: Outcome
    why: str = ""
    """Reason in one sentence; empty for a plain pass."""
    details: Mapping[str, Any] = field(default_factory=dict)
    calls: tuple[str, ...] = ()
    """Ids of the ledger's calls behind the finding, for gates with agents."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Gate:
    """One gate. Its name is its file's name."""

    version: str
    """Version of the gate's rules; part of a verdict's identity."""
    check: Callable[[Item, GateContext], Finding]


def gates() -> Mapping[str, Gate]:
    """Every gate by name."""
    return catalog("builders.gates", "GATE", Gate)


def run_gates(item: Item, names: Iterable[str], context: GateContext) -> tuple[Verdict, ...]:
    """The verdicts of those gates on that revision, in order. Raises BenchError on a name that is not a gate's."""
    verdicts = []
    for name in names:
        gate = pick(gates(), name, "gate")
        finding = gate.check(item, context)
        verdicts.append(Verdict(item.id, item.revision, name, gate.version, finding.outcome, finding.why, finding.details))
    return tuple(verdicts)


def is_refused(verdicts: Iterable[Verdict]) -> bool:
    """Whether one of them keeps the draft from the queue."""
    return any(verdict.outcome == "refuse" for verdict in verdicts)
