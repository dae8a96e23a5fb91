"""Where the answer stands in what a model wrote, and that none is told apart from an empty one."""

import pytest

from eval.workflows.extraction import find_boxed_answer, find_said_answer


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("It burned. So the answer is 1904.", "1904"),
        ("The answer is no. But the answer is: Ada Quill.\nQuestion: another", "Ada Quill"),
        ("So the answer is U.S. Navy", "U.S. Navy"),
        ("So the answer is", ""),
        ("所以答案是1.4米。", "1.4米"),
        ("答案为：云栖湖", "云栖湖"),
        ("It burned in 1904.", None),
    ],
)
def test_what_stands_behind_the_last_phrase_is_the_answer(text: str, answer: str | None) -> None:
    assert find_said_answer(text) == answer


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        (r"First \boxed{1903}, no: \boxed{1904}.", "1904"),
        (r"\boxed{\text{Ada Quill}}", "Ada Quill"),
        (r"\boxed{\text{a {nested} thing} and more}", "a {nested} thing and more"),
        (r"\boxed{1904} and then \boxed{cut", "1904"),
        (r"\boxed{}", ""),
        (r"\boxed {1904}", "1904"),
        (r"\boxed{\text{cut}", None),
        ("no box at all", None),
    ],
)
def test_the_last_closed_box_is_the_answer(text: str, answer: str | None) -> None:
    assert find_boxed_answer(text) == answer
