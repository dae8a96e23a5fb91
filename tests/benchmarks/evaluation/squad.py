"""The peers of token_f1 and exact_match: SQuAD's F1 and match written the plain way, step by step over characters and
counters, as such scripts are."""

import re
import string
from collections import Counter


def plain(text: str) -> str:
    lowered = text.lower()
    punctuation = set(string.punctuation)
    kept = "".join(character for character in lowered if character not in punctuation)
    without_articles = re.sub(r"\b(a|an|the)\b", " ", kept)
    return " ".join(without_articles.split())


def squad_f1(prediction: str, gold: str) -> float:
    predicted, wanted = plain(prediction).split(), plain(gold).split()
    common = Counter(predicted) & Counter(wanted)
    shared = sum(common.values())
    if shared == 0:
        return 0.0
    precision, recall = shared / len(predicted), shared / len(wanted)
    return 2 * precision * recall / (precision + recall)


def squad_em(prediction: str, gold: str) -> float:
    return float(plain(prediction) == plain(gold))
