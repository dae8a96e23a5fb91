"""Pieces of a prepared Chinese sentence that a question could ask for, with the words that ask in their place: figures, dates,
places, persons, works, names and reasons."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from core.offline.chinese_dates import in_year
from core.offline.chinese_sentences import Prepared, Word
from core.offline.chinese_subjects import is_named, subject_of
from core.offline.factoid import Kind


@dataclass(frozen=True, slots=True)
class Slot:
    """A piece of a prepared text and how to ask for it."""

    answer: str
    kind: Kind
    start: int
    """First code point, within the prepared text, of what the asking words replace."""
    end: int
    ask: str
    """The asking words."""
    worth: float
    """How often such questions turned out well when read, 0..1."""
    tail: bool = False
    """True: the piece is cut out and `ask` is put at the question's end."""
    whole: bool = False
    """True: `ask` is the whole question; only its times are still to be put in full."""


_UNITS = ["个百分点", "平方公里", "平方千米", "立方米每秒", "平方米", "立方米", "千瓦时", "兆瓦时", "万千瓦", "千瓦", "兆瓦", "人民币", "美元", "欧元", "港元", "日元", "英镑", "卢布", "韩元", "澳元", "元", "人次", "人", "名", "位", "家", "个", "件", "起", "架次", "架", "辆次", "辆", "艘次", "艘", "台套", "台", "套", "场次", "场", "吨", "公里", "千米", "海里", "米", "厘米", "毫米", "亩", "公顷", "度", "股", "票", "岁", "小时", "分钟", "天", "种", "项", "部", "座", "条", "所", "处", "户次", "户", "册", "枚", "桶", "摄氏度", "本", "幅", "篇", "例", "对", "箱", "袋", "盒", "瓶", "间", "栋", "幢", "棵", "株", "头", "只", "匹", "尾", "首", "支", "款", "类", "批", "届", "次", "倍", "个月", "周", "级", "公斤", "千克", "斤", "克", "升", "订单", "单", "席", "组", "颗", "片"]
_UNIT = "|".join(sorted(_UNITS, key=len, reverse=True))
_COUNTED = frozenset(["人", "名", "位", "家", "个", "件", "架", "辆", "艘", "台", "套", "场", "种", "项", "部", "座", "条", "所", "处", "户", "册", "枚", "支", "款", "株", "头", "只", "匹", "尾", "间", "栋", "幢", "棵", "席", "片", "例"])
_NUMBER = re.compile(
    rf"(?P<lead>超过|超|逾|近|约|大约|接近)?(?P<answer>(?<![\d.第至到/:：\-—~～A-Za-z每])\d+(?:\.\d+)?[千百]?[万亿]{{0,2}}[多余]?(?:万|亿)?(?P<unit>{_UNIT})(?:人民币)?)"
    r"(?<!部(?=[门队署委分件级]))(?<!周(?=年))(?<!家(?=[庭长属居电]))(?<!名(?=[额单]))(?<!位(?=[数置于]))(?<!场(?=[馆地所景]))(?<!台(?=风))"
    r"(?<!条(?=[例件]))(?<!项(?=目))(?<!次(?=[日年]))(?<!天(?=[津然]))(?<!元(?=[旦首件]))(?<!首(?=[个次届批席]))"
    r"(?![至到\-—~～\d以月/／])(?![多余来])(?!栏|跑|接力|自由泳|蛙泳|蝶泳|仰泳|赛|混合|短跑|气步枪|气手枪|跳台|跳板|高铁|长的|高的)"
)
_PERCENT = re.compile(r"(?P<lead>超过|超|逾|近|约|大约|接近)?(?P<answer>(?<![\d.至到\-—~～])\d+(?:\.\d+)?[%％])(?![至到\-—~～以的和])")
_MOVES = frozenset(["涨", "跌", "降", "增", "升", "报", "收涨", "收跌", "下挫", "上扬", "历时", "耗时", "用时", "为期", "长达", "重达", "高达", "占地", "享年", "年仅", "时长", "进口", "出口", "投资", "捐款", "捐赠", "募集", "融资", "募资", "累计"])
_VERB_FLAGS = ("v", "vi", "vshi", "vyou")
_SENTENCED = re.compile(r"(?:有期徒刑|历时|时隔|为期|长达|任期)(?P<answer>\d+年)(?!\d)")
_ANY_FIGURE = re.compile(rf"\d+(?:\.\d+)?(?:[千百万亿多余]*(?:{_UNIT})|[%％万亿])")
_DAY = r"(?:\d{4}年)?\d{1,2}月\d{1,2}日"
_CLOCK = r"(?:上午|下午|晚间|晚上|晚|凌晨|中午|早上|早间|傍晚|清晨|夜间|起|\d{1,2}[时点：:]\d{0,2}(?:分|许|整)?(?:前后|许|左右)?)*"
_DATE = re.compile(rf"(?P<before>将于|定于|已于|于|在|自|从)?(?P<answer>{_DAY})(?![至到\-—~～、和前后以之截]){_CLOCK}(?P<comma>，)?")
_YEAR = re.compile(r"(?P<before>将于|已于|始于|于|在)?(?P<answer>\d{4}年(?:\d{1,2}月)?)(?![\d至到\-—~～、和前后底初末以第度版期间中上下春夏秋冬的代来起])(?P<comma>，)?")
_EVENT = (
    "举行|举办|召开|开幕|成立|创立|创办|发布|上市|签署|启动|开工|通车|逝世|去世|出生|宣布|揭晓|揭牌|登陆|发射|抵达|访问|会见|会晤|开业|上线|施行|生效|闭幕|上映|"
    "首映|落成|交付|就任|当选|任命|公布|开馆|开园|开赛|落幕|签约|挂牌|投产|竣工|开播|首发|出版|问世|印发|出台|通过|聘任|发生|收购|进入|加入|获批|批准|建成|始建|"
    "开通|首飞|下水|亮相|入选|荣获|获得|夺得|出任|担任|毕业|入职|离任|设立|更名|迁|起诉|判处|逮捕|立案|宣判|提交|递交|质押|增持|减持|回购|登场|上演|首演|开放"
)
_EVENT_VERB = re.compile(_EVENT)
_VERB_THEN_DATE = re.compile(rf"(?:成立|出生|生|始建|创立|创建|创办|上市|建成|落成|开业|开馆|发起|启用|创刊|组建|逝世|上映)于(?P<answer>{_DAY}|\d{{4}}年(?:\d{{1,2}}月)?)(?=$|，)")
_HELD = "举行|举办|召开|开幕|举办|启动|开赛|落幕|闭幕|上演|首演|首发|发布|揭牌|揭幕|开工|逝世|去世|出生|签约|签署|亮相|开馆|成立|会见|会晤|挂牌|上市|起航|启航|打响|登陆|首映|拉开帷幕|收官|竞逐|坠毁|下水"
_PLACE = re.compile(rf"(?<!现)在(?P<answer>[^，。、在于“”《》\d]{{2,18}}?)(?:正式|隆重|圆满|成功|同步|联合|首次|再次|盛大|顺利)?(?P<verb>{_HELD})")
_LIES = re.compile(r"(?:位于|坐落于|坐落在|总部设在|总部位于|落户于|落户|毕业于)(?P<answer>[^，、“”的]{3,22})$")
_PLACE_END = re.compile(r"(?:市|县|区|省|州|镇|村|乡|国|中心|馆|场|大学|学院|酒店|公园|广场|剧院|大厦|会堂|宫|厅|基地|园|站|港|街道|路|楼|岛|湾|山|湖|寺|城|沿海|医院|学校|中学)$")
_BY = re.compile(
    r"由(?P<answer>[^，、。的由“”]{2,26}?)(?:独家|共同|联合|牵头|负责|自主|具体|倾力|领衔)?(?P<verb>主办|承办|发起|组织|建造|研发|生产|开发|承建|运营|投资|出品|制作|编撰|编制|设计|建设|打造|创办|"
    r"执导|饰演|主演|担任|出任|接任|编剧|作曲|作词|主讲|创作|撰写|主持|推出|提供|签发|审理|管理|监制)(?!者|的是|人)"
)
_PEOPLE_VERBS = frozenset(["执导", "饰演", "主演", "担任", "出任", "接任", "编剧", "作曲", "作词", "主讲", "撰写"])
_CHOSEN = re.compile(r"(?:聘任|任命|推选|选举|提名|指定|选出|推举|补选|聘请|增选)(?P<answer>[一-鿿·]{2,12}?)(?:同志|先生|女士)?(?=为|担任|出任|代为|当选|接替)")
_BODIES = (
    (r"银行$", "哪家银行"), (r"(?:公司|集团|科技|股份)$", "哪家公司"), (r"(?:大学|学院)$", "哪所高校"), (r"医院$", "哪家医院"), (r"法院$", "哪家法院"),
    (r"(?:博物馆|图书馆|美术馆|剧院)$", "哪家机构"), (r"(?:局|委员会|部|厅|研究院|研究所|协会|学会|基金会|联盟|办公室|总会|总局|海关|检察院|管委会|指挥部)$", "哪个机构"),
)  # fmt: skip
_WORK = re.compile(r"(?P<before>[^，。《》“”、]{0,8})(?P<answer>《[^《》]{2,40}》)")
_WORK_NOUNS = {
    **{noun: f"哪部{noun}" for noun in ["电影", "影片", "电视剧", "话剧", "小说", "纪录片", "音乐剧", "舞剧", "动画片", "动画", "短剧", "剧集", "著作", "微电影", "京剧", "歌剧"]},
    **{"歌曲": "哪首歌曲", "单曲": "哪首单曲", "综艺": "哪档综艺节目", "节目": "哪档节目", "专辑": "哪张专辑", "图书": "哪本书", "专著": "哪部专著", "杂志": "哪本杂志", "绘本": "哪本绘本"},
    **{"报纸": "哪家报纸", "期刊": "哪本期刊", "游戏": "哪款游戏", "手游": "哪款手游"},
}
_PAPERS = re.compile(
    r"(?P<type>办法|通知|意见|规定|条例|方案|规划|报告|白皮书|指南|协议|合同|备忘录|声明|公告|指引|纲要|计划|标准|规则|细则|决定|措施|清单|公报|蓝皮书|倡议书|行动计划)(?:[（(][^（）()]*[）)])?》$"
)
_PAPER_VERBS = re.compile(r"(?:发布|印发|出台|下发|公布|通过|签署|签订|推出|制定|审议通过|修订|发表|披露|编制|起草)了?$")
_THEME = re.compile(r"以“(?P<answer>[^“”]{3,28})”为主题")
_NAMED = re.compile(r"(?:命名为|取名为?|更名为|改名为|被称为|被誉为|被称作|主题为|主题是|主题定为|口号是|口号为|昵称为|代号为|名为)“(?P<answer>[^“”]{2,24})”(?=$|，)")
_BECAUSE = re.compile(r"(?<!原)因(?!此|为|素|子|应|地|而|果|公|故)(?P<answer>[^，、。因]{3,30}?)(?:而|，)?(?P<verb>被(?!告)|遭(?:到)?|去世|逝世|辞去|辞任|受到|获刑|停飞|停运|取消)")
_DUE = re.compile(r"^(?:由于|因|因为)(?P<answer>[^，]{4,30})，")
_AIM = re.compile(r"^(?:为了|为)(?!期|此|何|什么|主|人|首|响|[^，]{0,12}(?:提供|带来|奉上))(?P<answer>[^，]{6,40})，")
_SUPERLATIVE = re.compile(
    r"^(?P<answer>[^，。、的《》]{2,18}?)(?:就)?(?:是|为|成为)(?P<what>[^，、\d]{0,14}?(?:首个|首家|首座|首条|首款|首部|首支|首艘|第一个|第一家|第一座|第一部|最大|最长|最高|最早|唯一)[^，、\d]{0,8}的?[^，、是\d]{2,20})$"
)


