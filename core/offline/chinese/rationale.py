"""Chinese rationale questions: what several places say about one name, gathered under a frame (measures, effects, aims, views)
or along its dates. The implicit ones are frames to fill: a person rewrites the answer."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from typing import TYPE_CHECKING, NamedTuple
from zlib import crc32

from core.numbered import Numbered
from core.offline.chinese.dates import dated, published_on
from core.offline.chinese.sentences import starts_unnamed, trimmed
from core.offline.chinese.subjects import names_in_text
from core.offline.factoid import Claim, Rationale

if TYPE_CHECKING:
    from core.offline.corpus import Corpus

PLACES = 3
"""Places that an explicit rationale's claims come from, at least."""
SECTIONS = 4
"""The same for an implicit one that draws a whole picture."""
DATES = 3
"""Dated developments that an implicit one follows, at least."""
REACH = 20
"""Characters after a name in which what is said is said of it."""
FOCUS = 0.3
"""Share of the claims that have the name near their head, at least."""
NEARLY = 1.2
"""How far below the best score a draft may lie and still be chosen."""
MOST = 6
"""Claims in one answer, at most."""

_NAME = re.compile(
    r"(?:台风)?“[^“”，。、]{3,12}”|《[^《》]{4,18}》|(?<![一-鿿A-Za-z])[A-Z][A-Za-z]{2,14}(?![A-Za-z])|"
    r"第[一二三四五六七八九十\d]+届[一-鿿]{2,10}(?:会|节|赛|展)"
)
_SUBJECT = re.compile(
    r"[一-鿿]{2,9}(?:大运会|亚运会|奥运会|世界杯|博览会|论坛|高铁|铁路|集团|银行|大学|博物馆|机场|冲突|战略|"
    r"公司|经济|消费|汽车|旅游|市场|产业|贷款|房地产|楼市|教育|医疗|反腐|电影|模型|智能|"
    r"芯片|能源|养老|进博会|服贸会|女足|男足|运动会|音乐节|电影节|艺术节|文化节|条例|新区|口岸|自贸区|保税区|示范区|经济带|水库|博物院|文物局|海关|气象局|体育局|俱乐部|航空|"
    r"科技|股份|证券|基金会|湾区|大桥|地铁|足协|研究院|乡村振兴|就业|贸易|降雨|暴雨|洪水|地震|高温|灾害|改革|基金|保险|债券|农业|粮食|"
    r"碳排放|安全|治理|服务|企业|关系)"
)
_VERB_LEAD = re.compile(
    r"^(?:[的了在对为与和将从以等及到于向由把被让使是有其这该年月日号个]|我国|中国的?|全国|促进|推动|支持|发展|"
    r"加快|推进|加强|围绕|关于|开展|做好|提升|提高|实现|深化|参加|举办|持续|进一步|当前|目前|"
    r"扩大|恢复|聚焦|优化|完善|建立|打造|全面|积极|重点|不断|多个|各类|相关|有关|一些|很多|许多|通过|包括|受到|"
    r"国内|全球|参与|服务|带动|助力|引导|鼓励|出台|发布|公布|显示|表示|指出|认为)+"
)
_FRAMES = (
    (
        "措施",
        re.compile(
            r"启动|派出|出动|部署|采取|组织|调集|出台|推出|发放|转移|关闭|停运|投入|开展|加强|提升|建立|要求|印发|制定|调拨"
        ),
        "围绕{k}，各方采取了哪些措施？",
        "{k}来临前后，各地采取了哪些应对措施？",
    ),
    (
        "影响",
        re.compile(r"导致|造成|致使|影响|带来|带动|促进|推动|有助于|使得|增长|下降|拉动|受损|损失|提高"),
        "{k}带来了哪些影响？",
        "{k}造成了哪些影响？",
    ),
    (
        "目的",
        re.compile(r"旨在|为了|目的|目标|意义|致力于|以期|助力|有利于|为[^，]{2,20}(?:提供|奠定|注入)"),
        "{k}是为了实现哪些目标，有什么意义？",
        "为什么要重视防范{k}？",
    ),
    (
        "看法",
        re.compile(r"认为|表示|指出|强调|坦言|预计|看来|呼吁"),
        "对于{k}，各方持有哪些看法，理由是什么？",
        "对于{k}，各方作出了哪些判断？",
    ),
    (
        "原因",
        re.compile(r"因为|由于|原因|得益于|源于|归因|缘于|使然|取决于"),
        "与{k}有关的变化是由哪些原因造成的？",
        "{k}的影响为什么会如此之大？",
    ),
)
_BODY = re.compile(r"(?:集团|银行|大学|博物馆|机场|公司|企业)$")
_FIRM = re.compile(r"(?:集团|银行|公司|汽车|航空|基金|证券|保险|科技)$")
_ABOUT = 18
"""Characters from its head within which a sentence says the name that it is about."""
_DISASTER = re.compile(r"台风|暴雨|洪水|地震|山火|疫情")
_DAY_WORDS = re.compile(r"近日|日前|今天|昨天|今日|昨日|今晨|今晚|明天|当天|当日|同日|这[一两]天|\d日|今年|去年")
"""Times that a claim cannot keep when they could not be put in full."""
_DATED = re.compile(r"(20\d\d)年(\d{1,2})月(\d{1,2})日|(20\d\d)年(?:(\d{1,2})月)?|(1[89]\d\d)年")


