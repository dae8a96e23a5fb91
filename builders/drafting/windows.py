"""Cut documents into windows, which are excerpts of consecutive text from which questions are drafted. A seed determines the
order of the windows. The first windows of all documents come before the second window of any document. Only the parts of a text
that a window needs are split into sentences."""

import random
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any

from builders.drafting.blocks import SentenceCache
from builders.task import Window, WindowRule
from core.errors import BenchError
from core.ids import content_hash
from core.nouns import Document, Item, Span
from core.text.language import UNKNOWN
from core.text.numbered import Sentence, number_sentences
from core.text.text import count_tokens, detect_language, split_sentences

RESERVED_TOKENS = 4096
"""Number of tokens of the agent's context that are reserved for the prompt's fixed text, the prompt's examples and the
reply."""
NUMBER_TOKENS = 5
"""Maximum number of tokens that the number before each sentence takes in a prompt."""
MIN_WINDOW_TOKENS = 64
"""Least number of tokens in a window; an agent whose context has less space is refused."""
DETECTION_CHARACTERS = 4_000
"""Number of code points from the start of a document by which its language is detected."""
MAX_ROUNDS = 200
"""Maximum number of rounds of windows that start at random offsets; these rounds follow after a document's regular windows."""


def windows(
    documents: Sequence[Document],
    task_name: str,
    rule: WindowRule,
    *,
    seed: int,
    tried: Collection[str] = (),
    agent_context: int | None = None,
    sources: Sequence[Item] = (),
    run_on: bool = True,
    places: Sequence[Span] = (),
) -> Iterator[Window]:
    """Yield the windows of text from which items of a task are drafted, each once, except windows whose key is in `tried`. All
    text of a window has the same domain and language; if `run_on` is true, a window in a short document continues into the next
    document. A task that starts from stored items gets one window per item in `sources`; if the task's rule sets `adds_texts`,
    further windows are cut from the documents. A task on whole documents gets one window per document; a window that cannot be
    used is marked with the reason. If `places` is given, only windows that begin in these spans of the documents are yielded,
    in the order of the spans. Raises BenchError if the agent's context (in tokens) is too small."""
    room = rule.tokens if agent_context is None else min(rule.tokens, agent_context - RESERVED_TOKENS)
    if room < MIN_WINDOW_TOKENS:
        why = f"The agent's context of {agent_context} tokens leaves no room for a window of {task_name}"
        raise BenchError(
            f"{why}: at least {RESERVED_TOKENS + MIN_WINDOW_TOKENS} tokens are needed; increase the setting agent.context, "
            "or choose another agent."
        )
    made: list[Iterator[Window]] = []
    if places:
        wanted = dict.fromkeys(place.document for place in places)
        sources = [item for item in sources if _home(item) in wanted]
    if rule.source_task:
        made.append(_of_sources(documents, task_name, rule, seed, sources))
    if rule.adds_texts or not rule.source_task:
        fits = None if agent_context is None else room
        if rule.whole_documents:
            made.append(_of_whole(_order(documents, task_name, seed, places), task_name, room, rule))
        elif places:
            made.append(_of_places(documents, places, task_name, rule.tokens, fits, run_on))
        else:
            made.append(_of_texts(documents, task_name, rule.tokens, fits, seed, run_on))
    seen = set(tried)
    for window in chain.from_iterable(made):
        if window.key not in seen:
            seen.add(window.key)
            yield window


def _of_sources(
    documents: Sequence[Document], task_name: str, rule: WindowRule, seed: int, sources: Sequence[Item]
) -> Iterator[Window]:
    """Yield one window per usable item in `sources`; the first windows of all documents come before the second window of any
    document."""
    texts = {document.id: document for document in documents}
    chance = random.Random(f"{seed}:{task_name}")
    by_document: dict[str, list[Item]] = {}
    for item in sources:
        usable = item.task == rule.source_task and item.status in ("drafted", "accepted") and bool(item.given)
        if usable and bool(item.answers) != rule.is_unanswered and all(name in texts for name in item.given):
            by_document.setdefault(_home(item), []).append(item)
    queues = [by_document[name] for name in sorted(by_document)]
    for queue in queues:
        queue.sort(key=lambda item: item.id)
        chance.shuffle(queue)
    chance.shuffle(queues)
    for turn in range(max(map(len, queues), default=0)):
        for item in (queue[turn] for queue in queues if turn < len(queue)):
            spans = tuple(Span(name, 0, len(texts[name].text)) for name in item.given)
            tokens = sum(round(len(texts[name].text) * tokens_per_sign(texts[name])) for name in item.given)
            key = _key(task_name, spans, item.id)
            yield Window(key, spans, number_sentences(()), item.domain, item.language, tokens, item)


