"""Describe conversations: ordinary items with the label `conversation`, which says to which conversation an item belongs, and
as which turn. The question of a follow-up (turn 2 and later) refers to the turns before; its `standalone` form is understood
alone. Items without the label are not part of a conversation."""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from core.nouns import Item

TASK = "conversation"
"""Name of the task of the items that are drafted or imported as a conversation."""
LABEL = "conversation"
"""Name of the label that says which turn of which conversation an item is."""
EARLIER_TURNS = "earlier_turns"
"""Kind of the step of a follow-up that contains the questions and answers of the turns before, for checks of one item alone."""
MAX_TURNS = 50
"""Maximum number of turns of one conversation."""
_FRAMES = {
    "en": ("The conversation so far:", "User: ", "Assistant: ", "The user now asks: "),
    "zh": ("此前的对话：", "用户：", "助手：", "用户现在问："),
}
"""A dict from language to the words around the history of a conversation: heading, question, answer, the question now."""


class ConversationTurn(NamedTuple):
    """The place of an item in its conversation."""

    conversation: str
    """Id of the conversation, which all its turns share."""
    number: int
    """Number of the turn, from 1."""
    of: int
    """Number of turns of the whole conversation."""
    standalone: str = ""
    """The question in a form that is understood without the turns before; "" if the question itself is."""
    goal: str = ""
    """What the user wants to find out in the conversation, in one sentence; may be ""."""

    @property
    def is_follow_up(self) -> bool:
        """Return whether the turn has turns before it."""
        return self.number > 1


class Exchange(NamedTuple):
    """One question of a conversation with its answer."""

    question: str
    answer: str


def earlier_step(before: Sequence[Exchange]) -> dict[str, Any]:
    """Return the step of a follow-up that contains the turns before."""
    return {"kind": EARLIER_TURNS, "turns": [one._asdict() for one in before]}


def read_earlier(item: Item) -> list[Exchange] | None:
    """Return the turns before that are recorded with the item, or None if none are."""
    step = next((step for step in item.steps if step.get("kind") == EARLIER_TURNS), None)
    return None if step is None else [Exchange(str(one["question"]), str(one["answer"])) for one in step["turns"]]


def turn_label(turn: ConversationTurn) -> dict[str, Any]:
    """Return the value of the label that describes the turn; empty fields are left out."""
    fields = {"id": turn.conversation, "turn": turn.number, "of": turn.of, "standalone": turn.standalone, "goal": turn.goal}
    return {name: value for name, value in fields.items() if value != ""}


def read_turn(labels: Mapping[str, Any]) -> ConversationTurn | None:
    """Return the turn that the labels describe, or None if they describe none or their description is faulty."""
    value = labels.get(LABEL)
    return None if value is None or explain_fault(value) else _parse(value)


def explain_fault(value: object) -> str:
    """Return what is wrong with the value of the label `conversation`, as the end of a sentence, or "" if nothing is."""
    if not isinstance(value, Mapping) or not isinstance(value.get("id"), str) or not value["id"].strip():
        return "has a label conversation without the id of the conversation"
    numbers = [value.get("turn"), value.get("of")]
    if not all(isinstance(number, int) and not isinstance(number, bool) for number in numbers):
        return "has a label conversation without the whole numbers `turn` and `of`"
    if not 1 <= value["turn"] <= value["of"] <= MAX_TURNS:
        return f"is turn {value['turn']} of {value['of']}, but a conversation has 1 to {MAX_TURNS} turns, counted from 1"
    if not all(isinstance(value.get(name, ""), str) for name in ("standalone", "goal")):
        return "has a label conversation whose standalone question or goal is not text"
    return ""


def strip_revealing(labels: Mapping[str, Any]) -> dict[str, Any]:
    """Return the labels without the standalone question and the goal, which may contain the answers of other turns."""
    turn = read_turn(labels)
    return dict(labels) if turn is None else {**labels, LABEL: turn_label(turn._replace(standalone="", goal=""))}


def get_standalone(item: Item) -> str:
    """Return the item's question in a form that is understood alone: the standalone question of a follow-up, or else the item's
    own question."""
    turn = read_turn(item.labels)
    return turn.standalone if turn and turn.is_follow_up and turn.standalone else item.question


def count_without_standalone(items: Iterable[Item]) -> int:
    """Return the number of follow-ups among the items that have no standalone question."""
    return sum(turn.is_follow_up and not turn.standalone for item in items if (turn := read_turn(item.labels)))


def group_turns(items: Iterable[Item]) -> dict[str, list[Item]]:
    """Return a dict from conversation to its items in the order of their turns. Items of no conversation are left out."""
    groups: dict[str, list[tuple[int, Item]]] = defaultdict(list)
    for item in items:
        if turn := read_turn(item.labels):
            groups[turn.conversation].append((turn.number, item))
    return {name: [item for _, item in sorted(group, key=lambda pair: pair[0])] for name, group in groups.items()}


def list_incomplete(items: Iterable[Item]) -> set[str]:
    """Return the ids of those of the items whose conversation lacks a turn among them, or has a turn twice."""
    incomplete = set[str]()
    for group in group_turns(items).values():
        turns = [turn for item in group if (turn := read_turn(item.labels))]
        if [turn.number for turn in turns] != list(range(1, max(turn.of for turn in turns) + 1)):
            incomplete |= {item.id for item in group}
    return incomplete


def format_history(before: Sequence[Exchange], question: str, language: str) -> str:
    """Return the question below the turns before it, one line per question and answer, as a system reads it; the question alone
    if there are no turns before it."""
    if not before:
        return question
    heading, _, _, now = _frame(language)
    return f"{heading}\n{format_exchanges(before, language)}\n\n{now}{question}"


def format_exchanges(before: Sequence[Exchange], language: str) -> str:
    """Return the turns, one line per question and answer."""
    _, asks, answers, _ = _frame(language)
    return "\n".join(f"{asks}{_flatten(one.question)}\n{answers}{_flatten(one.answer)}" for one in before)


def split_history(text: str) -> tuple[list[Exchange], str]:
    """Return (turns before, question) of a text that `format_history` wrote; ([], the text) for any other text."""
    for heading, asks, answers, now in _FRAMES.values():
        head, found, question = text.partition(f"\n\n{now}")
        if found and head.startswith(f"{heading}\n"):
            lines = head.split("\n")[1:]
            pairs = zip(lines[::2], lines[1::2], strict=False)
            return [Exchange(a.removeprefix(asks), b.removeprefix(answers)) for a, b in pairs], question
    return [], text


def join_history(before: Sequence[Exchange], question: str) -> str:
    """Return the questions and answers before and the question as one search query, without words around them."""
    return " ".join([*(text for one in before for text in one if text), question])


def _parse(value: Any) -> ConversationTurn:
    return ConversationTurn(value["id"], value["turn"], value["of"], value.get("standalone", ""), value.get("goal", ""))


def _frame(language: str) -> tuple[str, str, str, str]:
    return _FRAMES["zh" if language == "zh" else "en"]


def _flatten(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip()
