"""Finds the subject of a Chinese clause, which is the words before its verb, and determines whether a reader can identify what
the subject names."""

import re

from agents.offline.chinese.sentences import PreparedSentence
from core.text.chinese_names import SURNAMES, TaggedWord, names_by_ending
from core.text.chinese_names import words as tagged

_NO_NAMES = frozenset(
    [
        "股份制",
        "商业银行",
        "独角兽",
        "白领",
        "互联网",
        "新能源",
        "多国",
        "多地",
        "华人",
        "汉族",
        "高新区",
        "开发区",
        "专精特新",
        "新华社",
        "中新社",
        "人民网",
        "中新网",
        "马路",
        "阿姨",
        "关键",
        "高铁",
        "小康",
        "明星",
        "高温",
        "安全",
        "全面",
        "谷物",
        "党建",
        "马上",
        "单位",
        "阴凉",
        "黄金",
        "归母",
    ]
)
_NAME_FLAGS = frozenset(("nr", "ns", "nt", "nz", "nrt", "nrfg", "eng"))


VERB_TAKEN_FOR_NOUN = re.compile(
    r"印发|毕业|公开审理|起草|揭牌|开幕|开馆|首发|首映|涨|跌|营收|实现|新增|荣获|夺得|获评|签约|登陆"
)
"""Pattern of words that the tagger jieba marks as nouns or names but that news texts use as verbs."""
_STOP_FLAGS = frozenset(("v", "vd", "vi", "vq", "vshi", "vyou", "d", "p", "r", "zg", "df", "c"))
_TIME_LEAD = re.compile(
    r"^(?:(?:截至|截止|自|从|在|于|到|早在)(?=\d))?(?:\d{4}[年—-])?(?:前)?(?:\d{1,2}月(?:份|底|初|末|中旬|上旬|"
    r"下旬)?)?(?:\d{1,2}日)?"
    r"(?:[至到—-](?:\d{1,2}月)?\d{1,2}日|[至到—-]\d{1,2}月)?(?:上午|下午|晚间|晚上|晚|凌晨|中午|早上|清晨|夜间|"
    r"\d{1,2}[时点：]\d{0,2}分?许?)*(?:上半年|下半年|第?[一二三四]季度|年?底|年?末|年?初|暑期|暑假|以来|起|时|"
    r"前|后|来|间|度|期间)*(?:今年|去年)?(?:以来)?(?:，|$)?"
)

_TIME_TAIL = re.compile(
    r"(?:(?:\d{4}年)?(?:\d{1,2}月)?(?:\d{1,2}日)?(?:上午|下午|晚间|晚上|晚|凌晨|中午|早上|早晨|清晨|傍晚|夜间)?|[今昨明当][天日晚晨]|同日|"
    r"近日|日前|近期|最近)$"
)
_OFFICES = re.compile(
    r"国家[一-鿿]{1,8}(?:委|局|署|厅|院)|国务院|[一-鿿]{2,6}(?:总局|总署)|国防部|中宣部|发改委|中央[一-鿿]{2,8}(?:部|委|办|台)|最高(?:人民)?[法检]|(?:公安|教育|财政|"
    r"商务|外交|国防|民政|"
    r"司法|水利|农业农村|交通运输|生态环境|自然资源|工业和信息化|人力资源社会保障|人力资源和社会保障|文化和旅游|应急管理|住房城乡建设|住房和城乡建设|住建|工信|"
    r"人社|科技|科学技术)部|证监会|银保监会|海关总署|税务总局|外汇局"
)
"""Pattern of state offices that exist only once in the country."""

_NTH = re.compile(r"第[一二三四五六七八九十百\d]+届[一-鿿]{5,}")
_QUALIFIED = re.compile(r"(?:由|专门为|位于|来自|以)[^，的]{4,32}的(?=[一-鿿“《])")
"""Pattern of modifiers that may precede the subject of a clause: 由某某主办的, 以某某为主题的."""

