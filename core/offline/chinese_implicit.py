"""Implicit Chinese questions: the name in an explicit question gives way to what another sentence says of it, so that the
reader must first find out who or what is meant."""

import re
from typing import TYPE_CHECKING

from core.numbered import Numbered
from core.offline.chinese_dates import dated, published_on
from core.offline.chinese_descriptions import as_relative, called_again, holds_one_person, is_telling, kind_of, titled_people
from core.offline.chinese_sentences import clauses, trimmed, words
from core.offline.chinese_subjects import SURNAMES, is_named
from core.offline.factoid import Factoid

if TYPE_CHECKING:
    from core.offline.corpus import Corpus

NEAR = 6
"""Sentences within which 该公司, 此次论坛 ... is taken to mean the name of that kind."""
NAMED_ABOVE = 85.0
"""rapidfuzz partial_ratio of name and question from which the name counts as said."""
_HEAD = re.compile(
    r"^(?P<name>[^，“《]{3,24}?)(?=于|在|由|将|已|是|为|共|累计|总|位于|毕业|成立|创立|创建|始建|最早建|获|发布|召开|举行|签|有多少|"
    r"的哪|哪|距离|全长|设计|从|向|与|达|通过|同比|启动|印发|推出|曾|以|实现)"
)
_OUTSIDE = re.compile(r"其|该|此|他|她|它|这|那|本|双方|上述|我们|当地|相关|有关|同时|记者|目前|近")


def draft_implicit(question: str, answer: str, sentences: Numbered, corpus: "Corpus", avoid: str) -> Factoid | None:
    """The question with one of its names described by another of the sentences, or None when none can be."""
    fact = _fact_sentence(question, answer, sentences)
    if fact is None:
        return None
    best: Factoid | None = None
    for name, said in names_in(question):
        for factoid in _swaps(question, answer, name, said, fact, sentences, corpus):
            if factoid.question not in avoid and (best is None or factoid.score > best.score):
                best = factoid
    return best


def names_in(question: str) -> list[tuple[str, str]]:
    """(name, the words that say it): persons with their posts, organisations, works and quoted names, the longest first."""
    found: dict[str, str] = {}
    for name, post, _ in titled_people(question):
        found[name] = post + name
    for match in re.finditer(r"(?:电影|影片|电视剧|剧集)?《[^》]{2,20}》|(?:台风)?“[^”]{2,14}”", question):
        found.setdefault(match[0], match[0])
    for person in words(question):
        if person.flag == "nr" and len(person.text) == 3 and person.text[0] in SURNAMES and person.text not in found:
            found[person.text] = person.text
    run: list[str] = []
    for word in (*words(question), None):
        if (
            word is not None
            and word.flag in ("ns", "nt", "nz", "n", "nr", "j", "vn", "eng", "b", "nrt")
            and word.text not in ("哪里", "谁")
        ):
            run.append(word.text)
            continue
        text = "".join(run)
        if len(text) >= 4 and is_named(text) and kind_of(text):
            found.setdefault(text, text)
        run = []
    for clause in re.split("，", question):
        headed = _HEAD.match(re.sub(r"^(?:截至)?[\d年月日至时分上下午半]+", "", clause))
        if headed and headed["name"] not in found and is_named(headed["name"]) and kind_of(headed["name"]):
            found[headed["name"]] = headed["name"]
    return sorted(found.items(), key=lambda pair: -len(pair[1]))


def _fact_sentence(question: str, answer: str, sentences: Numbered) -> int | None:
    """Number of the sentence that holds the answer and most of the question's pairs of characters."""
    pairs = {question[i : i + 2] for i in range(len(question) - 1)}
    scored = [(sum(pair in s.text for pair in pairs), -n) for n, s in enumerate(sentences.sentences, 1) if answer in s.text]
    if not scored or max(scored)[0] < 0.3 * len(pairs):
        return None
    return -max(scored)[1]