def slots(sentence: Prepared) -> Iterator[Slot]:
    """Everything in the sentence that could be asked for, in no particular order."""
    yield from _figures(sentence)
    yield from _times(sentence)
    yield from _places(sentence)
    yield from _actors(sentence)
    yield from _doers(sentence)
    yield from _works_and_names(sentence)
    yield from _reasons(sentence)
    yield from _superlatives(sentence)


def same_kind_texts(text: str, kind: Kind, answer: str) -> set[str]:
    """What else in a text is of the answer's kind: figures of its unit, days, years, works in 《》."""
    if kind == "number":
        unit = re.sub(r"^[\d.千百万亿多余]+", "", answer)
        return {m[0] for m in re.finditer(rf"\d+(?:\.\d+)?[千百万亿多余]*{re.escape(unit)}", text)}
    pattern = {"date": _DAY, "year": r"\d{4}年(?:\d{1,2}月(?!\d))?", "work": r"《[^《》]+》"}.get(kind)
    return set(re.findall(pattern, text)) if pattern else set()


def _clause(sentence: Prepared, position: int) -> str:
    start, end = sentence.clauses[sentence.clause_at(position)]
    return sentence.text[start:end]


def _word_before(sentence: Prepared, position: int) -> Word | None:
    found = [word for word in sentence.words if word.end <= position]
    return found[-1] if found else None


