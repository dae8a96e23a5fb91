"""Summaries that consist of a text's own sentences, without a model. An article's event is its lead sentence; its summary is
the lead and the most central sentences; a continuation takes sentences of other texts on the same topic; a digest shortens a
part of the corpus for a memory, which later helps to answer questions."""

import re
from collections import Counter
from collections.abc import Sequence
from math import log
from typing import NamedTuple

from core.text.numbered import NumberedSentences
from core.text.text import content_words, detect_language, split_sentences

SUMMARY_SHARE = 0.25
"""Share of an article's sentences that its summary takes."""
MAX_SUMMARY_SENTENCES = 5
MAX_SUMMARY_CHARACTERS = {"en": 900, "zh": 320}
"""Maximum number of characters in a summary, by language."""
MAX_EVENT_CHARACTERS = {"en": 260, "zh": 90}
MIN_SENTENCE_CHARACTERS = {"en": 30, "zh": 12}
"""Minimum number of characters in a sentence that an event or a summary may use, by language."""
MAX_DIGEST_CHARACTERS = {"en": 700, "zh": 200}
"""Maximum number of characters in a digest, by language; only its first sentence may be longer."""
EMPTY_DIGEST = {"en": "This text says nothing.", "zh": "这里没有讲述任何内容。"}
DENSITY_WEIGHT = 5.0
"""Weight of the names and figures per character of a sentence, compared with its centrality, in choosing sentences of a
digest."""
_NAME_OR_FIGURE = re.compile(r"[A-Z][a-z]+|\d+|《[^》]+》")
REPETITION_SHARE = 0.7
"""A sentence counts as a repetition if at least this share of its words occurs in another chosen sentence."""
_BYLINES = {
    "zh": re.compile(
        r"^(?:.{0,60}?正文\s*[:：]\s*)?(?:[\[【(（][^\]】)）]{0,40}[\]】)）]\s*)*"
        r"(?:(?:[^，。；：、“”\s]{0,16}(?:网|社|报|新闻)[^，。；：“”]{0,24}?[电讯]|[^，。；：“”\s]{0,12}讯|据[^，。]{0,20}(?:报道|消息)[，：])\s*)?"
        r"(?:[（(](?:[^）)]{0,40}(?:记者|通讯员|作者)[^）)]{0,40}|[^）)，。]{2,24})[）)]\s*|(?:记者|通讯员)\s*[^\s，。]{2,8}\s+)*"
    ),
    "en": re.compile(r"^(?:[A-Z][A-Za-z .,]{1,40}(?:\([A-Za-z ]{2,20}\)\s*)?(?:--|[–—]|-\s)\s*)?"),
}
"""Pattern of what precedes the first words of a news report: date, place, agency, reporters."""
_LEANS = {
    "zh": re.compile(r"^(?:[他她它其该此这]|对此|同时|此外|另外|随后|目前|双方|据悉|据了解)"),
    "en": re.compile(r"^(?:He|She|It|They|His|Her|Its|Their|This|These|That|But|And|However|Meanwhile|Also)\b"),
}
"""Pattern of words at the beginning of a sentence with which it cannot be understood alone."""


class SentenceSummary(NamedTuple):
    """An event, its summary, and the numbers of the sentences that they are taken from."""

    event: str
    summary: str
    evidence: tuple[int, ...]


def summarise(sentences: NumberedSentences, language: str) -> SentenceSummary | None:
    """Summarise the event of an article in its own sentences, or return None if no sentence states an event."""
    texts = [" ".join(sentence.text.split()) for sentence in sentences.sentences]
    texts = [_BYLINES[language].sub("", text, count=1).strip() if place == 0 else text for place, text in enumerate(texts)]
    usable = [place for place, text in enumerate(texts) if len(text) >= MIN_SENTENCE_CHARACTERS[language]]
    stands = (place for place in usable if not _LEANS[language].match(texts[place]))
    lead = next((place for place in stands if detect_language(texts[place], language) == language), None)
    if lead is None or len(usable) < 2:
        return None
    wanted = max(2, min(MAX_SUMMARY_SENTENCES, round(SUMMARY_SHARE * len(texts))))
    sets = [frozenset(content_words(text, language)) for text in texts]
    weights = _centrality(sets)
    chosen, length = [lead], len(texts[lead])
    for place in sorted((p for p in usable if p != lead), key=lambda p: (-weights[p], p)):
        is_new = all(len(sets[place] & sets[other]) <= REPETITION_SHARE * len(sets[place]) for other in chosen)
        if is_new and len(chosen) < wanted and length + len(texts[place]) <= MAX_SUMMARY_CHARACTERS[language]:
            chosen.append(place)
            length += len(texts[place])
    chosen.sort()
    summary = ("" if language == "zh" else " ").join(texts[place] for place in chosen)
    return SentenceSummary(_event(texts[lead], language), summary, tuple(place + 1 for place in chosen))


