"""Manage batch files. Jobs write their LLM requests to files in a folder; an endpoint's Batch API, or `vllm run-batch`, answers
the files; the replies are stored in the ledger (the record of all LLM calls), and the jobs continue."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from agents.openai.batch_endpoint import BatchEndpoint, BatchState
from agents.openai.openai import OpenAIAgent
from core.as_json import Json
from core.errors import BenchError
from core.installation import COMMAND
from store.engine.database import Database
from store.jobs import jobs
from store.ledger import batches
from store.ledger.batches import BatchCollector, BatchFile, BatchSum
from workbench.roles import explain_refusal, requires
from workbench.setup.agents import Agents
from workbench.setup.batch_replies import CollectedReplies, ReplyReader, make_batch_agent

NO_ENDPOINT = "--batch needs an agent at an endpoint (openai:MODEL): the agents of this command answer at once."


class FileState(NamedTuple):
    """The state of one batch file, as the screen shows it."""

    name: str
    endpoint: str
    """Address and model of the endpoint to which the file's requests are sent."""
    requests: int
    waiting: int
    """Number of the file's requests that have no answer yet."""
    batch: str | None
    """Id of the batch at the endpoint, or None if the file was not sent yet."""
    status: str
    answered: int = 0
    """Number of requests that the endpoint has answered so far according to its own report."""


@dataclass(frozen=True, slots=True)
class BatchFolder:
    """The batch files in one folder, and the requests in the folder that have no answer yet."""

    folder: str
    files: list[FileState]
    waiting: int
    """Number of requests in the folder that have no answer yet."""
    price_usd: float | None
    """Highest possible cost in US dollars of the waiting requests at batch prices, or None if a price is unknown."""
    price_now_usd: float | None
    """Highest possible cost in US dollars of the waiting requests if they were sent directly, or None if a price is unknown."""
    jobs: list[str]
    """Ids of the jobs that wait for replies in this folder."""


