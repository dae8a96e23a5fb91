"""Windows for a person to look at before anything is asked: a job's own order, walked one step at a time and remembered."""

import threading
from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, NamedTuple

from builders.task import Window, tasks
from core.catalog import pick
from core.errors import BenchError
from core.nouns import Document
from core.records import document_record
from core.text.numbered import Sentence
from store.corpus import documents
from store.engine.database import Database
from store.items import items
from workbench.build.drafting.drafting import Drafter
from workbench.setup.agents import Agents

WALKS = 6
"""Walks kept: each holds the documents of its domain."""
WINDOWS = 48
"""Windows kept."""


FAR = 5_000
"""Windows that are looked through for one that somebody has in an old address."""
LINES = 8
"""Whole documents kept as sentences, of windows that are given without."""


class Wish(NamedTuple):
    """Which windows a person wants to see, and in what order."""

    task: str
    domain: str
    language: str | None
    seed: int
    search: str | None = None
    """Where its drafting searches; None = the usual provider, or nowhere."""

    @property
    def params(self) -> dict[str, Any]:
        """As a drafting job has them."""
        settings = {"language": self.language} if self.language else {}
        settings |= {"search": self.search} if self.search else {}
        return {"task": self.task, "domain": self.domain, "seed": self.seed, "settings": settings}


@dataclass(slots=True)
class Walk:
    """The windows of one wish, as far as they were cut."""

    rest: Iterator[Window]
    keys: list[str] = field(default_factory=list)


class Sampler:
    """Hands out windows; safe for several threads."""

    def __init__(self, database: Database, agents: Agents, drafter: Drafter) -> None:
        self._db, self._agents, self._drafter = database, agents, drafter
        self._lock = threading.Lock()
        self._walks: OrderedDict[Any, Walk] = OrderedDict()
        self._windows: OrderedDict[str, Window] = OrderedDict()
        self._lines: OrderedDict[str, tuple[Sentence, ...]] = OrderedDict()

    def after(self, wish: Wish, agent: str, key: str = "") -> Window:
        """The next window behind that one (the first, when it is none of them) from which the task was never drafted. Raises
        BenchError when there is none."""
        tried = items.load_tried_windows(self._db, wish.task)
        with self._lock:
            walk = self._walk(wish, agent)
            at = walk.keys.index(key) + 1 if key in walk.keys else 0
            for window_key in self._keys(walk, at):
                if window_key not in tried and window_key != key:
                    if window_key in self._windows:
                        return self._windows[window_key]
                    return self._again(wish, agent, window_key)
        where = "any domain" if wish.domain == "all" else f"domain {wish.domain}"
        raise BenchError(
            f"No window of {where} is left that {wish.task} was not drafted from: add documents, or take another seed."
        )

    def find(self, wish: Wish, agent: str, key: str) -> Window:
        """The window of that key, tried or not. Raises BenchError when the documents hold it no more."""
        if (kept := self.kept(key)) is not None:
            return kept
        with self._lock:
            walk = self._walk(wish, agent)
            if key in walk.keys:
                return self._again(wish, agent, key)
            for window_key in islice(self._keys(walk, len(walk.keys)), FAR):
                if window_key == key:
                    return self._windows[key]
        raise BenchError("This window is not there any more: its documents or its first item have changed. Sample another.")

    def kept(self, key: str) -> Window | None:
        """The window of that key, if it need not be cut again."""
        return self._windows.get(key)

    def lines(self, window: Window) -> tuple[Sentence, ...]:
        """Its sentences; of a window that starts from a stored item, those of its documents."""
        if not len(window.sentences) and window.key not in self._lines:
            self._lines[window.key] = tuple(sentence for span in window.spans for sentence in self._drafter.cut(span))
            while len(self._lines) > LINES:
                self._lines.popitem(last=False)
        return window.sentences.sentences or self._lines[window.key]

    def documents(self, window: Window) -> list[dict[str, Any]]:
        """Its documents without their texts, in order, with their lengths in code points."""
        lengths = {span.document: span.end - span.start for span in window.spans}
        return [shown(document, lengths[document.id]) for document in documents.headings(self._db, window.given_documents)]

    def _keys(self, walk: Walk, start: int) -> Iterator[str]:
        """Keys of the walk from there on; further windows are cut as they are wanted."""
        yield from walk.keys[start:]
        for window in walk.rest:
            if window.unfit:
                continue
            walk.keys.append(window.key)
            self._keep(window)
            yield window.key

    def _walk(self, wish: Wish, agent: str) -> Walk:
        task = pick(tasks(), wish.task, "task")
        context = self._agents.check(agent, {}, None).context
        corpus = tuple(count for count in documents.counts(self._db) if wish.domain in ("all", count.domain))
        sources = tuple(count for count in items.counts(self._db) if count.task == task.window.source_task)
        place = (wish, context, corpus, sources)
        if place not in self._walks:
            self._walks[place] = Walk(self._drafter.windows(wish.task, task, wish.params, context, ()))
            while len(self._walks) > WALKS:
                self._walks.popitem(last=False)
        self._walks.move_to_end(place)
        return self._walks[place]

    def _again(self, wish: Wish, agent: str, key: str) -> Window:
        """A window of a walk that was let go of."""
        task = pick(tasks(), wish.task, "task")
        context = self._agents.check(agent, {}, None).context
        found = self._drafter.windows(wish.task, task, wish.params, context, ())
        window = next(window for window in found if window.key == key)
        self._keep(window)
        return window

    def _keep(self, window: Window) -> None:
        self._windows[window.key] = window
        while len(self._windows) > WINDOWS:
            self._windows.popitem(last=False)


def shown(document: Document, characters: int) -> dict[str, Any]:
    """What a page tells of one document of a window."""
    return document_record(document, with_text=False) | {"characters": characters}
