"""The names that a Chinese question says: persons with their posts, institutions, works, places, names in quotation marks."""

import re

from core.offline.chinese.kinds import kind_of
from core.offline.chinese.people import titled_people
from core.offline.chinese.sentences import words
from core.offline.chinese.subjects import SURNAMES, is_named

_HEAD = re.compile(
    r"^(?P<name>[^，“《]{3,24}?)(?=于|在|由|将|已|是|为|共|累计|总|位于|毕业|成立|创立|创建|始建|最早建|获|发布|召开|举行|签|有多少|"
    r"的哪|哪|距离|全长|设计|从|向|与|达|通过|同比|启动|印发|推出|曾|以|实现|公布|开展|设有|地处|拥有|抓获|出动|披露|聘任|新增|围绕)"
)


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
    for single in words(question):
        if single.flag in ("ns", "nt", "nz", "nrt", "eng") and len(single.text) > 1:
            found.setdefault(single.text, single.text)
    run: list[str] = []
    for word in (*words(question), None):
        if (
            word is not None
            and word.flag in ("ns", "nt", "nz", "n", "nr", "j", "vn", "eng", "b", "nrt")
            and not re.match("哪|谁|多少", word.text)
        ):
            run.append(word.text)
            continue
        text = "".join(run)
        if len(text) >= 4 and is_named(text) and kind_of(text):
            found.setdefault(text, text)
        run = []
    for clause in re.split("，", question):
        headed = _HEAD.match(re.sub(r"^(?:截至)?[\d年月日至时分上下午半]+", "", clause))
        if headed and headed["name"] not in found and is_named(headed["name"]) and len(headed["name"]) < 16:
            found[headed["name"]] = headed["name"]
    found = {
        name: said
        for name, said in found.items()
        if "、" not in name.strip("“”《》") and not re.match("哪|多少|全[国球省市]|我国|中国全国", name)
    }
    return sorted(found.items(), key=lambda pair: -len(pair[1]))
