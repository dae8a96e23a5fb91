"""What a Chinese clause is about: the words before its verb, and whether they name something that a reader can tell."""

import re

from core.offline.chinese_sentences import Prepared, Word
from core.offline.chinese_sentences import words as tagged

SURNAMES = frozenset(
    "赵钱孙李周吴郑王冯陈褚卫蒋沈韩杨朱秦尤许何吕施张孔曹严华金魏陶姜戚谢邹喻柏水窦章云苏潘葛范彭郎鲁韦马苗凤方"
    "俞任袁柳唐罗薛伍余米贝姚孟顾尹江钟汪祁毛"
    "狄成戴谈宋茅庞熊纪舒屈项祝董梁杜阮蓝闵席季贾路娄江童颜郭梅盛林刁徐邱骆高夏蔡田樊胡凌霍虞万支柯管卢莫房解应"
    "宗丁宣邓郁单杭洪包左石崔吉龚程邢裴陆荣翁"
    "荀甄封储靳段焦巴牧隗山谷车侯全班秋仲伊宫宁仇栾甘厉戎祖武符刘景詹束龙叶幸司韶郜黎蓟薄印宿白怀蒲邰鄂索咸籍赖"
    "卓蔺屠蒙池乔阴胥苍双闻党翟谭贡劳姬申扶堵冉宰郦雍"
    "璩桑桂濮牛寿通边扈燕冀郏浦尚农温别庄晏柴瞿阎充慕连茹习宦艾鱼容向古易慎戈廖庾终暨居衡步都耿满弘匡国文寇广禄"
    "阙东欧殳沃利蔚越夔隆师巩厍聂晁勾敖融冷訾辛阚那简饶"
    "空曾沙鞠须丰巢关蒯相查荆红游竺权逯盖益桓公肖岳付代晋楚闫覃占候佟亓仝逄揭蹇么朴"
)
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
_STOP_FLAGS = frozenset(("v", "vd", "vi", "vq", "vshi", "vyou", "d", "p", "r", "zg", "df", "c"))
_TIME_LEAD = re.compile(
    r"^(?:(?:截至|截止|自|从|在|于|到|早在)(?=\d))?(?:\d{4}[年—-])?(?:前)?(?:\d{1,2}月(?:份|底|初|末|中旬|上旬|"
    r"下旬)?)?(?:\d{1,2}日)?"
    r"(?:[至到—-](?:\d{1,2}月)?\d{1,2}日|[至到—-]\d{1,2}月)?(?:上午|下午|晚间|晚上|晚|凌晨|中午|早上|清晨|夜间|"
    r"\d{1,2}[时点：]\d{0,2}分?许?)*(?:上半年|下半年|第?[一二三四]季度|年?底|年?末|年?初|暑期|暑假|以来|起|时|"
    r"前|后|来|间|度|期间)*(?:今年|去年)?(?:以来)?(?:，|$)?"
)


def subject_of(sentence: Prepared, index: int, start: int | None = None) -> str | None:
    """The words of a clause before its first verb, adverb or preposition, its opening time left out; None when there is none
    or when it does not end in a noun."""
    begin, end = sentence.clauses[index]
    begin = begin if start is None else start
    lead = _TIME_LEAD.match(sentence.text[begin:end])
    begin += lead.end() if lead else 0
    taken: list[Word] = []
    depth = 0
    for word in (w for w in sentence.words if begin <= w.start < end):
        depth += (word.text in "“《") - (word.text in "”》")
        if depth == 0 and word.text not in "”》" and _stops(word) and not (word.text in ("驻", "级", "所", "年") and taken):
            break
        taken.append(word)
    if not taken:
        return None
    last = taken[-1]
    return "".join(w.text for w in taken) if last.flag[0] in "njxels" or last.flag in ("vn", "an", "m", "q", "nr") else None


def _stops(word: Word) -> bool:
    return (
        word.flag in _STOP_FLAGS or (word.flag[0] == "v" and word.flag != "vn") or word.text in ("将", "已", "被", "由", "于")
    )


def is_named(words: str) -> bool:
    """Whether a reader could tell what the words mean: a name, a title or a Latin word is among them."""
    if re.search(r"[“《][^”》]{2,}[”》]|[A-Za-z]{2,}", words):
        return True
    if re.search(r"我国|中国|全国|全球", words) and len(words) > 3:
        return True
    return any(
        w.flag in _NAME_FLAGS and len(w.text) > 1 and (w.flag != "nr" or w.text[0] in SURNAMES) and w.text not in _NO_NAMES
        for w in tagged(words)
    )
