"""Search indexes in search engines, which may be larger than memory: this module handles the stamp that records which data an
index was made from, indexing that can be resumed after an interruption, search, and the measurement of the recall of
approximate search. Each subclass of SearchEngine calls the client library of one search engine."""

import json
import re
import threading
import time
from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

from core.cancellation import raise_if_cancelled
from core.errors import EngineFailed, EngineRefused, first_line
from core.ids import canonical_json
from core.progress_reporter import ProgressReporter

MAKER = "benchwright"
"""Value of `made_by` in the stamp of an index, which shows that this program made it."""
SHARD_PASSAGES = 2_000
"""Number of passages that are written to the engine together (a shard). The stamp records it, because a later start counts the
complete shards."""
REQUEST_NUMBERS = 400_000
"""Maximum number of vector components in one request to an engine's server: about 5 MB of JSON."""
RECALL_DEPTH = 10
"""Number of best hits in which approximate and exact search are compared."""
RECALL_QUERIES = 50
"""Maximum number of queries for which approximate and exact search are compared."""
RECALL_SECONDS = 60.0
"""Seconds after which comparing approximate with exact search ends, if MIN_RECALL_QUERIES have been compared."""
MIN_RECALL_QUERIES = 10
EQUAL_SCORES = 1e-5
"""Two similarities count as equal if they differ by at most this value."""
MAX_FAILURES = 3
"""Number of searches in a row that fail before the engine is given up."""
MAX_DETAIL_CHARACTERS = 200
_DIFFERENCES = {
    "corpus": "from other documents",
    "language": "for another language",
    "search": "for another kind of search",
    "embedding": "with another embedding model, or with other settings of the model",
    "words": "from words that were split in another way",
    "chunking": "from other chunks",
    "passages": "from another number of passages",
    "shard": "by another version of Benchwright",
    "version": "by another version of Benchwright",
}
"""Dict from each key of an index's stamp to part of a sentence, which says how an index with another value of the key was made;
the most important key comes first."""
_locks: defaultdict[tuple[str, str], threading.Lock] = defaultdict(threading.Lock)
"""Dict from (place, index) to a lock, so that two runs of this process do not write into one index at the same time."""

Rows = Any
"""Type of the content of consecutive rows of an index: a float32 array of shape (rows, dimensions), or a list of words for each
row."""
Row = Any
"""Type of the content of a query: one vector, or a list of words."""
ReadRows = Callable[[int, int], Rows]
"""Function from (first, end) to the content of the rows from `first` up to but not including `end`."""


class SearchEngine(ABC):
    """One index in one search engine. The rows of the index are numbered from 0; a row that matches the query better has a
    higher score."""

    label: str
    """Name of the search engine for display."""
    errors: tuple[type[Exception], ...]
    """Types of the errors that the engine's client raises."""

    def __init__(self, index: str, address: str = "") -> None:
        self.index = index
        self.place = f"{self.label} at {address}" if address else self.label

    @abstractmethod
    def describe(self) -> str:
        """Return the version of the engine and its missing features, if any. Raises EngineRefused if the engine cannot be used
        in its present state."""

    @abstractmethod
    def read_stamp(self) -> str | None:
        """Return the stamp of the index, which records the data that the index was made from: "" if the index has no stamp,
        None if the index does not exist."""

    @abstractmethod
    def create(self, stamp: str, rows: Rows) -> None:
        """Create an empty index with its stamp; `rows` are the first rows, which show the structure of the rows."""

    @abstractmethod
    def count(self) -> int:
        """Return the number of rows that the index contains."""

    @abstractmethod
    def add(self, first: int, rows: Rows) -> None:
        """Store rows in the index, numbered from `first`. A row that is already stored is not stored twice."""

    def finish(self) -> None:  # noqa: B027 - most engines need no last step
        """Make all stored rows searchable. This method is called each time the index is opened, and does nothing if all rows
        are searchable already."""

    @abstractmethod
    def search(self, query: Row, k: int, is_exact: bool = False) -> list[tuple[int, float]]:
        """Return the `k` best rows for the query, each as (row, score). With `is_exact`, the query is compared with every
        row."""

    def explain_refusal(self, error: Exception) -> str | None:
        """Return why the engine must not be used, as the end of a sentence, if the error is permanent, such as a wrong password
        or a missing plug-in. Return None if the engine is only temporarily unavailable."""
        return None

    def close(self) -> None:  # noqa: B027 - most clients hold nothing open
        """Close the connections that the engine's client has open."""


