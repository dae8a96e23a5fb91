"""Templates that an agent proposes, as a job: each is tried on the tables before a person sees it, and waits until a person
approves it, edits it or turns it down. Nothing is made of one that nobody approved."""

import asyncio
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from builders.templates.template_proposals import AT_ONCE, Proposals, propose
from builders.templates.templates import KINDS
from core.errors import AgentError, BenchError, BudgetReached, Unreadable
from core.ids import content_hash, derived_id
from core.nouns import LANGUAGES
from store.drafting import template_drafts
from store.drafting import templates as stored
from store.drafting.template_drafts import TemplateDraft
from store.engine.database import Database
from store.jobs import jobs
from workbench import settings as keys
from workbench.build.templates.tables import TableStage
from workbench.build.templates.templates import TemplateStage
from workbench.control import Control
from workbench.roles import act
from workbench.setup.agents import Agents

KIND = "propose"
MOST_ROUNDS = 2
"""Calls for each that would do, at most: what does not fit is asked for again so often."""


class ProposalStage:
    """Verbs on what agents propose."""

    def __init__(self, database: Database, agents: Agents, tables: TableStage, templates: TemplateStage) -> None:
        self._db, self._agents, self._tables, self._templates = database, agents, tables, templates

    @act("draft items", "agent", notes=["count"])
    def plan(
        self,
        agent: str,
        count: int,
        *,
        kinds: Sequence[str] = KINDS,
        language: str = "en",
        seed: int = 0,
        budget: float | None = None,
        settings: Mapping[str, Any] | None = None,
    ) -> str:
        """The queued job that proposes so many templates for the tables in use. Raises BenchError when it cannot begin."""
        given = dict(settings or {})
        if count < 1:
            raise BenchError(f"{count} templates were asked for: ask for 1 or more.")
        unknown = [kind for kind in kinds if kind not in KINDS]
        if unknown or not kinds:
            raise BenchError(f"No kind {', '.join(unknown) or 'is chosen'}: there are {', '.join(KINDS)}.")
        if language not in LANGUAGES:
            raise BenchError(f"No language {language!r}: give {' or '.join(LANGUAGES)}.")
        if self._tables.is_empty():
            raise BenchError("No table is in use: add tables first, for templates stand over them.")
        self._agents.check(agent, given, budget)
        keys.only(keys.own(given), set(), "Proposing templates")
        params = {
            "agent": agent,
            "count": count,
            "kinds": list(kinds),
            "language": language,
            "seed": seed,
            "settings": given,
            "tables": self._tables.hashes(),
            **self._agents.pinned([agent]),
        }
        return jobs.find_or_create(self._db, KIND, params, budget, total=count)

    async def work(self, job: str, control: Control) -> dict[str, Any]:
        """Call after call, each stored with what it gave, until there are enough or they bring no more."""
        row = await asyncio.to_thread(jobs.get, self._db, job)
        params, stopped, said = row.params, None, ""
        tables = await asyncio.to_thread(self._tables.tables, params["tables"].values())
        agent = await asyncio.to_thread(
            lambda: self._agents.hire(
                params["agent"],
                params["settings"],
                budget=self._agents.budget(row.budget, job),
                job=job,
                pinned=params.get("saved"),
            )
        )
        rounds = MOST_ROUNDS * -(-params["count"] // AT_ONCE)
        try:
            for turn in range(len({result["turn"] for _, result in jobs.results(self._db, job)}), rounds):
                left = params["count"] - self._tally(job)["proposed"]
                if left <= 0 or control.stopping:
                    break
                control.say(f"Asking for {min(left, AT_ONCE)} of {params['count']} templates")
                there = await asyncio.to_thread(self._there)
                try:
                    found = await propose(
                        agent.ask,
                        tables,
                        kinds=params["kinds"],
                        count=min(left, AT_ONCE),
                        asked=[text for _, text in there],
                        taken=[id for id, _ in there],
                        language=params["language"],
                        seed=params["seed"] + turn,
                    )
                except Unreadable as error:
                    await asyncio.to_thread(self._note, job, turn, "unreadable", str(error))
                    continue
                except BudgetReached as error:
                    stopped, said = "budget", str(error)
                    break
                except AgentError as error:
                    if error.stops_job:
                        stopped, said = "endpoint", str(error)
                        break
                    await asyncio.to_thread(self._note, job, turn, "failed", str(error))
                    continue
                await asyncio.to_thread(self._store, job, turn, agent.name, params["seed"] + turn, found)
                control.look()
                if not found.found:
                    said = found.none
                    break
        finally:
            await agent.close()
        if stopped is None and control.stopping and self._tally(job)["proposed"] < params["count"]:
            stopped = "cancelled"
        return self._result(job, params["count"], stopped, said)

    @act("draft items", is_logged=False)
    def waiting(self) -> list[TemplateDraft]:
        """What nobody has looked at yet, newest first."""
        return template_drafts.list_drafts_of(self._db, "")

    @act("draft items", "id_")
    def approve(self, person: str, id_: str) -> dict[str, Any]:
        """It becomes a template as it stands, see TemplateStage.save. Raises BenchError without a name, or when it does not
        fit the tables in use."""
        return self._templates.hand_in(person, self.take(person, id_))

    @act("draft items", "id_")
    def take(self, person: str, id_: str) -> str:
        """It becomes the person's draft, to be edited; returns its id."""
        if not person.strip():
            raise BenchError("Somebody approves a template: give your name first.")
        found = self._waits(id_)
        template_drafts.put(self._db, TemplateDraft(id_, person, found.content, found.of, found.about))
        return id_

    @act("draft items", "id_")
    def turn_down(self, id_: str) -> None:
        """It waits no more, and is not proposed again."""
        found = self._waits(id_)
        template_drafts.put(self._db, TemplateDraft(id_, "", found.content, found.of, found.about, is_rejected=True))

    @act("draft items", "job", is_logged=False)
    def refused(self, job: str) -> list[dict[str, str]]:
        """{"text", "why"} of each template of a reply that was not proposed, and of each reply that could not be used."""
        return [
            {"text": result["text"], "why": result["why"]}
            for _, result in jobs.results(self._db, job)
            if result["state"] != "proposed"
        ]

    def _waits(self, id_: str) -> TemplateDraft:
        found = template_drafts.get(self._db, id_)
        if found is None or found.person or found.is_rejected:
            raise BenchError("Somebody has decided on this template already: look at the list again.")
        return found

    def _there(self) -> list[tuple[str, str]]:
        """Name and words of every template, and of what was proposed, turned down or not."""
        found = [(one.id, str(one.record["text"])) for one in stored.list_templates(self._db)]
        return found + [(str(one.content["id"]), str(one.content["text"])) for one in template_drafts.list_drafts(self._db)]

    def _store(self, job: str, turn: int, agent: str, seed: int, given: Proposals) -> None:
        about = {"agent": agent, "prompt": given.prompt, "seed": seed, "calls": list(given.calls), "job": job}
        rows, drafts = [], []
        for place, one in enumerate(given.found):
            id_ = derived_id("template proposal", content_hash(dict(one.record)))
            if not one.why:
                drafts.append(TemplateDraft(id_, "", one.record, about=about))
            rows.append(
                (
                    f"{turn}/{place}",
                    "failed" if one.why else "done",
                    {
                        "turn": turn,
                        "state": "refused" if one.why else "proposed",
                        "text": str(one.record["text"]),
                        "why": one.why,
                    },
                )
            )
        template_drafts.propose(self._db, drafts)
        self._db.write(lambda cursor: jobs.insert_items(cursor, job, rows))

    def _note(self, job: str, turn: int, state: str, why: str) -> None:
        row = (f"{turn}/-", "failed", {"turn": turn, "state": state, "text": "", "why": why})
        self._db.write(lambda cursor: jobs.insert_items(cursor, job, [row]))

    def _tally(self, job: str) -> Counter[str]:
        return Counter(result["state"] for _, result in jobs.results(self._db, job))

    def _result(self, job: str, count: int, stopped: str | None, said: str) -> dict[str, Any]:
        tally, ledger = self._tally(job), self._agents.ledger
        parts = [
            f"{tally[state]} {word}"
            for state, word in (("refused", "did not fit"), ("unreadable", "unreadable"), ("failed", "failed"))
            if tally[state]
        ]
        message = f"asked {count}, proposed {tally['proposed']}{': ' + ', '.join(parts) if parts else ''}."
        end = f" Stopped ({stopped}): {said}" if stopped and said else f" Stopped ({stopped})." if stopped else f" {said}"
        return {
            "job": job,
            "asked": count,
            "proposed": tally["proposed"],
            "refused": tally["refused"],
            "unreadable": tally["unreadable"],
            "failed": tally["failed"],
            "calls": ledger.calls(job),
            "cost_usd": ledger.cost(job),
            "stopped": stopped,
            "message": (message + end).strip(),
        }
