"""The routes of the variants page: unsubmitted text, decisions and undo to store, a variant to hold, and judgements on a
sample. Only pages of this app can post, and an error is one sentence, as at the desk's routes."""

from functools import partial

from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from core.as_json import as_json
from core.records import variant_record
from serving.bodies import ItemBody, QualityBody, TypedBody, UndoBody, VariantBody
from serving.desk import respond_kept, route_post
from workbench import open_workbench
from workbench.annotate.wordings.variant_quality import QualityAnswer
from workbench.annotate.wordings.variants import VariantConflict, VariantPress


def scratch(body: TypedBody) -> Response:
    """Store the typed text of a variant, of any length."""
    words = body.person, body.item, body.revision, body.question, body.seconds
    keep = partial(open_workbench().variants.keep, comment=body.answer, tab=body.tab, since=body.since, key=body.key)
    return respond_kept(lambda: as_json(keep(*words)))


def decide(body: VariantBody) -> Response:
    """Store a decision; 409 when somebody else decided first."""
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
        return JSONResponse({"ok": True, "variant": variant_record(result.variant), "repeat": result.is_repeat})
    except VariantConflict as error:
        return JSONResponse({"ok": False, "kind": "changed", "message": str(error)}, 409)


def undo(body: UndoBody) -> Response:
    """Take back the person's last decision, or last judgement on a sample; returns the variant."""
    if body.sample:
        return JSONResponse({"ok": True, "item": open_workbench().variant_quality.undo(body.sample, body.person, body.key)})
    return JSONResponse({"ok": True, "item": open_workbench().variants.undo(body.person, body.key, body.item or None)})


def hold(body: ItemBody) -> Response:
    """Keep the variant held for this person; `held` names another person who holds it."""
    return JSONResponse({"ok": True, "held": as_json(open_workbench().variants.hold(body.item, body.person))})


def judge(body: QualityBody) -> Response:
    """Store a judgement on a variant of a sample."""
    word = QualityAnswer(body.key, body.person, body.sample, body.item, body.applied, body.kept, body.comment, body.seconds)
    return JSONResponse({"ok": True, "repeat": open_workbench().variant_quality.judge(word)})


ROUTES = [
    Route("/bench/variant/scratch", route_post(TypedBody, scratch), methods=["POST"]),
    Route("/bench/variant/decide", route_post(VariantBody, decide), methods=["POST"]),
    Route("/bench/variant/undo", route_post(UndoBody, undo), methods=["POST"]),
    Route("/bench/variant/hold", route_post(ItemBody, hold), methods=["POST"]),
    Route("/bench/variant/judge", route_post(QualityBody, judge), methods=["POST"]),
]
