"""Routes for an item whose drafted answer is hidden: one stores a person's own answer while it is typed, the other submits it
and reveals the drafted answer. Only pages of this app can post, and an error is one sentence, as with the routes of the review
desk."""

from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from core.as_json import as_json
from serving.bodies import OwnAnswerBody, OwnScratchBody
from serving.desk import route_post
from workbench import open_workbench


def store_unsent_edit(body: OwnScratchBody) -> Response:
    """Store a person's own answer while it is typed; it may have any length."""
    reviews = open_workbench().reviews
    kept = reviews.keep_own(body.item, body.person, body.revision, body.answer, body.seconds)
    return JSONResponse({"ok": True, "saved_at": kept, "held": as_json(reviews.holds.find_other(body.item, body.person))})


def answer(body: OwnAnswerBody) -> Response:
    """Store a person's own answer, once, and reveal the drafted answer; `desk` in the response is what the desk shows from then
    on. A repeated request with the same answer reveals the drafted answer again."""
    found = open_workbench().reviews.reveal(body.item, body.person, body.answer, body.seconds)
    return JSONResponse({"ok": True, "desk": as_json(found)})


ROUTES = [
    Route("/bench/own", route_post(OwnAnswerBody, answer), methods=["POST"]),
    Route("/bench/own/scratch", route_post(OwnScratchBody, store_unsent_edit), methods=["POST"]),
]
