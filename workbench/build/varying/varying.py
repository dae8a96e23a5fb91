"""Variants made in bulk: any items, any kinds, as one job, piece by piece, a piece being one item in one kind. Each piece ends
made, refused with a sentence, or as one that was there already; a job that was killed goes on, and nothing is paid twice."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from typing import Any

from builders.variation.guards import FLAGS
from builders.variation.perturbation import Voice, perturbations
from core.errors import BenchError
from core.ids import content_hash
from core.records import variant_record
from store.engine import settings as stored
from store.engine.database import Database
from store.items import items
from store.jobs import jobs
from store.variants import variant_pages, variants
from store.variants.variant_pages import PAGE, VariantFilter
from workbench.build.varying.vary_choice import Vary, check, choices, from_params, items_of, settings_of
from workbench.build.varying.vary_estimate import estimate
from workbench.build.varying.vary_making import VariantTask, Varied, Varier, end_of, free, stand_in
from workbench.control import Control
from workbench.kept import BackgroundCache, RunningWork
from workbench.roles import act
from workbench.setup.agents import Agents, Hired
from workbench.stream import store_as_they_come

__all__ = ["FLAGS", "PAGE", "VariantFilter", "Vary", "VaryStage"]

KIND = "vary"
SERVER = "languagetool"
"""The workspace's setting with the address of a LanguageTool server."""
PREVIEWED = 3
"""Items of a preview, spread over those chosen."""


