"""Work with functions without a model: the first function that is given searches for what the question names, what it brings is
answered from; a word of the question is looked up once where that can be done. It never plans further than that."""

import json
import re

from core.offline import answerer
from core.offline.entities import named_in
from core.text import content_words

_FUNCTION = re.compile(r"^(\w+)\(([^()\n]*)\)", re.MULTILINE)
_OBSERVED = re.compile(r"^Observation: (.*?)(?=\n(?:Thought|Action|思考|行动)|\Z)", re.MULTILINE | re.DOTALL)
_SIMILAR = re.compile(r"(?:Similar: |相近的有：)([^;；\n]+?)(?=[;；。\n]|\.\s*$|$)", re.MULTILINE)
_WORDS = {
    "en": ("Thought: I look for what the question names.\nAction: ", "Thought: I answer from what came back.\nAction: "),
    "zh": ("思考：先查找问题中提到的名称。\n行动：", "思考：根据返回的内容作答。\n行动："),
}


def step(functions: str, question: str, steps: str, language: str) -> str:
    """A thought and an action: search, the first title that is like it, a look-up, then the end."""
    offered = [name for name, _ in _FUNCTION.findall(functions) if name != "Finish"]
    seen, begin = _OBSERVED.findall(steps), _WORDS[language]
    if not offered:
        return f"{begin[1]}Finish[]"
    if not seen:
        return f"{begin[0]}{offered[0]}[{wanted(question, language)}]"
    similar = _SIMILAR.search(seen[-1])
    if similar and len(seen) == 1:
        return f"{begin[0]}{offered[0]}[{similar[1].strip()}]"
    word = next((w for w in reversed(content_words(question, language)) if w not in wanted(question, language).lower()), "")
    if "Lookup" in offered and word and f"Lookup[{word}]" not in steps and not similar:
        return f"{begin[0]}Lookup[{word}]"
    found = answerer.answer(question, "\n".join(reversed(seen)), language)
    return f"{begin[1]}Finish[{'' if found == answerer.REFUSAL[language] else found}]"


def program(functions: str, question: str, language: str) -> str:
    """A program whose value is what the first function gives for what the question names."""
    offered = [name for name, _ in _FUNCTION.findall(functions)]
    code = f"{offered[0]}({json.dumps(wanted(question, language), ensure_ascii=False)})" if offered else "None"
    return f"```python\n{code}\n```"


def wanted(question: str, language: str) -> str:
    """What the question names, the longest name of it; else its words."""
    names = sorted(named_in(question, language), key=len, reverse=True)
    return names[0] if names else " ".join(dict.fromkeys(content_words(question, language))) or question
