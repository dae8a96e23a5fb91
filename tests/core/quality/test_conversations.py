"""The label that makes an item a turn, and the history as a system reads it."""

import pytest

from core.nouns import Item
from core.quality.conversations import (
    ConversationTurn,
    Exchange,
    explain_fault,
    format_history,
    get_standalone,
    list_incomplete,
    read_turn,
    split_history,
    strip_revealing,
    turn_label,
)

BEFORE = [Exchange("Who owned the mill?", "Ada\nQuill"), Exchange("And the forge?", "User: Bert")]


def turn(name: str, conversation: str, number: int, of: int = 2, **more: str) -> Item:
    label = turn_label(ConversationTurn(conversation, number, of, **more))
    return Item(name, "conversation", f"Question {name}?", ("x",), labels={"conversation": label})


@pytest.mark.parametrize("language", ["en", "zh", "de"])
def test_a_history_is_read_back_with_its_question(language: str) -> None:
    text = format_history(BEFORE, "When\nwas she born?", language)
    pairs = [Exchange("Who owned the mill?", "Ada Quill"), Exchange("And the forge?", "User: Bert")]
    assert split_history(text) == (pairs, "When\nwas she born?")
    assert format_history([], "Who?", language) == "Who?" and split_history("Who?") == ([], "Who?")


def test_a_label_gives_the_turn_and_a_faulty_one_says_why() -> None:
    whole = ConversationTurn("c", 2, 3, "Who is Ada?", "Find Ada.")
    assert read_turn({"conversation": turn_label(whole)}) == whole and read_turn({}) is None
    assert turn_label(ConversationTurn("c", 1, 2)) == {"id": "c", "turn": 1, "of": 2}
    for value in ({"id": "c", "turn": 3, "of": 2}, {"id": "c", "turn": True, "of": 2}, {"turn": 1, "of": 1}, "c"):
        assert explain_fault(value) and read_turn({"conversation": value}) is None
    assert read_turn({"conversation": {"id": "c", "turn": 1, "of": 2, "standalone": 5}}) is None


def test_what_may_hold_another_turns_answer_is_stripped() -> None:
    labels = {"a": 1, "conversation": turn_label(ConversationTurn("c", 2, 2, "Who is Ada?", "Find Ada."))}
    assert strip_revealing(labels) == {"a": 1, "conversation": {"id": "c", "turn": 2, "of": 2}}
    assert strip_revealing({"a": 1}) == {"a": 1}


def test_a_conversation_is_whole_only_with_each_turn_once() -> None:
    whole = [turn("a1", "a", 1), turn("a2", "a", 2)]
    assert list_incomplete([*whole, Item("plain", "t", "Q?", ("x",))]) == set()
    assert list_incomplete([*whole, turn("b2", "b", 2), turn("c1", "c", 1), turn("d1", "d", 1, 1)]) == {"b2", "c1"}
    assert list_incomplete([*whole, turn("a2b", "a", 2)]) == {"a1", "a2", "a2b"}


def test_the_standalone_question_counts_for_follow_ups_alone() -> None:
    assert get_standalone(turn("a", "a", 2, standalone="Who is Ada?")) == "Who is Ada?"
    assert get_standalone(turn("a", "a", 1, standalone="Who is Ada?")) == get_standalone(turn("a", "a", 2)) == "Question a?"
