"""Estimate the cost and time of drafting jobs before they start. For this, prompts are filled in with real windows (passages to
draft from) of the corpus."""

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import islice
from statistics import fmean
from typing import Any

from builders.drafting.rag_check import rag_check
from builders.drafting.windows import join_documents
from builders.llm_gate import GateJudge
from builders.task import FoundDocument, Kit, Task, Window, tasks
from core.agent import Agent, describe_headroom
from core.catalog import pick
from core.errors import BenchError, Unreadable
from core.nouns import Hit
from core.retrieval.chunks import chunk
from store.drafting import tried_windows
from store.engine.database import Database
from store.ledger.calls import TypicalCall
from workbench.build.corpus.corpus import CorpusStage
from workbench.build.drafting.call_estimate import UNKNOWN_REPLY_TOKENS, CallSum, Rehearsal, WorkEstimate, count_calls_at_once
from workbench.build.drafting.drafting import PASSAGE_TOKENS, Drafter
from workbench.build.drafting.drafts import DraftStage
from workbench.build.drafting.llm_gates import make_look
from workbench.roles import requires
from workbench.setup.agents import Agents

SAMPLED_WINDOWS = 4
"""Number of windows of each task and domain whose prompts are filled in to make the estimate."""
MAX_WINDOWS_PER_ITEM = 2
"""Maximum number of windows that a job tries for each requested item."""


@dataclass(frozen=True, slots=True)
class JobEstimate:
    """The estimate for one drafting job (one task and one domain); `seconds` is the sum over all its calls, as if they ran one
    after another."""

    title: str
    """Label of the task with its level."""
    task: str
    domain: str
    windows: tuple[int, int]
    """Minimum and maximum number of windows that the job will try."""
    sampled: int
    """Number of windows whose prompts were filled in to make the estimate."""
    is_short: bool
    """Whether the corpus has fewer windows (passages to draft from) left than items are requested."""
    window_tokens: float | None
    """Mean number of tokens in a window, or None if there are no windows."""
    least: CallSum
    most: CallSum
    calls_each: float | None
    """Mean number of calls for drafting from one window."""


@dataclass(frozen=True, slots=True)
class DraftsEstimate(WorkEstimate):
    """The estimate for several drafting jobs together, and for each of them."""

    jobs: Sequence[JobEstimate]
    troubles: Sequence[str] = ()
    """Sentences that say why some of the jobs cannot start."""


