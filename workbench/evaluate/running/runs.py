"""Runs: a system answers a release, question by question, and is scored. Traces and scores are stored as they come; the same
command again asks nothing."""

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

from agents.kind import needs_no_model
from core.cancellation import Cancelled, cancel_when
from core.catalog import pick
from core.functions.functions import Registry
from core.nouns import Run, Trace
from core.retrieval.embeddings import Embedder, embedder
from core.retrieval.index_files import IndexFiles
from core.retrieval.vector_cache import cache_embedder
from core.tables.world import Tables
from eval.reports.latency import AT_ONCE, SAMPLE_INDEX, is_probe
from eval.retriever import Embedders, RetrieverContext, retrievers
from eval.running.retrieval import PreparedRetrieval, make_tools, prepare
from eval.running.runner import RunStopped
from eval.running.runner import answer_all as answer_all
from eval.system import Question, Tools, systems
from store.corpus.vectors import StoredVectors
from store.engine.database import Database
from store.jobs import jobs
from store.ledger.budget import Budget
from store.releases import releases
from store.releases.releases import WORKING_RELEASE, ReleaseMembers, load_hash
from store.runs import run_inputs, run_pages, runs
from workbench import settings as keys
from workbench.control import Control
from workbench.evaluate.running.questions import questions as questions_of
from workbench.evaluate.running.run_asked import RunRequest, check, with_owners
from workbench.evaluate.running.run_building import Building
from workbench.evaluate.running.run_choices import Choices, choices, default_metrics
from workbench.evaluate.running.run_estimate import estimate
from workbench.evaluate.running.run_functions import functions_for, named, of_question
from workbench.evaluate.running.run_identity import LOAD, config_of, prompts_of, run_of
from workbench.evaluate.running.run_looks import RunStart, again, listed, progress
from workbench.evaluate.running.run_shots import drawn
from workbench.evaluate.running.run_tables import Read, RunTables, noise_of
from workbench.evaluate.scoring.scores import score_run
from workbench.kept import BackgroundCache
from workbench.release.releases import ReleaseStage
from workbench.roles import act
from workbench.setup.agents import Agents, Hired
from workbench.stream import store_as_they_come

T = TypeVar("T")
INDEXING = "Stopped while the index was made: what was embedded is kept."


