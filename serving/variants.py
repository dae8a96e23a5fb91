"""The routes of the variants page: unsubmitted text, decisions and undo to store, a variant to hold, the next variant, and
judgements on a sample. Only pages of this app can post, and an error is one sentence, as at the desk's routes."""

from functools import partial
from typing import Any

from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from core.as_json import as_json
from core.records import variant_record
from serving.bodies import ItemBody, QualityBody, TypedBody, UndoBody, VariantBody, VariantQueueBody, VariantStepBody
from serving.desk import bring_next, respond_kept, route_post
from workbench import open_workbench
from workbench.annotate.queue.tab_visits import TabStep
from workbench.annotate.wordings.variant_quality import QualityAnswer
from workbench.annotate.wordings.variant_visits import VariantQueue
from workbench.annotate.wordings.variants import VariantConflict, VariantKind, VariantPress


def scratch(body: TypedBody) -> Response:
    """Store the typed text of a variant, of any length."""
    words = body.person, body.item, body.revision, body.question, body.seconds
    keep = partial(open_workbench().variants.keep, comment=body.answer, tab=body.tab, since=body.since, key=body.key)
    return respond_kept(lambda: as_json(keep(*words)))


def decide(body: VariantBody) -> Response:
    """Store a decision; 409 when somebody else decided first, whom `taken_by` names. With `onward` the response holds the
    next variant too, as that of `step` does."""
    press = VariantPress(
        key=body.key,
        person=body.person,
        variant=body.item,
        decision=body.decision,  # type: ignore[arg-type]  # the workbench refuses other values
        seen=body.status,  # type: ignore[arg-type]  # as above
        text=body.text,
        applied=body.applied,
        kept=body.kept,
        reason=body.reason,
        comment=body.comment,
        seconds=body.seconds,
        tab=body.tab,
    )
    try:
        result = open_workbench().variants.settle(press)
    except VariantConflict as error:
        told = {"ok": False, "kind": "changed", "message": str(error), "taken_by": error.taken_by}
        return JSONResponse(told, 409)
    stored = {"ok": True, "variant": variant_record(result.variant), "repeat": result.is_repeat}
    return JSONResponse(stored | go_on(body))


def go_on(body: VariantBody | QualityBody) -> dict[str, Any]:
    """Return the field of a response that holds the next variant, when the request asks for it."""
    if (onward := body.onward) is None:
        return {}
    queue, visits = describe_queue(onward.kind), open_workbench().variant_visits
    return bring_next(lambda: visits.step(TabStep(*onward.place(body)), queue))


def describe_queue(body: VariantQueueBody) -> VariantQueue:
    """Convert the filter of a request to a queue."""
    fields = body.model_dump()
    return VariantQueue(sample=fields.pop("sample"), kind=VariantKind(**fields))


def undo(body: UndoBody) -> Response:
    """Take back the person's last decision, or last judgement on a sample; returns the variant."""
    if body.sample:
        return JSONResponse({"ok": True, "item": open_workbench().variant_quality.undo(body.sample, body.person, body.key)})
    return JSONResponse({"ok": True, "item": open_workbench().variants.undo(body.person, body.key, body.item or None)})


def hold(body: ItemBody) -> Response:
    """Keep the variant held for this person; `held` names another person who holds it."""
    return JSONResponse({"ok": True, "held": as_json(open_workbench().variants.hold(body.item, body.person))})


def judge(body: QualityBody) -> Response:
    """Store a judgement on a variant of a sample; with `onward` the response holds the next variant too."""
    word = QualityAnswer(body.key, body.person, body.sample, body.item, body.applied, body.kept, body.comment, body.seconds)
    return JSONResponse({"ok": True, "repeat": open_workbench().variant_quality.judge(word), **go_on(body)})


def step(body: VariantStepBody) -> Response:
    """Respond with the sheet of the variant that a press leads to, held; null when the page has to show the next step."""
    step = TabStep(*body.place)
    return JSONResponse({"ok": True, "desk": as_json(open_workbench().variant_visits.step(step, describe_queue(body.kind)))})


ROUTES = [
    Route("/bench/variant/scratch", route_post(TypedBody, scratch), methods=["POST"]),
    Route("/bench/variant/decide", route_post(VariantBody, decide), methods=["POST"]),
    Route("/bench/variant/undo", route_post(UndoBody, undo), methods=["POST"]),
    Route("/bench/variant/next", route_post(VariantStepBody, step), methods=["POST"]),
    Route("/bench/variant/hold", route_post(ItemBody, hold), methods=["POST"]),
    Route("/bench/variant/judge", route_post(QualityBody, judge), methods=["POST"]),
]
