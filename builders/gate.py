"""Define gates, which are checks of one draft: a gate returns pass, flag or refuse, with details. Gates do not call agents, so
they can run again on any revision. Each file in builders/gates/ defines one gate as its constant GATE."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

from builders.near_duplicate_index import NearDuplicateIndex
from core.catalog import catalog, pick
from core.nouns import Item, Outcome, Span, Verdict


class SimilarQuestion(NamedTuple):
    """The other item whose question is closest in meaning to a given item's question."""

    item: str
    """Id of the item with the closest question; "" = the workspace has no other item."""
    question: str
    cosine: float


class SimilarQuestionFinder(Protocol):
    """Finds, by an embedding model, the question of another item that is closest in meaning to an item's question."""

    @property
    def model(self) -> str: ...

    def limit(self, language: str) -> float | str:
        """Return a limit for the cosine similarity, which random pairs of questions rarely exceed. Return a sentence with the
        reason if the embedding model is not used for this language."""

    def find_nearest(self, item: Item) -> SimilarQuestion | None:
        """Return the closest question of another item, or None if the item's question cannot be compared."""


@dataclass(frozen=True, slots=True)
class GateContext:
    """The data and functions that a gate may use besides the item that it checks."""

    text_of: Callable[[Span], str]
    """Returns the text of a span; raises BenchError if its document is missing."""
    near_duplicates: NearDuplicateIndex = field(default_factory=NearDuplicateIndex)
    """Index of all items whose questions a new item must not repeat."""
    similar_questions: SimilarQuestionFinder | None = None
    """Object that finds questions with a similar meaning; None = questions are compared only by their words."""


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of one gate for one item: outcome, reason and details."""

    outcome: Outcome
    why: str = ""
    """Reason for the outcome, in one sentence; "" for a pass that needs no reason."""
    details: Mapping[str, Any] = field(default_factory=dict)
    calls: tuple[str, ...] = ()
    """Ids of the ledger's agent calls on which the result is based, for LLM gates."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Gate:
    """One gate: the function that checks an item, and the version of its rules. The name of a gate is the name of its file."""

    version: str
    """Version of the gate's rules; it is part of the id of every verdict of the gate."""
    check: Callable[[Item, GateContext], Finding]


def gates() -> Mapping[str, Gate]:
    """Return all gates as a dict from name to Gate."""
    return catalog("builders.gates", "GATE", Gate)


def run_gates(item: Item, names: Iterable[str], context: GateContext) -> tuple[Verdict, ...]:
    """Run the gates named in `names` on the item's current revision, and return their verdicts in the order of `names`. Raises
    BenchError if there is no gate with one of these names."""
    verdicts = []
    for name in names:
        gate = pick(gates(), name, "gate")
        finding = gate.check(item, context)
        verdicts.append(Verdict(item.id, item.revision, name, gate.version, finding.outcome, finding.why, finding.details))
    return tuple(verdicts)


def is_refused(verdicts: Iterable[Verdict]) -> bool:
    """Check whether one of the verdicts is "refuse"; a refused draft does not enter the review queue."""
    return any(verdict.outcome == "refuse" for verdict in verdicts)
