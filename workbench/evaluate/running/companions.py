"""Find two runs that show at which stage another run loses correct answers. Both runs have the same agent as the other run; one
gets the evidence of the gold answers (oracle), and one gets no context (closed_book)."""

from dataclasses import replace

from core.nouns import Run
from eval.reports.attribution import COMPANIONS, FAILURE_THRESHOLD, STATES, Attribution
from store.engine.database import Database
from store.runs import runs
from workbench.evaluate.running.run_progress import rebuild_request
from workbench.evaluate.running.run_request import RunRequest

__all__ = ["COMPANIONS", "FAILURE_THRESHOLD", "STATES", "Attribution", "find_companions", "request_missing_companions"]


def find_companions(database: Database, run: Run) -> dict[str, Run]:
    """Return a dict from system (oracle, closed_book) to its newest run with the same release, agent, sample and variants as
    `run`. Systems without such a run are left out."""
    shared = ("agent", "sample", "variants")
    return {
        other.system.name: other
        for other in runs.list_runs(database, run.release)  # oldest first, so that the newest run stays
        if other.system.name in COMPANIONS
        and other.release_hash == run.release_hash
        and all(other.config.get(name) == run.config.get(name) for name in shared)
    }


def request_missing_companions(database: Database, run: Run) -> list[RunRequest]:
    """Return requests for those runs of oracle and closed_book that are missing; the list is empty if the run has no agent."""
    if run.agent is None:
        return []
    present = find_companions(database, run)
    request = rebuild_request(database, run.id)
    shared = ("temperature", "max_tokens", "seed")
    settings = {key: value for key, value in request.settings.items() if key in shared or key.startswith(("agent.", "judge."))}
    return [
        replace(request, system=name, retriever=None, repeat=1, settings=settings) for name in COMPANIONS if name not in present
    ]
