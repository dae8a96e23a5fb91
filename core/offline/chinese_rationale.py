"""Chinese rationale questions: what several places say about one name, gathered under a frame (measures, effects, aims, views)
or along its dates. The implicit ones are frames to fill: a person rewrites the answer."""

import re
from collections import defaultdict
from datetime import date
from typing import TYPE_CHECKING, NamedTuple

from core.numbered import Numbered
from core.offline.chinese_dates import dated, published_on
from core.offline.chinese_sentences import starts_unnamed, trimmed
from core.offline.factoid import Claim, Rationale

if TYPE_CHECKING:
    from core.offline.corpus import Corpus

PLACES = 3
"""Places that an explicit rationale's claims come from, at least."""
SECTIONS = 4
"""The same for an implicit one."""
MOST = 6
"""Claims in one answer, at most."""

_NAME = re.compile(
    r"(?:台风)?“[^“”，。、]{2,12}”|《[^《》]{3,18}》|(?<![一-鿿])[A-Z][A-Za-z]{2,14}(?![A-Za-z])|第[一二三四五六七八九十\d]+届[一-鿿]{2,10}(?:会|节|赛|展)|"
    r"(?<=[，。在于对为与和、了])[一-鿿]{2,8}(?:大运会|亚运会|奥运会|世界杯|博览会|进博会|论坛|高铁|铁路|集团|股份|银行|大学|博物馆|机场|冲突|法案|战略|公司)"
)
_FRAMES = (
    ("措施", re.compile(r"启动|派出|出动|部署|采取|组织|调集|出台|推出|发放|转移|关闭|停运|投入|开展|加强|提升|建立|要求|印发|制定|调拨"), "围绕{k}，各方采取了哪些措施？", "{k}来临前后，各地采取了哪些应对措施？"),
    ("影响", re.compile(r"导致|造成|致使|影响|带来|带动|促进|推动|有助于|使得|增长|下降|拉动|受损|损失|提高"), "{k}带来了哪些影响？", "{k}造成了哪些影响？"),
    ("目的", re.compile(r"旨在|为了|目的|目标|意义|致力于|以期|助力|有利于|为[^，]{2,20}(?:提供|奠定|注入)"), "{k}是为了实现哪些目标，有什么意义？", "为什么要重视防范{k}？"),
    ("看法", re.compile(r"认为|表示|指出|强调|坦言|预计|看来|呼吁"), "对于{k}，各方持有哪些看法，理由是什么？", "对于{k}，各方作出了哪些判断？"),
    ("原因", re.compile(r"因为|由于|原因|得益于|源于|归因|缘于|使然|取决于"), "与{k}有关的变化是由哪些原因造成的？", "{k}的影响为什么会如此之大？"),
)
_DISASTER = re.compile(r"台风|暴雨|洪水|地震|山火|疫情")
_DATED = re.compile(r"(20\d\d)年(\d{1,2})月(\d{1,2})日|(20\d\d)年(?:(\d{1,2})月)?|(1[89]\d\d)年")


class Said(NamedTuple):
    """A sentence that can be a claim."""

    number: int
    text: str
    """Trimmed, its times in full."""
    at: int
    """First code point in its document."""
    document: str
    raw: str


def draft_explicit_rationale(sentences: Numbered, corpus: "Corpus", seed_text: str, avoid: str) -> Rationale | None:
    """A question about one name whose answer is in at least three places, or None."""
    best: tuple[float, Rationale] | None = None
    for name, said in _by_name(sentences, corpus).items():
        for _, marker, plain, disaster in _FRAMES:
            chosen = _spread([s for s in said if marker.search(s.text)])
            if len(chosen) < PLACES:
                continue
            question = (disaster if _DISASTER.search(name + chosen[0].text[:12]) and name in chosen[0].text else plain).format(k=name)
            score = min(len(chosen), 5) + _focus(name, chosen) + 0.04 * (hash_of(seed_text + name) % 100)
            if _near(question, avoid) or (best is not None and best[0] >= score):
                continue
            best = (score, Rationale(question, tuple(Claim(s.text + "。", (s.number,)) for s in chosen[:MOST])))
    return best[1] if best else None


