"""A small world for systems that search while they write: two documents, a search by a word of the query, one question."""

from collections.abc import Sequence
from typing import Any

from core.nouns import Document, Hit, Span, Trace
from eval.running.retrieval import make_tools
from eval.running.runner import answer_all
from eval.system import AskInRun, AttentionProbe, Question, systems
from prompts.prompt import load

MILL = Document("d1", "Ada Quill built the mill of Wend. The mill burned down in 1904. Nobody was hurt in the fire.", "Mill")
TOWER = Document("d2", "Orvel sold its tower to Ada Quill. The bell of the tower went to a school.", "Tower")
BUILT, BURNED = Span("d1", 0, 33), Span("d1", 34, 63)
SOLD, BELL = Span("d2", 0, 34), Span("d2", 35, 75)
FOUND = {"mill": (BURNED, BUILT), "tower": (SOLD, BELL, BURNED), "nothing": ()}
"""What a search finds, by a word of the query."""


def found(query: str, k: int) -> list[Hit]:
    word = next((word for word in FOUND if word in query), "mill")
    return [Hit(span, 9.0 - i) for i, span in enumerate(FOUND[word])][:k]


def question(text: str = "When did the mill burn down?", language: str = "en", name: str = "q1") -> Question:
    prompt, closed = load("answer/short", language), load("answer/closed_book", language)
    return Question(name, text, text, language, "explicit_factoid", prompt, 32, closed_prompt=closed)


def tools_for(ask: AskInRun | None, look: AttentionProbe | None = None) -> Any:
    return make_tools([MILL, TOWER], {"en": found, "zh": found}, ask, None, probe=look)


async def answered(
    name: str, ask: AskInRun, one: Question | None = None, look: AttentionProbe | None = None, **settings: Any
) -> Trace:
    """The trace of one question."""
    (trace,) = [t async for t in answer_all([one or question()], systems()[name], settings, tools_for(ask, look), run_id="r")]
    return trace


def kinds(trace: Trace) -> Sequence[str]:
    return [step.kind for step in trace.steps]
