"""Finds names in Chinese text, and splits such text into words with their parts of speech."""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from core.load_once import load_once
from core.text.scripts import HAN_CHARACTER
from core.text.words import jieba_tokenizer

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
"""Characters with which the names of Chinese persons begin (surnames)."""

FOREIGN = (
    "阿埃艾安奥巴班贝本比彼波勃博布查达戴丹德登迪蒂丁杜顿厄恩尔法菲费芬弗佛盖格戈古哈汉豪赫亨霍基吉杰卡凯坎康考科克肯库拉莱兰朗劳勒雷里利莉丽隆卢"
    "鲁伦罗洛马玛迈麦曼梅门蒙米莫默姆穆娜纳尼涅努诺欧帕潘佩皮普奇乔琼瑞萨塞森沙舍施史斯丝苏索塔泰坦汤特提图托瓦威韦维温沃乌西希锡肖谢辛休雅亚扬耶"
    "伊尤泽扎詹珍茱兹佐"
)
"""Characters that are used to write foreign names in Chinese."""

_NAMED_BY_ENDING = re.compile(
    r"(?P<stem>[一-鿿]{2,6}?)(?:市|县|省|镇|大学|学院|中学|小学|公司|集团|银行|医院|法院|检察院|图书馆|博物馆|"
    r"美术馆|剧院|剧团|电视台|"
    r"出版社|研究院|研究所|大桥|船厂|水库|公园|协会|基金会|水务局|交通局|教育局|文化馆|日报|书店|车站|港|"
    r"号)(?![一-鿿]{0,1}[场政])"
)

_COMMON_END = re.compile(r"(?:城镇|乡镇|村镇|城市|都市|门市|股市|楼市|超市|夜市|车市|上市|入市)$")

_GENERIC_STEM = re.compile(
    r"(?:有限|股份|上市|相关|有关|地方|当地|[一二两三四五六七八九十几多数各该本这那某全]家?|控股|外资|国有|民营|"
    r"保险|物流|商业|人民|中级|高级|公立|民办|"
    r"社区|基层|三甲|自治|直辖|地级|省会|沿海|县级|集体|食品|科技|互联网|基金|投资|医药|房地产|所在|参与|部分|"
    r"许多|大型|母|子|分|总)$"
)

_GLUED = "由向于对与和被把将在从"
"""Prepositions that the tagger jieba mistakes for the first character of an unknown name."""


@dataclass(frozen=True, slots=True)
class TaggedWord:
    """A word of a Chinese text, with the part-of-speech tag that jieba gives it."""

    text: str
    flag: str
    start: int
    """Offset of the word's first code point in the text."""
    is_new: bool = False
    """Whether jieba's dictionary does not contain the word; most such words are names."""

    @property
    def end(self) -> int:
        return self.start + len(self.text)


def find_certain_names(text: str) -> list[str]:
    """Return the names in a Chinese text that are certain to be names, each once: titles in 《》, foreign names (recognised by
    their characters) and persons (by their surnames)."""
    names = dict.fromkeys(re.findall(rf"《[^》]{{2,20}}》|[{FOREIGN}]{{2,8}}(?:·[{FOREIGN}]{{2,8}})+", text))
    names |= dict.fromkeys(re.findall(rf"(?<![{FOREIGN}·])[{FOREIGN}]{{3,8}}(?![{FOREIGN}·])", text))
    for word in words(text):
        is_person = word.flag == "nr" and len(word.text) == 3 and word.text[0] in SURNAMES
        if is_person and not any(word.text in name for name in names):
            names[word.text] = None
    return list(names)


def names_by_ending(text: str) -> list[str]:
    """Return the names in a Chinese text that end in words such as 市, 公司 or 大学."""
    names = _NAMED_BY_ENDING.finditer(text)
    return [name[0] for name in names if not (_GENERIC_STEM.search(name["stem"]) or _COMMON_END.search(name[0]))]


@lru_cache(maxsize=4_096)
def words(text: str) -> tuple[TaggedWord, ...]:
    """Return the words of a Chinese text with their parts of speech, in order; joined, they are the text."""
    tagged: list[TaggedWord] = []
    at = 0
    tag, known = _tagger()
    for word, flag in tag(text):
        is_new = word not in known and bool(HAN_CHARACTER.match(word))
        if is_new and len(word) > 2 and word[0] in _GLUED:
            tagged += [TaggedWord(word[0], "p", at), TaggedWord(word[1:], flag, at + 1, True)]
        elif is_new and len(word) == 2 and word[1] == "在":
            tagged += [TaggedWord(word[0], "n", at, True), TaggedWord("在", "p", at + 1)]
        else:
            tagged.append(TaggedWord(word, flag, at, is_new))
        at += len(word)
    return tuple(tagged)


@load_once()
def _tagger() -> tuple[Callable[[str], Iterable[Any]], Mapping[str, int]]:
    """Return jieba's tagger and dictionary, loaded from this project's own cache instead of jieba's temporary folder, which all
    users share."""
    from jieba import posseg

    posseg.dt.tokenizer = jieba_tokenizer()
    return posseg.dt.cut, posseg.dt.tokenizer.FREQ
