"""The routes of the rewrite page: numbers on the text that is being typed, its unsubmitted text, the rewrite to store, and the
next question. Only pages of this app can post, and an error is one sentence, as at the desk's routes."""

from functools import partial

from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from core.as_json import as_json
from core.records import variant_record
from serving.bodies import RewriteBody, StepBody, TypedBody, WordingBody
from serving.desk import bring_next, keep_box, route_post
from workbench import open_workbench
from workbench.annotate.queue.tab_visits import TabStep
from workbench.annotate.reviewing.reviews import ItemKind
from workbench.annotate.wordings.rewrites import ItemChanged, NearCopy, Rewrite


def numbers(body: WordingBody) -> Response:
    """Respond with the numbers that are counted at once."""
    found = open_workbench().rewrites.measure_rewrite(body.item, body.text)
    return JSONResponse({"ok": True, **found.numbers, "near": found.near})


def similarity(body: WordingBody) -> Response:
    """Respond with the similarity; the first computation takes seconds."""
    return JSONResponse({"ok": True, **as_json(open_workbench().rewrites.similarity(body.item, body.text))})


def scratch(body: TypedBody) -> Response:
    """Store the typed text of a rewrite, of any length."""
    return keep_box(body, partial(open_workbench().rewrites.keep, seconds=body.seconds))


def write(body: RewriteBody) -> Response:
    """Store the rewrite; `kind` distinguishes a near-copy, and words of another revision, from text that cannot be stored. With
    `onward` the response holds the next question too, as that of `step` does."""
    made = Rewrite(body.person, body.item, body.revision, body.text, body.reason, body.seconds, body.tab)
    try:
        stored = {"ok": True, "variant": variant_record(open_workbench().rewrites.write(made))}
    except (NearCopy, ItemChanged) as error:
        kind = "near" if isinstance(error, NearCopy) else "changed"
        return JSONResponse({"ok": False, "kind": kind, "message": str(error)}, 409)
    if (onward := body.onward) is None:
        return JSONResponse(stored)
    visits, queue = open_workbench().rewrite_visits, ItemKind(**onward.kind.model_dump())
    return JSONResponse(stored | bring_next(lambda: visits.step(TabStep(*onward.place(body)), queue)))


def step(body: StepBody) -> Response:
    """Respond with the sheet of the question that a press leads to; null when the page has to show the next step."""
    kind = ItemKind(**body.kind.model_dump())
    return JSONResponse({"ok": True, "desk": as_json(open_workbench().rewrite_visits.step(TabStep(*body.place), kind))})


ROUTES = [
    Route("/bench/rewrite", route_post(RewriteBody, write), methods=["POST"]),
    Route("/bench/rewrite/next", route_post(StepBody, step), methods=["POST"]),
    Route("/bench/rewrite/scratch", route_post(TypedBody, scratch), methods=["POST"]),
    Route("/bench/rewrite/numbers", route_post(WordingBody, numbers), methods=["POST"]),
    Route("/bench/rewrite/similarity", route_post(WordingBody, similarity), methods=["POST"]),
]
