"""Shortcuts: what each answers, when an answer is right, and what is right by chance, on examples worked by hand."""

import random
from collections import Counter
from collections.abc import Sequence

import pytest

from core.nouns import Hit, Span
from core.retrieval.search import Bm25Index
from eval.shortcut import ANY, Form, ProbeKey, ShortcutAnswer, ShortcutContext, ShortcutQuestion, shortcuts
from eval.shortcuts._chance import draw_others, judge_shortcuts
from eval.shortcuts._judging import PreparedText, judge_answer
from eval.shortcuts._rates import ItemResult, compute_rates, tabulate_rates

TEXTS = {
    "mill": "The mill of Orvel stood by the river. It burnt down in 1902 after a storm.",
    "bridge": "The bridge of Orvel is made of slate. Ada Quill built it.",
}


def context(texts: dict[str, str] = TEXTS) -> ShortcutContext:
    """Each text is one passage."""
    spans = [Span(name, 0, len(text)) for name, text in texts.items()]
    index = Bm25Index(spans, list(texts.values()), "en")

    def find(question: ShortcutQuestion) -> Sequence[Hit]:
        return index.search(question.question, 5)

    return ShortcutContext(find, lambda span: texts[span.document][span.start : span.end])


def ask(name: str, *questions: ShortcutQuestion, texts: dict[str, str] = TEXTS) -> list[ShortcutAnswer]:
    answer = shortcuts()[name].answer
    assert answer is not None
    return list(answer(questions, context(texts)))


def question(text: str, *answers: str, item: str = "q", choices: Sequence[str] = ()) -> ShortcutQuestion:
    return ShortcutQuestion(item, text, answers, "en", tuple(choices))


def test_the_top_passage_is_the_one_with_the_words_of_the_question() -> None:
    found, nothing = ask("top_passage", question("Who built the bridge?", "Ada Quill"), question("Zyx?", "x"))
    assert found.text == TEXTS["bridge"] and found.span == Span("bridge", 0, len(TEXTS["bridge"]))
    assert nothing.text is None and nothing.why == "no passage shares a word with the question"


def test_the_longest_overlap_is_the_sentence_that_shares_most_content_words() -> None:
    [answer] = ask("longest_overlap", question("In what year did the mill burnt by a storm stand no more?", "1902"))
    assert answer.text == "It burnt down in 1902 after a storm."
    assert answer.span and context().read(answer.span) == answer.text


def test_choices_are_made_without_the_question_and_a_guess_has_its_chance() -> None:
    offered = ["in 1902", "in 1902, by fire", "in 1907"]
    asked = question("When?", "in 1902, by fire", choices=offered), question("Who?", "Ada")
    longest, without = ask("longest_choice", *asked)
    assert longest == ShortcutAnswer("in 1902, by fire", chance=1 / 3)
    assert without.text is None and without.why == "the question offers no choices"
    # token F1 with the others: "in 1902" 2/3 + 1/2, "in 1902, by fire" 2/3 + 1/3, "in 1907" 1/2 + 1/3
    assert ask("typical_choice", *asked)[0] == ShortcutAnswer("in 1902", chance=1 / 3)


def test_the_form_gives_the_most_frequent_answer_of_other_questions() -> None:
    asked = [
        question("Is it old?", "Yes."),
        question("Is it new?", "yes"),
        question("Is he here?", "no"),
        question("Who is it?", "Ada"),
        question("Was there nothing?"),
    ]
    # "is it": the other one says yes; "is he": no other, so "is": two of two say yes; nobody else begins with "who"
    answers = [answer.text for answer in ask("question_form", *asked)]
    assert answers == ["yes", "yes", "yes", None, None]
    assert ask("question_form", question("Is it old?", "yes"))[0].text is None, "its own answer does not count"


