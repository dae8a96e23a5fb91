"""Execute runs: a system answers the questions of a release, and metrics score its answers. Answers and scores are stored as
soon as they are there. Repeating the same request makes no new LLM calls."""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

from core.as_json import Json
from core.catalog import pick
from core.errors import BenchError
from core.ids import Shard
from core.installation import COMMAND
from core.nouns import Release
from core.tables.world import Tables
from eval.system import systems
from store.corpus import tables
from store.engine.database import Database
from store.jobs import jobs
from store.ledger.budget import Budget
from store.releases import releases
from store.releases.releases import WORKING_RELEASE, ReleaseMembers, load_hash
from store.runs import run_inputs
from workbench import settings as keys
from workbench.background_cache import CachedStage, RunningWork
from workbench.control import Control
from workbench.evaluate.running.questions import list_questions
from workbench.evaluate.running.run_choices import RunChoices, default_metrics, list_choices
from workbench.evaluate.running.run_estimate import RunEstimate, estimate_run
from workbench.evaluate.running.run_functions import read_environments
from workbench.evaluate.running.run_progress import RunProgress, RunRecord, RunStart, list_runs, load_progress, rebuild_request
from workbench.evaluate.running.run_request import RunRequest, assign_settings, check_request
from workbench.evaluate.running.run_tables import ReadTables
from workbench.evaluate.running.run_worker import RunWorker
from workbench.release.releases import ReleaseStage
from workbench.roles import requires
from workbench.setup.agents import Agents

T = TypeVar("T")