def _quoted(text: str, start: int, end: int) -> bool:
    """Whether the piece lies inside quotation marks, a title or brackets."""
    before = text[:start]
    return any(before.count(a) > before.count(b) for a, b in ("“”", "《》", "（）", "()", "‘’"))


def _figures(sentence: Prepared) -> Iterator[Slot]:
    text = sentence.text
    for pattern in (_NUMBER, _PERCENT, _SENTENCED):
        for found in pattern.finditer(text):
            clause = _clause(sentence, found.start("answer"))
            if _quoted(text, found.start(), found.end()) or len(_ANY_FIGURE.findall(clause)) != 1:
                continue
            before = _word_before(sentence, found.start())
            if before is None or before.text in "，、；" or re.match(r"1\D", found["answer"]):
                continue
            lead = found.groupdict().get("lead") or ""
            lead = {"超": "超过", "逾": "超过", "近": "接近", "大约": "约"}.get(lead, lead)
            answer = found["answer"]
            asked = "百分之多少" if pattern is _PERCENT else "多少年" if pattern is _SENTENCED else _how_many(found["unit"], answer)
            unit = found.groupdict().get("unit")
            final = re.match(r"左右|$|，", text[found.end() :]) is not None
            bare = before.flag[0] in "nj" and not before.flag.startswith("nr") and before.text not in _MOVES
            link = ""
            if bare and final and lead in ("", "约") and not _verb_before(sentence, found.start()):
                link = lead + ("有" if unit in _COUNTED else "为" if pattern is not _PERCENT else "是")
                lead = ""
            if (unit == "岁" and not final) or (lead and bare and not final and unit in _COUNTED and not _has_verb(sentence, found.start(), found.end())):
                continue
            if not link and not _has_verb(sentence, found.start(), found.end()):
                continue
            if pattern is _PERCENT and "占" in clause:
                link = "的" if before.text != "的" else ""
            if unit in ("届", "级", "周", "对", "组", "类", "批", "次", "首", "本", "条") and (link or before.text in "的"):
                continue
            yield Slot(answer, "number", found.start(), found.end(), link + lead + asked, 0.6 if link else 0.7)