@pytest.mark.parametrize(
    ("answer", "form", "golds", "expected"),
    [
        ("It burnt in 1902.", "passage", ["1902"], True),
        ("It burnt in 19020.", "passage", ["1902"], False),
        ("It burnt in 1902.", "passage", ["1903", "1902"], True),
        ("Yes, it burnt.", "passage", ["yes"], "the gold answer is yes or no"),
        ("The mill burnt.", "passage", ["the mill"], "the question contains the gold answer"),
        ("The mill burnt.", "passage", ["the mill", "burnt"], True),
        ("It burnt.", "passage", [""], "no gold answer"),
        ("It burnt.", "passage", [], "no gold answer"),
        ("I think that it was the mill.", "reply", ["the mill"], True),
        ("I do not know whether it was the mill.", "reply", ["the mill"], False),
        ("yes", "reply", ["Yes"], True),
        ("The mill", "answer", ["mill"], True),
        ("The old mill", "answer", ["mill"], False),
        # a long gold answer: eleven words, eight of them content words
        ("Storm water broke one slate dam.", "passage", ["A storm broke the slate dam and water ruined every house"], True),
        ("Storm water ran over one dam.", "passage", ["A storm broke the slate dam and water ruined every house"], False),
        ("A storm broke the dam and the water", "reply", ["A storm broke the slate dam and water ruined every house"], True),
        ("There was a storm.", "reply", ["A storm broke the slate dam and water ruined every house"], False),
    ],
)
def test_an_answer_is_right_by_the_rule_of_its_form(answer: str, form: Form, golds: list[str], expected: bool | str) -> None:
    judged = judge_answer(PreparedText(answer, "en"), form, PreparedText("What became of the mill?", "en"), golds)
    assert judged == expected


def test_chinese_answers_are_found_without_spaces() -> None:
    text, asked = PreparedText("磨坊在1902年被烧毁。", "zh"), PreparedText("磨坊怎么了？", "zh")
    assert judge_answer(text, "passage", asked, ["1902年"]) is True
    assert judge_answer(text, "passage", asked, ["1903年"]) is False
    assert judge_answer(text, "passage", asked, ["磨坊"]) == "the question contains the gold answer"


def test_others_are_permutations_within_language_and_length() -> None:
    long = "one two three four five six seven eight nine ten eleven"
    asked = [ShortcutQuestion(f"{n}", "?", (f"short {n}",) if n % 2 else (f"{long} {n}",), "en") for n in range(20)]
    asked.append(ShortcutQuestion("zh", "?", ("短",), "zh"))
    others = draw_others(asked, seed=13)
    assert others == draw_others(asked, seed=13) != draw_others(asked, seed=14)
    assert others[20] == [], "no other question in its language"
    assert all(len(own) == 5 and place not in own for place, own in enumerate(others[:20]))
    assert all((place - other) % 2 == 0 for place, own in enumerate(others) for other in own)
    assert all(count == 1 for column in zip(*others[:20], strict=True) for count in Counter(column).values())


def judge(asked: Sequence[ShortcutQuestion], **answers: tuple[Form, Sequence[ShortcutAnswer]]) -> list[ItemResult]:
    given = {ProbeKey(name): own for name, own in answers.items()}
    return [
        ItemResult(one.item, one.probe, one.is_right, one.chance, one.why, one.answer.has_failed)
        for one in judge_shortcuts(asked, given, 0.5, 13)
    ]


def test_all_shortcuts_together_hit_where_one_does_and_their_chance_is_joint() -> None:
    asked = [question("Who?", name, item=name) for name in ("Ada", "Bob", "Cy")]
    all_of_them, own = ShortcutAnswer("Ada and Bob and Cy"), [ShortcutAnswer(name) for name in ("Ada", "Cy", "Bob")]
    results = {(one.item, one.probe.shortcut): one for one in judge(asked, own=("answer", own))}
    assert [results[name, "own"].is_right for name in ("Ada", "Bob", "Cy")] == [True, False, False]
    assert [results[name, "own"].chance for name in ("Ada", "Bob", "Cy")] == [0.0, 0.5, 0.5]
    results = {
        (one.item, one.probe.shortcut): one for one in judge(asked, own=("answer", own), every=("reply", [all_of_them] * 3))
    }
    assert all(results[name, ANY].is_right and results[name, ANY].chance == 1.0 for name in ("Ada", "Bob", "Cy"))


