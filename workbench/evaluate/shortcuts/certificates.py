"""Certify releases: find the questions that a shortcut answers without understanding them, such as the passage with most words
of the question, or an agent that sees no text. A job makes the certificate; reports can leave out the questions that it
flags."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from core.as_json import Json
from core.cancellation import Cancelled, cancel_when
from core.catalog import pick
from core.errors import BenchError
from core.ids import new_id
from core.installation import COMMAND
from eval.running.retrieval import CHUNK_TOKENS
from eval.shortcut import ANY, ProbeKey, Shortcut, ShortcutAnswer, shortcuts
from eval.shortcuts._chance import ShortcutResult
from eval.shortcuts._judging import THRESHOLD
from eval.shortcuts._rates import record_rate
from store.engine.database import Database
from store.jobs import jobs
from store.ledger.budget import Budget
from store.releases import certificates, releases
from store.releases.certificates import Certificate, StoredResult
from store.releases.releases import WORKING_RELEASE
from store.runs import runs as stored_runs
from workbench import actor
from workbench import settings as keys
from workbench.background_cache import CachedStage
from workbench.control import Control, describe_stop
from workbench.evaluate.running.run_request import RunRequest, check_request
from workbench.evaluate.running.runs import RunStage
from workbench.evaluate.shortcuts.certificate_report import CertificateReport, FlaggedItem, build_report, describe_items
from workbench.evaluate.shortcuts.trying import PASSAGES, try_shortcuts
from workbench.release.certified import describe_certificate
from workbench.release.releases import ReleaseStage
from workbench.roles import requires
from workbench.setup.agents import Agents

__all__ = ["PAGE_SIZE", "CertificateRequest", "CertificateStage", "describe_certificate", "record_rate"]

KIND = "certificate"
PAGE_SIZE = 20
"""Number of flagged items that one page lists."""
SEED = 13
METRICS = ("token_f1",)
"""Metrics of the runs that give a shortcut its answers; no judge is needed for these metrics."""


@dataclass(frozen=True, kw_only=True, slots=True)
class CertificateRequest:
    """A request to look for shortcuts in a release."""

    release: str
    shortcuts: tuple[str, ...] = ()
    """Names of the shortcuts; empty = all shortcuts that need no agent and, if agents are named, those that ask agents."""
    agents: tuple[str, ...] = ()
    """Names of the agents that answer without any text."""
    threshold: float = THRESHOLD
    """Smallest share of a long gold answer's content words, or smallest token F1 with the gold answer, with which an answer is
    right (0 to 1)."""
    seed: int = SEED
    budget: float | None = None
    """Maximum cost in US dollars, or None without a limit."""
    settings: Mapping[str, Any] = field(default_factory=dict)


class CertificateStage(CachedStage):
    """Methods with which people certify releases and read certificates."""

    def __init__(self, database: Database, agents: Agents, releases: ReleaseStage, runs: RunStage) -> None:
        super().__init__(database)
        self._agents, self._releases, self._runs = agents, releases, runs

    @requires("run systems", lambda arguments: f"shortcuts on {arguments['request'].release}")
    def plan(self, request: CertificateRequest) -> str:
        """Return the id of the job that makes the certificate: an unfinished job for the same request, or else a new job.
        Raises BenchError if the job cannot begin."""
        chosen = list_shortcuts(request)
        if not 0 < request.threshold <= 1:
            raise BenchError(f"The threshold is {request.threshold:g}: give a number above 0 and up to 1.")
        if not request.agents:
            keys.check_known(keys.select_own(request.settings), set(), "A certificate without agents")
        for name in chosen:
            if system := shortcuts()[name].system:
                for agent in request.agents:
                    check_request(_request_run(request, system, agent), self._agents)
        is_working = request.release == WORKING_RELEASE
        hash_ = self._releases.get(request.release)[0].hash if is_working else releases.load_hash(self._db, request.release)
        params = {
            **asdict(request),
            "release_hash": hash_,
            "shortcuts": chosen,
            "agents": list(request.agents),
            "by": actor.get_name() or "",
            **self._agents.pin(request.agents, [request.settings]),
        }
        del params["budget"]
        return jobs.find_or_create(self._db, KIND, params, budget=request.budget, total=len(list_asked(params)) + 1)

    async def work(self, job: str, control: Control) -> dict[str, Json]:
        """Make the certificate: ask agents for answers without any text, then try the other shortcuts, and judge all answers.
        The agents' answers are stored as runs, so that a resumed job does not ask any question twice."""
        row = await asyncio.to_thread(jobs.get, self._db, job)
        params = row.params
        content = await asyncio.to_thread(self._releases.members, params["release"], params["release_hash"])
        replies: dict[ProbeKey, Mapping[str, ShortcutAnswer]] = {}
        runs: list[str] = []
        budget = self._agents.budget(row.budget, job)
        for name, shortcut, agent in list_asked(params):
            ended = await self._ask_agent(job, params, shortcut, agent, budget, control)
            if ended["stopped"]:
                return self._result(job, params, len(content.items), None, runs, ended["stopped"], ended["message"])
            replies[ProbeKey(name, agent)] = await asyncio.to_thread(_load_replies, self._db, ended["run"])
            runs.append(ended["run"])
            self._note_step(job, f"{name} {agent}")
        try:
            with cancel_when(control.look):
                results = await asyncio.to_thread(try_shortcuts, self._db, content, params, replies, control)
        except Cancelled:
            return self._result(job, params, len(content.items), None, runs, "cancelled", "")
        certificate = self._build_certificate(params, runs)
        await asyncio.to_thread(certificates.add, self._db, certificate, map(_store_result, results))
        self._note_step(job, "shortcuts")
        decided = [result.is_right for result in results if result.probe.shortcut == ANY and result.is_right is not None]
        return self._result(job, params, len(content.items), decided, runs, None, "", certificate.id)

    @requires("see releases", "name")
    def list_certificates(self, name: str) -> list[Certificate]:
        """Return the certificates of a release, newest first."""
        releases.load_hash(self._db, name)
        return certificates.list_certificates(self._db, name)

    @requires("see releases", "name")
    def find(self, name: str) -> Certificate | None:
        """Return the newest certificate for the present content of the release, or None if there is none."""
        return certificates.find_newest(self._db, releases.load_hash(self._db, name))

    @requires("see releases", "name")
    def report(self, name: str, certificate: str | None = None, by: Sequence[str] = ()) -> CertificateReport:
        """Return a certificate with the rates of its shortcuts, grouped by level, task, language or domain if requested.
        Without an id, the newest certificate for the release's present content is returned. Raises BenchError if there is no
        such certificate."""
        chosen = self._get(name, certificate)
        groups = tuple(by)
        return self._cache.wait_for((chosen.id, groups), lambda: build_report(self._db, chosen, groups))

    @requires("see releases", "name")
    def list_flagged(self, name: str, certificate: str | None = None, number: int = 1) -> tuple[list[FlaggedItem], int]:
        """Return (page `number` of the items that at least one shortcut answers, number of all these items), with the answers
        that the shortcuts gave."""
        chosen = self._get(name, certificate)
        every = certificates.list_flagged(self._db, chosen.id)
        start = PAGE_SIZE * (max(1, number) - 1)
        wanted = every[start : start + PAGE_SIZE]
        return describe_items(self._db, chosen, wanted), len(every)

    def _get(self, name: str, certificate: str | None) -> Certificate:
        """Return the certificate of the release with this id, or the newest one for its present content."""
        hash_ = releases.load_hash(self._db, name)
        found = certificates.get(self._db, certificate) if certificate else certificates.find_newest(self._db, hash_)
        if found is None or found.release != name:
            raise BenchError(f"Release {name!r} has no such certificate: make one with `{COMMAND} certificate make {name}`.")
        return found

    def _note_step(self, job: str, key: str) -> None:
        self._db.write(lambda cursor: jobs.insert_items(cursor, job, [(key, "done", None)]))

    async def _ask_agent(
        self, job: str, params: Mapping[str, Any], shortcut: Shortcut, agent: str, budget: Budget, control: Control
    ) -> dict[str, Any]:
        """Ask the agent all questions of the release with the shortcut's system, and return the result of this run. A question
        that failed before is not asked again."""
        request = CertificateRequest(release=params["release"], settings=params["settings"])
        run = _request_run(request, shortcut.system, agent)
        inner = Control(lambda message: control.say(f"{shortcut.label} with {agent}: {message}"), control.look)
        asked = {**params, **run.params(params["release_hash"])}
        return dict(await self._runs.work_on(job, asked, budget, inner, lambda total: None))

    def _build_certificate(self, params: Mapping[str, Any], runs: Sequence[str]) -> Certificate:
        agents = params["agents"]
        settings = {
            "shortcuts": list(params["shortcuts"]),
            "agents": agents,
            "offline": [name for name in agents if self._agents.check(name, params["settings"], None).is_offline],
            "threshold": params["threshold"],
            "passages": PASSAGES,
            "chunk_tokens": CHUNK_TOKENS,
            "runs": list(runs),
        }
        return Certificate(new_id(), params["release"], params["release_hash"], settings, params["seed"], params["by"])

    def _result(
        self,
        job: str,
        params: Mapping[str, Any],
        total: int,
        decided: Sequence[bool] | None,
        runs: Sequence[str],
        stopped: str | None,
        why: str,
        certificate: str | None = None,
    ) -> dict[str, Json]:
        """Return the job's result as JSON: the certificate, its counts, cost and message. `decided` has for each question to
        which a shortcut applies whether one answers it; None = the job stopped before."""
        flagged, done = sum(decided) if decided else None, ""
        if decided:
            done = f"At least one shortcut answers {flagged:,} of {len(decided):,} questions."
        if decided is not None and len(decided) < total:
            done = f"{done} No shortcut applies to {total - len(decided):,} of {total:,} questions.".strip()
        return {
            "certificate": certificate,
            "release": params["release"],
            "items": total,
            "decided": None if decided is None else len(decided),
            "flagged": flagged,
            "runs": list(runs),
            **self._agents.ledger.describe_spending(job),
            "stopped": stopped,
            "message": f"{done} {describe_stop(stopped, why)}".strip(),
        }


