"""Clauses about a name, turned into words that stand for it: 某公司于2019年收购了某厂 -> 于2019年收购了某厂的那家公司.
The name may do something in its clause, have something done to it, be where something is held, or have its description
right before it."""

import re
from collections.abc import Iterator

from core.offline.chinese.sentences import words
from core.offline.chinese.subjects import is_named, names_in_text

_VERBLESS = re.compile(
    r"(?:称|表示|显示|指出|介绍|认为|强调|透露|提出|说|要求|获悉|明确|发现|宣布|看来|为例|等|下|后|时|中|上|前|"
    r"来|以来|而言|期间|过程|方面|说道|情况|作用)$"
)
_PLANNED = re.compile(r"将|要|应|可|会(?!见|晤)|正在|希望|计划|拟|需|继续|不断|积极|始终|一直|持续")
"""Openings of predicates that hold of many things or have not come about."""
_EVERYWHERE = frozenset(("中国", "我国", "全国", "全球", "中华民族", "中华", "世界"))
_TIME = r"(?:\d{4}年)?(?:\d{1,2}月)?(?:\d{1,2}日)?(?:上午|下午|晚)?"
_DONE = (
    "发布|印发|出台|推出|启动|举办|举行|召开|开展|成立|设立|建立|上演|出版|创办|建设|建造|研发|打造|开设|实施|签署|公布|组织|主办|承办|发起|"
    "收购|推行|投资|拍摄|创作|开通|设置|制定|发射|修订"
)
_MEASURED = re.compile(
    r"(?!方面)(?:上半年|全年|第?[一二三四]季度|前\d个?月)?[^，\d的]{2,18}?(?:为|达到?|完成|实现|突破|超过?|同比增长|同比下降|增长|下降|下跌|上涨|收跌|收涨|下挫|同比|总额|总值)?(?:了|约)?"
    r"\d[\d.]*(?:[千百万亿]*(?:元|美元|欧元|人次|吨|件|家|户|人|平方公里|公里)|[%％])(?=$|，)"
)
"""A measure with its figure: it tells one place or company from others."""
_PREDICATE_START = re.compile(r"^(?:将是|以(?![^，]{2,20}为)|对|[，的之、和与及等中内上里]|方面|时|后|前)")


def as_relative(name: str, clause: str, kind: str) -> str | None:
    """The clause about a name, turned into words for it: 某公司于2019年收购了某厂 -> 于2019年收购了某厂的那家公司."""
    at = clause.find(name)
    if at < 0 or at > 14:
        return None
    lead, predicate = clause[:at], clause[at + len(name) :]
    if (
        lead and not re.fullmatch(r"(?=.*[年月日])[\d年月日至到截—上下半今]+|截至[\d年月日]+|上半年", lead)
    ) or _PREDICATE_START.match(predicate):
        return None
    copula = re.match(r"^(?:就)?(?:是|为|系)(?:一[个座家所部位项条款]|)(?P<words>.*)$", predicate)
    if copula and copula["words"]:
        predicate = copula["words"]
        tail = re.search(r"的([^的]{1,8})$", predicate)
        tells = (len(predicate) >= 12 or is_telling(predicate)) and not re.search(
            r"贡献$|作用$|努力$|[了过]|倍$|之一|条件$|基础$", predicate
        )
        return predicate if tail and 6 <= len(predicate) <= 32 and "之一" not in predicate and tells else None
    following = next((w for w in words(clause) if w.start == at + len(name)), None)
    if following is None:
        return None
    if re.match(r"总部(?:位于|设在|坐落)", predicate) and len(predicate) > 7:
        return f"{lead}{predicate}的{kind}"
    if re.match(r"与[^，]{2,14}(?:相连|接壤|毗邻|交界)$", predicate):
        return f"{predicate}的{kind}"
    if (
        following.flag[0] in "nbtmjl"
        and not names_in_text(following.text)
        and (figure := _MEASURED.match(predicate.lstrip("，")))
        and not re.search(r"[、“《]", figure[0])
    ):
        return f"{lead}{figure[0]}的{kind}"
    if following.flag[0] not in "vdpa" or following.flag in ("vn", "an", "ad") or following.text in ("为", "对"):
        return None
    inside = [w for w in words(clause) if w.start >= at + len(name)]
    if not any(w.flag in ("v", "vi", "vshi", "vyou") for w in inside) or inside[-1].flag in ("f", "t", "p", "c"):
        return None
    predicate = re.sub(r"^(?:也|还|则|均|都|便|就|又)", "", predicate)
    predicate = re.sub(r"了$", "", predicate)
    if re.search(r"的.*是|\d/\d|^[驻副原]", predicate) or (
        "、" in predicate and not re.search(r"\d|[两三四五六七八九十][个项种大]", predicate)
    ):
        return None
    if not 6 <= len(predicate) <= 34 or _VERBLESS.search(predicate) or not is_telling(predicate) or _PLANNED.match(predicate):
        return None
    return f"{lead}{predicate}的{kind}"