class DraftEstimate:
    """Estimates the cost and time of drafting jobs before they start."""

    def __init__(self, database: Database, agents: Agents, corpus: CorpusStage, drafts: DraftStage) -> None:
        self._db, self._agents, self._corpus, self._drafts = database, agents, corpus, drafts
        self._drafter: Drafter = drafts.drafter

    @requires("draft items", is_logged=False)
    def estimate(
        self,
        *,
        names: Sequence[str],
        domains: Sequence[str],
        count: int,
        agent: str,
        seed: int,
        budget: float | None,
        settings: dict[str, Any],
    ) -> DraftsEstimate:
        """Estimate a drafting job for each pair of a task in `names` and a domain in `domains`. The function reads whole
        documents, which takes time: call it in the background."""
        asked = self._agents.check(agent, settings, None)
        typical = self._agents.ledger.load_typical_calls(asked.name)
        jobs: list[JobEstimate] = []
        troubles: list[str] = []
        for name in names:
            for domain in domains:
                try:
                    self._drafts.check(name, domain, agent, settings, count, budget)
                    jobs.append(self._estimate_job(name, domain, count, seed, settings, asked, typical))
                except BenchError as error:
                    troubles.append(str(error))
        least, most = (CallSum.total(sums).on_clock([asked]) for sums in ([j.least for j in jobs], [j.most for j in jobs]))
        return DraftsEstimate(least, most, _list_notes(jobs, typical, asked, agent), jobs, list(dict.fromkeys(troubles)))

    def _estimate_job(
        self,
        name: str,
        domain: str,
        wanted: int,
        seed: int,
        settings: dict[str, Any],
        agent: Agent,
        typical: Mapping[str, TypicalCall],
    ) -> JobEstimate:
        """Estimate one drafting job: the mean over a sample of windows, times the minimum and maximum number of windows that
        the job will try."""
        task = pick(tasks(), name, "task")
        params = {"task": name, "domain": domain, "seed": seed, "settings": settings}
        every = self._drafter.windows(name, task, params, agent.context, tried_windows.load_windows(self._db, name))
        fitting = (window for window in every if not window.unfit)
        first = list(islice(fitting, min(SAMPLED_WINDOWS, wanted)))
        available = len(first)
        if available == min(SAMPLED_WINDOWS, wanted):  # only items and whole documents are counted; a text has many windows
            is_counted = task.window.source_task or task.window.whole_documents
            available = available + sum(1 for _ in islice(fitting, wanted - available)) if is_counted else wanted
        least = min(wanted, available)
        most = available if available < wanted else MAX_WINDOWS_PER_ITEM * wanted
        sampled = _group_windows(name, task, first)
        each = CallSum.mean([self._rehearse(name, task, window, settings, agent, typical) for window in sampled])
        return JobEstimate(
            title=title_task(task),
            task=name,
            domain=domain,
            windows=(least, most),
            sampled=len(first),
            is_short=available < wanted,
            window_tokens=fmean(window.tokens for window in sampled) if sampled else None,
            least=each.times(least),
            most=each.times(most).add_thinking(),
            calls_each=each.calls,
        )

    def _rehearse(
        self, name: str, task: Task, window: Window, settings: dict[str, Any], agent: Agent, typical: Mapping[str, TypicalCall]
    ) -> list[CallSum]:
        """Return the calls that drafting from this window would make, if each call succeeds."""
        choice = self._drafts.choose_llm_gates(name, settings)
        judges = [self._agents.check(other, settings, None, "judge") for other in choice.agents]
        drafting = Rehearsal(agent, typical)
        judging = [Rehearsal(judge, self._agents.ledger.load_typical_calls(judge.name)) for judge in judges]
        asked = [
            GateJudge(rehearsal.agent.name, rehearsal.ask, rehearsal.agent.is_offline) for rehearsal in judging or [drafting]
        ]

        def search(given: tuple[str, ...], query: str, k: int) -> list[Hit]:
            passages = (span for document in given for span in chunk(self._corpus.document(document), PASSAGE_TOKENS))
            return [Hit(span, 1.0) for span in islice(passages, k)]

        async def find(query: str, k: int, without: frozenset[str]) -> list[FoundDocument]:
            return []

        look = make_look(choice, asked, task, 0, self._corpus)
        kit = Kit(
            drafting.ask, agent.name, search, self._drafter.cut, settings=settings, find_documents=find, run_llm_gates=look
        )

        async def run() -> None:
            async for item in task.draft(window, kit):
                draft = replace(item, id="estimate", task=name)
                if settings.get("rag_check", True):
                    await rag_check(draft, task, kit, self._corpus.text)
                await kit.run_llm_gates(draft)

        with suppress(Unreadable):  # the simplest reply may be unusable; earlier calls still count
            asyncio.run(run())
        return [call for rehearsal in (drafting, *judging) for call in rehearsal.calls]


def title_task(task: Task) -> str:
    """Return the label of a task with its level in front."""
    return f"L{task.level} · {task.label['en']}" if task.level else task.label["en"]


def _group_windows(name: str, task: Task, windows: Sequence[Window]) -> list[Window]:
    """Return the windows in the groups that the task needs. If the task needs a group of documents for each window, the
    documents of the next windows take the place of those that a search would find."""
    starts, many = [window.start for window in windows if window.start is not None], task.window.documents
    if many == 1:
        return list(windows)
    groups = [[*starts[place:], *starts[:place]][:many] for place in range(len(starts))]
    return [join_documents(name, documents, ()) for documents in groups]


def _list_notes(jobs: Sequence[JobEstimate], typical: Mapping[str, TypicalCall], agent: Agent, name: str) -> list[str]:
    """Return sentences that name the basis of the estimate."""
    sampled = sum(job.sampled for job in jobs)
    calls = sum(earlier.calls for earlier in typical.values())
    replies = (
        f"{name} has not answered in this workspace yet: a reply is assumed to have {UNKNOWN_REPLY_TOKENS} tokens; its time is "
        "unknown."
    )
    if calls:
        replies = (
            f"Length and time of a reply are the means of {calls:,} earlier {'answer' if calls == 1 else 'answers'} of {name}, "
            f"with {count_calls_at_once(agent)} calls at once. For a prompt that {name} has not answered before, the estimate "
            f"assumes {UNKNOWN_REPLY_TOKENS} tokens, and its time is unknown."
        )
    return [
        f"Prompts filled with {sampled} real {'window' if sampled == 1 else 'windows'} of this corpus; tokens are estimated "
        f"from characters, and the price assumes 30 % more tokens sent.",
        replies,
        "The lower figure assumes one window per item, the higher one two, which is the most that a job tries. Replies that "
        "cannot be read are requested again, at most twice, at extra cost.",
        *describe_headroom([agent]),
    ]
