"""What Chinese texts call their people, companies and works: posts before names (外交部发言人某某), and copulas and appositives
that describe a name without saying it. An implicit question says the description instead of the name."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from core.offline.chinese_sentences import Word, words
from core.offline.chinese_subjects import is_named

_POSTS = (
    "首席经济学家|首席执行官|首席科学家|首席分析师|董事会秘书|总设计师|总工程师|总经理|董事长|监事长|国务卿|"
    "发言人|总领事|秘书长|理事长|总编辑|主教练|总教练|创始人|检察长|CEO|总裁|行长|院长|校长|省长|市长|县长|"
    "区长|镇长|州长|总督|部长|司长|局长|厅长|署长|主任|总统|总理|首相|外长|防长|财长|大使|馆长|会长|主席|书记|"
    "社长|台长|站长|所长|院士|队长|总监|导演|编剧|议长|团长|董秘"
)
_POST = re.compile(rf"(?:{_POSTS})$")
_ONE_OF_MANY = re.compile(
    r"副|前任|前[总主省市校院首局部外馆]|原|助理|名誉|常务|代理|候任|新任|代表|委员$|院士|队长|总监|导演|编剧|发言人|时任|大使馆|等|兼|首席分析师|站长"
)
_ORGANISATION_WORDS = frozenset(
    ("n", "ns", "nt", "nz", "j", "vn", "b", "eng", "nr", "nrt", "l", "nrfg", "ng", "an", "f", "i", "s", "q")
)
_FOREIGN = re.compile(r"[一-鿿]{1,7}(?:[·・][一-鿿]{1,8}){1,3}")
_AFTER_NAME = re.compile(r"[，。、在说表出一等率主作向为致宣指介强认回会发到来参与和与带及同对于称透当]|$|\d")
_GENERIC = re.compile(
    r"^(?:公司|集团|市|省|区|县|该|其|本|会|校|院|局|镇|州|州委|学校|医院|中心|协会|委员会|党委|支部|街道|大会|"
    r"组委会|村|部门|媒体|现任|现|新|老|各|两|双方|董事会|基金会|领导)"
)


class Titled(NamedTuple):
    """A person with a post, as a text says it."""

    name: str
    post: str
    """With its organisation: 栖云市图书馆馆长."""
    start: int
    """First code point of the post within the text."""


def titled_people(text: str) -> list[Titled]:
    """Everyone named right after a post with its organisation, in order."""
    found: list[Titled] = []
    tagged = words(text)
    for at, word in enumerate(tagged):
        if not _POST.search(word.text):
            continue
        name = _name_after(text, word.end, tagged[at + 1 :])
        first = at
        while first > 0 and _belongs(tagged[first - 1]):
            first -= 1
        post = text[tagged[first].start : word.end]
        if name and 5 <= len(post) <= 26 and not _GENERIC.match(post) and _is_placed(tagged[first:at]):
            found.append(Titled(name, post, tagged[first].start))
    return found


def _name_after(text: str, end: int, following: Sequence[Word]) -> str | None:
    foreign = _FOREIGN.match(text, end)
    if foreign:
        name = foreign[0]
        for cut in (
            "表示",
            "说",
            "在",
            "出席",
            "率",
            "指出",
            "宣布",
            "会见",
            "发表",
            "对",
            "称",
            "日前",
            "和",
            "与",
            "将",
            "当地",
            "于",
        ):
            if cut in name.split("·")[-1][1:]:
                name = name[: name.rindex(cut)]
        return name
    if (
        following
        and following[0].flag == "nr"
        and 2 <= len(following[0].text) <= 3
        and _AFTER_NAME.match(text, following[0].end)
    ):
        return following[0].text
    return None


def _belongs(word: Word) -> bool:
    return word.flag in _ORGANISATION_WORDS and word.text not in "，、的“”《》" and not re.fullmatch(r"[\d年月日]+", word.text)


def _is_placed(organisation: Sequence[Word]) -> bool:
    """Whether the organisation is named: a place, an institution or a Latin word opens or stands in it."""
    return is_named("".join(w.text for w in organisation))


def holds_one_person(post: str) -> bool:
    """Whether a post has one holder at a time, so that it can be asked for: 馆长 has, 副馆长 has not."""
    return not _ONE_OF_MANY.search(post)


def titles_in(text: str) -> dict[str, str]:
    """A person's post and full name, by the name and by the last part of a foreign name."""
    found: dict[str, str] = {}
    for name, post, _ in titled_people(text):
        found.setdefault(name, post + name)
        if "·" in name:
            found.setdefault(name.split("·")[-1], post + name)
    return found


