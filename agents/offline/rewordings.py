"""Rewords a question by simple rules: in casual or formal words, as a statement or a request, or with a grammatical error. The
functions return None if the text is too short to be a question or no rule applies."""

import re
from collections.abc import Sequence

_ASKS = re.compile(r"(?:who|whom|whose|what|which|when|where|why|how|in|on|at|by|to|from|of|for)\b", re.IGNORECASE)
_YES_NO = re.compile(
    r"(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|should|may|might|must)\b", re.IGNORECASE
)
_CASUAL = (
    (r"\b(What|Who|Where|How|When) is\b", r"\1's"),
    (r"\bdo not\b", "don't"),
    (r"\bdid not\b", "didn't"),
    (r"\bdoes not\b", "doesn't"),
    (r"\b(is|was|are|were) not\b", r"\1n't"),
    (r"\bchildren\b", "kids"),
    (r"\bchild\b", "kid"),
    (r"\bmother\b", "mom"),
    (r"\bfather\b", "dad"),
    (r"\bgrandmother\b", "grandma"),
    (r"\bgrandfather\b", "grandpa"),
    (r"\bfilms\b", "movies"),
    (r"\bfilm\b", "movie"),
    (r"\bhusband\b", "hubby"),
    (r"\bpurchased\b", "bought"),
    (r"\bpurchase\b", "buy"),
    (r"\bcommenced\b", "started"),
    (r"\bcommence\b", "start"),
    (r"\breceived\b", "got"),
    (r"\breceive\b", "get"),
    (r"\brequired\b", "needed"),
    (r"\bapproximately\b", "about"),
    (r"\bdate of birth\b", "birthday"),
    (r"\bperformer\b", "singer"),
    (r"\bmany\b", "lots of"),
)
_HARDER = (
    (r"\bchildren\b", "progeny"),
    (r"\bchild\b", "offspring"),
    (r"\bmother\b", "maternal parent"),
    (r"\bfather\b", "paternal progenitor"),
    (r"\b(?:wife|husband|spouse)\b", "conjugal partner"),
    (r"\bfilms\b", "cinematographic works"),
    (r"\bfilm\b", "cinematographic work"),
    (r"\bbirth\b", "nativity"),
    (r"\bdeath\b", "decease"),
    (r"\bcountry\b", "sovereign nation"),
    (r"\bolder\b", "of more advanced age"),
    (r"\byounger\b", "of less advanced age"),
    (r"\bbegin\b", "commence"),
    (r"\bstart\b", "commence"),
    (r"\bshow\b", "exhibit"),
    (r"\buse\b", "utilise"),
    (r"\bused\b", "utilised"),
    (r"\bbefore\b", "prior to"),
    (r"\bafter\b", "subsequent to"),
    (r"\babout\b", "with reference to"),
    (r"\bmany\b", "numerous"),
    (r"\bfirst\b", "initial"),
    (r"\bwhy\b", "for what reason"),
    (r"\bWhy\b", "For what reason"),
    (r"\bhow\b", "in what manner"),
    (r"\bHow (?!many|much|long|far|old)", "In what manner "),
    (r"\bmade\b", "brought about"),
    (r"\bgot\b", "obtained"),
    (r"\bhelp\b", "facilitate"),
    (r"\bend\b", "termination"),
)
_BROKEN = (
    (r"\bis\b", "are", "agreement"),
    (r"\bwas\b", "were", "agreement"),
    (r"\bhas\b", "have", "agreement"),
    (r"\bdoes\b", "do", "agreement"),
    (r"\bdid\b", "has did", "two auxiliaries"),
    (r"(?i)\b(are|were)\b", "is", "agreement"),
    (r"\bhave\b", "has", "agreement"),
    (r"\ban (?=\w)", "a ", "article"),
    (r"\ba (?=[a-z])", "an ", "article"),
    (r"\bthe ", "", "article"),
    (r"\bof\b", "at", "preposition"),
    (r"\bin\b", "on", "preposition"),
    (r"^(\w+) (\w+)", r"\2 \1", "word order"),
)
_CASUAL_ZH = (
    ("为什么", "为啥"),
    ("什么时候", "啥时候"),
    ("何时", "啥时候"),
    ("什么", "啥"),
    ("怎么", "咋"),
    ("如何", "咋"),
    ("哪里", "哪儿"),
    ("何处", "哪儿"),
    ("多少", "多少来着"),
    ("是谁", "是谁来着"),
    ("知道", "晓得"),
)
_HARDER_ZH = (
    ("为什么", "缘何"),
    ("为何", "缘何"),
    ("什么时候", "何时"),
    ("哪一年", "何年"),
    ("哪年", "何年"),
    ("什么", "何等"),
    ("怎么", "以何种方式"),
    ("哪里", "何处"),
    ("谁", "何人"),
    ("多少", "几何"),
    ("一共", "总计"),
    ("写的", "所撰之"),
)
_BROKEN_ZH = (
    ("的", "", "缺“的”"),
    ("是", "被是", "多用“被”"),
    ("了", "", "缺“了”"),
    ("在", "在于在", "介词重复"),
    ("和", "和与", "连词重复"),
)


