"""Builds a question from a preprocessed Chinese sentence and the piece of the sentence that the question asks for: question
words replace the piece, unneeded clauses are dropped, dates and times are written in full, and a question that is unclear
without the article is refused."""

import re

from agents.offline.chinese.dates import drop_times, write_out_dates
from agents.offline.chinese.sentences import PreparedSentence, is_balanced, starts_unnamed
from agents.offline.chinese.slots import TextSlot
from agents.offline.chinese.subjects import is_named, subject_of
from agents.offline.chinese.wording import swap_words
from core.text.chinese_names import words

MIN_QUESTION_CHARACTERS, MAX_QUESTION_CHARACTERS = 9, 66
"""Minimum and maximum number of characters in a question."""

_TIME_CLAUSE = re.compile(
    r"^(?:截[至止](?:目前|当前)|目前|当前|"
    r"[\d年月日时分点许起至到—~截止自从在于前后今去明上中下旬初底末半季度第一二三四以来间晨午晚凌早清地北京暑期寒假当：:]+)$"
)
_CIRCUMSTANCE = re.compile(
    r"^(?:为|为了|随着|受|由于|因|根据|按照|依据|围绕|作为|在(?!职)|经|经过|通过|针对|面对|继|正值|时值|恰逢|"
    r"适逢|凭借|依托|结合|伴随|本着|对于|自(?!然|治|贡)|从)"
)
_VAGUE = re.compile(
    r"(?:^|[，在向对由被将把为于])(?:该|此|本次|本届|此次|这|那|当地|其(?!他|中)|他|她|它|自己|前者|后者|双方|"
    r"两国|两人|两地|三方|上述|有关|相关部门|公司|集团|会议|活动|"
    r"项目|报告|全市|全省|全区|全县|全州|全校|市委|省委|区委|县委|市政府|省政府|区政府|市里|省里|记者|店内|园区|"
    r"街道|学校|医院|法院|警方|现场)|"
    r"(?:^|[，年月日])团?(?:区|市|县|省|州)[一-鿿]{0,4}(?:委|局|办|府|院|级)|该[一-鿿]|此次|本次|本届|本轮|本市|"
    r"本省|本区|我市|我省|我区|我县|我州|我校|我院|我军|这[一些个种次项家名类样份些]|此类|那[一些个种次]|上述|同比例|当天|"
    r"涉案|涉事|案发|两地|两国|双方|"
    r"他们|她们|它们|其中|与会|分享|全文|同类|同期(?!增|下|相)|另[一外]|[又还]将|也[是有将在被由获]|"
    r"还[是有将在被由获要]|仍|同样|再次|再度|亦|同时"
)
_AWKWARD = re.compile(
    r"多少[^，]{0,12}多少|，，|^，|[、，]？|、多少|多少、|等多少|和多少|及多少|哪[^，？]{0,6}、|(?:称|显示|表示|"
    r"指出|发现|认为|时|后|前|中|强调|介绍|说|看|来说|而言|情况下|之下|基础上|为主|为契机|为目标|为抓手|前提下|要求|提出|获悉|明确)(?:是在.{0,8}哪一天|"
    r"是在什么时候|是在哪一年|，(?:原因|目的)是什么)?？|有多少岁|的，|、[^，]{0,14}、[^，]{0,14}、[^，]{0,14}、|"
    r"约为?约|；"
)
_ATTRIBUTION = re.compile(r"^(?:据|根据)[^，]{0,20}(?:统计|介绍|报道|了解|消息|测算|数据|显示|悉)$|^(?:数据|统计|资料)显示$")
_REPORTING_VERB = re.compile(r"(?:显示|公告称|公告显示)$")
_ROUTINE = re.compile(
    r"(?:发布|召开|举行|举办|宣布)了?(?:一[则份条次场])?(?:最新)?(?:重要)?(?:消息|公告|通知|通报|会议|专题会议|"
    r"常务会议|[一-鿿]{0,6}调度会|[一-鿿]{0,4}视频会议?|声明|例行记者会|记者会|新闻发布会|发布会|吹风会|"
    r"政策例行吹风会|情况通报|公告称|报告|数据)$|继续举行|将召开|将举行|将在|将于"
)
_HALF = re.compile(
    r"(?<![一-鿿])(?:[^，]{2,12})(?:通过|依托|利用|凭借|借助)(?:[^，]{2,40})(?:系统|方式|平台|形式|技术|模式|手段|优势)$"
)
"""Pattern of a clause that states only the means of an action; the clause after it states the action."""
_COMPARED = re.compile(r"^(?:同比|环比|比上年|较上年|比上月|较\d{4}年|较2\d{3}年)")
_METRIC_FIGURE = re.compile(
    r"(?:为|达到?|约|超|近)*\d+(?:\.\d+)?[千百万亿]*(?:元|美元|人次|人|家|件|吨|辆|架次|台|亿元|票|公里|平方米)$"
)
_OPENING = re.compile(
    r"^(?:来自|任命|聘任|选举|并|且|也|还|但|而|及|与|和|以及|使|让|令|其|至|等|后|前|的|之|以|对|同|将|已|均|都|共)"
)