class Said(NamedTuple):
    """A sentence that can be a claim."""

    number: int
    text: str
    """Trimmed, its times in full."""
    at: int
    """First code point in its document."""
    document: str


class Scored(NamedTuple):
    """A draft and how much it is worth, comparable within one call only."""

    score: float
    name: str
    """What it is about."""
    rationale: Rationale


def draft_explicit_rationale(sentences: Numbered, corpus: "Corpus", seed_text: str, avoid: str) -> Rationale | None:
    """A question about one name whose answer is in at least three places, or None. `seed_text` chooses among good ones."""
    found: list[Scored] = []
    for name, said in _by_name(sentences, corpus).items():
        for frame, marker, plain, disaster in _FRAMES:
            about = [s for s in said if marker.search(s.text if frame == "措施" else _near_name(s.text, name))]
            chosen = _spread(about)
            if len(chosen) < PLACES or _focus(name, chosen) < FOCUS:
                continue
            if frame == "措施" and _BODY.search(name):
                plain = "{k}采取了哪些举措，取得了哪些成效？"
            question = (disaster if _DISASTER.search(name) else plain).format(k=name)
            score = 0.4 * min(len(chosen), 5) + _focus(name, chosen)
            found.append(Scored(score, name, Rationale(question, _claims(chosen))))
        told = _spread([s for s in said if 0 <= s.text.find(name) < _ABOUT])
        if len(told) >= PLACES and _is_specific(name) and not _DISASTER.search(name):
            asked = "{k}在经营和发展中有哪些重要动向？" if _FIRM.search(name) else "{k}有哪些主要的情况和进展？"
            found.append(Scored(0.4 * min(len(told), 5) + 0.5, name, Rationale(asked.format(k=name), _claims(told))))
    return _chosen(found, seed_text, avoid)


def draft_implicit_rationale(sentences: Numbered, corpus: "Corpus", seed_text: str, avoid: str) -> Rationale | None:
    """A frame to fill: how something changed between two times, or its whole picture, from at least four places; or None."""
    by_name = _by_name(sentences, corpus)
    found: list[Scored] = []
    for name, said in by_name.items():
        chain = _chain(said)
        if len(chain) < DATES or _focus(name, chain) < FOCUS:
            continue
        first, last = _when(chain[0].text), _when(chain[-1].text)
        if first is None or last is None or first == last or (first[0] == last[0] and not (first[1] and last[1])):
            continue
        question = f"从{_spoken(first)}到{_spoken(last)}，{name}{_changed(name)}"
        found.append(
            Scored(0.5 * len(chain) + _focus(name, chain), name, Rationale(question, _claims(chain), name.strip("“”《》")))
        )
    return _chosen(found, seed_text, avoid) or _chosen(list(_pictures(by_name)), seed_text, avoid)


