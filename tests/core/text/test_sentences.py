"""Where sentences end, in English, Chinese and both; always with offsets into the text."""

from itertools import pairwise

import pytest

from core.text.sentences import MAX_SENTENCE_CHARACTERS, split_sentences


def cut(text: str, language: str = "en") -> list[str]:
    return [text[start:end] for start, end in split_sentences(text, language)]


@pytest.mark.parametrize(
    "sentence",
    [
        "Dr. Smith met J. K. Rowling at St. Mary's on Jan. 5.",
        "He paid $3.5 million to the U.S. Navy, e.g. for rent.",
        "See Fig. 2 and No. XII and No. 5 (vol. 3, pp. 4-9) vs. the U.K. list.",
        "“Really?” he asked.",
        "She waited ... and left.",
        "Visit www.example.org or read v2.0.1 of it.",
        "Acme Inc. and Foo Ltd. merged.",
        "It began at 5 p.m. on Monday.",
        "He lost (why?) in 1999.",
        "Was it Plato et al. (2020)?",
    ],
)
def test_no_cut_inside_an_english_sentence(sentence: str) -> None:
    assert cut(f"Before it. {sentence} After it.") == ["Before it.", sentence, "After it."]


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("He said no. Then he left.", ["He said no.", "Then he left."]),
        ("It moved to the U.S. The cost rose.", ["It moved to the U.S.", "The cost rose."]),
        ("It was by Acme Inc. In 1999 it closed.", ["It was by Acme Inc.", "In 1999 it closed."]),
        ('"Yes!" She left... Then rain.[12] Snow.', ['"Yes!"', "She left...", "Then rain.[12]", "Snow."]),
        ("Is it? It is! Good.", ["Is it?", "It is!", "Good."]),
        ("He came in 1999. 5 people left.", ["He came in 1999.", "5 people left."]),
        ("No end here", ["No end here"]),
    ],
)
def test_english_ends(text: str, sentences: list[str]) -> None:
    assert cut(text) == sentences


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("The chapel was founded by St.\nOlaf in 1030.", ["The chapel was founded by St.\nOlaf in 1030."]),
        ("The town has a new Dr.\nWeber in its hospital.\nHe came late.", [..., "He came late."]),
        ("He lived in Acker St.\nThe house is gone.", ["He lived in Acker St.", "The house is gone."]),
        ("She moved to Acker St.\n\nOlaf stayed.", ["She moved to Acker St.", "Olaf stayed."]),
        ("Those who came:\nMr.\nSmith", ["Those who came:", "Mr.", "Smith"]),
        ("They came to us by St.\n- Olaf the elder", ["They came to us by St.", "- Olaf the elder"]),
    ],
)
def test_an_abbreviation_at_the_end_of_a_line_ends_no_sentence(text: str, sentences: list[object]) -> None:
    first = text.rsplit("\n", 1)[0]
    assert cut(text) == [first if sentence is ... else sentence for sentence in sentences]


def test_chinese_ends_take_their_closing_quotes() -> None:
    text = "“你好。”他说。“真的吗？”《你好，李焕英！》上映了；票房3.5亿元!大家很高兴……是的。"
    assert cut(text, "zh") == [
        "“你好。”",
        "他说。",
        "“真的吗？”",
        "《你好，李焕英！》上映了；",
        "票房3.5亿元!",
        "大家很高兴……是的。",
    ]


def test_a_straight_quote_that_opens_belongs_to_the_next_sentence() -> None:
    assert cut('他走了。"好"她说。"行。"', "zh") == ["他走了。", '"好"她说。', '"行。"']


def test_mixed_text() -> None:
    assert cut("混合 text. 他说 Hello world! Next one. 价格是3.14元。OK", "zh") == [
        "混合 text.",
        "他说 Hello world!",
        "Next one.",
        "价格是3.14元。",
        "OK",
    ]


def test_headings_list_items_and_blank_lines_end_sentences() -> None:
    text = "# Heading\nFirst line of it\nThe second. Third!\n\n1. Item one\n2. Item two\n- bullet\n---\n***"
    assert cut(text) == ["# Heading", "First line of it", "The second.", "Third!", "1. Item one", "2. Item two", "- bullet"]


def test_wrapped_lines_are_one_sentence() -> None:
    text = (
        "It was a dark and stormy night, and the rain fell in\ntorrents, except at occasional intervals, when it\n"
        "was checked by a violent gust of wind that Anna of\nYork had never seen. It stopped."
    )
    assert cut(text)[1:] == ["It stopped."]
    assert cut("A long heading that stands alone for itself here\nThe text begins.") == [
        "A long heading that stands alone for itself here",
        "The text begins.",
    ]


def test_a_monster_is_cut_at_a_space_and_nothing_is_lost() -> None:
    text = "word " * 1_000
    pieces = cut(text)
    assert max(map(len, pieces)) <= MAX_SENTENCE_CHARACTERS and "".join(pieces).replace(" ", "") == text.replace(" ", "")
    assert all(piece.startswith("word") and piece.endswith("word") for piece in pieces)
    assert [len(piece) for piece in cut("字" * 2_500, "zh")] == [1_000, 1_000, 500]


def test_offsets_are_ordered_stripped_and_apart() -> None:
    text = "  One.  Two!\r\n\r\n三。四？\u2028Five\tsix…  \x0cSeven. 🙂 Eight。"
    spans = split_sentences(text, "en")
    assert [text[a:b] for a, b in spans] == ["One.", "Two!", "三。", "四？", "Five\tsix…", "Seven.", "🙂 Eight。"]
    assert all(a < b <= c for (a, b), (c, _) in pairwise(spans))


@pytest.mark.parametrize("text", ["", " \n\t", "...", "。！？", "*** --- ***"])
def test_without_words_there_is_no_sentence(text: str) -> None:
    assert split_sentences(text, "en") == split_sentences(text, "zh") == []


@pytest.mark.parametrize("unit", ["!", ". ", "。”", "a.", "[1]", "A\n", "(", '"', "; ", " "])
def test_hostile_repetitions_take_linear_time(unit: str) -> None:
    assert isinstance(split_sentences(unit * 100_000 + "》", "zh"), list)  # quadratic time would not end
