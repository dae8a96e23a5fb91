"""Guards of variants: numbers by hand, and flags that are shown, not enforced."""

import pytest

from builders.variation.guards import FLAGS, GuardedVariant, count_questions, guards
from core.nouns import Item

QUESTION = "Who directed the first film of the Lantern Players?"


def item(question: str = QUESTION, language: str = "en") -> Item:
    return Item(
        id="q1",
        task="explicit_factoid",
        question=question,
        answers=("Maud",),
        evidence=(),
        level=1,
        domain="arts",
        language=language,
    )


def of(kind: str, text: str, **more: object) -> dict[str, object]:
    [found] = guards([GuardedVariant(item(), kind, text, **more)], model="none")  # type: ignore[arg-type]
    return found


def test_numbers_by_hand() -> None:
    found = of("declarative", "I want to know who directed the first film of the Lantern Players.")
    assert found["words_ratio"] == pytest.approx(13 / 9, abs=1e-4) and found["shared"] == 1.0
    assert (found["questions"], found["questions_original"], found["flags"]) == (1, 1, [])
    assert (found["similarity"], found["similarity_why"]) == (None, "not measured")


@pytest.mark.parametrize(
    ("kind", "text", "flag"),
    [
        ("declarative", "I want to know: who directed it?", "still a question"),
        ("formality", "Who directed it? Which film was the first?", "several questions"),
        ("formality", "Who?", "much shorter"),
        ("formality", " ".join(["who directed the first film"] * 5) + "?", "much longer"),
        ("readability", "Who made the first film of the Lantern Players?", "easy to read"),
        ("readability", "By whom was the initial cinematographic production of that dramatic ensemble directed?", "length"),
    ],
)
def test_what_is_out_of_the_ordinary_is_flagged(kind: str, text: str, flag: str) -> None:
    assert flag in of(kind, text)["flags"] and flag in FLAGS  # type: ignore[operator]


def test_the_same_letters_in_another_kind_and_no_verdict_are_flagged() -> None:
    others = {"spelling": "who  DIRECT it", "ocr": "Wh0?"}
    found = of("grammar", "Who direct it?", checks={"verdict": "unverified"}, others=others)
    assert found["same_as"] == ["spelling"] and found["flags"] == ["much shorter", "same as another", "unverified"]


def test_what_is_less_alike_than_random_pairs_can_be_is_flagged_and_says_by_which_model() -> None:
    rows = guards(
        [
            GuardedVariant(item(), "formality", "Who made the Lantern Players' first movie?"),
            GuardedVariant(item(), "formality", "How much does a loaf of bread weigh?"),
            GuardedVariant(item(), "ocr", "Wh0 " * 300),
        ],
        limits={"en": 0.4},
    )
    assert rows[0]["similarity"] > 0.7 > 0.4 > rows[1]["similarity"]
    assert (rows[0]["flags"], rows[1]["flags"][:1], rows[1]["similarity_model"]) == ([], ["unlike"], "minilm")
    assert rows[2]["similarity"] is None and "the model (minilm) reads 256" in rows[2]["similarity_why"]


def test_chinese_has_no_likeness_by_the_english_model_and_no_flesch() -> None:
    [found] = guards([GuardedVariant(item("谁导演了第一部电影？", "zh"), "formality", "第一部片子谁导的呀？")])
    assert found["similarity_why"] == "not available for zh with this model (minilm)" and "flesch" not in found


def test_a_request_asks_one_thing_too() -> None:
    assert (
        count_questions("Name it.", "en") == 1
        and count_questions("Who? And when?", "en") == 2
        and count_questions("谁？何时？", "zh") == 2
    )
    assert count_questions("", "en") == 0