def _has_verb(sentence: Prepared, start: int, end: int) -> bool:
    """Whether the clause has a verb of its own, before the piece or after it."""
    clause_end = sentence.clauses[sentence.clause_at(start)][1]
    return _verb_before(sentence, start) or any(w.flag in _VERB_FLAGS for w in sentence.words if end <= w.start < clause_end)


def _verb_before(sentence: Prepared, start: int) -> bool:
    """Whether a verb stands before the piece in its clause, not inside a phrase that ends in 的."""
    clause_start, _ = sentence.clauses[sentence.clause_at(start)]
    before = [w for w in sentence.words if clause_start <= w.start < start]
    relative = max((w.start for w in before if w.text == "的"), default=-1)
    if not any(w.text == "占" for w in before):
        before = [w for w in before if w.start > relative]
    return any(w.flag in _VERB_FLAGS or w.text in _MOVES or w.text in ("达", "为", "占", "共计") for w in before)


def _how_many(unit: str, answer: str) -> str:
    return "多少" + ("元" if unit == "人民币" else unit)


def _times(sentence: Prepared) -> Iterator[Slot]:
    text = sentence.text
    for found in _VERB_THEN_DATE.finditer(text):
        answer = found["answer"]
        kind: Kind = "date" if answer.endswith("日") else "year"
        ask = in_year(answer, sentence.published) if kind == "date" else "什么时候" if answer.endswith("月") else "哪一年"
        yield Slot(answer, kind, found.start("answer"), found.end("answer"), ask, 0.8)
    days = list(_DATE.finditer(text))
    for found in days if len(days) == 1 else ():
        yield from _time_slot(sentence, found, "date", in_year(found["answer"], sentence.published))
    years = [m for m in _YEAR.finditer(text) if not _quoted(text, m.start(), m.end())]
    for found in years if len(years) == 1 and not days and len(re.findall(r"\d{4}", text)) == 1 else ():
        yield from _time_slot(sentence, found, "year", "什么时候" if found["answer"].endswith("月") else "哪一年")


