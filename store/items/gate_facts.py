"""What gates found on drafts and what people made of them: one row for each combination, counted in SQL over all items."""

from collections.abc import Iterable
from typing import NamedTuple

from store.engine.columns import from_json, split_in_batches
from store.engine.database import Database
from store.queue.effective_reviews import EFFECTIVE_REVIEWS


class GateRow(NamedTuple):
    """Drafts of one kind with one finding and one fate."""

    gate: str
    rules: str
    """Version of the gate's rules."""
    prompts: tuple[str, ...]
    """Identities of the prompts it asked with; none for a gate that asks nobody."""
    agents: tuple[str, ...]
    """Whom it asked."""
    task: str
    language: str
    drafted_with: str
    """Identity of the prompt that the draft is of; "" without one."""
    outcome: str
    fate: str
    """accepted, edited (kept in other words), discarded; "" while nobody has decided."""
    n: int


class DraftStratum(NamedTuple):
    """Drafts of one task, domain and language."""

    task: str
    domain: str
    language: str
    drafts: int
    """Those that no gate refused."""
    decided: int
    """Those that people decided on."""
    accepted: int
    """Of those decided."""


def load_findings(database: Database) -> list[GateRow]:
    """Each gate's last finding on the first revision that it looked at, with the same rules, prompts and agents."""
    rows = database.rows(
        f"""
        WITH {EFFECTIVE_REVIEWS}, decided AS (
            SELECT DISTINCT item FROM stands WHERE role <> 'opinion'
        ), told AS (
            SELECT
                item, revision, gate, outcome, number,
                CASE WHEN json_extract(details, '$.agents') IS NULL THEN version
                    ELSE json_extract_string(details, '$.rules') END AS rules,
                coalesce(json_extract(details, '$.prompts')::VARCHAR, '[]') AS prompts,
                coalesce(json_extract(details, '$.agents')::VARCHAR, '[]') AS agents
            FROM verdict
            WHERE gate <> 'rag_check'
            QUALIFY row_number() OVER (
                PARTITION BY item, gate, rules, prompts, agents ORDER BY revision, outcome = 'not run', number DESC
            ) = 1
        )
        SELECT
            t.gate, t.rules, t.prompts, t.agents, r.task, r.language,
            coalesce(json_extract_string(r.provenance, '$.prompt'), '') AS drafted_with, t.outcome,
            CASE
                WHEN d.item IS NULL OR s.status NOT IN ('accepted', 'discarded') THEN ''
                WHEN s.status = 'accepted' AND s.revision > t.revision THEN 'edited'
                ELSE s.status
            END AS fate,
            count(*)
        FROM told t
        JOIN revision r ON r.key = t.item || '@1'
        JOIN state s ON s.item = t.item
        LEFT JOIN decided d ON d.item = t.item
        GROUP BY ALL
        ORDER BY ALL
        """
    )
    return [GateRow(row[0], row[1], tuple(from_json(row[2])), tuple(from_json(row[3])), *row[4:]) for row in rows]


def load_strata(database: Database) -> list[DraftStratum]:
    """All items by task, domain and language."""
    rows = database.rows(
        f"""
        WITH {EFFECTIVE_REVIEWS}, decided AS (
            SELECT DISTINCT item FROM stands WHERE role <> 'opinion'
        )
        SELECT
            s.task, s.domain, s.language, count(*),
            count(*) FILTER (d.item IS NOT NULL AND s.status IN ('accepted', 'discarded')),
            count(*) FILTER (d.item IS NOT NULL AND s.status = 'accepted')
        FROM state s
        LEFT JOIN decided d ON d.item = s.item
        WHERE s.status <> 'refused'
        GROUP BY s.task, s.domain, s.language
        ORDER BY s.task, s.domain, s.language
        """
    )
    return [DraftStratum(*row) for row in rows]


def filter_decided(database: Database, wanted: Iterable[str]) -> set[str]:
    """Those of the items on which a person's decision stands."""
    sql = f"""
        WITH {EFFECTIVE_REVIEWS}
        SELECT DISTINCT item FROM stands WHERE role <> 'opinion' AND item IN (SELECT unnest(?::VARCHAR[]))
        """
    return {row[0] for piece in split_in_batches(wanted) for row in database.rows(sql, [piece])}


def load_kinds(database: Database, wanted: Iterable[str]) -> dict[str, tuple[str, str, str]]:
    """Item -> its task, domain and language."""
    sql = "SELECT item, task, domain, language FROM state WHERE item IN (SELECT unnest(?::VARCHAR[]))"
    return {row[0]: row[1:] for piece in split_in_batches(wanted) for row in database.rows(sql, [piece])}


def group_by_task(database: Database, wanted: Iterable[str]) -> dict[str, list[str]]:
    """Task -> those of the items that are of it, in their order."""
    sql = "SELECT task, item FROM state WHERE item IN (SELECT unnest(?::VARCHAR[])) ORDER BY number"
    found: dict[str, list[str]] = {}
    for piece in split_in_batches(wanted):
        for task, item in database.rows(sql, [piece]):
            found.setdefault(task, []).append(item)
    return found


def fingerprint(database: Database) -> tuple[int, int]:
    """Another one as soon as a verdict or a decision came."""
    sql = "SELECT (SELECT coalesce(max(number), 0) FROM verdict), (SELECT coalesce(max(number), 0) FROM review)"
    [(verdicts, reviews)] = database.rows(sql)
    return verdicts, reviews
