"""Implicit Chinese questions: the name in an explicit question gives way to what another sentence says of it, so that the
reader must first find out who or what is meant."""

import re
from collections.abc import Iterator, Mapping
from datetime import date
from typing import TYPE_CHECKING

from core.numbered import Numbered
from core.offline.chinese.dates import dated, published_on, untimed
from core.offline.chinese.kinds import kind_of
from core.offline.chinese.names import names_in
from core.offline.chinese.people import holds_one_person, post_in, titled_people
from core.offline.chinese.relatives import as_relative, called_again, described_around, is_telling
from core.offline.chinese.sentences import balanced, clauses, headless, speaker_of, starts_unnamed, trimmed, words
from core.offline.chinese.slots import quoted
from core.offline.chinese.subjects import names_in_text
from core.offline.factoid import Factoid

if TYPE_CHECKING:
    from core.offline.corpus import Corpus

NEAR = 6
"""Sentences within which 该公司, 此次论坛 ... is taken to mean the name of that kind."""
NAMED_ABOVE = 85.0
"""rapidfuzz partial_ratio of name and question from which the name counts as said."""
_COMMON = re.compile(
    r"股份有限公司|有限责任公司|有限公司|人民法院|人民政府|委员会|研究院|研究所|图书馆|博物馆|基金会|公司|集团|大学|学院|医院|法院|银行|协会|中心|中国|"
    r"国家|全国|中央|人民|国际|第一|科技|文化|发展|管理|建设|工程|北京|上海|天津|重庆|广州|深圳|[省市县区镇乡村]"
)
"""Words that many names share: they say what kind of thing it is."""
_POST_ASKED = re.compile(r"(?:谁在[\d年月]+担任|[\d年月]+，|)(?P<post>[^，？]{4,30}?)(?:是谁|一职在[\d年月]+由谁担任|)？$")
"""The forms in which an explicit question asks who holds a post."""
_OUTSIDE = re.compile(r"其|该|此|他|她|它|这|那|本|双方|上述|我们|当地|相关|有关|同时|记者|目前|近")


def draft_implicit(question: str, answer: str, sentences: Numbered, corpus: "Corpus", avoid: str) -> Factoid | None:
    """The question with one of its names described by another of the sentences, or None when none can be."""
    fact = _fact_sentence(question, answer, sentences)
    if fact is None:
        return None
    best: Factoid | None = None
    offered = _holder(question, answer, fact, sentences, corpus)
    for name, said in names_in(question):
        offered += _swaps(question, answer, name, said, fact, sentences, corpus)
    for factoid in offered:
        if factoid.question != avoid and (best is None or factoid.score > best.score):
            best = factoid
    return best


def _holder(question: str, answer: str, fact: int, sentences: Numbered, corpus: "Corpus") -> list[Factoid]:
    """Who holds a post, asked by what the person said or did, the post left out."""
    asked = _POST_ASKED.match(question)
    role = post_in(asked["post"]) if asked else None
    if asked is None or role is None:
        return []
    days = _days(sentences, corpus)
    found: list[Factoid] = []
    for number, sentence in enumerate(sentences.sentences, 1):
        text = trimmed(sentence.text) if answer in headless(sentence.text) else None
        if text is None:
            continue
        told = [d for d in _described(text, answer, "", f"那位{role}") if answer not in d]
        statement = _statement(sentence.text, text, answer)
        told += [f"表示{statement}的那位{role}"] if statement else []
        for description in told:
            full = dated(description, days[sentence.span.document])
            if (
                full is None
                or _OUTSIDE.search(full.removesuffix(f"那位{role}"))
                or gives_away(asked["post"].removesuffix(role), full)
                or answer in full
            ):
                continue
            score = 1.0 + 0.3 * (number != fact) + 0.3 * ("表示" not in full[:2]) - len(full) / 200
            found.append(Factoid(f"{full}是谁？", answer, tuple(sorted({number, fact})), asked["post"], score=score))
    return found


def _statement(original: str, text: str, name: str) -> str | None:
    """What the person says in that sentence, when it can be told from what others say."""
    who = speaker_of(original)
    if who is None or not who.endswith(name) or starts_unnamed(text) or len(re.findall(r"[“《]", text)) > 1:
        return None
    said = ""
    for _, end in clauses(text):
        said = text[:end]
        if len(said) >= 16:
            break
    names = len(names_in_text(said)) + len(re.findall(r"\d|[“《]", said))
    return said if 14 <= len(said) <= 46 and names >= 2 and balanced(said) and not re.match(r"将|要|应|希望|可", said) else None


def _fact_sentence(question: str, answer: str, sentences: Numbered) -> int | None:
    """Number of the sentence that holds the answer and most of the question's pairs of characters."""
    pairs = {question[i : i + 2] for i in range(len(question) - 1)}
    scored = [(sum(pair in s.text for pair in pairs), -n) for n, s in enumerate(sentences.sentences, 1) if answer in s.text]
    if not scored or max(scored)[0] < 0.3 * len(pairs):
        return None
    return -max(scored)[1]


