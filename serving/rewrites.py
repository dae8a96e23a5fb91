"""The routes of the rewrite page: numbers on what is being typed, its scratch, and the rewrite to store. They take what a page
of ours posts, and answer trouble in one sentence, as the desk's do."""

from functools import partial

from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from serving.desk import Body, boxed, posted, seconds, text, whole
from workbench import opened
from workbench.annotate.rewrites import Changed, NearCopy, Rewrite


def numbers(body: Body) -> Response:
    """Counted at once."""
    return JSONResponse({"ok": True, **opened().rewrites.numbers(text(body, "item"), text(body, "text"))})


def similarity(body: Body) -> Response:
    """Takes seconds when it is the first."""
    return JSONResponse({"ok": True, **opened().rewrites.similarity(text(body, "item"), text(body, "text"))})


def scratch(body: Body) -> Response:
    """What is typed is kept whatever its length."""
    return boxed(body, partial(opened().rewrites.keep, seconds=seconds(body)))


def write(body: Body) -> Response:
    """Stored; `kind` tells a near-copy, and words of another revision, from what cannot be stored."""
    made = Rewrite(text(body, "person"), text(body, "item"), whole(body, "revision"), text(body, "text"),
                   text(body, "reason", ""), seconds(body), text(body, "tab", ""))  # fmt: skip
    try:
        return JSONResponse({"ok": True, "variant": opened().rewrites.write(made)})
    except (NearCopy, Changed) as error:
        kind = "near" if isinstance(error, NearCopy) else "changed"
        return JSONResponse({"ok": False, "kind": kind, "message": str(error)}, 409)


ROUTES = [
    Route("/bench/rewrite", posted(write), methods=["POST"]),
    Route("/bench/rewrite/scratch", posted(scratch), methods=["POST"]),
    Route("/bench/rewrite/numbers", posted(numbers), methods=["POST"]),
    Route("/bench/rewrite/similarity", posted(similarity), methods=["POST"]),
]
