"""length: number of words of the answer, without punctuation (jieba's words in Chinese). The metric does not measure quality:
neither long nor short answers are better. length.characters is the number of characters, including blanks and punctuation, as
in CRUD-RAG's length. length.empty is 1 for an answer without any text, else 0. length.refused is 1 for an answer that starts
with the refusal phrase that the answer prompts specify, else 0."""

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
