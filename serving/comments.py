"""The routes of an item's comments: add one, take one back, and store unsubmitted text. Only pages of this app can post, and an
error is one sentence, as at the desk's routes."""

from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from core.as_json import as_json
from serving.bodies import CommentBody, TakenBackBody, TypedBody
from serving.desk import keep_box, route_post
from workbench import open_workbench


def say(body: CommentBody) -> Response:
    """Store the comment; respond with the current thread."""
    open_workbench().comments.say(body.person, body.item, body.text, body.key, body.tab)
    return JSONResponse({"ok": True, "thread": as_json(open_workbench().comments.thread(body.item, body.person))})


def take_back(body: TakenBackBody) -> Response:
    """Mark the comment as taken back; respond with the current thread."""
    item = open_workbench().comments.take_back(body.person, body.comment)
    return JSONResponse({"ok": True, "thread": as_json(open_workbench().comments.thread(item, body.person))})


def scratch(body: TypedBody) -> Response:
    """Store the typed text of a comment, of any length."""
    return keep_box(body, open_workbench().comments.keep)


ROUTES = [
    Route("/bench/comment", route_post(CommentBody, say), methods=["POST"]),
    Route("/bench/comment/back", route_post(TakenBackBody, take_back), methods=["POST"]),
    Route("/bench/comment/scratch", route_post(TypedBody, scratch), methods=["POST"]),
]
