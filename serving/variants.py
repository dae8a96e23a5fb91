"""Routes of the page for variants of questions: they store typed text and decisions, undo decisions, reserve a variant, send
the next variant, and store judgements on the variants of a sample. Like the routes of the review desk, these routes accept POST
requests only from pages of this app, and report each error as one message."""

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


def store_unsent_edit(body: TypedBody) -> Response:
    """Store the text of a variant while a person types it; the text may have any length."""
    words = body.person, body.item, body.revision, body.question, body.seconds
    keep = partial(open_workbench().variants.keep, comment=body.answer, tab=body.tab, since=body.since, key=body.key)
    return respond_kept(lambda: as_json(keep(*words)))


def decide(body: VariantBody) -> Response:
    """Store a decision on a variant. Responds with status 409 if the variant has changed in the meantime; `taken_by` then names
    the other person who decided on the variant. If the body has `onward`, the response also has the next variant, as the
    response of `step` does."""
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
    """Return a dict with the response field for the next variant, or {} if the request does not ask for the next variant."""
    if (onward := body.onward) is None:
        return {}
    queue, visits = describe_queue(onward.kind), open_workbench().variant_visits
    return bring_next(lambda: visits.step(TabStep(*onward.place(body)), queue))


def describe_queue(body: VariantQueueBody) -> VariantQueue:
    """Return the queue of variants that the filter of a request describes."""
    fields = body.model_dump()
    return VariantQueue(sample=fields.pop("sample"), kind=VariantKind(**fields))


def undo(body: UndoBody) -> Response:
    """Undo the person's last decision on a variant or, if the body names a sample, the person's last judgement in the sample;
    respond with the id of the variant."""
    if body.sample:
        return JSONResponse({"ok": True, "item": open_workbench().variant_quality.undo(body.sample, body.person, body.key)})
    return JSONResponse({"ok": True, "item": open_workbench().variants.undo(body.person, body.key, body.item or None)})


def hold(body: ItemBody) -> Response:
    """Reserve the variant for this person, or renew their reservation. If the variant is reserved for another person, `held` in
    the response names that person."""
    return JSONResponse({"ok": True, "held": as_json(open_workbench().variants.hold(body.item, body.person))})


def judge(body: QualityBody) -> Response:
    """Store a judgement on a variant of a sample. If the body has `onward`, the response also has the next variant."""
    word = QualityAnswer(body.key, body.person, body.sample, body.item, body.applied, body.kept, body.comment, body.seconds)
    return JSONResponse({"ok": True, "repeat": open_workbench().variant_quality.judge(word), **go_on(body)})


def step(body: VariantStepBody) -> Response:
    """Reserve the variant to which the pressed button leads, and respond with all its data for the page. The data is null if
    the page itself must show what comes next."""
    step = TabStep(*body.place)
    return JSONResponse({"ok": True, "desk": as_json(open_workbench().variant_visits.step(step, describe_queue(body.kind)))})


ROUTES = [
    Route("/bench/variant/scratch", route_post(TypedBody, store_unsent_edit), methods=["POST"]),
    Route("/bench/variant/decide", route_post(VariantBody, decide), methods=["POST"]),
    Route("/bench/variant/undo", route_post(UndoBody, undo), methods=["POST"]),
    Route("/bench/variant/next", route_post(VariantStepBody, step), methods=["POST"]),
    Route("/bench/variant/hold", route_post(ItemBody, hold), methods=["POST"]),
    Route("/bench/variant/judge", route_post(QualityBody, judge), methods=["POST"]),
]
