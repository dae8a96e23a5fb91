"""The routes of an item whose answer is hidden: one stores a person's own answer as they type, one submits it and reveals the
draft's answer. Only pages of this app can post, and an error is one sentence, as at the desk's routes."""

from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from core.as_json import as_json
from serving.bodies import OwnAnswerBody, OwnScratchBody
from serving.desk import route_post
from workbench import open_workbench


def scratch(body: OwnScratchBody) -> Response:
    """Store the typed text of an answer, of any length."""
    reviews = open_workbench().reviews
    kept = reviews.keep_own(body.item, body.person, body.revision, body.answer, body.seconds)
    return JSONResponse({"ok": True, "saved_at": kept, "held": as_json(reviews.holds.find_other(body.item, body.person))})


def answer(body: OwnAnswerBody) -> Response:
    """Store the answer once; `desk` is the data that the desk shows from then on. A repeated request with the same answer
    reveals the draft's answer again."""
    found = open_workbench().reviews.reveal(body.item, body.person, body.answer, body.seconds)
    return JSONResponse({"ok": True, "desk": as_json(found)})


ROUTES = [
    Route("/bench/own", route_post(OwnAnswerBody, answer), methods=["POST"]),
    Route("/bench/own/scratch", route_post(OwnScratchBody, scratch), methods=["POST"]),
]
