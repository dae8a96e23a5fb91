"""Worked examples that a run draws for itself: accepted items that are not of its release, each with what its answer rests on.
They stand in the system message, behind the prompt's own example.

shots       how many are shown for each task and language; 0 = the prompt's own example alone
shot_seed   the seed of the draw"""

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from core.nouns import Message, Prompt
from eval.system import Question

SETTINGS: Mapping[str, Any] = MappingProxyType({"shots": 0, "shot_seed": 0})
"""Of every system that shows them."""
_WORDS = {
    "en": {
        "title": "Solved examples. They show how a question is answered; their facts are of no use for yours.",
        "question": "Question: ",
        "found": "What the answer rests on: ",
        "answer": "Answer: ",
    },
    "zh": {
        "title": "已解答的示例，只说明如何回答问题；其中的事实与你的问题无关。",
        "question": "问题：",
        "found": "答案的依据：",
        "answer": "答案：",
    },
}


def add_shots(prompt: Prompt, question: Question, ends: str = "") -> Prompt:
    """The prompt with the question's examples behind its system message; as it is where there are none. With `ends`, as in "So
    the answer is {}.", an answer is told as a reply to the prompt: what it rests on, then these words."""
    if not question.shots:
        return prompt
    words = _WORDS[prompt.language]
    parts = [words["title"]]
    for shot in question.shots:
        found = "\n".join(shot.found)
        rests_on = [words["found"] + found] if found and not ends else []
        answer = " ".join(filter(None, (found, ends.format(shot.answer)))) if ends else shot.answer
        parts.append("\n".join([words["question"] + shot.question, *rests_on, words["answer"] + answer]))
    told = "\n\n".join(parts).replace("$", "$$")
    first, *others = prompt.messages
    return replace(prompt, messages=(Message(first.role, f"{first.content}\n\n{told}"), *others))