class RunStage:
    """Verbs on runs."""

    def __init__(
        self, database: Database, agents: Agents, releases: ReleaseStage, tables: Read = lambda hashes: Tables()
    ) -> None:
        """`tables` reads the workspace's tables."""
        self._db, self._agents, self._releases, self._tables = database, agents, releases, tables
        self._paces: dict[str, RunStart] = {}
        self._slow = BackgroundCache(threads=2)
        self._of_frozen: dict[str, Any] = {}

    def plan(
        self,
        release: str,
        *,
        system: str,
        agent: str | None,
        retriever: str | None,
        metrics: Sequence[str] | None,
        judges: Sequence[str],
        votes: int,
        budget: float | None,
        settings: dict[str, Any],
        variants: bool,
        repeat: int,
        sample: int | None,
        seed: int,
    ) -> str:
        """The id of the job for that command. Raises BenchError when it cannot begin."""
        return self.plan_asked(
            RunRequest(
                release=release,
                system=system,
                agent=agent,
                retriever=retriever,
                metrics=metrics,
                judges=judges,
                votes=votes,
                budget=budget,
                settings=settings,
                variants=variants,
                repeat=repeat,
                sample=sample,
                seed=seed,
            )
        )

    @act("run systems", lambda given: f"{given['asked'].system} on {given['asked'].release}")
    def plan_asked(self, asked: RunRequest) -> str:
        """As plan."""
        asked = self._complete(asked)
        self.check(asked)
        hash_, total = self._size(asked)
        params = asked.params(hash_) | self._agents.pinned([*([asked.agent] if asked.agent else []), *asked.judges])
        return jobs.find_or_create(self._db, "run", params, budget=asked.budget, total=total * asked.repeat)

    def _complete(self, asked: RunRequest) -> RunRequest:
        """The request with the metric that a setting without an owner belongs to, and for a workflow that is given no
        environment those of its release: the tables, where it has some, beside the documents."""
        asked = with_owners(asked)
        return replace(asked, settings=self._with_environment(asked))

    def _with_environment(self, asked: RunRequest) -> dict[str, Any]:
        """The settings with the environments of the release, where a workflow is given none."""
        adapter, settings = pick(systems(), asked.system, "system"), asked.settings
        if not adapter.needs_functions or "environment" in settings:
            return settings
        is_frozen = asked.release != WORKING_RELEASE
        release = releases.get(self._db, asked.release) if is_frozen else self._releases.get(WORKING_RELEASE)[0]
        if not release.manifest.get("tables"):
            return settings
        return settings | {"environment": "documents,tables" if release.manifest["documents"] else "tables"}

    def _size(self, asked: RunRequest) -> tuple[str, int]:
        """(the release's hash, questions of one repetition). What is frozen is counted without being read."""
        if asked.release == WORKING_RELEASE or asked.variants:
            release, content = self._releases.get(asked.release)
            return release.hash, len(questions_of(content, asked.variants, asked.sample, asked.seed))
        hash_ = load_hash(self._db, asked.release)
        items = run_inputs.count_items(self._db, asked.release, hash_)
        return hash_, items if asked.sample is None else min(items, asked.sample)

    @act("see runs")
    def check(self, asked: RunRequest) -> None:
        """Raises BenchError when what is asked for does not fit together; reads no release."""
        check(with_owners(asked), self._agents)

    @act("run systems", is_logged=False)
    def planned(self, asked: RunRequest, ticket: str, wait: float = 0.5) -> str | None:
        """As plan_asked, for a page: None while the release is still being read. One ticket is planned once."""
        return self._slow.get(f"plan {ticket}", lambda: self.plan_asked(asked), wait).value

    @act("see runs")
    def estimate(self, asked: RunRequest, wait: float = 0.25) -> dict[str, Any] | None:
        """What the run will come to (run_estimate.py); None while it is being reckoned, ask again. Raises BenchError
        when it cannot begin."""
        key = f"estimate {run_inputs.fingerprint(self._db)} {asked!r}"
        return self._slow.get(key, lambda: estimate(self._db, self._agents, self._complete(asked)), wait).value

    @act("see runs")
    def is_paid(self, asked: RunRequest) -> bool:
        """Whether the run may cost money."""
        return any(self._agents.is_paid(name) for name in [*([asked.agent] if asked.agent else []), *asked.judges])

    @act("see runs")
    def choices(self) -> Choices:
        """What a run can be made of."""
        return choices()

    @act("see runs")
    def releases(self) -> dict[str, int]:
        """Name -> number of items of every release there is to run on, newest first; `working` first, when anything is
        accepted."""
        accepted = run_inputs.count_accepted(self._db)
        frozen = run_inputs.list_frozen(self._db)
        sizes = {
            name: self._kept(f"size {hash_}", partial(run_inputs.count_items, self._db, name, hash_)) for name, hash_ in frozen
        }
        return ({WORKING_RELEASE: accepted} if accepted else {}) | sizes

    @act("see runs", "release")
    def default_metrics(self, release: str) -> list[str]:
        """What a run of that release scores unless told otherwise."""
        if release == WORKING_RELEASE:
            return default_metrics(run_inputs.list_accepted_tasks(self._db))
        places = partial(run_inputs.load_places, self._db, release)
        hash_ = load_hash(self._db, release)
        return default_metrics(self._kept(f"tasks {hash_}", lambda: sorted({place.task for place in places()})))

    def _kept(self, key: str, work: Callable[[], T]) -> T:
        """What frozen content came to the first time."""
        if key not in self._of_frozen:
            self._of_frozen[key] = work()
        found: T = self._of_frozen[key]
        return found

    @act("see runs", "job")
    def progress(self, job: str, last: int = 5) -> dict[str, Any]:
        """How far the job's runs are, as it stands in the store (run_looks.py), with its last answers."""
        return progress(self._db, job, self._paces.get(job), last)

    @act("see runs")
    def listed(self, limit: int = 50, offset: int = 0) -> tuple[list[dict[str, Any]], int]:
        """(runs, newest first, how many there are in all)."""
        return listed(self._db, limit, offset)

    @act("see runs", "run")
    def again(self, run: str) -> RunRequest:
        """What to ask for to get another run like that one."""
        return again(self._db, run)

    def close(self) -> None:
        """Wait for what is being reckoned."""
        self._slow.close()

    async def work(self, job: str, control: Control) -> dict[str, Any]:
        """Answer, then score; every repetition is a run of its own."""
        row = jobs.get(self._db, job)
        budget = self._agents.budget(row.budget, job)
        return await self.answered(job, row.params, budget, control, partial(jobs.set_total, self._db, job))

    async def answered(
        self, job: str, params: Mapping[str, Any], budget: Budget, control: Control, tell_total: Callable[[int], None]
    ) -> dict[str, Any]:
        """As work, for a job that has more to do than this one run; `tell_total` hears how many answers it comes to, should
        that be fewer than were asked for."""
        content = await asyncio.to_thread(self._releases.members, params["release"], params["release_hash"])
        if params["sample"] is not None and params["sample"] >= len(content.items):
            params = {**params, "sample": None}  # it is the whole release, and the same run as that
        own: Mapping[str, Any] = keys.own(params["settings"])
        questions = questions_of(content, params["variants"], params["sample"], params["seed"], own.get("query", ""))
        hire = partial(self._agents.hire, settings=params["settings"], budget=budget, job=job, pinned=params.get("saved"))
        agent = hire(params["agent"], documents=lambda: content.retrieval) if params["agent"] else None
        judges = [hire(name, owner="judge") for name in params["judges"]]
        began = time.perf_counter()
        try:
            with cancel_when(lambda: control.stopping):
                prepared = await asyncio.to_thread(self._prepare, params, content, questions, own, control)
        except (RunStopped, Cancelled) as broken:
            end = broken if isinstance(broken, RunStopped) else RunStopped(INDEXING, reason="cancelled")
            return unbegun(params, end, self._agents.ledger.calls(job), self._agents.ledger.cost(job))
        built = time.perf_counter() - began if params["retriever"] else None
        environments = named(pick(systems(), params["system"], "system"), own)
        tables = RunTables(content, self._tables, "tables" in environments, noise_of(own, environments))
        asked_over = await asyncio.to_thread(tables.hashes, [q.item for q in questions])
        functions = functions_for(environments, content, prepared, tables.of)
        left_out = {row["language"] for row in prepared.not_run}
        questions = [q for q in questions if q.language not in left_out]
        held, adapter = {item.id: item.question for item in content.items}, systems()[params["system"]]
        questions, shots = await asyncio.to_thread(drawn, self._db, held, questions, adapter, own)
        if functions is not None:
            for one in {(q.language, id(tables.of(q.item))): q for q in questions}.values():
                functions(one)  # an environment without ground is said before a question is asked
        if left_out:
            tell_total(len(questions) * params["repeat"])
        results = []
        building = Building(pick(systems(), params["system"], "system"), content.retrieval, agent)
        try:
            for repetition in range(params["repeat"]):
                run = self._run(
                    params, agent, questions, content, prepared, repetition, asked_over, tables.distractors(), shots
                )
                runs.create(self._db, run, [(q.item, q.variant) for q in questions])
                jobs.note_run(self._db, job, run.id)
                results.append(
                    await self._one(
                        run, params, questions, content, prepared, agent, judges, control, job, building, built, functions
                    )
                )
                if results[-1]["stopped"]:
                    break
        finally:
            for hired in (*judges, *([agent] if agent else [])):
                await hired.close()
        return results[0] if len(results) == 1 else merged(results)

    async def _one(
        self,
        run: Run,
        params: Mapping[str, Any],
        asked: Sequence[Question],
        content: ReleaseMembers,
        prepared: PreparedRetrieval,
        agent: Hired | None,
        judges: Sequence[Hired],
        control: Control,
        job: str,
        building: Building,
        indexed: float | None,
        functions: Callable[[Question], Registry] | None,
    ) -> dict[str, Any]:
        """One repetition: what is missing is answered, what is unscored is scored. `indexed` = seconds that its index took."""
        started = {(t.item, t.variant) for t in runs.load_traces(self._db, run.id)}
        stopped, message = None, ""
        own: Mapping[str, Any] = keys.own(params["settings"])
        missing = [q for q in asked if (q.item, q.variant) not in started]
        cancel = asyncio.Event()
        done = [len(asked) - len(missing)]
        self._paces[job] = RunStart(run.id, done[0])

        def keep(traces: list[Trace]) -> None:
            runs.add_traces(self._db, traces)
            done[0] += len(traces)
            control.say(f"{params['system']}: {done[0]} of {len(asked)} answered")

        watcher = asyncio.create_task(watch(control, cancel))
        try:
            ask = seeded(agent.ask, run.repetition + (SAMPLE_INDEX if is_probe(own) else 0)) if agent else None
            models, look = self._embedders(control.say, is_probe(own)), agent.look if agent else None
            tools = make_tools(
                content.documents,
                prepared.searches,
                ask,
                agent.context if agent else None,
                prepared.own,
                models,
                look,
                functions,
            )
            adapter = pick(systems(), params["system"], "system")
            settings: Mapping[str, Any] = {k: v for k, v in own.items() if k not in (*LOAD, "query") or k in adapter.settings}
            width = int(own.get("concurrency") or (agent.width if agent else 8))
            at_once = int(own.get("concurrency") or AT_ONCE) if is_probe(own) else width
            if missing:
                settings = await building.settings(asked, tools(missing[0]), settings, width, control, cancel)
            if indexed is not None or building.record():
                run_pages.note_build(self._db, job, run.id, (indexed or 0.0) + building.seconds, building.record())
            if missing:
                if is_probe(own):
                    await asyncio.to_thread(warm, missing, tools)
                answers = answer_all(
                    missing,
                    adapter,
                    settings,
                    tools,
                    run_id=run.id,
                    concurrency=at_once,
                    timeout=own.get("item_timeout"),
                    cancel=cancel,
                    tell=control.say,
                )
                run_pages.note_window(self._db, job, run.id, at_once)
                with cancel_when(lambda: control.stopping):
                    await store_as_they_come(answers, keep)
            self._paces.pop(job, None)
            with cancel_when(lambda: control.stopping):
                await score_run(self._db, run, params, asked, content, judges, control, cancel)
        except RunStopped as end:
            stopped, message = end.reason, str(end)
        except Cancelled:
            stopped, message = "cancelled", "Stopped while answers were embedded: what was scored is kept."
        finally:
            watcher.cancel()
            for hired in (*judges, *([agent] if agent else [])):
                await hired.drain()
        return self._result(run, job, asked, prepared, len(started), stopped, message)

    def _prepare(
        self,
        params: Mapping[str, Any],
        content: ReleaseMembers,
        questions: Sequence[Question],
        own: Mapping[str, Any],
        control: Control,
    ) -> PreparedRetrieval:
        if params["retriever"] is None:
            return PreparedRetrieval({}, (), {})
        retriever = pick(retrievers(), params["retriever"], "retriever")
        probe = is_probe(own)

        def tell(message: str) -> None:
            control.say(message)
            if control.look():
                raise RunStopped(INDEXING, reason="cancelled")

        means = RetrieverContext(embedder=self._embedders(tell, probe), files=index_files(self._db), tell=tell)
        return prepare(content.retrieval, questions, retriever, own, means, expects=not probe)

    def _embedders(self, tell: Callable[[str], None], probe: bool) -> Embedders:
        """Models that keep the vectors they make; in a latency probe a question is encoded anew."""

        def kept(name: str, corpus: Sequence[str], language: str | None) -> Embedder:
            return cache_embedder(embedder(name, corpus, language), StoredVectors(self._db), tell, keeps_one=not probe)

        return kept

    def _run(
        self,
        params: Mapping[str, Any],
        agent: Hired | None,
        questions: Sequence[Question],
        content: ReleaseMembers,
        prepared: PreparedRetrieval,
        repetition: int,
        tables: Mapping[str, Any],
        distractors: Sequence[Mapping[str, Any]],
        shots: Sequence[Mapping[str, Any]],
    ) -> Run:
        """The run with its identity and its offline marks."""
        identity = agent.identity if agent else None
        marks = [
            ("draft", any(needs_no_model(item.provenance.agent) for item in content.items)),
            ("answer", bool(agent and agent.is_offline)),
            ("judge", any(map(needs_no_model, params["judges"]))),
        ]
        prompts = prompts_of(questions, systems()[params["system"]].prompts)
        own = of_question(systems()[params["system"]], questions, prepared)
        config = config_of(params, identity, prompts, prepared.not_run, repetition, tables, distractors, own, shots)
        return run_of(params, config, [name for name, is_so in marks if is_so])

    def _result(
        self,
        run: Run,
        job: str,
        asked: Sequence[Question],
        prepared: PreparedRetrieval,
        reused: int,
        stopped: str | None,
        message: str,
    ) -> dict[str, Any]:
        """The verb's JSON."""
        wanted = {(q.item, q.variant) for q in asked}
        traces = [t for t in runs.load_traces(self._db, run.id) if (t.item, t.variant) in wanted]
        ledger = self._agents.ledger
        took = [t.seconds for t in traces if t.seconds is not None]
        return {
            "run": run.id,
            "identity": run.identity,
            "system": run.system.name,
            "release": run.release,
            "answered": sum(t.answer is not None for t in traces),
            "failed": sum(t.answer is None for t in traces),
            "reused": reused,
            "calls": ledger.calls(job),
            "cost_usd": ledger.cost(job),
            "seconds": sum(took),
            "stopped": stopped,
            "message": message,
            "not_run": [dict(row) for row in prepared.not_run],
            "offline": list(run.offline),
            "first_failure": next((t.error for t in traces if t.answer is None and t.error), None),
        }


