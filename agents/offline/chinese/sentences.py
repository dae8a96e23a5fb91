"""Prepares Chinese sentences for questions: removes bylines, attributions and asides, and finds clauses and words. Refuses
captions, lists, headings, advertisements, credits and speech."""

import re
from dataclasses import dataclass
from datetime import date

from core.text.chinese_names import TaggedWord, words

MIN_SENTENCE_CHARACTERS, MAX_SENTENCE_CHARACTERS = 14, 150
"""Minimum and maximum number of characters in a sentence that questions are built from, without its byline."""

_HEAD = re.compile(r"^.{0,40}?正文：\s*")
_BYLINE = re.compile(
    r"^(?:【[^】]{1,20}】|[^，。：“”]{0,40}?(?:\d日(?:电|讯|报道|消息)|(?:网|社|报|端|闻|客户端|APP)(?:讯|电|消息|报道))\s*"
    r"(?:[（(][^）)]{0,80}[）)])?[：—\-｜|]*\s*)"
)
_REPORTER = re.compile(r"^[^，。]{0,30}记者[^，。]{0,40}(?:获悉|了解到|注意到|看到|从[^，]{2,30}获悉)，")
_MID_REPORTER = re.compile(r"，(?:[^，]{0,10}记者|[一-鿿]{2,4}新闻)(?:\d+日)?从[^，]{2,30}(?:获悉|了解到)，")
_SOURCE = re.compile(
    r"^(?:据|根据)[^，。“”《》]{0,28}?(?:获悉|了解|介绍|报道|悉|消息|透露|称|说|通报|公告|官网|官微|统计|信息|"
    r"数据|显示|测定|网站|"
    r"预测|数据显示|介绍称)，|^(?:据悉|据了解|据介绍|据统计|据报道|数据显示|资料显示|公开资料显示|公开信息显示|"
    r"统计显示|报道称|资料称)，"
)
_SAID = re.compile(
    r"^[^，。“”]{0,40}?(?<!发布)(?<!公告)(?:表示|介绍|介绍说|介绍称|说|指出|称|透露|强调|认为|坦言|提到|提出|"
    r"写道|告诉记者|回应称|补充道|说道|谈到|直言|披露)，"
)
_SPOKEN = re.compile(
    r"^(?P<who>[^，。“”：]{2,36}?)(?:日前|近日|今天|\d+日)?(?:在[^，：“]{2,24})?(?:时|中|上)?(?:向[^，]{2,12})?(?:进一步|还)?"
    r"(?:表示|介绍|介绍说|介绍称|说|指出|称|透露|强调|坦言|提到|披露|告诉记者)[，：]"
)
_LINK = re.compile(
    r"^(?:此外|另外|另悉|同时|值得一提的是|值得注意的是|值得关注的是|具体来看|具体而言|事实上|其实|一方面|"
    r"另一方面|而|并且|与此同时)，"
)
_ASIDE = re.compile(r"[（(][^（）()]*[）)]")
_UNSEEN = re.compile("[\u200b-\u200f\u2060\ufeff\u00ad]")
"""Pattern of zero-width characters, which are frequent in copied texts."""
_GLUED_TITLE = re.compile(r"^[^，。“”《》]{0,40}?(?:官网|官方网站|公开|工商)?(?:资料|信息)显示，")
_REFUSED = re.compile(
    r"责任编辑|责编|编辑[：:]|校对|来源[：:]|来源／|原标题|图片|图为|供图|图源|配图|资料图|摄影|摄$|视觉中国|"
    r"转自|转载|版权|免责|声明：|本文|下图|下表|见图|见表|"
    r"如图|扫码|扫描|二维码|点击|微信|公众号|关注我们|敬请|详询|热线|电话：|邮箱|http|www\.|@|▼|▲|↓|★|◆|■|●|#|"
    r"【|】|\||｜|敬告|投稿|"
    r"[?？!！…]|我们|我[的在是从想会要]|^我|你|您|咱|笔者|小编|本报|本网|通讯员|实习生|不构成|仅供|"
    r"某[某人男女公]|[一-鿿]某(?![种个些项条])|网友|"
    r"评论员|×|xx|XX|[^\d]：|：(?!\d)|如下|以下|分别|依次|前者|后者|上述|据此|其中|例如|比如|包括但不|或者|是否|"
    r"如果|一旦|假如|倘若|即便|"
    r"[一-鿿](?:\s+)[一-鿿]"
)
_PRONOUN_START = re.compile(
    r"^(?:他|她|它|其|该|此|本(?!田|溪|·|州)|双方|两国|两人|二人|三人|这|那|有的|有人|对方|当地|前述|各方|各地|"
    r"各国|大家|人们|上(?!海|饶|汽|合|交|半年)|全市(?!场)|全省|全区|"
    r"全县|全州|全校|全馆|市政府|省政府|区政府|县政府|市委|省委|区委|县委|会议|会上|会后|活动|现场|公司|集团|"
    r"项目|报告|报道|文章|文件|通知|公告|声明|"
    r"数据|结果|消息|另|还|也|并|且|但|而|却|则|因此|所以|于是|不过|然而|如|又|再|即|及|与|和|以及|从而|进而|使|"
    r"让|令|将|已|均|都|共|总|占|为(?![^，]{4,40}，)|是|有|至|"
    r"届时|其他|其余|相关|有关|与会|与此|对此|为此|由此|因而|随着|除了|不仅|只有|只要|无论|尽管|虽然|警方|法院|"
    r"检方|医院|学校|官方|政府|目前为止|方面|"
    r"原告|被告|家属|男子|女子|受害|嫌疑|店主|老板|老人|孩子|家长|市民|业内|业界|分析|专家|部分|多[家名位地个]|"
    r"[一二两三四五六七八九十几数]+[个名位家项种条大款座艘起场架部张]|第[一二三四五六七八九十](?![一二三四五六七八九十]{0,2}(?:[届个家座]|季度)|(?<=第一)[部件条款位名所])|"
    r"首先|其次|最后|之后|之前|后来|随即|期间|年初|年末|年底|月底|不少|许多|大量|众多|一些|所有|每|自己|自此|"
    r"以此|可以|能够|经过|通过|经|在此|在这|按照|按)"
)
_PAIRS = (("“", "”"), ("《", "》"), ("（", "）"), ("(", ")"), ("‘", "’"), ("「", "」"))


