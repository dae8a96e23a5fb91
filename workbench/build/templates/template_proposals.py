"""Let an agent propose question templates, in a job. Each proposal is tried on the tables before a person sees it. A proposal
then waits until a person approves, edits or rejects it. Items are made only from approved templates."""

import asyncio
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from builders.templates.template_proposals import TEMPLATES_PER_CALL, TemplateProposals, propose
from builders.templates.templates import KINDS
from core.as_json import Json
from core.errors import AgentError, BenchError, BudgetReached, Unreadable
from core.ids import content_hash, derived_id
from core.text.language import rows
from store.drafting import template_drafts
from store.drafting import templates as stored
from store.drafting.template_drafts import TemplateDraft
from store.drafting.templates import StoredTemplate
from store.engine.database import Database
from store.jobs import jobs
from workbench import settings as keys
from workbench.build.templates.tables import TableStage
from workbench.build.templates.templates import TemplateStage
from workbench.control import Control, describe_stop
from workbench.roles import requires
from workbench.setup.agents import Agents

KIND = "propose"
MAX_ROUNDS = 2
"""Maximum number of calls of a job, as a multiple of the smallest possible number; proposals that do not fit are requested
again."""


class RefusedProposal(NamedTuple):
    """A proposed template that did not fit, or a reply that could not be used, with the reason."""

    text: str
    why: str


