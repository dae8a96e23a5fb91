"""Chooses function calls by rules, without a model, for prompts that offer functions: calls the first function, then each
function that searches by name, with the name in the question, until there is a result, and answers from this result. Looks up
one word of the question if the functions include Lookup. The module does no further planning."""

import json
import re

from agents.offline import answerer
from agents.offline.entities import named_in
from core.text.text import content_words

_FUNCTION = re.compile(r"^(\w+)\(([^()\n]*)\)", re.MULTILINE)
_EACH_WITH = re.compile(r"each with ((?:(?!each with )[\w, ]){1,2000})\.")
_OBSERVED = re.compile(r"^Observation: (.*?)(?=\n(?:Thought|Action|思考|行动)|\Z)", re.MULTILINE | re.DOTALL)
_EMPTY_RESULTS = ("No result.", "没有结果。")
_NO_PAGE = re.compile(r"There is no page |没有题为")
_SIMILAR = re.compile(r"(?:Similar: |相近的有：)([^;；\n]+?)(?=[;；。\n]|\.\s*$|$)", re.MULTILINE)
_WORDS = {
    "en": ("Thought: I look for what the question names.\nAction: ", "Thought: I answer from what came back.\nAction: "),
    "zh": ("思考：先查找问题中提到的名称。\n行动：", "思考：根据返回的内容作答。\n行动："),
}


def step(functions: str, question: str, steps: str, language: str) -> str:
    """Return the next thought and action for a prompt that works in steps. The actions are, in this order: search until there
    is a result, try the first similar title, look up a word, and finish."""
    offered = [name for name, _ in _FUNCTION.findall(functions) if name != "Finish"]
    seen, begin = _OBSERVED.findall(steps), _WORDS[language]
    if not offered:
        return f"{begin[1]}Finish[]"
    searches = list(dict.fromkeys([offered[0], *(name for name, _, _ in _searches(functions))]))
    if len(seen) < len(searches) and all(text.startswith(_EMPTY_RESULTS) for text in seen):
        return f"{begin[0]}{searches[len(seen)]}[{find_topic(question, language)}]"
    similar = _SIMILAR.search(seen[-1])
    if similar and len(seen) == 1:
        return f"{begin[0]}{offered[0]}[{similar[1].strip()}]"
    word = next((w for w in reversed(content_words(question, language)) if w not in find_topic(question, language).lower()), "")
    if "Lookup" in offered and word and f"Lookup[{word}]" not in steps and not similar:
        return f"{begin[0]}Lookup[{word}]"
    brought = [text for text in reversed(seen) if not (_NO_PAGE.match(text) or text.startswith(_EMPTY_RESULTS))]
    result = _in_records(brought, question, language) or answerer.answer(question, "\n".join(brought), language)
    return f"{begin[1]}Finish[{'' if result == answerer.REFUSAL[language] else result}]"


def program(functions: str, question: str, language: str) -> str:
    """Return a Python program that searches for the name in the question with every function that takes a name, and reads the
    column that the question mentions from the row with exactly that name. If no function takes a name, the program returns the
    result of the first function."""
    name = json.dumps(find_topic(question, language), ensure_ascii=False)
    spoken = _list_stems(question, language)
    lines = []
    for function, parameters, columns in _searches(functions):
        column = max(columns, key=lambda candidate: len(spoken & _parts(candidate)), default="")
        if spoken & _parts(column):
            lines += [
                f"for row in {function}({parameters}={name}):",
                f"    if row['name'] == {name}:",
                f"        answer = row.get({column!r})",
            ]
    if lines:
        return "\n".join(["```python", "answer = None", *lines, "answer", "```"])
    offered = [function for function, _ in _FUNCTION.findall(functions)]
    return f"```python\n{offered[0]}({name})\n```" if offered else "```python\nNone\n```"


def _in_records(brought: list[str], question: str, language: str) -> str:
    """Return the value of the column that the question mentions, from a record whose name is exactly the name in the question;
    "" if there is none."""
    name, spoken, decoder = find_topic(question, language), _list_stems(question, language), json.JSONDecoder()
    for text in brought:
        place = text.find("{")
        while place >= 0:
            try:
                record, end = decoder.raw_decode(text, place)
            except ValueError:  # the record was cut off at the maximum length of an observation
                break
            column = max(record, key=lambda candidate: len(spoken & _parts(candidate)), default="")
            if record.get("name") == name and spoken & _parts(column) and record[column] is not None:
                value = record[column]
                return ", ".join(map(str, value)) if isinstance(value, list) else str(value)
            place = text.find("{", end)
    return ""


def _list_stems(question: str, language: str) -> set[str]:
    return {word.rstrip("s") for word in content_words(question, language)}


def _searches(functions: str) -> list[tuple[str, str, list[str]]]:
    """Return the functions that find rows by name, each as (function name, argument name, column names)."""
    searches = []
    for block in functions.split("\n\n"):
        head, each_with = _FUNCTION.match(block), _EACH_WITH.search(block)
        if head and each_with and head[2].partition(",")[0].strip() == "name":
            searches.append((head[1], "name", [column.strip(" .") for column in each_with[1].split(",")]))
    return searches


def _parts(column: str) -> set[str]:
    return {part.rstrip("s") for part in re.findall(r"[a-z]+", column.lower()) if part != "name"}


def find_topic(question: str, language: str) -> str:
    """Return what the question is about: the longest name in it, or its content words if it has no name."""
    names = sorted(named_in(question, language), key=len, reverse=True)
    return names[0] if names else " ".join(dict.fromkeys(content_words(question, language))) or question
