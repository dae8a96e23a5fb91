"""What a bulk action is, and which items it leaves out and why."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Literal

from builders.task import Task
from core.errors import BenchError
from core.label_questions import LabelQuestion, find_unanswered, select_for_task
from store.queue.queue import WAITING_STATUS
from store.reviews.bulk import BulkItem, BulkOutcome
from workbench.annotate.desk.decisions import check_acceptable

Action = Literal["discard", "accept", "take_back", "give", "take_from", "gates", "undo"]
ACTIONS: Mapping[Action, str] = MappingProxyType(
    {
        "discard": "Discard",
        "accept": "Accept",
        "take_back": "Take decisions back",
        "give": "Give to a person",
        "take_from": "Take from whom they were given to",
        "gates": "Run the free gates again",
    }
)
"""What can be done with many items, as it is called; an undo is of one of these."""
DECIDING = ("discard", "accept")
REVIEWING = (*DECIDING, "take_back")
"""Those that are reviews of each item."""
IS_ALREADY: Mapping[str, str] = MappingProxyType({"accept": "accepted", "discard": "discarded"})


@dataclass(frozen=True, slots=True)
class BulkRequest:
    """What is to be done with many items."""

    action: Action
    person: str
    """Who has it done."""
    reason: str = ""
    """Why they are discarded."""
    to: str = ""
    """Whom they are given to."""
    of: str = ""
    """The bulk action that is undone."""


def check(asked: BulkRequest) -> None:
    """Raises BenchError on what cannot be done, in a sentence."""
    if not asked.person.strip():
        raise BenchError("What is done in bulk stands under a name: give yours first.")
    if asked.action != "undo" and asked.action not in ACTIONS:
        raise BenchError(f"{asked.action!r} is nothing that can be done in bulk.")
    if asked.action == "discard" and not asked.reason.strip():
        raise BenchError("A discard needs a reason: choose one, or write your own.")
    if asked.action == "give" and not asked.to.strip():
        raise BenchError("Whom are they given to? Give a name.")


@dataclass(frozen=True, slots=True)
class BulkPlan:
    """A bulk action with what must be known to do it."""

    asked: BulkRequest
    of: BulkRequest
    """What is undone; the action itself where none is."""
    changed: Mapping[str, BulkOutcome]
    """What the undone one changed, by item."""
    questions: Sequence[LabelQuestion] = ()
    """The label questions of the workspace."""

    @property
    def person(self) -> str:
        """For whom the items must be free."""
        return self.asked.to if self.asked.action == "give" else self.asked.person


def why_not(plan: BulkPlan, ground: BulkItem, tasks: Mapping[str, Task], is_touched: bool) -> str:
    """Why the item is left out, as it stands in a list, without names; "" = it is not. `is_touched`: somebody reviewed it since
    the action that is undone."""
    asked = plan.asked
    if asked.action == "gates":
        return "" if ground.item.task in tasks else "no gates for its task"
    if asked.action == "take_from":
        return "" if ground.given_to else "given to nobody"
    if asked.action == "undo" and (why := _why_not_undone(plan.of, ground, is_touched)):
        return why
    if ground.held_by and (asked.action, plan.of.action) != ("undo", "give"):
        return "held by or given to somebody else"
    if ground.is_in_phases and asked.action in (*DECIDING, "give"):
        return "waits in Two phases"
    if asked.action == "take_back":
        return "" if ground.is_decided else "no decision to take back"
    if asked.action == "give":
        return _why_not_given(asked, ground)
    if asked.action == "undo":
        return ""
    is_open = asked.action == "accept" and find_unanswered(select_for_task(plan.questions, ground.item.task), {}) is not None
    return _why_not_decided(asked, ground) or ("a label question is required" if is_open else "")


def _why_not_undone(of: BulkRequest, ground: BulkItem, is_touched: bool) -> str:
    if is_touched:
        return "reviewed since"
    if of.action == "give" and of.to not in ground.given_to:
        return "decided, or taken back, since"
    if of.action == "take_from" and (ground.item.status != WAITING_STATUS or ground.given >= ground.wanted):
        return "decided since"
    return ""


def _why_not_given(asked: BulkRequest, ground: BulkItem) -> str:
    if ground.item.status != WAITING_STATUS:
        return "does not wait"
    if ground.own:
        return "an opinion of theirs is in"
    if ground.given >= ground.wanted:
        return "all opinions are in"
    return "given to them already" if asked.to in ground.given_to else ""


def _why_not_decided(asked: BulkRequest, ground: BulkItem) -> str:
    if ground.item.status == IS_ALREADY[asked.action]:
        return f"{ground.item.status} already"
    if ground.is_decided_in_phases:
        return "decided in Two phases: take the decision back first"
    if ground.item.status == "refused":
        return "refused by a gate"
    if ground.own == asked.action:
        return "your opinion says so already"
    if ground.item.status == WAITING_STATUS and ground.given >= ground.wanted and not ground.own:
        return "all opinions are in, and differ"
    if asked.action == "accept":
        try:
            check_acceptable(ground.item, ground.frame)
        except BenchError:
            return "a frame to fill" if ground.frame or ground.item.labels.get("frame") else "no question or no answer"
    return ""


def from_params(params: Mapping[str, Any]) -> BulkRequest:
    """What a job was asked."""
    return BulkRequest(**params["asked"])