def _swaps(question: str, answer: str, name: str, said: str, fact: int, sentences: Numbered, corpus: "Corpus") -> list[Factoid]:
    found: list[Factoid] = []
    post = said[: -len(name)] if said.endswith(name) else ""
    core = name.strip("“”《》") if name[0] in "“《" else name
    at = question.find(said)
    before = [w for w in words(question) if w.end == at]
    opens = at == 0 or (
        before
        and (before[0].text[-1] in "，年月日时午由与向号据在对于为从到被把" or before[0].flag in ("v", "p", "ul", "d", "x"))
    )
    if quoted(question, at, at) or (question[at - 1 : at] in ("“", "《") and not name.startswith(("“", "《"))):
        return found
    if not opens or re.match(r"[等、和与及]|原名", question[at + len(said) :]):
        return found

    def offer(words_for_it: str, numbers: tuple[int, ...], score: float) -> None:
        after = next((w for w in words(question) if w.start == at + len(said)), None)
        if after is None:
            return
        time = re.match(r"\d{4}年(?:\d{1,2}月)?(?:\d{1,2}日)?(?:上半年|下半年)?(?!第\d+号)", words_for_it)
        if time and re.search(r"\d", question[max(0, at - 12) : at]):
            if not question[:at].rstrip("，").endswith(time[0]):
                return
            words_for_it = words_for_it[time.end() :].lstrip("，")
        if (
            after.flag[0] in "nbajm"
            and not re.match(r"\d{4}年|一?共", question[after.start :])
            and not re.search(r"的$|[，？]", after.text)
            and re.search(r"那[一-鿿]{1,4}$", words_for_it)
        ):
            words_for_it += "的"
        swapped = re.sub(
            r"(那[一-鿿](?:活动|会议|项目))(?:活动|会议|项目|系列活动)", r"\1", question.replace(said, words_for_it, 1)
        )
        if answer in words_for_it or gives_away(core, swapped) or len(swapped) > 110 or swapped.count("20") > 3:
            return
        if _is_unique(words_for_it, core, corpus):
            found.append(Factoid(swapped, answer, tuple(sorted({*numbers, fact})), core, score=score))

    rest = question.replace(said, "", 1)
    context = "\n".join(s.text for s in sentences.sentences)
    kind = kind_of(name, post, context)
    days, short = _days(sentences, corpus), shortened(name, context)
    introduced: int | None = None
    for number, sentence in enumerate(sentences.sentences, 1):
        if post and post + name in sentence.text and (introduced is None or introduced == fact):
            introduced = number
        text = trimmed(sentence.text)
        if text is not None and core not in text and any(a in text for a in short):
            text = text.replace(next(a for a in short if a in text), name, 1)
        if text is not None and core not in text:
            near = abs(number - fact) <= NEAR and sentence.span.document == sentences.sentences[fact - 1].span.document
            text = called_again(text, name, bool(post) or kind == "那个人") if near else None
        for description in _described(text, name, post, kind) if text else ():
            full = dated(description, days[sentence.span.document]) or untimed(description)
            if (
                full is None
                or _OUTSIDE.search(re.sub(r"的那[一-鿿]{1,6}$", "", full))
                or _says(full, rest, 0.45 if number != fact else 0.25)
            ):
                continue
            offer(full, (number,), 1.0 + 0.5 * (number != fact) + 0.5 * is_telling(full) - len(full) / 200)
    if kind == "那个台风":
        for words_for_it, number in _storm(core, sentences, days):
            offer(words_for_it, (number,), 1.2)
    numbered = re.search(rf"(\d{{4}}年第\d+号台风){re.escape(name.removeprefix('台风'))}", question)
    if numbered:
        said = numbered[0]
        offer(numbered[1], (fact,), 0.3)
    elif post and name not in rest and introduced is not None:
        offer(_by_post(post), (introduced,), 0.4 if introduced != fact else 0.1)
    elif not post and kind and "，" in question[at:] and re.fullmatch(r"(?:[\d年月日时上下午半]+，)?", question[:at]):
        head, tail = question[at:].split("，", 1)
        relative = as_relative(name, head, kind)
        said = head + "，"
        if relative and re.search(r"\d|[“《]", relative) and not re.match(r"[较比同环其]", tail):
            offer(relative, (fact,), 0.2)
    return found


def _storm(name: str, sentences: Numbered, days: Mapping[str, date | None]) -> Iterator[tuple[str, int]]:
    """(2031年第5号台风, sentence) wherever a storm of that name is numbered."""
    for number, sentence in enumerate(sentences.sentences, 1):
        found = re.search(rf"第\s?(\d+)号(?:[一-鿿]{{0,4}}?台风)(?:[一-鿿]{{0,4}}级)?[“‘]{re.escape(name)}", sentence.text)
        day = days[sentence.span.document]
        if found and day:
            yield f"{day.year}年第{found[1]}号台风", number


