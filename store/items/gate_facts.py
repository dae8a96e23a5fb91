"""Count how gates (automatic checks) and people judged the same drafts: one row for each combination of verdict and decision,
counted in SQL over all items."""

from collections.abc import Iterable
from typing import NamedTuple

from store.engine.columns import fetch_in_batches, from_json
from store.engine.database import Database
from store.queue.effective_reviews import EFFECTIVE_REVIEWS

_DECIDED = f"{EFFECTIVE_REVIEWS}, decided AS (SELECT DISTINCT item FROM effective WHERE role <> 'opinion')"


class GateRow(NamedTuple):
    """Number of drafts with the same verdict of the same gate, with the same prompts and agents, and with the same decision by
    people."""

    gate: str
    rules: str
    """Version of the gate's rules under which the verdicts were given."""
    prompts: tuple[str, ...]
    """Identities (name@hash) of the prompts that the gate used; empty for a gate without agents."""
    agents: tuple[str, ...]
    """Names of the agents that the gate asked."""
    task: str
    language: str
    drafted_with: str
    """Identity (name@hash) of the prompt that drafted the item; "" without a prompt."""
    outcome: str
    fate: str
    """What people decided: accepted, edited (accepted with edits) or discarded; "" before a decision."""
    n: int


class DraftStratum(NamedTuple):
    """Numbers of drafts of one task, domain and language."""

    task: str
    domain: str
    language: str
    drafts: int
    """Number of drafts, except those that a gate refused."""
    decided: int
    """Number of drafts on which a person's decision is in effect."""
    accepted: int
    """Number of drafts that a person accepted."""


def load_findings(database: Database) -> list[GateRow]:
    """Return the numbers of drafts for each combination of a gate's verdict and people's decision. For each draft and each
    combination of a gate's rules, prompts and agents, only the gate's last verdict on the first revision that the gate checked
    counts."""
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
    """Return the numbers of all, decided and accepted drafts for each task, domain and language."""
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
    """Return the ids of the given items on which a person's decision is in effect."""
    sql = f"WITH {_DECIDED} SELECT item FROM decided WHERE item IN (SELECT unnest(?::VARCHAR[]))"
    return {row[0] for row in fetch_in_batches(database.rows, sql, items)}


def group_by_task(database: Database, items: Iterable[str]) -> dict[str, list[str]]:
    """Return a dict from task to the ids of those given items that belong to the task, in the order in which the items were
    added."""
    sql = "SELECT task, item FROM state WHERE item IN (SELECT unnest(?::VARCHAR[])) ORDER BY number"
    groups: dict[str, list[str]] = {}
    for task, item in fetch_in_batches(database.rows, sql, items):
        groups.setdefault(task, []).append(item)
    return groups


def fingerprint(database: Database) -> tuple[int, int]:
    """Return a value that changes with every new verdict and decision."""
    sql = "SELECT (SELECT coalesce(max(number), 0) FROM verdict), (SELECT coalesce(max(number), 0) FROM review)"
    [(verdicts, reviews)] = database.rows(sql)
    return verdicts, reviews
