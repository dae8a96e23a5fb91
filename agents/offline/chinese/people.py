"""Finds people in Chinese texts who are named after a post (外交部发言人某某),
and determines which posts only one person holds."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from agents.offline.chinese.subjects import is_named
from core.text.chinese_names import SURNAMES, TaggedWord, words

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
    r"^(?:公司|集团|市|省|区|县|该|其|本|会|校|院|局|镇|州|州委|学校|医院|中心|协会|委员会|党委|支部|街道|大会|中国队|客队|主队|球队|"
    r"组委会|村|部门|媒体|现任|现|新|老|各|两|双方|董事会|基金会|领导)"
)


class TitledPerson(NamedTuple):
    """A person who is named with a post (an office), as written in a text."""

    name: str
    post: str
    """Post of the person with its organisation, such as 栖云市图书馆馆长 (director of the Qiyun city library)."""
    start: int
    """Offset in the text of the first character of the post."""


def titled_people(text: str) -> list[TitledPerson]:
    """Return, in order, all people whom the text names directly after a post and its organisation."""
    people: list[TitledPerson] = []
    tagged = words(text)
    for at, word in enumerate(tagged):
        if not _POST.search(word.text):
            continue
        name = _name_after(text, word.end, tagged[at + 1 :])
        first = at
        while first > 0 and _is_organisation_word(tagged[first - 1]):
            first -= 1
        post = text[tagged[first].start : word.end]
        if name and 5 <= len(post) <= 26 and not _GENERIC.match(post) and _is_placed(tagged[first:at]):
            people.append(TitledPerson(name, post, tagged[first].start))
    return people


def _name_after(text: str, end: int, following: Sequence[TaggedWord]) -> str | None:
    foreign = _FOREIGN.match(text, end)
    if foreign:
        name = foreign[0]
        if re.search(r"顾问|特使|秘书|夫人|办公室|部长|总统", name.split("·")[0]):
            return None
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
            "是",
            "前",
            "接",
            "于",
            "近",
            "当",
            "今",
            "昨",
            "已",
        ):
            if cut in name.split("·")[-1][1:]:
                name = name[: name.rindex(cut)]
        return name
    if following and following[0].flag == "nr" and 2 <= len(following[0].text) <= 3:
        name = following[0].text
        sure = len(name) == 3 and name[0] in SURNAMES and (len(following) == 1 or following[1].flag[0] not in "n")
        if sure or _AFTER_NAME.match(text, following[0].end):
            return name
    return None


def _is_organisation_word(word: TaggedWord) -> bool:
    return word.flag in _ORGANISATION_WORDS and word.text not in "，、的“”《》" and not re.fullmatch(r"[\d年月日]+", word.text)


def _is_placed(organisation: Sequence[TaggedWord]) -> bool:
    """Return whether the words name a particular organisation, because they contain a place, an institution or a word in Latin
    letters."""
    return is_named("".join(w.text for w in organisation))


def holds_one_person(post: str) -> bool:
    """Return whether only one person holds the post at a time, so that a question can ask for that person: true for 馆长,
    not for 副馆长."""
    return not _ONE_OF_MANY.search(post)


def titles_in(text: str) -> dict[str, str]:
    """Return a dict from each person's name to their post and name as one text; the last part of a foreign name is a key
    too."""
    titles: dict[str, str] = {}
    for name, post, _ in titled_people(text):
        titles.setdefault(name, post + name)
        if "·" in name:
            titles.setdefault(name.split("·")[-1], post + name)
    return titles
