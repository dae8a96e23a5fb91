"""Count how gates (automatic checks) and people judged the same drafts: one row for each combination of a gate's verdict and
people's decision."""

from collections.abc import Iterable
from typing import NamedTuple

from store.engine.columns import fetch_in_batches, from_json
from store.engine.database import Database
from store.queue.effective_reviews import EFFECTIVE_REVIEWS

_DECIDED = f"{EFFECTIVE_REVIEWS}, decided AS (SELECT DISTINCT item FROM effective WHERE role <> 'opinion')"


class GateRow(NamedTuple):
    """Number of drafts on which a gate (automatic check) gave the same verdict and people made the same decision."""

    gate: str
    rules: str
    """Version of the gate that gave the verdicts."""
    prompts: tuple[str, ...]
    """Identities (name@hash) of the prompts that the gate used; empty if the gate asks no agent."""
    agents: tuple[str, ...]
    """Names of the agents that the gate asked."""
    task: str
    language: str
    drafted_with: str
    """Identity (name@hash) of the prompt that drafted the item; "" if no prompt did."""
    outcome: str
    fate: str
    """Decision of people on the drafts: accepted, edited (accepted with edits) or discarded; "" if nobody has decided."""
    n: int


class DraftStratum(NamedTuple):
    """Number of drafts of one task, domain and language, and how many of them people decided on and accepted."""

    task: str
    domain: str
    language: str
    drafts: int
    """Number of drafts that no gate refused."""
    decided: int
    """Number of drafts with a person's decision that is in effect."""
    accepted: int
    """Number of drafts that a person accepted."""


def load_findings(database: Database) -> list[GateRow]:
    """Return the number of drafts for each combination of a gate's verdict and people's decision. Per draft, only one verdict
    counts of a gate with the same rules, prompts and agents: its last verdict on the first revision that it checked."""
    rows = database.rows(
        f"""
        WITH {_DECIDED}, judged AS (
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
        FROM judged t
        JOIN revision r ON r.key = t.item || '@1'
        JOIN state s ON s.item = t.item
        LEFT JOIN decided d ON d.item = t.item
        GROUP BY ALL
        ORDER BY ALL
        """
    )
    return [GateRow(*(*row[:2], tuple(from_json(row[2])), tuple(from_json(row[3])), *row[4:])) for row in rows]


def load_strata(database: Database) -> list[DraftStratum]:
    """Return the number of drafts, and how many of them were decided and accepted, for each task, domain and language."""
    rows = database.rows(
        f"""
        WITH {_DECIDED}
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


def filter_decided(database: Database, items: Iterable[str]) -> set[str]:
    """Return those of the given ids whose item has a person's decision that is in effect."""
    sql = f"WITH {_DECIDED} SELECT item FROM decided WHERE item IN (SELECT unnest(?::VARCHAR[]))"
    return {row[0] for row in fetch_in_batches(database.rows, sql, items)}


def group_by_task(database: Database, items: Iterable[str]) -> dict[str, list[str]]:
    """Return a dict from task to ids: those of the given items that belong to the task, in the order in which they were
    added."""
    sql = "SELECT task, item FROM state WHERE item IN (SELECT unnest(?::VARCHAR[])) ORDER BY number"
    groups: dict[str, list[str]] = {}
    for task, item in fetch_in_batches(database.rows, sql, items):
        groups.setdefault(task, []).append(item)
    return groups


def fingerprint(database: Database) -> tuple[int, int]:
    """Return a value that changes whenever a gate's verdict or a person's decision is stored."""
    sql = "SELECT (SELECT coalesce(max(number), 0) FROM verdict), (SELECT coalesce(max(number), 0) FROM review)"
    [(verdicts, reviews)] = database.rows(sql)
    return verdicts, reviews
