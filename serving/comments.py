"""The routes of an item's comments: one to say, one to take back, and what is typed meanwhile. They take what a page of ours
posts, and answer trouble in one sentence, as the desk's do."""

from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from core.as_json import as_json
from serving.bodies import CommentBody, TakenBackBody, TypedBody
from serving.desk import keep_box, route_post
from workbench import open_workbench


def say(body: CommentBody) -> Response:
    """Stored; the answer is the thread as it is now."""
    open_workbench().comments.say(body.person, body.item, body.text, body.key, body.tab)
    return JSONResponse({"ok": True, "thread": as_json(open_workbench().comments.thread(body.item, body.person))})


def take_back(body: TakenBackBody) -> Response:
    """Marked as taken back; the answer is the thread as it is now."""
    item = open_workbench().comments.take_back(body.person, body.comment)
    return JSONResponse({"ok": True, "thread": as_json(open_workbench().comments.thread(item, body.person))})


def scratch(body: TypedBody) -> Response:
    """What is typed is kept whatever its length."""
    return keep_box(body, open_workbench().comments.keep)


ROUTES = [
    Route("/bench/comment", route_post(CommentBody, say), methods=["POST"]),
    Route("/bench/comment/back", route_post(TakenBackBody, take_back), methods=["POST"]),
    Route("/bench/comment/scratch", route_post(TypedBody, scratch), methods=["POST"]),
]
