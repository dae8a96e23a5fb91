"""The routes of an item whose answer is hidden: what a person types of their own, and the answer that reveals the draft's. They
take what a page of ours posts, and answer trouble in one sentence, as the desk's do."""

from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from serving.desk import Body, posted, seconds, text, whole
from workbench import opened


def scratch(body: Body) -> Response:
    """What is typed is kept whatever its length."""
    reviews, item, person = opened().reviews, text(body, "item"), text(body, "person")
    kept = reviews.keep_own(item, person, whole(body, "revision"), text(body, "answer"), seconds(body))
    return JSONResponse({"ok": True, "saved_at": kept, "held": reviews.holds.other(item, person)})


def answer(body: Body) -> Response:
    """Stored once; `desk` is what the desk shows from then on. The same again reveals it again."""
    found = opened().reviews.reveal(text(body, "item"), text(body, "person"), text(body, "answer"), seconds(body))
    return JSONResponse({"ok": True, "desk": found})


ROUTES = [
    Route("/bench/own", posted(answer), methods=["POST"]),
    Route("/bench/own/scratch", posted(scratch), methods=["POST"]),
]
