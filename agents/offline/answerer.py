"""Extracts answers in English and Chinese: the sentence of the context that matches the question best, the short span in that
sentence that has the requested kind (a date, a name ...), or a fixed refusal phrase if nothing matches."""

import re
from collections.abc import Sequence

from agents.offline.corpus import OfflineCorpus
from core.text.english_names import DATE, names, strip_brackets
from core.text.numbered import NumberedSentences
from core.text.text import content_words, split_sentences

REFUSAL = {"en": "Cannot be answered from the given text", "zh": "无法根据所给文本回答"}
"""Refusal phrase that the answer prompts ask for, as a dict from language to phrase."""
MIN_WORD_SHARE = 0.34
"""Minimum share of the question's content words that a sentence must contain to answer the question."""

_CLOSED = re.compile(r"[.!?。！？…:：]\W*$")
_ZH_KINDS = (
    (re.compile(r"百分之多少|比例|占比"), re.compile(r"百分之[零〇一二三四五六七八九十百点]+|\d+(?:\.\d+)?[%％]")),
    (
        re.compile(r"多少|几(?:个|名|人|家|次|年|天|项|位|所|座)"),
        re.compile(r"\d[\d,.]*\s*(?:万|亿)?(?:余|多)?[一-鿿]{1,2}|[一二三四五六七八九十百千万两]+[一-鿿]"),
    ),
    (re.compile(r"哪一天|哪天|何日|什么日期|几月几日"), re.compile(r"(?:\d{4}年)?\d{1,2}月\d{1,2}日|\d{4}年\d{1,2}月")),
    (re.compile(r"哪一?年|何时|什么时候|何年"), re.compile(r"\d{4}年(?:\d{1,2}月(?:\d{1,2}日)?)?|\d{1,2}月\d{1,2}日")),
    (re.compile(r"哪(?:部|本|首|份|篇)"), re.compile(r"《[^》]{1,40}》")),
    (
        re.compile(r"哪家|什么(?:公司|机构|单位)|哪所|哪个(?:公司|机构|大学|医院)"),
        re.compile(r"[一-鿿A-Za-z]{2,16}(?:公司|集团|大学|学院|医院|法院|银行|局|委员会|中心|厂|剧院|协会)"),
    ),
)
"""Pairs of patterns: one for a Chinese question and one for the short answer that such a question asks for."""


def answer(question: str, context: str, language: str, *, sentences: int = 1) -> str:
    """Return the answer to a question, verbatim from the context: a short span or one sentence if `sentences` is 1, else up to
    that many sentences; the refusal phrase if nothing matches."""
    pieces = [context[start:end] for start, end in split_sentences(context, language)]
    wanted = list(dict.fromkeys(content_words(question, language)))
    ranked = _rank_pieces(wanted, pieces, language)
    if not ranked or not wanted:
        return REFUSAL[language]
    if sentences > 1:
        chosen = sorted(index for index, share in ranked[:sentences] if share >= max(0.2, ranked[0][1] / 2))
        text = ("" if language == "zh" else " ").join(" ".join(pieces[i].split()) for i in chosen)
        return text if chosen and ranked[0][1] >= 0.2 else REFUSAL[language]
    best, share = ranked[0]
    if share < MIN_WORD_SHARE:
        return REFUSAL[language]
    short = _short_zh if language == "zh" else _short_en
    for index, other in ranked[:3]:
        if other >= 0.8 * share and (span := short(question, " ".join(pieces[index].split()))):
            return span
    return " ".join(pieces[best].split())


def things_asked(question: str) -> int:
    """Return how many things a question asks for (1 to 3), counted by its numbering or its question marks."""
    return max(1, min(3, len(re.findall(r"[①②③]|\([abc]\)", question) or re.findall(r"[?？]", question))))