class ProposalStage:
    """Methods that ask an agent for templates, and that decide on its proposals."""

    def __init__(self, database: Database, agents: Agents, tables: TableStage, templates: TemplateStage) -> None:
        self._db, self._agents, self._tables, self._templates = database, agents, tables, templates

    @requires("draft items", "agent", notes=["count"])
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
        """Return the id of the queued job in which `agent` proposes `count` templates for the tables in use. Raises BenchError
        if the job cannot start."""
        settings = dict(settings or {})
        if count < 1:
            raise BenchError(f"{count} templates were asked for: ask for 1 or more.")
        unknown = [kind for kind in kinds if kind not in KINDS]
        if unknown or not kinds:
            raise BenchError(f"No kind {', '.join(unknown) or 'is chosen'}: choose from {', '.join(KINDS)}.")
        if language not in rows():
            raise BenchError(f"No language {language!r}: give one of {', '.join(rows())}.")
        if self._tables.is_empty():
            raise BenchError("No table is in use, and templates need tables: add some first.")
        self._agents.check(agent, settings, budget)
        keys.check_known(keys.select_own(settings), set(), "Proposing templates")
        params = {
            "agent": agent,
            "count": count,
            "kinds": list(kinds),
            "language": language,
            "seed": seed,
            "settings": settings,
            "tables": self._tables.hashes(),
            **self._agents.pin([agent]),
        }
        return jobs.find_or_create(self._db, KIND, params, budget, total=count)

    async def work(self, job: str, control: Control) -> dict[str, Json]:
        """Run the job: ask for proposals until there are enough, or until a reply has no new one. The proposals of each reply
        are stored at once."""
        row = await asyncio.to_thread(jobs.get, self._db, job)
        params, stopped, why = row.params, None, ""
        tables = await asyncio.to_thread(self._tables.tables, params["tables"].values())
        name, settings, pinned = params["agent"], params["settings"], params.get("saved")
        cap = self._agents.budget(row.budget, job)
        agent = await asyncio.to_thread(self._agents.bind, name, settings, budget=cap, job=job, pinned=pinned)
        rounds = MAX_ROUNDS * -(-params["count"] // TEMPLATES_PER_CALL)
        try:
            for turn in range(len({result["turn"] for _, result in jobs.load_results(self._db, job)}), rounds):
                left = params["count"] - self._tally(job)["proposed"]
                if left <= 0 or control.stopping:
                    break
                control.say(f"Asking for {min(left, TEMPLATES_PER_CALL)} of {params['count']} templates")
                known, seed = await asyncio.to_thread(self._list_known), params["seed"] + turn
                try:
                    proposals = await propose(
                        agent.ask,
                        tables,
                        kinds=params["kinds"],
                        count=min(left, TEMPLATES_PER_CALL),
                        asked=[text for _, text in known],
                        taken=[id for id, _ in known],
                        language=params["language"],
                        seed=seed,
                    )
                except BudgetReached as error:
                    stopped, why = "budget", str(error)
                    break
                except (Unreadable, AgentError) as error:
                    if isinstance(error, AgentError) and error.stops_job:
                        stopped, why = "endpoint", str(error)
                        break
                    state = "unreadable" if isinstance(error, Unreadable) else "failed"
                    row_of_reply = (f"{turn}/-", "failed", {"turn": turn, "state": state, "text": "", "why": str(error)})
                    await asyncio.to_thread(self._store_rows, job, [row_of_reply])
                    continue
                await asyncio.to_thread(self._store, job, turn, agent.name, seed, proposals)
                control.look()
                if not proposals.found:
                    why = proposals.none
                    break
        finally:
            await agent.close()
        if stopped is None and control.stopping and self._tally(job)["proposed"] < params["count"]:
            stopped = "cancelled"
        return self._result(job, params["count"], stopped, why)

    @requires("draft items", is_logged=False)
    def list_waiting(self) -> list[TemplateDraft]:
        """List the proposals on which nobody has decided yet, newest first."""
        return template_drafts.list_drafts_of(self._db, "")

    @requires("draft items", "id_")
    def approve(self, person: str, id_: str) -> StoredTemplate:
        """Save a proposal as a template, without changes. Raises BenchError if the person gives no name, or if the proposal
        does not fit the tables in use."""
        return self._templates.hand_in(person, self.take(person, id_))

    @requires("draft items", "id_")
    def take(self, person: str, id_: str) -> str:
        """Give a proposal to the person as a draft to be edited; return the draft's id."""
        if not person.strip():
            raise BenchError("Approving a template requires a name: give yours first.")
        draft = self._load_waiting(id_)
        template_drafts.put(self._db, TemplateDraft(id_, person, draft.content, draft.of, draft.about))
        return id_

    @requires("draft items", "id_")
    def turn_down(self, id_: str) -> None:
        """Reject a proposal. A rejected proposal no longer waits and is never made again."""
        draft = self._load_waiting(id_)
        template_drafts.put(self._db, TemplateDraft(id_, "", draft.content, draft.of, draft.about, is_rejected=True))

    @requires("draft items", "job", is_logged=False)
    def list_refused(self, job: str) -> list[RefusedProposal]:
        """List what the job could not use: proposed templates that did not fit, and replies that were unreadable or failed."""
        results = [result for _, result in jobs.load_results(self._db, job) if result["state"] != "proposed"]
        return [RefusedProposal(result["text"], result["why"]) for result in results]

    def _load_waiting(self, id_: str) -> TemplateDraft:
        draft = template_drafts.get(self._db, id_)
        if draft is None or draft.person or draft.is_rejected:
            raise BenchError("Somebody has already decided on this template: look at the list again.")
        return draft

    def _list_known(self) -> list[tuple[str, str]]:
        """Return (id, text) of all templates and all proposals, including rejected ones, so that none of them is proposed
        again."""
        known = [(template.id, str(template.record["text"])) for template in stored.list_templates(self._db)]
        return known + [
            (str(draft.content["id"]), str(draft.content["text"])) for draft in template_drafts.list_drafts(self._db)
        ]

    def _store(self, job: str, turn: int, agent: str, seed: int, proposals: TemplateProposals) -> None:
        about = {"agent": agent, "prompt": proposals.prompt, "seed": seed, "calls": list(proposals.calls), "job": job}
        rows, drafts = [], []
        for place, proposal in enumerate(proposals.found):
            state, row_state = ("refused", "failed") if proposal.why else ("proposed", "done")
            if not proposal.why:
                id_ = derived_id("template proposal", content_hash(dict(proposal.record)))
                drafts.append(TemplateDraft(id_, "", proposal.record, about=about))
            result = {"turn": turn, "state": state, "text": str(proposal.record["text"]), "why": proposal.why}
            rows.append((f"{turn}/{place}", row_state, result))
        template_drafts.propose(self._db, drafts)
        self._store_rows(job, rows)

    def _store_rows(self, job: str, rows: Sequence[tuple[str, Any, Any]]) -> None:
        self._db.write(lambda cursor: jobs.insert_items(cursor, job, rows))

    def _tally(self, job: str) -> Counter[str]:
        return Counter(result["state"] for _, result in jobs.load_results(self._db, job))

    def _result(self, job: str, count: int, stopped: str | None, why: str) -> dict[str, Json]:
        """Return the result of the job as JSON: its numbers, its cost and a message."""
        tally, ledger = self._tally(job), self._agents.ledger
        words = {"refused": "did not fit", "unreadable": "unreadable", "failed": "failed"}
        parts = [f"{tally[state]} {word}" for state, word in words.items() if tally[state]]
        message = f"asked {count}, proposed {tally['proposed']}{': ' + ', '.join(parts) if parts else ''}."
        end = describe_stop(stopped, why) if stopped else why
        return {
            "job": job,
            "asked": count,
            **{state: tally[state] for state in ("proposed", *words)},
            **ledger.describe_spending(job),
            "stopped": stopped,
            "message": f"{message} {end}".strip(),
        }
