"""Run gates (automatic checks) on an item that a person edited, after the decision is stored. People can read the verdicts of
the gates, but the decision stays as it is. A single thread runs the gates, for one item at a time."""

from concurrent.futures import Future
from threading import Event
from time import monotonic

from builders.gate import GateContext, run_gates
from builders.near_duplicate_index import NearDuplicateIndex, probe
from builders.task import tasks
from core.nouns import Item
from store.engine.database import Database
from store.items.similar_items import find_similar_items
from store.items.verdicts import insert_verdicts
from workbench.annotate.desk.reading import DocumentCache
from workbench.background_cache import BackgroundCache

REST_FACTOR = 4
"""After the gates of an item, the thread pauses this many times as long as they took, so that many edits do not slow down other
people's pages."""


class BackgroundGates:
    """Runs all gates that need no LLM agent on edited items, in the background."""

    def __init__(self, database: Database, reading: DocumentCache) -> None:
        self._db, self._reading = database, reading
        self._background = BackgroundCache()
        self._rested_at = 0.0
        self._is_closing = Event()

    def run_later(self, item: Item) -> "Future[None]":
        """Run the gates on the item in the background; return a future that is done when their verdicts are stored."""

        def run() -> None:
            self._is_closing.wait(max(0.0, self._rested_at - monotonic()))
            began = monotonic()
            self.run_now(item)
            self._rested_at = monotonic() + REST_FACTOR * (monotonic() - began)

        return self._background.submit(run)

    def run_now(self, item: Item) -> None:
        """Run the gates on the item now, and store their verdicts on the current revision."""
        task = tasks().get(item.task)
        if task is None:
            return
        query = probe(item.question, item.language)
        similar = find_similar_items(self._db, item.id, item.language, query.pieces, query.least)
        context = GateContext(text_of=self._reading.text, near_duplicates=NearDuplicateIndex(similar))
        verdicts = run_gates(item, task.gates, context)
        self._db.write(lambda cursor: insert_verdicts(cursor, verdicts))

    def close(self) -> None:
        """Run the gates on all waiting items without pauses, and then stop."""
        self._is_closing.set()
        self._background.close(finishes_all=True)
