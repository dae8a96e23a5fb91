"""The routes of the variants page: scratch, decisions and undo to store, a variant to hold, and words on a sample. They take
what a page of ours posts, and answer trouble in one sentence, as the desk's do."""

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
    """What is typed is kept whatever its length."""
    words = body.person, body.item, body.revision, body.question, body.seconds
    keep = partial(open_workbench().variants.keep, comment=body.answer, tab=body.tab, since=body.since, key=body.key)
    return respond_kept(lambda: as_json(keep(*words)))


def decide(body: VariantBody) -> Response:
    """A decision; 409 when somebody was faster."""
    press = VariantPress(
        key=body.key,
        person=body.person,
        variant=body.item,
        decision=body.decision,  # type: ignore[arg-type]  # the workbench refuses others
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
    """The person's last decision, or last word on a sample, taken back; tells the variant."""
    if body.sample:
        return JSONResponse({"ok": True, "item": open_workbench().variant_quality.undo(body.sample, body.person, body.key)})
    return JSONResponse({"ok": True, "item": open_workbench().variants.undo(body.person, body.key, body.item or None)})


def hold(body: ItemBody) -> Response:
    """A sign of life; `held` tells who else has the variant."""
    return JSONResponse({"ok": True, "held": as_json(open_workbench().variants.hold(body.item, body.person))})


def judge(body: QualityBody) -> Response:
    """A word on a variant of a sample."""
    word = QualityAnswer(body.key, body.person, body.sample, body.item, body.applied, body.kept, body.comment, body.seconds)
    return JSONResponse({"ok": True, "repeat": open_workbench().variant_quality.judge(word)})


ROUTES = [
    Route("/bench/variant/scratch", route_post(TypedBody, scratch), methods=["POST"]),
    Route("/bench/variant/decide", route_post(VariantBody, decide), methods=["POST"]),
    Route("/bench/variant/undo", route_post(UndoBody, undo), methods=["POST"]),
    Route("/bench/variant/hold", route_post(ItemBody, hold), methods=["POST"]),
    Route("/bench/variant/judge", route_post(QualityBody, judge), methods=["POST"]),
]
