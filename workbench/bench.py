"""One open workspace and its stages: corpus, drafts, reviews, releases, shelf, runs, reports, upkeep."""

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from store import jobs
from store.database import Database
from workbench.agents import Agents
from workbench.control import Control
from workbench.corpus import CorpusStage
from workbench.drafts import DraftStage
from workbench.releases import ReleaseStage
from workbench.reports import ReportStage
from workbench.reviews import ReviewStage
from workbench.runs import RunStage
from workbench.shelf import ShelfStage
from workbench.upkeep import UpkeepStage

Work = Callable[[str, Control], Awaitable[dict[str, Any]]]


class Workbench:
    """A workspace, open. Close it, or use it in a `with`."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.agents = Agents(database)
        self.corpus = CorpusStage(database)
        self.reviews = ReviewStage(database)
        self.drafts = DraftStage(database, self.agents, self.corpus)
        self.releases = ReleaseStage(database)
        self.shelf = ShelfStage(database, self.releases)
        self.runs = RunStage(database, self.agents, self.releases)
        self.reports = ReportStage(database, self.releases)
        self.upkeep = UpkeepStage(database, self.agents)

    @classmethod
    def open(cls, path: Path | str, fresh: bool = False) -> "Workbench":
        """Open or make the workspace file; with `fresh` an old one of that name is made anew, unless it is held, or is no
        workspace of ours."""
        if fresh and path != ":memory:" and Path(path).exists():
            Database.open(path).close()
            for old in (Path(path), Path(f"{path}.wal")):
                old.unlink(missing_ok=True)
        database = Database.open(path)
        jobs.interrupted(database)
        return cls(database)

    def work(self, kind: str) -> Work:
        """The body of that kind of job."""
        return {"draft": self.drafts.work, "run": self.runs.work}[kind]

    def close(self) -> None:
        self.shelf.clear()
        self.database.close()

    def __enter__(self) -> "Workbench":
        return self

    def __exit__(self, *error: object) -> None:
        self.close()
