"""Compute, each with one query, what became of drafts, and what they cost in time and money. Each item counts once, with its
current status. Only decisions on items count, not those on variants, and only if nobody has undone them."""

from collections.abc import Hashable
from typing import NamedTuple

from agents.kind import needs_no_model
from core.nouns import Level
from core.quality.construction import Drafts
from store.engine.columns import level_from_text
from store.engine.database import Database
from store.queue.effective_reviews import WORK

_SPENT = """
    made AS (
        SELECT
            s.item, s.number, s.level, s.domain, s.task, s.status, c.provenance,
            json_extract_string(c.provenance, ['$.origin', '$.agent', '$.prompt']) AS by
        FROM state s
        JOIN revision c ON c.item = s.item AND c.revision = s.revision
    ), named AS (
        SELECT item, number, unnest(from_json(json_extract(provenance, '$.calls'), '["VARCHAR"]')) AS call
        FROM made
    ), own AS (
        SELECT call, arg_min(item, number) AS item
        FROM named
        GROUP BY call
    ), spent AS (
        SELECT
            o.item, sum(c.seconds) AS seconds, sum(c.price) AS price, count(*) FILTER (WHERE c.price IS NULL) AS unpriced
        FROM own o
        JOIN call c ON c.id = o.call
        GROUP BY o.item
    ), asked AS (
        SELECT DISTINCT item
        FROM named
        WHERE call IN (SELECT id FROM call)
    )"""
"""Three SQL tables: `made` has items with their provenance; `spent` has sums over each item's LLM calls, where a call shared by
several items counts for the first; `asked` has the items with calls."""


class PersonCost(NamedTuple):
    """The cost of the drafts that one person decided on."""

    person: str
    saved: int
    """Number of drafts that the person decided on and accepted."""
    cost: float | None
    """Cost in US dollars of all LLM calls for the person's drafts, including discarded drafts, or None if a price or the calls
    of a draft are unknown."""


class LostReplies(NamedTuple):
    """Number and cost of LLM replies to drafting prompts that gave no item: unreadable replies, replies that found nothing to
    ask, and near duplicates in a prompt trial."""

    by: Hashable
    """The agent and the prompt that gave the replies, as (agent, prompt)."""
    calls: int
    cost: float | None
    """Cost in US dollars, or None if a price is unknown."""


class DraftEffort(NamedTuple):
    """Time and money spent on drafts of one task, level and domain, as sums that can be added over several rows."""

    task: str
    level: Level
    domain: str
    drafts: int
    refused: int
    accepted: int
    """Number of drafts that people accepted one by one and not in bulk. `discarded` is counted in the same way."""
    discarded: int
    timed: int
    """Number of drafts for which the time of every decision was measured."""
    seconds: float
    """Sum of the active seconds that people spent on the timed drafts."""
    squares: float
    """Sum of the squared active seconds of the timed drafts, from which their standard deviation is computed."""
    priced: int
    """Number of drafts with a known price for every call."""
    price: float
    price_squares: float


def load_drafts(database: Database) -> list[Drafts]:
    """Return the numbers of refused, waiting, accepted and discarded items for each combination of level, domain, task and
    origin."""
    rows = database.rows(
        f"""
        WITH {WORK}, active AS (
            SELECT item, count(*) AS reviews, count(seconds) AS measured, sum(seconds) AS seconds
            FROM work
            GROUP BY item
        ), changed AS (
            SELECT s.item
            FROM state s
            JOIN revision c ON c.key = s.item || '@' || s.revision
            JOIN revision f ON f.key = s.item || '@1'
            WHERE s.revision > 1 AND s.status = 'accepted' AND (c.question, c.answers) IS DISTINCT FROM (f.question, f.answers)
        ), tried AS (
            SELECT item, revision, json_extract(details, '$.f1')::DOUBLE AS f1
            FROM verdict
            WHERE gate = 'rag_check'
            QUALIFY row_number() OVER (PARTITION BY item ORDER BY revision DESC, outcome = 'not run', number DESC) = 1
        ), checked AS (
            SELECT s.item, t.f1
            FROM state s
            JOIN tried t ON t.item = s.item
            JOIN revision c ON c.key = s.item || '@' || s.revision
            JOIN revision a ON a.key = s.item || '@' || t.revision
            WHERE s.status = 'accepted' AND (c.question, c.answers) IS NOT DISTINCT FROM (a.question, a.answers)
        ), {_SPENT}
        SELECT
            m.level, m.domain, m.task, m.by[1], m.by[2], m.by[3], count(*),
            count(*) FILTER (WHERE m.status = 'refused'), count(*) FILTER (WHERE m.status = 'drafted'),
            count(*) FILTER (WHERE m.status = 'accepted'), count(*) FILTER (WHERE m.status = 'discarded'),
            count(c.item), coalesce(sum(a.reviews), 0)::BIGINT, coalesce(sum(a.measured), 0)::BIGINT, sum(a.seconds),
            count(k.item), sum(s.seconds), sum(s.price), coalesce(sum(s.unpriced), 0)::BIGINT,
            count(h.f1), sum(h.f1)
        FROM made m
        LEFT JOIN changed c ON c.item = m.item
        LEFT JOIN active a ON a.item = m.item
        LEFT JOIN spent s ON s.item = m.item
        LEFT JOIN asked k ON k.item = m.item
        LEFT JOIN checked h ON h.item = m.item
        GROUP BY ALL
        ORDER BY ALL
        """
    )
    return [Drafts(level_from_text(row[0]), *row[1:])._replace(is_offline=needs_no_model(row[4])) for row in rows]


