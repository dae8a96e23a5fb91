"""Routes of the boards of sealed releases: a script sends predictions with an access token, and reads the board. Guests may use
them for their own release."""

from math import ceil, isfinite

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

import jobs
from serving.actor import resolve_person
from serving.desk import answer_errors, respond_error
from workbench import actor, open_workbench
from workbench.release.boards.submissions import MAX_FILE_BYTES
from workbench.release.upload_limits import UploadsExceeded

FILE = "The file"
"""Name of the predictions in messages; a request's body has no name."""


async def show(request: Request) -> Response:
    """Respond with the board: its rules, and all submissions with their means."""
    name = request.path_params["release"]
    return await run_in_threadpool(lambda: JSONResponse(open_workbench().sealed_boards.view(name).record()))


async def submit(request: Request) -> Response:
    """Take the predictions in the body as a submission of the system that the query names, and respond with its number and
    receipt as soon as it is on record. The scores follow on the board. The body is refused with status 413 if it is too
    long, and with status 429 if the person sends too many; refused submissions count as well."""
    name, system = request.path_params["release"], request.query_params.get("system", "")
    raw = bytearray()
    async for piece in request.stream():
        raw += piece
        if len(raw) > MAX_FILE_BYTES:
            return respond_error(f"{FILE} is larger than {MAX_FILE_BYTES // 2**20} MB: send one line per question.", 413)

    def act() -> Response:
        person = resolve_person(request.query_params.get("person") or actor.get_name() or "")
        actor.set_name(person)
        bench = open_workbench()
        taken = bench.sealed_boards.submit(name, bytes(raw), FILE, system, person)
        jobs.start(bench).submit(taken.job)
        return JSONResponse({"ok": True, **taken.record()})

    try:
        return await run_in_threadpool(act)
    except UploadsExceeded as error:
        response = respond_error(str(error), 429)
        if isfinite(error.wait):
            response.headers["retry-after"] = str(ceil(error.wait))
        return response


ROUTES = [
    Route("/bench/board/{release}", answer_errors(show), methods=["GET"]),
    Route("/bench/board/{release}", answer_errors(submit), methods=["POST"]),
]
