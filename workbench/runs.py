"""Runs: a system answers a release, question by question, and is scored. Traces and scores are stored as they come; the same
command again asks nothing."""

import asyncio
import random
import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from core.catalog import pick
from core.embeddings import Embedder, embedder
from core.errors import BenchError
from core.ids import content_hash
from core.nouns import Item, Run, System, Trace, Variant
from core.vector_cache import cached
from eval.metric import metrics as metric_catalog
from eval.retrieval import Prepared, prepare, tools_over
from eval.retriever import retrievers
from eval.runner import RunStopped
from eval.runner import run as answer_all
from eval.settings import number, seconds, whole
from eval.system import Question, systems
from prompts.prompt import load
from store import jobs, runs
from store.database import Database
from store.releases import Members
from store.vectors import Vectors
from workbench import settings as keys
from workbench.agents import Agents, Hired
from workbench.control import Control
from workbench.drafts import tasks
from workbench.releases import ReleaseStage
from workbench.scores import score_run
from workbench.stream import store_as_they_come

COMMON = ("top_k", "chunk_tokens", "chunk_overlap", "max_tokens", "temperature", "seed", "timeout", "concurrency")
"""Settings that every system takes."""
MOST = 1_000_000
"""Repetitions, votes or sampled items that may be asked for."""
LOAD = ("timeout", "concurrency")
"""Settings of how hard a run goes; no part of its identity."""
FILES = ("predictions", "program")
"""Settings that name a file: its content counts, not its name."""


