"""One question to a judge, one verdict, or none: a reply that is not plainly one of the allowed numbers, or not the object that
was asked for, is kept with its words and never taken for a grade. Several votes are asked as samples of their own; the majority
decides, a tie decides nothing."""

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from core.agent import Sampling
from core.errors import Unreadable
from core.nouns import Prompt
from core.text.thinking import strip_thinking
from eval.system import AskInRun
from prompts.reply import parse

REPLY = 128
"""Tokens that a verdict may take."""
LONG_REPLY = 1_536
"""Tokens that a list of claims, verdicts or answers may take."""
SPREAD = 0.7
"""Temperature when several votes are asked; one vote is asked at 0."""


@dataclass(frozen=True, slots=True)
class JudgeVerdict:
    """What the judge said to one question."""

    value: int | None
    """None = unread, or a tie."""
    replies: tuple[str, ...]
    """The judge's own words, one per vote."""
    calls: tuple[str, ...]

    def record(self, **asked: Any) -> dict[str, Any]:
        """As JSON values, beside what was asked."""
        return {**asked, "value": self.value, "replies": list(self.replies), "calls": list(self.calls)}


@dataclass(frozen=True, slots=True)
class JudgeReply:
    """A reply with several fields."""

    values: Mapping[str, Any] | None
    """None = it could not be read."""
    reply: str
    calls: tuple[str, ...]

    def record(self, **asked: Any) -> dict[str, Any]:
        """As JSON values, beside what was asked."""
        return {**asked, "reply": self.reply, "calls": list(self.calls)}


async def ask_judge(ask: AskInRun, prompt: Prompt, inputs: Mapping[str, object], vote: int = 0, votes: int = 1) -> JudgeReply:
    """One reply by the prompt's schema. Raises AgentError."""
    sampling = Sampling(temperature=SPREAD if votes > 1 else 0.0, max_tokens=LONG_REPLY, index=vote)
    completion = await ask(prompt, inputs, sampling)
    calls = (completion.call,) if completion.call else ()
    try:
        return JudgeReply(parse(prompt, completion), completion.text, calls)
    except Unreadable:
        return JudgeReply(None, completion.text, calls)


async def ask_verdict(
    ask: AskInRun, prompt: Prompt, inputs: Mapping[str, object], field: str, allowed: range, votes: int = 1
) -> JudgeVerdict:
    """The number in the reply's `field`, or the bare number. Raises AgentError."""
    values, replies, calls = [], [], []
    for vote in range(votes):
        sampling = Sampling(temperature=SPREAD if votes > 1 else 0.0, max_tokens=REPLY, index=vote)
        completion = await ask(prompt, inputs, sampling)
        replies.append(completion.text)
        calls += [completion.call] if completion.call else []
        values.append(read_number(completion.text, field, allowed))
    return JudgeVerdict(decide_by_majority([value for value in values if value is not None]), tuple(replies), tuple(calls))


def read_number(text: str, field: str, allowed: range) -> int | None:
    """The whole reply is a number, or one JSON object (fenced or not, thinking before it left out) whose `field` is one."""
    body = strip_thinking(text).strip()
    if body.startswith("```") and body.endswith("```"):
        body = body.strip("`").removeprefix("json").strip()
    try:
        found = json.loads(body)
    except (ValueError, RecursionError):  # no JSON, a number of thousands of digits, or nested beyond any sense
        return None
    value = found.get(field) if isinstance(found, dict) else found
    if isinstance(value, str) and re.fullmatch(r"\s*\d{1,9}\s*", value):
        value = int(value)
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return next((number for number in allowed if number == value), None) if is_number else None


def decide_by_majority(values: Sequence[int]) -> int | None:
    """The value of most; None for none at all and for a tie."""
    ranked = Counter(values).most_common(2)
    return None if not ranked or (len(ranked) == 2 and ranked[0][1] == ranked[1][1]) else ranked[0][0]
