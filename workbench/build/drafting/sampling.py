"""Show people the windows (passages to draft from) that a drafting job would use, in the same order, before any agent is asked.
The program cuts windows one at a time and caches them."""

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
from store.drafting import tried_windows
from store.engine.database import Database
from store.items import items
from workbench.build.drafting.drafting import Drafter
from workbench.setup.agents import Agents

MAX_WALKS = 6
"""Maximum number of walks (sequences of windows) in memory; each walk keeps the documents of its domain in memory."""
MAX_WINDOWS = 48
"""Maximum number of windows (passages to draft from) cached in memory."""
MAX_SEARCHED_WINDOWS = 5_000
"""Maximum number of windows that are cut in search of the window that an old page address names."""
MAX_SENTENCE_LISTS = 8
"""Maximum number of lists of sentences that are cached for windows of whole documents."""


class WindowRequest(NamedTuple):
    """The windows that a person wants to see; the seed determines their order."""

    task: str
    domain: str
    language: str | None
    seed: int
    search: str | None = None
    """Name of the search provider; None for the default provider, or if the task needs no search."""

    @property
    def settings(self) -> dict[str, Json]:
        """Return the settings of a drafting job that uses these windows."""
        return {name: value for name, value in (("language", self.language), ("search", self.search)) if value}

    @property
    def params(self) -> dict[str, Json]:
        """Return the request as the parameters of a drafting job."""
        return {"task": self.task, "domain": self.domain, "seed": self.seed, "settings": self.settings}


class WindowDocument(NamedTuple):
    """One of the documents from which a window (a passage to draft from) was cut, without its text."""

    document: Document
    characters: int
    """Number of characters of the document that are in the window."""


@dataclass(slots=True)
class Walk:
    """The windows that belong to one request, in order: the keys of those that are already cut, and the iterator that cuts the
    next ones."""

    rest: Iterator[Window]
    keys: list[str] = field(default_factory=list)


class Sampler:
    """Finds windows (passages to draft from) for people to read, and caches them; several threads can use it at the same
    time."""

    def __init__(self, database: Database, agents: Agents, drafter: Drafter) -> None:
        self._db, self._agents, self._drafter = database, agents, drafter
        self._lock = threading.Lock()
        self._walks: OrderedDict[Any, Walk] = OrderedDict()
        self._windows: OrderedDict[str, Window] = OrderedDict()
        self._sentences: OrderedDict[str, tuple[Sentence, ...]] = OrderedDict()

    def find_next(self, request: WindowRequest, agent: str, after: str = "") -> Window:
        """Return the next window after the one with the key `after` ("" = the first one); the task has not been drafted from
        this window. Raises BenchError if no window is left."""
        tried = tried_windows.load_windows(self._db, request.task)
        with self._lock:
            walk = self._walk(request, agent)
            start = walk.keys.index(after) + 1 if after in walk.keys else 0
            for key in self._keys(walk, start):
                if key not in tried and key != after:
                    return self._windows.get(key) or self._cut_again(request, agent, key)
        where = "any domain" if request.domain == "all" else f"domain {request.domain}"
        raise BenchError(f"No window of {where} is left to draft {request.task} from: add documents, or choose another seed.")

    def find(self, request: WindowRequest, agent: str, key: str) -> Window:
        """Return the window with this key, even if the task has already been drafted from it. Raises BenchError if the
        documents do not contain the window any more."""
        if (window := self.get(key)) is not None:
            return window
        with self._lock:
            walk = self._walk(request, agent)
            if key in walk.keys:
                return self._cut_again(request, agent, key)
            if key in islice(self._keys(walk, len(walk.keys)), MAX_SEARCHED_WINDOWS):
                return self._windows[key]
        raise BenchError("This window no longer exists: its documents or its first item have changed. Sample another window.")

    def get(self, key: str) -> Window | None:
        """Return the window with this key if it is cached, otherwise None."""
        return self._windows.get(key)

    def sentences(self, window: Window) -> tuple[Sentence, ...]:
        """Return the window's sentences. If the window starts from a stored item, return the sentences of the item's
        documents."""
        if not len(window.sentences) and window.key not in self._sentences:
            cut = tuple(sentence for span in window.spans for sentence in self._drafter.cut(span))
            _remember(self._sentences, window.key, cut, MAX_SENTENCE_LISTS)
        return window.sentences.sentences or self._sentences[window.key]

    def documents(self, window: Window) -> list[WindowDocument]:
        """Return the documents of the window, in the window's order."""
        lengths = {span.document: span.end - span.start for span in window.spans}
        return [
            WindowDocument(heading, lengths[heading.id])
            for heading in documents.load_headings(self._db, window.given_documents)
        ]

    def _keys(self, walk: Walk, start: int) -> Iterator[str]:
        """Yield the keys of a walk's windows from the position `start` on; windows that are not cut yet are cut."""
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
        """Cut a window again that is not in the cache any more."""
        task = pick(tasks(), request.task, "task")
        context = self._agents.check(agent, {}, None).context
        windows = self._drafter.windows(request.task, task, request.params, context, ())
        window = next(window for window in windows if window.key == key)
        _remember(self._windows, key, window, MAX_WINDOWS)
        return window


def _remember(memory: OrderedDict[Any, Any], key: Any, value: object, most: int) -> None:
    """Store the value in the cache under `key`; if there are more than `most` values, the oldest ones are removed."""
    memory[key] = value
    while len(memory) > most:
        memory.popitem(last=False)
