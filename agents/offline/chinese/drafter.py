"""Drafts questions in Chinese for the offline agent: reads numbered sentences and returns the one question with the highest
score that is clear without these sentences, or None."""

import hashlib
import re
from collections.abc import Callable, Mapping
from datetime import date
from functools import lru_cache
from typing import TYPE_CHECKING

from agents.offline.chinese.candidates import same_kind_texts, slots
from agents.offline.chinese.dates import published_on, write_out_dates
from agents.offline.chinese.people import holds_one_person, titled_people, titles_in
from agents.offline.chinese.questions import is_clear, question_for
from agents.offline.chinese.sentences import (
    MAX_SENTENCE_CHARACTERS,
    PreparedSentence,
    headless,
    is_balanced,
    prepare,
    speaker_of,
)
from agents.offline.chinese.slots import TextSlot
from agents.offline.chinese.subjects import is_named, names_in_text
from agents.offline.factoid import Factoid, Kind
from core.text.numbered import NumberedSentences

if TYPE_CHECKING:
    from agents.offline.corpus import OfflineCorpus

MIN_SCORE = 0.5
MAX_POST_DOCUMENTS = 3
"""Maximum number of documents that may mention a post (an office such as 馆长) for a question about its holder; posts in more
documents make poor questions."""
_LASTING = re.compile(
    r"占地|建筑面积|总面积|流域面积|海拔|全长|总长|长度|高度|占地|总投资|投资|历时|组成|注册资本|落户|位于|坐落|"
    r"推力|体长|体重|身高|婚假|产假|时速|定员|载客|转速|票价|跨度|水深|库容|表面|直径|寿命|毕业|出生|成立|创立|创建|总建筑|设计|起拍|有期徒刑|质押|收录|共分|设有|距离|《"
)

_WAYS = ("{month}，{post}是谁？", "{post}一职在{month}由谁担任？", "谁在{month}担任{post}？")

_SO_FAR = re.compile(r"已|累计|共有|现有|拥有|目前|一共")
"""Pattern of words that mark a figure as valid at the time of publication (so far, in total, now has)."""


def draft_factoid(sentences: NumberedSentences, corpus: "OfflineCorpus", seed_text: str, avoid: str) -> Factoid | None:
    """Return the best question about a fact that the sentences state, or None if no question is good enough. `seed_text`
    decides between questions of equal score; questions that are nearly the same as a question in `avoid` are skipped."""
    ranked = candidates(sentences, corpus)
    ranked.sort(key=lambda f: (-round(f.score, 1), _hash_order(seed_text, f.question)))
    clear = (f for f in ranked if not _says_the_same(f.question, avoid) and not is_ambiguous(f, sentences, corpus))
    return next(clear, None)


def candidates(sentences: NumberedSentences, corpus: "OfflineCorpus") -> list[Factoid]:
    """Return every question about a fact in one sentence that passes the rules for a single sentence; the questions are not yet
    checked against the corpus."""
    texts = _texts(sentences, corpus)
    factoids: list[Factoid] = []
    for number, sentence in enumerate(sentences.sentences, 1):
        text, published = texts[sentence.span.document]
        prepared = prepare(number, sentence.text, published, sentence.span.document)
        if prepared is not None:
            factoids += _draft_from(prepared, _titles(text), _speaker(sentence.text, _titles(text)))
        factoids += _post_questions(
            number, sentence.text, published, lambda post: _documents_with(post, corpus) <= MAX_POST_DOCUMENTS
        )
    return [f for f in factoids if f.score >= MIN_SCORE]


def _documents_with(words: str, corpus: "OfflineCorpus") -> int:
    """Return the number of documents in the corpus whose text contains `words`."""
    return sum(words in document.text for document in corpus.documents)


def _speaker(original: str, titles: Mapping[str, str]) -> str | None:
    """Return the post and name, from `titles`, of the person whose words a sentence reports, or None if the sentence reports no
    words or `titles` does not contain the person."""
    who = speaker_of(original)
    if who is None:
        return None
    return next((full for name, full in titles.items() if who.endswith(name) and (who == name or full.endswith(who))), None)


def _draft_from(prepared: PreparedSentence, titles: Mapping[str, str], speaker: str | None) -> list[Factoid]:
    factoids = []
    for slot in slots(prepared):
        if slot.answer not in prepared.original:
            continue
        question = question_for(prepared, slot, dict(titles))
        if question is None:
            continue
        if (
            slot.kind == "number"
            and prepared.published
            and not re.search(r"年|[？，]预计", question)
            and _SO_FAR.search(question)
        ):
            question = f"截至{prepared.published.year}年{prepared.published.month}月，{question}"
        factoids.append(Factoid(question, slot.answer, (prepared.number,), score=_score(question, slot)))
        if speaker and not re.match("据|根据|哪", question) and len(question + speaker) < 84 and slot.answer not in speaker:
            factoids.append(
                Factoid(f"据{speaker}介绍，{question}", slot.answer, (prepared.number,), score=_score(question, slot) + 0.1)
            )
    return factoids


