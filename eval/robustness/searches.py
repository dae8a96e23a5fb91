"""The executed searches of a trace, hop by hop, as figures of robustness need them: what was asked of the retriever, and which
documents came back."""

from typing import NamedTuple

from core.nouns import Trace
from eval.system import systems
from eval.workflows.hops import list_hops


class RetrievalHop(NamedTuple):
    """One executed retrieval."""

    query: str
    documents: tuple[str, ...]
    """Ids of the documents of its passages, best first, each once."""


def list_searches(system: str, trace: Trace) -> tuple[RetrievalHop, ...] | None:
    """In order; () = it did not search. None for an outside system that tells no retrieval of its own: whether it searched is
    not known. A search that was refused is none."""
    found = tuple(
        RetrievalHop(hop.query, tuple(dict.fromkeys(span.document for span in hop.spans)))
        for hop in list_hops(trace)
        if not hop.blocked
    )
    adapter = systems().get(system)
    return None if not found and (adapter is None or adapter.family == "outside") else found
