"""Let a simulated user talk with the system: a user with a goal, whose facts are the gold answers of a conversation's turns,
and with a patience. The user asks for the facts in the order of the turns. After an answer without the fact, the user asks once
more in other words. The user leaves when the number of messages in a row that brought nothing new reaches the patience; the
facts that are still open are then not asked for. The user follows rules without any chance, so that equal answers of the system
get equal messages.

A fact is learnt if the answer contains one of its gold answers. If the user has said the gold answer in this conversation, then
only an answer that equals it counts, so that a system which repeats the user's words brings nothing new."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from core.nouns import Item, Step, Trace
from core.quality.conversations import Exchange, get_standalone, read_turn
from core.text.refusals import is_refusal
from eval.conversations.history import Reword, find_turn, show_before
from eval.metrics.in_accuracy import contains_answer, make_searchable
from eval.settings import Settings
from eval.system import Answer, Question, SystemAdapter, SystemFailed, Tools

GOAL = "goal"
"""Value of the run's setting `user` with which a simulated user talks."""
DEFAULT_PATIENCE = 3
"""Number of messages in a row without anything new after which a simulated user leaves."""
USER_LEFT = "user_left"
"""Stop reason of a turn whose fact the simulated user did not ask for, because the user had left."""
_SAID = "user"
"""Key in a step's `about` of a message of the simulated user."""
_REPLIED = "reply"
"""Key in a step's `about` of the answer to a message that is not the last one of its turn."""


@dataclass(frozen=True, slots=True)
class UserState:
    """What the simulated user has heard when a turn begins."""

    before: tuple[Exchange, ...] = ()
    """All messages of the user with their answers; messages on which the system failed are left out."""
    said: tuple[str, ...] = ()
    """All messages of the user."""
    learnt: tuple[str, ...] = ()
    """Items whose facts the user has learnt."""
    idle: int = 0
    """Number of the user's last messages in a row that brought nothing new."""


def list_messages(trace: Trace) -> list[Exchange]:
    """Return the user's messages in the trace with the system's answers; the answer is "" if the system failed."""
    messages: list[Exchange] = []
    for step in trace.steps:
        if step.about.get(_SAID):
            messages.append(Exchange(step.text, ""))
        elif step.about.get(_REPLIED) and messages:
            messages[-1] = messages[-1]._replace(answer=step.text)
    if messages and trace.answer is not None:
        messages[-1] = messages[-1]._replace(answer=trace.answer)
    return messages


def is_learnt(answer: str | None, golds: Sequence[str], said: Sequence[str]) -> bool:
    """Return whether the answer brings the user the fact with these gold answers; `said` are the user's messages so far."""
    if not answer or is_refusal(answer):
        return False
    heard, spoken = make_searchable(answer), make_searchable("\n".join(said))
    found = [gold for gold in map(make_searchable, golds) if gold.plain and contains_answer(heard, gold)]
    return any(gold.plain == heard.plain or not contains_answer(spoken, gold) for gold in found)


def read_state(earlier: Sequence[Item], traces: Mapping[str, Trace]) -> UserState | None:
    """Return what the user has heard in the turns before, or None if one of them is not asked yet. `traces` is a dict from item
    to trace."""
    state = UserState()
    for item in earlier:
        trace = traces.get(item.id)
        if trace is None:
            return None
        messages = list_messages(trace)
        said = (*state.said, *(message.question for message in messages))
        has_learnt = is_learnt(trace.answer, item.answers, said)
        state = UserState(
            before=(*state.before, *(message for message in messages if message.answer)),
            said=said,
            learnt=(*state.learnt, item.id) if has_learnt else state.learnt,
            idle=0 if has_learnt else state.idle + len(messages),
        )
    return state


def word_again(item: Item, earlier: Sequence[Item], state: UserState) -> str:
    """Return the user's second wording of a turn: its standalone question, unless this would tell a fact that the user has not
    learnt; then, and for a first turn, the questions before, or else the goal, followed by the question."""
    turn, standalone = read_turn(item.labels), make_searchable(get_standalone(item))
    unknown = [
        gold for one in earlier if one.id not in state.learnt for gold in map(make_searchable, one.answers) if gold.plain
    ]
    if turn and turn.is_follow_up and turn.standalone and not any(contains_answer(standalone, gold) for gold in unknown):
        return turn.standalone
    context = [one.question for one in earlier] or ([turn.goal] if turn and turn.goal else [])
    return ("" if item.language == "zh" else " ").join([*context, item.question])


def talk_as_user(
    adapter: SystemAdapter,
    items: Mapping[str, Item],
    earlier_of: Mapping[str, Sequence[Item]],
    state_of: Callable[[Question], UserState],
    patience: int,
    reword: Reword,
) -> SystemAdapter:
    """Return the system so that a simulated user asks it each turn of a conversation; other questions are asked as they are.
    The messages of the user are steps of the trace. `items` is a dict from id to item."""

    async def answer(question: Question, tools: Tools, settings: Settings) -> Answer:
        if find_turn(question) is None:
            return await adapter.answer(question, tools, settings)
        item, state = items[question.item], state_of(question)
        if state.idle >= patience:
            why = f"The simulated user had left: {state.idle} messages in a row brought nothing new."
            raise SystemFailed(why, stop=USER_LEFT)
        tools.note(Step("thought", question.text, about={_SAID: 1}))
        first = await adapter.answer(_ask(question, question.text, state.before, reword), tools, settings)
        said = (*state.said, question.text)
        if is_learnt(first.text, item.answers, said) or state.idle + 1 >= patience:
            return first
        again = word_again(item, earlier_of.get(item.id, ()), state)
        for step in (*first.steps, Step("output", first.text, about={_REPLIED: 1}), Step("thought", again, about={_SAID: 2})):
            tools.note(step)
        before = (*state.before, Exchange(question.text, first.text)) if first.text else state.before
        second = await adapter.answer(_ask(question, again, before, reword), tools, settings)
        return _add_costs(first, second)

    return replace(adapter, answer=answer)


def _ask(question: Question, text: str, before: Sequence[Exchange], reword: Reword) -> Question:
    asked = replace(reword(question, text), before=tuple(before), bare=text)
    return show_before(asked, reword) if before else asked


def _add_costs(first: Answer, second: Answer) -> Answer:
    """Return the second answer with the costs that the system itself reports for both."""

    def add(name: str) -> Any:
        values = [getattr(first, name), getattr(second, name)]
        return None if None in values else sum(values)

    own: dict[str, Any] = {name: add(name) for name in ("tokens_in", "tokens_out", "calls", "seconds")}
    return replace(second, **own, waited=first.waited + second.waited)