def draft_implicit_rationale(sentences: Numbered, corpus: "Corpus", seed_text: str, avoid: str) -> Rationale | None:
    """A frame to fill: how something changed between two times, from at least four places; None when no name has such a chain."""
    best: tuple[float, Rationale] | None = None
    for name, said in _by_name(sentences, corpus).items():
        chain = _chain(said)
        if len(chain) < SECTIONS:
            continue
        first, last = _when(chain[0].text), _when(chain[-1].text)
        if first is None or last is None or first == last or (first[0] == last[0] and not (first[1] and last[1])):
            continue
        question = f"从{_spoken(first, last)}到{_spoken(last, last)}，{name}{_changed(name)}"
        score = len(chain) + _focus(name, chain) + 0.04 * (hash_of(seed_text + name) % 100)
        if _near(question, avoid) or (best is not None and best[0] >= score):
            continue
        best = (score, Rationale(question, tuple(Claim(s.text + "。", (s.number,)) for s in chain[:MOST]), theme=name.strip("“”《》")))
    return best[1] if best else None


def hash_of(text: str) -> int:
    """A number that is the same in every process."""
    import zlib

    return zlib.crc32(text.encode())


def _by_name(sentences: Numbered, corpus: "Corpus") -> dict[str, list[Said]]:
    """Names said in at least three usable sentences, with those sentences."""
    days: dict[str, date | None] = {}
    known = {d.id: d for d in corpus.documents}
    found: dict[str, list[Said]] = defaultdict(list)
    for number, sentence in enumerate(sentences.sentences, 1):
        document = sentence.span.document
        if document not in days:
            whole = known.get(document)
            days[document] = published_on(whole.published if whole else None, whole.text[:60] if whole else sentence.text)
        names = set(_NAME.findall(sentence.text))
        if not names:
            continue
        text = trimmed(sentence.text)
        if text is None or starts_unnamed(text) or len(text) < 20:
            continue
        full = dated(text, days[document])
        if full is None:
            continue
        for name in names:
            if name in full:
                found[name].append(Said(number, full, sentence.span.start, document, sentence.text))
    return {
        name: said
        for name, said in found.items()
        if len(said) >= PLACES and _is_key(name) and not (name.startswith("“") and "台风" + name in found)
    }


def _is_key(name: str) -> bool:
    return not re.search(r"^“(?:[一-鿿]{2})”$|我|你|有限公司$|^《(?:意见|通知|办法|报告|方案|条例|规定|声明|公告|日报)》$", name)


def _spread(said: list[Said]) -> list[Said]:
    """Sentences from places that lie apart and do not say the same, in order of the numbers."""
    chosen: list[Said] = []
    for one in said:
        apart = all(one.document != c.document or abs(one.number - c.number) > 1 for c in chosen)
        if apart and all(_shared(one.text, c.text) < 0.5 for c in chosen):
            chosen.append(one)
    return chosen[:MOST]


def _chain(said: list[Said]) -> list[Said]:
    """Dated sentences that do not say the same, by date, one a day."""
    by_day: dict[tuple[int, int, int], Said] = {}
    for one in said:
        when = _when(one.text)
        if when is not None and when not in by_day and all(_shared(one.text, c.text) < 0.5 for c in by_day.values()):
            by_day[when] = one
    detailed = {year for year, month, _ in by_day if month}
    days = sorted(day for day in by_day if day[1] or day[0] not in detailed)
    if len(days) > MOST:
        step = (len(days) - 1) / (MOST - 1)
        days = [days[round(i * step)] for i in range(MOST)]
    return [by_day[day] for day in days]


def _when(text: str) -> tuple[int, int, int] | None:
    found = _DATED.search(text)
    if found is None:
        return None
    y, m, d, y2, m2, y3 = found.groups()
    if y:
        return int(y), int(m), int(d)
    return (int(y2), int(m2 or 0), 0) if y2 else (int(y3), 0, 0)


def _spoken(when: tuple[int, int, int], other: tuple[int, int, int]) -> str:
    year, month, day = when
    return f"{year}年" + (f"{month}月" if month else "") + (f"{day}日" if day else "")


def _changed(name: str) -> str:
    if _DISASTER.search(name):
        return "的发展过程是怎样的，影响发生了怎样的变化？"
    if name.startswith("《"):
        return "经历了怎样的推进过程，产生了怎样的反响？"
    return "经历了怎样的发展变化？"


def _focus(name: str, said: list[Said]) -> float:
    """Share of the sentences that have the name near their head: they are about it."""
    return 2 * sum(0 <= s.text.find(name) < 15 for s in said) / len(said)


def _shared(a: str, b: str) -> float:
    pairs_a, pairs_b = ({t[i : i + 2] for i in range(len(t) - 1)} for t in (a, b))
    return len(pairs_a & pairs_b) / max(1, min(len(pairs_a), len(pairs_b)))


def _near(question: str, avoid: str) -> bool:
    return bool(avoid) and _shared(question, avoid) > 0.7
