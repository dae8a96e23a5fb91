"""Making plants: from accepted items, each kind of flaw as often as the next, and as many without a flaw as of two kinds."""

from collections import Counter
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor

from builders.injected_error import NO_FLAW, FlawContext, flaws, plant
from core.errors import BenchError
from core.ids import derived_id
from core.nouns import Item
from store.controls import control_items
from store.controls.control_items import Plant
from store.engine.columns import current_time
from store.engine.database import Database
from workbench.annotate.desk.reading import DocumentCache

BATCH = 60
"""Accepted items that are looked at together, at most."""
MOST = 1_000
"""Plants of a workspace, at most."""


class Planting:
    """Keeps the stock."""

    def __init__(self, database: Database, reading: DocumentCache) -> None:
        self._db, self._reading = database, reading
        self._thread = ThreadPoolExecutor(1, "planting")

    def now(self, by: str, seed: int) -> int:
        """Plant in a batch of accepted items that nothing was planted from yet; how many plants there are then."""
        stock = control_items.list_stock(self._db)
        often = Counter(one.flaw for one in stock)
        made = []
        for item in control_items.list_unplanted_items(
            self._db, seed, min(BATCH, MOST - len(stock)) if len(stock) < MOST else 0
        ):
            found = self._one(item, often, by, seed)
            if found is not None:
                often[found.flaw] += 1
                made.append(found)
        control_items.add(self._db, made)
        return len(stock) + len(made)

    def soon(self, by: str, seed: int) -> "Future[int]":
        """As now, beside whatever goes on."""
        return self._thread.submit(self.now, by, seed)

    def close(self) -> None:
        """Finish what is under way."""
        self._thread.shutdown(cancel_futures=True)

    def _one(self, item: Item, often: "Counter[str]", by: str, seed: int) -> Plant | None:
        """A copy with the rarest flaw that the item can have; None when its documents are not there."""
        try:
            ground = self._ground(self._reading.of(item))
        except BenchError:
            return None
        rarest = {name: (often[name] / (2 if name == NO_FLAW else 1), derived_id(seed, name, item.id)) for name in flaws()}
        for name in sorted(rarest, key=rarest.__getitem__):
            found = plant(name, item, ground, seed)
            if found is not None:
                words, id_ = found.item, derived_id("plant", item.id, item.revision, name, seed)
                return Plant(
                    id_,
                    item.id,
                    item.revision,
                    name,
                    words.question,
                    words.answers,
                    words.evidence,
                    found.gone,
                    found.put,
                    found.why,
                    seed,
                    by,
                    current_time(),
                )
        return None

    def _ground(self, documents: Sequence[str]) -> FlawContext:
        return FlawContext(
            {one: self._reading.document(one).text for one in documents},
            {one: self._reading.sentences(one) for one in documents},
        )
