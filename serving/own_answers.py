"""Routes for an item whose drafted answer is hidden: one stores a person's own answer while the person types it, the other
submits the own answer and reveals the drafted one. Like the routes of the review desk, these routes accept POST requests only
from pages of this app, and report each error as one message."""

from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from core.as_json import as_json
from serving.bodies import OwnAnswerBody, OwnScratchBody
from serving.desk import route_post
from workbench import open_workbench


def store_unsent_edit(body: OwnScratchBody) -> Response:
    """Store a person's own answer while the person types it; the answer may have any length."""
    reviews = open_workbench().reviews
    kept = reviews.keep_own(body.item, body.person, body.revision, body.answer, body.seconds)
    return JSONResponse({"ok": True, "saved_at": kept, "held": as_json(reviews.holds.find_other(body.item, body.person))})


def answer(body: OwnAnswerBody) -> Response:
    """Store a person's own answer and reveal the drafted answer; the field `desk` of the response contains the data that the
    desk shows from then on. The own answer cannot be changed later, but a repeated request with the same answer succeeds."""
    found = open_workbench().reviews.reveal(body.item, body.person, body.answer, body.seconds)
    return JSONResponse({"ok": True, "desk": as_json(found)})


ROUTES = [
    Route("/bench/own", route_post(OwnAnswerBody, answer), methods=["POST"]),
    Route("/bench/own/scratch", route_post(OwnScratchBody, store_unsent_edit), methods=["POST"]),
]
