"""The routes of an item's comments: one to say, one to take back, and what is typed meanwhile. They take what a page of ours
posts, and answer trouble in one sentence, as the desk's do."""

from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from serving.desk import Body, boxed, posted, text
from workbench import opened


def say(body: Body) -> Response:
    """Stored; the answer is the thread as it is now."""
    item, person = text(body, "item"), text(body, "person")
    opened().comments.say(person, item, text(body, "text"), text(body, "key"), text(body, "tab", ""))
    return JSONResponse({"ok": True, "thread": opened().comments.thread(item, person)})


def take_back(body: Body) -> Response:
    """Marked as taken back; the answer is the thread as it is now."""
    person = text(body, "person")
    item = opened().comments.take_back(person, text(body, "comment"))
    return JSONResponse({"ok": True, "thread": opened().comments.thread(item, person)})


def scratch(body: Body) -> Response:
    """What is typed is kept whatever its length."""
    return boxed(body, opened().comments.keep)


ROUTES = [
    Route("/bench/comment", posted(say), methods=["POST"]),
    Route("/bench/comment/back", posted(take_back), methods=["POST"]),
    Route("/bench/comment/scratch", posted(scratch), methods=["POST"]),
]
