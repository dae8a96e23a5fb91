"""The gates' look at an edited item, taken after its decision was acknowledged: what they find is for people to read, the
decision stands. One thread takes them one by one."""

from concurrent.futures import Future, ThreadPoolExecutor

from builders.gate import GateContext, run_gates
from builders.known import KnownItems, probe
from core.nouns import Item
from store import items
from store.alike import alike
from store.database import Database
from workbench.annotate.reading import Reading
from workbench.construct.drafts import tasks


class SecondLook:
    """Runs the gates that cost nothing on edited items."""

    def __init__(self, database: Database, reading: Reading) -> None:
        self._db, self._reading = database, reading
        self._thread = ThreadPoolExecutor(1, "second-look")

    def soon(self, item: Item) -> "Future[None]":
        """Look when there is time; the result is there when the verdicts are stored."""
        return self._thread.submit(self.now, item)

    def now(self, item: Item) -> None:
        """Look, and store the verdicts on that revision."""
        task = tasks().get(item.task)
        if task is None:
            return
        wanted = probe(item.question, item.language)
        near = alike(self._db, item.id, item.language, wanted.pieces, wanted.least)
        verdicts = run_gates(item, task.gates, GateContext(text_of=self._reading.text, known=KnownItems(near)))
        self._db.write(lambda cursor: items.insert_verdicts(cursor, verdicts))

    def close(self) -> None:
        """Finish what waits."""
        self._thread.shutdown()
