"""length: words of the answer (jieba's in Chinese). length.empty is 1.0 for an answer without any; length.refused is 1.0
for one that opens with the refusal that the answer prompts ask for. Neither long nor short is better: nothing here is
ranked."""

from core.text import words
from eval.metric import Case, Metric, Values

REFUSALS = ("cannot be answered from the given text", "无法根据所给文本回答", "i do not know", "我不知道")
"""As answer/short, answer/long and answer/closed_book ask for them."""


def score(case: Case) -> Values:
    opening = case.prediction.strip().strip("\"'“”「」").lower()
    return {
        "": float(len(words(case.prediction, case.language))),
        "empty": float(not case.prediction.strip()),
        "refused": float(opening.startswith(REFUSALS)),
    }


METRIC = Metric(version="1", low=0.0, high=None, higher_is_better=None, score=score)