_EVENT = re.compile(
    r"(?!(?:在|由|为|据|随着|记者)[^，]*)[^，的将由被把向对]{6,44}?(?:开幕式|首发式|签约仪式|启动仪式|揭牌仪式|开工仪式|发布会|研讨会|推介会|座谈会|论坛|邀请展|"
    r"大赛|艺术节|文化节|博览会|交流会|运动会|音乐会|夏令营|嘉年华|招商大会|颁奖典礼|锦标赛|联赛|峰会|年会|大会)"
    r"(?=[\d年月日上下午晚昨今]*(?:在|于|将|正式|举行|举办|召开|开幕|圆满|拉开|启动|落幕|闭幕|开赛))"
)
"""Pattern of an event's name before its predicate; verbs inside the name are not the verb of the clause."""


def subject_of(sentence: PreparedSentence, index: int, start: int | None = None) -> str | None:
    """Return the subject of a clause: its words before the first verb, adverb or preposition, without a leading time; None if
    there are no such words or the last of them is not a noun."""
    begin, end = sentence.clauses[index]
    begin = begin if start is None else start
    lead = _TIME_LEAD.match(sentence.text[begin:end])
    begin += lead.end() if lead else 0
    qualified = _QUALIFIED.match(sentence.text, begin, end)
    opening, begin = (qualified[0], qualified.end()) if qualified else ("", begin)
    event = _EVENT.match(sentence.text, begin, end)
    if event:
        return opening + event[0]
    taken: list[TaggedWord] = []
    depth = 0
    for word in (w for w in sentence.words if begin <= w.start < end):
        depth += (word.text in "“《") - (word.text in "”》")
        if not taken and word.text in ("庆祝", "纪念"):
            taken.append(word)
            continue
        if (
            depth == 0
            and word.text not in "”》"
            and _ends_subject(word)
            and not (word.text in ("驻", "级", "所", "年") and taken)
        ):
            break
        taken.append(word)
    said = "".join(w.text for w in taken)
    timeless = len(_TIME_TAIL.sub("", said))
    taken = [w for w in taken if w.end <= taken[0].start + timeless]
    if not taken:
        return None
    last = taken[-1]
    is_noun = last.flag[0] in "njxels" or last.flag in ("vn", "an", "m", "q", "nr")
    return opening + "".join(w.text for w in taken) if is_noun else None


def _ends_subject(word: TaggedWord) -> bool:
    """Return whether the subject of a clause ends before `word`. Morphemes (tag vg) and nominal verbs (tag vn) do not end the
    subject; verbs that the tagger marks as nouns do."""
    if word.flag in _STOP_FLAGS or word.text in ("将", "已", "被", "由", "于"):
        return True
    return (word.flag[0] == "v" and word.flag not in ("vn", "vg")) or VERB_TAKEN_FOR_NOUN.fullmatch(word.text) is not None


def is_named(text: str) -> bool:
    """Return whether a reader can identify what the words refer to, because they contain a name, a title or a word in Latin
    letters."""
    if re.search(r"[“《][^”》]{2,}[”》]|[A-Za-z]{2,}", text) or (re.search(r"我国|中国|全国|全球", text) and len(text) > 3):
        return True
    return bool(_OFFICES.search(text) or _NTH.search(text) or names_in_text(text))


def names_in_text(text: str) -> frozenset[str]:
    """Return the proper names in a Chinese text: words tagged as names, unknown words, and words before 市, 公司, 大学 ..."""
    return frozenset({w.text for w in tagged(text) if _is_name(w)} | set(names_by_ending(text)))


def _is_name(word: TaggedWord) -> bool:
    if len(word.text) < 2 or word.text in _NO_NAMES or word.flag not in _NAME_FLAGS:
        return False
    return word.flag != "nr" or word.is_new or word.text[0] in SURNAMES