def _time_slot(sentence: Prepared, found: re.Match[str], kind: Kind, ask: str) -> Iterator[Slot]:
    text = sentence.text
    if _quoted(text, found.start(), found.end()):
        return
    rest = text[found.end() :]
    clause = re.split("，", rest, maxsplit=1)[0]
    if len(clause) < 8 or not _EVENT_VERB.search(clause):
        return
    if found.start() == 0:
        if not re.match(r"[起以至前后的]", clause):
            yield Slot(found["answer"], kind, 0, found.end(), f"是在{ask}", 0.55, tail=True)
    elif not found["comma"] and found["before"] not in ("自", "从") and text[found.start() - 1] not in "，；的" and not re.search(
        r"以来|时|之后|之前|期间|的(?:会谈|讲话)|前夕|前$|后$", clause
    ) and not re.match("的", clause):
        yield Slot(found["answer"], kind, found.start(), found.end(), (found["before"] or "于") + ask, 0.7)


def _places(sentence: Prepared) -> Iterator[Slot]:
    text = sentence.text
    for found in _PLACE.finditer(text):
        answer = found["answer"]
        inside = [w for w in sentence.words if found.start("answer") <= w.start < found.end("answer")]
        if _quoted(text, found.start(), found.end()) or not inside or re.search(r"期间|活动|会上|时|日|第|届|[上中下里]$|方面|基础|其|该|本", answer):
            continue
        named = any(w.flag in ("ns", "nt", "nz") for w in inside)
        if not named or not (_PLACE_END.search(answer) or inside[-1].flag in ("ns", "nt")):
            continue
        rest = text[: found.start()] + text[found.end() :]
        if any(w.flag == "ns" and w.text in rest for w in inside):
            continue
        yield Slot(answer, "place", found.start("answer"), found.end("answer"), "哪里" if len(inside) > 1 else _which_place(answer), 0.75)
    for start, end in sentence.clauses:
        found_in = _LIES.search(text[start:end])
        if found_in and not _quoted(text, start + found_in.start(), end):
            answer = found_in["answer"]
            inside = [w for w in sentence.words if start + found_in.start("answer") <= w.start < end]
            if any(w.flag in ("ns", "nt", "nz") for w in inside) and "毕业" in found_in[0]:
                yield Slot(answer, "organisation", start + found_in.start("answer"), end, "哪所学校", 0.8)
            elif any(w.flag in ("ns", "nt", "nz") for w in inside):
                yield Slot(answer, "place", start + found_in.start("answer"), end, "哪里", 0.7)


def _which_place(answer: str) -> str:
    if answer.endswith("市"):
        return "哪座城市"
    return "哪里"


def _actors(sentence: Prepared) -> Iterator[Slot]:
    text = sentence.text
    for found in _BY.finditer(text):
        answer, verb = found["answer"], found["verb"]
        if _quoted(text, found.start(), found.end()) or re.search(r"[和与及等]|\d|其|该|本|他|她|我|双方|此", answer):
            continue
        inside = [w for w in sentence.words if found.start("answer") <= w.start < found.end("answer")]
        named = any(w.flag in ("ns", "nt", "nz", "eng") for w in inside)
        person = bool(inside) and inside[-1].flag in ("nr", "nrt", "nrfg") and len(inside[-1].text) > 1
        if verb in _PEOPLE_VERBS and person:
            yield Slot(answer, "person", found.start("answer"), found.end("answer"), "谁", 0.8)
        elif named and verb not in _PEOPLE_VERBS and not person:
            ask = "哪家公司" if re.search(r"(?:公司|集团)$", answer) else "哪家单位"
            yield Slot(answer, "organisation", found.start("answer"), found.end("answer"), ask, 0.75)
    for found in _CHOSEN.finditer(text):
        inside = [w for w in sentence.words if found.start("answer") <= w.start < found.end("answer")]
        if inside and all(w.flag.startswith("nr") or w.text == "·" for w in inside) and not _quoted(text, found.start(), found.end()):
            yield Slot(found["answer"], "person", found.start("answer"), found.end("answer"), "谁", 0.8)


