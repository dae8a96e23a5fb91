"""Give the questions of follow-ups the turns before. The run's setting `history` says how:

- own: the question stands below the turns before, with the answers of this system; the search query consists of the same words;
- gold: the same, with the gold answers;
- rewrite: the run's agent rewrites the question, from the turns before with the answers of this system, so that it is
  understood alone; question and search query are the rewritten question;
- standalone: the system gets the item's standalone question, which people wrote, in place of the question (an upper bound);
- none: the system gets the question alone, as if it were the first one (a lower bound)."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Literal, get_args

from core.nouns import Item, Step, Trace
from core.quality.conversations import (
    ConversationTurn,
    Exchange,
    format_exchanges,
    format_history,
    group_turns,
    join_history,
    read_turn,
)
from eval.settings import Settings
from eval.system import Answer, Question, SystemAdapter, Tools
from eval.workflows.answering import ask_fields

History = Literal["own", "gold", "rewrite", "standalone", "none"]
HISTORIES: tuple[History, ...] = get_args(History)
NEEDS_OWN_ANSWERS: tuple[History, ...] = ("own", "rewrite")
"""The histories that contain the system's own answers, so that the turns must be asked in order."""
EARLIER_FAILED = "earlier_turn"
"""Stop reason of a turn that is not asked because the system failed in an earlier turn of the conversation."""
REWRITE_PROMPT = "rewrite/standalone_question"
_REWRITE_TOKENS = 256
Reword = Callable[[Question, str], Question]
"""A function that builds the question of the same item with another text, including its search query."""


def find_turn(question: Question) -> ConversationTurn | None:
    """Return the question's turn in its conversation, or None if the question is not part of a conversation."""
    return read_turn(question.labels)


def group_rounds(questions: Sequence[Question]) -> list[list[Question]]:
    """Return the questions in rounds: first the questions without a conversation and all first turns, then all second turns,
    and so on. Conversations can then be asked at the same time, each in the order of its turns."""
    rounds: dict[int, list[Question]] = {}
    for question in questions:
        turn = find_turn(question)
        rounds.setdefault(turn.number if turn else 1, []).append(question)
    return [rounds[number] for number in sorted(rounds)]


def list_earlier(items: Sequence[Item]) -> dict[str, list[Item]]:
    """Return a dict from each item that is a follow-up to the items of the turns before, in order."""
    return {item.id: group[:at] for group in group_turns(items).values() for at, item in enumerate(group) if at}


def list_gold_exchanges(earlier: Sequence[Item]) -> list[Exchange]:
    """Return the turns before with their gold answers."""
    return [Exchange(item.question, item.answers[0] if item.answers else "") for item in earlier]


def list_own_exchanges(earlier: Sequence[Item], traces: Mapping[str, Trace]) -> list[Exchange] | None:
    """Return the turns before with the answers of the system, or None if an earlier turn failed or is not asked yet. `traces`
    is a dict from item to trace."""
    answers = [trace.answer if (trace := traces.get(item.id)) else None for item in earlier]
    if None in answers:
        return None
    return [Exchange(item.question, answer or "") for item, answer in zip(earlier, answers, strict=True)]


def add_history(question: Question, before: Sequence[Exchange], history: History, reword: Reword) -> Question:
    """Return the question of a follow-up as the system gets it, with the turns `before`; other questions are unchanged."""
    turn = find_turn(question)
    if turn is None or not turn.is_follow_up or history == "none":
        return question
    if history == "standalone":
        return reword(question, turn.standalone or question.text)
    question = replace(question, before=tuple(before), bare=question.text)
    return question if history == "rewrite" else show_before(question, reword)


def show_before(question: Question, reword: Reword) -> Question:
    """Return the question with its turns before in its text and in its search query."""
    bare = question.bare or question.text
    shown = reword(question, format_history(question.before, bare, question.language))
    query = reword(question, join_history(question.before, bare)).query
    return replace(shown, query=query, before=question.before, bare=bare)


def rewrite_first(adapter: SystemAdapter, reword: Reword) -> SystemAdapter:
    """Return the system so that the run's agent first rewrites each question that has turns before; the call and the rewritten
    question are steps of the trace."""

    async def answer(question: Question, tools: Tools, settings: Settings) -> Answer:
        if question.before:
            told = format_exchanges(question.before, question.language)
            inputs = {"conversation": told, "question": question.bare}
            fields = await ask_fields(tools, REWRITE_PROMPT, question.language, inputs, settings, _REWRITE_TOKENS)
            text = str(fields["standalone"])
            tools.note(Step("thought", text, about={"rewritten": question.bare}))
            question = replace(reword(question, text), before=question.before, bare=question.bare)
        return await adapter.answer(question, tools, settings)

    return replace(adapter, answer=answer, prompts=(*adapter.prompts, REWRITE_PROMPT), needs_agent=True)


def make_unasked_trace(question: Question, run: str) -> Trace:
    """Return the trace of a follow-up that is not asked because the system failed in an earlier turn."""
    why = "The system failed in an earlier turn of the conversation, so this turn was not asked."
    return Trace(run, question.item, question.variant, stop=EARLIER_FAILED, error=why)
