"""One question to a judge, one verdict, or none: a reply that is not plainly one of the allowed numbers, or not the object that
the prompt asks for, is kept with its words and never taken for a grade. Each of several votes is a sample of its own; the
majority decides, a tie decides nothing."""

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from core.agent import Completion, Sampling
from core.errors import Unreadable
from core.nouns import Prompt
from eval.system import AskInRun, Inputs
from prompts.reply import parse

VERDICT_TOKENS = 128
"""Tokens that a verdict may take."""
LIST_TOKENS = 1_536
"""Tokens that a list of claims, verdicts or answers may take."""
VOTE_TEMPERATURE = 0.7
"""Temperature of each of several votes; one vote alone has 0."""


@dataclass(frozen=True, slots=True)
class JudgeVerdict:
    """What the judge said to one question."""

    value: int | None
    """None = unread, or a tie."""
    replies: tuple[str, ...]
    """The judge's own words, one per vote."""
    calls: tuple[str, ...]
    not_taken: tuple[str, ...] = ()
    """What was asked and the judge's endpoint does not take."""

    def record(self, **asked: Any) -> dict[str, Any]:
        """Returns it as JSON values, behind what was asked."""
        told = {"not_taken": list(self.not_taken)} if self.not_taken else {}
        return {**asked, "value": self.value, "replies": list(self.replies), "calls": list(self.calls), **told}


@dataclass(frozen=True, slots=True)
class JudgeReply:
    """A reply with several fields."""

    values: Mapping[str, Any] | None
    """None = it could not be read."""
    reply: str
    calls: tuple[str, ...]
    not_taken: tuple[str, ...] = ()

    def record(self, **asked: Any) -> dict[str, Any]:
        """Returns it as JSON values, behind what was asked."""
        told = {"not_taken": list(self.not_taken)} if self.not_taken else {}
        return {**asked, "reply": self.reply, "calls": list(self.calls), **told}


async def ask_judge(ask: AskInRun, prompt: Prompt, inputs: Inputs, vote: int = 0, votes: int = 1) -> JudgeReply:
    """Returns one reply by the prompt's schema. Raises AgentError."""
    completion, calls = await _ask_vote(ask, prompt, inputs, vote, votes, LIST_TOKENS)
    try:
        return JudgeReply(parse(prompt, completion), completion.text, calls, completion.not_taken)
    except Unreadable:
        return JudgeReply(None, completion.text, calls, completion.not_taken)


async def ask_verdict(
    ask: AskInRun, prompt: Prompt, inputs: Inputs, field: str, allowed: range, votes: int = 1
) -> JudgeVerdict:
    """Returns the number in the reply's `field`, or the bare number. Raises AgentError."""
    replies = [await _ask_vote(ask, prompt, inputs, vote, votes, VERDICT_TOKENS) for vote in range(votes)]
    values = [read_number(completion.text, field, allowed) for completion, _ in replies]
    return JudgeVerdict(
        decide_by_majority([value for value in values if value is not None]),
        tuple(completion.text for completion, _ in replies),
        tuple(call for _, calls in replies for call in calls),
        tuple(dict.fromkeys(sentence for completion, _ in replies for sentence in completion.not_taken)),
    )


async def _ask_vote(
    ask: AskInRun, prompt: Prompt, inputs: Inputs, vote: int, votes: int, max_tokens: int
) -> tuple[Completion, tuple[str, ...]]:
    """Returns the completion and the ids of its calls."""
    sampling = Sampling(temperature=VOTE_TEMPERATURE if votes > 1 else 0.0, max_tokens=max_tokens, index=vote)
    completion = await ask(prompt, inputs, sampling)
    return completion, (completion.call,) if completion.call else ()


def read_number(text: str, field: str, allowed: range) -> int | None:
    """Returns the number that is the whole reply, or the `field` of its one JSON object; None = neither.
    A fence around the object is left out."""
    body = text.strip()
    if body.startswith("```") and body.endswith("```"):
        body = body.strip("`").removeprefix("json").strip()
    try:
        read = json.loads(body)
    except (ValueError, RecursionError):  # no JSON, a number of thousands of digits, or nested beyond any sense
        return None
    value = read.get(field) if isinstance(read, dict) else read
    if isinstance(value, str) and re.fullmatch(r"\s*\d{1,9}\s*", value):
        value = int(value)
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return next((number for number in allowed if number == value), None) if is_number else None


def decide_by_majority(values: Sequence[int]) -> int | None:
    """Returns the most frequent value; None for no value and for a tie."""
    ranked = Counter(values).most_common(2)
    return None if not ranked or (len(ranked) == 2 and ranked[0][1] == ranked[1][1]) else ranked[0][0]
