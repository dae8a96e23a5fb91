"""Let a simulated user talk with the system: a user with a goal, whose facts are the gold answers of a conversation's turns,
and with a patience. The user asks for the facts in the order of the turns. After an answer without the fact, the user asks once
more in other words. The user leaves when the number of messages in a row that brought nothing new reaches the patience; the
facts that are still open are then not asked for. By default, the user follows rules without any chance, so that equal answers
of the system get equal messages. Instead, an agent can play the user by a prompt: it words the messages after an answer without
the fact, as often as the patience allows, and may skip a fact or leave. The first message of a turn is always the item's
question.

A fact is learnt if the answer contains one of its gold answers. If the user has said the gold answer in this conversation, then
only an answer that equals it counts, so that a system which repeats the user's words brings nothing new."""

import sys
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from core.agent import Sampling
from core.errors import Unreadable
from core.nouns import Item, Step, Trace
from core.quality.conversations import Exchange, format_exchanges, get_standalone, read_turn
from core.text.refusals import is_refusal
from eval.conversations.history import Reword, find_turn, show_before
from eval.metrics.in_accuracy import contains_answer, make_searchable
from eval.settings import Settings
from eval.system import Answer, AskInRun, Question, SystemAdapter, SystemFailed, Tools
from prompts.prompt import load
from prompts.reply import ask_for

GOAL = "goal"
"""Value of the run's setting `user` with which a simulated user talks by rules."""
PLAYED = "llm"
"""Value of the run's setting `user` with which an agent plays the simulated user."""
USER_PROMPT = "rewrite/user_message"
DEFAULT_PATIENCE = 3
"""Number of messages in a row without anything new after which a simulated user leaves."""
USER_LEFT = "user_left"
"""Stop reason of a turn whose fact the simulated user did not ask for, because the user had left."""
_SAID = "user"
"""Key in a step's `about` of a message of the simulated user."""
_LEAVES = "leaves"
"""Key in a step's `about` of the decision of the simulated user to leave."""
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


class UserMove(NamedTuple):
    """What the simulated user does after an answer without the fact."""

    message: str = ""
    """The next message on the same turn; "" = none."""
    leaves: bool = False
    """Whether the user leaves the conversation."""


NextMove = Callable[[Item, Sequence[Item], UserState, int], Awaitable[UserMove]]
"""A function that returns the user's next move, for (item, items of the turns before, state, number of messages in this
turn)."""


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
            idle=sys.maxsize if _has_left(trace) else 0 if has_learnt else state.idle + len(messages),
        )
    return state


def _has_left(trace: Trace) -> bool:
    return any(_LEAVES in step.about for step in trace.steps)


async def follow_rules(item: Item, earlier: Sequence[Item], state: UserState, asked: int) -> UserMove:
    """Return the move of a user who asks each question a second time in other words, and then goes on to the next."""
    return UserMove(word_again(item, earlier, state) if asked == 1 else "")


def play_user(ask: AskInRun, patience: int, sampling: Sampling) -> NextMove:
    """Return the function with which an agent plays the user. The agent is told the goal, what is wanted now, the conversation
    and the patience, and never a gold answer."""

    def check(values: Mapping[str, Any]) -> str | None:
        return None if values["move"] in ("ask", "skip", "leave") else "move is none of ask, skip and leave"

    async def move(item: Item, earlier: Sequence[Item], state: UserState, asked: int) -> UserMove:
        turn = read_turn(item.labels)
        inputs = {
            "goal": turn.goal if turn else "",
            "wanted": word_again(item, earlier, state),
            "conversation": format_exchanges(state.before, item.language),
            "idle": state.idle,
            "patience": patience,
        }
        try:
            reply = await ask_for(ask, load(USER_PROMPT, item.language), inputs, sampling, check)
        except Unreadable as error:
            raise SystemFailed(f"No reply of the agent that plays the user was readable: {error}", stop="user_unread") from None
        message = str(reply.values["message"]).strip() if reply.values["move"] == "ask" else ""
        return UserMove(message, reply.values["move"] == "leave")

    return move


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
    find_move: NextMove = follow_rules,
) -> SystemAdapter:
    """Return the system so that a simulated user asks it each turn of a conversation; other questions are asked as they are.
    The messages of the user are steps of the trace. `items` is a dict from id to item; `find_move` returns what the user does
    after an answer without the fact."""

    async def answer(question: Question, tools: Tools, settings: Settings) -> Answer:
        if find_turn(question) is None:
            return await adapter.answer(question, tools, settings)
        item, state = items[question.item], state_of(question)
        if state.idle >= patience:
            is_own_choice = state.idle == sys.maxsize
            why = "it chose to" if is_own_choice else f"{state.idle} messages in a row brought nothing new"
            raise SystemFailed(f"The simulated user had left: {why}.", stop=USER_LEFT)
        message, asked, so_far = question.text, 1, Answer("")
        while True:
            tools.note(Step("thought", message, about={_SAID: asked}))
            reply = await adapter.answer(_ask(question, message, state.before, reword), tools, settings)
            so_far = reply if asked == 1 else _add_costs(so_far, reply)
            heard = (Exchange(message, reply.text),) if reply.text else ()
            said = (*state.said, message)
            state = replace(state, before=(*state.before, *heard), said=said, idle=state.idle + 1)
            if is_learnt(reply.text, item.answers, said) or state.idle >= patience:
                return so_far
            move = await find_move(item, earlier_of.get(item.id, ()), state, asked)
            if move.leaves:
                tools.note(Step("thought", "The simulated user leaves.", about={_LEAVES: 1}))
            if not move.message:
                return so_far
            for step in (*reply.steps, Step("output", reply.text, about={_REPLIED: asked})):
                tools.note(step)
            message, asked = move.message, asked + 1

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
