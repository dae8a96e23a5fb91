"""Create many variants in one job, for any items and kinds of variants. For each variant, the result is: created, refused with
a reason, or already existing. A job that was killed can be continued, and no call is paid twice."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable, Collection, Mapping, Sequence
from contextlib import ExitStack, aclosing
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

from builders.languagetool.server import NONE, choose_server
from builders.variation.guards import FLAGS
from builders.variation.perturbation import VariationAgent, perturbations
from core.as_json import Json
from core.errors import BenchError
from core.ids import content_hash
from core.nouns import Variant
from store.engine.database import Database
from store.items import items
from store.jobs import jobs
from store.variants import variant_pages, variants
from store.variants.variant_pages import PAGE_SIZE, VariantFilter, VariantPage
from workbench.background_cache import BackgroundCache, RunningWork
from workbench.build.varying.variant_factory import TriedVariant, VariantFactory, VariantOutcome, VariantTask
from workbench.build.varying.vary_choice import GRAMMAR, KindCard, VaryRequest, list_kinds
from workbench.build.varying.vary_estimate import EstimatedAgents, VaryEstimate, estimate_variants
from workbench.control import Control, describe_stop
from workbench.roles import requires
from workbench.setup.agents import Agents, BoundAgent
from workbench.setup.grammar_checker import GrammarCheckerStage
from workbench.stream import store_as_they_come, work_side_by_side

__all__ = ["FLAGS", "PAGE_SIZE", "KindCard", "VariantFilter", "VaryRequest", "VaryStage"]

KIND = "vary"
TRIED_ITEMS = 3
"""Number of items for which a preview creates variants; they are spread over all selected items."""
BATCH_PIECES = 100
"""Number of variants in one batch, which are created and stored together, for kinds that need no agent."""
SAMPLED_ITEMS = 5
"""Number of items whose prompts are filled in to make an estimate."""


class RefusedVariant(NamedTuple):
    """A variant that could not be created, with the reason."""

    item: str
    kind: str
    message: str


class MadeVariants(NamedTuple):
    """The variants that a job created, could not create, or found to exist already."""

    made: list[Variant]
    refused: list[RefusedVariant]
    already: list[str]
    """Ids of requested variants that already existed."""


class VaryStage:
    """Methods that estimate, preview, plan and run the creation of variants."""

    def __init__(self, database: Database, agents: Agents, grammar_checker: GrammarCheckerStage) -> None:
        self._db, self._agents, self._grammar_checker = database, agents, grammar_checker
        self._cache = BackgroundCache(max_results=16)

    list_kinds = staticmethod(list_kinds)

    @requires("make variants", is_logged=False)
    def count_languages(self, request: VaryRequest) -> dict[str, int]:
        """Return a dict from language to the number of items whose variants are requested."""
        return variant_pages.count_languages(self._db, request.list_items(self._db))

    @requires("make variants", is_logged=False)
    def estimate(self, request: VaryRequest, turn: str) -> RunningWork[VaryEstimate]:
        """Estimate in the background what the request costs; calls with the same key `turn` share one result. Raises BenchError
        if the variants cannot be created."""
        ids = self._check(request)
        return self._cache.get((turn, "estimate", request), partial(self._estimate, request, ids))

    @requires("make variants", is_logged=False)
    def preview(self, request: VaryRequest, turn: str) -> RunningWork[list[TriedVariant]]:
        """Create variants of three of the items in the background, without storing them. The preview asks agents; the job later
        uses their stored replies at no cost."""
        ids = _spread(self._check(request), TRIED_ITEMS)
        return self._cache.get((turn, "preview", request), partial(self._preview, request, ids))

    @requires("make variants", lambda arguments: ", ".join(arguments["asked"].kinds))
    def plan(self, asked: VaryRequest) -> str:
        """Return the id of the queued job that creates the variants. If an unfinished job has the same parameters, return its
        id. Raises BenchError if the job cannot start."""
        ids = self._check(asked)
        params = {**asked.params, **self._agents.pin(filter(None, (asked.agent, asked.judge)))}
        return jobs.find_or_create(self._db, KIND, params, asked.budget, len(ids) * len(asked.kinds))

    async def work(self, job: str, control: Control) -> dict[str, Json]:
        """Run the job: first the kinds that need no agent, BATCH_PIECES variants at a time, and then the kinds that ask an
        agent, with as many calls in parallel as the agent allows."""
        row = await asyncio.to_thread(jobs.get, self._db, job)
        request = VaryRequest.from_params(row.params, row.budget)
        await asyncio.to_thread(self._fix_pieces, job, request)
        progress = jobs.count_states(self._db, job)
        total, done = sum(progress.values()), progress.get("done", 0)
        ended: list[VariantOutcome] = []
        pieces = [(VariantTask(*piece.key.rsplit("/", 1)), piece.state) for piece in jobs.load_pieces(self._db, job)]
        factory = self._make_factory(request, [piece.item for piece, _ in pieces])
        left = [piece for piece, state in pieces if state != "done"]

        def commit(batches: list[list[VariantOutcome]]) -> None:
            nonlocal done
            for batch in batches:
                ended.extend(outcome for outcome in batch if outcome.ends)
                finished = [outcome for outcome in batch if not outcome.ends]
                factory.store(job, finished)
                done += len(finished)
            control.say(f"{done:,} of {total:,} variants")
            control.look()

        await store_as_they_come(self._vary_pieces(job, request, row.params, left, factory, control), commit)
        end = min(ended, key=lambda outcome: outcome.ends == "batch", default=None)
        return self._result(job, total, end, control.stopping)

    @requires("make variants", is_logged=False)
    def list_made(self, job: str) -> MadeVariants:
        """Return the variants that the job created, could not create, or found to exist already."""
        results = [(VariantTask(*key.rsplit("/", 1)), result) for key, result in jobs.load_results(self._db, job)]
        ids = [result["variant"] for _, result in results if result["state"] == "made"]
        refused = [RefusedVariant(*piece, result["why"]) for piece, result in results if result["state"] == "refused"]
        already = [result["variant"] for _, result in results if result["state"] == "already"]
        return MadeVariants(variants.load_variants(self._db, ids), refused, already)

    @requires("make variants", is_logged=False)
    def page(self, only: VariantFilter, number: int) -> VariantPage:
        """Return page `number` of the variants that match the filter, the variants of the newest item first."""
        return variant_pages.load_page(self._db, only, number)

    def _check(self, request: VaryRequest) -> list[str]:
        """Return the ids of the requested items. Raises BenchError if the variants cannot be created."""
        request.check(self._agents)
        ids = request.list_items(self._db)
        if not ids:
            status = f" with status {request.status}" if request.status else ""
            raise BenchError(f"No item{status} matches the request: choose another task, domain, status or release.")
        return ids

    def _fix_pieces(self, job: str, request: VaryRequest) -> None:
        """Store the list of variants to be created when the job starts for the first time, so that it has the same list when it
        continues."""
        if not jobs.count_states(self._db, job):
            keys = [f"{item}/{kind}" for item in request.list_items(self._db) for kind in request.kinds]
            self._db.write(lambda cursor: jobs.add_items(cursor, job, keys))
            jobs.set_total(self._db, job, len(keys))

    def _make_factory(self, request: VaryRequest, ids: Sequence[str]) -> VariantFactory:
        settings = {kind: self._resolve_settings(request, kind) for kind in request.kinds}
        return VariantFactory(self._db, settings, request.seed, request.model, ids)

    async def _vary_pieces(
        self,
        job: str,
        request: VaryRequest,
        params: Mapping[str, Any],
        left: Sequence[VariantTask],
        factory: VariantFactory,
        control: Control,
    ) -> AsyncIterator[list[VariantOutcome]]:
        """Yield what came of creating the variants, in batches, as soon as they are finished."""
        asking = [piece for piece in left if perturbations()[piece.kind].prompt]
        stack = ExitStack()
        bound: list[BoundAgent] = []
        try:
            await asyncio.to_thread(factory.open, stack, {piece.kind for piece in left})
            free = [piece for piece in left if piece not in asking]
            for start in range(0, len(free), BATCH_PIECES):
                batch = free[start : start + BATCH_PIECES]
                if control.stopping:
                    return
                yield await asyncio.to_thread(lambda pieces: asyncio.run(factory.vary(pieces, None)), batch)
            if not asking or control.stopping:
                return
            budget = self._agents.budget(request.budget, job)
            bind = partial(self._bind, request, budget=budget, job=job, pinned=params.get("saved"))
            bound = await asyncio.to_thread(bind)
            voice = _join_judge(bound, control.say)
            factory.identity = content_hash(dict(bound[0].identity))
            working = work_side_by_side(
                iter(asking),
                lambda piece: factory.vary([piece], voice),
                bound[0].width,
                control,
                lambda outcomes: any(outcome.ends not in ("", "batch") for outcome in outcomes),
            )
            async with aclosing(working) as results:
                async for result in results:
                    yield result
        finally:
            for agent in bound:
                await agent.close()
            await asyncio.to_thread(stack.close)

    def _bind(self, request: VaryRequest, **options: Any) -> list[BoundAgent]:
        """Connect the agent that writes variants, and its judge if there is one, to the ledger and the job."""
        assert request.agent is not None
        bound = [self._agents.bind(request.agent, request.settings, **options)]
        if request.judge is not None:
            bound.append(self._agents.bind(request.judge, request.settings, owner="judge", **options))
        return bound

    def _estimate(self, request: VaryRequest, ids: Sequence[str]) -> VaryEstimate:
        agent = self._agents.check(request.agent, request.settings, None) if request.agent and request.asking else None
        judge = self._agents.check(request.judge, request.settings, None, owner="judge") if request.judge else None
        sampled = items.load_items(self._db, _spread(ids, SAMPLED_ITEMS))
        load = self._agents.ledger.load_typical_calls
        agents = EstimatedAgents(agent, load(agent.name) if agent else {}, judge, load(judge.name) if judge else {})
        languages: Collection[str] = ()
        if GRAMMAR in request.kinds and choose_server(str(self._resolve_settings(request, GRAMMAR)["server"])) != NONE:
            languages = variant_pages.count_languages(self._db, ids)
        return estimate_variants(request, len(ids), sampled, agents, languages)

    def _resolve_settings(self, request: VaryRequest, kind: str) -> dict[str, Json]:
        return request.resolve_settings(kind, self._grammar_checker.find_server())

    def _preview(self, request: VaryRequest, ids: Sequence[str]) -> list[TriedVariant]:
        factory = self._make_factory(request, ids)
        pieces = [VariantTask(item, kind) for item in ids for kind in request.kinds]

        async def make() -> list[VariantOutcome]:
            if request.agent is None or not request.asking:
                return await factory.vary(pieces, None, anew=True)
            bound = self._bind(request)
            try:
                return await factory.vary(pieces, _join_judge(bound), anew=True)
            finally:
                for agent in bound:
                    await agent.close()

        with ExitStack() as stack:
            factory.open(stack, set(request.kinds))
            outcomes = asyncio.run(make())
        return [tried for outcome in outcomes if (tried := outcome.preview) is not None]

    def _result(self, job: str, total: int, ended: VariantOutcome | None, cancelled: bool) -> dict[str, Json]:
        """Return the result of the job as JSON: its numbers, its cost and a message, without the variants."""
        results = [result for _, result in jobs.load_results(self._db, job)]
        states = Counter(result["state"] for result in results)
        why = Counter(result["why"] for result in results if result["state"] == "refused")
        stopped = ended.ends if ended else "cancelled" if cancelled and len(results) < total else None
        message = f"{states['made']:,} made, {states['refused']:,} refused, {states['already']:,} already there"
        message += f" of {total:,}." if len(results) < total else "."
        message += f" Most refused: {why.most_common(1)[0][0]}" if why else ""
        unchecked = Counter(result["unchecked"] for result in results if result.get("unchecked"))
        if n := unchecked.total():
            were = "1 variant was" if n == 1 else f"{n:,} variants were"
            message += f" {were} not checked by LanguageTool and are flagged as unverified: {unchecked.most_common(1)[0][0]}"
        return {
            "asked": total,
            "n_made": states["made"],
            "n_refused": states["refused"],
            "n_already": states["already"],
            **self._agents.ledger.describe_spending(job),
            "stopped": stopped,
            "message": f"{message} {describe_stop(stopped, ended.why if ended else '')}".strip(),
        }


def _join_judge(bound: Sequence[BoundAgent], say: Callable[[str], None] = lambda message: None) -> VariationAgent:
    """Return the agent that writes variants; if `bound` has a second agent, that agent is the judge of the first."""
    agent, *judges = [
        VariationAgent(bound_agent.ask, bound_agent.name, bound_agent.is_offline, say=say) for bound_agent in bound
    ]
    return replace(agent, judge=judges[0]) if judges else agent


def _spread(ids: Sequence[str], most: int) -> Sequence[str]:
    """Return at most `most` of the ids, evenly spread over the list."""
    return ids[:: max(1, len(ids) // most)][:most]
