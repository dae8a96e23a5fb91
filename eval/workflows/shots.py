"""Add worked examples to a system's prompt: accepted items that are not in the run's release, each with the evidence for its
answer. The examples come after the prompt's own example in the system message."""

from collections.abc import Mapping
from dataclasses import replace

from core.nouns import Message, Prompt
from core.text.language import ByLanguage
from eval.settings import Setting
from eval.system import Question

SHOTS: Mapping[str, Setting] = {
    "shots": Setting(
        0, "Number of worked examples for each task and language, from items outside the release; 0 = those of the prompt."
    ),
    "shot_seed": Setting(0, "Seed of the random choice of worked examples."),
}
"""Settings of every system that can show worked examples: how many, and the seed of their choice."""
_WORDS = ByLanguage(
    {
        "en": {
            "title": "Solved examples. They show how a question is answered; their facts are of no use for yours.",
            "question": "Question: ",
            "evidence": "What the answer rests on: ",
            "answer": "Answer: ",
        },
        "zh": {
            "title": "已解答的示例，只说明如何回答问题；其中的事实与你的问题无关。",
            "question": "问题：",
            "evidence": "答案的依据：",
            "answer": "答案：",
        },
    }
)


def add_shots(prompt: Prompt, question: Question, ending: str = "") -> Prompt:
    """Return the prompt with the question's worked examples at the end of its system message. With an `ending` such as "So the
    answer is {}.", each example's answer looks like a reply: its evidence, then the ending."""
    if not question.shots:
        return prompt
    words = _WORDS[prompt.language]
    parts = [words["title"]]
    for shot in question.shots:
        evidence = "\n".join(shot.evidence)
        rests_on = [words["evidence"] + evidence] if evidence and not ending else []
        answer = " ".join(filter(None, (evidence, ending.format(shot.answer)))) if ending else shot.answer
        parts.append("\n".join([words["question"] + shot.question, *rests_on, words["answer"] + answer]))
    examples = "\n\n".join(parts).replace("$", "$$")
    first, *others = prompt.messages
    return replace(prompt, messages=(Message(first.role, f"{first.content}\n\n{examples}"), *others))
