"""Flag a question that refers to a text its reader does not have ("according to the passage", "文中"), to an unnamed person, or
to a day whose date only the document states. The gate matches patterns and calls no agent."""

import re
from unicodedata import normalize

from builders.gate import Finding, Gate, GateContext
from core.nouns import Item
from core.text.language import FULL_LANGUAGES, explain_missing
from core.text.names import names

TEXT_EN = r"(?:text|passage|article|excerpt|paragraph|context|document|extract|snippet|table|source text|text above)s?"
GIVEN_EN = r"(?:(?:given|provided|above|following|present|preceding|previous|same) )?"
NAMED_THING = (
    r"(?! (?:of|between|signed|called|titled|entitled|named|that|which|published|written|issued|tennis|messages?|top)\b)"
)
"""Pattern of words after "the document" and the like, which show that the document is a subject of the question ("the document
signed in 1987") and not the text behind the question."""

ENGLISH = {
    "text": re.compile(
        rf"\b(?:according to|based on|as (?:per|stated|described|mentioned|discussed|noted) (?:in|by)|in|from|within|by"
        rf"|throughout|per|does|do|did|is|are) (?:the|this|these) {GIVEN_EN}{TEXT_EN}\b{NAMED_THING}"
        r"|\bthe (?:text|passage|article|excerpt|paragraph|author|narrator) (?:say|state|mention|describe|suggest|claim|argue"
        r"|impl|discuss|explain|note|conclude|believe|mean|refer|list|use|give|present|emphasi[sz]e)\w*"
        r"|\b(?:mentioned|described|stated|discussed|listed|shown|given|quoted|noted) (?:above|below|earlier|here)\b"
        r"|\b(?:the|this) (?:provided|given|supplied) (?:information|sentences?|context|material|content|data)\b"
        r"|\bsentences? \[?\d+\]?|\[\d+\]|\b(?:in )?the above\b(?!-)",
        re.IGNORECASE,
    ),
    "author": re.compile(
        r"\bthe (?:author|writer|narrator|speaker)s?(?:['’]s?)?\b(?! (?:of|who|whose|behind)\b)"
        r"(?<!who is the author)(?<!who was the author)",
        re.IGNORECASE,
    ),
    "time": re.compile(r"\b(?:yesterday|tomorrow|last (?:year|month|week)|(?:this|next) (?:year|month|week))\b"),
}
PRONOUN_EN = re.compile(
    r"\b(?:when|where|why|how(?: \w+)?|what|who|which(?: \w+)?|in which \w+) "
    r"(?:did|does|do|was|were|is|are|had|has|have|will|would) (?:he|she|they|his|her|their)\b",
    re.IGNORECASE,
)

TEXT_ZH = r"(?:文本|文章|短文|原文|文段|段落|材料|资料|上文|下文|语段|片段|选段|文档|表格|文字|内容|信息)"
CHINESE = {
    "text": re.compile(
        rf"(?:根据|依据|按照|结合|阅读|参照|从|在)(?:以上|上述|所给|给定|给出的|提供的|下面的?|这[段篇份则个]|该|本)*的?{TEXT_ZH}"
        r"(?!科学|力学|学|工程|强度|的?性质|性能|馆|库|室|来源|分析法)"
        rf"|(?:本|该|这|此)[段篇则份](?:文本|文章|短文|材料|资料|段落|报道|文字|新闻)"
        r"|(?:^|[，。？！；、“”:\s]|在|据|从|由|按|照)文中|(?:^|[，。？！；、:\s]|在|据|从)[上下]文(?!化|件|学|物|字|明)"
        r"|(?<![版课剧日读书基样文古])本文(?![件学字化体明献物艺])|该文(?![化件学物明艺职献])|[该上下]表(?![示明达面现演决彰扬格情态])"
        r"|如上所述|上面(?:提到|所说|的文字)|前文(?:提到|所述)?|文章(?:中|里)?(?:提到|指出|认为|说)|第\s*\d+\s*句|\[\d+\]"
    ),
    "author": re.compile(r"(?:^|[，。？！；、\s]|本文|文章|根据)(?:作者|笔者)(?!是谁|为谁|叫)|笔者"),
    "time": re.compile(r"昨天|昨日|明天|去年|今年|明年|上个?月(?!球)|近日|日前|前不久|同日"),
}
PRONOUN_ZH = re.compile(r"^(?:请问)?(?:他|她|它|他们|她们|它们|此人|该公司|该人|其(?![他中实余次它间]))")
WORDS = {
    "text": "points at a text that its reader does not have",
    "author": "speaks of an author whom it does not name",
    "time": "speaks of a time that only its document gives",
    "pronoun": "speaks of somebody whom it does not name",
}


def check(item: Item, context: GateContext) -> Finding:
    if item.language not in FULL_LANGUAGES:
        return Finding("not run", explain_missing("The words that point outside a question are known", item.language))
    question = " ".join(normalize("NFKC", item.question).split())
    signs = [(kind, match.group()) for kind, match in _matches(question, item.language) if match]
    if not signs:
        return Finding("pass")
    kind, words = signs[0]
    details = {"category": kind, "words": [word for _, word in signs]}
    return Finding("flag", f"The question {WORDS[kind]}: {words.strip()!r}.", details)


def _matches(question: str, language: str) -> list[tuple[str, re.Match[str] | None]]:
    if language == "zh":
        pronoun = PRONOUN_ZH.search(question)
        return [*((kind, pattern.search(question)) for kind, pattern in CHINESE.items()), ("pronoun", pronoun)]
    pronoun = None if names(question, language) else PRONOUN_EN.search(question)
    return [*((kind, pattern.search(question)) for kind, pattern in ENGLISH.items()), ("pronoun", pronoun)]


GATE = Gate(version="1", check=check)
