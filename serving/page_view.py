"""Routes that show documents as they look: which part of the text each page has, a picture of a page, and boxes on it. Browsers
may keep all answers forever, because documents never change."""

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
    """Respond with the picture of a document's page, as PNG or JPEG."""
    id_, number = request.path_params["id"], read_number(request.path_params["number"])
    width = read_number(request.query_params.get("width", ""))

    def draw_picture() -> Response:
        found = open_workbench().page_view.picture(id_, number, width)
        return Response(found, media_type="image/png" if found.startswith(b"\x89PNG") else "image/jpeg")

    return await _respond_cached(request, f"{id_}/{number}/{width}", draw_picture)


async def boxes(request: Request) -> Response:
    """Respond with where spans are on a page; the request writes the spans as 12-40,55-80."""
    id_, number = request.path_params["id"], read_number(request.path_params["number"])
    given = request.query_params.get("spans", "")
    found = [_SPAN.fullmatch(one) for one in given.split(",") if one]
    if None in found:
        raise BenchError("The page sent no usable spans: load the page again.")
    spans = [(int(span[1]), int(span[2])) for span in found if span]
    return await _respond_cached(
        request, f"{id_}/{number}/{given}", lambda: JSONResponse(as_json(open_workbench().page_view.boxes(id_, number, spans)))
    )


def read_number(text: str) -> int:
    """Return the number in a text of the request. Raises BenchError if the text is not a number."""
    if not _NUMBER.fullmatch(text):
        raise BenchError("The page sent no usable number: load the page again.")
    return int(text)


async def _respond_cached(request: Request, name: str, answer: Callable[[], Response]) -> Response:
    """Respond with content under an ETag that identifies it. The content is made only if the browser has no copy, and only when
    few enough pages are being drawn."""
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
