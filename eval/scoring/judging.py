"""Sends one question to a judge and reads one verdict, or none. A reply that is not exactly one of the allowed numbers, or not
the JSON object that the prompt requests, is stored as text and never interpreted as a grade. Each of several votes is a
separate sample; the majority decides, and a tie gives no verdict."""

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from core.agent import Completion, Sampling, await_each
from core.errors import Unreadable
from core.nouns import Prompt
from eval.system import AskInRun, Inputs
from prompts.reply import parse

VERDICT_TOKENS = 128
"""Maximum tokens of a verdict."""
LIST_TOKENS = 1_536
"""Maximum tokens of a list of claims, verdicts or answers."""
VOTE_TEMPERATURE = 0.7
"""Temperature of each of several votes; a single vote uses 0."""


@dataclass(frozen=True, slots=True)
class JudgeVerdict:
    """The judge's verdict on one question."""

    value: int | None
    """Verdict; None = unreadable, or a tie."""
    replies: tuple[str, ...]
    """Replies of the judge, one per vote."""
    calls: tuple[str, ...]
    not_taken: tuple[str, ...] = ()
    """Requested parameters that the judge's endpoint did not accept."""

    def record(self, **asked: Any) -> dict[str, Any]:
        """Return the verdict as JSON values, after the fields in `asked`."""
        refusals = {"not_taken": list(self.not_taken)} if self.not_taken else {}
        return {**asked, "value": self.value, "replies": list(self.replies), "calls": list(self.calls), **refusals}


@dataclass(frozen=True, slots=True)
class JudgeReply:
    """A reply with several fields."""

    values: Mapping[str, Any] | None
    """Parsed fields; None = unreadable."""
    reply: str
    calls: tuple[str, ...]
    not_taken: tuple[str, ...] = ()

    def record(self, **asked: Any) -> dict[str, Any]:
        """Return the reply as JSON values, after the fields in `asked`."""
        refusals = {"not_taken": list(self.not_taken)} if self.not_taken else {}
        return {**asked, "reply": self.reply, "calls": list(self.calls), **refusals}


async def ask_judge(ask: AskInRun, prompt: Prompt, inputs: Inputs, vote: int = 0, votes: int = 1) -> JudgeReply:
    """Return one reply, parsed with the prompt's schema. Raises AgentError."""
    completion, calls = await _ask_vote(ask, prompt, inputs, vote, votes, LIST_TOKENS)
    try:
        return JudgeReply(parse(prompt, completion), completion.text, calls, completion.not_taken)
    except Unreadable:
        return JudgeReply(None, completion.text, calls, completion.not_taken)


async def ask_verdict(
    ask: AskInRun, prompt: Prompt, inputs: Inputs, field: str, allowed: range, votes: int = 1
) -> JudgeVerdict:
    """Return the verdict: the number in the reply's `field`, or a reply that is only a number. Raises AgentError."""
    replies = await await_each(_ask_vote(ask, prompt, inputs, vote, votes, VERDICT_TOKENS) for vote in range(votes))
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
    """Return the completion and the ids of its calls."""
    sampling = Sampling(temperature=VOTE_TEMPERATURE if votes > 1 else 0.0, max_tokens=max_tokens, index=vote)
    completion = await ask(prompt, inputs, sampling)
    return completion, (completion.call,) if completion.call else ()


def read_number(text: str, field: str, allowed: range) -> int | None:
    """Return the number that is the whole reply, or the `field` of its only JSON object; None = neither.
    Ignores a code fence around the object."""
    body = text.strip()
    if body.startswith("```") and body.endswith("```"):
        body = body.strip("`").removeprefix("json").strip()
    try:
        read = json.loads(body)
    except (ValueError, RecursionError):  # not JSON, a number with thousands of digits, or nested too deeply
        return None
    value = read.get(field) if isinstance(read, dict) else read
    if isinstance(value, str) and re.fullmatch(r"\s*\d{1,9}\s*", value):
        value = int(value)
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return next((number for number in allowed if number == value), None) if is_number else None


def decide_by_majority(values: Sequence[int]) -> int | None:
    """Return the most frequent value, or None if there is no value or two values tie."""
    ranked = Counter(values).most_common(2)
    return None if not ranked or (len(ranked) == 2 and ranked[0][1] == ranked[1][1]) else ranked[0][0]
