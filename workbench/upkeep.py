"""Upkeep: jobs, backups, and the doctor's look at the installation."""

import importlib
import os
import platform
import socket
import tempfile
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from core.errors import BenchError
from store import jobs
from store.database import Database
from store.jobs import Job
from workbench.agents import Agents

PACKAGES = (
    "duckdb", "streamlit", "openai", "pandas", "numpy", "jieba", "bm25s", "sacrebleu", "trafilatura", "pypdfium2", "docx",
)  # fmt: skip


ENDS: dict[str | None, jobs.State] = {None: "done", "budget": "budget", "endpoint": "endpoint", "cancelled": "paused"}
"""How a job ended -> its state; one that was cancelled by Ctrl-C alone can go on."""


class UpkeepStage:
    """Verbs that keep the house in order."""

    def __init__(self, database: Database, agents: Agents) -> None:
        self._db, self._agents = database, agents

    def jobs(self) -> list[dict[str, Any]]:
        """Every job, newest first, with how far it is."""
        return [
            {"id": j.id, "kind": j.kind, "state": j.state, "params": dict(j.params), "done": self._done(j), "total": j.total,
             "cost_usd": self._agents.ledger.cost(j.id), "created": j.created, "error": j.error, "result": summary(j.result)}
            for j in reversed(jobs.listed(self._db))
        ]  # fmt: skip

    def begin(self, job: str) -> str:
        """Mark the job running; returns its kind. Raises BenchError when it was cancelled or is no job."""
        jobs.begin(self._db, job, f"{socket.gethostname()}:{os.getpid()}")
        return jobs.get(self._db, job).kind

    def end(self, job: str, result: Mapping[str, Any]) -> None:
        """Mark the job by how it ended."""
        state = ENDS[result["stopped"]]
        if state == "paused" and self.is_cancelled(job):
            state = "cancelled"
        jobs.end(self._db, job, state, {k: v for k, v in result.items() if k != "items"}, result.get("message"))

    def fail(self, job: str, message: str) -> None:
        """Mark the job by the sentence that ended it."""
        jobs.end(self._db, job, "failed", error=message)

    def _done(self, job: Job) -> int:
        """Pieces of it that are finished."""
        if job.kind == "draft":
            return sum(result["state"] == "drafted" for _, result in jobs.results(self._db, job.id))
        return int((job.result or {}).get("answered", 0))

    def is_cancelled(self, job: str) -> bool:
        return jobs.is_cancelled(self._db, job)

    def resumable(self, job: str) -> str:
        """The whole id of a job (given it, or how it begins); raises BenchError unless it can go on."""
        row = jobs.get(self._db, job)
        if row.state in ("done", "cancelled"):
            raise BenchError(f"Job {row.id} is {row.state}: only an interrupted or stopped one can be resumed.")
        return row.id

    def cancel(self, job: str) -> None:
        """The job stops after its calls in flight, and never resumes. Raises BenchError when it is done, or no job."""
        row = jobs.get(self._db, job)
        if row.state == "done":
            raise BenchError(f"Job {row.id} is done: there is nothing left to cancel.")
        jobs.cancel(self._db, row.id)

    def backup(self, out: Path) -> dict[str, Any]:
        """Copy the whole workspace into one file, while others work."""
        self._db.backup(out)
        return {"out": str(out), "bytes": out.stat().st_size}

    def doctor(self, *, agent: str | None = None, settings: Mapping[str, Any], say: Callable[[str], None]) -> dict[str, Any]:
        """Look at everything that has to work; with an agent every prompt is sent once on the samples."""
        checks = [check("python", platform.python_version), *(check(name, partial(version, name)) for name in PACKAGES)]
        checks += [check("workspace", self._workspace), check("folder", self._folder), check("tokenizer", chinese),
                   check("embedding model", embedding)]  # fmt: skip
        if agent:
            from workbench.trial import trial

            made = self._agents.hire(agent, settings)
            checks += trial(made, say)
        return {"checks": checks}

    def _workspace(self) -> str:
        from store.state import differences

        rows = self._db.read_through()
        wrong = differences(self._db)
        if wrong:
            raise BenchError(
                f"{len(wrong)} state rows differ from their history, first that of {wrong[0][0]}: restore a backup."
            )
        return f"{self._db.path}, {rows} rows can be read, every state row equals its history"

    def _folder(self) -> str:
        folder = self._db.path.parent if self._db.path else Path.cwd()
        with tempfile.NamedTemporaryFile(dir=folder) as file:
            file.write(b"ok")
        return f"{folder} can be written"


def check(name: str, look: Callable[[], str]) -> dict[str, Any]:
    """One check: what it says, or what went wrong, in a sentence."""
    try:
        return {"name": name, "ok": True, "message": look()}
    except (BenchError, ImportError, OSError) as error:
        return {"name": name, "ok": False, "message": str(error)}


def version(package: str) -> str:
    module = importlib.import_module(package)
    return str(getattr(module, "__version__", "there"))


def chinese() -> str:
    from core.text import words

    return " ".join(words("检索增强生成", "zh"))


def embedding() -> str:
    from core.embeddings import embedder

    model = embedder("minilm")
    vector = model.encode(["a test"])
    return f"{model.name}, {vector.shape[1]} dimensions, {model.max_tokens} tokens, languages: {', '.join(model.languages)}"


def summary(result: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """A job's result without its long lists."""
    return {k: v for k, v in result.items() if not isinstance(v, list) or len(v) < 20} if result is not None else None