def test_what_is_undecided_or_failed_is_no_miss() -> None:
    asked = [question("Who?", name, item=name) for name in ("Ada", "Bob", "Cy")]
    own = [ShortcutAnswer("Ada"), ShortcutAnswer(None, "no choices"), ShortcutAnswer(None, "refused", has_failed=True)]
    [rate, together] = compute_rates(judge(asked, own=("answer", own)), {name: name for name in ("Ada", "Bob", "Cy")}, seed=13)
    assert (rate.rate.mean, rate.rate.n, rate.undecided, rate.failed) == (1.0, 1, {"no choices": 1}, 1)
    assert together.rate.n == 1 and together.undecided == {"no shortcut applies": 2}
    row = [cell.text for cell in tabulate_rates([rate]).rows[0]]
    assert row[:2] == ["own", "1"] and row[-2:] == ["1", "1"]


def test_rates_have_groups_and_an_excess_over_chance() -> None:
    results = [ItemResult(f"{n}", ProbeKey("own"), n % 2 == 0, 0.25, "", False) for n in range(40)]
    groups = {f"{n}": ("1" if n < 20 else "2",) for n in range(40)}
    rates = compute_rates(results, {f"{n}": f"{n}" for n in range(40)}, 13, groups)
    assert [(rate.group, rate.rate.mean, rate.chance, rate.excess.mean) for rate in rates] == [
        (("1",), 0.5, 0.25, 0.25),
        (("2",), 0.5, 0.25, 0.25),
    ]
    assert rates[0].rate.low is not None and rates[0].rate.low < 0.5 < (rates[0].rate.high or 0)


NAMES = [f"{first}{last}" for first in ("Vor", "Tal", "Mir", "Sed", "Kol", "Ban") for last in ("ek", "una", "ost", "il", "ar")]


@pytest.mark.parametrize("case", ["quoted", "elsewhere", "shuffled"])
def test_quoted_sentences_are_flagged_and_others_as_often_as_by_chance(case: str) -> None:
    """Questions that repeat the sentence with their answer are answered; those whose answer stands in a document that shares no
    word with them, or whose gold answer is another question's, are answered as often as by chance."""
    places = [f"{name}dorf" for name in NAMES]
    texts = {
        name: f"The tower of {place} was built by the mason {name} long ago." for name, place in zip(NAMES, places, strict=True)
    }
    texts |= {place: f"In {place} there is a cheese market every spring." for place in places}
    ask_for = "Which mason built the tower of {}?" if case != "elsewhere" else "Whose cheese market is held in {} every spring?"
    golds = NAMES if case != "shuffled" else NAMES[1:] + NAMES[:1]
    asked = [question(ask_for.format(place), gold, item=place) for place, gold in zip(places, golds, strict=True)]
    form: Form = "passage"
    answers = {ProbeKey(name): (form, ask(name, *asked, texts=texts)) for name in ("top_passage", "longest_overlap")}
    results = [
        ItemResult(one.item, one.probe, one.is_right, one.chance, one.why, False)
        for one in judge_shortcuts(asked, answers, 0.5, 13)
    ]
    for rate in compute_rates(results, {place: place for place in places}, 13):
        assert rate.rate.n == len(NAMES) and rate.chance is not None and rate.chance < 0.1
        assert rate.rate.mean == (1.0 if case == "quoted" else 0.0)


def test_randomly_paired_golds_are_hit_as_often_as_by_chance() -> None:
    """Answers drawn from ten names at random: the rate is 1 in 10, and so is its chance."""
    generator = random.Random(1)
    pool = NAMES[:10]
    asked = [question("Who?", generator.choice(pool), item=f"{n}") for n in range(600)]
    results = judge(asked, own=("answer", [ShortcutAnswer(generator.choice(pool)) for _ in asked]))
    rate = compute_rates(results, {one.item: one.item for one in asked}, 13)[0]
    assert rate.excess.low is not None and rate.excess.high is not None and rate.excess.low < 0 < rate.excess.high
    assert rate.chance == pytest.approx(0.1, abs=0.03)