def _pictures(by_name: Mapping[str, list[Said]]) -> Iterator[Scored]:
    """Questions for the whole picture of one name: a sentence from each of several frames, from at least four places."""
    for name, said in by_name.items():
        picked = [next((s for s in said if marker.search(s.text)), None) for _, marker, _, _ in _FRAMES]
        chosen = _spread(list(dict.fromkeys(s for s in picked if s is not None)))
        if len(chosen) < SECTIONS or _focus(name, chosen) < FOCUS:
            continue
        aspects = "、".join(frame for (frame, marker, _, _) in _FRAMES if any(marker.search(s.text) for s in chosen))
        question = f"综合来看，{name}呈现出怎样的整体图景？请从{aspects}等方面说明。"
        yield Scored(float(len(chosen)), name, Rationale(question, _claims(chosen), name.strip("“”《》")))


def _near_name(text: str, name: str) -> str:
    """The words that follow a name at once: an effect or a reason told there is the name's own."""
    at = max(0, text.find(name))
    return text[at : at + len(name) + REACH]


def _claims(said: Sequence[Said]) -> tuple[Claim, ...]:
    return tuple(Claim(s.text + "。", (s.number,)) for s in said[:MOST])


def _chosen(found: Sequence[Scored], seed_text: str, avoid: str) -> Rationale | None:
    """One of those nearly as good as the best that says other than `avoid`: the seed settles whose name it is, so that windows
    that share much of their text ask about different things."""
    new = [scored for scored in found if not _near(scored.rationale.question, avoid)]
    if not new:
        return None
    new = [scored for scored in new if _is_specific(scored.name)] or new
    best = max(scored.score for scored in new)
    near = [scored for scored in new if scored.score >= best - NEARLY]
    name = min({scored.name for scored in near}, key=lambda name: crc32(f"{seed_text}\x00{name}".encode()))
    asked = [scored.rationale for scored in near if scored.name == name]
    return min(asked, key=lambda asked: crc32(f"{seed_text}\x00{asked.question}".encode()))


def _is_specific(name: str) -> bool:
    """Whether the name is one event's, programme's or body's and not a word for many (上市公司, 实体经济)."""
    return (
        (name[0] in "“《" and len(name) > 5)
        or name.startswith("台风")
        or bool(re.match(r"第[一二三四五六七八九十\d]+届", name))
        or bool(names_in_text(name))
    )


def _by_name(sentences: Numbered, corpus: "Corpus") -> dict[str, list[Said]]:
    """Names said in at least three usable sentences, with those sentences."""
    days: dict[str, date | None] = {}
    known = {d.id: d for d in corpus.documents}
    said: list[Said] = []
    for number, sentence in enumerate(sentences.sentences, 1):
        document = sentence.span.document
        if document not in days:
            whole = known.get(document)
            days[document] = published_on(whole.published if whole else None, whole.text[:60] if whole else sentence.text)
        if not (_NAME.search(sentence.text) or _SUBJECT.search(sentence.text)):
            continue
        text = trimmed(sentence.text)
        if text is None or starts_unnamed(text) or len(text) < 20:
            continue
        full = dated(text, days[document]) or ("" if _DAY_WORDS.search(text) else text)
        if full:
            said.append(Said(number, full, sentence.span.start, document))
    found: dict[str, list[Said]] = defaultdict(list)
    subjects = _subjects(said)
    for one in said:
        for name in {*_NAME.findall(one.text), *(n for n in subjects if n in one.text)}:
            found[name].append(one)
    return {
        name: told
        for name, told in found.items()
        if len(told) >= PLACES
        and _is_key(name)
        and _is_whole(name, told)
        and not (name.startswith("“") and "台风" + name in found)
    }


