"""Store the replies to batch files in the ledger (the record of all LLM calls), and count what came of them."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

from agents.openai.openai import OpenAIAgent
from agents.openai.openai_batch import BatchFailure, BatchReply, UnreadableLine, read_line
from core.agent import Completion
from core.errors import UNREAD, BenchError
from store.engine.database import Database
from store.ledger import batches
from store.ledger.batches import WaitingRequest
from workbench.setup.agents import Agents

LINES_AT_ONCE = 500
"""Number of replies that are stored in one transaction."""


@dataclass(slots=True)
class CollectedReplies:
    """Numbers of the replies that were collected from one folder, by what came of them."""

    folder: str
    taken: int = 0
    """Number of replies that were stored in the ledger."""
    again: int = 0
    """Number of requests that got an unusable reply and that the next batch file contains again."""
    failed: int = 0
    """Number of requests that got an unusable reply and are not sent again."""
    missing: int = 0
    """Number of requests without a reply, which the next batch file contains again."""
    already: int = 0
    """Number of replies that were already stored."""
    doubled: int = 0
    """Number of replies to requests that another reply of this collection had already answered."""
    foreign: int = 0
    """Number of replies to requests of another batch."""
    broken: int = 0
    """Number of lines in the files that are not replies."""
    cost_usd: float | None = 0.0
    messages: list[str] = field(default_factory=list)
    """Sentences about files and lines that could not be used, and about replies that have not arrived yet."""
    waiting: int = 0
    """Number of requests that are still without an answer."""

    def describe(self) -> str:
        """Return sentences that say what came of the collected replies."""
        counts = {
            "taken": self.taken,
            "failed and asked again": self.again,
            "failed for good": self.failed,
            "without a reply": self.missing,
            "taken before": self.already,
            "doubled": self.doubled,
            "of another batch": self.foreign,
            "unreadable lines": self.broken,
        }
        parts = [f"{n:,} {what}" for what, n in counts.items() if n]
        cost = f" Cost {self.cost_usd:.4g} USD." if self.cost_usd is not None and self.taken else ""
        return " ".join([f"Replies: {', '.join(parts) or 'none'}.{cost}", *self.messages])

    @property
    def has_news(self) -> bool:
        """Return whether jobs can continue, because requests were answered or must be sent again."""
        return bool(self.taken or self.again or self.failed or self.missing)


class ReplyReader:
    """Stores the replies from reply files in the ledger (the record of all LLM calls), and counts them."""

    def __init__(self, database: Database, agents: Agents, folder: str) -> None:
        self._db, self._agents = database, agents
        self.found = CollectedReplies(folder)
        self._seen: set[str] = set()
        self._touched: set[str] = set()
        """Names of the request files whose replies were read."""
        self._made: dict[str, OpenAIAgent] = {}

    def take_file(self, path: Path) -> None:
        """Store every reply in a file. Lines that cannot be read are counted, and the next line is read."""
        counts: Counter[str] = Counter()
        first: dict[str, int] = {}
        with path.open("rb") as file:
            lines = ((number, line) for number, line in enumerate(file, 1) if line.strip())
            while chunk := list(islice(lines, LINES_AT_ONCE)):
                replies = []
                for number, line in chunk:
                    try:
                        replies.append(read_line(line))
                    except UnreadableLine as error:
                        counts[str(error)] += 1
                        first.setdefault(str(error), number)
                self._take_replies(replies)
        self.found.broken += counts.total()
        for why, n in counts.items():
            if n == 1:
                self.found.messages.append(f"{path.name}: Line {first[why]} {why}.")
            else:
                plural = why.replace("is ", "are ", 1).replace("has ", "have ", 1)
                self.found.messages.append(f"{path.name}: {n:,} lines, first line {first[why]}, {plural}.")

    def free_unanswered(self, *names: str) -> None:
        """Mark requests without a reply as not sent, so that the next batch file contains them. Only requests in the batch
        files whose replies were read, and in the files `names`, are marked."""
        for name in sorted({*self._touched, *names}):
            self.found.missing += batches.release_file(self._db, self.found.folder, name)
        self._touched.clear()

    def _take_replies(self, replies: list[BatchReply]) -> None:
        found, folder = self.found, self.found.folder
        new = list[BatchReply]()
        for reply in replies:
            found.doubled += reply.key in self._seen
            if reply.key not in self._seen:
                self._seen.add(reply.key)
                new.append(reply)
        waiting = batches.load_requests(self._db, folder, [reply.key for reply in new]) if new else {}
        others = [reply.key for reply in new if reply.key not in waiting]
        known = batches.count_known(self._db, folder, others) if others else 0
        found.already += known
        found.foreign += len(others) - known
        stored: dict[str, list[tuple[WaitingRequest, Completion | BatchFailure]]] = {}
        failures: dict[str, tuple[str, str, bool]] = {}
        answered: list[str] = []
        for reply in new:
            if reply.key not in waiting:
                continue
            request, file = waiting[reply.key]
            self._touched |= {file} if file is not None else set()
            agent = self._find_agent(request)
            read = _read_reply(agent, reply, request)
            stored.setdefault(agent.name, []).append((request, read))
            if isinstance(read, BatchFailure):
                failures[reply.key] = (read.kind, read.why, read.is_passing)
            else:
                answered.append(reply.key)
            if found.cost_usd is not None:
                is_free = isinstance(read, BatchFailure) and read.raw is None and read.price is None
                found.cost_usd = None if read.price is None and not is_free else found.cost_usd + (read.price or 0.0)
        for name, calls in stored.items():
            self._agents.ledger.store_batch_replies(name, calls)
        if answered:
            batches.remove_requests(self._db, folder, answered)
        if failures:
            ended = batches.note_failures(self._db, folder, failures)
            found.failed += ended
            found.again += len(failures) - ended
            self._explain_failures(failures)
        found.taken += len(answered)

    def _explain_failures(self, failures: Mapping[str, tuple[str, str, bool]]) -> None:
        """Add one message for each reason of a failure that has no message yet."""
        for _, why, _ in failures.values():
            if why not in self.found.messages and len(self.found.messages) < 20:
                self.found.messages.append(why)

    def _find_agent(self, request: WaitingRequest) -> OpenAIAgent:
        key = repr(request.agent)
        if key not in self._made:
            self._made[key] = make_batch_agent(self._agents, request.agent)
        return self._made[key]


def make_batch_agent(agents: Agents, called: Mapping[str, Any]) -> OpenAIAgent:
    """Create the agent that a request or a batch file names. Raises BenchError if the agent has no endpoint any more."""
    owner = str(called["owner"])
    settings = {f"{owner}.{name}": value for name, value in called["settings"].items()}
    agent = agents.make(str(called["name"]), settings, owner)
    if not isinstance(agent, OpenAIAgent):
        raise BenchError(
            f"{called['name']} no longer has an endpoint: restore the agent's settings from when the batch was written."
        )
    return agent


def _read_reply(agent: OpenAIAgent, reply: BatchReply, request: WaitingRequest) -> Completion | BatchFailure:
    """Parse one reply. If a reply cannot be processed, it becomes a failure with the body of the reply. The body is stored, and
    is parsed again if a job repeats the request."""
    try:
        return agent.read_batch_reply(reply, request.sent)
    except Exception as error:  # noqa: BLE001 - the reply may have been charged, so it is kept whatever the error
        import json

        why = f"{agent.name} answered, but its reply could not be processed ({type(error).__name__}: {error})."
        return BatchFailure(UNREAD, why, False, {"body": json.dumps(reply.body), "form": "chat", "attempts": 1})
