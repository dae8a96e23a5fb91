"""What a Chinese sentence leaves to the sentences before it: 该公司, 他, 全市, or a figure whose place, company and time
were said just above. Put in full, such a sentence can be asked about; it then stands on both."""

import re
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from core.offline.chinese.kinds import CITIES
from core.offline.chinese.names import names_in
from core.offline.chinese.people import titled_people
from core.offline.chinese.relatives import called_again
from core.offline.chinese.sentences import clauses, starts_unnamed, trimmed, words
from core.offline.chinese.subjects import is_named

REACH = 4
"""Sentences back within which 该公司 ... is taken to mean a name; figures and persons reach back half as far."""
_MEASURE = re.compile(
    r"收入|总额|总值|产值|增加值|营收|利润|销量|产量|零售额|营业额|投资|出口|进口|销售额|均价|面积|人数|占比|比重|支出|余额|规模|贷款|存款|用电量|客流|"
    r"票房|消费量|订单|税额|产销|总产|装机|跌|涨|发送|吞吐"
)
_ALL = re.compile(
    r"(?:^|(?<=[，至年月日]))(?:截至目前，)?(?P<whole>全市|全省|全区|全县|全州|我市|我省|我区|我县|本市|本省)(?!场)"
)
_TIME = re.compile(
    r"^(?:截至)?(?:(?:今年|去年|\d{4}年)?(?:前?\d{1,2}(?:至\d{1,2}|-\d{1,2})?(?:个月|月份?)|上半年|下半年|第?[一二三四]季度|前[一二三]季度)|今年|去年|"
    r"\d{4}年)(?=，|[一-鿿])"
)
_PROVINCES = (
    "河北|山西|辽宁|吉林|黑龙江|江苏|浙江|安徽|福建|江西|山东|河南|湖北|湖南|"
    "广东|海南|四川|贵州|云南|陕西|甘肃|青海|台湾|内蒙古|广西|西藏|宁夏|新疆"
)

_OF = re.compile(
    rf"(?:{_TIME.pattern[1:]})?，?(?P<place>全国|中国|(?:{_PROVINCES})省?|(?:{'|'.join(sorted(CITIES))})市?)(?![一-鿿]{{0,6}}(?:局|"
    rf"厅|委|法院|检察院|人大|协会|海关)|[一-鿿]{2, 3}[市县区])"
)
"""The place that a figure is told of."""


class Carried(NamedTuple):
    """A sentence put in full."""

    text: str
    back: int
    """How many sentences before it the missing words stand; 0: in the document at large."""


def carried(before: Sequence[str], original: str, document: str) -> Carried | None:
    """The sentence with what it leaves out; None when it leaves nothing out or when that cannot be told. `before` are the
    sentences of its document before it, the nearest last."""
    text = trimmed(re.sub(r"^(?:其中|具体来看|分产品看|分行业看|[一-鿿]{2,4}方面)，", "", original.strip()))
    if text is None:
        return None
    return _person(before, text) or _thing(before, text) or _place(text, document) or _figure(before, text)


def _thing(before: Sequence[str], text: str) -> Carried | None:
    if not starts_unnamed(text):
        return None
    for back, prior in enumerate(reversed(before[-REACH:]), 1):
        said = prior if len(prior) < 300 else ""
        full = {called_again(text, name, False) for name, _ in names_in(said) if "“" not in name} - {None}
        if full:
            best = max((f for f in full if f), key=len)
            return Carried(best + "。", back) if len(best) > len(text) + 1 else None
    return None


def _person(before: Sequence[str], text: str) -> Carried | None:
    if not re.match(r"[他她](?!们|的)", text):
        return None
    for back, prior in enumerate(reversed(before[-REACH // 2 :]), 1):
        named = {t.name for t in titled_people(prior)}
        if named:
            return Carried(named.pop() + text[1:] + "。", back) if len(named) == 1 else None
    return None


def _place(text: str, document: str) -> Carried | None:
    found = _ALL.search(text)
    if found is None:
        return None
    whole = found["whole"]
    if whole[1] == "市":
        seen = Counter(
            c for c in re.findall(r"[一-鿿]{2,3}?(?=市(?!场|民|值|区|委))", document) if c in CITIES or document.count(c) > 3
        )
        seen.update(c for c in CITIES if c in document for _ in range(document.count(c)))
    elif whole[1] == "省":
        seen = Counter(re.findall(_PROVINCES, document))
    else:
        seen = Counter(
            w.text for w in words(document[:600]) if w.flag == "ns" and w.text.endswith(whole[1]) and len(w.text) > 2
        )
    top = seen.most_common(2)
    if not top or top[0][1] < 2 or (len(top) > 1 and top[1][1] > 0.5 * top[0][1]):
        return None
    name = top[0][0]
    if name in text:
        return None
    return Carried(text[: found.start("whole")] + name + "全" + whole[1] + text[found.end("whole") :] + "。", 0)


def _figure(before: Sequence[str], text: str) -> Carried | None:
    start, end = clauses(text)[0]
    head = text[start:end]
    if not _MEASURE.search(head) or is_named(head) or re.match(r"[\d截]", head) or starts_unnamed(text):
        return None
    for back, prior in enumerate(reversed(before[-REACH:]), 1):
        said = trimmed(prior)
        if said is None:
            continue
        for a, b in clauses(said)[:3]:
            told = _OF.match(said[a:b])
            name = told["place"] if told else _leading_name(said[a:b])
            after = next((w for w in words(said[a:b]) if told and w.start >= told.end()), None)
            if after is not None and (after.flag.startswith("n") and is_named(after.text)):
                name = None
            if name and _MEASURE.search(said[a:b]):
                when = _TIME.match(said) or _TIME.search(said[a:b]) or (_TIME.match(said[a:b][len(name) :]))
                return Carried(f"{when[0] + '，' if when else ''}{name}{text}。", back)
    return None


def _leading_name(clause: str) -> str | None:
    """The name that a clause about a figure opens with: the nouns before its time or its measure."""
    taken = ""
    for word in words(_TIME.sub("", clause, count=1).lstrip("，")):
        if (word.flag[0] not in "nj" and word.flag not in ("eng", "vn", "b")) or (taken and _MEASURE.search(word.text)):
            break
        taken += word.text
    return taken if 2 <= len(taken) <= 12 and is_named(taken) and not _MEASURE.search(taken) else None
