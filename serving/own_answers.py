"""The routes of an item whose answer is hidden: what a person types of their own, and the answer that reveals the draft's. They
take what a page of ours posts, and answer trouble in one sentence, as the desk's do."""

from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from core.as_json import as_json
from serving.bodies import OwnAnswerBody, OwnScratchBody
from serving.desk import route_post
from workbench import open_workbench


def scratch(body: OwnScratchBody) -> Response:
    """What is typed is kept whatever its length."""
    reviews = open_workbench().reviews
    kept = reviews.keep_own(body.item, body.person, body.revision, body.answer, body.seconds)
    return JSONResponse({"ok": True, "saved_at": kept, "held": as_json(reviews.holds.find_other(body.item, body.person))})


def answer(body: OwnAnswerBody) -> Response:
    """Stored once; `desk` is what the desk shows from then on. The same again reveals it again."""
    found = open_workbench().reviews.reveal(body.item, body.person, body.answer, body.seconds)
    return JSONResponse({"ok": True, "desk": as_json(found)})


ROUTES = [
    Route("/bench/own", route_post(OwnAnswerBody, answer), methods=["POST"]),
    Route("/bench/own/scratch", route_post(OwnScratchBody, scratch), methods=["POST"]),
]