class RunStage(CachedStage):
    """Methods with which the app and the command line plan, estimate and execute runs."""

    THREADS = 2

    def __init__(
        self, database: Database, agents: Agents, releases: ReleaseStage, read: ReadTables = lambda hashes: Tables()
    ) -> None:
        """Create the stage; `read` is the function that reads tables of the workspace."""
        super().__init__(database)
        self._agents, self._releases, self._read_tables = agents, releases, read
        self._starts: dict[str, RunStart] = {}
        self._of_frozen: dict[str, Any] = {}
        self._given: dict[str, ReleaseMembers] = {}

    @requires("run systems", lambda arguments: f"{arguments['request'].system} on {arguments['request'].release}")
    def plan(self, request: RunRequest, shard: Shard | None = None, retry_failed: bool = False) -> str:
        """Return the id of the job for the request: an unfinished job with the same request, or else a new job. If `shard` is
        given, the job answers only the questions of this shard. If `retry_failed` is true, the job also asks the questions
        again that failed before. Raises BenchError if the run cannot begin."""
        request = self._complete(request)
        self.check(request)
        if shard is None:  # a shard has the tables of the exported release
            self._check_tables(request)
        hash_, total = (load_hash(self._db, request.release), 0) if shard else self._count_questions(request)
        named = request.list_agents()
        params = request.params(hash_) | self._agents.pin(named, [request.settings])
        params |= ({"shard": list(shard)} if shard else {}) | ({"retry_failed": True} if retry_failed else {})
        return jobs.find_or_create(self._db, "run", params, budget=request.budget, total=total * request.repeat)

    @requires("see runs")
    def check(self, request: RunRequest) -> None:
        """Check that the parts of a request fit together, without reading a release. Raises BenchError if the parts do not
        fit."""
        check_request(assign_settings(request), self._agents)

    @requires("run systems", is_logged=False)
    def plan_in_background(self, request: RunRequest, ticket: str, wait: float = 0.5, retry_failed: bool = False) -> str | None:
        """Plan a run like `plan`, but in the background; return None while the release is being read. Calls with the same
        `ticket` share one plan."""
        return self._cache.get(f"plan {ticket}", lambda: self.plan(request, retry_failed=retry_failed), wait).value

    @requires("see runs")
    def estimate(self, request: RunRequest, wait: float = 0.25) -> RunningWork[RunEstimate]:
        """Return the estimate of the requested run. Raises BenchError if the run cannot begin."""
        key = f"estimate {run_inputs.fingerprint(self._db)} {request!r}"
        return self._cache.get(key, lambda: self._estimate(self._complete(request)), wait)

    @requires("see runs")
    def is_paid(self, request: RunRequest) -> bool:
        """Return whether the requested run can cost money."""
        names = request.list_agents()
        return any(map(self._agents.is_paid, names)) or self._agents.find_embedding_agent(request.settings) is not None

    @requires("see runs")
    def choices(self) -> RunChoices:
        """Return everything that a person can choose for a run."""
        return list_choices()

    @requires("see runs")
    def releases(self) -> dict[str, int]:
        """Return a dict from release to its number of items, newest first. The release `working` comes first if any item is
        accepted."""
        accepted = run_inputs.count_accepted(self._db)
        sizes = {
            name: self._remember(f"size {hash_}", partial(run_inputs.count_items, self._db, name, hash_))
            for name, hash_ in run_inputs.list_frozen(self._db)
        }
        return ({WORKING_RELEASE: accepted} if accepted else {}) | sizes

    @requires("see runs", "release")
    def default_metrics(self, release: str) -> list[str]:
        """Return the metrics that a run on the release scores by default."""
        if release == WORKING_RELEASE:
            return default_metrics(run_inputs.list_accepted_tasks(self._db))

        def list_tasks() -> list[str]:
            return sorted({place.task for place in run_inputs.load_places(self._db, release)})

        return default_metrics(self._remember(f"tasks {load_hash(self._db, release)}", list_tasks))

    @requires("see runs", "job")
    def progress(self, job: str, last: int = 5) -> RunProgress:
        """Return the progress of the job's runs, with the `last` newest answers, from stored data."""
        return load_progress(self._db, job, self._starts.get(job), last)

    @requires("see runs")
    def list_runs(self, limit: int = 50, offset: int = 0) -> tuple[list[RunRecord], int]:
        """Return one page of the runs, newest first, and the number of all runs."""
        return list_runs(self._db, limit, offset)

    @requires("see runs", "run")
    def rebuild_request(self, run: str) -> RunRequest:
        """Return a request for another run with the same settings."""
        return rebuild_request(self._db, run)

    def give_members(self, hash_: str, members: ReleaseMembers) -> None:
        """Give the runs of this process the content of a release (items, variants, documents), because the workspace contains
        only a part of it."""
        self._given[hash_] = members

    async def work(self, job: str, control: Control) -> dict[str, Json]:
        """Answer and score the runs of the job; return the result that `run --json` prints. Each repetition is a separate
        run."""
        row = jobs.get(self._db, job)
        budget = self._agents.budget(row.budget, job)
        return await self.work_on(job, row.params, budget, control, partial(jobs.set_total, self._db, job))

    async def work_on(
        self, job: str, params: Mapping[str, Any], budget: Budget, control: Control, set_total: Callable[[int], None]
    ) -> dict[str, Json]:
        """Execute a run like `work`, as part of a job with several runs, such as a sweep. `set_total` is called with the run's
        number of answers if that is lower than requested."""
        content = self._given.get(params["release_hash"])
        if content is None:
            content = await asyncio.to_thread(self._releases.members, params["release"], params["release_hash"])
        if params["sample"] is not None and params["sample"] >= len(content.items):
            params = {**params, "sample": None}  # a sample of all items is the same run as one without a sample
        worker = RunWorker(self._db, self._agents, self._starts, job, params, control, budget)
        return await worker.work(content, self._read_tables, set_total)

    def _complete(self, request: RunRequest) -> RunRequest:
        """Return the request with the metric's name before the key of each metric setting. A workflow without an environment
        gets the release's tables, if it has any, and its documents, if it has any."""
        request = assign_settings(request)
        if not pick(systems(), request.system, "system").needs_functions or "environment" in request.settings:
            return request
        release = self._load_release(request.release)
        if not release.manifest.get("tables"):
            return request
        environment = "documents,tables" if release.manifest["documents"] else "tables"
        return replace(request, settings=request.settings | {"environment": environment})

    def _load_release(self, name: str) -> Release:
        return releases.get(self._db, name) if name != WORKING_RELEASE else self._releases.get(name)[0]

    def _estimate(self, request: RunRequest) -> RunEstimate:
        check_request(request, self._agents)
        self._check_tables(request)
        return estimate_run(self._db, self._agents, request)

    def _check_tables(self, request: RunRequest) -> None:
        """Raise BenchError if the request's system queries tables but neither the release nor the workspace contains a
        table."""
        adapter = pick(systems(), request.system, "system")
        if "tables" not in read_environments(adapter, keys.select_own(request.settings)) or tables.list_tables(self._db):
            return
        if not self._load_release(request.release).manifest.get("tables"):
            raise BenchError(
                f"This run queries tables (environment=tables), and neither the release {request.release} nor the workspace "
                f"has a table: add tables (`{COMMAND} tables FOLDER`), or search the documents alone with --set "
                "environment=documents."
            )

    def _count_questions(self, request: RunRequest) -> tuple[str, int]:
        """Return (hash of the release, number of questions in one repetition). The items of a frozen release are counted
        without being loaded."""
        if request.release == WORKING_RELEASE or request.variants:
            release, content = self._releases.get(request.release)
            return release.hash, len(list_questions(content, request.variants, request.sample, request.seed))
        hash_ = load_hash(self._db, request.release)
        items = run_inputs.count_items(self._db, request.release, hash_)
        return hash_, items if request.sample is None else min(items, request.sample)

    def _remember(self, key: str, work: Callable[[], T]) -> T:
        """Return the result of `work`, which is computed only once, because it depends only on frozen content."""
        if key not in self._of_frozen:
            self._of_frozen[key] = work()
        result: T = self._of_frozen[key]
        return result