def _doers(sentence: Prepared) -> Iterator[Slot]:
    """The institution or person that a clause is about, when the rest of it says enough to tell which."""
    for index, (start, end) in enumerate(sentence.clauses[:2]):
        subject = subject_of(sentence, index)
        if subject is None or not is_named(subject) or re.search(r"[、和与及等“”《》的\d]", subject):
            continue
        at = sentence.text.find(subject, start)
        rest = sentence.text[at + len(subject) : end]
        names = sum(w.flag in ("ns", "nt", "nz", "nr", "eng", "nrt") and len(w.text) > 1 for w in sentence.words if at + len(subject) <= w.start < end)
        if len(rest) < 12 or not _EVENT_VERB.search(rest[:12]) or (names < 2 and not re.search(r"[“《]", rest)) or not re.match(r"^[\d年月日时分上下午晚起]*$", sentence.text[start:at]):
            continue
        last = [w for w in sentence.words if w.start < at + len(subject)][-1]
        asked = next((ask for ending, ask in _BODIES if re.search(ending, subject)), None)
        if asked and len(subject) >= 4:
            yield Slot(subject, "organisation", at, at + len(subject), asked, 0.7)
        elif last.text == subject and last.flag == "nr" and 2 <= len(subject) <= 3:
            yield Slot(subject, "person", at, at + len(subject), "谁", 0.65)
        return


def _works_and_names(sentence: Prepared) -> Iterator[Slot]:
    text = sentence.text
    if text.count("《") == 1:
        for found in _WORK.finditer(text):
            if _quoted(text, found.start("answer"), found.end("answer")):
                continue
            before, paper = found["before"], _PAPERS.search(found["answer"])
            noun = next((n for n in sorted(_WORK_NOUNS, key=len, reverse=True) if before.endswith(n)), None)
            if noun:
                yield Slot(found["answer"], "work", found.start("answer") - len(noun), found.end("answer"), _WORK_NOUNS[noun], 0.75)
            elif paper and _PAPER_VERBS.search(before) and len(found["answer"]) > 7:
                kind = "文件" if paper["type"] in ("通知", "意见", "决定", "措施", "标准", "规则", "声明", "计划", "办法") else paper["type"]
                yield Slot(found["answer"], "work", found.start("answer"), found.end("answer"), f"哪份{kind}", 0.6)
    for found in _THEME.finditer(text):
        yield Slot(found["answer"], "phrase", found.start() + 1, found.end("answer") + 1, "什么", 0.75)
    for found in _NAMED.finditer(text):
        yield Slot(found["answer"], "name", found.start("answer") - 1, found.end("answer") + 1, "什么", 0.7)


def _reasons(sentence: Prepared) -> Iterator[Slot]:
    text = sentence.text
    for found in _BECAUSE.finditer(text):
        if not _quoted(text, found.start(), found.end()) and not re.search(r"其|他|她|该|此", found["answer"]):
            yield Slot(found["answer"], "phrase", found.start(), found.start("verb"), "因为什么", 0.7)
    found_due = _DUE.search(text)
    if found_due and not re.search(r"其|他|她|该|此", found_due["answer"]):
        yield Slot(found_due["answer"], "phrase", 0, found_due.end(), "，原因是什么", 0.6, tail=True)
    found_aim = _AIM.search(text)
    if found_aim and not re.search(r"其|他|她|该|此", found_aim["answer"]):
        yield Slot(found_aim["answer"], "phrase", 0, found_aim.end(), "，目的是什么", 0.6, tail=True)


def _superlatives(sentence: Prepared) -> Iterator[Slot]:
    start, end = sentence.clauses[0]
    found = _SUPERLATIVE.search(sentence.text[start:end])
    if not found or _quoted(sentence.text, start, found.start("what")) or re.search(r"[一之]$|之一|[“”]", found[0]):
        return
    inside = [w for w in sentence.words if w.end <= found.end("answer")]
    if not inside or not any(w.flag in ("ns", "nt", "nz", "nr", "nrt", "eng") for w in inside):
        return
    last = inside[-1]
    what = found["what"]
    if last.flag in ("nr", "nrt"):
        ask = f"{what}是谁"
    elif re.search(r"公司|集团|企业", last.text + what[-4:]):
        ask = f"{what}是哪家公司"
    else:
        ask = f"{what}是哪一个"
    yield Slot(found["answer"], "name", 0, len(sentence.text), ask, 0.7, whole=True)