_KINDS = (
    (r"(?:银行)$", "那家银行"),
    (r"(?:公司|集团|企业|股份|科技|高新|证券|能源)$", "那家公司"),
    (r"(?:大学|学院)$", "那所高校"),
    (r"(?:医院)$", "那家医院"),
    (r"(?:法院)$", "那家法院"),
    (r"(?:协会|学会|基金会|商会|联盟)$", "那个组织"),
    (r"(?:大会|博览会|运动会|大运会|亚运会|进博会|文化节|电影节|音乐节|艺术节)$", "那届盛会"),
    (r"(?:制|制度)$", "那项制度"),
    (r"(?:展|展览)$", "那场展览"),
    (r"(?:赛|联赛|锦标赛|杯)$", "那项赛事"),
    (r"(?:典礼|仪式)$", "那场仪式"),
    (r"(?:队)$", "那支队伍"),
    (r"(?:奖)$", "那个奖项"),
    (r"(?:节)$", "那场盛会"),
    (r"(?:河|江)$", "那条河"),
    (r"(?:岛)$", "那座岛屿"),
    (
        r"^(?:浙江|江苏|山西|山东|河南|河北|湖南|湖北|广东|广西|云南|"
        r"贵州|四川|陕西|甘肃|青海|安徽|江西|福建|吉林|辽宁|海南|黑龙江)$",
        "那个省份",
    ),
    (r"(?:全会|大会|例会|动员会|论坛|峰会|会议|研讨会|座谈会|发布会|吹风会)$", "那场会议"),
    (r"(?:活动|行动|计划)$", "那项活动"),
    (r"(?:项目|工程)$", "那个项目"),
    (r"(?:基地|园区|中心|学校|中学|小学)$", "那个单位"),
    (r"(?:平台|系统|软件)$", "那个平台"),
    (r"(?:公园|古镇|博物馆|图书馆|美术馆|体育馆|剧院|大桥|水库|机场)$", "那处场所"),
    (r"(?:高铁|铁路|公路|高速|地铁|隧道|隧洞|线)$", "那条线路"),
    (r"(?:台风)“[^”]+”$", "那个台风"),
    (r"(?:基金)$", "那家机构"),
    (r"(?:局集团|车站|站)$", "那家单位"),
    (r"(?:省)$", "那个省"),
    (r"(?:市)$", "那座城市"),
    (r"(?:区)$", "那个区"),
    (r"(?:县)$", "那个县"),
    (r"(?:镇|乡|村|街道)$", "那个地方"),
    (r"(?:邮轮|货轮|船)$", "那艘船"),
    (r"(?:局|部|厅|委员会|办公室|研究院|研究所|总会|海关|消防救援支队|公安)$", "那个机构"),
    (r"(?:电影|影片)《[^》]+》$", "那部电影"),
    (r"(?:电视剧|剧集)《[^》]+》$", "那部电视剧"),
)
"""Endings of names and the words that stand for a thing so called; the first that fits counts."""
_VERBLESS = re.compile(
    r"(?:称|表示|显示|指出|介绍|认为|强调|透露|提出|说|要求|获悉|明确|发现|宣布|看来|为例|等|下|后|时|中|上|前|"
    r"来|以来|而言|期间|过程|方面|说道|情况|作用)$"
)
_PREDICATE_START = re.compile(r"^(?:将是|以|对|[，的之、和与及等中内上里]|方面|时|后|前)")


def kind_of(name: str, post: str = "") -> str | None:
    """The words that stand for a name of that kind (那家公司, 那位馆长); None when its kind cannot be told."""
    if post:
        return f"那位{_POST.search(post)[0]}" if _POST.search(post) else "那位人士"  # type: ignore[index]
    if len(name) == 3 and words(name)[0].flag == "nr" and len(words(name)) == 1:
        return "那个人"
    for pattern, words_for_it in _KINDS:
        if re.search(pattern, name):
            return words_for_it
    return None


def as_relative(name: str, clause: str, kind: str) -> str | None:
    """The clause about a name, turned into words for it: 某公司于2019年收购了某厂 -> 于2019年收购了某厂的那家公司."""
    at = clause.find(name)
    if at < 0 or at > 14:
        return None
    lead, predicate = clause[:at], clause[at + len(name) :]
    if (lead and not re.fullmatch(r"[\d年月日至到截—上下半今]+|截至[\d年月日]+", lead)) or _PREDICATE_START.match(predicate):
        return None
    copula = re.match(r"^(?:就)?(?:是|为|系)(?:一[个座家所部位项条款]|)(?P<words>.*)$", predicate)
    if copula and copula["words"]:
        predicate = copula["words"]
        tail = re.search(r"的([^的]{1,8})$", predicate)
        return predicate if tail and 6 <= len(predicate) <= 32 and "之一" not in predicate and _tells(predicate) else None
    following = next((w for w in words(clause) if w.start >= at + len(name)), None)
    if (
        following is None
        or following.flag[0] not in "vdpa"
        or following.flag in ("vn", "an", "ad")
        or following.text in ("为", "对")
    ):
        return None
    predicate = re.sub(r"^(?:也|还|则|均|都|便|就|又)", "", predicate)
    predicate = re.sub(r"了$", "", predicate)
    if not 6 <= len(predicate) <= 34 or _VERBLESS.search(predicate) or not _tells(predicate):
        return None
    return f"{lead}{predicate}的{kind}"


def _tells(predicate: str) -> bool:
    """Whether it says something that holds of one thing only: a figure, a name, a first or a most."""
    return len(predicate) >= 12 or is_telling(predicate)


def is_telling(words_said: str) -> bool:
    """Whether a figure, a name, a first or a most stands in the words."""
    if re.search(r"\d|[“《A-Za-z]|首[个家座条款部次支艘]|第一|最[大长高早小]|唯一", words_said):
        return True
    return is_named(words_said)


_CLASS = re.compile(
    r"^(?:该|此|本次|此次|本届|这次|这一|这个|这项|这场)?(?P<noun>项目|活动|平台|公司|集团|峰会|论坛|大会|会议|"
    r"博览会|研讨会|基地|工程|系统|医院|学校|大学|银行|中心|图书馆|博物馆|线路|计划|行动|"
    r"高铁|铁路|隧道|大桥|公园|展览|影片|电影|该片|剧集|比赛|赛事|联赛|基金|协会|邮轮|盛会|火箭|卫星)"
)


def called_again(text: str, name: str, is_person: bool) -> str | None:
    """The text with its opening 该公司, 此次论坛, 他 ... replaced by the name of that kind; None for another opening."""
    if is_person:
        return name + text[1:] if re.match(r"[他她](?!们|的)", text) else None
    found = _CLASS.match(text)
    if found is None or not (
        name.endswith(found["noun"]) or (found["noun"] in ("影片", "电影", "该片") and name.startswith(("电影", "影片")))
    ):
        return None
    return name + text[found.end() :]