def question_for(sentence: PreparedSentence, slot: TextSlot, titles: dict[str, str]) -> str | None:
    """Return a question that asks for the piece `slot` of the sentence, or None if no clear question can be built. `titles` is
    a dict from a person's name to their post and name as one text."""
    index = sentence.clause_at(slot.end if slot.tail else slot.start)
    body = _body(sentence, slot, index)
    if body is None:
        return None
    said = body.strip("，")
    body = write_out_dates(said, sentence.published)
    if body is None and slot.kind not in ("number", "date", "year"):
        body = drop_times(said)
    if body is None:
        return None
    if slot.kind == "date" and "年" not in slot.answer and not re.search(r"\d{4}年", body):
        return None
    question = swap_words(_with_titles(_tidy(body), titles) + "？", sentence.original)
    return question if is_clear(question, slot) else None


def is_clear(question: str, slot: TextSlot) -> bool:
    """Return whether a question is clear on its own and does not contain its answer."""
    core = slot.answer.strip("《》“”")
    return (
        MIN_QUESTION_CHARACTERS <= len(question) <= MAX_QUESTION_CHARACTERS
        and not _VAGUE.search(question)
        and not _AWKWARD.search(question)
        and not _OPENING.match(question)
        and not starts_unnamed(question)
        and is_balanced(question)
        and core not in question
        and not re.search(r"这[一些个种]|那[天时年些个]|该[一-鿿]|其[一-鿿]|此[次类举]", core)
        and (len(core) < 4 or slot.kind in ("number", "date", "year") or not _leaks_answer(core, question))
    )


def _leaks_answer(answer: str, question: str) -> bool:
    """Return whether four consecutive characters of the answer also occur in the question."""
    return any(answer[i : i + 4] in question for i in range(len(answer) - 3))


def _body(sentence: PreparedSentence, slot: TextSlot, index: int) -> str | None:
    """Return the clauses that the question needs, with question words in place of the piece that the question asks for or at
    the end, or None if the result would be unclear."""
    text = sentence.text
    start, end = sentence.clauses[index]
    if slot.tail:
        clause = _needed_after(sentence, slot.end, index)
        if clause is None or not _is_one_event(clause) or _HALF.search(clause):
            return None
        clause = re.sub(r"(?<!为)了(?![解了])(?=[^，]*$)", "", clause, count=1)
        if slot.kind in ("date", "year") and len(text) % 2:
            return slot.ask.removeprefix("是在") + "，" + clause
        return clause + slot.ask
    if slot.start < start:
        return None
    if slot.end > end:
        end = sentence.clauses[sentence.clause_at(slot.end)][1]
    asked = text[start : slot.start] + slot.ask + text[slot.end : end]
    first = _first_content(sentence)
    own = subject_of(sentence, index)
    parts = [text[a:b] for a, b in sentence.clauses]
    times = [part for part in parts[:index] if _is_time(part)][-1:]
    said = [part for part in parts[first:index] if _REPORTING_VERB.search(part) and is_named(part)][:1]
    if own is not None and (is_named(own) or _asks_subject(sentence, slot, index)):
        return "，".join([*said, asked] if said else [*times, asked])
    subject = subject_of(sentence, first)
    if subject is None or not is_named(subject) or index - first > 2:
        return None
    between = [part for part in parts[first:index] if not _ATTRIBUTION.match(part)]
    kept = [part for part in parts[:first] if _is_time(part)]
    if between and _COMPARED.match(asked) and (figure := _METRIC_FIGURE.search(between[-1])):
        return "，".join([*kept, *between[:-1], between[-1][: figure.start()] + asked])
    if (
        index == first + 1
        and own is None
        and between
        and _can_stand_alone(sentence, first, subject)
        and not re.search(r"[“《\d]", between[0].replace(subject, ""))
    ):
        lead = between[0][: between[0].find(subject)]
        return "，".join([*kept, lead + subject + asked])
    return "，".join([*kept, *between, asked])


