"""Ask an agent the question of an item on the released pages and on the newer ones."""

import asyncio
import datetime
from collections.abc import Mapping, Sequence
from dataclasses import replace

from core.agent import Sampling
from core.errors import AgentError, CallNotSent
from core.nouns import Document, Item
from core.quality.crag import format_query_time
from core.quality.half_life import CheckedAnswer
from eval.half_life.pages import AGENT_MISSED, PagePair, choose_passages, compare_replies, gives_gold
from eval.system import SystemFailed
from eval.workflows.answering import read_answer
from prompts.prompt import load
from workbench.control import name_stop
from workbench.setup.agents import BoundAgent

PROMPT = "answer/web"
"""Prompt with which an agent answers from the passages of pages."""
MAX_TOKENS = 128
"""Maximum number of tokens of an agent's answer."""


async def ask_twice(
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


def join_outcomes(by_rules: CheckedAnswer, by_agent: CheckedAnswer) -> CheckedAnswer:
    """Return the agent's outcome, or the rules' one if the agent's replies say nothing."""
    if by_agent.outcome != "not_asked":
        return replace(by_agent, days=by_rules.days)
    if by_agent.why == AGENT_MISSED and by_rules.outcome in ("unchanged", "gone"):
        return by_rules
    return replace(by_rules, why=f"{by_rules.why}; {by_agent.why}")
