"""Near copies of a source among the hits of a search: told by 5-grams of words, of characters in Chinese, or by a cosine."""

import pytest

from agents.scripted.scripted import ScriptedAgent
from builders.near_duplicates.near_copies import JudgedHit, containment, judge, limits
from builders.task import FoundDocument
from core.errors import BenchError
from core.ids import content_hash
from core.nouns import Document
from tests.builders.drafts import World

LIMIT = {"containment": 0.5, "model": None, "cosine": None, "why": ""}
SOURCE = "The mill of Wend burned down in the night of 4 May 1904 and nobody was hurt."


def found(text, language="en"):
    return FoundDocument(Document(content_hash(text), text, "t", language=language), 1.0)


def one(text, source=SOURCE, language="en", limit=LIMIT, similarity=None) -> JudgedHit:
    [judged] = judge(source, content_hash(source), language, [found(text, language)], limit, similarity)
    return judged


def test_containment_is_the_share_of_the_hits_grams_that_stand_in_the_source():
    assert containment("a b c d e f", "x a b c d e", "en") == 0.5  # of abcde, bcdef the first
    assert containment("风雨桥今日通", "风雨桥今日塌", "zh") == 0.5  # of 风雨桥今日, 雨桥今日通 the first
    assert containment("!!", "a b c d e", "en") is None


def test_a_text_shorter_than_a_gram_is_one_gram():
    assert containment("a b", "a b", "en") == 1.0 and containment("a b", "a b c d e", "en") == 0.0


@pytest.mark.parametrize(
    ("text", "source", "language", "kept"),
    [
        ("the mill of wend burned", SOURCE, "en", False),
        ("In Wend a mill was lost to fire.", SOURCE, "en", True),
        ("文德磨坊于五月四日夜间失火。", "文德磨坊于五月四日夜间失火，无人受伤。", "zh", False),
        ("五月初，文德镇的一座磨坊被烧毁。", "文德磨坊于五月四日夜间失火，无人受伤。", "zh", True),
    ],
)
def test_half_of_the_grams_is_too_many_in_both_languages(text, source, language, kept):
    judged = one(text, source, language)
    assert judged.kept is kept and "5-grams occur in the source" in judged.why
    assert judged.containment is not None and judged.cosine is None


def test_the_source_itself_is_dropped_and_so_is_a_text_without_words():
    assert (one(SOURCE).kept, one(SOURCE).why) == (False, "It is the source itself.")
    assert (one("!!!").kept, one("!!!").why) == (False, "It contains no words.")


class Alike:
    """A model to which every text is as alike as its number says."""

    model = "numbers"

    def limit(self, language):
        return 0.8 if language == "en" else "numbers is for en, and these texts are zh."

    def cosines(self, source, others, language):
        return [float(text.split()[-1]) for text in others]


def kit(**settings):
    return World("A.").kit(ScriptedAgent([]), settings=settings, similarity=Alike())


def test_a_cosine_that_random_pairs_hardly_reach_drops_a_hit_without_common_words():
    limit = limits(kit(), "en")
    assert limit == {"containment": 0.5, "model": "numbers", "cosine": 0.8, "why": ""}
    high, low = (
        one("quite other words 0.81", limit=limit, similarity=Alike()),
        one("others 0.8", limit=limit, similarity=Alike()),
    )
    assert not high.kept and high.cosine == 0.81 and "above 0.800" in high.why
    assert low.kept and low.cosine == 0.8


def test_where_the_language_check_failed_only_words_count_and_the_reason_is_kept():
    limit = limits(kit(near_containment=0.3), "zh")
    assert limit == {
        "containment": 0.3,
        "model": "numbers",
        "cosine": None,
        "why": "numbers is for en, and these texts are zh.",
    }
    assert one("别的内容 0.99", "原文", "zh", limit, Alike()).cosine is None


@pytest.mark.parametrize("wrong", [0, 1.5, True, "half"])
def test_a_threshold_that_is_no_share_is_refused(wrong):
    with pytest.raises(BenchError, match="near_containment"):
        limits(kit(near_containment=wrong), "en")
