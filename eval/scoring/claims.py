"""Split a text into claims and check them against passages: one call splits the text, one call checks all claims. All metrics
based on claims make the same calls, so that repeated calls get their replies from the ledger, the store of earlier replies."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from core.agent import await_each
from eval.metric import JudgedScore, ScoringCase, Unscored
from eval.scoring.judging import JudgeReply, ask_judge, decide_by_majority, index_entries, quote_entry
from eval.system import AskInRun
from prompts.prompt import load

CLAIMS = "extract/claims"
"""Name of the prompt that splits a text into claims: its input is `text`, its reply field `claims`."""
NO_PASSAGES = "no passages to check it against"
SUPPORT = "judge/claims"
"""Name of the prompt that checks claims against passages: its inputs are `statements` and `context`, its reply field
`support`."""


@dataclass(frozen=True, slots=True)
class CheckedClaim:
    """One claim, with the passages that support it."""

    claim: str
    passages: frozenset[int] | None
    """Numbers of the passages that support the claim; None = no readable verdict, or a tie of the votes."""
    replies: tuple[str, ...]
    calls: tuple[str, ...]

    @property
    def value(self) -> int | None:
        return None if self.passages is None else int(bool(self.passages))

    def record(self, side: str) -> dict[str, Any]:
        """Return the claim and its verdict as JSON values; `side` says which text the claim is from."""
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
    """The claims of one text, each checked against the passages of a case."""

    claims: tuple[CheckedClaim, ...]
    why: str
    """Reason why there are no claims; "" if there are claims."""
    details: Mapping[str, Any]

    @property
    def unread_claims(self) -> float:
        return float(sum(claim.value is None for claim in self.claims))

    def score(self) -> JudgedScore:
        """Return the share of the claims with a readable verdict that a passage supports."""
        value = average_verdicts([claim.value for claim in self.claims], self.why)
        return JudgedScore({"": value, "unread": self.unread_claims}, self.details)


def average_verdicts(values: Sequence[int | None], why: str = "") -> float | Unscored:
    """Return the mean of the readable verdicts, or Unscored with the reason `why` if no verdict is readable."""
    read = [value for value in values if value is not None]
    return sum(read) / len(read) if read else Unscored(why or "not read: no verdict could be read")


async def check_claims(case: ScoringCase, text: str, side: str, ask: AskInRun, votes: int) -> ClaimedText:
    """Split the text into claims and check them against the case's passages. Raises AgentError if a call fails."""
    if not case.contexts:
        return ClaimedText((), NO_PASSAGES, {})
    reply = await ask_judge(ask, load(CLAIMS, case.language), {"text": text})
    taken = reply.record(text=text)
    claims = [claim for claim in reply.values["claims"] if claim.strip()] if reply.values else []
    if not claims:
        why = f"not read: the claims of {side}" if reply.values is None else f"no claim in {side}"
        return ClaimedText((), why, {"claims": taken})
    return await check_given_claims(case, claims, side, ask, votes, {"claims": taken})


async def check_given_claims(
    case: ScoringCase, claims: Sequence[str], side: str, ask: AskInRun, votes: int, details: Mapping[str, Any]
) -> ClaimedText:
    """Check the claims against the case's passages; `details` says where the claims are from. Raises AgentError if a call
    fails."""
    checked = await check_support(claims, dict(enumerate(case.contexts, 1)), case.language, ask, votes)
    verdicts = [claim.record(side) for claim in checked]
    return ClaimedText(tuple(checked), "", {**details, "verdicts": verdicts, "prompt": load(SUPPORT, case.language).identity})


async def check_support(
    claims: Sequence[str], passages: Mapping[int, str], language: str, ask: AskInRun, votes: int
) -> list[CheckedClaim]:
    """Return each claim with the passages that support it; each vote is one call. Raises AgentError if a call fails."""
    inputs = {"statements": number_texts(dict(enumerate(claims, 1))), "context": number_texts(passages)}
    prompt = load(SUPPORT, language)
    replies = await await_each(ask_judge(ask, prompt, inputs, vote, votes) for vote in range(votes))
    calls = tuple(call for reply in replies for call in reply.calls)
    read = [_read_support(reply, len(claims), set(passages)) for reply in replies]
    return [
        CheckedClaim(
            claim,
            _merge_votes([vote.get(number) for vote in read]),
            tuple(quote_entry(r, "support", "claim", number) for r in replies),
            calls,
        )
        for number, claim in enumerate(claims, 1)
    ]


def number_texts(texts: Mapping[int, str]) -> str:
    """Return the texts as lines with their numbers, "[3] ...", for a prompt."""
    return "\n".join(f"[{number}] {' '.join(text.split())}" for number, text in texts.items())


def _read_support(reply: JudgeReply, claims: int, passages: set[int]) -> dict[int, frozenset[int]]:
    """Return a dict from the number of a claim to the passages that support it. A claim is left out if the reply lists it
    twice, or names a passage that the judge was not shown."""
    return {
        number: frozenset(entry["passages"])
        for number, entry in index_entries(reply, "support", "claim").items()
        if 1 <= number <= claims and passages.issuperset(entry["passages"])
    }


def _merge_votes(votes: Sequence[frozenset[int] | None]) -> frozenset[int] | None:
    """Return the passages that most of the readable votes name, or an empty set if most votes name no passage; None if the
    votes tie or none is readable."""
    read = [vote for vote in votes if vote is not None]
    is_supported = decide_by_majority([int(bool(vote)) for vote in read])
    if not is_supported:
        return None if is_supported is None else frozenset()
    naming = [vote for vote in read if vote]
    every = frozenset().union(*naming)
    return frozenset(n for n in every if 2 * sum(n in vote for vote in naming) > len(naming)) or every