def digest(text: str, language: str) -> str:
    """Return at most half of the text's sentences in their order, chosen by names, numbers and centrality; if no sentence is
    usable, a phrase that says so."""
    pieces = [" ".join(text[a:b].split()) for a, b in split_sentences(text, language)]
    usable = [place for place, piece in enumerate(pieces) if len(piece) >= MIN_SENTENCE_CHARACTERS[language]]
    sets = [frozenset(content_words(piece, language)) for piece in pieces]
    weights = _centrality(sets)
    worth = {
        place: weights[place] + DENSITY_WEIGHT * len(_NAME_OR_FIGURE.findall(pieces[place])) / len(pieces[place])
        for place in usable
    }
    chosen: list[int] = []
    length = 0
    for place in sorted(usable, key=lambda p: (-worth[p], p)):
        is_new = all(len(sets[place] & sets[other]) <= REPETITION_SHARE * len(sets[place]) for other in chosen)
        fits = length + len(pieces[place]) <= MAX_DIGEST_CHARACTERS[language] and 2 * (len(chosen) + 1) <= max(2, len(pieces))
        if not chosen or (is_new and fits):
            chosen.append(place)
            length += len(pieces[place])
    return ("" if language == "zh" else " ").join(pieces[place] for place in sorted(chosen)) or EMPTY_DIGEST[language]


def go_on(beginning: str, context: str, language: str) -> str:
    """Return sentences of the context that continue the text `beginning`: those that share most words with `beginning` and do
    not occur in it, together no longer than `beginning`; "" if no sentence shares enough words."""
    known = set(content_words(beginning, language))
    pieces = [" ".join(context[a:b].split()) for a, b in split_sentences(context, language)]
    sets = [frozenset(content_words(piece, language)) for piece in pieces]
    spread = Counter(word for held in sets for word in held)
    shares = [sum(log(1 + len(sets) / spread[word]) for word in held & known) / (1 + len(held)) ** 0.5 for held in sets]
    chosen: list[int] = []
    length = 0
    for place in sorted(range(len(pieces)), key=lambda p: (-shares[p], p)):
        is_new = pieces[place] not in beginning and all(pieces[place] != pieces[other] for other in chosen)
        if shares[place] > 0 and len(sets[place] & known) >= 2 and is_new and length + len(pieces[place]) <= len(beginning):
            chosen.append(place)
            length += len(pieces[place])
    return ("" if language == "zh" else " ").join(pieces[place] for place in sorted(chosen))


def _centrality(sets: Sequence[frozenset[str]]) -> list[float]:
    """Return, for each set of words (one per sentence), its mean overlap with the other sets."""
    return [
        sum(len(own & other) / (len(own) * len(other)) ** 0.5 for at, other in enumerate(sets) if at != place and own and other)
        / max(1, len(sets) - 1)
        for place, own in enumerate(sets)
    ]


def _event(lead: str, language: str) -> str:
    """Return the lead sentence as the event, cut at the end of a clause if the sentence is long."""
    most = MAX_EVENT_CHARACTERS[language]
    if len(lead) <= most:
        return lead
    comma, stop = ("，", "。") if language == "zh" else (", ", ".")
    cut = lead.rfind(comma, most // 3, most)
    return (lead[:cut] if cut > 0 else lead[:most].rsplit(" ", 1)[0] if language == "en" else lead[:most]) + stop