class VaryStage:
    """Verbs on making variants."""

    def __init__(self, database: Database, agents: Agents) -> None:
        self._db, self._agents = database, agents
        self._kept = BackgroundCache(most=16)

    def choices(self) -> list[dict[str, Any]]:
        """Every kind, see vary_choice.choices."""
        return choices()

    def server(self) -> str:
        """The address of the LanguageTool server that errors of grammar are looked at by; "" = none is set."""
        return str(stored.get(self._db, SERVER, ""))

    @act("set the rules of the work", "address")
    def set_server(self, address: str) -> None:
        """From now on; "" = none. Raises BenchError on what is no address."""
        clean = address.strip().rstrip("/")
        if clean and not clean.startswith(("http://", "https://")):
            raise BenchError("The address of a LanguageTool server begins with http:// or https://: give it in full.")
        stored.put(self._db, SERVER, clean)

    @act("make variants", is_logged=False)
    def count(self, wanted: Vary) -> dict[str, Any]:
        """{"items": how many are meant, "languages": {language: items}}."""
        ids = items_of(self._db, wanted)
        return {"items": len(ids), "languages": variant_pages.languages(self._db, ids)}

    @act("make variants", is_logged=False)
    def estimate(self, wanted: Vary, turn: str) -> RunningWork[dict[str, Any]]:
        """What it will come to, worked out beside the page once for each `turn`: see vary_estimate.estimate. Raises BenchError
        when it cannot begin."""
        ids = self._checked(wanted)
        return self._kept.get((turn, "estimate", wanted), partial(self._estimated, wanted, ids))

    @act("make variants", is_logged=False)
    def preview(self, wanted: Vary, turn: str) -> RunningWork[list[dict[str, Any]]]:
        """The kinds on three of the items, {"item", "question", "language", "kind", "text" or None, "why", "checks"} each, made
        beside the page and not stored; the agent is asked, and what it answers is not paid again by the job."""
        ids = self._checked(wanted)
        step = max(1, len(ids) // PREVIEWED)
        return self._kept.get((turn, "preview", wanted), partial(self._previewed, wanted, ids[::step][:PREVIEWED]))

    @act("make variants", lambda given: ", ".join(given["asked"].kinds))
    def plan(self, asked: Vary) -> str:
        """The queued job that makes them; the unfinished one of the same wish where there is one. Raises BenchError when it
        cannot begin."""
        ids = self._checked(asked)
        params = {**asked.params(), **self._agents.pinned([asked.agent] if asked.agent else [])}
        return jobs.find_or_create(self._db, KIND, params, asked.budget, len(ids) * len(asked.kinds))

    async def work(self, job: str, control: Control) -> dict[str, Any]:
        """Kinds that ask nobody first, a hundred pieces at a time, then as many side by side as the agent takes."""
        row = await asyncio.to_thread(jobs.get, self._db, job)
        wanted = from_params(row.params, row.budget)
        await asyncio.to_thread(self._filled, job, wanted)
        progress = jobs.progress(self._db, job)
        total, done = sum(progress.values()), progress.get("done", 0)
        ended: list[Varied] = []
        maker = self._varier(wanted, [key.rpartition("/")[0] for key, _ in self._keys(job)])

        def commit(batches: list[list[Varied]]) -> None:
            nonlocal done
            for found in batches:
                ended.extend(one for one in found if one.ends)
                over = [one for one in found if not one.ends]
                maker.store(job, over)
                done += len(over)
            control.say(f"{done:,} of {total:,} variants")
            control.look()

        await store_as_they_come(self._made(job, wanted, row.params, maker, control), commit)
        return self._result(job, total, ended[0] if ended else None, control.stopping)

    @act("make variants", is_logged=False)
    def told(self, job: str) -> dict[str, Any]:
        """What a job made, as `cli.py vary` prints it: {"made": variants, "refused": [{"item", "kind", "message"}], "already":
        ids}."""
        found = [(key.rpartition("/"), result) for key, result in jobs.results(self._db, job)]
        made = variants.load_variants(self._db, [result["variant"] for _, result in found if result["state"] == "made"])
        return {
            "made": [variant_record(variant) for variant in made],
            "refused": [
                {"item": item, "kind": kind, "message": result["why"]}
                for (item, _, kind), result in found
                if result["state"] == "refused"
            ],
            "already": [result["variant"] for _, result in found if result["state"] == "already"],
        }

    @act("make variants", is_logged=False)
    def shown(self, wanted: VariantFilter, page: int) -> dict[str, Any]:
        """A page of the variants there are, the newest item's first: {"total", "kinds": {kind: n}, "flags": {flag: n}, "rows":
        [{"item", "question", "language", "variant"}]}; the question is that which the variant was made of."""
        return variant_pages.page(self._db, wanted, page)

    def close(self) -> None:
        """Wait for what is under way."""
        self._kept.close()

    def _checked(self, wanted: Vary) -> list[str]:
        """The items; raises BenchError when it cannot begin."""
        check(wanted, self._agents)
        ids = items_of(self._db, wanted)
        if not ids:
            of = f" with status {wanted.status}" if wanted.status else ""
            raise BenchError(f"No item{of} is of that kind: choose another task, domain, status or release.")
        return ids

    def _filled(self, job: str, wanted: Vary) -> None:
        """The pieces, fixed at the first start: a job that goes on goes on with the same."""
        if not jobs.progress(self._db, job):
            keys = [f"{item}/{kind}" for item in items_of(self._db, wanted) for kind in wanted.kinds]
            self._db.write(lambda cursor: jobs.add_items(cursor, job, keys))
            jobs.set_total(self._db, job, len(keys))

    def _keys(self, job: str) -> list[tuple[str, str]]:
        return [(piece.key, piece.state) for piece in jobs.pieces(self._db, job)]

    def _varier(self, wanted: Vary, ids: Sequence[str]) -> Varier:
        settings = {kind: settings_of(kind, wanted, self.server()) for kind in wanted.kinds}
        return Varier(self._db, settings, wanted.seed, wanted.model, ids)

    async def _made(
        self, job: str, wanted: Vary, params: Mapping[str, Any], maker: Varier, control: Control
    ) -> AsyncIterator[list[Varied]]:
        """Outcomes as they come."""
        left = [VariantTask(*key.rsplit("/", 1)) for key, state in self._keys(job) if state != "done"]
        asking = [piece for piece in left if perturbations()[piece.kind].prompt]
        stack = ExitStack()
        hired: Hired | None = None
        pending: set[asyncio.Task[list[Varied]]] = set()
        try:
            await asyncio.to_thread(maker.open, stack, {piece.kind for piece in left})
            for batch in free(left):
                if control.stopping:
                    return
                yield await asyncio.to_thread(lambda pieces: asyncio.run(maker.vary(pieces, None)), batch)
            if not asking or control.stopping:
                return
            assert wanted.agent is not None
            hired = await asyncio.to_thread(
                partial(
                    self._agents.hire,
                    wanted.agent,
                    wanted.settings,
                    budget=self._agents.budget(wanted.budget, job),
                    job=job,
                    pinned=params.get("saved"),
                )
            )
            voice, over = Voice(hired.ask, hired.name, hired.is_offline), False
            maker.identity = content_hash(dict(hired.identity))
            while asking or pending:
                over = over or control.stopping
                while asking and not over and len(pending) < hired.width:
                    pending.add(asyncio.create_task(maker.vary([asking.pop(0)], voice)))
                if not pending:
                    return
                finished, pending = await asyncio.wait(pending, return_when=asyncio.FIRST_COMPLETED)
                for one in finished:
                    found = one.result()
                    over = over or any(outcome.ends for outcome in found)
                    yield found
        finally:  # pending holds something only when an error ended it
            for unfinished in pending:
                unfinished.cancel()
            await asyncio.gather(*pending, return_exceptions=True)
            if hired is not None:
                await hired.close()
            await asyncio.to_thread(stack.close)

    def _estimated(self, wanted: Vary, ids: Sequence[str]) -> dict[str, Any]:
        agent = self._agents.check(wanted.agent, wanted.settings, None) if wanted.agent and wanted.asking else None
        step = max(1, len(ids) // 5)
        seen = items.load_items(self._db, ids[::step][:5])
        typical = self._agents.ledger.load_typical_calls(agent.name) if agent else {}
        return estimate(wanted, len(ids), seen, agent, typical, bool(self.server())) | {"items": len(ids)}

    def _previewed(self, wanted: Vary, ids: Sequence[str]) -> list[dict[str, Any]]:
        maker = self._varier(wanted, ids)
        pieces = [VariantTask(item, kind) for item in ids for kind in wanted.kinds]

        async def make() -> list[Varied]:
            hired = None
            if wanted.agent is not None and wanted.asking:
                hired = self._agents.hire(wanted.agent, wanted.settings)
            try:
                voice = Voice(hired.ask, hired.name, hired.is_offline) if hired else None
                return await maker.vary(pieces, voice, anew=True)
            finally:
                if hired is not None:
                    await hired.close()

        with ExitStack() as stack:
            maker.open(stack, set(wanted.kinds))
            found = asyncio.run(make())
        return [row for row in map(stand_in, found) if row is not None]

    def _result(self, job: str, total: int, ended: Varied | None, cancelled: bool) -> dict[str, Any]:
        """The job's JSON, its variants left out: they are in the store."""
        results = [result for _, result in jobs.results(self._db, job)]
        states, why = (
            Counter(result["state"] for result in results),
            Counter(result["why"] for result in results if result["state"] == "refused"),
        )
        stopped = ended.ends if ended else "cancelled" if cancelled and len(results) < total else None
        told = f"{states['made']:,} made, {states['refused']:,} refused, {states['already']:,} already there"
        told += f" of {total:,}." if len(results) < total else "."
        told += f" Most refused: {why.most_common(1)[0][0]}" if why else ""
        return {
            "asked": total,
            "n_made": states["made"],
            "n_refused": states["refused"],
            "n_already": states["already"],
            "calls": self._agents.ledger.calls(job),
            "cost_usd": self._agents.ledger.cost(job),
            "stopped": stopped,
            "message": f"{told} {end_of(stopped, ended.why if ended else '')}".strip(),
        }