def _post_questions(number: int, original: str, published: date | None, rare: Callable[[str], bool]) -> list[Factoid]:
    """Return questions that ask who held a post in a given month: the month that the sentence states, or else the month of
    publication."""
    text = headless(original)
    if published is None or not 8 <= len(text) <= MAX_SENTENCE_CHARACTERS + 50:
        return []
    factoids: list[Factoid] = []
    said = re.search(r"\d{4}年\d{1,2}月", write_out_dates(text, published) or "")
    month = said[0] if said else f"{published.year}年{published.month}月"
    for name, post, start in titled_people(text):
        opens = (
            start == 0 or text[start - 1] in "，。；、：由" or text[:start].endswith(("记者采访了", "介绍", "采访了", "包括"))
        )
        if holds_one_person(post) and rare(post) and opens and name in original and is_balanced(post):
            question = _WAYS[len(post + name) % len(_WAYS)].format(month=month, post=post)
            slot = TextSlot(name, "person", start, start + len(post), "谁", 0.45)
            if is_clear(question, slot):
                factoids.append(Factoid(question, name, (number,), score=_score(question, slot)))
    return factoids


def _score(question: str, slot: TextSlot) -> float:
    """Return the score of a question: the base score of the piece that the question asks for, raised for names in the question
    and lowered for a long or vague question."""
    names = names_in_text(question)
    names |= set(re.findall(r"“[^”]+”|《[^》]+》", question))
    score = slot.worth + 0.05 * min(len(names), 4)
    score -= 0.1 * (len(question) > 55) + (0.5 if slot.kind == "number" else 0.15) * (
        len(names) == 0 and not is_named(question)
    )
    if not re.search(r"\d{4}年|第[\d一二三四五六七八九十]+届", question):
        lasting = slot.tail or _LASTING.search(question) or slot.kind in ("date", "year", "name")
        score -= 0.0 if lasting else 0.35 if slot.kind == "number" else 0.1
    if (
        len(names) == 1
        and len(question) < 20
        and re.match(rf"{re.escape(next(iter(names)))}(?:生|出生|毕业|获|加入|曾)", question)
    ):
        score -= 0.4
    if re.search(r"(?<!\d)\d{1,2}时", question) and "日" not in question:
        score -= 0.4
    return score + 0.05 * bool(re.search(r"\d{4}年", question))


def is_ambiguous(factoid: Factoid, sentences: NumberedSentences, corpus: "OfflineCorpus") -> bool:
    """Return whether another sentence says nearly the same as the question but gives another answer of the same kind. Searches
    the given sentences and the documents that contain all names in the question."""
    asked = _pairs(re.sub(r"\d{4}年|多少|哪.|什么|谁|[，？]", "", factoid.question))
    own = sentences.sentences[factoid.evidence[-1] - 1]
    shown = {s.span.document for s in sentences.sentences}
    names = names_in_text(factoid.question)
    others = [
        piece
        for document in (corpus.documents if names else ())
        if document.id not in shown and all(name in document.text for name in names)
        for piece in re.split("[。；]", document.text)
    ]
    texts = [s.text for s in sentences.sentences if s is not own] + others
    return bool(asked) and any(_answers_otherwise(factoid.answer, asked, text) for text in texts)


def _answers_otherwise(answer: str, asked: frozenset[str], text: str) -> bool:
    """Return whether `text` contains most of the question's character pairs (`asked`), but another answer of the same kind."""
    kind = _kind_of(answer)
    if len(asked & _pairs(text)) < (0.75 if kind == "phrase" else 0.6) * len(asked):
        return False
    return answer not in text if kind == "phrase" else bool(same_kind_texts(text, kind, answer) - {answer})


def _kind_of(answer: str) -> Kind:
    if answer.startswith("《"):
        return "work"
    if re.match(r"\d{1,2}月|\d{4}年", answer):
        return "date" if answer.endswith("日") else "year"
    return "number" if re.match(r"\d", answer) else "phrase"


def _pairs(text: str) -> frozenset[str]:
    """Return all pairs of adjacent characters in the text; the pairs that two Chinese texts share measure their similarity."""
    text = re.sub(r"[^\w]", "", text)
    return frozenset(text[i : i + 2] for i in range(len(text) - 1))


def _says_the_same(question: str, avoid: str) -> bool:
    a, b = _pairs(question), _pairs(avoid)
    return bool(b) and len(a & b) / max(1, min(len(a), len(b))) > 0.7


def _hash_order(seed_text: str, question: str) -> str:
    return hashlib.sha256(f"{seed_text}\x00{question}".encode()).hexdigest()


def _texts(sentences: NumberedSentences, corpus: "OfflineCorpus") -> dict[str, tuple[str, date | None]]:
    """Return a dict from document id to (text, publication date); the text is the whole document if the corpus contains it and
    it is shorter than 20,000 characters, else the given sentences of the document."""
    known = {d.id: d for d in corpus.documents}
    texts = {}
    for document in dict.fromkeys(s.span.document for s in sentences.sentences):
        shown = "".join(s.text for s in sentences.sentences if s.span.document == document)
        whole = known.get(document)
        text = whole.text if whole is not None and len(whole.text) < 20_000 else shown
        texts[document] = (text, published_on(whole.published if whole is not None else None, text))
    return texts


@lru_cache(maxsize=256)
def _titles(text: str) -> Mapping[str, str]:
    return titles_in(text)
