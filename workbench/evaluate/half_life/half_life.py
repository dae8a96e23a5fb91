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
from core.agent import Sampling
from core.as_json import Json
from core.cancellation import Cancelled
from core.catalog import pick
from core.errors import AgentError, BenchError, CallNotSent
from core.ids import derived_id
from core.installation import COMMAND
from core.nouns import Document, Item
from core.quality.crag import find_query_time, format_query_time
from core.quality.half_life import DEFAULT_TOLERANCE, OUTCOMES, CheckedAnswer, QuestionSource
from core.readers.web_page import web_page
from core.statistics.clusters import clusters
from core.tables.nouns import named_tables
from core.tables.world import EntityTable
from eval.half_life.curve import AgingQuestion, DatedAnswers, measure_aging
from eval.half_life.layout import build_answer_page, build_page
from eval.half_life.pages import AGENT_MISSED, PagePair, check_pages, choose_passages, compare_replies, gives_gold
from eval.page import Page
from eval.reports.renderer import renderers
from eval.system import SystemFailed
from eval.workflows.answering import read_answer
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
from workbench.control import Control, describe_stop, name_stop
from workbench.evaluate.half_life.newer_files import list_page_keys, list_pages, read_newer_pages, read_newer_tables
from workbench.release.contests import ContestStage, NewContest
from workbench.release.releases import ReleaseStage
from workbench.release.uploads import Upload
from workbench.roles import requires
from workbench.setup.agents import Agents, BoundAgent
from workbench.stream import work_side_by_side

__all__ = ["DEFAULT_TOLERANCE", "OUTCOMES", "HalfLifeCheck", "HalfLifeRequest", "HalfLifeStage"]

KIND = "half_life"
PROMPT = "answer/web"
"""Prompt with which an agent answers from the passages of pages."""
MAX_TOKENS = 128
"""Maximum number of tokens of an agent's answer."""
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


class _Page(NamedTuple):
    """A page of a question, with the key of its newer copy; None = none was given."""

    document: str
    key: str | None
    about: Mapping[str, Any]


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
            answers |= {item: _join_outcomes(answers[item], reply) for item, reply in replies.items()}
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
        return build_page(name, dated, measure_aging(dated, questions), tolerance, list(map(encode_check, checks)))

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
                    self._pair(page, item, documents, params["pages"], newer) for page in _find_pages(item, documents, params)
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
        page: _Page,
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
            ask = partial(_ask_twice, agent=agent, asked=asked, on=params["on"])
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


def find_source(item: Item) -> QuestionSource:
    """Return how the item's question can be asked again: from its template, of its web pages, or not at all."""
    if any(step.get("kind") == "template" for step in item.steps):
        return "template"
    return "web" if list_pages(item) else "other"


def find_answer_date(item: Item, created: datetime.date) -> datetime.date:
    """Return the date of the item's answer: the time at which its question was asked, else the day of the release."""
    if asked := find_query_time(item.labels):
        return asked.date()
    now = next((step["now"] for step in item.steps if step.get("kind") == "template"), None)
    try:
        return datetime.date.fromisoformat(str(now)[:10]) if now else created
    except ValueError:
        return created


def describe_questions(items: Sequence[Item], created: datetime.date) -> dict[str, AgingQuestion]:
    """Return a dict from item to its question as half-life checks see it; other items are left out. Questions on one row of a
    table, or on one page, are in one cluster."""
    chosen = [(item, source) for item in items if (source := find_source(item)) != "other"]
    together = clusters({item.id: _list_sources(item) for item, _ in chosen})
    return {
        item.id: AgingQuestion(
            str(item.labels.get("static_or_dynamic") or ""),
            item.domain,
            source,
            together.of[item.id],
            find_answer_date(item, created),
        )
        for item, source in chosen
    }


def encode_check(check: HalfLifeCheck) -> dict[str, Json]:
    """Return a check as JSON values, without its outcomes."""
    return {
        "check": check.id,
        "release": check.release,
        "hash": check.release_hash,
        "on": check.on,
        "by": check.by,
        "at": check.at,
        **dict(check.inputs),
    }


def _list_sources(item: Item) -> list[str]:
    rows = [
        f"{step['template']['table']} {key}"
        for step in item.steps
        if step.get("kind") == "template"
        for key in step["subjects"]
    ]
    return rows or [str(page["document"]) for page in list_pages(item)]


def _find_pages(item: Item, documents: Mapping[str, Document], params: Mapping[str, Any]) -> list[_Page]:
    """Return the distinct pages of a question, each with the key of its newer copy."""
    pages: dict[str, _Page] = {}
    for page in list_pages(item):
        name = str(page["document"])
        if name in documents and not documents[name].meta.get("is_snippet"):  # the released page itself had no text
            key = next((key for key in list_page_keys(page, documents[name]) if key in params["pages"]), None)
            if name not in pages or pages[name].key is None:
                pages[name] = _Page(name, key, page)
    return list(pages.values())


async def _ask_twice(
    item: Item, agent: BoundAgent, asked: Mapping[str, Sequence[PagePair]], on: str
) -> tuple[CheckedAnswer, str]:
    """Return (outcome by the agent's replies on the released and on the newer pages, why the job stops or "")."""
    pages = asked[item.id]
    noon = datetime.datetime.combine(datetime.date.fromisoformat(on), datetime.time(12))
    before_time = str(item.labels.get("query_time") or "not known")
    try:
        before = await _ask(agent, item, [page.before for page in pages], before_time)
        after = ""
        if gives_gold(item, before):  # otherwise the answer on the newer pages would say nothing
            after = await _ask(agent, item, [page.after for page in pages if page.after], format_query_time(noon))
    except (AgentError, CallNotSent) as error:
        return CheckedAnswer(item=item.id, outcome="not_asked", why=str(error).rstrip(".")), name_stop(error)
    except SystemFailed:
        return CheckedAnswer(item=item.id, outcome="not_asked", why="the agent's reply was withheld or cut off"), ""
    return compare_replies(item, before, after), ""


async def _ask(agent: BoundAgent, item: Item, pages: Sequence[Document], now: str) -> str:
    context = await asyncio.to_thread(choose_passages, item.question, item.language, pages)
    inputs = {"question": item.question, "now": now, "context": context}
    return read_answer(await agent.ask(load(PROMPT, item.language), inputs, Sampling(temperature=0.0, max_tokens=MAX_TOKENS)))


def _join_outcomes(by_rules: CheckedAnswer, by_agent: CheckedAnswer) -> CheckedAnswer:
    """Return the agent's outcome, or the rules' one if the agent's replies say nothing."""
    if by_agent.outcome != "not_asked":
        return replace(by_agent, days=by_rules.days)
    if by_agent.why == AGENT_MISSED and by_rules.outcome in ("unchanged", "gone"):
        return by_rules
    return replace(by_rules, why=f"{by_rules.why}; {by_agent.why}")


def _read_date(text: str) -> datetime.date:
    try:
        return datetime.date.fromisoformat(text)
    except ValueError:
        raise BenchError(f"{text[:40]!r} is not a date: give one such as 2027-03-31.") from None
