r"""Extract the answer from a model's whole output: the text after "the answer is", or in the last \boxed{...}. None means that
there is no answer, unlike an empty answer."""

import re

from core.text.language import ByLanguage

PHRASES = ByLanguage({"en": "So the answer is", "zh": "所以答案是"})
"""A dict from language to the words that introduce the answer in the prompts and replies."""
ANSWER_ENDINGS = ByLanguage({"en": "So the answer is {}.", "zh": "所以答案是{}。"})
"""A dict from language to the sentence with which a worked example's reply ends, with {} for the answer."""
_SAID_ANSWER = re.compile(r"(?:the answer is|答案(?:是|为))[:：]?[ \t]*", re.IGNORECASE)
_END = re.compile(r"(?<![\s.。])[\s.。]+$")
_WRAPPED_TEXT = re.compile(r"\\(?:text|textbf|mathrm|mathbf|texttt)\s*\{")


def find_said_answer(text: str) -> str | None:
    """Return the text after the last "the answer is" up to the end of its line, without the full stop, or None if there is
    none."""
    matches = list(_SAID_ANSWER.finditer(text))
    if not matches:
        return None
    return _END.sub("", text[matches[-1].end() :].lstrip().partition("\n")[0])


def find_boxed_answer(text: str) -> str | None:
    r"""Return the content of the last closed \boxed{...}, without \text{...} around it, or None if there is none."""
    for start in reversed([match.end() for match in re.finditer(r"\\boxed\s*\{", text)]):
        inner = _close_brace(text, start)
        if inner is not None:
            while (match := _WRAPPED_TEXT.search(inner)) and (words := _close_brace(inner, match.end())) is not None:
                inner = inner[: match.start()] + words + inner[match.end() + len(words) + 1 :]
            return inner.strip()
    return None


def _close_brace(text: str, start: int) -> str | None:
    """Return the text from `start` up to the brace that closes the brace before `start`, or None if that brace is not
    closed."""
    depth = 1
    for at in range(start, len(text)):
        depth += {"{": 1, "}": -1}.get(text[at], 0)
        if depth == 0:
            return text[start:at]
    return None
