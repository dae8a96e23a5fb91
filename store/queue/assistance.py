"""Draw how much of its draft each person sees of an item, and load the decisions that were made while such a rule was on.

The reviews store the assistance that a person had and the rule that drew it, in their details: a release has them with its
reviews."""

from dataclasses import dataclass
from hashlib import blake2b
from typing import Any, Final, Literal, NamedTuple

from core.as_json import Json
from store.engine.columns import from_json
from store.engine.database import Database
from store.queue.effective_reviews import EFFECTIVE_REVIEWS, IS_BULK

Assistance = Literal["draft", "blind reveal", "none"]
"""What a person sees of the drafted answer before deciding: "draft" = the answer, "blind reveal" = the answer after the person
wrote an own one, "none" = nothing."""
DRAFT: Final = "draft"
REVEAL: Final = "blind reveal"
NONE: Final = "none"
ASSISTANCE = "assistance"
"""Key of the assistance in the details of a review; missing if no rule was on."""
RULE = "assistance_rule"
"""Key of the rule in the details of a review, as [share of blind reveals, share without assistance, seed]."""
RULE_SETTING = "blind_share"
"""Name of the workspace setting with the current rule."""


@dataclass(frozen=True, slots=True)
class AssistanceRule:
    """The shares of items whose drafted answers are hidden, which a lead has set."""

    share: float = 0.0
    """Share of the items that are answered before the drafted answer is shown (blind reveal), from 0 to 1."""
    seed: int = 0
    alone: float = 0.0
    """Share of the items that are answered without ever seeing the draft, from 0 to 1; both shares together are at most 1."""

    def draw(self, item: str) -> Assistance:
        """Return what people see of the item's draft; the same seed and shares always give the same. The two shares are cut
        from the opposite ends of one random number, so no item is in both."""
        drawn = int.from_bytes(blake2b(f"{self.seed}/{item}".encode(), digest_size=8).digest(), "big")
        if drawn < self.share * 2**64:
            return REVEAL
        return NONE if drawn >= (1 - self.alone) * 2**64 else DRAFT

    def record(self) -> list[Json]:
        """Return the rule as it is stored in the details of a review."""
        return [self.share, self.alone, self.seed]


class AssistedDecision(NamedTuple):
    """A person's decision on an item, made while a rule of assistance was on."""

    person: str
    item: str
    agent: str
    """Name of the agent that drafted the item; "" if none did."""
    level: str
    language: str
    assistance: Assistance
    rule: AssistanceRule
    is_accepted: bool
    is_unchanged: bool
    """Whether the question and the first answer are those of the draft."""
    seconds: float | None
    """Active seconds, or None if not measured."""
    drafted: str
    """The drafted answer."""
    answer: str
    """The person's answer; "" if the person discarded the item."""
    others: tuple[str, ...] = ()
    """Answers that other people gave to the same item."""
    adjudicated: str = ""
    """The answer on which a further person decided between the opinions; "" if nobody did."""
    is_first: bool = True
    """Whether the person had not decided on the item before; after an undo they have seen everything."""


def load_assisted_decisions(database: Database) -> list[AssistedDecision]:
    """Return the decisions in effect on drafts that were made while a rule of assistance was on, oldest first. Bulk actions,
    adjudications, and decisions on a text that somebody had edited before are left out."""
    rows = database.rows(
        f"""
        WITH {EFFECTIVE_REVIEWS}, adjudicated AS (
            SELECT e.item, last(v.answers ->> '$[0]' ORDER BY e.number) AS answer
            FROM effective e JOIN revision v ON v.key = e.item || '@' || e.revision
            WHERE e.role = 'adjudicated' AND e.decision = 'accept'
            GROUP BY e.item
        )
        SELECT
            r.person, r.item, coalesce(d.provenance ->> '$.agent', ''), coalesce(d.level, ''), d.language,
            r.details ->> '$.{ASSISTANCE}', r.details -> '$.{RULE}', r.decision = 'accept',
            r.decision = 'accept' AND a.question = d.question AND trim(a.answers ->> '$[0]') = trim(d.answers ->> '$[0]'),
            r.seconds, coalesce(d.answers ->> '$[0]', ''),
            CASE WHEN r.decision = 'accept' THEN a.answers ->> '$[0]' ELSE '' END, coalesce(j.answer, ''),
            NOT EXISTS (SELECT 1 FROM review p WHERE p.item = r.item AND p.person = r.person AND p.number < r.number)
        FROM effective r
        JOIN state s ON s.item = r.item
        JOIN revision a ON a.key = r.item || '@' || r.revision
        JOIN revision d ON d.key = r.item || '@1'
        LEFT JOIN adjudicated j ON j.item = r.item
        WHERE r.role IN ('', 'opinion') AND r.details ->> '$.{ASSISTANCE}' IS NOT NULL AND NOT {IS_BULK}
            AND (r.revision = 1 OR (a.made_by = r.person AND coalesce(a.base, a.revision - 1) = 1))
        ORDER BY r.number
        """
    )
    answers: dict[str, list[tuple[str, str]]] = {}
    for row in rows:
        if row[7]:
            answers.setdefault(row[1], []).append((row[0], row[11]))
    return [_read_decision(row, answers.get(row[1], [])) for row in rows]


def _read_decision(row: tuple[Any, ...], given: list[tuple[str, str]]) -> AssistedDecision:
    """Return the decision of a row of the query; `given` = the people's answers to the item."""
    share, alone, seed = from_json(row[6])
    rule = AssistanceRule(float(share), int(seed), float(alone))
    others = tuple(answer for person, answer in given if person != row[0])
    values = (*row[:6], rule, *row[7:12], others, *row[12:])
    return AssistedDecision._make(values)
