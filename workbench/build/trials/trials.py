"""Prompt trials: two versions of a drafting prompt, or two agents, on the same windows. Which side made which draft, and every
figure, is told when the trial is closed; until then people decide on pairs without knowing (trial_desk)."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from builders.task import Task, tasks
from core.catalog import pick
from core.errors import BenchError
from core.ids import new_id
from core.records import item_from_record
from core.statistics.trials import Came, Compared, Twice, compare_windows, verdict
from prompts.prompt import names as prompt_names
from store.drafting import prompts, trials
from store.drafting.trials import PairOpinion, Side, Trial, TrialPair
from store.engine.database import Database
from store.jobs import jobs
from workbench.annotate.desk.pressing import first_answer
from workbench.annotate.reviewing.reviews import ReviewStage
from workbench.build.corpus.corpus import CorpusStage
from workbench.build.drafting.draft_estimate import DraftEstimate
from workbench.build.drafting.drafts import DraftStage
from workbench.build.trials.trial_close import Closing
from workbench.build.trials.trial_desk import trial_of
from workbench.build.trials.trial_work import TrialWork
from workbench.control import Control
from workbench.roles import act
from workbench.setup.agents import Agents
from workbench.setup.prompts import PromptStage

KIND = "trial"
MOST = 2_000
"""Windows of one trial."""


class TrialSide(NamedTuple):
    """One way to draft."""

    agent: str
    version: str | None
    """Hash of the drafting prompt's version; None = the delivered words."""


class TrialPlan(NamedTuple):
    """What a trial is to compare, and on what."""

    task: str
    domain: str
    language: str | None
    windows: int
    seed: int
    a: TrialSide
    b: TrialSide

    @property
    def settings(self) -> dict[str, Any]:
        """As a drafting job has them. What other agents make of a draft is no matter here."""
        return {"rag_check": False, "asks": [], **({"language": self.language} if self.language else {})}


class TrialResult(NamedTuple):
    """A closed trial."""

    labels: tuple[str, str]
    compared: Compared
    sentence: str
    answers: int
    """Pairs decided on."""
    people: int


