"""Load what planning a run needs: the items of a release without their texts, the standard deviation of earlier scores, and the
speed of an agent. Counting is done in SQL, so that large releases are fast."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from core.errors import BenchError
from core.nouns import Level
from store.corpus.documents import IN_CORPUS
from store.engine.columns import from_json, level_from_text
from store.engine.database import Database
from store.releases.releases import WORKING_RELEASE, load_hash
from store.runs.traces import MEMBER


class ReleasePlace(NamedTuple):
    """One item of a release without its text, for planning a run."""

    id: str
    revision: int
    task: str
    level: Level
    domain: str
    language: str


def count_accepted(database: Database) -> int:
    """Return the number of accepted items in the workspace."""
    return int(database.rows("SELECT count(*) FROM state WHERE status = 'accepted'")[0][0])


def list_frozen(database: Database) -> list[tuple[str, str]]:
    """Return (name, hash) of every frozen release, newest first."""
    sql = "SELECT name, hash FROM release WHERE name <> ? ORDER BY number DESC"
    return [(name, hash_) for name, hash_ in database.rows(sql, [WORKING_RELEASE])]


def count_items(database: Database, name: str, hash: str) -> int:
    """Return the number of items in the release with this name and hash."""
    sql = "SELECT items FROM release WHERE name = ? AND hash = ?"
    return int(database.rows(sql, [name, hash])[0][0])


def list_accepted_tasks(database: Database) -> list[str]:
    """Return the names of the tasks of accepted items."""
    return [task for (task,) in database.rows("SELECT DISTINCT task FROM state WHERE status = 'accepted' ORDER BY task")]


def load_places(database: Database, release: str) -> list[ReleasePlace]:
    """Return every item of the release without its text, sorted by id. For the release "working", return the accepted items.
    Raises BenchError if there is no such release, or if no item is accepted."""
    columns = "item, revision, task, level, domain, language"
    if release == WORKING_RELEASE:
        rows = database.rows(f"SELECT {columns} FROM state WHERE status = 'accepted' ORDER BY item")
        if not rows:
            raise BenchError("Nothing is accepted yet: the working release is empty.")
    else:
        keys = "SELECT item || '@' || revision FROM member"
        sql = f"{MEMBER} SELECT {columns} FROM revision WHERE key IN ({keys}) ORDER BY item"
        rows = database.rows(sql, [[load_hash(database, release)]])
    return [ReleasePlace(*(*row[:3], level_from_text(row[3]), *row[4:])) for row in rows]


def count_characters(database: Database, release: str, languages: Sequence[str]) -> int:
    """Return the number of characters of the documents that a run on the release searches. Only documents in the given
    languages count. For the release "working", the documents of the whole corpus count."""
    if release == WORKING_RELEASE:
        sql = f"SELECT coalesce(sum(characters), 0) FROM document WHERE {IN_CORPUS} AND list_contains(?::VARCHAR[], language)"
        return int(database.rows(sql, [list(languages)])[0][0])
    rows = database.rows(
        """
        WITH named AS (
            SELECT unnest(from_json(json_extract(manifest, '$.documents'), '[{"id":"VARCHAR"}]')) AS e,
                coalesce(from_json(json_extract(manifest, '$.left_out'), '["VARCHAR"]'), []) AS left_out
            FROM release
            WHERE name = ? AND hash = ?
        )
        SELECT coalesce(sum(characters), 0)
        FROM document
        WHERE id IN (SELECT e.id FROM named WHERE NOT list_contains(left_out, e.id)) AND list_contains(?::VARCHAR[], language)
        """,
        [release, load_hash(database, release), list(languages)],
    )
    return int(rows[0][0])


def load_frozen_revisions(database: Database, release: str, hash: str) -> list[tuple[str, int]]:
    """Return (item, revision) for every item in the release's manifest, sorted by item."""
    rows = database.rows(f"{MEMBER} SELECT item, revision FROM member ORDER BY item", [[hash]])
    return [(item, revision) for item, revision in rows]