class RecallSample(NamedTuple):
    """The recall of approximate search over a sample of queries: the share of the best hits of exact search that approximate
    search also finds."""

    recall: float
    """Share of the best hits of exact search that approximate search finds, as the mean over the queries."""
    lowest: float
    """Lowest share, over the queries, of the best hits that approximate search finds."""
    n: int


@contextmanager
def require_package(label: str, package: str) -> Iterator[None]:
    """Turn an ImportError inside the block into a BenchError that says which package to install."""
    try:
        yield
    except ImportError as error:
        raise EngineRefused(
            f"{label} needs the Python package {package}, which is not installed: install it with pip install {package}."
        ) from error


def check_version(place: str, version: str, least: str) -> str:
    """Return the version of the engine in `place`. Raises EngineRefused if the version is older than `least`."""
    found, needed = (tuple(map(int, re.findall(r"\d+", text)[:2])) for text in (version, least))
    if found < needed:
        raise EngineRefused(f"{place} is version {version}: {least} or later is needed.")
    return version


def make_stamp(**facts: Any) -> dict[str, Any]:
    """Return the stamp of an index as JSON values; the stamp records the given facts about the data that the index is made from
    (the keys of _DIFFERENCES)."""
    return {"made_by": MAKER, "version": 1, "shard": SHARD_PASSAGES, **facts}


