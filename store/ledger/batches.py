"""Store LLM requests that wait to be sent together in a batch, and the files that are sent to the endpoint. A waiting request
is deleted when the ledger contains its answer."""

import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from agents.openai.openai_batch import MAX_BYTES, MAX_REQUESTS, BatchRequest, write_line
from store.engine.columns import build_in_condition, current_time, from_json, insert_rows, to_json
from store.engine.database import Cursor, Database

MAX_TRIES = 3
"""Number of unusable replies after which a batched request is not sent again."""
ROWS_AT_ONCE = 500
"""Number of new requests that one SQL statement stores."""
_REQUEST_COLUMNS = (
    *("folder", "key", "file", "agent", "endpoint", "prompt", "skill", "job", "request"),
    *("body", "how", "price_now", "price", "tries"),
)
_HOW = ("parameters", "not_taken", "has_schema", "headroom", "limit", "profile")
"""Names of the BatchRequest fields that the column `how` stores as JSON."""


@dataclass(frozen=True, slots=True)
class WaitingRequest:
    """An LLM request that waits to be sent in a batch, or that was sent and waits for the batch's reply."""

    key: str
    """Key of the request in the ledger; the batch file contains it as custom_id."""
    agent: Mapping[str, Any]
    """The agent as the command line names it: {"name", "settings", "owner"}."""
    endpoint: str
    """Address and model of the endpoint; each batch file contains requests for one endpoint."""
    prompt: str
    skill: str
    job: str | None
    request: Mapping[str, Any]
    sent: BatchRequest
    tries: int = 0
    """Number of replies to the request so far that the program could not use."""


class BatchFile(NamedTuple):
    """A file of requests that is sent to an endpoint as a batch."""

    name: str
    agent: Mapping[str, Any]
    endpoint: str
    requests: int
    batch: str | None
    """Id that the endpoint gave the batch, or None before the file is sent."""
    status: str
    """State of the batch as the endpoint last reported it; "written" before the file is sent."""
    waiting: int
    """Number of requests in the file that still wait for an answer."""


class BatchSum(NamedTuple):
    """Number and prices of the requests that wait for a batch."""

    requests: int
    price: float | None
    """Highest possible price in US dollars in a batch, or None if any price is unknown."""
    price_now: float | None
    """Highest possible price in US dollars without a batch, or None if any price is unknown."""


class BatchCollector:
    """Collects the LLM requests of one job that are to be sent in a batch."""

    def __init__(self, database: Database, folder: str) -> None:
        self._database, self.folder = database, folder
        self._lock = threading.Lock()
        self._rows: list[tuple[Any, ...]] = []
        self._prices: dict[str, tuple[float | None, float | None]] = {}
        self._failures: dict[str, tuple[str, str]] | None = None

    def is_known(self, key: str) -> bool:
        """Check whether the job has already added the request with this key."""
        return key in self._prices

    def add(self, request: WaitingRequest) -> bool:
        """Add a request of the job, unless it was added before; a request that is already in a file stays in that file. Return
        whether ROWS_AT_ONCE requests are collected, so that they should be stored."""
        sent = request.sent
        how = to_json({name: getattr(sent, name) for name in _HOW})
        with self._lock:
            if request.key in self._prices:
                return False
            self._prices[request.key] = (sent.price, sent.price_now)
            origin = (to_json(request.agent), request.endpoint, request.prompt, request.skill, request.job)
            content = (to_json(request.request), to_json(sent.body), how, sent.price_now, sent.price, 0)
            self._rows.append((self.folder, request.key, None, *origin, *content))
            return len(self._rows) == ROWS_AT_ONCE

    def store(self) -> None:
        """Store the requests that were collected so far."""
        with self._lock:
            self._store_rows()

    def flush(self) -> BatchSum:
        """Store the requests that were collected so far; return the number and prices of all requests of the job."""
        with self._lock:
            self._store_rows()
            prices, prices_now = zip(*self._prices.values(), strict=True) if self._prices else ((), ())
            return BatchSum(len(self._prices), sum_prices(prices), sum_prices(prices_now))

    def failures(self) -> Mapping[str, tuple[str, str]]:
        """Return a dict from request key to (kind of failure, error message), for those requests in the folder that will not be
        sent again."""
        with self._lock:
            if self._failures is None:
                sql = "SELECT key, kind, error FROM batch_request WHERE folder = ? AND kind IS NOT NULL"
                self._failures = {key: (kind, error) for key, kind, error in self._database.rows(sql, [self.folder])}
            return self._failures

    def _store_rows(self) -> None:
        rows, self._rows = self._rows, []
        renewed = ("agent", "body", "how", "price_now", "price")
        action = ", ".join(f"{name} = excluded.{name}" for name in renewed)
        conflict = f"(folder, key) DO UPDATE SET {action} WHERE batch_request.file IS NULL"
        if rows:
            columns = ", ".join(_REQUEST_COLUMNS)
            self._database.write(lambda cursor: insert_rows(cursor, "batch_request", columns, rows, conflict))


