"""Count questions by task, level, domain and data set: the questions in the workspace, in each release and in each season (one
draw of template questions). Also count the answers of a run with a score above 0. One query computes each table."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from core.nouns import Level
from store.engine.columns import level_from_text
from store.engine.database import Database


class RegistryPlace(NamedTuple):
    """One combination of task, level, domain and data set for which questions are counted."""

    task: str
    level: Level
    domain: str
    dataset: str
    """Name of the data set that the items come from, or their task if they come from no data set."""


class QuestionPool(NamedTuple):
    """Numbers of questions of one task, level and domain, without discarded questions."""

    place: RegistryPlace
    n: int
    made: int
    """Number of questions made from templates."""
    given: int
    """Number of questions that were drafted from documents or imported with documents."""
    evidence: int
    """Number of questions that have evidence in documents."""
    tables: Sequence[str]
    """Names of the entity tables from which answers were computed."""


class PlaceCount(NamedTuple):
    """The number of questions of one task, level and domain in one release or season."""

    place: RegistryPlace
    name: str
    n: int


class RewardCount(NamedTuple):
    """Number of a run's answers to questions of one task, level and domain that have a metric value above 0."""

    place: RegistryPlace
    run: str
    n: int
    """Number of the answers that have a metric value."""
    above: int
    """Number of answers with a metric value above 0."""


_PLACED = """placed AS (
        SELECT
            s.item, s.task, s.level, s.domain, coalesce(json_extract_string(r.labels, '$.dataset'), s.task) AS dataset,
            s.status, json_extract_string(r.labels, '$.template') IS NOT NULL AS is_made, r.given <> '[]' AS is_given,
            r.evidence <> '[]' AS has_evidence, r.steps
        FROM state s
        JOIN revision r ON r.key = s.item || '@' || s.revision
    )"""
"""SQL table `placed`: all items in their current revision, with task, level, domain and data set."""
_PLACE = "placed.task, placed.level, placed.domain, placed.dataset"


def load_pools(database: Database) -> list[QuestionPool]:
    """Return the numbers of questions for each combination of task, level, domain and data set."""
    rows = database.rows(
        f"""
        WITH {_PLACED}, named AS (
            SELECT item, unnest(json_keys(json_extract(steps, '$[*].tables')[1])) AS name
            FROM placed
            WHERE is_made
        ), tables AS (
            SELECT task, level, domain, dataset, list_sort(list(DISTINCT name)) AS names
            FROM placed
            JOIN named USING (item)
            GROUP BY ALL
        )
        SELECT
            {_PLACE}, count(*), count(*) FILTER (is_made), count(*) FILTER (is_given), count(*) FILTER (has_evidence),
            any_value(t.names)
        FROM placed
        LEFT JOIN tables t ON t.task = placed.task AND t.level IS NOT DISTINCT FROM placed.level
            AND t.domain = placed.domain AND t.dataset = placed.dataset
        WHERE status <> 'discarded'
        GROUP BY {_PLACE}
        ORDER BY ALL
        """
    )
    return [QuestionPool(_place_from_row(row), *(*row[4:8], tuple(row[8] or ()))) for row in rows]


def count_in_releases(database: Database) -> list[PlaceCount]:
    """Return the number of questions in each release by task, level and domain, newest release first."""
    return _count_by_place(
        database,
        """
        SELECT name, number, unnest(json_extract(manifest, '$.items[*]')) ->> '$.id' AS item
        FROM release
        QUALIFY number = max(number) OVER (PARTITION BY name)
        """,
    )


def count_in_seasons(database: Database) -> list[PlaceCount]:
    """Return the number of questions in each season by task, level and domain, newest season first."""
    return _count_by_place(
        database,
        """
        SELECT id AS name, row_number() OVER (ORDER BY made_at, id) AS number, unnest(from_json(items, '["VARCHAR"]')) AS item
        FROM season
        """,
    )


def load_rewarded(database: Database, metrics: Sequence[str]) -> list[RewardCount]:
    """Return, by run, task, level and domain, the number of scored answers to original questions, and the number of those with
    a score above 0. The score of an answer is the value of the first metric in `metrics` that scored the answer."""
    rows = database.rows(
        f"""
        WITH {_PLACED}, best AS (
            SELECT run, item, arg_min(value, list_position(?::VARCHAR[], metric)) AS value
            FROM score
            WHERE variant = '' AND value IS NOT NULL AND list_contains(?::VARCHAR[], metric)
            GROUP BY run, item
        )
        SELECT {_PLACE}, best.run, count(*), count(*) FILTER (best.value > 0)
        FROM best
        JOIN placed USING (item)
        GROUP BY {_PLACE}, best.run
        ORDER BY ALL
        """,
        [list(metrics), list(metrics)],
    )
    return [RewardCount(_place_from_row(row), *row[4:]) for row in rows]


def fingerprint(database: Database) -> tuple[Any, ...]:
    """Return a value that changes whenever a count of this module may have changed."""
    (row,) = database.rows(
        """
        SELECT
            (SELECT bit_xor(hash(item, revision, status)) FROM state), (SELECT count(*) FROM release),
            (SELECT count(*) FROM season), (SELECT bit_xor(hash(run, item, metric, version, value)) FROM score)
        """
    )
    return tuple(row)


def _count_by_place(database: Database, source: str) -> list[PlaceCount]:
    rows = database.rows(
        f"""
        WITH {_PLACED}, held AS ({source})
        SELECT {_PLACE}, held.name, count(*)
        FROM held
        JOIN placed USING (item)
        GROUP BY {_PLACE}, held.name
        ORDER BY max(held.number) DESC, held.name, {_PLACE}
        """
    )
    return [PlaceCount(_place_from_row(row), *row[4:]) for row in rows]


def _place_from_row(row: Sequence[Any]) -> RegistryPlace:
    return RegistryPlace(row[0], level_from_text(row[1]), row[2], row[3])
