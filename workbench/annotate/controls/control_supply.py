"""Create control items: copies of accepted items, most with an injected error. Each kind of error occurs equally often; twice
as many copies have no error."""

from collections import Counter
from concurrent.futures import Future
from functools import partial

from builders.injected_error import NO_ERROR, InjectionContext, inject, injected_errors
from core.errors import BenchError
from core.ids import derived_id
from core.nouns import Item
from store.controls import control_items
from store.controls.control_items import ControlItem
from store.engine.columns import current_time
from store.engine.database import Database
from workbench.annotate.desk.reading import DocumentCache
from workbench.background_cache import BackgroundCache

MAX_ITEMS_COPIED_AT_ONCE = 60
MAX_CONTROL_ITEMS = 1_000
"""Maximum number of control items in one workspace."""


class ControlSupply:
    """Creates control items until a workspace has enough of them."""

    def __init__(self, database: Database, reading: DocumentCache) -> None:
        self._db, self._reading = database, reading
        self._background = BackgroundCache()

    def add_batch(self, by: str, seed: int) -> int:
        """Create control items from accepted items that have none yet; return the number of all available control items
        afterwards."""
        available = control_items.list_available(self._db)
        limit = max(0, min(MAX_ITEMS_COPIED_AT_ONCE, MAX_CONTROL_ITEMS - len(available)))
        counts = Counter(control.injected_error for control in available)
        added = []
        for item in control_items.list_uncopied_items(self._db, seed, limit):
            control = self._copy(item, counts, by, seed)
            if control is not None:
                counts[control.injected_error] += 1
                added.append(control)
        control_items.add(self._db, added)
        return len(available) + len(added)

    def add_batch_later(self, seed: int) -> "Future[int]":
        """Create control items as `add_batch` does, in the background and by nobody."""
        return self._background.submit(partial(self.add_batch, "", seed))

    def close(self) -> None:
        """Wait until the running background work has ended."""
        self._background.close()

    def _copy(self, item: Item, counts: "Counter[str]", by: str, seed: int) -> ControlItem | None:
        """Return a control item made from `item` with the kind of error that is rarest so far; None if one of the item's
        documents is missing."""
        try:
            ids = self._reading.documents_of(item)
            texts = {id_: self._reading.document(id_).text for id_ in ids}
            context = InjectionContext(texts, {id_: self._reading.sentences(id_) for id_ in ids})
        except BenchError:
            return None
        ranks = {
            name: (counts[name] / (2 if name == NO_ERROR else 1), derived_id(seed, name, item.id)) for name in injected_errors()
        }
        for name in sorted(ranks, key=ranks.__getitem__):
            copy = inject(name, item, context, seed)
            if copy is not None:
                id_ = derived_id("plant", item.id, item.revision, name, seed)
                words = (copy.item.question, copy.item.answers, copy.item.evidence, copy.gone, copy.put, copy.why)
                return ControlItem(id_, item.id, item.revision, name, *words, seed, by, current_time())
        return None
