"""Places, persons and institutions that a Chinese question can ask for."""

import re
from collections.abc import Iterator

from core.offline.chinese.sentences import Prepared
from core.offline.chinese.slots import Slot, quoted
from core.offline.chinese.subjects import is_named, names_in_text, subject_of
from core.offline.chinese.times import EVENT_VERB

_HELD = (
    "举行|举办|召开|开幕|举办|启动|开赛|落幕|闭幕|上演|首演|首发|发布|揭牌|揭幕|开工|逝世|去世|出生|签约|签署|亮相|"
    "开馆|成立|会见|会晤|挂牌|上市|起航|启航|打响|登陆|首映|拉开帷幕|收官|竞逐|坠毁|下水"
)
_PLACE = re.compile(
    rf"(?<!现)在(?P<answer>[^，。、在于“”《》\d]{{2,18}}?)(?:正式|隆重|圆满|成功|同步|联合|首次|再次|盛大|"
    rf"顺利)?(?P<verb>{_HELD})"
)
_LIES = re.compile(r"(?:位于|坐落于|坐落在|总部设在|总部位于|落户于|落户|毕业于)(?P<answer>[^，、“”的]{3,22})$")
_PLACE_END = re.compile(
    r"(?:市|县|区|省|州|镇|村|乡|国|中心|馆|场|大学|学院|酒店|公园|广场|剧院|大厦|会堂|宫|厅|基地|园|站|港|街道|"
    r"路|楼|岛|湾|山|湖|寺|城|沿海|医院|学校|中学)$"
)
_BY = re.compile(
    r"由(?P<answer>[^，、。的由“”]{2,26}?)(?:独家|共同|联合|牵头|负责|自主|具体|倾力|领衔)?(?P<verb>主办|承办|"
    r"发起|组织|建造|研发|生产|开发|承建|运营|投资|出品|制作|编撰|编制|设计|建设|打造|创办|"
    r"执导|饰演|主演|担任|出任|接任|编剧|作曲|作词|主讲|创作|撰写|主持|起草|推出|提供|签发|审理|管理|监制)(?!者|的是|人|集团|公司|有限|股份|局|办|中心|委)"
)
_BY_SEVERAL = re.compile(
    r"由(?P<answer>[^，。；由“”：]{3,24}(?:[、和与及][^，。；由“”：]{3,24}){1,3}?)(?:共同|联合)(?P<verb>主办|承办|发起|组织|研发|开发|建设|打造|出品|制作|设立|"
    r"举办|推出|印发|发布|编制|制定|指导|参与)"
)
_PEOPLE_VERBS = re.compile(r"执导|饰演|主演|担任|出任|接任|编剧|作曲|作词|主讲|撰写")
_CHOSEN = re.compile(
    r"(?:聘任|任命|推选|选举|提名|指定|选出|推举|补选|聘请|增选)(?P<answer>[一-鿿·]{2,12}?)(?:同志|先生|"
    r"女士)?(?=为|担任|出任|代为|当选|接替)"
)
_BODIES = (
    (re.compile(r"银行$"), "哪家银行"),
    (re.compile(r"(?:公司|集团|科技|股份)$"), "哪家公司"),
    (re.compile(r"(?:大学|学院)$"), "哪所高校"),
    (re.compile(r"医院$"), "哪家医院"),
    (re.compile(r"法院$"), "哪家法院"),
    (re.compile(r"(?:博物馆|图书馆|美术馆|剧院)$"), "哪家机构"),
    (
        re.compile(r"(?:局|委员会|部|厅|研究院|研究所|协会|学会|基金会|联盟|办公室|总会|总局|海关|检察院|管委会|指挥部)$"),
        "哪个机构",
    ),
)