class BatchStage:
    """Methods that write and send batch files, and that collect their replies."""

    def __init__(self, database: Database, agents: Agents) -> None:
        self._db, self._agents = database, agents

    @requires("steer jobs", "job", is_logged=False)
    def assign(self, job: str, folder: Path | None) -> None:
        """From its next start on, make the job write its requests to batch files in `folder`, or, if `folder` is None, send
        them directly. Raises BenchError if none of the job's agents is at an endpoint; a job that was never started is then
        cancelled."""
        row = jobs.get(self._db, job)
        if folder is not None and not any(map(self._agents.is_paid, _list_agents(row.params))):
            if row.heartbeat is None:
                jobs.cancel(self._db, row.id)
            raise BenchError(NO_ENDPOINT)
        place = None if folder is None else str(folder)
        if row.batch != place:
            jobs.set_batch(self._db, row.id, place)

    @requires("steer jobs", "job", is_logged=False)
    def assign_own_folder(self, job: str) -> None:
        """Make the job write its requests to batch files in a folder for this job beside the workspace. Raises BenchError if
        the workspace is in memory, and for the same reasons as `assign`."""
        if self._db.path is None:
            raise BenchError("A workspace in memory has no folder for batch files: open a workspace file.")
        self.assign(job, self._db.locate_folder("batches") / job)

    async def carry(self, job: str, work: Callable[[], Awaitable[dict[str, Json]]]) -> dict[str, Json]:
        """Run `work`, which does the work of the job. If the job has a folder for batch files, its requests are written there,
        and the result describes the requests that have no answer yet."""
        folder = (await asyncio.to_thread(jobs.get, self._db, job)).batch
        if folder is None:
            return await work()
        with self.collect_requests(job, folder) as collector:
            try:
                result = await work()
            finally:
                waiting = await asyncio.to_thread(collector.flush)
        if not waiting.requests:
            return result
        written = await asyncio.to_thread(batches.write_files, self._db, folder)
        return result | describe_waiting(folder, waiting, written, result)

    @contextmanager
    def collect_requests(self, job: str, folder: str) -> Iterator[BatchCollector]:
        """Return a context manager. Within its block, the job's agents write their requests to batch files in the folder."""
        collector = self._agents.collectors[job] = BatchCollector(self._db, folder)
        try:
            yield collector
        finally:
            del self._agents.collectors[job]

    def list_folders(self) -> list[str]:
        """List the folders that contain batch files of this workspace."""
        return batches.list_folders(self._db)

    def find_folder(self, job: str) -> BatchFolder | None:
        """Return the folder with the job's batch files, or None if the job sends its requests directly."""
        folder = jobs.get(self._db, job).batch
        return None if folder is None else self.load_folder(folder)

    def load_folder(self, folder: str) -> BatchFolder:
        """Return the batch files of a folder with their last known states. Costs are included if the current user may see them.
        Raises BenchError if the folder is unknown."""
        files = batches.list_files(self._db, folder)
        waiting = batches.sum_waiting(self._db, folder)
        if not files and not waiting.requests:
            known = ", ".join(self.list_folders()) or "none"
            raise BenchError(
                f"{folder} has no batch of this workspace: give a folder that an earlier command named with --batch ({known})."
            )
        states = [FileState(f.name, f.endpoint, f.requests, f.waiting, f.batch, f.status) for f in files]
        waiting_jobs = jobs.list_waiting_for_batch(self._db, folder)
        if explain_refusal(self._db, "see costs") is not None:
            waiting = BatchSum(waiting.requests, None, None)
        return BatchFolder(folder, states, waiting.requests, waiting.price, waiting.price_now, waiting_jobs)

    @requires("steer jobs", "folder")
    def submit(self, folder: str) -> BatchFolder:
        """Send those batch files of the folder to their endpoints that were not sent yet. Raises BenchError if there is no such
        file, or if an endpoint cannot be used."""
        self.load_folder(folder)
        batches.write_files(self._db, folder)  # requests that were answered elsewhere meanwhile are left out
        files = [file for file in batches.list_files(self._db, folder) if file.batch is None and file.waiting]
        if not files:
            raise BenchError(f"{folder} has no file to send: every file was sent or is fully answered.")

        async def send() -> None:
            for file in files:
                async with _open_endpoint(self._find_agent(file)) as endpoint:
                    state = await endpoint.send_file(Path(folder) / file.name)
                batches.note_batch(self._db, folder, file.name, state.batch, state.status)

        asyncio.run(send())
        return self.load_folder(folder)

    @requires("steer jobs", "folder", is_logged=False)
    def status(self, folder: str) -> BatchFolder:
        """Ask the endpoints for the states of all batches that have not ended. Raises BenchError if an endpoint cannot be
        used."""
        found = self.load_folder(folder)
        states = asyncio.run(self._load_states(folder))
        files = [
            file if file.name not in states else file._replace(answered=states[file.name].completed) for file in found.files
        ]
        fresh = self.load_folder(folder)
        return BatchFolder(
            folder,
            [file._replace(answered=old.answered) for file, old in zip(fresh.files, files, strict=True)],
            *(fresh.waiting, fresh.price_usd, fresh.price_now_usd, fresh.jobs),
        )

    @requires("steer jobs", "folder")
    def collect(self, folder: str, replies: Iterable[Path] = ()) -> CollectedReplies:
        """Store the replies to the folder's requests in the ledger. The replies come from the files `replies`; if none are
        given, from files beside the requests and from batches that have ended at their endpoints. Raises BenchError if a file
        or an endpoint cannot be used."""
        self.load_folder(folder)
        named = list(replies)
        for path in named:
            if not path.is_file():
                raise BenchError(f"{path} is not a file: give the path of a file with replies.")
        reading = ReplyReader(self._db, self._agents, folder)
        if named:
            for path in named:
                reading.take_file(path)
            reading.free_unanswered()
        else:
            states = asyncio.run(self._fetch(folder))
            for file in batches.list_files(self._db, folder):
                self._take_replies(reading, file, states.get(file.name))
        found = reading.found
        found.waiting = batches.sum_waiting(self._db, folder).requests
        if found.waiting and not found.has_news and not found.messages and not found.already:
            found.messages.append(f"{folder} has no replies yet.")
        return found

    def _take_replies(self, reading: ReplyReader, file: BatchFile, state: BatchState | None) -> None:
        """Store the replies to the requests in one file, if there are any."""
        if not file.waiting:
            return
        paths = [path for path in _list_reply_paths(Path(reading.found.folder), file.name) if path.is_file()]
        if file.batch is not None and (state is None or not state.is_over):
            told = f", {state.completed:,} of {state.total:,} answered" if state else ""
            status = state.status if state else file.status
            reading.found.messages.append(f"{file.name} waits for batch {file.batch}: {status}{told}.")
            return
        for path in paths:
            reading.take_file(path)
        if state is not None and state.status != "completed":
            why = f" ({state.message})" if state.message else ""
            reading.found.messages.append(f"The batch of {file.name} is {state.status}{why}.")
        if paths or state is not None:
            reading.free_unanswered(file.name)

    async def _load_states(self, folder: str) -> dict[str, BatchState]:
        """Return a dict from file to the state of its batch, for files that were sent and are not completely answered."""
        states = {}
        for file in batches.list_files(self._db, folder):
            if file.batch is not None and file.waiting:
                async with _open_endpoint(self._find_agent(file)) as endpoint:
                    states[file.name] = await endpoint.load_state(file.batch)
                batches.note_batch(self._db, folder, file.name, file.batch, states[file.name].status)
        return states

    async def _fetch(self, folder: str) -> dict[str, BatchState]:
        """Download the replies of batches that have ended; return the states of all batches."""
        states = await self._load_states(folder)
        for file in batches.list_files(self._db, folder):
            state = states.get(file.name)
            if state is None or not state.is_over:
                continue
            async with _open_endpoint(self._find_agent(file)) as endpoint:
                paths = _list_reply_paths(Path(folder), file.name)
                for id_, path in zip((state.output, state.errors), paths, strict=True):
                    if id_ is not None:
                        await endpoint.fetch_file(id_, path)
        return states

    def _find_agent(self, file: BatchFile) -> OpenAIAgent:
        """Return the agent for which the batch file was written. Raises BenchError if that agent is now at another endpoint."""
        agent = make_batch_agent(self._agents, file.agent)
        here = f"{agent.shown_url} {agent.model}"
        if here != file.endpoint:
            raise BenchError(
                f"{file.name} was written for {file.endpoint}, and {file.agent['name']} is at {here} now: restore the "
                "address in OPENAI_BASE_URL or of the saved agent."
            )
        return agent