class RunStage:
    """Verbs on runs."""

    def __init__(self, database: Database, agents: Agents, releases: ReleaseStage) -> None:
        self._db, self._agents, self._releases = database, agents, releases

    def plan(
        self, release: str, *, system: str, agent: str | None, retriever: str | None, metrics: Sequence[str] | None,
        judges: Sequence[str], votes: int, budget: float | None, settings: dict[str, Any], variants: bool, repeat: int,
        sample: int | None, seed: int,
    ) -> str:  # fmt: skip
        """The id of the job for that command. Raises BenchError when it cannot begin."""
        adapter = pick(systems(), system, "system")
        if adapter.needs_agent and agent is None:
            raise BenchError(f"The system {system} asks an agent: name one with --agent.")
        if agent is not None:
            self._agents.check(agent, settings, budget)
        for judge in judges:
            self._agents.check(judge, settings, budget, owner="judge")
        for metric in metrics or ():
            pick(metric_catalog(), metric, "metric")
        retriever = retriever or ("bm25" if adapter.needs_retriever else None)
        own = dict(pick(retrievers(), retriever, "retriever").settings) if retriever else {}
        keys.check_owners(settings, {"agent": agent is not None, "judge": bool(judges)})
        keys.only(keys.own(settings), {*COMMON, *adapter.settings, *own}, f"A run of {system}")
        check_common(keys.own(settings))
        for name, value in (("--repeat", repeat), ("--votes", votes), ("--sample", sample)):
            if value is not None and not 1 <= value <= MOST:
                raise BenchError(f"{name} is {value}: give a number from 1 to {MOST}.")
        frozen, content = self._releases.get(release)
        params = {
            "release": release, "release_hash": frozen.hash, "system": system, "agent": agent, "retriever": retriever,
            "metrics": list(metrics) if metrics is not None else None, "judges": list(judges), "votes": votes,
            "settings": settings, "variants": variants, "repeat": repeat, "sample": sample, "seed": seed,
        }  # fmt: skip
        total = len(self._questions(content, variants, sample, seed)) * repeat
        return jobs.find_or_create(self._db, "run", params, budget=budget, total=total)

    async def work(self, job: str, control: Control) -> dict[str, Any]:
        """Answer, then score; every repetition is a run of its own."""
        row = jobs.get(self._db, job)
        params = row.params
        content = await asyncio.to_thread(self._releases.members, params["release"], params["release_hash"])
        questions = self._questions(content, params["variants"], params["sample"], params["seed"])
        budget = self._agents.budget(row.budget, job)
        agent = self._agents.hire(params["agent"], params["settings"], budget=budget, job=job,
                                  documents=lambda: content.documents) if params["agent"] else None  # fmt: skip
        judges = [
            self._agents.hire(name, params["settings"], budget=budget, job=job, owner="judge") for name in params["judges"]
        ]
        own = keys.own(params["settings"])
        prepared = await asyncio.to_thread(self._prepare, params, content, questions, own, control)
        left_out = {row["language"] for row in prepared.not_run}
        questions = [q for q in questions if q.language not in left_out]
        results = []
        try:
            for repetition in range(params["repeat"]):
                run = self._run(params, agent, questions, content, prepared, repetition)
                runs.create(self._db, run, [(q.item, q.variant) for q in questions])
                jobs.note_run(self._db, job, run.id)
                results.append(await self._one(run, params, questions, content, prepared, agent, judges, control, job))
                if results[-1]["stopped"]:
                    break
        finally:
            for hired in (*judges, *([agent] if agent else [])):
                await hired.close()
        return results[0] if len(results) == 1 else merged(results)

    async def _one(
        self, run: Run, params: Mapping[str, Any], asked: Sequence[Question], content: Members, prepared: Prepared,
        agent: Hired | None, judges: Sequence[Hired], control: Control, job: str,
    ) -> dict[str, Any]:  # fmt: skip
        """One repetition: what is missing is answered, what is unscored is scored."""
        started = {(t.item, t.variant) for t in runs.traces(self._db, run.id)}
        stopped, message = None, ""
        own = keys.own(params["settings"])
        missing = [q for q in asked if (q.item, q.variant) not in started]
        cancel = asyncio.Event()
        done = [len(asked) - len(missing)]

        def keep(traces: list[Trace]) -> None:
            runs.add_traces(self._db, traces)
            done[0] += len(traces)
            control.say(f"{params['system']}: {done[0]} of {len(asked)} answered")

        watcher = asyncio.create_task(watch(control, cancel))
        try:
            ask = seeded(agent.ask, run.repetition) if agent else None
            tools = tools_over(content.documents, prepared.searches, ask, agent.context if agent else None)
            adapter = pick(systems(), params["system"], "system")
            settings = {k: v for k, v in own.items() if k not in LOAD or k in adapter.settings}
            width = int(own.get("concurrency") or (agent.width if agent else 8))
            if missing:
                answers = answer_all(missing, adapter, settings, tools, run_id=run.id, concurrency=width,
                                     timeout=own.get("timeout"), cancel=cancel, tell=control.say)  # fmt: skip
                await store_as_they_come(answers, keep)
            await score_run(self._db, run, params, asked, content, judges, control, cancel)
        except RunStopped as end:
            stopped, message = end.reason, str(end)
        finally:
            watcher.cancel()
            for hired in (*judges, *([agent] if agent else [])):
                await hired.drain()
        return self._result(run, job, asked, prepared, len(started), stopped, message)

    def _prepare(
        self, params: Mapping[str, Any], content: Members, questions: Sequence[Question], own: Mapping[str, Any],
        control: Control,
    ) -> Prepared:  # fmt: skip
        if params["retriever"] is None:
            return Prepared({}, (), {})

        def kept(name: str, corpus: Sequence[str], language: str | None) -> Embedder:
            return cached(embedder(name, corpus, language), Vectors(self._db), control.say)

        return prepare(content.documents, questions, pick(retrievers(), params["retriever"], "retriever"), own, kept)

    def _run(
        self,
        params: Mapping[str, Any],
        agent: Hired | None,
        questions: Sequence[Question],
        content: Members,
        prepared: Prepared,
        repetition: int,
    ) -> Run:
        """The run with its identity: everything that could change an answer."""
        own = {k: v for k, v in keys.own(params["settings"]).items() if k not in LOAD}
        settings = {**own, **{key: file_hash(own[key]) for key in FILES if key in own}}
        prompts = {q.prompt.identity for q in questions if q.prompt} | {
            q.closed_prompt.identity for q in questions if q.closed_prompt
        }
        config = {
            "release": params["release_hash"], "system": params["system"], "settings": settings,
            "retriever": params["retriever"], "embedding_model": own.get("embedding_model"),
            "agent": dict(agent.identity) if agent else None,
            "prompts": sorted(prompts) if agent else [], "variants": params["variants"],
            "sample": [params["sample"], params["seed"]] if params["sample"] else None,
            "repetition": repetition, "not_run": [dict(row) for row in prepared.not_run],
        }  # fmt: skip
        identity = content_hash(config)
        marks = [
            ("draft", any(item.provenance.agent == "offline" for item in content.items)),
            ("answer", bool(agent and agent.is_offline)),
            ("judge", "offline" in params["judges"]),
        ]
        return Run(
            id=identity.removeprefix("b2:")[:16], identity=identity, system=System(params["system"], settings),
            release=params["release"], release_hash=params["release_hash"], agent=params["agent"], config=config,
            repetition=repetition, offline=tuple(name for name, is_so in marks if is_so),
        )  # fmt: skip

    def _questions(self, content: Members, with_variants: bool, sample: int | None, seed: int) -> list[Question]:
        """The questions of a run, in the release's order; a sample keeps the strata level x domain x language."""
        chosen = content.items if sample is None else stratified(content.items, sample, seed)
        by_item: dict[str, list[Variant]] = defaultdict(list)
        for variant in content.variants if with_variants else ():
            by_item[variant.item].append(variant)
        return [q for item in chosen for q in (question(item), *(question(item, v) for v in by_item[item.id]))]

    def _result(
        self, run: Run, job: str, asked: Sequence[Question], prepared: Prepared, reused: int, stopped: str | None, message: str
    ) -> dict[str, Any]:
        """The verb's JSON."""
        wanted = {(q.item, q.variant) for q in asked}
        traces = [t for t in runs.traces(self._db, run.id) if (t.item, t.variant) in wanted]
        ledger = self._agents.ledger
        took = [t.seconds for t in traces if t.seconds is not None]
        return {
            "run": run.id, "identity": run.identity, "system": run.system.name, "release": run.release,
            "answered": sum(t.answer is not None for t in traces), "failed": sum(t.answer is None for t in traces),
            "reused": reused, "calls": ledger.calls(job), "cost_usd": ledger.cost(job), "seconds": sum(took),
            "stopped": stopped, "message": message, "not_run": [dict(row) for row in prepared.not_run],
            "offline": list(run.offline),
        }  # fmt: skip


