"""The two runs that tell where another one's answers are lost: the same agent with the gold evidence and with no context, on
the same release. Those that are there, and what to ask for where one is not."""

from dataclasses import replace

from core.nouns import Run
from eval.reports.attribution import COMPANIONS, STATES, THRESHOLD, Attribution
from store.engine.database import Database
from store.runs import runs
from workbench.evaluate.running.run_asked import RunRequest
from workbench.evaluate.running.run_looks import again

__all__ = ["COMPANIONS", "STATES", "THRESHOLD", "Attribution", "companions", "lacking"]


def companions(database: Database, run: Run) -> dict[str, Run]:
    """By system the newest one with the same release, agent, sample and variants, where there is one."""
    found: dict[str, Run] = {}
    for other in runs.list_runs(database, run.release):
        same = all(other.config.get(name) == run.config.get(name) for name in ("agent", "sample", "variants"))
        if other.system.name in COMPANIONS and other.release_hash == run.release_hash and same:
            found.setdefault(other.system.name, other)
    return found


def lacking(database: Database, run: Run) -> list[RunRequest]:
    """What to ask for to have both; nothing where both are there, or where the run had no agent."""
    there = companions(database, run)
    asked = again(database, run.id)
    settings = {
        key: value
        for key, value in asked.settings.items()
        if key in ("temperature", "max_tokens", "seed") or key.startswith(("agent.", "judge."))
    }
    return (
        []
        if run.agent is None
        else [
            replace(asked, system=name, retriever=None, repeat=1, settings=settings) for name in COMPANIONS if name not in there
        ]
    )
