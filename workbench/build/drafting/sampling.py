"""Shows windows to a person before any agent is asked: in the order of a job, cut one at a time and cached."""

import threading
from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, NamedTuple

from builders.task import Window, tasks
from core.as_json import Json
from core.catalog import pick
from core.errors import BenchError
from core.nouns import Document
from core.text.numbered import Sentence
from store.corpus import documents
from store.engine.database import Database
from store.items import items
from workbench.build.drafting.drafting import Drafter
from workbench.setup.agents import Agents

MAX_WALKS = 6
"""Maximum number of walks in memory, each with the documents of its domain."""
MAX_WINDOWS = 48
"""Maximum number of windows in memory."""
MAX_SEARCHED_WINDOWS = 5_000
"""Maximum number of windows that are cut in search of the window of an old address."""
MAX_SENTENCE_LISTS = 8
"""Maximum number of whole documents stored as sentences, for windows without sentences."""


class WindowRequest(NamedTuple):
    """The windows that a person wants to see, and their order."""

    task: str
    domain: str
    language: str | None
    seed: int
    search: str | None = None
    """Name of the search provider; None = the default provider, or no search."""

    @property
    def settings(self) -> dict[str, Json]:
        """Return the settings in the form of a drafting job."""
        return {name: value for name, value in (("language", self.language), ("search", self.search)) if value}

    @property
    def params(self) -> dict[str, Json]:
        """Return the params in the form of a drafting job."""
        return {"task": self.task, "domain": self.domain, "seed": self.seed, "settings": self.settings}


class WindowDocument(NamedTuple):
    """A document of a window, without its text."""

    document: Document
    characters: int
    """Number of the document's characters in the window."""


@dataclass(slots=True)
class Walk:
    """The windows of one request that were cut so far."""

    rest: Iterator[Window]
    keys: list[str] = field(default_factory=list)


class Sampler:
    """Chooses windows; safe for several threads."""

    def __init__(self, database: Database, agents: Agents, drafter: Drafter) -> None:
        self._db, self._agents, self._drafter = database, agents, drafter
        self._lock = threading.Lock()
        self._walks: OrderedDict[Any, Walk] = OrderedDict()
        self._windows: OrderedDict[str, Window] = OrderedDict()
        self._sentences: OrderedDict[str, tuple[Sentence, ...]] = OrderedDict()

    def find_next(self, request: WindowRequest, agent: str, after: str = "") -> Window:
        """Return the next window, behind the one of that key or the first, without a draft of the task. Raises BenchError when
        there is none."""
        tried = items.load_tried_windows(self._db, request.task)
        with self._lock:
            walk = self._walk(request, agent)
            start = walk.keys.index(after) + 1 if after in walk.keys else 0
            for key in self._keys(walk, start):
                if key not in tried and key != after:
                    return self._windows.get(key) or self._cut_again(request, agent, key)
        where = "any domain" if request.domain == "all" else f"domain {request.domain}"
        raise BenchError(
            f"No window of {where} is left that {request.task} was not drafted from: add documents, or take another seed."
        )

    def find(self, request: WindowRequest, agent: str, key: str) -> Window:
        """Find the window of that key, tried or not. Raises BenchError when the documents no longer contain it."""
        if (window := self.get(key)) is not None:
            return window
        with self._lock:
            walk = self._walk(request, agent)
            if key in walk.keys:
                return self._cut_again(request, agent, key)
            if key in islice(self._keys(walk, len(walk.keys)), MAX_SEARCHED_WINDOWS):
                return self._windows[key]
        raise BenchError("This window no longer exists: its documents or its first item have changed. Sample another.")

    def get(self, key: str) -> Window | None:
        """Return the cached window of that key, or None when it has to be cut again."""
        return self._windows.get(key)

    def sentences(self, window: Window) -> tuple[Sentence, ...]:
        """Return the window's sentences; for a window that starts from a stored item, the sentences of the item's documents."""
        if not len(window.sentences) and window.key not in self._sentences:
            cut = tuple(sentence for span in window.spans for sentence in self._drafter.cut(span))
            _remember(self._sentences, window.key, cut, MAX_SENTENCE_LISTS)
        return window.sentences.sentences or self._sentences[window.key]

    def documents(self, window: Window) -> list[WindowDocument]:
        """Return the window's documents, in order."""
        lengths = {span.document: span.end - span.start for span in window.spans}
        return [
            WindowDocument(heading, lengths[heading.id])
            for heading in documents.load_headings(self._db, window.given_documents)
        ]

    def _keys(self, walk: Walk, start: int) -> Iterator[str]:
        """Yield the keys of the walk from that position on; further windows are cut on demand."""
        yield from walk.keys[start:]
        for window in walk.rest:
            if window.unfit:
                continue
            walk.keys.append(window.key)
            _remember(self._windows, window.key, window, MAX_WINDOWS)
            yield window.key

    def _walk(self, request: WindowRequest, agent: str) -> Walk:
        task = pick(tasks(), request.task, "task")
        context = self._agents.check(agent, {}, None).context
        corpus = tuple(count for count in documents.count_documents(self._db) if request.domain in ("all", count.domain))
        sources = tuple(count for count in items.count_items(self._db) if count.task == task.window.source_task)
        place = (request, context, corpus, sources)
        if place not in self._walks:
            walk = Walk(self._drafter.windows(request.task, task, request.params, context, ()))
            _remember(self._walks, place, walk, MAX_WALKS)
        self._walks.move_to_end(place)
        return self._walks[place]

    def _cut_again(self, request: WindowRequest, agent: str, key: str) -> Window:
        """Cut again a window of a walk that is no longer in memory."""
        task = pick(tasks(), request.task, "task")
        context = self._agents.check(agent, {}, None).context
        windows = self._drafter.windows(request.task, task, request.params, context, ())
        window = next(window for window in windows if window.key == key)
        _remember(self._windows, key, window, MAX_WINDOWS)
        return window


def _remember(memory: OrderedDict[Any, Any], key: Any, value: object, most: int) -> None:
    """Cache the value; the oldest values are removed."""
    memory[key] = value
    while len(memory) > most:
        memory.popitem(last=False)