def _rank_pieces(wanted: Sequence[str], pieces: Sequence[str], language: str) -> list[tuple[int, float]]:
    """Rank the pieces of text that contain any of the wanted words, best first, each as (index, share of the wanted words). A
    wanted word in a heading (a short piece without a full stop) counts half for each piece under the heading."""
    ranked = []
    heading: frozenset[str] = frozenset()
    sets = [frozenset(content_words(piece, language)) for piece in pieces]
    rarity = {w: 1.0 / (1 + sum(w in held for held in sets)) ** 0.5 for w in wanted}
    total = sum(rarity.values()) or 1.0
    for index, held in enumerate(sets):
        if len(pieces[index]) < 80 and not _CLOSED.search(pieces[index]):
            heading = held
            continue
        share = sum(rarity[w] if w in held else 0.5 * rarity[w] if w in heading else 0.0 for w in wanted) / total
        if share > 0:
            ranked.append((index, share))
    return sorted(ranked, key=lambda pair: (-pair[1], pair[0]))


def _short_en(question: str, sentence: str) -> str:
    text, low = strip_brackets(sentence), question.lower()
    full = " ".join(sentence.split())
    if re.search(r"\b(?:when|which year|what year|which month|what date|which day|date of)\b", low):
        dates = [m[0] for m in DATE.finditer(full) if m[0] not in question]
        if re.search(r"\b(?:die|died|death)\b", low) and len(dates) > 1 and re.search(r"\d\s*[–-]\s*", full):
            return dates[1]
        return dates[0] if dates else ""
    if re.search(r"\bhow (?:many|much|long|large|high|tall|old|far)\b|\bpopulation\b", low):
        match = re.search(
            r"\b\d[\d,.]*(?: (?:million|billion|percent|per cent|kilomet\w+|km|met\w+|miles|acres|hectares|years))?|\b(?:two|"
            r"three|four|five|six|seven|eight|nine|ten|twelve|twenty)\b",
            text,
        )
        return match[0].rstrip(".,") if match else ""
    runs = [n.text for n in names(text) if n.text not in question and n.text.split()[-1] not in question]
    if re.search(r"\bby whom\b|^who (?!is\b|was\b|were\b)|\bwho (?:directed|wrote|produced|composed|founded)", low) and (
        match := re.search(r"\bby (?:the )?(?:[a-z]+ ){0,3}(?=[A-Z])", text)
    ):
        after = [n.text for n in names(text) if n.start >= match.end() and n.text not in question]
        return after[0] if after else ""
    if re.search(r"\b(?:where|which place|which (?:country|city|town|county|district|province|region|village))\b", low):
        match = re.search(r"\b(?:in|at|near) (?=[A-Z])", text)
        after = [n.text for n in names(text) if match and n.start >= match.end() and n.text not in question]
        return after[0] if after else ""
    if re.search(r"^(?:who|whom|whose|which|what|on which|to wh|from wh|in which|for which)\b", low):
        return runs[0] if runs else ""
    return ""


def _short_zh(question: str, sentence: str) -> str:
    for asks, looks in _ZH_KINDS:
        if asks.search(question):
            matches = [m[0] for m in looks.finditer(sentence) if m[0] not in question]
            return matches[0] if matches else ""
    return ""


def choose_passages(question: str, passages: NumberedSentences, count: int, corpus: OfflineCorpus, language: str) -> list[int]:
    """Return, in ascending order, the numbers of the `count` passages that contain most of the question's rare words and names.
    Returns at least one number if there are any passages."""
    wanted = list(dict.fromkeys(content_words(question, language)))
    sets = [frozenset(content_words(s.text, language)) for s in passages.sentences]
    weights = {w: corpus.idf(w, language) if corpus.documents else 1.0 for w in wanted}
    scores = [sum(weights[w] for w in wanted if w in held) for held in sets]
    named = [n.text for n in names(question)] if language == "en" else re.findall(r"《[^《》]+》|“[^“”]+”", question)
    for index, sentence in enumerate(passages.sentences):
        text = " ".join(sentence.text.split())
        scores[index] += sum(2.0 * text.count(name) ** 0.5 for name in named)
    best = sorted(range(len(scores)), key=lambda i: (-scores[i], i))[: max(1, count)]
    return sorted(i + 1 for i in best)