def windows_around(
    documents: Sequence[Document],
    task_name: str,
    rule: WindowRule,
    sources: Sequence[Item],
    *,
    seed: int,
    tried: Collection[str] = (),
    agent_context: int | None = None,
) -> Iterator[Window]:
    """Yield one window around the first piece of evidence of each item, in an order that the seed draws; the window's source is
    the item. Windows whose key is in `tried`, and windows that do not contain all evidence of the item, are left out."""
    at = {document.id: document for document in documents}
    order = [item for item in sources if item.evidence and item.evidence[0].document in at]
    random.Random(f"{seed}:{task_name}").shuffle(order)
    for item in order:
        place, last = item.evidence[0], max(span.end for span in item.evidence)
        before = round(rule.tokens / 2 / tokens_per_sign(at[place.document]))
        whole = Span(place.document, max(0, place.start - before), last)
        cut = windows(
            [at[place.document]], task_name, rule, seed=seed, agent_context=agent_context, run_on=False, places=[whole]
        )
        window = next(cut, None)
        if window is None or not all(any(_contains_span(part, span) for part in window.spans) for span in item.evidence):
            continue
        key = _key(task_name, window.spans, item.id)
        if key not in tried:
            yield replace(window, key=key, source=item)


def _contains_span(part: Span, span: Span) -> bool:
    return part.document == span.document and part.start <= span.start and span.end <= part.end


def _home(item: Item) -> str:
    """Return the id of the document with the item's first piece of evidence. If the item has no evidence, return the id of its
    first given document, or "" if it has no given documents."""
    return item.evidence[0].document if item.evidence else next(iter(item.given), "")


def _order(documents: Sequence[Document], task_name: str, seed: int, places: Sequence[Span]) -> list[Document]:
    """Return the documents that have text, shuffled by the seed; if `places` is given, return only the documents in `places`,
    in the order of `places`."""
    order = [document for document in documents if document.text.strip()]
    if places:
        there = {document.id: document for document in order}
        return [there[name] for name in dict.fromkeys(place.document for place in places) if name in there]
    random.Random(f"{seed}:{task_name}").shuffle(order)
    return order


def _of_whole(order: Sequence[Document], task_name: str, room: int, rule: WindowRule) -> Iterator[Window]:
    """Yield one window per whole document. If the task is on a group of documents, each document gets an equal share of `room`
    (in tokens). A document is split into sentences only when the window of this document is yielded."""
    room = room // rule.documents
    for document in order:
        unfit = f"of more than {room:,} tokens" if tokens_of(document) > room else ""
        if not unfit and not _is_in(document.text[:DETECTION_CHARACTERS], document.language):
            unfit = f"not in the language it is declared to be in ({document.language})"
        if unfit:
            span = Span(document.id, 0, len(document.text))
            key = _key(task_name, (span,), "")
            yield Window(
                key, (span,), number_sentences(()), document.domain, document.language, tokens_of(document), unfit=unfit
            )
            continue
        window = _window_of_documents(task_name, [document])
        if rule.documents > 1:
            window = replace(window, start=document, room=room)
        few = len(window.sentences) < rule.min_sentences
        yield replace(window, unfit=f"of fewer than {rule.min_sentences} sentences" if few else "")


def _is_in(text: str, language: str) -> bool:
    """Check whether the text may be in the given language; returns True also if the language detector is unsure or does not
    know the language."""
    return language == UNKNOWN or detect_language(text, language) == language


def join_documents(task_name: str, documents: Sequence[Document], steps: Sequence[Mapping[str, Any]]) -> Window:
    """Return the window made of several whole documents, with the drafting steps that found these documents. The key of the
    window does not depend on the order of the documents; the window has the domain and language of the first document."""
    return replace(_window_of_documents(task_name, documents), steps=tuple(steps))


def _window_of_documents(task_name: str, documents: Sequence[Document]) -> Window:
    spans = tuple(Span(document.id, 0, len(document.text)) for document in documents)
    sentences = [
        Sentence(Span(document.id, a, b), document.text[a:b], document.title)
        for document in documents
        for a, b in split_sentences(document.text, document.language)
    ]
    key = _key(task_name, tuple(sorted(spans)), "")
    first, tokens = documents[0], sum(tokens_of(document) for document in documents)
    return Window(key, spans, number_sentences(sentences), first.domain, first.language, tokens)