def list_shortcuts(request: CertificateRequest) -> list[str]:
    """Return the names of the shortcuts for which the request asks. Raises BenchError if a shortcut is unknown, or if the
    request names agents that no shortcut asks, or no agent for one that asks agents."""
    catalog = shortcuts()
    for name in request.shortcuts:
        if pick(catalog, name, "shortcut").system and not request.agents:
            raise BenchError(f"The shortcut {name} asks agents: name one with --agent.")
    chosen = [
        name
        for name, one in catalog.items()
        if (name in request.shortcuts if request.shortcuts else request.agents or not one.system)
    ]
    if request.agents and not any(catalog[name].system for name in chosen):
        raise BenchError("None of these shortcuts asks an agent: add closed_book, or leave the agents out.")
    return chosen


def list_asked(params: Mapping[str, Any]) -> list[tuple[str, Shortcut, str]]:
    """Return (name of the shortcut, shortcut, agent) for each run that the certificate needs."""
    catalog = shortcuts()
    chosen = [(name, catalog[name]) for name in params["shortcuts"] if catalog[name].system]
    return [(name, shortcut, agent) for name, shortcut in chosen for agent in dict.fromkeys(params["agents"])]


def _request_run(request: CertificateRequest, system: str, agent: str) -> RunRequest:
    """Return the request for the run that gives a shortcut its answers."""
    settings = dict(request.settings)
    return RunRequest(
        release=request.release, system=system, agent=agent, metrics=METRICS, budget=request.budget, settings=settings
    )


def _load_replies(database: Database, run: str) -> dict[str, ShortcutAnswer]:
    """Return a dict from item to the run's answer, or to the reason why it failed."""
    return {
        trace.item: ShortcutAnswer(
            trace.answer, trace.error or "" if trace.answer is None else "", has_failed=trace.answer is None
        )
        for trace in stored_runs.load_traces(database, run)
    }


def _store_result(one: ShortcutResult) -> StoredResult:
    """Return the result in the form in which it is stored, which leaves out the text of a passage."""
    text = one.answer.text if one.answer.span is None else None
    probe, answer = one.probe, one.answer
    return StoredResult(
        one.item, probe.shortcut, probe.agent, one.is_right, one.chance, text, one.why, answer.has_failed, answer.span
    )
