"""The searches of a trace, hop by hop: what was asked of the retriever and which documents came back."""

from typing import NamedTuple

from core.nouns import Trace
from eval.system import systems


class Hop(NamedTuple):
    """One executed retrieval."""

    query: str
    documents: tuple[str, ...]
    """Ids of the documents of its passages, best first, each once."""


def searches(system: str, trace: Trace) -> tuple[Hop, ...] | None:
    """In order; () = it did not search. None for an outside system that tells no retrieval of its own: whether it searched is
    not known."""
    found = tuple(
        Hop(step.text, tuple(dict.fromkeys(span.document for span in step.spans)))
        for step in trace.steps if step.kind == "retrieve"
    )  # fmt: skip
    adapter = systems().get(system)
    return None if not found and (adapter is None or adapter.family == "outside") else found