def reword_casually(question: str, language: str) -> str | None:
    """Return the question in everyday words, or None if the text is too short to be a question."""
    if not _is_asked(question):
        return None
    if language == "zh":
        made = _replace_words(question, _CASUAL_ZH)
        return made if made != question else f"{_strip_end_marks(question)}来着？"
    made = _apply_rules(question, _CASUAL)
    return made if made != question else f"{_strip_end_marks(question)}, d'you know?"


def reword_harder(question: str, language: str) -> str | None:
    """Return the question in more formal words, or None if the text is too short to be a question."""
    if not _is_asked(question):
        return None
    if language == "zh":
        made = _replace_words(question, _HARDER_ZH)
        return made if made != question else f"敢问{question}"
    made = _apply_rules(question, _HARDER)
    return made if made != question else f"May it be ascertained {_lower_first_letter(question)}"


def restate(question: str, target: str, language: str) -> str | None:
    """Return the question as a statement ("I want to know ..."), or as a request ("Tell me ...") if `target` asks for an
    imperative; None if the text is too short to be a question."""
    if not _is_asked(question):
        return None
    asked = _strip_end_marks(question)
    if language == "zh":
        return f"{'请告诉我' if '祈使' in target else '我想知道'}{asked}。"
    is_order, asks_yes = "imperative" in target.lower(), bool(_YES_NO.match(asked))
    if is_order:
        for pattern, verb in ((r"Who (?:is|was|are|were) (the .+)", "Name"), (r"What (?:is|was|are|were) (the .+)", "Give")):
            if match := re.fullmatch(pattern, asked, re.DOTALL):
                return f"{verb} {match[1]}."
    begin = "Tell me" if is_order else "I want to know"
    return f"{begin}{', yes or no:' if asks_yes else ''} {_lower_first_letter(asked)}."


def break_grammar(question: str, tried: str, language: str) -> tuple[str, str] | None:
    """Return the question with a grammatical error and a description of the error, or None if no error fits. Skips versions of
    the question that `tried` contains."""
    if not _is_asked(question):
        return None
    made = (
        [(question.replace(was, put, 1), error) for was, put, error in _BROKEN_ZH]
        if language == "zh"
        else [(re.sub(pattern, put, question, count=1), error) for pattern, put, error in _BROKEN]
    )
    return next(((text, error) for text, error in made if text != question and text not in tried), None)


def _is_asked(question: str) -> bool:
    """Return whether the text has enough words to be a question: at least two English words or three Chinese characters."""
    return len(re.findall(r"[㐀-鿿]", question)) > 2 or len(re.findall(r"[A-Za-z]+", question)) > 1


def _strip_end_marks(question: str) -> str:
    return question.strip().rstrip("?？!！.。 ")


def _lower_first_letter(question: str) -> str:
    """Return the question with its first letter in lower case, unless it begins with a name."""
    is_plain = _ASKS.match(question) or _YES_NO.match(question)
    return question[:1].lower() + question[1:] if is_plain else question


def _apply_rules(text: str, rules: Sequence[tuple[str, str]]) -> str:
    for pattern, put in rules:
        text = re.sub(pattern, put, text)
    return text


def _replace_words(text: str, rules: Sequence[tuple[str, str]]) -> str:
    """Replace words in one pass, longer words first, so that a replacement is never replaced again."""
    known = dict(rules)
    pattern = "|".join(map(re.escape, sorted(known, key=len, reverse=True)))
    return re.sub(pattern, lambda match: known[match[0]], text)
