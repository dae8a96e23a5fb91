"""length: words of the answer (jieba's in Chinese, punctuation left out). length.characters counts its characters, blanks and
punctuation too, as CRUD-RAG's length does. length.empty is 1.0 for an answer without any; length.refused is 1.0
for one that opens with the refusal that the answer prompts ask for. Neither long nor short is better: nothing here is
ranked."""

from core.text.refusals import is_refusal
from core.text.text import words
from eval.metric import Metric, ScoringCase, Values


def score(case: ScoringCase) -> Values:
    return {
        "": float(len(words(case.prediction, case.language))),
        "characters": float(len(case.prediction)),
        "empty": float(not case.prediction.strip()),
        "refused": float(is_refusal(case.prediction)),
    }


METRIC = Metric(version="2", high=None, higher_is_better=None, score=score)