def split_request(rows: Any, width: int) -> Iterator[tuple[int, Any]]:
    """Yield the rows in parts with at most REQUEST_NUMBERS vector components, each as (offset of its first row, rows). `width`
    is the number of components in a row."""
    most = max(1, REQUEST_NUMBERS // max(width, 1))
    for first in range(0, len(rows), most):
        yield first, rows[first : first + most]


class EngineIndex:
    """An index in a search engine, together with the stamp that records which passages the index contains; the class checks
    that the index in the engine has this stamp."""

    def __init__(self, engine: SearchEngine, stamp: Mapping[str, Any]) -> None:
        """`stamp` is the result of `make_stamp`, and states at least the number of `passages`."""
        self.engine, self._stamp, self._total = engine, dict(stamp), int(stamp["passages"])
        self._failures, self._last_failure = 0, ""

    def describe(self) -> str:
        """Return the version of the engine and its missing features, if any. Raises EngineRefused if the engine cannot be used
        in its present state, or EngineFailed if the engine does not respond."""
        return str(self._call("its version was asked", self.engine.describe))

    def fill(self, read_rows: ReadRows, report: Callable[[str], None] = lambda message: None) -> None:
        """Create the index and store all passages, or continue where an earlier, interrupted call stopped. Shards that are
        already complete are not stored again.

        Raises EngineRefused for an index that was made from other data or not by this program, or EngineFailed if the engine
        fails."""
        engine = self.engine
        with _locks[engine.place, engine.index]:
            stored = self._call("its indexes were looked up", engine.read_stamp)
            head = read_rows(0, min(SHARD_PASSAGES, self._total)) if stored is None else None
            if stored is None:
                stored = self._create(head)
            self._check_stamp(stored)
            done = self._call("its rows were counted", engine.count)
            if done > self._total:
                raise EngineRefused(
                    f"The index {engine.index} in {engine.place} holds {done:,} rows and was made from {self._total:,} "
                    f"passages, so something else wrote into it: {self._advise()}"
                )
            progress = ProgressReporter(report, f"index in {engine.label}:", "passages", self._total)
            for first in range(
                done // SHARD_PASSAGES * SHARD_PASSAGES if done < self._total else done, self._total, SHARD_PASSAGES
            ):
                raise_if_cancelled()
                end = min(first + SHARD_PASSAGES, self._total)
                rows = head if first == 0 and head is not None else read_rows(first, end)
                self._call(f"passages {first + 1:,} to {end:,} of {self._total:,} were indexed", engine.add, first, rows)
                progress.report_progress(end)
            self._call("the index was finished", engine.finish)

    def search(self, query: Row, k: int, is_exact: bool = False) -> list[tuple[int, float]]:
        """Return the `k` best rows for the query, best first, each as (row, score); equal scores are in the order of the
        corpus.

        After MAX_FAILURES failures in a row the engine is not called again, so that a run does not wait for a dead server at
        every question. Raises EngineFailed."""
        if self._failures >= MAX_FAILURES:
            raise EngineFailed(self._last_failure)
        try:
            found = self._call("it was searched", self.engine.search, query, k, is_exact)
        except (EngineFailed, EngineRefused) as failed:
            self._failures, self._last_failure = self._failures + 1, str(failed)
            raise EngineFailed(str(failed)) from failed
        self._failures = 0
        if any(not 0 <= row < self._total for row, _ in found):
            raise EngineFailed(
                f"{self.engine.place} returned a row that this program did not write into the index "
                f"{self.engine.index}: something else wrote into it."
            )
        return sorted(found, key=lambda pair: (-pair[1], pair[0]))[:k]

    def measure_recall(self, queries: Sequence[Row]) -> RecallSample | None:
        """Measure how many of the RECALL_DEPTH best hits of exact search are also found by approximate search, over the
        queries. Returns None if no query has hits. A hit with the same score as the last of the best hits also counts as found.
        The measurement ends early if exact search takes too long."""
        shares: list[float] = []
        end = time.monotonic() + RECALL_SECONDS
        for query in queries:
            raise_if_cancelled()
            exact = self.search(query, 2 * RECALL_DEPTH, is_exact=True)
            wanted = min(RECALL_DEPTH, len(exact))
            if not wanted:
                continue
            scores, limit = dict(exact), exact[wanted - 1][1] - EQUAL_SCORES
            found = self.search(query, RECALL_DEPTH)
            shares.append(sum(scores.get(row, float("-inf")) >= limit for row, _ in found) / wanted)
            if time.monotonic() > end and len(shares) >= MIN_RECALL_QUERIES:
                break
        return RecallSample(sum(shares) / len(shares), min(shares), len(shares)) if shares else None

    def _create(self, rows: Rows) -> str | None:
        """Create the index in the engine and return its stamp, even if another process has just created the same index."""
        failure = None
        try:
            self._call("an index was created", self.engine.create, canonical_json(self._stamp), rows)
        except EngineFailed as failed:
            failure = failed
        stored: str | None = self._call("its indexes were looked up", self.engine.read_stamp)
        if failure is not None and not stored:
            raise failure
        return stored

    def _check_stamp(self, stored: str | None) -> None:
        """Check the stamp of an existing index. Raises EngineRefused if the stamp is not that of this index."""
        engine = self.engine
        stamp = _parse_stamp(stored)
        if stamp is None:
            raise EngineRefused(
                f"{engine.place} has something named {engine.index} that Benchwright did not make; it stays as it is: "
                f"{self._advise()}"
            )
        different = next((key for key in _DIFFERENCES if stamp.get(key) != self._stamp.get(key)), None)
        if different:
            how = f"{_DIFFERENCES[different]}{_compare_details(different, stamp, self._stamp)}"
            raise EngineRefused(f"The index {engine.index} in {engine.place} was made {how}: {self._advise()}")

    def _advise(self) -> str:
        return "give the setting engine_index another name, or leave it out."

    def _call(self, doing: str, call: Callable[..., Any], *arguments: Any) -> Any:
        """Call a method of the engine and return its result. Raises EngineRefused or EngineFailed if the client raises an
        error; the message names the engine."""
        try:
            return call(*arguments)
        except self.engine.errors as error:
            refusal = self.engine.explain_refusal(error)
            if refusal is not None:
                raise EngineRefused(f"{self.engine.place} {refusal}") from error
            detail = first_line(error)[:MAX_DETAIL_CHARACTERS].rstrip(".: ")
            raise EngineFailed(
                f"{self.engine.place} failed while {doing} ({detail}): see that it runs, then start the same run again; what "
                "is stored is kept."
            ) from error


def _parse_stamp(text: str | None) -> dict[str, Any] | None:
    """Return the parsed content of a stamp, or None if this program did not write the stamp."""
    try:
        stamp = json.loads(text or "")
    except ValueError:
        return None
    return stamp if isinstance(stamp, dict) and stamp.get("made_by") == MAKER else None


def _compare_details(key: str, stored: Mapping[str, Any], stamp: Mapping[str, Any]) -> str:
    """Return which parts of a stamp's value differ, as in " (chunk_tokens 128 there, 256 now)", or "". Models are shown by
    their names."""
    old, new = stored.get(key), stamp.get(key)
    if not isinstance(old, dict) or not isinstance(new, dict):
        return ""
    if key == "embedding":
        old, new = ({**facts, "vectors": "", "model": whose.get("model")} for facts, whose in ((old, stored), (new, stamp)))
    names = [name for name in sorted({*old, *new}) if old.get(name) != new.get(name)]
    return f" ({', '.join(f'{name} {old.get(name)} there, {new.get(name)} now' for name in names)})" if names else ""
