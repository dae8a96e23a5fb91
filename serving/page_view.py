"""Routes that show the original pages of documents: the part of the document's text on each page, an image of a page, and the
positions of spans on a page. Browsers may cache all responses forever, because documents never change."""

import re
from collections.abc import Callable
from typing import TypeVar

import anyio
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from core.as_json import as_json
from core.errors import BenchError
from serving.desk import FOR_EVER, answer_errors, respond_error
from workbench import open_workbench

T = TypeVar("T")
AT_ONCE = 2
"""Maximum number of document pages that are drawn at the same time; further requests wait without delaying the desk's other
routes."""
_TURNS = anyio.CapacityLimiter(AT_ONCE)
_NUMBER = re.compile("[0-9]{1,9}")
_SPAN = re.compile("([0-9]{1,9})-([0-9]{1,9})")


async def pages(request: Request) -> Response:
    """Respond with the [start, end] offsets of each page in the document's text."""
    id_ = request.path_params["id"]
    return await _respond_cached(request, id_, lambda: JSONResponse({"pages": open_workbench().page_view.pages(id_)}))


async def picture(request: Request) -> Response:
    """Respond with an image of a document's page, as PNG or JPEG."""
    id_, number = request.path_params["id"], read_number(request.path_params["number"])
    width = read_number(request.query_params.get("width", ""))

    def draw_picture() -> Response:
        found = open_workbench().page_view.picture(id_, number, width)
        return Response(found, media_type="image/png" if found.startswith(b"\x89PNG") else "image/jpeg")

    return await _respond_cached(request, f"{id_}/{number}/{width}", draw_picture)


async def boxes(request: Request) -> Response:
    """Respond with the rectangles of text spans on a page. The request gives the spans by their start and end offsets, for
    example 12-40,55-80."""
    id_, number = request.path_params["id"], read_number(request.path_params["number"])
    given = request.query_params.get("spans", "")
    found = [_SPAN.fullmatch(one) for one in given.split(",") if one]
    if None in found:
        raise BenchError("The page sent no valid spans: load the page again.")
    spans = [(int(span[1]), int(span[2])) for span in found if span]
    return await _respond_cached(
        request, f"{id_}/{number}/{given}", lambda: JSONResponse(as_json(open_workbench().page_view.boxes(id_, number, spans)))
    )


def read_number(text: str) -> int:
    """Parse a number in the request. Raises BenchError if `text` is not a whole number of at most nine digits."""
    if not _NUMBER.fullmatch(text):
        raise BenchError("The page sent no valid number: load the page again.")
    return int(text)


async def _respond_cached(request: Request, name: str, answer: Callable[[], Response]) -> Response:
    """Return the response of `answer` with an ETag made from `name`, or status 304 if the browser has a copy. At most AT_ONCE
    calls of `answer` run at the same time; others wait."""
    headers = {"etag": f'"{name}"', "cache-control": FOR_EVER}
    if headers["etag"] in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    try:
        found = await anyio.to_thread.run_sync(answer, limiter=_TURNS)
    except BenchError as error:
        return respond_error(str(error), 404)
    found.headers.update(headers)
    return found


ROUTES = [
    Route("/bench/pages/{id:path}", answer_errors(pages)),
    Route("/bench/page/{number}/{id:path}", answer_errors(picture)),
    Route("/bench/boxes/{number}/{id:path}", answer_errors(boxes)),
]