def places(sentence: Prepared) -> Iterator[Slot]:
    text = sentence.text
    for found in _PLACE.finditer(text):
        answer = found["answer"]
        inside = [w for w in sentence.words if found.start("answer") <= w.start < found.end("answer")]
        if (
            quoted(text, found.start(), found.end())
            or not inside
            or re.search(r"期间|活动|会上|时|日|第|届|[上中下里]$|方面|基础|其|该|本", answer)
        ):
            continue
        if not is_named(answer) or not (_PLACE_END.search(answer) or inside[-1].flag in ("ns", "nt")):
            continue
        rest = text[: found.start()] + text[found.end() :]
        if any(w.flag == "ns" and w.text in rest for w in inside):
            continue
        yield Slot(
            answer,
            "place",
            found.start("answer"),
            found.end("answer"),
            "哪里" if len(inside) > 1 else _which_place(answer),
            0.75,
        )
    for start, end in sentence.clauses:
        found_in = _LIES.search(text[start:end])
        if found_in and not quoted(text, start + found_in.start(), end):
            answer = found_in["answer"]
            if is_named(answer) and "毕业" in found_in[0]:
                yield Slot(answer, "organisation", start + found_in.start("answer"), end, "哪所学校", 0.8)
            elif is_named(answer):
                yield Slot(answer, "place", start + found_in.start("answer"), end, "哪里", 0.7)


def _which_place(answer: str) -> str:
    if answer.endswith("市"):
        return "哪座城市"
    return "哪里"


def actors(sentence: Prepared) -> Iterator[Slot]:
    text = sentence.text
    for found in _BY.finditer(text):
        answer, verb = found["answer"], found["verb"]
        if quoted(text, found.start(), found.end()) or re.search(r"[和与及等]|\d|其|该|本|他|她|我|双方|此", answer):
            continue
        inside = [w for w in sentence.words if found.start("answer") <= w.start < found.end("answer")]
        person = bool(inside) and inside[-1].flag in ("nr", "nrt", "nrfg") and len(inside[-1].text) > 1
        if _PEOPLE_VERBS.fullmatch(verb) and person:
            yield Slot(answer, "person", found.start("answer"), found.end("answer"), "谁", 0.8)
        elif is_named(answer) and not _PEOPLE_VERBS.fullmatch(verb) and not person:
            ask = "哪家公司" if re.search(r"(?:公司|集团)$", answer) else "哪家单位"
            yield Slot(answer, "organisation", found.start("answer"), found.end("answer"), ask, 0.75)
    for found in _BY_SEVERAL.finditer(text):
        answer = found["answer"]
        if (
            is_named(answer)
            and not quoted(text, found.start(), found.end())
            and not re.search(r"其|该|本|我|双方|此|等|\d", answer)
        ):
            yield Slot(answer, "organisation", found.start("answer"), found.end("answer"), "哪些单位", 0.75)
    for found in _CHOSEN.finditer(text):
        inside = [w for w in sentence.words if found.start("answer") <= w.start < found.end("answer")]
        if (
            inside
            and all(w.flag.startswith("nr") or w.text == "·" for w in inside)
            and not quoted(text, found.start(), found.end())
        ):
            yield Slot(found["answer"], "person", found.start("answer"), found.end("answer"), "谁", 0.8)


def doers(sentence: Prepared) -> Iterator[Slot]:
    """The institution or person that a clause is about, when the rest of it says enough to tell which."""
    for index, (start, end) in enumerate(sentence.clauses[:2]):
        subject = subject_of(sentence, index)
        if subject is None or not is_named(subject) or re.search(r"[、和与及等“”《》的\d]", subject):
            continue
        at = sentence.text.find(subject, start)
        rest = sentence.text[at + len(subject) : end]
        names = len(names_in_text(rest))
        if (
            len(rest) < 12
            or rest.startswith("通过")
            or not EVENT_VERB.search(rest[:12])
            or (names < 2 and not re.search(r"[“《]", rest))
            or not re.match(r"^[\d年月日时分上下午晚起]*$", sentence.text[start:at])
        ):
            continue
        last = [w for w in sentence.words if w.start < at + len(subject)][-1]
        asked = next((ask for ending, ask in _BODIES if ending.search(subject)), None)
        if asked and len(subject) >= 4:
            yield Slot(subject, "organisation", at, at + len(subject), asked, 0.7)
        elif last.text == subject and last.flag == "nr" and 2 <= len(subject) <= 3:
            yield Slot(subject, "person", at, at + len(subject), "谁", 0.65)
        return
