"""The gates' look at an edited item, taken after its decision was acknowledged: what they find is for people to read, the
decision stands. One thread takes them one by one."""

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

REST = 4


class SecondLook:
    """Runs the gates that cost nothing on edited items."""

    def __init__(self, database: Database, reading: DocumentCache) -> None:
        self._db, self._reading = database, reading
        self._background = BackgroundCache()
        self._rested = 0.0
        self._is_closing = Event()

    def soon(self, item: Item) -> "Future[None]":
        """Look when there is time; the result is there when the verdicts are stored. After each look the thread rests REST
        times as long as that took, so that many edits at once slow nobody's next item."""

        def look() -> None:
            self._is_closing.wait(max(0.0, self._rested - monotonic()))
            began = monotonic()
            self.now(item)
            self._rested = monotonic() + REST * (monotonic() - began)

        return self._background.submit(look)

    def now(self, item: Item) -> None:
        """Look, and store the verdicts on that revision."""
        task = tasks().get(item.task)
        if task is None:
            return
        wanted = probe(item.question, item.language)
        near = find_similar_items(self._db, item.id, item.language, wanted.pieces, wanted.least)
        verdicts = run_gates(
            item, task.gates, GateContext(text_of=self._reading.text, near_duplicates=NearDuplicateIndex(near))
        )
        self._db.write(lambda cursor: insert_verdicts(cursor, verdicts))

    def close(self) -> None:
        """Finish what waits, without rests."""
        self._is_closing.set()
        self._background.close(finishes_all=True)
