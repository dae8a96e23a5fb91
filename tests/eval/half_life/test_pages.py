"""Web questions are looked up in newer copies of their pages: rules see whether an answer is still stated, not which is new."""

import pytest

from core.nouns import Document, Item
from eval.half_life.pages import PagePair, check_pages, choose_passages, compare_replies, refuses

OLD = "The ferry to Skerro leaves at 16:10 in winter. Tickets cost 4 marks."


def item(answer: str = "16:10", question: str = "When does the last ferry leave?", *others: str) -> Item:
    return Item("q", "web_question", question, (answer, *others))


def pair(after: str | None, before: str = OLD, is_given: bool = True) -> PagePair:
    return PagePair(Document(before, before, "old"), None if after is None else Document("new", after, "new"), is_given)


def outcome(one: Item, *pages: PagePair, evidence: tuple[tuple[str, str], ...] = ()) -> tuple[str, str]:
    found = check_pages(one, pages, evidence)
    return found.outcome, found.why


def test_white_space_and_markup_alone_change_nothing_even_where_rules_cannot_decide() -> None:
    spaced = OLD.replace(" ", "\n\n ")
    assert outcome(item("yes", "Is there a boat?"), pair(spaced)) == ("unchanged", "the pages show the same words")


@pytest.mark.parametrize(
    ("after", "expected"),
    [
        ("New timetable: the last boat to Skerro is at 16:10.", "unchanged"),
        ("New timetable: the last boat to Skerro is at 17:30.", "not_found"),
        ("The last boat goes at ten past four in the afternoon.", "not_found"),
        (None, "gone"),
    ],
)
def test_a_page_without_the_answer_is_not_found_because_rules_do_not_know_the_new_one(after: str | None, expected: str) -> None:
    assert outcome(item(), pair(after))[0] == expected


def test_another_gold_answer_counts_too() -> None:
    assert outcome(item("16:10", "When?", "ten past four"), pair("It leaves at ten past four."))[0] == "unchanged"


def test_what_rules_cannot_decide_is_not_asked() -> None:
    edited = pair(f"{OLD} News: a new pier.")
    assert outcome(item("yes", "Is there a boat?"), edited) == ("not_asked", "the gold answer is yes or no")
    assert outcome(item("Skerro", "Does it go to Skerro?"), edited) == ("not_asked", "the question contains the gold answer")
    assert outcome(item("four boats"), edited)[1] == "the released pages do not state the answer in its words"
    assert outcome(item("nan"), edited) == ("not_asked", "its gold answer is “nan”")
    assert outcome(item(), pair(None, is_given=False)) == ("not_asked", "no newer page was given")
    other = pair("News.", before="About the harbour.")
    assert outcome(item(), pair(None, is_given=False), other) == ("not_asked", "no newer page was given"), "the one that counts"


def test_evidence_that_still_stands_needs_no_other_rule() -> None:
    edited = pair(f"Welcome! {OLD} News.")
    evidence = ((OLD, "Tickets cost\n4 marks."),)
    assert outcome(item("yes", "Do tickets cost 4 marks?"), edited, evidence=evidence)[1] == "the evidence is still there"
    gone = pair("The ferry to Skerro leaves at 16:10 in winter. Tickets cost 5 marks.")
    assert outcome(item("yes", "Do tickets cost 4 marks?"), gone, evidence=evidence)[0] == "not_asked"


def test_an_agent_counts_only_if_it_knows_the_released_answer() -> None:
    said = compare_replies(item(), "at 16:10", "It leaves at 17:30.")
    assert (said.outcome, said.before, said.after) == ("changed", "16:10", "It leaves at 17:30.")
    assert compare_replies(item(), "16:10", "at 16:10 daily").outcome == "unchanged"
    assert compare_replies(item(), "16:10", "I don’t know").outcome == "gone"
    assert compare_replies(item(), "at noon", "17:30").outcome == "not_asked"
    assert refuses("", "en") and not refuses("17:30", "en")


def test_the_passages_nearest_to_the_question_are_shown_first() -> None:
    filler = " ".join(f"Sentence {n} is about the weather in the hills." for n in range(200))
    page = Document("p", f"{filler} The last ferry leaves at 17:30. {filler}", "Ferries")
    shown = choose_passages("When does the last ferry leave?", "en", [page])
    assert "The last ferry leaves at 17:30." in shown.split("\n\n")[0] and len(shown) < len(page.text)
    assert choose_passages("When?", "en", []) == ""
