"""Handle hallucinated texts, each of which was made by one edit of a true text. The module handles the label that records the
edit, the differences between the two texts, and the check that the evidence supports only the true text. An edit is {class,
start, end, was, is}: the hallucinated text has `is` from start to end (code points), where the true text has `was`."""

import re
from collections.abc import Mapping
from difflib import SequenceMatcher
from typing import Any, NamedTuple

from builders.task import Kit
from core.agent import Sampling
from core.errors import AgentError, Unreadable
from core.ids import content_hash
from core.text.figures import MONTHS
from core.text.numerals import CHINESE
from core.text.text import split_sentences
from prompts.prompt import load
from prompts.reply import ask_for

CLASSES = ("number", "entity", "negation", "relation", "time")
JUDGE = "judge/containment"
SUPPORT = "support"
"""Kind of the item's step that stores a judge's verdicts on the true and the edited sentence."""
_TOKEN = re.compile(r"\d+(?:[.,]\d+)*|[A-Za-zÀ-ɏ]+(?:[’'-][A-Za-zÀ-ɏ]+)*|\S")
_DENIES = re.compile(r"[不没未无非否]|\b(?:not|no|never|none|neither|nor|without|cannot|hardly)\b|n[’']t\b", re.IGNORECASE)
_GLUE = re.compile(rf"(?:[\d\s年月日号时分点第.,:/-]|{'|'.join(MONTHS)})*")
"""Pattern of the text between two changes, such as a space, that belong to the same date or number."""
MOVED_WORD_TOKENS = 16
"""If words were moved, the move counts as one edit if at most this number of tokens is between the old and the new place."""


class TextChange(NamedTuple):
    """One difference between a true and a hallucinated text: its position, and its words in each text."""

    start: int
    """Offset of the change in the hallucinated text, in code points."""
    end: int
    was: str
    put: str


class EditedSentence(NamedTuple):
    """The sentence in which a text was edited, before and after the edit."""

    true: str
    edited: str


def undo_edit(edit: Mapping[str, Any], hallucinated: str) -> str | None:
    """Return the hallucinated text with the edit undone, or None if the text at the edit's offsets is not the text that the
    edit records."""
    start, end = edit["start"], edit["end"]
    if hallucinated[start:end] != edit["is"]:
        return None
    return f"{hallucinated[:start]}{edit['was']}{hallucinated[end:]}"


def changes(true: str, hallucinated: str) -> list[TextChange]:
    """Compare two texts token by token, ignoring white space, and return the differences. Changes within one date or number,
    and swapped neighbouring words, are one difference."""
    mine, theirs = list(_TOKEN.finditer(true)), list(_TOKEN.finditer(hallucinated))
    matcher = SequenceMatcher(None, [m.group() for m in mine], [m.group() for m in theirs], autojunk=False)
    blocks = [op[1:] for op in matcher.get_opcodes() if op[0] != "equal"]
    merged: list[tuple[int, int, int, int]] = []
    for block in blocks:
        if merged:
            i1, _, j1, _ = merged[-1]
            gap = hallucinated[_end(theirs, merged[-1][3]) : _start(theirs, block[2], len(hallucinated))]
            whole = (i1, block[1], j1, block[3])
            is_figure = all(_has_date([*theirs[b[2] : b[3]], *mine[b[0] : b[1]]]) for b in (merged[-1], block))
            if (is_figure and _GLUE.fullmatch(gap)) or _is_swap(mine, theirs, whole):
                merged[-1] = whole
                continue
        merged.append(block)
    return [_change(true, hallucinated, mine, theirs, block) for block in merged]


def sides(true: str, hallucinated: str, at: int, language: str) -> EditedSentence:
    """Return the sentences around the offset `at` in the true and in the hallucinated text."""
    return EditedSentence(_sentence(true, at, language), _sentence(hallucinated, at, language))


async def support(kit: Kit, language: str, evidence: str, both: EditedSentence) -> dict[str, Any]:
    """Ask a judge whether the evidence supports the true and the edited sentence, and return the verdict as a drafting step of
    the item. In the step, `true` and `edited` say whether the evidence supports the true and the edited sentence: 1 = yes, 0 =
    no, None = the judge's reply is unusable for the reason under `why`. Raises AgentError if the error stops the job."""
    step: dict[str, Any] = {"kind": SUPPORT, "agent": kit.agent, "of": fingerprint(evidence, both), "calls": []}
    for side, sentence in (("true", both.true), ("edited", both.edited)):
        try:
            asked = {"reference": evidence, "sentence": sentence}
            reply = await ask_for(kit.ask, load(JUDGE, language), asked, Sampling(max_tokens=128, seed=kit.seed))
        except (Unreadable, AgentError) as error:
            if isinstance(error, AgentError) and error.stops_job:
                raise
            step |= {side: None, "why": str(error)}
            continue
        step[side] = reply.values["contained"]
        step["calls"] += reply.calls
    return step


def is_denied(text: str) -> bool:
    """Check whether the text is negated; an even number of negations cancel out."""
    return len(_DENIES.findall(text)) % 2 == 1


def fingerprint(evidence: str, both: EditedSentence) -> str:
    """Return a hash of the texts on which a judge's verdict is based; if they change, a new verdict is needed."""
    return content_hash([evidence, both.true, both.edited])


def _change(true: str, put: str, mine: list[re.Match[str]], theirs: list[re.Match[str]], block: tuple[int, ...]) -> TextChange:
    i1, i2, j1, j2 = block
    start, end = _start(theirs, j1, len(put)), _end(theirs, j2)
    was = true[_start(mine, i1, len(true)) : _end(mine, i2)] if i2 > i1 else ""
    return TextChange(start, max(start, end), was, put[start:end] if j2 > j1 else "")


def _start(tokens: list[re.Match[str]], at: int, length: int) -> int:
    return tokens[at].start() if at < len(tokens) else length


def _end(tokens: list[re.Match[str]], at: int) -> int:
    return tokens[at - 1].end() if at else 0


def _has_date(tokens: list[re.Match[str]]) -> bool:
    return any(match.group()[0].isdigit() or match.group() in (*MONTHS, *CHINESE.all) for match in tokens)


def _is_swap(mine: list[re.Match[str]], theirs: list[re.Match[str]], block: tuple[int, int, int, int]) -> bool:
    i1, i2, j1, j2 = block
    words = sorted(m.group().casefold() for m in mine[i1:i2])
    return i2 - i1 <= MOVED_WORD_TOKENS and words == sorted(m.group().casefold() for m in theirs[j1:j2])


def _sentence(text: str, at: int, language: str) -> str:
    sentences = [text[start:end] for start, end in split_sentences(text, language) if end > at]
    return sentences[0] if sentences else text