def check_common(own: Mapping[str, Any]) -> None:
    """Raises BenchError on a value of the common settings that no system could use: each of its answers would fail by it."""
    for name, least in (("top_k", 1), ("chunk_tokens", 1), ("chunk_overlap", 0), ("max_tokens", 1), ("seed", 0),
                        ("concurrency", 1)):  # fmt: skip
        whole(own, name, least, least)
    seconds(own, "timeout", 1.0)
    number(own, "temperature", 0.0)
    if re.match(r"\w+://[^/?#]*@", str(own.get("url"))):
        raise BenchError("--set url= holds a password, which would be stored: put the key in a variable, name it by key_env.")


def question(item: Item, variant: Variant | None = None) -> Question:
    """An item, or a variant of it, as a system meets it; all words come from its task."""
    task = pick(tasks(), item.task, "task")
    return Question(
        item=item.id, text=variant.text if variant else item.question, query=variant.text if variant else task.query(item),
        language=item.language, task=item.task, prompt=load(task.answer_prompt, item.language), max_tokens=task.length_hint,
        level=item.level, domain=item.domain, labels=item.labels, variant=variant.id if variant else None,
        kind=variant.kind if variant else None, inputs=item.inputs, given=item.given, answers=task.reference(item),
        evidence=item.evidence, overlap=item.overlap, closed_prompt=load("answer/closed_book", item.language),
    )  # fmt: skip


def stratified(items: Sequence[Item], size: int, seed: int) -> list[Item]:
    """`size` items, spread over level x domain x language as evenly as there are; the same for the same seed."""
    chance = random.Random(seed)
    strata: dict[str, list[Item]] = defaultdict(list)
    for item in items:
        strata[f"{item.level}|{item.domain}|{item.language}"].append(item)
    queues = [strata[key] for key in sorted(strata)]
    for queue in queues:
        chance.shuffle(queue)
    chance.shuffle(queues)
    turns = [queue[turn] for turn in range(max(map(len, queues), default=0)) for queue in queues if turn < len(queue)]
    chosen = {item.id for item in turns[:size]}
    return [item for item in items if item.id in chosen]


def seeded(ask: Any, repetition: int) -> Any:
    """The agent's ask for one repetition: each repetition is another sample of the same request."""

    async def other(prompt: Any, inputs: Any, sampling: Any) -> Any:
        return await ask(prompt, inputs, replace(sampling, index=repetition))

    return other if repetition else ask


async def watch(control: Control, cancel: asyncio.Event) -> None:
    """Carry a press of Ctrl-C, or a cancel from elsewhere, into the loop."""
    while not await asyncio.to_thread(control.look):
        await asyncio.sleep(0.2)
    cancel.set()


def merged(results: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """One answer for several repetitions: the first run's names, everything counted together, and all runs listed."""
    total = dict(results[0]) | {key: sum(r[key] for r in results) for key in ("answered", "failed", "reused", "seconds")}
    return total | {"calls": results[-1]["calls"], "cost_usd": results[-1]["cost_usd"], "stopped": results[-1]["stopped"],
                    "message": results[-1]["message"], "runs": [r["run"] for r in results]}  # fmt: skip


def file_hash(path: Any) -> str:
    """What stands in a file, by its hash."""
    try:
        return content_hash(Path(str(path)).read_bytes().hex())
    except OSError as error:
        raise BenchError(f"{path} cannot be read ({error.strerror}): give the path of a file that is there.") from error
