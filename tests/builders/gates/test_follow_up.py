"""The gate follow_up: a follow-up needs the turns before, and they hold what it refers to."""

import pytest

from builders.gate import GateContext
from builders.gates.follow_up import GATE, explain_unfit
from core.nouns import Item
from core.quality.conversations import ConversationTurn, Exchange, earlier_step, turn_label

BEFORE = [Exchange("Who owned the mill of Orvel?", "Ada Quill")]


@pytest.mark.parametrize(
    ("question", "standalone", "why"),
    [
        ("When was she born?", "When was Ada Quill born?", ""),
        ("When was Ada Quill born?", "When was Ada Quill born?", "is understood alone"),
        ("When was Ada Quill born?", "When was she, Ada Quill, born?", "is understood alone"),
        ("When was she born?", "When was Cora Lunt born?", "refers to 'Cora'"),
        ("And the owner's brother?", "Who was the brother of Ada Quill?", ""),
        ("And which year?", "In which year did the owner of the mill marry?", ""),
        ("And which year?", "In which year did a bishop marry?", "refers to"),
    ],
)
def test_a_follow_up_lacks_something_that_was_said(question: str, standalone: str, why: str) -> None:
    found = explain_unfit(question, standalone, BEFORE, "en")
    assert found.startswith(why) and bool(found) == bool(why)


def test_chinese_follow_ups_are_compared_by_words() -> None:
    before = [Exchange("谁记下最后一个低潮？", "阿格尼丝")]
    assert explain_unfit("接替她的是什么？", "接替阿格尼丝的是什么？", before, "zh") == ""
    assert explain_unfit("接替阿格尼丝的是什么？", "接替阿格尼丝的是什么？", before, "zh").startswith("is understood alone")
    assert "refers to" in explain_unfit("它有多长？", "长江大桥有多长？", before, "zh")


def test_the_gate_refuses_only_follow_ups_and_says_if_it_could_not_check() -> None:
    def outcome(number: int, question: str, standalone: str, steps: bool = True) -> str:
        labels = {"conversation": turn_label(ConversationTurn("c", number, 2, standalone))}
        made = Item("i", "conversation", question, ("1731",), labels=labels, steps=(earlier_step(BEFORE),) if steps else ())
        return GATE.check(made, GateContext(lambda span: "")).outcome

    assert outcome(2, "When was she born?", "When was Ada Quill born?") == "pass"
    assert outcome(2, "When was Ada Quill born?", "When was Ada Quill born?") == "refuse"
    assert outcome(1, "When was Ada Quill born?", "") == "pass"
    assert outcome(2, "When was she born?", "") == outcome(2, "When was she born?", "When?", steps=False) == "flag"
