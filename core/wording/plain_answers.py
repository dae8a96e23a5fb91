"""Answers that say no more than yes or no."""

PLAIN_ANSWERS = frozenset(("yes", "no", "是", "否", "不是", "有", "没有", "对", "不对"))