def count_variants(database: Database, release: str) -> int:
    """Return the number of variants in the release. For the release "working", this is the number of accepted variants of
    accepted items."""
    if release != WORKING_RELEASE:
        sql = "SELECT variants FROM release WHERE name = ? AND hash = ?"
        return int(database.rows(sql, [release, load_hash(database, release)])[0][0])
    sql = """
        SELECT count(*)
        FROM variant v JOIN state s ON s.item = v.item
        WHERE v.status = 'accepted' AND s.status = 'accepted' AND v.revision = s.revision
        """
    return int(database.rows(sql)[0][0])


def fingerprint(database: Database) -> tuple[Any, ...]:
    """Return a value that changes whenever an item, decision, variant, release, run, trace or score is stored."""
    return database.rows(
        """
        SELECT (SELECT max(number) FROM revision), (SELECT max(number) FROM review), (SELECT count(*) FROM variant),
            (SELECT max(number) FROM release), (SELECT max(number) FROM run), (SELECT max(number) FROM trace),
            (SELECT count(*) FROM score)
        """
    )[0]


def list_similar_runs(database: Database, release_hash: str, system: str) -> list[tuple[str, dict[str, Any], int]]:
    """Return (run id, configuration, number of traces) of the system's last 200 runs on the release with this hash, newest
    first."""
    rows = database.rows(
        """
        SELECT id, config, (SELECT count(*) FROM trace WHERE run = run.id)
        FROM run
        WHERE release_hash = ? AND system = ?
        ORDER BY number DESC
        LIMIT 200
        """,
        [release_hash, system],
    )
    return [(run, from_json(config), traces) for run, config, traces in rows]


def load_spreads(
    database: Database, release: str, metrics: Sequence[str], runs: int = 4
) -> dict[str, tuple[float, float | None]]:
    """Return a dict from metric to two numbers: the standard deviation of item scores (median over runs), and the standard
    deviation of score differences on the same items (median over pairs of runs), or None. Only the last `runs` scored runs on
    the release count, and only runs and pairs with at least ten values."""
    rows = database.rows(
        """
        WITH chosen AS (
            SELECT id FROM run WHERE release = ? AND id IN (SELECT run FROM score) ORDER BY number DESC LIMIT ?
        ), s AS (
            SELECT run, item, metric, avg(value) AS value
            FROM score
            WHERE run IN (SELECT id FROM chosen) AND metric IN (SELECT unnest(?::VARCHAR[])) AND value IS NOT NULL
            GROUP BY run, item, metric
        ), alone AS (
            SELECT metric, run, stddev_samp(value) AS sd FROM s GROUP BY metric, run HAVING count(*) >= 10
        ), pairs AS (
            SELECT a.metric, a.run, b.run, stddev_samp(a.value - b.value) AS sd
            FROM s a JOIN s b ON a.item = b.item AND a.metric = b.metric AND a.run < b.run
            GROUP BY a.metric, a.run, b.run
            HAVING count(*) >= 10
        )
        SELECT metric, median(sd), (SELECT median(p.sd) FROM pairs p WHERE p.metric = alone.metric)
        FROM alone
        GROUP BY metric
        """,
        [release, runs, list(metrics)],
    )
    return {metric: (alone, pair) for metric, alone, pair in rows}


def load_latency(database: Database, agent: str, skill: str, calls: int = 200) -> tuple[float | None, float | None, int]:
    """Return (median seconds of a call, mean tokens of a reply, number of calls) over the agent's last answered calls. The
    median and the mean are None if there are no calls."""
    rows = database.rows(
        """
        SELECT median(seconds), avg(tokens_out), count(*)
        FROM (
            SELECT seconds, tokens_out FROM call
            WHERE agent = ? AND skill = ? AND error IS NULL
            ORDER BY made_at DESC
            LIMIT ?
        )
        """,
        [agent, skill, calls],
    )
    [(seconds, tokens, n)] = rows
    return seconds, tokens, n
