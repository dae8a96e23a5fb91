"""Golden values of answer normalisation and token F1; LCS and ROUGE tokens against google's own."""

import random

import pytest

from core.text.text import answer_places, detect_language, f1_tokens, lcs_length, normalise_answer, rouge_tokens, token_f1

GOLDEN = [
    ("Paris", "Paris", 1.0),
    ("paris", "Paris", 1.0),
    ("The capital is Paris.", "Paris", 0.5),
    ("Paris. ", "Paris", 1.0),
    ("$2.4 million", "2.4 million", 1.0),
    ("", "Paris", 0.0),
    ("...", "Paris", 0.0),
    ("a", "the", 0.0),
    ("", "", 0.0),
    ("the cat sat on the mat", "the cat is on the mat", 0.75),
    ("the the the cat", "the cat", 1.0),
    ("U.S. state-of-the-art", "US state of the art", 1 / 3),
    (
        "Reduced costs by 30%. Secured $50M credit lines.",
        "Secured credit lines of $50M. Reduced operational costs by 30%.",
        0.888889,
    ),
]


@pytest.mark.parametrize(("prediction", "answer", "expected"), GOLDEN)
def test_token_f1_has_the_published_values(prediction: str, answer: str, expected: float) -> None:
    assert token_f1(prediction, answer, "en") == pytest.approx(expected, abs=1e-6)


def test_normalising_deletes_punctuation_before_articles() -> None:
    assert normalise_answer("The  U.S.A. -- an 'a-the' tale\n") == "usa athe tale"
    assert normalise_answer("“the” café—an end") == "“ ” café— end"


def test_the_quick_way_and_the_regular_expression_agree() -> None:
    from core.text.text import _ARTICLE, _WITHOUT_PUNCTUATION

    draw = random.Random(5)
    pieces = ["a", "an", "The", "the", " ", "  ", "-", "_", "x", "3", ".", "\t", "é", "—", "\x00", "cat"]
    for _ in range(3_000):
        text = "".join(draw.choices(pieces, k=draw.randrange(12)))
        slow = " ".join(_ARTICLE.sub(" ", text.lower().translate(_WITHOUT_PUNCTUATION)).split())
        assert normalise_answer(text) == slow


def test_chinese_f1_counts_words_and_not_punctuation() -> None:
    assert f1_tokens("中国驻德国大使馆。", "zh") == f1_tokens("中国驻德国大使馆", "zh")
    assert token_f1("中国驻德国大使馆", "中国驻德国大使馆。", "zh") == 1.0
    assert token_f1("。", "！", "zh") == 0.0
    assert 0 < token_f1("在北京大学", "北京大学", "zh") < 1


def test_lcs_is_a_subsequence_not_a_set() -> None:
    assert lcs_length(["a", "b", "c", "d"], ["b", "d", "a", "c"]) == 2
    assert lcs_length(["a", "a", "b"], ["a", "b", "a"]) == 2
    assert lcs_length([], ["a"]) == 0


def test_rouge_tokens_are_those_of_google_without_stemming() -> None:
    from rouge_score import tokenize

    draw = random.Random(7)
    alphabet = "abcXYZ0129 \t\n.,-_'\"éßİK中文№½—🙂"
    for _ in range(3_000):
        text = "".join(draw.choices(alphabet, k=draw.randrange(40)))
        assert rouge_tokens(text, "en") == tokenize.tokenize(text, None)


def test_rouge_tokens_of_chinese_are_words_without_punctuation() -> None:
    tokens = rouge_tokens("他在ABC公司工作，月薪3.5万。", "zh")
    assert "abc" in tokens and "公司" in tokens and "，" not in tokens
    assert "".join(tokens) == "他在abc公司工作月薪3.5万"


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("An English text.", "en"),
        ("这是一段中文。", "zh"),
        ("", "und"),
        ("12345", "und"),
        ("我们用 PyTorch 和 Transformers 训练模型，效果很好。", "zh"),
        ("The city of Xi'an (西安) is old, and it lies in Shaanxi.", "en"),
    ],
)
def test_language_is_that_of_most_words(text: str, language: str) -> None:
    assert detect_language(text) == language


PLACES = [
    ("At THE Orrow-Mill, Ltd.", "the orrowmill", ["Orrow-Mill"]),
    ("It is 1902; in 1902!", "1902", ["1902", "1902"]),
    ("İn the end", "end", ["end"]),
    ("a the an", "the", []),
    ("anything", "", []),
    ("hamlet", "Ham", ["ham"]),
    ("大桥于1890年建成", "1890", ["1890"]),
]


@pytest.mark.parametrize(("text", "answer", "expected"), PLACES)
def test_an_answer_is_found_where_it_stands_before_normalisation(text: str, answer: str, expected: list[str]) -> None:
    assert [text[first:last] for first, last in answer_places(text, answer)] == expected


def test_an_answer_has_a_place_exactly_where_its_normal_form_stands() -> None:
    rng = random.Random(7)
    for _ in range(2_000):
        text = "".join(rng.choice("abthe AN.,-'\n\x1céΣ中—") for _ in range(rng.randint(0, 25)))
        answer = "".join(rng.choice("abthe .") for _ in range(rng.randint(1, 4)))
        wanted = normalise_answer(answer)
        assert bool(answer_places(text, answer)) == (bool(wanted) and wanted in normalise_answer(text))