def sum_prices(prices: Iterable[float | None]) -> float | None:
    """Return the sum of the prices, or None if a price is unknown."""
    known = list(prices)
    return None if None in known else sum(price or 0.0 for price in known)


def write_files(database: Database, folder: str) -> list[str]:
    """Write the requests that are not in a file yet to new files in the folder, one or more files for each endpoint; return the
    names of the files."""
    place = Path(folder)
    place.mkdir(parents=True, exist_ok=True)
    _forget_answered(database, folder)
    _forget_lost_files(database, place)
    sql = """
        SELECT endpoint, first(agent ORDER BY key) FROM batch_request
        WHERE folder = ? AND file IS NULL AND kind IS NULL GROUP BY endpoint ORDER BY endpoint
        """
    names: list[str] = []
    for endpoint, agent in database.rows(sql, [folder]):
        lines = _read_lines(database, folder, endpoint)
        line = next(lines, None)
        while line is not None:
            name, line = _write_file(database, place, (endpoint, agent), line, lines)
            names.append(name)
    return names


def _read_lines(database: Database, folder: str, endpoint: str) -> Iterator[tuple[str, str]]:
    """Yield (key, line) for each request to one endpoint that is not in a file yet, sorted by key."""
    last = ""
    sql = """
        SELECT key, body FROM batch_request
        WHERE folder = ? AND endpoint = ? AND file IS NULL AND kind IS NULL AND key > ? ORDER BY key LIMIT ?
        """
    while rows := database.rows(sql, [folder, endpoint, last, ROWS_AT_ONCE]):
        for key, body in rows:
            yield key, write_line(key, body)
        last = rows[-1][0]