@asynccontextmanager
async def _open_endpoint(agent: OpenAIAgent) -> AsyncIterator[BatchEndpoint]:
    """Return a context manager that opens the Batch API of an agent's endpoint, and closes it at the end of the block."""
    endpoint = BatchEndpoint(agent)
    try:
        yield endpoint
    finally:
        await endpoint.close()


def _list_reply_paths(folder: Path, requests: str) -> tuple[Path, Path]:
    """Return the paths of the files with replies and errors that belong to a file of requests: requests-2.jsonl gives
    replies-2.jsonl and errors-2.jsonl."""
    return folder / requests.replace("requests", "replies", 1), folder / requests.replace("requests", "errors", 1)


def _list_agents(params: Mapping[str, Any]) -> Iterator[str]:
    """Yield the names of the agents in the parameters of a job."""
    for name in (params.get("agent"), *params.get("judges", ()), *params.get("agents", ())):
        if name:
            yield str(name)
    yield from (str(name) for name in (params.get("asked") or {}).get("agents", ()))


def describe_waiting(folder: str, waiting: BatchSum, written: list[str], result: Mapping[str, Any]) -> dict[str, Json]:
    """Return the part of a job's result that describes the requests without an answer: their numbers and costs, and the next
    steps."""
    n = f"{waiting.requests:,} {'request waits' if waiting.requests == 1 else 'requests wait'} for a batch in {folder}"
    files = f", new in {', '.join(written)}" if written else ", written before"
    prices = (
        f" At most {waiting.price:.4g} USD in a batch, {waiting.price_now:.4g} USD asked now."
        if waiting.price is not None and waiting.price_now is not None
        else ""
    )
    steps = f" Send them: {COMMAND} batch submit {folder}. Then go on: {COMMAND} batch collect {folder}."
    message = f"{result.get('message') or ''} {n}{files}.{prices}{steps}".strip()
    return {
        "stopped": result.get("stopped") or "batch",
        "message": message,
        "batch": {
            "folder": folder,
            "files": written,
            "waiting": waiting.requests,
            "price_usd": waiting.price,
            "price_now_usd": waiting.price_now,
        },
    }