def load_lost(database: Database) -> list[LostReplies]:
    """Return, for each agent and prompt, the number of LLM replies that gave no item, over drafting jobs and finished prompt
    trials. A call that was repeated after an unreadable answer counts for the prompt of the first call."""
    rows = database.rows(
        """
        WITH named AS (
            SELECT DISTINCT unnest(from_json(json_extract(provenance, '$.calls'), '["VARCHAR"]')) AS call
            FROM revision
            WHERE revision = 1
        ), drafting AS (
            SELECT id
            FROM job
            WHERE kind IN ('draft', 'draft_one')
                OR (kind = 'trial' AND json_extract_string(params, '$.trial') IN (SELECT trial FROM trial_end))
        ), lost AS (
            SELECT
                agent, price, first_value(prompt) OVER (
                    PARTITION BY agent, json_extract(request, ['$.messages[0]', '$.messages[1]'])
                    ORDER BY json_array_length(request, '$.messages')
                ) AS prompt
            FROM call
            WHERE skill = 'draft' AND error IS NULL AND job IN (SELECT id FROM drafting) AND id NOT IN (SELECT call FROM named)
        )
        SELECT agent, prompt, count(*), CASE WHEN count(*) = count(price) THEN sum(price) END
        FROM lost
        GROUP BY agent, prompt
        ORDER BY agent, prompt
        """
    )
    return [LostReplies((agent, prompt), calls, cost) for agent, prompt, calls, cost in rows]


def load_costs(database: Database) -> list[PersonCost]:
    """Return, for each person who decided on drafts, the cost of the LLM calls for these drafts."""
    rows = database.rows(
        f"""
        WITH {WORK}, {_SPENT}, mine AS (
            SELECT person, item, bool_or(decision = 'accept') AS is_saved
            FROM work
            WHERE item IN (SELECT d.item FROM made d WHERE d.by[1] = 'drafted')
            GROUP BY person, item
        )
        SELECT
            m.person, count(*) FILTER (WHERE m.is_saved),
            CASE WHEN bool_and(m.item IN (SELECT item FROM asked) AND coalesce(s.unpriced, 0) = 0)
                THEN coalesce(sum(s.price), 0) END
        FROM mine m
        LEFT JOIN spent s ON s.item = m.item
        GROUP BY m.person
        """
    )
    return [PersonCost(*row) for row in rows]


def load_efforts(database: Database) -> list[DraftEffort]:
    """Return the time and money spent on drafts, by task, level and domain."""
    rows = database.rows(
        f"""
        WITH {WORK}, active AS (
            SELECT item, CASE WHEN count(seconds) = count(*) THEN sum(seconds) END AS seconds
            FROM work
            GROUP BY item
        ), {_SPENT}, known AS (
            SELECT
                m.task, m.level, m.domain, m.status, a.item IS NOT NULL AND m.status IN ('accepted', 'discarded') AS is_read,
                a.seconds, CASE WHEN s.unpriced = 0 THEN s.price END AS price
            FROM made m
            LEFT JOIN active a ON a.item = m.item
            LEFT JOIN spent s ON s.item = m.item
            WHERE m.by[1] = 'drafted'
        )
        SELECT
            task, level, domain, count(*), count(*) FILTER (status = 'refused'),
            count(*) FILTER (is_read AND status = 'accepted'), count(*) FILTER (is_read AND status = 'discarded'),
            count(seconds) FILTER (is_read), coalesce(sum(seconds) FILTER (is_read), 0),
            coalesce(sum(seconds * seconds) FILTER (is_read), 0), count(price), coalesce(sum(price), 0),
            coalesce(sum(price * price), 0)
        FROM known
        GROUP BY task, level, domain
        ORDER BY task, level, domain
        """
    )
    return [DraftEffort(task, level_from_text(level), *rest) for task, level, *rest in rows]