class TrialStage:
    """Verbs on trials."""

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
        self._closing = Closing(database, corpus, reviews)

    @act("draft items", "task", is_logged=False)
    def versions(self, task: str) -> dict[str | None, str]:
        """Words that the task can be drafted with, those that stand first: hash -> their name; None = as delivered."""
        return versions(self._db, task)

    @act("draft items", is_logged=False)
    def estimate(self, plan: TrialPlan, budget: float | None) -> dict[str, Any]:
        """What the trial will come to, as an estimate of drafting jobs has it, a side a row. Raises BenchError when it cannot
        begin. For `aside`."""
        self.check(plan, budget)
        found = []
        for name, side in zip("AB", (plan.a, plan.b), strict=True):
            with self._prompts.in_force(words_of(self._db, plan.task, side.version)):
                one = self._estimate.of(
                    names=[plan.task],
                    domains=[plan.domain],
                    count=plan.windows,
                    agent=side.agent,
                    seed=plan.seed,
                    budget=budget,
                    settings=plan.settings,
                )
            [row] = one["jobs"] or [None]
            if row is None:
                raise BenchError(one["troubles"][0])
            label = f"{name}: {self._label(plan.task, side)}"
            found.append(
                one
                | {
                    "jobs": [
                        row
                        | {"label": label, "level": None, "windows": [row["windows"][0]] * 2, "price": [row["price"][0]] * 2}
                    ]
                }
            )
        total: dict[str, Any] = {}
        for key in ("calls", "tokens_in", "tokens_out", "price"):
            sums = [one[key][0] for one in found]
            total[key] = [None if None in sums else sum(sums)] * 2
        seconds = [one["seconds"][0] for one in found]
        total["seconds"] = [None if None in seconds else max(seconds)] * 2
        said = dict.fromkeys(sentence for one in found for sentence in one["rests"][:2])
        rests = [
            "Each window is drafted once on each side, both at the same time. Replies that cannot be read are asked for "
            "again, at most twice, and come on top.",
            *said,
        ]
        return total | {"jobs": [row for one in found for row in one["jobs"]], "rests": rests}

    def check(self, plan: TrialPlan, budget: float | None) -> None:
        """Raises BenchError when such a trial cannot begin."""
        if plan.a == plan.b:
            raise BenchError("Both sides are the same: choose another version of the prompt, or another agent, for one.")
        if not 1 <= plan.windows <= MOST:
            raise BenchError(f"A trial of {plan.windows} windows: ask for at least one, and at most {MOST:,}.")
        for side in (plan.a, plan.b):
            self._drafts.check(
                task=plan.task, domain=plan.domain, count=plan.windows, agent=side.agent, budget=budget, settings=plan.settings
            )
            if side.version is not None and side.version not in versions(self._db, plan.task):
                raise BenchError(f"The prompt of {plan.task} has no version {side.version[:12]}: choose another.")

    @act("draft items", lambda given: f"a trial of {given['plan'].task} in {given['plan'].domain}", notes=["budget"])
    def start(self, plan: TrialPlan, budget: float | None, by: str) -> str:
        """The job that drafts a new trial. Raises BenchError when it cannot begin, or nobody signs."""
        if not by.strip():
            raise BenchError("Give your name first: it stands beside the trial.")
        self.check(plan, budget)
        sides = [
            {"agent": side.agent, "version": side.version, "words": words_of(self._db, plan.task, side.version)}
            for side in (plan.a, plan.b)
        ]
        trial = Trial(new_id(), plan.task, plan.domain, sides, plan.settings, plan.windows, plan.seed, by, "")
        trials.add(self._db, trial)
        pinned = self._agents.pinned([plan.a.agent, plan.b.agent])
        params = {
            "trial": trial.id,
            "task": plan.task,
            "domain": plan.domain,
            "windows": plan.windows,
            "seed": plan.seed,
            "agents": [plan.a.agent, plan.b.agent],
            "saved": pinned.get("saved", {}),
        }
        return jobs.create(self._db, KIND, params, budget=budget, total=plan.windows)

    async def work(self, job: str, control: Control) -> dict[str, Any]:
        """Draft the job's trial."""
        row = jobs.get(self._db, job)
        return await self._work.work(job, trial_of(self._db, row.params["trial"]), row.budget, row.params["saved"], control)

    def every(self) -> list[dict[str, Any]]:
        """Every trial, newest first: {"id", "task", "domain", "windows", "pairs": those with a draft, "decided", "closed": by
        whom or None, "by", "at"}. It does not tell what is compared while a trial is open."""
        counts = trials.counts(self._db)
        return [
            {
                "id": t.id,
                "task": t.task,
                "domain": t.domain,
                "windows": t.windows,
                "pairs": counts.get(t.id, (0, 0))[0],
                "decided": counts.get(t.id, (0, 0))[1],
                "closed": t.closed,
                "by": t.by,
                "at": t.at,
            }
            for t in trials.list_trials(self._db)
        ]

    def job(self, trial: str) -> str | None:
        """The job that drafts that trial; None when there is none any more."""
        return next((job.id for job in jobs.list_jobs(self._db) if job.params.get("trial") == trial), None)

    @act("draft items", "trial")
    def close(self, trial: str, by: str) -> dict[str, int]:
        """End the trial: its drafts go to the items with what was decided on them, and its sides are told from then on. Returns
        how many went where. Raises BenchError when its job is at work, or nobody signs."""
        if not by.strip():
            raise BenchError("Give your name first: it stands beside the trial.")
        one, job = trial_of(self._db, trial), self.job(trial)
        if one.entered is not None:
            return dict(one.entered)
        if job is not None and jobs.get(self._db, job).state == "running":
            raise BenchError("Its windows are still being drafted: wait for the job, or pause it.")
        entered = self._closing.take_in(one)
        trials.close(self._db, trial, entered, by)
        if job is not None:
            jobs.cancel(self._db, job)
        return entered

    @act("draft items", "trial", is_logged=False)
    def result(self, trial: str) -> TrialResult:
        """What a closed trial shows. Raises BenchError while it is open."""
        one = trial_of(self._db, trial)
        if one.entered is None:
            raise BenchError("This trial is open: its figures are told when it is closed, so that nobody decides by them.")
        answers = trials.answers(self._db, trial)
        windows = [
            Twice(
                _came(pair, "a", answers.get(pair.key)),
                _came(pair, "b", answers.get(pair.key)),
                answers[pair.key].preference if pair.key in answers else "",
            )
            for pair in trials.pairs(self._db, trial)
        ]
        found = compare_windows(windows, one.seed)
        labels = [self._label(one.task, TrialSide(side["agent"], side["version"])) for side in one.sides]
        people = len({answer.person for answer in answers.values()})
        return TrialResult((labels[0], labels[1]), found, verdict(found), len(answers), people)

    def entered(self, trial: str) -> dict[str, int]:
        """Where a closed trial's drafts went, counted; nothing while it is open."""
        return dict(trial_of(self._db, trial).entered or {})

    def _label(self, task: str, side: TrialSide) -> str:
        return f"{versions(self._db, task).get(side.version, 'unknown words')} with {side.agent}"


def versions(database: Database, task: str) -> dict[str | None, str]:
    """Hash -> what words of the task's drafting prompt are called, those that stand first; None = the delivered ones."""
    kind: Task = pick(tasks(), task, "task")
    name = f"draft/{task}"
    if not kind.gates or name not in prompt_names():
        return {None: "its words"}
    found: dict[str | None, str] = {None: "delivered words"}
    found |= {v.hash: f"version {v.number}" + (f", {v.note}" if v.note else "") for v in prompts.versions(database, name)}
    standing = prompts.load_current_versions(database).get(name)
    return {standing: found[standing], **found} if standing in found else found


def words_of(database: Database, task: str, version: str | None) -> dict[str, str]:
    """The edited words in force, with that version of the task's drafting prompt."""
    others = {name: hash for name, hash in prompts.load_current_versions(database).items() if name != f"draft/{task}"}
    return {**others, **({f"draft/{task}": version} if version else {})}


def _came(pair: TrialPair, side: Side, answer: PairOpinion | None) -> Came:
    draft = pair.drafts[side]
    said: Mapping[str, Any] = (answer.decisions or {}).get(side, {}) if answer else {}
    edited = 0
    if draft["item"] and said.get("decision") == "accept":
        from rapidfuzz.distance import Levenshtein

        item = item_from_record(draft["item"])
        edited = sum(
            Levenshtein.distance(old, new)
            for old, new in ((item.question, said["question"]), (first_answer(item), said["answer"]))
            if new is not None
        )
    return Came(draft["state"], said.get("decision", ""), edited, draft["price"], draft["seconds"], draft["calls"])
