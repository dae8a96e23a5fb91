"""Define what a bulk action (a change of many items at once) is, and the rules by which it skips items."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Literal

from builders.task import Task
from core.errors import BenchError
from core.label_questions import LabelQuestion, find_unanswered, select_for_task
from core.quality.conversations import TASK as CONVERSATION
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
        "take_from": "Take from the people they were given to",
        "gates": "Run the free gates again",
    }
)
"""Dict from bulk action to its label on the screen. The action "undo", which reverts another action, is not in this dict."""
DECIDING_ACTIONS = ("discard", "accept")
REVIEWING_ACTIONS = (*DECIDING_ACTIONS, "take_back")
"""Names of the bulk actions that store a review for each item."""
FINAL_STATUS: Mapping[str, str] = MappingProxyType({"accept": "accepted", "discard": "discarded"})


@dataclass(frozen=True, slots=True)
class BulkRequest:
    """A change that a person wants to make to many items at once."""

    action: Action
    person: str
    """Name of the person who starts the bulk action; its decisions are stored under this name."""
    reason: str = ""
    """Reason for discarding the items; "" if the action is not a discard."""
    to: str = ""
    """Name of the person to whom the items are assigned; "" if the action assigns no items."""
    of: str = ""
    """Job id of the bulk action that is to be undone; "" if the action is not an undo."""

    @classmethod
    def of_job(cls, params: Mapping[str, Any]) -> "BulkRequest":
        """Return the request that the parameters of a job describe."""
        return cls(**params["asked"])


def check_request(request: BulkRequest) -> None:
    """Raise BenchError if the request names no person or an unknown action, or if it lacks the reason or assignee that the
    action needs."""
    if not request.person.strip():
        raise BenchError("A bulk action is recorded with a person's name: give your name first.")
    if request.action != "undo" and request.action not in ACTIONS:
        raise BenchError(f"{request.action!r} is not a bulk action.")
    if request.action == "discard" and not request.reason.strip():
        raise BenchError("A discard needs a reason: choose one, or write your own.")
    if request.action == "give" and not request.to.strip():
        raise BenchError("Assigning items needs a person: give a name.")


@dataclass(frozen=True, slots=True)
class BulkPlan:
    """A bulk action with the stored data that it needs."""

    request: BulkRequest
    target: BulkRequest
    """The request of the bulk action that is to be undone; for other actions, the same as `request`."""
    changed: Mapping[str, BulkOutcome]
    """For an undo: dict from item id to what the undone action did with the item; otherwise empty."""
    questions: Sequence[LabelQuestion] = ()
    """All label questions of the workspace, which reviewers answer about each item."""
    find_hidden: Callable[[Iterable[str]], set[str]] = lambda drafts: set()
    """Function from the ids of drafts to the ids of those whose answers are hidden from the person who starts the action."""

    @property
    def person(self) -> str:
        """Return the only person for whom the items may be reserved: the assignee, or else the person who starts the action."""
        return self.request.to if self.request.action == "give" else self.request.person


def explain_left_out(
    plan: BulkPlan, row: BulkItem, tasks: Mapping[str, Task], *, is_touched: bool = False, is_hidden: bool = False
) -> str:
    """Return the reason why the action skips this item, without naming people, or "" if it changes the item.

    `is_touched` says whether anybody reviewed the item after the action that is to be undone, and `is_hidden` whether the
    item's answer is still hidden from the person who accepts it."""
    request = plan.request
    if request.action == "gates":
        return "" if row.item.task in tasks else "no gates for its task"
    if request.action == "take_from":
        return "" if row.given_to else "given to nobody"
    if request.action == "undo" and (why := _explain_not_undone(plan.target, row, is_touched)):
        return why
    if row.held_by and (request.action, plan.target.action) != ("undo", "give"):
        return "held by or given to somebody else"
    if row.is_in_phases and request.action in (*DECIDING_ACTIONS, "give"):
        return "waits in Two phases"
    if request.action == "take_back":
        return "" if row.is_decided else "no decision to take back"
    if request.action == "give":
        return _explain_not_given(request, row)
    if request.action == "undo":
        return ""
    questions = select_for_task(plan.questions, row.item.task) if request.action == "accept" else []
    if why := _explain_not_decided(request, row):
        return why
    if request.action == "accept" and row.item.task == CONVERSATION:
        return "a turn: a conversation is accepted as a whole, on the page Conversations"
    if is_hidden:
        return "the draft is hidden until you have answered the item on the page Review"
    return "a label question is required" if find_unanswered(questions, {}) is not None else ""


def _explain_not_undone(target: BulkRequest, row: BulkItem, is_touched: bool) -> str:
    if is_touched:
        return "reviewed since"
    if target.action == "give" and target.to not in row.given_to:
        return "decided, or taken back, since"
    if target.action == "take_from" and (row.item.status != WAITING_STATUS or row.given >= row.wanted):
        return "decided since"
    return ""


def _explain_not_given(request: BulkRequest, row: BulkItem) -> str:
    if row.item.status != WAITING_STATUS:
        return "does not wait"
    if row.own:
        return "an opinion of theirs is in"
    if row.given >= row.wanted:
        return "all opinions are in"
    return "given to them already" if request.to in row.given_to else ""


def _explain_not_decided(request: BulkRequest, row: BulkItem) -> str:
    if row.item.status == FINAL_STATUS[request.action]:
        return f"{row.item.status} already"
    if row.is_decided_in_phases:
        return "decided in Two phases: take the decision back first"
    if row.item.status == "refused":
        return "refused by a gate"
    if row.own == request.action:
        return "your opinion says so already"
    if row.item.status == WAITING_STATUS and row.given >= row.wanted and not row.own:
        return "all opinions are in, and differ"
    if request.action == "accept":
        if row.frame or row.item.labels.get("frame"):
            return "a frame to fill"  # even if filled in: its writer has not accepted it, or has undone that
        try:
            check_acceptable(row.item, "")
        except BenchError:
            return "no question or no answer"
    return ""
