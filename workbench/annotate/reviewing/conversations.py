"""Review whole conversations: list them, show the turns with their evidence, and decide on all turns at once."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Literal, NamedTuple

from builders.gates.follow_up import explain_unfit
from core.errors import BenchError
from core.nouns import Item
from core.quality.conversations import TASK, ConversationTurn, Exchange, group_turns, read_turn
from store.engine.database import Database
from store.items import items
from store.runs.traces import cut_spans
from workbench.annotate.desk.decisions import check_new_words, first_answer
from workbench.annotate.reviewing.reviews import ReviewStage
from workbench.roles import requires

PAGE_SIZE = 50
EVIDENCE_CHARACTERS = 5_000
"""Maximum number of characters that are shown of one passage of evidence."""

ConversationState = Literal["waiting", "accepted", "discarded", "mixed"]
"""State of a conversation: waiting = a turn waits for a decision; accepted and discarded = all turns are; mixed = otherwise."""


class TurnEdit(NamedTuple):
    """The new texts of one turn; None = unchanged."""

    question: str | None = None
    answer: str | None = None
    standalone: str | None = None


@dataclass(frozen=True, slots=True)
class ConversationLine:
    """One conversation in a list."""

    id: str
    goal: str
    first_question: str
    turns: int
    language: str
    state: ConversationState


@dataclass(frozen=True, slots=True)
class ConversationPage:
    """One page of the list of conversations."""

    lines: Sequence[ConversationLine]
    total: int
    counts: Mapping[ConversationState, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ShownTurn:
    """One turn of a conversation, with its evidence."""

    item: Item
    turn: ConversationTurn
    evidence: Sequence[tuple[str, str]]
    """(title of the document, text) of each passage."""
    why_unfit: str
    """Why the question is not a follow-up to the turns before, as the end of a sentence; "" if it is."""


@dataclass(frozen=True, slots=True)
class ConversationCard:
    """A whole conversation."""

    id: str
    goal: str
    state: ConversationState
    turns: Sequence[ShownTurn]
    lacking: int
    """Number of turns that the conversation had when it was made, and that are not in the workspace."""


class ConversationReviews:
    """Methods with which people review whole conversations."""

    def __init__(self, database: Database, reviews: ReviewStage) -> None:
        self._db, self._reviews = database, reviews

    def page(self, state: ConversationState | None = None, number: int = 1) -> ConversationPage:
        """Return one page of the conversations in this state (None = all), in the order in which they were added."""
        groups = group_turns(items.list_items(self._db, task=TASK))
        every = [_describe(name, group) for name, group in groups.items()]
        chosen = [line for line in every if state in (None, line.state)]
        start = (max(number, 1) - 1) * PAGE_SIZE
        return ConversationPage(chosen[start : start + PAGE_SIZE], len(chosen), Counter(line.state for line in every))

    def count_waiting(self) -> int:
        """Return the number of conversations of which a turn waits for a decision."""
        waiting = items.list_items(self._db, task=TASK, status="drafted")
        return len(group_turns(waiting))

    def find_next(self, after: str | None = None) -> str | None:
        """Return the id of the waiting conversation that follows `after`, or else of the first one; None if none waits."""
        groups = group_turns(items.list_items(self._db, task=TASK))
        ids = list(groups)
        later = ids[ids.index(after) + 1 :] if after in groups else ids
        waiting = (id_ for id_ in [*later, *ids] if id_ != after and _find_state(groups[id_]) == "waiting")
        return next(waiting, None)

    def load(self, conversation: str) -> ConversationCard:
        """Return a conversation with its turns in order. Raises BenchError if there is no such conversation."""
        group = self._load_group(conversation)
        texts = cut_spans(self._db, [span for item in group for span in item.evidence], EVIDENCE_CHARACTERS)
        shown, before = [], list[Exchange]()
        for item in group:
            turn = read_turn(item.labels)
            if turn is None:
                continue
            why = ""
            if turn.is_follow_up and turn.standalone:
                why = explain_unfit(item.question, turn.standalone, before, item.language)
            shown.append(ShownTurn(item, turn, [texts.get(span, ("", "")) for span in item.evidence], why))
            before.append(Exchange(item.question, first_answer(item)))
        goal, of = next((one.turn.goal for one in shown if one.turn.goal), ""), max(one.turn.of for one in shown)
        return ConversationCard(conversation, goal, _find_state(group), shown, of - len({one.turn.number for one in shown}))

    @requires("decide on items", "conversation")
    def decide(
        self,
        conversation: str,
        decision: Literal["accept", "discard"],
        *,
        person: str,
        edits: Mapping[str, TurnEdit] = MappingProxyType({}),
        reason: str = "",
    ) -> ConversationCard:
        """Accept all turns of a conversation, with the `edits` (a dict from item to its new texts), or discard all turns. Each
        turn is stored at once, so that the same request continues after a crash. Raises BenchError, before anything is stored,
        if an edit cannot be stored."""
        group = self._load_group(conversation)
        if unknown := sorted(set(edits) - {item.id for item in group}):
            raise BenchError(f"{unknown[0]} is not a turn of the conversation {conversation}: load the page again.")
        if decision == "discard" and any(edits.values()):
            raise BenchError("A discard does not change the text: take your changes back, or accept the conversation.")
        if decision == "discard" and not reason.strip():
            raise BenchError("A discard needs a reason: write one.")
        for item in group:
            edit = edits.get(item.id, TurnEdit())
            check_new_words(item, edit.question, edit.answer, reason)
            if any(text is not None and not text.strip() for text in edit):
                raise BenchError(f"A text of {item.id} is empty: enter text, or keep the previous text.")
        for item in group:
            edit = edits.get(item.id, TurnEdit())
            self._reviews.decide(item.id, decision, person=person, reason=reason, **edit._asdict())
        return self.load(conversation)

    def _load_group(self, conversation: str) -> list[Item]:
        group = group_turns(items.list_items(self._db, task=TASK)).get(conversation)
        if group is None:
            raise BenchError(f"This workspace has no conversation {conversation!r}: list the conversations.")
        return group


def _describe(name: str, group: Sequence[Item]) -> ConversationLine:
    goal = next((turn.goal for item in group if (turn := read_turn(item.labels)) and turn.goal), "")
    return ConversationLine(name, goal, group[0].question, len(group), group[0].language, _find_state(group))


def _find_state(group: Sequence[Item]) -> ConversationState:
    states = {item.status for item in group}
    if "drafted" in states:
        return "waiting"
    if states == {"accepted"}:
        return "accepted"
    return "discarded" if states <= {"discarded", "refused"} else "mixed"
