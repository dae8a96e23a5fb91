"""Injected errors: one thing is wrong in a copy, the item's own words mend it, and what cannot have an error is left alone."""

from dataclasses import replace

import pytest

from builders.injected_error import NO_ERROR, AcceptedCopy, InjectedCopy, InjectionContext, inject, injected_errors, is_right
from core.nouns import Item, Span
from core.text.text import split_sentences

TEXT = (
    "The bridge at Orvel was designed by Marta Quill in 1931. It is 212 metres long. People in Orvel had asked for it for many "
    "years. Jonas Reed opposed the plan from the start. The toll of 5 cents was abolished in 1954. Trade with the eastern bank "
    "grew at once. Jonas Reed left the council soon after, and Marta Quill was given its silver medal."
)
CHINESE = (
    "哈默罗的灯屋建于1781年。克莱门丝·奥布里主持了重建。灯屋的舞台长二十二米。沃尔特·佩尔反对这项计划。"
    "哈默罗的居民募得六万塔勒。沃尔特·佩尔后来离开了议会，克莱门丝·奥布里得到一枚银质奖章。"
)


def ground(text: str, language: str) -> InjectionContext:
    return InjectionContext({"d": text}, {"d": split_sentences(text, language)})


def item(question: str, answer: str, part: str, text: str = TEXT, language: str = "en") -> Item:
    span = Span("d", text.index(part), text.index(part) + len(part))
    return Item("i", "explicit_factoid", question, (answer,), (span,), language=language, given=("d",))


WHO = item("Who designed the bridge at Orvel?", "Marta Quill", "The bridge at Orvel was designed by Marta Quill in 1931.")
LONG = item("How long is the bridge at Orvel?", "212 metres", "It is 212 metres long.")
WHY = item(
    "What followed for Orvel?",
    "The toll was abolished in 1954. Trade grew at once.",
    "Trade with the eastern bank grew at once.",
)
WER = item("哈默罗的灯屋由谁主持重建？", "克莱门丝·奥布里", "克莱门丝·奥布里主持了重建。", CHINESE, "zh")
WIE = item("哈默罗的灯屋舞台有多长？", "二十二米", "灯屋的舞台长二十二米。", CHINESE, "zh")
WAS = item("重建以后怎样？", "居民募得六万塔勒。佩尔离开了议会。", "哈默罗的居民募得六万塔勒。", CHINESE, "zh")
CASES = [
    ("wrong_figure", LONG),
    ("wrong_figure", WIE),
    ("wrong_entity", WHO),
    ("wrong_entity", WER),
    ("unsupported_claim", WHY),
    ("unsupported_claim", WAS),
    ("incomplete_answer", WHY),
    ("incomplete_answer", WAS),
    ("shifted_evidence", WHO),
    ("shifted_evidence", WER),
    ("not_self_contained", WHO),
    ("not_self_contained", WER),
    ("leaked_answer", WHO),
    ("leaked_answer", WIE),
]


def make_copy(name: str, of: Item, seed: int = 1) -> InjectedCopy:
    made = inject(name, of, ground(CHINESE if of.language == "zh" else TEXT, of.language), seed)
    assert made is not None
    return made


def as_it_is(of: Item) -> AcceptedCopy:
    return AcceptedCopy(of.question, of.answers[0], of.evidence)


@pytest.mark.parametrize(("name", "of"), CASES, ids=lambda one: one if isinstance(one, str) else one.language)
def test_an_error_is_one_change_that_the_old_words_mend(name: str, of: Item) -> None:
    for seed in range(8):
        made = make_copy(name, of, seed)
        error = injected_errors()[name]
        changed = {
            part
            for part, a, b in (
                ("question", made.item.question, of.question),
                ("answer", made.item.answers, of.answers),
                ("evidence", made.item.evidence, of.evidence),
            )
            if a != b
        }
        assert changed == {error.where} and made.why.endswith(".") and error.expected.endswith(".")
        assert not is_right(name, made, of, "accept", as_it_is(made.item)), "accepted as it is, the error was missed"
        assert is_right(name, made, of, "accept", as_it_is(of)) and is_right(name, made, of, "discard", as_it_is(made.item))
        assert make_copy(name, of, seed) == made, "the same seed, the same copy"


def test_every_kind_of_error_is_in_the_cases_above() -> None:
    assert {name for name, _ in CASES} | {NO_ERROR} == set(injected_errors())


def test_nothing_is_wrong_with_a_copy_without_an_error_and_whoever_discards_it_is_wrong() -> None:
    made = make_copy(NO_ERROR, WHO)
    assert made.item == WHO and is_right(NO_ERROR, made, WHO, "accept", as_it_is(WHO))
    assert not is_right(NO_ERROR, made, WHO, "discard", as_it_is(WHO))


def test_words_of_ones_own_mend_an_error_too() -> None:
    claim = make_copy("unsupported_claim", WHY)
    assert is_right("unsupported_claim", claim, WHY, "accept", as_it_is(replace(WHY, answers=("After 1954 trade grew.",))))
    whole = make_copy("incomplete_answer", WHY)
    both = "In 1954 they abolished the toll, and at once trade grew."
    assert is_right("incomplete_answer", whole, WHY, "accept", as_it_is(replace(WHY, answers=(both,))))
    figure = make_copy("wrong_figure", LONG)
    in_words = replace(LONG, answers=("two hundred and twelve metres",))
    assert is_right("wrong_figure", figure, LONG, "accept", as_it_is(in_words))
    assert not is_right("wrong_figure", figure, LONG, "accept", as_it_is(replace(LONG, answers=("999 metres",))))


@pytest.mark.parametrize(
    ("name", "of"),
    [
        ("wrong_figure", WHO),
        ("wrong_entity", LONG),
        ("unsupported_claim", WHO),
        ("incomplete_answer", WHO),
        ("leaked_answer", WHY),
        ("not_self_contained", WAS),
        ("shifted_evidence", replace(WHO, evidence=())),
        ("not_self_contained", item("How do Orvel people live?", "Well", "It is 212 metres long.")),
        ("not_self_contained", item("哈默罗人怎样生活？", "很好", "灯屋的舞台长二十二米。", CHINESE, "zh")),
        ("wrong_figure", item("Which one?", "One of the plans", "It is 212 metres long.")),
        (NO_ERROR, replace(WHO, answers=())),
    ],
)
def test_what_cannot_have_an_error_is_left_alone(name: str, of: Item) -> None:
    assert inject(name, of, ground(CHINESE if of.language == "zh" else TEXT, of.language), 1) is None
