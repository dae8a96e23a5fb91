"""Send one question to a judge and read its verdict. A reply that is neither an allowed number nor the JSON object that the
prompt asks for is stored as text and never interpreted. Each of several votes is a separate sample; the majority decides, and a
tie gives no verdict."""

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
"""Maximum number of tokens of a judge's reply with one verdict."""
LIST_TOKENS = 1_536
"""Maximum number of tokens of a judge's reply with a list of claims, verdicts or answers."""
VOTE_TEMPERATURE = 0.7
"""Sampling temperature of each vote if a judge votes several times; a single vote uses 0."""


@dataclass(frozen=True, slots=True)
class JudgeVerdict:
    """A judge's verdict on one question, with the replies of all votes."""

    value: int | None
    """The number that the judge gave; None = the judge's reply is unreadable, or its votes tie."""
    replies: tuple[str, ...]
    """The judge's replies as text, one per vote."""
    calls: tuple[str, ...]
    not_taken: tuple[str, ...] = ()
    """Requested parameters that the judge's endpoint did not accept."""

    def record(self, **asked: Any) -> dict[str, Any]:
        """Return a dict of JSON values with the fields in `asked`, followed by the verdict."""
        refusals = {"not_taken": list(self.not_taken)} if self.not_taken else {}
        return {**asked, "value": self.value, "replies": list(self.replies), "calls": list(self.calls), **refusals}


@dataclass(frozen=True, slots=True)
class JudgeReply:
    """A judge's reply that has several fields."""

    values: Mapping[str, Any] | None
    """The fields of the reply; None = the reply is unreadable."""
    reply: str
    calls: tuple[str, ...]
    not_taken: tuple[str, ...] = ()

    def record(self, **asked: Any) -> dict[str, Any]:
        """Return a dict of JSON values with the fields in `asked`, followed by the reply."""
        refusals = {"not_taken": list(self.not_taken)} if self.not_taken else {}
        return {**asked, "reply": self.reply, "calls": list(self.calls), **refusals}


async def ask_judge(
    ask: AskInRun, prompt: Prompt, inputs: Inputs, vote: int = 0, votes: int = 1, max_tokens: int = LIST_TOKENS
) -> JudgeReply:
    """Ask the judge once, and return its reply with the fields that the prompt's schema declares. Raises AgentError if the call
    fails."""
    completion, calls = await _ask_vote(ask, prompt, inputs, vote, votes, max_tokens)
    try:
        return JudgeReply(parse(prompt, completion), completion.text, calls, completion.not_taken)
    except Unreadable:
        return JudgeReply(None, completion.text, calls, completion.not_taken)


async def ask_verdict(
    ask: AskInRun, prompt: Prompt, inputs: Inputs, field: str, allowed: range, votes: int = 1
) -> JudgeVerdict:
    """Ask the judge `votes` times, and return the verdict of the majority. Each reply is a number, or a JSON object with the
    number in `field`. Raises AgentError if a call fails."""
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
    """Ask the judge for one vote, and return (completion, ids of the calls)."""
    sampling = Sampling(temperature=VOTE_TEMPERATURE if votes > 1 else 0.0, max_tokens=max_tokens, index=vote)
    completion = await ask(prompt, inputs, sampling)
    return completion, (completion.call,) if completion.call else ()


def index_entries(reply: JudgeReply, field: str, key: str) -> dict[int, Mapping[str, Any]]:
    """Return the entries in the reply's list `field` as a dict from number to entry; each entry has its number under `key`. If
    two entries have the same number, both are left out."""
    entries = reply.values[field] if reply.values else []
    counts = Counter(entry[key] for entry in entries)
    return {entry[key]: entry for entry in entries if counts[entry[key]] == 1}


def quote_entry(reply: JudgeReply, field: str, key: str, number: int) -> str:
    """Return the part of the judge's reply with this number as JSON, or the whole reply if that part cannot be separated."""
    entry = index_entries(reply, field, key).get(number)
    return reply.reply if entry is None else json.dumps(entry, ensure_ascii=False)


def read_number(text: str, field: str, allowed: range) -> int | None:
    """Return the number that is the whole reply, or that is in the `field` of the reply's only JSON object; None if the reply
    contains neither. A code fence around the JSON object is ignored."""
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
    """Return the most frequent value, or None if there are no values or two are equally frequent."""
    ranked = Counter(values).most_common(2)
    return None if not ranked or (len(ranked) == 2 and ranked[0][1] == ranked[1][1]) else ranked[0][0]
