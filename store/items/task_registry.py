"""What the task registry counts: questions by task, level, domain and data set, in the workspace, in releases and in seasons,
and what runs were rewarded for at them. Each is one query over the kept rows."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from core.nouns import Level
from store.engine.columns import level_from_text
from store.engine.database import Database


class RegistryPlace(NamedTuple):
    """A task at a level of a domain."""

    task: str
    level: Level
    domain: str
    dataset: str
    """The data set that its items name as their own; else the task."""


class QuestionPool(NamedTuple):
    """The questions of a place that nobody discarded."""

    place: RegistryPlace
    n: int
    made: int
    """Those from a template."""
    given: int
    """Those with documents of their own."""
    evidence: int
    """Those with evidence in the corpus."""
    tables: Sequence[str]
    """Tables that any of them was made from."""


class PlaceCount(NamedTuple):
    """How many questions of a place a release or a season holds."""

    place: RegistryPlace
    name: str
    n: int


class RewardCount(NamedTuple):
    """What one run came to at a place."""

    place: RegistryPlace
    run: str
    n: int
    """Answers with a value of the metric."""
    above: int
    """Those with more than 0."""


_ONE = """one AS (
        SELECT
            s.item, s.task, s.level, s.domain, coalesce(json_extract_string(r.labels, '$.dataset'), s.task) AS dataset,
            s.status, json_extract_string(r.labels, '$.template') IS NOT NULL AS is_made, r.given <> '[]' AS is_given,
            r.evidence <> '[]' AS has_evidence, r.steps
        FROM state s
        JOIN revision r ON r.key = s.item || '@' || s.revision
    )"""
"""`one` is every item as it is now, with its place."""
_PLACE = "one.task, one.level, one.domain, one.dataset"


def load_pools(database: Database) -> list[QuestionPool]:
    """Every place that has a question."""
    rows = database.rows(
        f"""
        WITH {_ONE}, named AS (
            SELECT item, unnest(json_keys(json_extract(steps, '$[*].tables')[1])) AS name
            FROM one
            WHERE is_made
        ), tables AS (
            SELECT task, level, domain, dataset, list_sort(list(DISTINCT name)) AS names
            FROM one
            JOIN named USING (item)
            GROUP BY ALL
        )
        SELECT
            {_PLACE}, count(*), count(*) FILTER (is_made), count(*) FILTER (is_given), count(*) FILTER (has_evidence),
            any_value(t.names)
        FROM one
        LEFT JOIN tables t ON t.task = one.task AND t.level IS NOT DISTINCT FROM one.level AND t.domain = one.domain
            AND t.dataset = one.dataset
        WHERE status <> 'discarded'
        GROUP BY {_PLACE}
        ORDER BY ALL
        """
    )
    return [QuestionPool(_place(row), row[4], row[5], row[6], row[7], tuple(row[8] or ())) for row in rows]


def count_in_releases(database: Database) -> list[PlaceCount]:
    """By place, the releases that hold any of its questions, newest first."""
    return _count_by_place(
        database,
        """
        SELECT name, number, unnest(json_extract(manifest, '$.items[*]')) ->> '$.id' AS item
        FROM release
        QUALIFY number = max(number) OVER (PARTITION BY name)
        """,
    )


def count_in_seasons(database: Database) -> list[PlaceCount]:
    """By place, the seasons that hold any of its questions, newest first."""
    return _count_by_place(
        database,
        """
        SELECT id AS name, row_number() OVER (ORDER BY made_at, id) AS number, unnest(from_json(items, '["VARCHAR"]')) AS item
        FROM season
        """,
    )


def load_rewarded(database: Database, metrics: Sequence[str]) -> list[RewardCount]:
    """By place and run, the answers to originals with a value of the first of those metrics that gave one."""
    rows = database.rows(
        f"""
        WITH {_ONE}, best AS (
            SELECT run, item, arg_min(value, list_position(?::VARCHAR[], metric)) AS value
            FROM score
            WHERE variant = '' AND value IS NOT NULL AND list_contains(?::VARCHAR[], metric)
            GROUP BY run, item
        )
        SELECT {_PLACE}, best.run, count(*), count(*) FILTER (best.value > 0)
        FROM best
        JOIN one USING (item)
        GROUP BY {_PLACE}, best.run
        ORDER BY ALL
        """,
        [list(metrics), list(metrics)],
    )
    return [RewardCount(_place(row), *row[4:]) for row in rows]


def fingerprint(database: Database) -> tuple[Any, ...]:
    """Another one whenever something that is counted here changes."""
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
        WITH {_ONE}, held AS ({source})
        SELECT {_PLACE}, held.name, count(*)
        FROM held
        JOIN one USING (item)
        GROUP BY {_PLACE}, held.name
        ORDER BY max(held.number) DESC, held.name, {_PLACE}
        """
    )
    return [PlaceCount(_place(row), *row[4:]) for row in rows]


def _place(row: Sequence[Any]) -> RegistryPlace:
    return RegistryPlace(row[0], level_from_text(row[1]), row[2], row[3])
