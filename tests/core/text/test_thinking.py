"""A thought is taken off a text wherever it stands, and nothing else is."""

import pytest

from core.text.thinking import find_opened, split_thinking


@pytest.mark.parametrize(
    ("text", "answer", "thought", "is_open"),
    [
        ("It burned in 1907.", "It burned in 1907.", "", False),
        ("<think>\nPerhaps 1904?\n</think>\n\nIt burned in 1907.", "It burned in 1907.", "Perhaps 1904?", False),
        ("Perhaps 1904?\n</think>\n\nIt burned in 1907.", "It burned in 1907.", "Perhaps 1904?", False),
        ("<think>a</think>It <think>b</think>burned.", "It burned.", "a\n\nb", False),
        ("[THINK]a[/THINK]It burned.", "It burned.", "a", False),
        ("<thought>a</thought>\nIt burned.", "It burned.", "a", False),
        ("  <think>Perhaps 1904? It may be", "", "Perhaps 1904? It may be", True),
        ("a</think><think>b", "", "a\n\nb", True),
        ("<think></think>It burned.", "It burned.", "", False),
        ("The tag <think> opens a thought.", "The tag <think> opens a thought.", "", False),
        ("  It burned.", "  It burned.", "", False),
        ("", "", "", False),
    ],
)
def test_a_text_is_split(text: str, answer: str, thought: str, is_open: bool) -> None:
    assert split_thinking(text) == (answer, thought, is_open)


def test_a_hundred_thousand_tags_are_split_at_once() -> None:
    assert split_thinking("<think>" * 100_000).is_open
    assert split_thinking("<think>a</think>" * 100_000 + "It burned.").text == "It burned."


def test_a_prompt_that_opens_the_thought_is_known_by_the_tag_at_its_end() -> None:
    prompts = ("[user] who?\n<think>\n", "<think></think>\n\n", "Write <think> first.", "[assistant]")
    assert [find_opened(prompt) for prompt in prompts] == ["<think>", "", "", ""]
