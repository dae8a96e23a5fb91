"""Routes of the page for rewriting questions: they compare the text that a person types with the question, store this text,
store the rewrite, and send the next question. Like the routes of the review desk, these routes accept POST requests only from
pages of this app, and report each error as one message."""

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
    """Respond with measures of a rewrite that are computed quickly, such as the share of words that it has in common with its
    question."""
    found = open_workbench().rewrites.measure_rewrite(body.item, body.text)
    return JSONResponse({"ok": True, **found.numbers, "near": found.near})


def similarity(body: WordingBody) -> Response:
    """Respond with the semantic similarity of a rewrite to its question. The first computation takes some seconds."""
    return JSONResponse({"ok": True, **as_json(open_workbench().rewrites.similarity(body.item, body.text))})


def store_unsent_edit(body: TypedBody) -> Response:
    """Store the text of a rewrite while a person types it; the text may have any length."""
    return keep_box(body, partial(open_workbench().rewrites.keep, seconds=body.seconds))


def write(body: RewriteBody) -> Response:
    """Store a rewrite of a question. In an error response, `kind` is "near" if the rewrite is too close to the question, and
    "changed" if the item has a newer revision. If the body has `onward`, the response also has the next question, as the
    response of `step` does."""
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
    """Respond with the question to which the pressed button leads, with all its data for the page. The data is null if the page
    itself must show what comes next."""
    kind = ItemKind(**body.kind.model_dump())
    return JSONResponse({"ok": True, "desk": as_json(open_workbench().rewrite_visits.step(TabStep(*body.place), kind))})


ROUTES = [
    Route("/bench/rewrite", route_post(RewriteBody, write), methods=["POST"]),
    Route("/bench/rewrite/next", route_post(StepBody, step), methods=["POST"]),
    Route("/bench/rewrite/scratch", route_post(TypedBody, store_unsent_edit), methods=["POST"]),
    Route("/bench/rewrite/numbers", route_post(WordingBody, numbers), methods=["POST"]),
    Route("/bench/rewrite/similarity", route_post(WordingBody, similarity), methods=["POST"]),
]