def _subjects(said: list[Said]) -> list[str]:
    """Nouns of several characters that come back: of each ending (经济, 铁路 ...) the longest words before it that are always
    the same."""
    counts: Counter[str] = Counter()
    for one in said:
        tails = {m[i:] for m in _SUBJECT.findall(one.text) for i in range(len(m) - 3)}
        counts.update(tail for tail in tails if len(tail) >= 4)
    longer: Counter[str] = Counter()
    for tail, n in counts.items():
        longer[tail[1:]] = max(longer[tail[1:]], n)
    return [
        tail
        for tail, n in counts.items()
        if n >= PLACES and longer[tail] < 0.6 * n and n >= 0.5 * counts.get(tail[1:], n) and not _VERB_LEAD.match(tail)
    ]


def _is_key(name: str) -> bool:
    return not re.search(
        r"上市公司|供电公司|^(?:河北|江苏|浙江|上海|北京|某)公司$|最后一公里|时时放心|^(?:Store|App|Apple|LTD|USD|PTE|IARC|GPT|INVESTMENT)$|实体经济|社会消费|"
        r"人民法院$|专项|有关|企业$|有限公司$|"
        r"股份$|^“(?:[一-鿿]{2})”$|我|你|有限公司$|^《(?:意见|通知|办法|报告|方案|条例|规定|声明|公告|日报)》$",
        name,
    )


def _is_whole(name: str, told: Sequence[Said]) -> bool:
    """Whether the name is no piece of a longer one: the same character does not follow it nearly everywhere."""
    after = Counter(s.text[s.text.find(name) + len(name) :][:1] for s in told)
    next_one, n = after.most_common(1)[0]
    return not re.match(r"(?![的了在是将和与及等对为从以已也有中上于主各首])[一-鿿]", next_one) or n < 0.6 * len(told)


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
        when = _told_on(one.text)
        if when is not None and when not in by_day and all(_shared(one.text, c.text) < 0.5 for c in by_day.values()):
            by_day[when] = one
    detailed = {year for year, month, _ in by_day if month}
    days = sorted(day for day in by_day if day[1] or day[0] not in detailed)
    if len(days) > MOST:
        step = (len(days) - 1) / (MOST - 1)
        days = [days[round(i * step)] for i in range(MOST)]
    return [by_day[day] for day in days]


def _told_on(text: str) -> tuple[int, int, int] | None:
    """When what a sentence tells happened: a date at its head or at the head of one of its first clauses."""
    found = re.match(
        rf"(?:[^，]{{0,24}}，)?(?:[^，\d]{{2,16}}(?:已|将)?(?:于|自|在))?(?:截至|早在|自|从|在|于)?(?={_DATED.pattern})", text
    )
    return (
        _when(text[found.end() : found.end() + 12])
        if found and not re.match(r"[\d年月日]+(?:的|[至到—-])", text[found.end() :])
        else None
    )


def _when(text: str) -> tuple[int, int, int] | None:
    found = _DATED.search(text)
    if found is None:
        return None
    y, m, d, y2, m2, y3 = found.groups()
    if y:
        return int(y), int(m), int(d)
    return (int(y2), int(m2 or 0), 0) if y2 else (int(y3), 0, 0)


def _spoken(when: tuple[int, int, int]) -> str:
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
    return sum(0 <= s.text.find(name) < 15 for s in said) / len(said)


def _shared(a: str, b: str) -> float:
    pairs_a, pairs_b = ({t[i : i + 2] for i in range(len(t) - 1)} for t in (a, b))
    return len(pairs_a & pairs_b) / max(1, min(len(pairs_a), len(pairs_b)))


def _near(question: str, avoid: str) -> bool:
    return bool(avoid) and _shared(question, avoid) > 0.7