def described_around(name: str, text: str, kind: str) -> Iterator[str]:
    """What else a sentence says of the name as words for it: 作为..., done to it, held in it, right before it."""
    here = re.escape(name)
    as_what = re.match(rf"作为(?P<words>[^，“《]{{6,28}}的[^，的]{{2,8}})，{here}", text)
    if as_what and is_telling(as_what["words"]):
        yield as_what["words"]
    called = re.search(
        rf"(?P<words>(?:被誉为|被称为|被称作|素有|有着?|享有)“[^”]{{2,12}}”(?:之称|美誉|的美誉|的美称)?)的{here}", text
    )
    if called:
        yield f"{called['words']}的{kind}"
    done = re.search(
        rf"(?:^|，)(?P<time>{_TIME})，?(?P<who>[^，“《]{{3,26}}?)(?:正式|联合|共同|首次)?(?P<verb>{_DONE})了?{here}(?:$|，)",
        text,
    )
    if done and _is_actor(done["who"]):
        yield f"{done['who']}{'于' + done['time'] if done['time'] else ''}{done['verb']}的{kind}"
    held = re.search(
        rf"(?:^|，)(?P<what>[^，]{{6,40}}?)(?:即将|将)?(?P<time>{_TIME})在{here}(?:正式|隆重|成功|圆满)?(?P<verb>举行|举办|召开|上演|开幕|启动|揭牌|"
        rf"落幕|揭幕|开赛)(?:$|，)",
        text,
    )
    if held and is_telling(held["what"]) and not re.match(r"[由在向对把被]", held["what"]):
        when = re.sub(r"^于(?=\D|$)", "", "于" + held["time"])
        what = held["what"]
        stands = held["verb"] in ("开幕", "启动", "揭牌", "落幕", "揭幕", "开赛")
        yield f"{what}{when}{held['verb']}的{kind}" if stands else f"{when}{held['verb']}{what}的{kind}"
    nicknamed = re.search(rf"“(?P<words>[^”]{{4,14}})”{here}", text)
    if nicknamed and re.search(r"最|第一|之|唯一", nicknamed["words"]):
        yield f"有“{nicknamed['words']}”之称的{kind}"
    before = re.search(rf"(?:^|，|[位]于|来自)(?P<words>[^，“”《》——]{{6,26}}?)(?P<link>——|的|){here}", text)
    if before and is_telling(before["words"]):
        yield from _before(before["words"], before["link"], kind)


def _before(said: str, link: str, kind: str) -> Iterator[str]:
    """The words that stand right before a name, when they are a phrase about it."""
    tagged = words(said)
    does = tagged[0].flag[0] == "v" or re.match(r"总投资|全长|占地|建于|由|以", said)
    if link == "的" and does and not re.search(r"的.*的|[，了]", said) and not _PLANNED.match(said):
        yield f"{said}的{kind}"
    elif (
        link != "的"
        and tagged[-1].flag[0] == "n"
        and not any(w.flag[0] in "pcrd" or w.flag in ("v", "ul") for w in tagged)
        and (re.search(r"第[\d一二三四五六七八九十]|首[个家座条部届]|最|唯一", said) or (link == "——" and "的" in said))
    ):
        yield said


def _is_actor(who: str) -> bool:
    """Whether words before a verb name who did it."""
    tagged = words(who)
    return is_named(who) and tagged[-1].flag[0] in "nj" and not any(w.flag[0] in "pvr" and w.flag != "vn" for w in tagged)


def is_telling(words_said: str) -> bool:
    """Whether a figure, a name, a first or a most stands in the words."""
    if re.search(r"\d|[“《A-Za-z]|首[个家座条款部次支艘只]|第一|[两三四五六七八九十][个项大]|最[大长高早小]|唯一", words_said):
        return True
    return bool(names_in_text(words_said) - _EVERYWHERE)


_CLASS = re.compile(
    r"^(?:该|此|本次|此次|本届|这次|这一|这个|这项|这场)?(?P<noun>项目|活动|平台|公司|集团|峰会|论坛|大会|会议|"
    r"博览会|研讨会|大赛|手册|办法|条例|指南|基地|工程|系统|医院|学校|大学|银行|中心|图书馆|博物馆|线路|计划|行动|"
    r"高铁|铁路|隧道|大桥|公园|展览|影片|电影|该片|剧集|比赛|赛事|联赛|基金|协会|邮轮|盛会|火箭|卫星)"
)

_LIKE = {
    "影片": "^(?:电影|影片)", "电影": "^影片", "该片": "^(?:电影|影片)", "集团": "公司$",
    "公司": "(?:集团|股份|银行|科技)$",
    "活动": "(?:节|营|大赛|展|仪式|典礼|晚会|音乐会|推介会|嘉年华|行动|计划|演出)$",
    "会议": "(?:会|论坛)$", "大会": "(?:会|论坛)$",
    "比赛": "(?:赛|杯)$", "赛事": "(?:赛|杯|运动会)$", "大赛": "赛$", "项目": "(?:工程|基地|产业园|中心)$",
    "工程": "(?:项目|大桥|隧道|铁路|高铁)$",
    "大桥": "桥$", "展览": "展$", "峰会": "会$", "盛会": "(?:会|节)$", "平台": "(?:系统|网)$", "论坛": "(?:会|峰会)$",
}  # fmt: skip
"""What else a text calls by that word: 会议 is said of a 论坛 too."""


def called_again(text: str, name: str, is_person: bool) -> str | None:
    """The text with its opening 该公司, 此次论坛, 他 ... replaced by the name of that kind; None for another opening."""
    if is_person:
        return name + text[1:] if re.match(r"[他她](?!们|的)", text) else None
    found = _CLASS.match(text)
    if found is None or not (name.rstrip("》”").endswith(found["noun"]) or re.search(_LIKE.get(found["noun"], "$^"), name)):
        return None
    if re.match(r"[一-鿿]{0,2}(?:负责人|方面|期间|现场|主题|工作|人员|上|中|后|前|时|内|里|以来)", text[found.end() :]):
        return None
    return name + text[found.end() :]
