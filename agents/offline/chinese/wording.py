"""Replaces words of a Chinese question by synonyms, because a question that was extracted from its evidence shares nearly all
its words with the evidence, which favours keyword search. Words are replaced only until the share of words that the question
and the evidence have in common falls below a limit."""

import re

from core.text.chinese_names import words

MAX_SHARED_WORDS = 0.8
"""Share of a question's content words in its evidence below which no more words are replaced by synonyms."""
MAX_SWAPS = 3

_SWAPS = tuple(
    (re.compile(said), other)
    for said, other in (
        (r"(?<!突破)同比(?=增长|下降|减少|增加|上升|上涨|提高)", "比上年同期"),
        (r"(?<!于)在(哪里|哪座城市)(举行|举办)(?=？)", r"是在\1\2的"),
        (r"(?<!于)在(哪里|哪座城市)召开(?=？)", r"是在\1举行的"),
        (r"毕业于哪所学校(?=？)", "是从哪所学校毕业的"),
        (r"位于哪里(?=？)", "坐落在什么地方"),
        (r"(?<=会议|大会|论坛|峰会|年会)召开", "举行"),
        (r"约为多少", "大约是多少"),
        (r"共有多少", "一共有多少"),
        (r"逝世", "去世"),
        (r"全长", "总长"),
        (r"印发", "下发"),
        (r"签署(?!仪式|日)", "签订"),
        (r"荣获", "获得"),
        (r"夺得", "赢得"),
        (r"(?<=[一-鿿])出任", "担任"),
        (r"上映", "公映"),
        (r"成立于", "创立于"),
        (r"始建于", "最早建于"),
        (r"公布(?=《|\d{4}年)", "对外公布"),
        (r"发布(?=《|\d{4}年)", "公布"),
        (r"揭晓", "公布"),
        (r"会见了?(?!时|后|厅)", "会晤了"),
        (r"(?<=[一-鿿])参加(?!者|人)", "参与"),
    )
)
_CONTENT = frozenset("navimjlst")


def swap_words(question: str, evidence: str) -> str:
    """Replace up to MAX_SWAPS words of the question by synonyms, until less than the share MAX_SHARED_WORDS of the question's
    content words occurs in the evidence."""
    swapped = 0
    for pattern, other in _SWAPS:
        if swapped == MAX_SWAPS or share(question, evidence) < MAX_SHARED_WORDS:
            break
        said = pattern.sub(other, question, count=1)
        if "将" in question and said.count("是在") > question.count("是在"):
            continue
        swapped += said != question
        question = said
    return question


def share(question: str, evidence: str) -> float:
    """Return the share (0 to 1) of the question's content words that occur in the evidence; 0 if it has no content words."""
    content = (w.text for w in words(question) if w.flag[0] in _CONTENT or w.flag == "eng")
    held = [text for text in content if not re.search(r"多少|哪|什么", text)]
    return sum(w in evidence for w in held) / len(held) if held else 0.0
