"""Near copies in a corpus: the pairs and shares equal a plain comparison of every two documents; forms that many share make no
pair, and texts that are too short are none's."""

import random
from itertools import combinations

import pytest

from builders.near_duplicates.duplicate_pairs import MAX_WINDOW_DOCUMENTS, find_near_duplicates
from builders.near_duplicates.verbatim import NEAR_COPY_SHARE, WINDOW_CHARACTERS, collapse_spaces

STEMS = ("mill", "ferry", "tower", "grain", "Wend", "lost", "burned", "seven")
WORDS = {
    "en": [f"{stem}{ending}" for stem in STEMS for ending in ("", "s", "ed", "ing")],
    "zh": list("文德磨坊失火无人受伤面包师只好到奥维尔买面粉顾雅卖掉钟楼年月日公司大学医院法院市民可在场馆使用"),
}


def article(chance, language, size):
    return (" " if language == "en" else "").join(chance.choice(WORDS[language]) for _ in range(size))


def found(corpus):
    return {
        (one.shorter, one.longer): one.share
        for one in find_near_duplicates(corpus.items(), lambda ids: ((i, corpus[i]) for i in ids))
    }


def plainly(corpus):
    """Every pair with its share, by sets of windows."""
    texts = {name: collapse_spaces(text) for name, text in corpus.items()}
    own = {
        name: {text[i : i + WINDOW_CHARACTERS] for i in range(len(text) - WINDOW_CHARACTERS + 1)}
        for name, text in texts.items()
    }
    told = {}
    for pair in combinations(corpus, 2):
        shorter, longer = sorted(pair, key=lambda name: (len(own[name]), name))
        share = len(own[shorter] & own[longer]) / len(own[shorter]) if own[shorter] else 0.0
        if share >= NEAR_COPY_SHARE:
            told[shorter, longer] = share
    return told


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("seed", range(3))
def test_pairs_and_shares_equal_a_plain_comparison(language, seed):
    chance = random.Random(seed)
    corpus = {f"d{n:02}": article(chance, language, chance.randrange(60, 400)) for n in range(30)}
    for n in range(8):  # copies of which ever less is left
        body = corpus[f"d{n:02}"]
        corpus[f"c{n}"] = article(chance, language, 30) + body[: len(body) * (10 - n) // 10]
    corpus["spaced"] = "\n  ".join(corpus["d20"].split(" ")) if language == "en" else corpus["d20"]
    wanted = plainly(corpus)
    assert found(corpus) == pytest.approx(wanted)
    assert {"c1", "d01"} in map(set, wanted) and {"d20", "spaced"} in map(set, wanted) and len(wanted) < 20


def test_what_nearly_everybody_holds_makes_no_pair_of_those_who_share_nothing_else():
    chance = random.Random(7)
    form = article(chance, "en", 60)
    corpus = {f"d{n}": f"{form} {article(chance, 'en', 40)}" for n in range(MAX_WINDOW_DOCUMENTS + 5)}
    assert plainly(corpus) and not found(corpus)


def test_short_texts_an_empty_corpus_and_one_document_have_no_pairs():
    assert found({}) == found({"a": "x" * 400}) == found({"a": "Too short.", "b": "Too short."}) == {}
