"""Compare two versions of a drafting prompt, or two agents, on the same pieces of documents (windows). A comparison of two ways
to draft is called a prompt trial. Until the trial is closed, people decide on pairs of drafts without knowing which side made
which draft (see trial_desk). When the trial is closed, the sides and all results are shown."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from builders.task import Task, tasks
from core.as_json import Json
from core.catalog import pick
from core.errors import BenchError
from core.ids import new_id
from core.records import item_from_record
from core.statistics.trials import DraftPair, SideDraft, TrialComparison, compare_windows, describe_comparison
from prompts.prompt import names as prompt_names
from store.drafting import prompts, trials
from store.drafting.trials import PairOpinion, Side, Trial, TrialPair
from store.engine.database import Database
from store.jobs import jobs
from workbench.annotate.desk.decisions import first_answer
from workbench.annotate.reviewing.reviews import ReviewStage
from workbench.build.corpus.corpus import CorpusStage
from workbench.build.drafting.call_estimate import CallSum
from workbench.build.drafting.draft_estimate import DraftEstimate, DraftsEstimate
from workbench.build.drafting.drafts import DraftStage
from workbench.build.trials.trial_close import TrialClosing
from workbench.build.trials.trial_desk import get_trial
from workbench.build.trials.trial_work import TrialWork
from workbench.control import Control
from workbench.roles import requires
from workbench.setup.agents import Agents
from workbench.setup.prompts import PromptStage

KIND = "trial"
MAX_WINDOWS = 2_000
"""Maximum number of windows (passages to draft from) in one prompt trial."""
NAME_NEEDED = "Give your name first: it is stored with the trial."


class TrialSide(NamedTuple):
    """One of the two ways to draft that a trial compares: an agent and a version of the prompt."""

    agent: str
    version: str | None
    """Hash of the version of the drafting prompt, or None for the prompt that comes with the program."""


class TrialPlan(NamedTuple):
    """A trial that a person wants to start: its task, its windows, and the two sides to compare."""

    task: str
    domain: str
    language: str | None
    windows: int
    seed: int
    a: TrialSide
    b: TrialSide

    @property
    def settings(self) -> dict[str, Json]:
        """Return the settings with which both sides draft; checks by LLMs (LLM gates and the RAG check) are turned off."""
        return {"rag_check": False, "asks": [], **({"language": self.language} if self.language else {})}


class TrialCard(NamedTuple):
    """A prompt trial in the list of trials; the list does not show which prompts and agents it compares."""

    id: str
    task: str
    domain: str
    windows: int
    pairs: int
    """Number of windows from which at least one side made a draft."""
    decided: int
    closed: str | None
    """Name of the person who closed the trial, or None if it is open."""
    by: str
    at: str
    """Time at which the trial was started, in UTC and ISO format."""


@dataclass(frozen=True, slots=True)
class TrialResult:
    """The results of a closed prompt trial."""

    labels: tuple[str, ...]
    """What the sides A and B are: version of the prompt and agent."""
    compared: TrialComparison
    sentence: str
    answers: int
    """Number of pairs of drafts on which people decided."""
    people: int
    entered: Mapping[str, int]
    """Dict from outcome (one of trial_close.ENDS) to the number of drafts."""


class TrialStage:
    """Methods that plan, run, close and list prompt trials."""

    def __init__(
        self,
        database: Database,
        agents: Agents,
        corpus: CorpusStage,
        drafts: DraftStage,
        prompts: PromptStage,
        reviews: ReviewStage,
        estimate: DraftEstimate,
    ) -> None:
        self._db, self._agents, self._drafts, self._prompts, self._estimate = database, agents, drafts, prompts, estimate
        self._work = TrialWork(database, agents, corpus, drafts.drafter, prompts)
        self._closing = TrialClosing(database, corpus, reviews)

    @requires("draft items", "task", is_logged=False)
    def versions(self, task: str) -> dict[str | None, str]:
        """Return a dict from hash to label for the versions of the task's drafting prompt, the current version first. The hash
        None stands for the prompt that comes with the program."""
        return list_versions(self._db, task)

    @requires("draft items", is_logged=False)
    def estimate(self, plan: TrialPlan, budget: float | None) -> DraftsEstimate:
        """Estimate the cost and time of the trial, as one estimate for each side. Raises BenchError if the trial cannot start.
        The function reads whole documents, which takes time: call it in the background."""
        self.check(plan, budget)
        estimates, jobs = [], []
        for name, side in zip("AB", (plan.a, plan.b), strict=True):
            with self._prompts.in_force(choose_words(self._db, plan.task, side.version)):
                estimate = self._estimate.estimate(
                    names=[plan.task],
                    domains=[plan.domain],
                    count=plan.windows,
                    agent=side.agent,
                    seed=plan.seed,
                    budget=budget,
                    settings=dict(plan.settings),
                )
            if not estimate.jobs:
                raise BenchError(estimate.troubles[0])
            [job] = estimate.jobs
            title, windows = f"{name}: {self._label(plan.task, side)}", (job.windows[0],) * 2
            jobs.append(replace(job, title=title, windows=windows, most=job.least))
            estimates.append(estimate)
        total, seconds = CallSum.total(half.least for half in estimates), [half.least.seconds for half in estimates]
        total = total._replace(seconds=None if None in seconds else max(s for s in seconds if s is not None))
        notes = [
            "Each window is drafted once on each side, both at the same time. Replies that cannot be read are requested again, "
            "at most twice, at extra cost.",
            *dict.fromkeys(note for half in estimates for note in half.notes[:2]),
        ]
        return DraftsEstimate(total, total, notes, jobs)

    def check(self, plan: TrialPlan, budget: float | None) -> None:
        """Raise BenchError if a trial with this plan cannot start."""
        if plan.a == plan.b:
            raise BenchError("Both sides are the same: choose another version of the prompt, or another agent, for one side.")
        if not 1 <= plan.windows <= MAX_WINDOWS:
            raise BenchError(f"A trial of {plan.windows} windows is not possible: ask for 1 to {MAX_WINDOWS:,}.")
        for side in (plan.a, plan.b):
            self._drafts.check(plan.task, plan.domain, side.agent, dict(plan.settings), plan.windows, budget)
            if side.version is not None and side.version not in list_versions(self._db, plan.task):
                raise BenchError(f"The prompt of {plan.task} has no version {side.version[:12]}: choose another version.")

    @requires(
        "draft items", lambda arguments: f"a trial of {arguments['plan'].task} in {arguments['plan'].domain}", notes=["budget"]
    )
    def start(self, plan: TrialPlan, budget: float | None, by: str) -> str:
        """Queue the job that drafts for a new trial; return its id. Raises BenchError if the trial cannot start, or if the
        person gives no name."""
        if not by.strip():
            raise BenchError(NAME_NEEDED)
        self.check(plan, budget)
        sides = [
            {"agent": side.agent, "version": side.version, "words": choose_words(self._db, plan.task, side.version)}
            for side in (plan.a, plan.b)
        ]
        trial = Trial(new_id(), plan.task, plan.domain, sides, dict(plan.settings), plan.windows, plan.seed, by, "")
        trials.add(self._db, trial)
        agents = [plan.a.agent, plan.b.agent]
        params = {
            "trial": trial.id,
            "task": plan.task,
            "domain": plan.domain,
            "windows": plan.windows,
            "seed": plan.seed,
            "agents": agents,
            "saved": self._agents.pin(agents).get("saved", {}),
        }
        return jobs.create(self._db, KIND, params, budget=budget, total=plan.windows)

    async def work(self, job: str, control: Control) -> dict[str, Json]:
        """Run the job that drafts for a prompt trial."""
        row = jobs.get(self._db, job)
        return await self._work.work(job, get_trial(self._db, row.params["trial"]), row.budget, row.params["saved"], control)

    def list_trials(self) -> list[TrialCard]:
        """List all prompt trials, newest first."""
        counts = trials.count_pairs(self._db)
        return [
            TrialCard(t.id, t.task, t.domain, t.windows, *counts.get(t.id, (0, 0)), t.closed, t.by, t.at)
            for t in trials.list_trials(self._db)
        ]

    def job(self, trial: str) -> str | None:
        """Return the id of the job that drafts for the trial, or None if the job does not exist any more."""
        return next((job.id for job in jobs.list_jobs(self._db) if job.params.get("trial") == trial), None)

    @requires("draft items", "trial")
    def close_trial(self, trial: str, by: str) -> dict[str, int]:
        """Close the trial: its drafts become items with people's decisions, and everybody can see which side made which draft.

        Return a dict from outcome (one of trial_close.ENDS) to the number of drafts. Raises BenchError if the trial's job is
        not finished, or if the person gives no name."""
        if not by.strip():
            raise BenchError(NAME_NEEDED)
        open_trial, job = get_trial(self._db, trial), self.job(trial)
        if open_trial.entered is not None:
            return dict(open_trial.entered)
        if job is not None and jobs.get(self._db, job).state == "running":
            raise BenchError("The drafting job of this trial is still running: wait until it ends, or pause the job.")
        entered = self._closing.take_in(open_trial)
        trials.close(self._db, trial, entered, by)
        if job is not None:
            jobs.cancel(self._db, job)
        return entered

    @requires("draft items", "trial", is_logged=False)
    def result(self, trial: str) -> TrialResult:
        """Return the results of a closed trial. Raises BenchError if the trial is open."""
        closed = get_trial(self._db, trial)
        if closed.entered is None:
            raise BenchError("This trial is open: its results are shown when it is closed, so that they influence nobody.")
        answers = trials.load_answers(self._db, trial)
        windows = [
            DraftPair(
                _read_end(pair, "a", answers.get(pair.key)),
                _read_end(pair, "b", answers.get(pair.key)),
                answers[pair.key].preference if pair.key in answers else "",
            )
            for pair in trials.load_pairs(self._db, trial)
        ]
        compared = compare_windows(windows, closed.seed)
        labels = tuple(self._label(closed.task, TrialSide(side["agent"], side["version"])) for side in closed.sides)
        people = len({answer.person for answer in answers.values()})
        return TrialResult(labels, compared, describe_comparison(compared), len(answers), people, closed.entered)

    def _label(self, task: str, side: TrialSide) -> str:
        return f"{list_versions(self._db, task).get(side.version, 'unknown words')} with {side.agent}"


def list_versions(database: Database, task: str) -> dict[str | None, str]:
    """Return a dict from hash to label for each version of the task's drafting prompt, the current version first. The hash None
    stands for the prompt that comes with the program."""
    kind: Task = pick(tasks(), task, "task")
    name = f"draft/{task}"
    if not kind.gates or name not in prompt_names():
        return {None: "its words"}
    labels: dict[str | None, str] = {None: "delivered words"}
    labels |= {v.hash: f"version {v.number}" + (f", {v.note}" if v.note else "") for v in prompts.load_versions(database, name)}
    current = prompts.load_current_versions(database).get(name)
    return {current: labels[current], **labels} if current in labels else labels


def choose_words(database: Database, task: str, version: str | None) -> dict[str, str]:
    """Return a dict from prompt name to the hash of its edited text. The texts are those that the workspace uses now, except
    that `version` replaces the task's drafting prompt."""
    others = {name: hash for name, hash in prompts.load_current_versions(database).items() if name != f"draft/{task}"}
    return {**others, **({f"draft/{task}": version} if version else {})}


def _read_end(pair: TrialPair, side: Side, answer: PairOpinion | None) -> SideDraft:
    """Return what came of one side's draft: its state, the person's decision, the amount of editing, and its cost."""
    draft = pair.drafts[side]
    decision: Mapping[str, Any] = (answer.decisions or {}).get(side, {}) if answer else {}
    edited = 0
    if draft["item"] and decision.get("decision") == "accept":
        from rapidfuzz.distance import Levenshtein

        item = item_from_record(draft["item"])
        changes = ((item.question, decision["question"]), (first_answer(item), decision["answer"]))
        edited = sum(Levenshtein.distance(old, new) for old, new in changes if new is not None)
    return SideDraft(draft["state"], decision.get("decision", ""), edited, draft["price"], draft["seconds"], draft["calls"])