def _write_file(
    database: Database, place: Path, origin: tuple[str, str], first: tuple[str, str], lines: Iterator[tuple[str, str]]
) -> tuple[str, tuple[str, str] | None]:
    """Write one batch file for `origin`, which is (endpoint, agent); return (name of the file, first line of the next file or
    None)."""
    name = _find_name(database, place)
    part = place / f".{name}.part"
    keys, size = list[str](), 0
    line: tuple[str, str] | None = first
    try:
        with part.open("wb") as out:
            while line is not None and len(keys) < MAX_REQUESTS:
                data = line[1].encode()
                if keys and size + len(data) > MAX_BYTES:
                    break
                keys.append(line[0])
                size += out.write(data)
                line = next(lines, None)
        part.replace(place / name)
    finally:
        part.unlink(missing_ok=True)

    def store(cursor: Cursor) -> None:
        row = [str(place), name, origin[1], origin[0], len(keys), None, "written", current_time()]
        cursor.execute("INSERT INTO batch_file VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)
        for start in range(0, len(keys), ROWS_AT_ONCE):
            condition, params = build_in_condition("key", keys[start : start + ROWS_AT_ONCE])
            cursor.execute(f"UPDATE batch_request SET file = ? WHERE folder = ? AND {condition}", [name, str(place), *params])

    database.write(store)
    return name, line


def _find_name(database: Database, place: Path) -> str:
    """Return the first unused file name in the folder: requests.jsonl, requests-2.jsonl, ..."""
    taken = {name for (name,) in database.rows("SELECT name FROM batch_file WHERE folder = ?", [str(place)])}
    number, name = 1, "requests.jsonl"
    while name in taken or (place / name).exists():
        number += 1
        name = f"requests-{number}.jsonl"
    return name


def _forget_answered(database: Database, folder: str) -> None:
    """Remove the requests whose answers are in the ledger. If such a request is in a file that was not sent yet, put the file's
    other requests back, so that they are written to a new file."""
    answered = "DELETE FROM batch_request WHERE folder = ? AND key IN (SELECT id FROM call) RETURNING file"
    names = {name for (name,) in database.execute(answered, [folder])}
    for file in list_files(database, folder) if names else ():
        if file.name in names and file.batch is None:
            release_file(database, folder, file.name)


def _forget_lost_files(database: Database, place: Path) -> None:
    """If a file was deleted before it was sent, put its requests back, so that they are written to a new file."""
    for file in list_files(database, str(place)):
        if file.batch is None and file.waiting and not (place / file.name).exists():
            release_file(database, str(place), file.name)


def list_folders(database: Database) -> list[str]:
    """Return the sorted folders that have batch files or waiting requests."""
    sql = "SELECT folder FROM batch_file UNION SELECT folder FROM batch_request ORDER BY folder"
    return [folder for (folder,) in database.rows(sql)]


def list_files(database: Database, folder: str) -> list[BatchFile]:
    """Return the batch files of the folder, oldest first."""
    sql = """
        SELECT f.name, f.agent, f.endpoint, f.requests, f.batch, f.status, coalesce(w.waiting, 0)
        FROM batch_file f
        LEFT JOIN (
            SELECT file, count(*) AS waiting FROM batch_request WHERE folder = ? AND kind IS NULL GROUP BY file
        ) w ON w.file = f.name
        WHERE f.folder = ?
        ORDER BY f.made_at, len(f.name), f.name
        """
    rows = database.rows(sql, [folder, folder])
    return [BatchFile(name, from_json(agent), *rest) for name, agent, *rest in rows]


def note_batch(database: Database, folder: str, name: str, batch: str | None, status: str) -> None:
    """Store the id and state of the batch for the file that was sent."""
    sql = "UPDATE batch_file SET batch = ?, status = ? WHERE folder = ? AND name = ?"
    database.execute(sql, [batch, status, folder, name])


def release_file(database: Database, folder: str, name: str) -> int:
    """Put the waiting requests of a file back, so that they are written to the next file; return their number."""
    sql = "UPDATE batch_request SET file = NULL WHERE folder = ? AND file = ? AND kind IS NULL RETURNING key"
    return len(database.execute(sql, [folder, name]))


def load_requests(database: Database, folder: str, keys: Sequence[str]) -> dict[str, tuple[WaitingRequest, str | None]]:
    """Return a dict from request key to (request, name of its file or None), for those of the given keys whose requests wait in
    the folder."""
    condition, params = build_in_condition("key", list(keys))
    columns = ", ".join(_REQUEST_COLUMNS)
    sql = f"SELECT {columns} FROM batch_request WHERE folder = ? AND kind IS NULL AND {condition}"
    found = {}
    for row in database.rows(sql, [folder, *params]):
        values = dict(zip(_REQUEST_COLUMNS, row, strict=True))
        how = from_json(values["how"])
        how |= {name: tuple(how[name]) for name in ("parameters", "not_taken")}
        prices = {name: values[name] for name in ("price_now", "price")}
        sent = BatchRequest(body=from_json(values["body"]), **how, **prices)
        plain = {name: values[name] for name in ("key", "endpoint", "prompt", "skill", "job", "tries")}
        agent, request = from_json(values["agent"]), from_json(values["request"])
        found[values["key"]] = WaitingRequest(**plain, agent=agent, request=request, sent=sent), values["file"]
    return found


def count_known(database: Database, folder: str, keys: Sequence[str]) -> int:
    """Return how many of the keys belong to requests that the ledger has answers to or that will not be sent again."""
    condition, params = build_in_condition("id", list(keys))
    given, values = build_in_condition("key", list(keys))
    sql = f"""
        SELECT count(*) FROM (
            SELECT id FROM call WHERE {condition}
            UNION SELECT key FROM batch_request WHERE folder = ? AND kind IS NOT NULL AND {given}
        )
        """
    return int(database.rows(sql, [*params, folder, *values])[0][0])


def remove_requests(database: Database, folder: str, keys: Sequence[str]) -> None:
    """Remove the requests with the given keys from the folder, because the ledger has their answers."""
    condition, params = build_in_condition("key", list(keys))
    database.execute(f"DELETE FROM batch_request WHERE folder = ? AND {condition}", [folder, *params])


def note_failures(database: Database, folder: str, failures: Mapping[str, tuple[str, str, bool]]) -> int:
    """Store failed requests, given as a dict from request key to (kind, error message, whether to send the request again).
    After MAX_TRIES unusable replies a request is not sent again. Return how many of these requests will not be sent again."""

    def write(cursor: Cursor) -> int:
        ended = 0
        for key, (kind, why, is_passing) in failures.items():
            sql = """
                UPDATE batch_request SET tries = tries + 1, file = NULL,
                kind = CASE WHEN ? AND tries + 1 < ? THEN NULL ELSE ? END, error = ?
                WHERE folder = ? AND key = ? RETURNING kind
                """
            rows = cursor.execute(sql, [is_passing, MAX_TRIES, kind, why, folder, key]).fetchall()
            ended += sum(row[0] is not None for row in rows)
        return ended

    return database.write(write)


def sum_waiting(database: Database, folder: str) -> BatchSum:
    """Return the number and prices of the requests in the folder that wait for a batch."""
    sql = """
        SELECT count(*), CASE WHEN count(*) = count(price) THEN coalesce(sum(price), 0) END,
            CASE WHEN count(*) = count(price_now) THEN coalesce(sum(price_now), 0) END
        FROM batch_request WHERE folder = ? AND kind IS NULL
        """
    return BatchSum(*database.rows(sql, [folder])[0])
