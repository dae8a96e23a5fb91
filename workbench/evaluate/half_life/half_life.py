"""Check how long the answers of a release stay right: a job asks its questions from templates again of newer tables, and its
questions on web pages of newer copies of the pages. The release does not change; answers that changed can be contested."""

import asyncio
import datetime
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, NamedTuple

from builders.templates.newer_tables import NewerTable, check_templates
from core.as_json import Json
from core.cancellation import Cancelled
from core.catalog import pick
from core.errors import BenchError
from core.ids import derived_id
from core.installation import COMMAND
from core.nouns import Document, Item
from core.quality.half_life import DEFAULT_TOLERANCE, OUTCOMES, CheckedAnswer
from core.readers.web_page import web_page
from core.tables.nouns import named_tables
from core.tables.world import EntityTable
from eval.half_life.curve import DatedAnswers, measure_aging
from eval.half_life.layout import build_answer_page, build_page
from eval.half_life.pages import PagePair, check_pages
from eval.page import Page
from eval.reports.renderer import renderers
from prompts.prompt import load
from store.corpus import tables, web_pages
from store.engine.database import Database
from store.jobs import jobs
from store.releases import half_life_checks, releases
from store.releases.half_life_checks import HalfLifeCheck
from store.releases.releases import WORKING_RELEASE, ReleaseMembers
from workbench import actor
from workbench import settings as keys
from workbench.background_cache import CachedStage, RunningWork
from workbench.control import Control, describe_stop
from workbench.evaluate.half_life.agent_answers import PROMPT, ask_twice, join_outcomes
from workbench.evaluate.half_life.newer_files import read_newer_pages, read_newer_tables
from workbench.evaluate.half_life.questions import AskedPage, describe_questions, find_answer_date, find_pages, find_source
from workbench.release.contests import ContestStage, NewContest
from workbench.release.releases import ReleaseStage
from workbench.release.uploads import Upload
from workbench.roles import requires
from workbench.setup.agents import Agents
from workbench.stream import work_side_by_side

__all__ = ["DEFAULT_TOLERANCE", "OUTCOMES", "HalfLifeCheck", "HalfLifeRequest", "HalfLifeStage"]

KIND = "half_life"
MAX_YEARS_AHEAD = 20
"""Maximum number of years from now to the day of a check; checks are never deleted, so a slip must not become one."""
NOT_ASKABLE = "neither from a template nor about web pages"
TOO_EARLY = "the check is older than the answer"


@dataclass(frozen=True, kw_only=True, slots=True)
class HalfLifeRequest:
    """A request to ask the questions of a release again."""

    release: str
    at: str
    """Day of the newer tables and pages, as an ISO date."""
    tables: Sequence[Upload] = ()
    pages: Sequence[Upload] = ()
    agent: str | None = None
    """Agent that answers from the pages; None = rules alone."""
    budget: float | None = None
    """Maximum cost in US dollars, or None without a limit."""
    settings: Mapping[str, Any] = field(default_factory=dict)


class ContestedChanges(NamedTuple):
    """The contests that were made from a half-life check."""

    contests: Sequence[str]
    """Ids of the contests, one for each changed answer; some may have been there before."""
    gone: int
    """Number of questions without an answer now, which were not contested."""