def shortened(name: str, context: str) -> tuple[str, ...]:
    """Shorter forms of a name that a text may use: the one in brackets, a company's without 有限公司, a place's without 市."""
    given = re.findall(rf"{re.escape(name)}[（(](?:以下)?(?:简称|下称)[：:“《]*([^）)”》]{{2,12}})", context)
    company = re.sub(r"(?:集团)?(?:股份|科技|控股)?(?:有限|责任)+公司$", "", name)
    if company != name and len(company) > 3:
        given.append(company)
    if (
        re.search(r"[一-鿿]{2,}[市省区县]$", name)
        and len(name) < 5
        and not name.endswith(("地区", "小区", "园区", "景区", "城区"))
    ):
        given.append(name[:-1])
    return tuple(given)


def _by_post(post: str) -> str:
    """Words for a person by the post: the post itself where one holds it, else one of those who do."""
    if holds_one_person(post):
        return post
    role = re.search(rf"(?:副|助理|常务副|原|前)?{post_in(post)}$", post)
    assert role is not None
    return f"{post[: role.start()]}的一位{role[0]}"


def _days(sentences: Numbered, corpus: "Corpus") -> dict[str, date | None]:
    """By document: the day it came out, as far as it is known."""
    known = {d.id: d for d in corpus.documents}
    found: dict[str, date | None] = {}
    for sentence in sentences.sentences:
        if sentence.span.document not in found:
            whole = known.get(sentence.span.document)
            opening = whole.text[:60] if whole else sentence.text
            found[sentence.span.document] = published_on(whole.published if whole else None, opening)
    return found


def gives_away(name: str, question: str) -> bool:
    """Whether the question says the name, nearly says it, or says a piece by which it could be told."""
    from rapidfuzz.fuzz import partial_ratio

    if name in question or partial_ratio(name, question) >= NAMED_ABOVE:
        return True
    own = _COMMON.sub("　", name)
    for piece in own.split("　"):
        size = 2 if len(piece) <= 3 else 3
        if (len(piece) >= 4 and piece[:2] in question) or any(
            piece[i : i + size] in question for i in range(len(piece) - size + 1)
        ):
            return True
    return False


def _says(description: str, rest: str, most: float) -> bool:
    """Whether the rest of the question says the description already."""
    pairs = {description[i : i + 2] for i in range(len(description) - 1)}
    return sum(pair in rest for pair in pairs) > most * len(pairs)


def _described(text: str, name: str, post: str, kind: str | None) -> list[str]:
    """What that text says of the name, as words to stand for it."""
    found: list[str] = []
    for titled in titled_people(text):
        if titled.name == name and titled.post != post and not post:
            found.append(titled.post)
    if kind is None:
        return found
    found += [] if post else described_around(name, text, kind)
    about, time = False, ""
    for start, end in clauses(text)[:4]:
        clause = text[start:end]
        if re.match(rf"(?:截至)?[\d年月日上下半]*{re.escape(post)}?{re.escape(name)}", clause):
            told = re.sub(rf"^.*?{re.escape(name)}", "", clause, count=1)
            about = not told or (words(told)[0].flag[0] in "vdp" and not re.match(r"驻|副|原", told))
            clause, time = time + clause, ""
        elif about and (
            _continues(clause)
            or re.match(
                r"[是于由]|在(?=[^，]*(?:举行|举办|召开|成立|出版|获|开幕|设立))|总部|位列|成为|拥有|主要|全长|总|占地|距离|致力|毕业|隶属|曾|创|成立|始建|荣获|获|有\d|发布|"
                r"推出|启动|提出|审议|通过",
                clause,
            )
        ):
            clause = name + clause
        else:
            time = clause if re.fullmatch(r"(?:截至)?[\d年月日上下半]+", clause) else ""
            continue
        if post and post + name in clause:
            clause = clause.replace(post + name, name)
        relative = as_relative(name, clause, kind)
        if relative:
            found.append(relative)
    return found


def _continues(clause: str) -> bool:
    """Whether a clause goes on about the subject of the one before it: it opens with a verb or a measure."""
    tagged = words(clause)
    if not re.search(r"\d|[“《]|首[个家座款部]|第一|最[大长高早]|唯一", clause) or re.match(
        r"[增减涨跌升降高低超比快慢占使让令]|同比|环比|造成|导致|涉及|要求|包括|推动", clause
    ):
        return False
    return (tagged[0].flag == "v" and len(tagged) > 2) or bool(
        re.match(
            r"与[^，]{2,14}(?:相连|接壤|毗邻|交界)$|毗邻|地处|(?:资产|注册|总|累计|管理|建筑|年)?(?:规模|资本|市值|面积|人口|投资|产值|营收)",
            clause,
        )
    )


def _is_unique(description: str, name: str, corpus: "Corpus") -> bool:
    """Whether no document of the corpus says the same of something else."""
    said = re.sub(r"的那[一-鿿]{1,6}$", "", description)
    said = re.sub(r"\d{4}年", "", said)
    return all(said not in d.text or name in d.text for d in corpus.documents)
