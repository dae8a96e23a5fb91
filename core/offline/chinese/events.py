"""Dated events in Chinese news: a clause with one day in it, that names somebody or something and tells what became of it. What
could not be read alone is left out."""

import re
from collections.abc import Iterator, Mapping
from datetime import date

from core.numbered import Numbered
from core.offline.chinese.dates import day_of
from core.offline.chinese.people import titled_people
from core.offline.chinese.questions import leans
from core.offline.chinese.sentences import balanced, headless, unattributed, words
from core.offline.chinese.subjects import is_named
from core.offline.chinese.times import EVENT_VERB
from core.offline.event import Event

SHORTEST, LONGEST = 10, 46
"""Characters of an event's clause."""
_CLOCK = (
    r"(?:当地时间|北京时间|上午|下午|晚间|晚上|晚|凌晨|中午|早上|早间|早晨|傍晚|清晨|夜间|"
    r"\d{1,2}[时点：:]\d{0,2}(?:分|许|整)?(?:前后|许|左右)?)*"
)
_DAY = re.compile(
    rf"(?:当地时间|北京时间)?(?P<before>将于|定于|已于|于|在|自|截至|从|至|到)?"
    rf"(?P<said>(?:(?P<year>\d{{4}})年)?(?:(?P<month>\d{{1,2}})月)?(?P<day>\d{{1,2}})日)"
    rf"(?![至到\-—~～、和前后以之截均本元线内游报间起])(?P<clock>{_CLOCK})(?P<comma>，)?"
)
_NOT_THAT_DAY = frozenset(("自", "截至", "从", "至", "到", "将于", "定于"))
_SETTLED = re.compile(r"(?:今天|今日|昨天|昨日)\s*[（(]((?:\d{1,2}月)?\d{1,2}日)[）)]")
_REFUSED = re.compile(
    r"[?？!！…：；\s]|[已曾]|陆续|预警|调度|常务会议|我们|[我你您咱]|记者|笔者|本报|本网|某|网友|上述|其中|前者|后者|获悉|了解到|表示|指出|介绍|透露|认为|强调|消息|"
    r"去年|明年|前年|昨|今天|今日|今年|今后|当天|当日|同日|近日|日前|目前|截至|截止|此前|随后|之后|期间|以来|以后|之前|如果|预计|可能|最大|"
    r"将(?![^，]{2,30}(?:提升|调整|升级|送入|列入|纳入|移交))|在[^，在]{2,24}(?:中心|现场|场|馆|厅|市|县|区|国|园|地|站|港)$|\d月|\d日|(?<!\d)20\d\d年|"
    r"(?:时|后|前|中|上|下|的|称|说|显示|[为于在对被由和与及等到]|情况|报道|通知)$|^.{0,20}(?:发文|通报)$"
)
_STATE = re.compile(r"位于|处于|属于|包括|成为|具有|拥有|没有|需要|应该|能够|可以|可能|希望|认为|相关|有关|根据|按照|出现|继续")
"""Verbs that tell no event."""
_PLACE = re.compile(
    r"(?:省|市|县|区|州|镇|乡|村|国|岛|湾|洋|海|沿海|地区|晋江|福建|台湾|北京|上海|广东)$|^(?:中共中央|国务院|全国|国家|中国|人民|公安|外交|农业|教育|上海市|北京市|国防)$"
)
_GENERIC = re.compile(
    r"^.{0,4}(?:公安局|公安部|统计局|气象局|新闻办公室|新闻办|人大常委会|人民法院|检察院|海事局|应急局|卫健委|人民政府|政府|发布会|新闻发布会|会议)$"
)
_TITLE_OR_QUOTED = re.compile(r"《[^》]{2,24}》|(?:台风|影片|电影|卫星|火箭|邮轮)?“[^”，]{2,14}”")


def events(sentences: Numbered, published: Mapping[str, date | None]) -> Iterator[Event]:
    """The events of the sentences, in their order; `published`: document -> the day it came out."""
    for number, sentence in enumerate(sentences.sentences, 1):
        original = " ".join(_SETTLED.sub(r"\1", sentence.text).split())
        if not original.endswith(("。", "；", "。”")) or len(original) > 300:
            continue
        text = re.sub(r"今年(?=第\d+号)", "", unattributed(headless(original)))
        for told in _of(text, published.get(sentence.span.document)):
            when, said, clause = told
            if said in sentence.text:
                yield Event(when, said, clause, number, sentence.span.document, tuple(_names(clause)))


def _of(text: str, published: date | None) -> Iterator[tuple[tuple[int, ...], str, str]]:
    """(when, the day as written, the clause without it)."""
    days = list(_DAY.finditer(text))
    for day in days:
        follows = text[day.start() - 1] if day.start() else ""
        if day["before"] in _NOT_THAT_DAY or (follows and follows in "年月日到至较比与同—~～-、和“（(0123456789"):
            continue
        when = day_of(day["year"], day["month"], day["day"], published)
        start = text.rfind("，", 0, day.start()) + 1
        end = text.find("，", day.end())
        end = len(text) if end < 0 else end
        before = text[start : day.start()]
        if when is None or any(other is not day and start <= other.start() < end for other in days):
            continue
        clause = before + text[day.end() : end]
        if not (before and day["comma"]) and _stands_alone(clause):
            yield when, day["said"], clause


def _stands_alone(clause: str) -> bool:
    if not SHORTEST <= len(clause) <= LONGEST or _REFUSED.search(clause) or leans(clause) or not balanced(clause):
        return False
    tagged = words(clause)
    tells = EVENT_VERB.search(clause) or any(
        word.flag == "v" and len(word.text) > 1 and not _STATE.fullmatch(word.text) for word in tagged[1:]
    )
    return bool(tells) and is_named(clause) and tagged[0].flag[0] not in "vpdcufry"


def _names(clause: str) -> list[str]:
    """Persons with their posts, works and quoted names, and every beginning of a run of nouns that is a name itself."""
    found = dict.fromkeys(post + name for name, post, _ in titled_people(clause))
    found |= dict.fromkeys(_TITLE_OR_QUOTED.findall(clause))
    tagged = words(clause)
    for place, word in enumerate(tagged):
        opens = place == 0 or not _is_noun(tagged[place - 1].flag, tagged[place - 1].text)
        run, is_place = "", True
        for other in tagged[place:] if opens and _is_noun(word.flag, word.text) else ():
            if not _is_noun(other.flag, other.text):
                break
            run += other.text
            is_place = is_place and other.flag == "ns"
            if not is_place and other.flag != "vn" and not EVENT_VERB.fullmatch(other.text):
                found[run] = None
        if word.flag in ("nr", "nrt", "nrfg") and len(word.text) > 2:
            found[word.text] = None
    kept = [n for n in found if 3 <= len(n) <= 24 and is_named(n) and not _PLACE.search(n) and not _GENERIC.search(n)]
    return sorted(kept, key=lambda name: (-len(name), clause.find(name)))


def _is_noun(flag: str, text: str) -> bool:
    return (flag[0] in "nmjbxq" or flag in ("eng", "vn")) and text not in "，。、《》“”·的"
