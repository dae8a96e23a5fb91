"""Routes for comments on an item: add a comment, withdraw one, and store the text of a comment before it is submitted. Like the
routes of the review desk, these routes accept POST requests only from pages of this app, and report each error as one
message."""

from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from core.as_json import as_json
from serving.bodies import CommentBody, TakenBackBody, TypedBody
from serving.desk import keep_box, route_post
from workbench import open_workbench


def say(body: CommentBody) -> Response:
    """Store a comment and respond with all comments on the item."""
    open_workbench().comments.say(body.person, body.item, body.text, body.key, body.tab)
    return JSONResponse({"ok": True, "thread": as_json(open_workbench().comments.thread(body.item, body.person))})


def take_back(body: TakenBackBody) -> Response:
    """Mark a comment as withdrawn and respond with all comments on the item."""
    item = open_workbench().comments.take_back(body.person, body.comment)
    return JSONResponse({"ok": True, "thread": as_json(open_workbench().comments.thread(item, body.person))})


def store_unsent_edit(body: TypedBody) -> Response:
    """Store the text of a comment while a person types it; the text may have any length."""
    return keep_box(body, open_workbench().comments.keep)


ROUTES = [
    Route("/bench/comment", route_post(CommentBody, say), methods=["POST"]),
    Route("/bench/comment/back", route_post(TakenBackBody, take_back), methods=["POST"]),
    Route("/bench/comment/scratch", route_post(TypedBody, store_unsent_edit), methods=["POST"]),
]
