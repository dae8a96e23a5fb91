"""Which windows come, in which order, and how they are cut."""

from itertools import islice

import pytest

from builders.drafting.blocks import BLOCK_CHARACTERS, SentenceCache
from builders.drafting.windows import WORDS_AND_REPLY, windows
from builders.task import WindowRule
from core.errors import BenchError
from core.ids import content_hash
from core.nouns import Document
from core.text.text import count_tokens
from tests.builders.drafts import draft


def document(name, sentences, language="en", domain="law"):
    words = "The {name} sentence number {n} speaks of rivers." if language == "en" else "{name}的第{n}句说的是河流。"
    text = (" " if language == "en" else "").join(words.format(name=name, n=n) for n in range(1, sentences + 1))
    return Document(content_hash(text), text, f"{name} title", domain, language)


LONG, SHORT, OTHER = document("long", 60), document("short", 3), document("other", 4)
RULE = WindowRule(tokens=100)


def test_a_window_is_consecutive_sentences_of_at_most_so_many_tokens():
    for window in islice(windows([LONG], "t", RULE, seed=1), 20):
        assert len(window.spans) == 1 and window.tokens <= 100
        start, end = window.spans[0].start, window.spans[0].end
        text = LONG.text[start:end]
        assert text == " ".join(sentence.text for sentence in window.sentences.sentences)
        assert window.tokens == sum(count_tokens(s.text, "en") for s in window.sentences.sentences)


def test_fewer_sentences_than_fit_are_all_given():
    window = next(windows([SHORT], "t", WindowRule(10_000), seed=1))
    assert len(window.sentences) == 3 and window.spans[0].end == len(SHORT.text)


def test_every_document_gives_a_window_before_any_gives_its_second():
    first = list(islice(windows([LONG, SHORT, OTHER], "t", RULE, seed=5, run_on=False), 3))
    assert {window.spans[0].document for window in first} == {LONG.id, SHORT.id, OTHER.id}


def test_after_that_a_long_document_gives_more():
    further = list(islice(windows([LONG, SHORT, OTHER], "t", RULE, seed=5, run_on=False), 3, 10))
    assert sum(window.spans[0].document == LONG.id for window in further) > len(further) / 2


def test_the_seed_settles_the_order():
    keys = [[w.key for w in islice(windows([LONG, SHORT], "t", RULE, seed=seed), 12)] for seed in (1, 1, 2)]
    assert keys[0] == keys[1] != keys[2]
    assert len(set(keys[0])) == 12


def test_a_tried_window_never_comes_again_and_the_others_stay():
    keys = [w.key for w in islice(windows([LONG, SHORT], "t", RULE, seed=1), 12)]
    left = [w.key for w in islice(windows([LONG, SHORT], "t", RULE, seed=1, tried={keys[0], keys[5]}), 10)]
    assert left == keys[1:5] + keys[6:12]


def test_the_same_stretch_is_another_window_for_another_task():
    assert next(windows([SHORT], "a", RULE, seed=1)).key != next(windows([SHORT], "b", RULE, seed=1)).key


def test_a_window_runs_on_into_the_next_document_of_its_domain_and_language():
    chinese = document("湖", 30, language="zh")
    elsewhere = document("else", 30, domain="arts")
    documents = [SHORT, chinese, elsewhere, OTHER]
    found = {w.given_documents[0]: w for w in islice(windows(documents, "t", WindowRule(500), seed=1), 4)}
    assert found[SHORT.id].given_documents == (SHORT.id, OTHER.id)
    assert found[OTHER.id].given_documents == (OTHER.id,) and found[elsewhere.id].given_documents == (elsewhere.id,)
    assert (found[chinese.id].language, found[elsewhere.id].domain) == ("zh", "arts")
    apart = {w.given_documents for w in islice(windows(documents, "t", WindowRule(500), seed=1, run_on=False), 4)}
    assert all(len(given) == 1 for given in apart)


def test_a_smaller_agent_gets_smaller_windows():
    wide = next(windows([LONG], "t", WindowRule(1000), seed=1))
    narrow = next(windows([LONG], "t", WindowRule(1000), seed=1, agent_context=WORDS_AND_REPLY + 200))
    assert count_tokens(str(narrow.sentences), "en") <= 200 < wide.tokens


def test_an_agent_without_room_is_one_sentence():
    with pytest.raises(BenchError, match="leaves no room"):
        next(windows([LONG], "t", RULE, seed=1, agent_context=2000))


def test_a_short_corpus_still_gives_many_different_windows():
    keys = {window.key for window in islice(windows([LONG], "t", WindowRule(120_000), seed=1), 20)}
    assert len(keys) == 20


def test_windows_end_at_last():
    assert len(list(windows([SHORT], "t", RULE, seed=1))) <= 3
    assert list(windows([Document("b2:x", "  \n", "blank")], "t", RULE, seed=1)) == []


def test_a_text_without_sentence_ends_is_cut_in_pieces():
    text = "word " * 3000
    window = next(windows([Document(content_hash(text), text, "t")], "t", RULE, seed=1))
    assert 0 < window.tokens <= 100


def test_windows_from_stored_items_are_their_whole_documents():
    rule = WindowRule(100, source_task="explicit_factoid")
    span = next(windows([SHORT], "t", RULE, seed=1)).spans[0]
    usable = [draft("Who?", "x", [span], id=f"s{n}", domain="law") for n in range(3)]
    unusable = [
        draft("Who?", "x", [span], id="refused", status="refused"),
        draft("Who?", "x", [span], id="other", task="implicit_factoid"),
        draft("Who?", "x", [span], id="gone", given=("b2:gone",)),
    ]
    found = list(windows([SHORT, LONG], "implicit_factoid", rule, seed=1, sources=usable + unusable))
    assert {window.source.id for window in found} == {"s0", "s1", "s2"}
    assert all(w.spans[0].end == len(SHORT.text) and w.domain == "law" and len(w.sentences) == 0 for w in found)
    assert len({window.key for window in found}) == 3


def test_sources_are_taken_in_turn_from_their_documents():
    rule = WindowRule(100, source_task="explicit_factoid")
    spans = {d.id: next(windows([d], "t", RULE, seed=1)).spans[0] for d in (SHORT, LONG)}
    many = [draft("Who?", "x", [spans[LONG.id]], id=f"l{n}") for n in range(9)]
    sources = [*many, draft("Who?", "x", [spans[SHORT.id]], id="s")]
    first = list(islice(windows([SHORT, LONG], "t", rule, seed=1, sources=sources), 2))
    assert {window.given_documents for window in first} == {(SHORT.id,), (LONG.id,)}


def test_blocks_of_a_long_text_hold_every_sentence_once_in_order():
    text = document("very long", 4000)
    assert len(text.text) > 2 * BLOCK_CHARACTERS
    spans = [span for span, _ in SentenceCache().sentences(text, 0, 1000)]
    assert spans == sorted(set(spans)) and len(spans) == 4000
    later = next(SentenceCache().sentences(text, BLOCK_CHARACTERS + 500, 1000))[0]
    assert later in spans and later.start >= BLOCK_CHARACTERS + 500
