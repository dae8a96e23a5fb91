"""A text taken apart into claims, and each claim held against passages: one call to take it apart and one for all its claims
together, the same calls for every metric that asks the same, so that the ledger answers the second one."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from eval.metric import JudgedScore, ScoringCase, Unscored
from eval.scoring.judging import JudgeReply, ask_judge, decide_by_majority
from eval.system import AskInRun
from prompts.prompt import load

CLAIMS = "extract/claims"
"""Input text; reply field claims."""
SUPPORT = "judge/claims"
"""Inputs statements and context; reply field support."""


@dataclass(frozen=True, slots=True)
class CheckedClaim:
    """One claim held against passages."""

    claim: str
    passages: frozenset[int] | None
    """Numbers of the passages that support it; None = no vote could be read, or a tie."""
    replies: tuple[str, ...]
    calls: tuple[str, ...]

    @property
    def value(self) -> int | None:
        return None if self.passages is None else int(bool(self.passages))

    def record(self, side: str) -> dict[str, Any]:
        """As JSON values."""
        return {
            "side": side,
            "sentence": self.claim,
            "value": self.value,
            "replies": list(self.replies),
            "calls": list(self.calls),
            "passages": None if self.passages is None else sorted(self.passages),
        }


@dataclass(frozen=True, slots=True)
class ClaimedText:
    """A text whose claims were held against a case's passages."""

    claims: tuple[CheckedClaim, ...]
    why: str
    """Why there are none."""
    details: Mapping[str, Any]

    @property
    def unread_claims(self) -> float:
        return float(sum(one.value is None for one in self.claims))

    def share(self) -> float | Unscored:
        """Of the claims that were read, those that some passage supports."""
        read = [one.value for one in self.claims if one.value is not None]
        return sum(read) / len(read) if read else Unscored(self.why or "not read: no verdict could be read")


async def check_claims(case: ScoringCase, text: str, side: str, ask: AskInRun, votes: int) -> ClaimedText:
    """The text's claims against the case's passages. Raises AgentError."""
    if not case.contexts:
        return ClaimedText((), "no passages to hold it against", {})
    found = await ask_judge(ask, load(CLAIMS, case.language), {"text": text})
    taken = found.record(text=text)
    if found.values is None:
        return ClaimedText((), f"not read: the claims of {side}", {"claims": taken})
    claims = [claim for claim in found.values["claims"] if claim.strip()]
    if not claims:
        return ClaimedText((), f"no claim in {side}", {"claims": taken})
    held = await check_support(claims, dict(enumerate(case.contexts, 1)), case.language, ask, votes)
    prompt = load(SUPPORT, case.language).identity
    return ClaimedText(tuple(held), "", {"verdicts": [one.record(side) for one in held], "claims": taken, "prompt": prompt})


async def check_support(
    claims: Sequence[str], passages: Mapping[int, str], language: str, ask: AskInRun, votes: int
) -> list[CheckedClaim]:
    """Each claim with the passages, told by number, that support it, all in one call a vote. Raises AgentError."""
    inputs = {"statements": number_texts(dict(enumerate(claims, 1))), "context": number_texts(passages)}
    prompt = load(SUPPORT, language)
    replies = [await ask_judge(ask, prompt, inputs, vote, votes) for vote in range(votes)]
    calls = tuple(call for one in replies for call in one.calls)
    read = [_read(one, len(claims), set(passages)) for one in replies]
    return [
        CheckedClaim(
            claim, _decide_by_majority([one.get(number) for one in read]), tuple(_words(r, number) for r in replies), calls
        )
        for number, claim in enumerate(claims, 1)
    ]


def number_texts(texts: Mapping[int, str]) -> str:
    """One line a text, "[3] ..."."""
    return "\n".join(f"[{number}] {' '.join(text.split())}" for number, text in texts.items())


def build_score(text: ClaimedText, value: float | Unscored) -> JudgedScore:
    """What a metric with one value gives back."""
    return JudgedScore({"": value, "unread": text.unread_claims}, text.details)


def _read(one: JudgeReply, claims: int, known: set[int]) -> dict[int, frozenset[int]]:
    """{claim: its passages}; a claim that is named twice or with a passage that was not shown was not read."""
    found: dict[int, frozenset[int]] = {}
    entries = one.values["support"] if one.values else []
    for entry in entries:
        named = frozenset(entry["passages"])
        if 1 <= entry["claim"] <= claims and named <= known and [e["claim"] for e in entries].count(entry["claim"]) == 1:
            found[entry["claim"]] = named
    return found


def _decide_by_majority(votes: Sequence[frozenset[int] | None]) -> frozenset[int] | None:
    """By most of the votes that were read; the passages are those that most of the deciding votes name."""
    read = [vote for vote in votes if vote is not None]
    is_supported = decide_by_majority([int(bool(vote)) for vote in read])
    if not is_supported:
        return None if is_supported is None else frozenset()
    naming = [vote for vote in read if vote]
    every = frozenset().union(*naming)
    return frozenset(n for n in every if 2 * sum(n in vote for vote in naming) > len(naming)) or every


def _words(one: JudgeReply, number: int) -> str:
    """What the judge said of that claim; all it said where that cannot be told apart."""
    own = [entry for entry in (one.values or {}).get("support", []) if entry["claim"] == number]
    return json.dumps(own[0], ensure_ascii=False) if len(own) == 1 else one.reply