def _of_texts(
    documents: Sequence[Document], task_name: str, size: int, fits: int | None, seed: int, run_on: bool
) -> Iterator[Window]:
    """Yield windows of text: first windows that start at regular offsets, one per `size` tokens of a document, then windows
    that start at random offsets."""
    texts = SentenceCache()
    order = [place for place, document in enumerate(documents) if document.text.strip()]
    following = _map_following(documents, order) if run_on else {}
    chance = random.Random(f"{seed}:{task_name}")

    def cut(place: int, start: int) -> Window | None:
        chain = _chain(documents, place, following)
        return _window(texts, chain, start, task_name, size, fits)

    grid = {place: max(1, round(len(documents[place].text) * tokens_per_sign(documents[place]) / size)) for place in order}
    chance.shuffle(order)
    later = [(place, n) for place in order for n in range(1, grid[place])]
    first = [(place, chance.randrange(grid[place])) for place in order]
    later += [(place, 0) for place, n in first if n]
    chance.shuffle(later)
    taken = set(first)
    for place, n in [*first, *(slot for slot in later if slot not in taken)]:
        window = cut(place, n * len(documents[place].text) // grid[place])
        if window is not None:
            yield window
    slots = first + [slot for slot in later if slot not in taken]
    for _ in range(MAX_ROUNDS):
        chance.shuffle(slots)
        for place, _n in slots:
            window = cut(place, chance.randrange(max(1, len(documents[place].text) * 3 // 4)))
            if window is not None:
                yield window


def _of_places(
    documents: Sequence[Document], places: Sequence[Span], task_name: str, size: int, fits: int | None, run_on: bool
) -> Iterator[Window]:
    """Yield windows that begin in the spans `places`: first the first window of each span, then the second window of each span
    that is long enough, and so on."""
    texts = SentenceCache()
    at = {document.id: place for place, document in enumerate(documents) if document.text.strip()}
    following = _map_following(documents, list(at.values())) if run_on else {}
    there = [place for place in places if place.document in at]
    steps = [max(1, round(size / tokens_per_sign(documents[at[place.document]]))) for place in there]
    turns = max((-(-(place.end - place.start) // step) for place, step in zip(there, steps, strict=True)), default=0)
    for turn in range(turns):
        for place, step in zip(there, steps, strict=True):
            start = place.start + turn * step
            if start < place.end:
                window = _window(texts, _chain(documents, at[place.document], following), start, task_name, size, fits)
                if window is not None:
                    yield window


def _map_following(documents: Sequence[Document], order: Sequence[int]) -> dict[int, int]:
    """Return a dict from a document's index to the index of the next document of the same domain and language."""
    last: dict[tuple[str, str], int] = {}
    following: dict[int, int] = {}
    for place in order:
        kind = (documents[place].domain, documents[place].language)
        if kind in last:
            following[last[kind]] = place
        last[kind] = place
    return following


def _chain(documents: Sequence[Document], place: int, following: dict[int, int]) -> Iterator[Document]:
    at: int | None = place
    while at is not None:
        yield documents[at]
        at = following.get(at)


def _window(
    texts: SentenceCache, chain: Iterator[Document], start: int, task_name: str, size: int, fits: int | None
) -> Window | None:
    """Build a window of whole sentences, beginning at the offset `start` (code points) of the first document of `chain`. The
    window has at most `size` tokens of text, and at most `fits` tokens including sentence numbers. Return None if the window
    would have no sentence."""
    sentences: list[Sentence] = []
    spans: list[Span] = []
    tokens = shown = 0
    domain = language = ""
    for document in chain:
        domain, language = domain or document.domain, language or document.language
        title = count_tokens(document.title, document.language) + NUMBER_TOKENS
        begin = len(sentences)
        full = False
        for span, length in texts.sentences(document, start if not spans and not sentences else 0, size):
            more = length + NUMBER_TOKENS + (title if len(sentences) == begin else 0)
            full = bool(sentences) and (tokens + length > size or (fits is not None and shown + more > fits))
            if full:
                break
            sentences.append(Sentence(span, document.text[span.start : span.end], document.title))
            tokens, shown = tokens + length, shown + more
        if len(sentences) > begin:
            spans.append(Span(document.id, sentences[begin].span.start, sentences[-1].span.end))
        if full:
            break
    if not spans:
        return None
    return Window(_key(task_name, tuple(spans), ""), tuple(spans), number_sentences(sentences), domain, language, tokens)


def _key(task_name: str, spans: tuple[Span, ...], source: str) -> str:
    return content_hash([task_name, [s.triple for s in spans], source])


def tokens_of(document: Document) -> int:
    """Return the estimated number of tokens in the whole document."""
    return round(len(document.text) * tokens_per_sign(document))


def tokens_per_sign(document: Document) -> float:
    """Return the estimated number of tokens per code point of the document, measured on its first 4,000 code points."""
    head = document.text[:4000]
    return count_tokens(head, document.language) / max(1, len(head))