class HalfLifeStage(CachedStage):
    """Methods with which people check how long the answers of a release stay right."""

    def __init__(self, database: Database, agents: Agents, releases: ReleaseStage, contests: ContestStage) -> None:
        super().__init__(database)
        self._agents, self._releases, self._contests = agents, releases, contests

    @requires("check half-lives", lambda arguments: arguments["request"].release)
    def plan(self, request: HalfLifeRequest) -> str:
        """Read and store the newer tables and pages, and return the id of the job that makes the check. Raises BenchError if a
        file cannot be read, or if the check cannot begin."""
        on = _read_date(request.at)
        if on.year > datetime.date.today().year + MAX_YEARS_AHEAD:
            raise BenchError(f"{on} is more than {MAX_YEARS_AHEAD} years ahead: give the day of the newer data.")
        if request.release == WORKING_RELEASE:
            raise BenchError(
                f"The release {WORKING_RELEASE} changes with every decision: freeze a release, and check that one."
            )
        if not request.tables and not request.pages:
            raise BenchError("A half-life check needs newer data: give newer tables, newer pages, or both.")
        if request.agent:
            self._agents.check(request.agent, request.settings, request.budget)
        else:
            keys.check_known(keys.select_own(request.settings), set(), "A half-life check without an agent")
        release = releases.get(self._db, request.release)
        frozen = {row["name"]: row["hash"] for row in reversed(release.manifest.get("tables", ()))}  # of several, the first
        specs = {table.name: table.spec for table in tables.load_known(self._db, frozen.values()).values()}
        newer, pages = read_newer_tables(request.tables, specs), read_newer_pages(request.pages)
        for name, copy in newer.items():
            tables.keep(self._db, copy.table, f"half-life check on {on}: {name}", in_use=False)
        hashes = {key: web_pages.hash_page(html) for key, html in pages.items()}
        web_pages.add(self._db, {hashes[key]: web_pages.compress_page(html) for key, html in pages.items()})
        params = {
            "release": release.name,
            "release_hash": release.hash,
            "on": str(on),
            "tables": {name: copy.table.hash for name, copy in newer.items()},
            "left_out": {name: list(copy.left_out) for name, copy in newer.items() if copy.left_out},
            "pages": hashes,
            "agent": request.agent,
            "settings": dict(request.settings),
            "by": actor.get_name() or "",
            **self._agents.pin([request.agent] if request.agent else []),
        }
        return jobs.find_or_create(self._db, KIND, params, budget=request.budget, total=1)

    async def work(self, job: str, control: Control) -> dict[str, Json]:
        """Make the check: ask the questions by queries and rules, then the agent, and store all outcomes together."""
        row = await asyncio.to_thread(jobs.get, self._db, job)
        params, content = row.params, await asyncio.to_thread(self._load_content, row.params)
        try:
            answers, asked = await asyncio.to_thread(self._check_by_rules, params, content, control)
        except Cancelled:
            return self._result(job, params, [], None, "cancelled", "")
        prompts: set[str] = set()
        is_offline = False
        if params["agent"] and asked:
            replies, stopped, why, is_offline = await self._ask_agent(job, row.budget, params, content, asked, control)
            if stopped:
                return self._result(job, params, [], None, stopped, why)
            answers |= {item: join_outcomes(answers[item], reply) for item, reply in replies.items()}
            prompts = {load(PROMPT, item.language).identity for item in content.items if item.id in asked}
        inputs = {name: params[name] for name in ("tables", "pages", "left_out", "agent")}
        inputs |= {"offline": is_offline, "prompts": sorted(prompts)}
        id_ = derived_id("half-life check", params["release_hash"], params["on"], inputs, params["settings"])
        check = HalfLifeCheck(id_, params["release"], params["release_hash"], params["on"], inputs, params["by"])
        await asyncio.to_thread(half_life_checks.add, self._db, check, list(answers.values()))
        await asyncio.to_thread(self._db.write, lambda cursor: jobs.insert_items(cursor, job, [("check", "done", None)]))
        return self._result(job, params, list(answers.values()), id_, None, "")

    @requires("see releases", "name")
    def list_checks(self, name: str) -> list[HalfLifeCheck]:
        """Return the half-life checks of a release, by the day of their data."""
        return half_life_checks.list_checks(self._db, releases.load_hash(self._db, name))

    @requires("see releases", "name")
    def page(self, name: str, tolerance: float = DEFAULT_TOLERANCE) -> RunningWork[Page]:
        """Return the curve of a release, with its half-life and the date by which to refresh it, computed in the background."""
        hash_, checks = self._load_checks(name, tolerance)
        return self._cache.get((hash_, len(checks), tolerance), lambda: self._build(name, hash_, checks, tolerance))

    @requires("see releases", "name")
    def report(self, name: str, tolerance: float = DEFAULT_TOLERANCE, form: str = "table") -> str:
        """Return the curve of a release, with its half-life and the date by which to refresh it, as text in a format.
        `tolerance` is the share of changed answers up to which a release need not be refreshed. Raises BenchError if there is
        no check."""
        hash_, checks = self._load_checks(name, tolerance)
        return pick(renderers(), form, "format").render(self._build(name, hash_, checks, tolerance))

    @requires("see releases", "name")
    def load_answers(self, name: str, check: str) -> tuple[HalfLifeCheck, Page]:
        """Return (check of the release, page with its outcome for each question). Raises BenchError if there is no such
        check."""
        found = self._find(name, check)
        members = self._load_items(found.release, found.release_hash)
        answers = half_life_checks.load_answers(self._db, found.id)
        return found, build_answer_page(name, found.id, found.on, answers, {item.id: item.question for item in members})

    @requires("see releases", "name")
    def render_answers(self, name: str, check: str, form: str = "table") -> str:
        """Return the outcome of a check for each question as text in a format."""
        return pick(renderers(), form, "format").render(self.load_answers(name, check)[1])

    @requires("contest items", "name")
    def contest(self, name: str, check: str, person: str) -> ContestedChanges:
        """Contest each answer of the release that the check found changed, with the newer answer as proposal, and return the
        contests. A contest that exists already is not made again. Raises BenchError if no answer changed."""
        found = self._find(name, check)
        answers = half_life_checks.load_answers(self._db, found.id)
        changed = [one for one in answers if one.outcome == "changed"]
        if not changed:
            raise BenchError(f"The half-life check {found.id} found no changed answer: there is nothing to contest.")
        made = [
            self._contests.submit(
                name,
                NewContest(
                    item=one.item,
                    kind="wrong_answer",
                    answer=one.after,
                    reason=f"Half-life check on {found.on}: “{one.before[:400]}” was right at the release"
                    + (f", the newer answer is “{one.after[:400]}”." if one.after else f", but {one.why}."),
                    person=person,
                ),
            ).id
            for one in changed
        ]
        return ContestedChanges(made, sum(one.outcome == "gone" for one in answers))

    def _find(self, name: str, check: str) -> HalfLifeCheck:
        found = half_life_checks.get(self._db, check)
        if found.release != name:
            raise BenchError(
                f"The half-life check {check} is of the release {found.release}, not of {name}: name that release."
            )
        return found

    def _load_checks(self, name: str, tolerance: float) -> tuple[str, list[HalfLifeCheck]]:
        """Return (hash of the release, its checks). Raises BenchError if there is none."""
        if not 0 < tolerance < 1:
            raise BenchError(f"The tolerance is {tolerance:g}: give a share between 0 and 1, such as 0.1.")
        hash_ = releases.load_hash(self._db, name)
        checks = half_life_checks.list_checks(self._db, hash_)
        if not checks:
            raise BenchError(f"Release {name!r} has no half-life check: make one with `{COMMAND} half-life check {name}`.")
        return hash_, checks

    def _build(self, name: str, hash_: str, checks: Sequence[HalfLifeCheck], tolerance: float) -> Page:
        created = datetime.date.fromisoformat(releases.get(self._db, name, hash_).created[:10])
        questions = describe_questions(self._load_items(name, hash_), created)
        dated = [
            DatedAnswers(one.id, datetime.date.fromisoformat(one.on), half_life_checks.load_answers(self._db, one.id))
            for one in checks
        ]
        return build_page(name, dated, measure_aging(dated, questions), tolerance, [one.record() for one in checks])

    def _load_items(self, name: str, hash_: str) -> list[Item]:
        return releases.load_members(self._db, releases.get(self._db, name, hash_), with_texts=False).items

    def _load_content(self, params: Mapping[str, Any]) -> ReleaseMembers:
        return self._releases.members(params["release"], params["release_hash"])

    def _check_by_rules(
        self, params: Mapping[str, Any], content: ReleaseMembers, control: Control
    ) -> tuple[dict[str, CheckedAnswer], dict[str, list[PagePair]]]:
        """Return (dict from item to its outcome by queries and rules, dict from each item that an agent should look at to its
        pages)."""
        on = _read_date(params["on"])
        created = datetime.date.fromisoformat(releases.get(self._db, params["release"], params["release_hash"]).created[:10])
        days = {item.id: (on - find_answer_date(item, created)).days for item in content.items}
        answers: dict[str, CheckedAnswer] = {}
        from_templates: list[Item] = []
        asked: dict[str, list[PagePair]] = {}
        documents = {document.id: document for document in content.documents}
        newer: dict[tuple[str, str], Document | None] = {}
        for number, item in enumerate(content.items, 1):
            if control.look():
                raise Cancelled
            source = find_source(item)
            if days[item.id] < 0:
                answers[item.id] = CheckedAnswer(item=item.id, outcome="not_asked", why=TOO_EARLY)
            elif source == "template":
                from_templates.append(item)
            elif source == "other":
                answers[item.id] = CheckedAnswer(item=item.id, outcome="not_asked", why=NOT_ASKABLE)
            else:
                control.say(f"pages: {number:,} of {len(content.items):,} items")
                pairs = [
                    self._pair(page, item, documents, params["pages"], newer) for page in find_pages(item, documents, params)
                ]
                known = [span for span in item.evidence if span.document in documents]
                cut = [(span.document, documents[span.document].text[span.start : span.end]) for span in known]
                answers[item.id] = check_pages(item, pairs, cut if len(known) == len(item.evidence) else ())
                given = [pair for pair in pairs if pair.is_given]
                if any(pair.after for pair in given) and not all(pair.is_same for pair in given):
                    asked[item.id] = given
        if from_templates:
            control.say(f"tables: {len(from_templates):,} questions from templates")
            answers |= {one.item: one for one in self._check_templates(params, content, from_templates)}
        ordered = {item.id: replace(answers[item.id], days=max(0, days[item.id])) for item in content.items}
        return ordered, asked

    def _check_templates(
        self, params: Mapping[str, Any], content: ReleaseMembers, items: Sequence[Item]
    ) -> list[CheckedAnswer]:
        newer = {
            name: NewerTable(tables.load(self._db, hash_), params["left_out"].get(name, ()))
            for name, hash_ in params["tables"].items()
        }
        current = [table.hash for table in content.tables]
        wanted = {*current, *(hash_ for item in items for hash_ in named_tables(item.steps).values())}
        frozen: dict[str, EntityTable] = {hash_: tables.load(self._db, hash_) for hash_ in tables.load_known(self._db, wanted)}
        return list(check_templates(frozen, current, newer, items, params["on"]))

    def _pair(
        self,
        page: AskedPage,
        item: Item,
        documents: Mapping[str, Document],
        given: Mapping[str, str],
        newer: dict[tuple[str, str], Document | None],
    ) -> PagePair:
        """Return a page with its newer copy. `newer` caches the copies by hash and name."""
        if page.key is None:
            return PagePair(documents[page.document], None, False)
        about = {name: str(page.about.get(f"page_{name}") or "") for name in ("name", "url")}
        known = given[page.key], about["name"]
        if known not in newer:
            html = web_pages.read(self._db, known[0]) or ""
            newer[known] = web_page(html, **about, domain=item.domain).document
        return PagePair(documents[page.document], newer[known], True)

    async def _ask_agent(
        self,
        job: str,
        budget: float | None,
        params: Mapping[str, Any],
        content: ReleaseMembers,
        asked: Mapping[str, Sequence[PagePair]],
        control: Control,
    ) -> tuple[dict[str, CheckedAnswer], str | None, str, bool]:
        """Ask the agent each question on the released pages and on the newer ones. Return (dict from item to outcome, why the
        job stops or None, message, whether the agent is no LLM)."""
        bind = partial(self._agents.bind, params["agent"], params["settings"], job=job, pinned=params.get("saved"))
        agent = await asyncio.to_thread(lambda: bind(budget=self._agents.budget(budget, job)))
        found: dict[str, CheckedAnswer] = {}
        ended = "", ""
        try:
            pieces = iter([item for item in content.items if item.id in asked])
            ask = partial(ask_twice, agent=agent, asked=asked, on=params["on"])
            working = work_side_by_side(pieces, ask, agent.width, control, lambda result: result[1] not in ("", "batch"))
            async with aclosing(working) as results:
                async for answer, stop in results:
                    found[answer.item] = answer
                    ended = (stop, answer.why) if stop else ended
                    control.say(f"{len(found):,} of {len(asked):,} questions asked of {params['agent']}")
                    control.look()
        finally:
            await agent.close()
        stopped = ended[0] or ("cancelled" if len(found) < len(asked) else "")
        return found, stopped or None, ended[1], agent.is_offline

    def _result(
        self,
        job: str,
        params: Mapping[str, Any],
        answers: Sequence[CheckedAnswer],
        check: str | None,
        stopped: str | None,
        why: str,
    ) -> dict[str, Json]:
        counts = Counter(one.outcome for one in answers)
        said = ", ".join(f"{counts[outcome]:,} {name}" for outcome, name in OUTCOMES.items())
        message = f"{len(answers):,} answers on {params['on']}: {said}." if answers else ""
        left_out = [f"{name}.{column}" for name, columns in params["left_out"].items() for column in columns]
        if left_out:
            message += f" The newer tables lack these columns, or have other types in them: {', '.join(left_out)}."
        return {
            "check": check,
            "release": params["release"],
            "on": params["on"],
            "outcomes": {outcome: counts[outcome] for outcome in OUTCOMES},
            "reasons": dict(Counter(one.why for one in answers if one.outcome == "not_asked").most_common()),
            "left_out": left_out,
            **self._agents.ledger.describe_spending(job),
            "stopped": stopped,
            "message": f"{message} {describe_stop(stopped, why)}".strip(),
        }


def _read_date(text: str) -> datetime.date:
    try:
        return datetime.date.fromisoformat(text)
    except ValueError:
        raise BenchError(f"{text[:40]!r} is not a date: give one such as 2027-03-31.") from None