def _swaps(question: str, answer: str, name: str, said: str, fact: int, sentences: Numbered, corpus: "Corpus") -> list[Factoid]:
    from rapidfuzz.fuzz import partial_ratio

    found: list[Factoid] = []
    post = said[: -len(name)] if said.endswith(name) else ""
    core = name.strip("“”《》") if name[0] in "“《" else name
    published = {d.id: d.published for d in corpus.documents}
    opening = {d.id: d.text[:60] for d in corpus.documents} if corpus.documents else {}
    at = question.find(said)
    opens = at <= 0 or question[at - 1] in "，年月日“《由与向号"
    if not opens or re.match(r"[等、和与及的]|原名", question[at + len(said) :]):
        return found
    rest = question.replace(said, "", 1)
    for number, sentence in enumerate(sentences.sentences, 1):
        text = trimmed(sentence.text)
        if text is not None and core not in text:
            near = abs(number - fact) <= NEAR and sentence.span.document == sentences.sentences[fact - 1].span.document
            text = called_again(text, name, bool(post) or kind_of(name) == "那个人") if near else None
        if text is None:
            continue
        day = published_on(published.get(sentence.span.document), opening.get(sentence.span.document, sentence.text))
        for description in _described(text, name, post):
            full = dated(description, day)
            if (
                full is None
                or _OUTSIDE.search(re.sub(r"的那[一-鿿]{1,6}$", "", full))
                or answer in full
                or core in full
                or _says(full, rest)
            ):
                continue
            swapped = question.replace(said, full, 1)
            if name in swapped or core in swapped or len(swapped) > 110 or swapped.count("20") > 3:
                continue
            if partial_ratio(core, swapped) >= NAMED_ABOVE or not _is_unique(full, core, corpus):
                continue
            found.append(
                Factoid(
                    swapped,
                    answer,
                    tuple(sorted({number, fact})),
                    core,
                    score=0.5 * (number != fact) + 0.5 * is_telling(full) + 1.0 - len(swapped) / 200,
                )
            )
    numbered = re.search(rf"(\d{{4}}年第\d+号台风){re.escape(name.removeprefix('台风'))}", question)
    if not found and numbered:
        swapped = question.replace(numbered[0], numbered[1], 1)
        if core not in swapped:
            found.append(Factoid(swapped, answer, (fact,), core, score=0.3))
    if not found and post and holds_one_person(post) and name not in question.replace(said, "", 1):
        swapped = question.replace(said, f"担任{post}的那个人", 1)
        if answer not in swapped and partial_ratio(core, swapped) < NAMED_ABOVE and _is_unique(post, core, corpus):
            found.append(Factoid(swapped, answer, (fact,), core, score=0.1))
    return found


def _says(description: str, rest: str) -> bool:
    """Whether the rest of the question says the description already."""
    pairs = {description[i : i + 2] for i in range(len(description) - 1)}
    return sum(pair in rest for pair in pairs) > 0.45 * len(pairs)


def _described(text: str, name: str, post: str) -> list[str]:
    """What that text says of the name, as words to stand for it."""
    found: list[str] = []
    for titled in titled_people(text):
        if titled.name == name and titled.post != post and not post:
            found.append(titled.post)
    kind = kind_of(name, post)
    if kind is None:
        return found
    about, time = False, ""
    for start, end in clauses(text)[:4]:
        clause = text[start:end]
        if re.match(rf"(?:截至)?[\d年月日上下半]*{re.escape(post)}?{re.escape(name)}", clause):
            about, clause, time = True, time + clause, ""
        elif about and re.match(
            r"[是于在由]|总部|位列|成为|拥有|主要|全长|总|占地|距离|致力|毕业|隶属|曾|创|成立|始建|荣获|获|有\d", clause
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


def _is_unique(description: str, name: str, corpus: "Corpus") -> bool:
    """Whether no document of the corpus says the same of something else."""
    said = re.sub(r"的那[一-鿿]{1,6}$", "", description)
    said = re.sub(r"\d{4}年", "", said)
    return all(said not in d.text or name in d.text for d in corpus.documents)