@dataclass(frozen=True, slots=True)
class PreparedSentence:
    """A Chinese sentence that is prepared for building questions, with its clauses and words."""

    number: int
    """Number of the sentence in the numbered sentences shown, from 1."""
    text: str
    """Text of the sentence without byline, attribution, asides and the final full stop."""
    original: str
    clauses: tuple[tuple[int, int], ...]
    """Clauses of the sentence, which are the parts between commas, each as (start, end) offsets in `text`."""
    words: tuple[TaggedWord, ...]
    published: date | None
    document: str
    """Id of the document that contains the sentence."""

    def clause_at(self, position: int) -> int:
        """Return the index of the clause that contains the character at `position`."""
        return next(i for i, (_, end) in enumerate(self.clauses) if position <= end)


def prepare(number: int, original: str, published: date | None, document: str) -> PreparedSentence | None:
    """Return the sentence prepared for building questions, or None if no question should be built from it."""
    text = trim_sentence(original)
    if text is None or starts_unnamed(text):
        return None
    return PreparedSentence(number, text, original, clauses(text), words(text), published, document)


def trim_sentence(original: str) -> str | None:
    """Return the sentence without byline, attribution, asides and full stop, or None for a caption, list, speech, advertisement
    or credit."""
    if not original.rstrip().endswith(("。", "；", "。）", ".")):
        return None
    text = re.sub(r"([一-鿿]{6,})\1", r"\1", _UNSEEN.sub("", original).strip()).rstrip("。；;.")
    text = re.sub(r"^[）)】》”\s]+", "", _HEAD.sub("", text))
    for _ in range(2):
        text = _BYLINE.sub("", text, count=1).strip()
    text = drop_attribution(text)
    text = _ASIDE.sub("", text).strip().replace(",", "，") if not re.search(r"\d,\d", text) else _ASIDE.sub("", text).strip()
    if not MIN_SENTENCE_CHARACTERS <= len(text) <= MAX_SENTENCE_CHARACTERS or _REFUSED.search(text) or not is_balanced(text):
        return None
    if text.count("、") > 5 or re.search(
        r"\s{2,}|^\d+[.、．]|^[一二三四五六七八九十]+[、是]|^第[一二三四五六七八九十]，", text
    ):
        return None
    return text


def drop_attribution(text: str) -> str:
    """Return the text without its attribution to a source (记者从...获悉, 据...介绍, 某某表示) and without a leading 此外 or
    另外."""
    for _ in range(3):
        before = text
        for pattern in (_REPORTER, _GLUED_TITLE, _SOURCE, _SAID, _LINK):
            text = pattern.sub("", text, count=1)
        if text == before:
            break
    return _MID_REPORTER.sub("，", text).strip("，")


def speaker_of(original: str) -> str | None:
    """Return the speaker of a sentence of reported speech, which is the words before 表示 or 介绍, or None if the sentence
    reports no speech."""
    match = _SPOKEN.match(_REPORTER.sub("", headless(original)))
    return match["who"] if match else None


def headless(original: str) -> str:
    """Return the sentence without its time stamp, byline and asides, but with attributions to a source (某某表示)."""
    text = _BYLINE.sub("", _HEAD.sub("", _UNSEEN.sub("", original).strip().rstrip("。；;.")), count=1)
    return _ASIDE.sub("", text).strip()


def starts_unnamed(text: str) -> bool:
    """Return whether the sentence begins with a word that refers to something outside the sentence (他, 该, 双方, 会议 ...)."""
    return bool(_PRONOUN_START.match(text))


def is_balanced(text: str) -> bool:
    """Return whether the text closes every quotation mark, title mark and bracket that it opens."""
    return all(text.count(a) == text.count(b) for a, b in _PAIRS)


def clauses(text: str) -> tuple[tuple[int, int], ...]:
    """Return the clauses of the text as (start, end) offsets: its parts between commas or semicolons, except those within
    quotations, titles and brackets."""
    spans: list[tuple[int, int]] = []
    start = depth = 0
    for at, character in enumerate(text):
        depth += (character in "“《（(「‘") - (character in "”》）)」’")
        if character in "，；" and depth == 0:
            spans.append((start, at))
            start = at + 1
    spans.append((start, len(text)))
    return tuple((a, b) for a, b in spans if b > a)