def _can_stand_alone(sentence: PreparedSentence, index: int, subject: str) -> bool:
    """Return whether `subject` can be used without the rest of its clause: it is long enough, ends in a noun, and a verb
    follows it."""
    start, end = sentence.clauses[index]
    at = sentence.text.find(subject, start)
    last = [w for w in sentence.words if w.start < at + len(subject)][-1]
    follows = next((w for w in sentence.words if w.start == at + len(subject)), None)
    return (
        len(subject) >= 4
        and last.flag not in ("vn", "an", "m", "q")
        and follows is not None
        and follows.start < end
        and follows.flag[0] in "vd"
    )


def _is_one_event(clause: str) -> bool:
    """Return whether the clause states an event that happens once and that a number, a quoted name or enough words in the
    clause identify."""
    if _ROUTINE.search(clause) or re.search(r"(?:以来|时|之后|之前|期间)(?:，|$)", clause):
        return False
    if re.search(r"的[“《][^”》]*[”》]$", clause) or re.search(
        r"[在于从][^，]{2,14}(?:中心|基地|现场|会议室|酒店|广场)$", clause
    ):
        return False
    return len(clause) >= 16 or bool(re.search(r"[“《A-Za-z\d第首]", clause))


def _needed_after(sentence: PreparedSentence, position: int, index: int) -> str | None:
    """Return the first full clause after `position`, with its time expression in front of it, or None if the clause does not
    name its subject. `position` is where the opening phrase of the sentence ends."""
    time = ""
    for at in range(index, min(index + 2, len(sentence.clauses))):
        start, end = sentence.clauses[at]
        start = max(start, position)
        clause = sentence.text[start:end]
        if _is_time(clause):
            time = clause + "，"
            continue
        if len(clause) < 8:
            continue
        if _CIRCUMSTANCE.match(clause) and at + 1 < len(sentence.clauses) and not re.search(r"举|开|立|发|签", clause):
            continue
        subject = subject_of(sentence, at, start)
        return time + clause if subject is not None and is_named(subject) else None
    return None


def _asks_subject(sentence: PreparedSentence, slot: TextSlot, index: int) -> bool:
    start, _ = sentence.clauses[index]
    return slot.start == start and slot.kind in ("person", "organisation", "name")


def _is_time(clause: str) -> bool:
    if len(clause) <= 8 and re.search(
        r"^(?:昨|今[天日晚晨早]|明天|当[天日晚时年]|同[日年月]|近日|日前|近期|最近|随后|此前|次日|上周|本周|"
        r"周[一二三四五六日])",
        clause,
    ):
        return True
    return bool(_TIME_CLAUSE.match(clause)) and bool(re.search(r"\d|年|月|季|目前|当前", clause))


def _first_content(sentence: PreparedSentence) -> int:
    """Return the index of the first clause that is neither a time nor a circumstance (为..., 随着..., 受...影响)."""
    for at, (start, end) in enumerate(sentence.clauses[:-1]):
        clause = sentence.text[start:end]
        if not (_is_time(clause) or (_CIRCUMSTANCE.match(clause) and subject_of(sentence, at) is None)):
            return at
    return len(sentence.clauses) - 1


def _tidy(body: str) -> str:
    """Make small corrections in a question; for example, replace 我国 by 中国, and remove a repeated year or a doubled verb."""
    body = "".join(
        w.text for w in words(body) if not (w.flag == "d" and w.text in ("也", "还", "则", "更", "便", "又", "均", "就"))
    )
    body = body.replace("我国", "中国").strip("，")
    for year in set(re.findall(r"\d{4}年", body)):
        first = body.find(year)
        rest = body[first + 5 :]
        if re.search(rf"{year}第\d", rest):
            body = body[: first + 5] + rest.replace(f"{year}第", "第", 1)
    body = re.sub(r"(在|于)(?:在|于)", r"\1", re.sub(r"([一-鿿]{5,})\1", r"\1", body))
    body = re.sub(r"是是|为是", "是", body)
    return re.sub(r"\s+", "" if not re.search(r"[A-Za-z]\s+[A-Za-z]", body) else " ", body)


def _with_titles(body: str, titles: dict[str, str]) -> str:
    """Return the question with the person's post added before a name, for the first name in `titles` that appears without its
    post."""
    for name, full in titles.items():
        at = body.find(name)
        if (
            at >= 0
            and full not in body
            and not re.search(r"[一-鿿·]$", body[:at][-1:] if at and body[at - 1] not in "，由任被与和对" else "")
        ):
            return body[:at] + full + body[at + len(name) :]
    return body