def index_files(database: Database) -> IndexFiles | None:
    """Where a workspace keeps its indexes: beside it; nowhere for one in memory."""
    path = database.path
    return IndexFiles(path.with_name(f"{path.name}.indexes")) if path else None


def unbegun(params: Mapping[str, Any], end: RunStopped, calls: int, cost: float | None) -> dict[str, Any]:
    """The verb's JSON of a run that was stopped before its identity was known: what it leaves out hangs on its index."""
    return {
        "run": None,
        "identity": None,
        "system": params["system"],
        "release": params["release"],
        "answered": 0,
        "failed": 0,
        "reused": 0,
        "calls": calls,
        "cost_usd": cost,
        "seconds": 0.0,
        "stopped": end.reason,
        "message": str(end),
        "not_run": [],
        "offline": [],
        "first_failure": None,
    }


def seeded(ask: Any, repetition: int) -> Any:
    """The agent's ask for one repetition: each repetition is another sample of the same request."""

    async def other(prompt: Any, inputs: Any, sampling: Any) -> Any:
        return await ask(prompt, inputs, replace(sampling, index=repetition))

    return other if repetition else ask


def warm(questions: Sequence[Question], tools_for: Callable[[Question], Tools]) -> None:
    """A search in each language before the first question, which would else pay for loading the model."""
    for question in {question.language: question for question in reversed(questions)}.values():
        retrieve = tools_for(question).retrieve
        if retrieve is not None:
            retrieve(question.query, 1)


async def watch(control: Control, cancel: asyncio.Event) -> None:
    """Carry a press of Ctrl-C, or a cancel from elsewhere, into the loop."""
    while not await asyncio.to_thread(control.look):
        await asyncio.sleep(0.2)
    cancel.set()


def merged(results: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """One answer for several repetitions: the first run's names, everything counted together, and all runs listed."""
    total = dict(results[0]) | {key: sum(r[key] for r in results) for key in ("answered", "failed", "reused", "seconds")}
    return total | {
        "calls": results[-1]["calls"],
        "cost_usd": results[-1]["cost_usd"],
        "stopped": results[-1]["stopped"],
        "message": results[-1]["message"],
        "runs": [r["run"] for r in results],
    }
