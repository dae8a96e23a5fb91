"""One question to a judge, one verdict, or none: a reply that is not plainly one of the allowed numbers is kept with its words
and never taken for a grade. Several votes are asked as samples of their own; the majority decides, a tie decides nothing."""

import json
import math
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from core.agents.agent import Sampling
from core.nouns import Prompt
from eval.system import Ask

REPLY = 128
"""Tokens that a verdict may take."""
SPREAD = 0.7
"""Temperature when several votes are asked; one vote is asked at 0."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the judge said to one question."""

    value: int | None
    """None = unread, or a tie."""
    replies: tuple[str, ...]
    """The judge's own words, one per vote."""
    calls: tuple[str, ...]

    def record(self, **asked: Any) -> dict[str, Any]:
        """As JSON values, beside what was asked."""
        return {**asked, "value": self.value, "replies": list(self.replies), "calls": list(self.calls)}


async def verdict(
    ask: Ask, prompt: Prompt, inputs: Mapping[str, object], field: str, allowed: range, votes: int = 1
) -> Verdict:
    """The number in the reply's `field`, or the bare number. Raises AgentError."""
    values, replies, calls = [], [], []
    for vote in range(votes):
        sampling = Sampling(temperature=SPREAD if votes > 1 else 0.0, max_tokens=REPLY, index=vote)
        completion = await ask(prompt, inputs, sampling)
        replies.append(completion.text)
        calls += [completion.call] if completion.call else []
        values.append(read_number(completion.text, field, allowed))
    return Verdict(_majority([value for value in values if value is not None]), tuple(replies), tuple(calls))


def read_number(text: str, field: str, allowed: range) -> int | None:
    """The whole reply is a number, or one JSON object (fenced or not, thinking before it left out) whose `field` is one."""
    body = re.sub(r"<think>.*?</think>", "", text, flags=re.DOTALL).strip()
    fenced = re.fullmatch(r"```(?:json)?\s*(.*?)\s*```", body, flags=re.DOTALL)
    try:
        found = json.loads(fenced.group(1) if fenced else body)
    except (ValueError, RecursionError):  # no JSON, a number of thousands of digits, or nested beyond any sense
        return None
    value = found.get(field) if isinstance(found, dict) else found
    if isinstance(value, str) and re.fullmatch(r"\s*\d+\s*", value):
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value) or value != int(value):
        return None
    return int(value) if int(value) in allowed else None


def _majority(values: list[int]) -> int | None:
    ranked = Counter(values).most_common(2)
    return None if not ranked or (len(ranked) == 2 and ranked[0][1] == ranked[1][1]) else ranked[0][0]
