"""The loopback route: a command line on this machine that can read the token file has the app work its verb, and reads what the
verb prints as lines of JSON, {"out": text}, {"err": line} and last {"exit": code}."""

import hmac
import ipaddress
import json
from collections.abc import AsyncIterator
from pathlib import Path

from pydantic import BaseModel, ValidationError
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from serving import workspace_holder
from serving.running_verb import RunningVerb

AT_WORK: dict[str, RunningVerb] = {}
"""The verbs at work, by the id that their command line gave them."""
NO = JSONResponse({"message": "Only a command line that can read the workspace's token file is answered here."}, 403)


class Endpoint(BaseModel):
    """The command line's own endpoint and key."""

    OPENAI_BASE_URL: str | None = None
    OPENAI_API_KEY: str | None = None


class VerbOrder(BaseModel):
    """What a command line asks the app to work."""

    id: str
    words: list[str]
    folder: Path
    workspace: Path
    plain: bool
    environment: Endpoint


class StopOrder(BaseModel):
    """The verb that is to stop."""

    id: str


async def prove(request: Request) -> Response:
    """Answer a random text as only the writer of the token file can."""
    nonce = request.query_params.get("nonce", "")
    token = workspace_holder.token()
    if token is None or not is_near(request) or not 16 <= len(nonce) <= 256:
        return NO
    return JSONResponse({"proof": token.proof(nonce)})


async def work(request: Request) -> Response:
    """Work the verb and stream what it prints."""
    if not is_ours(request):
        return NO
    order = await read_order(request)
    if order is None or order.workspace != workspace_holder.workspace():
        return JSONResponse({"message": "The app has another workspace open, or cannot read this request."}, 409)
    asked = RunningVerb(order.words, order.folder, order.plain, order.environment.model_dump(exclude_none=True))
    return StreamingResponse(stream(order.id, asked), media_type="application/x-ndjson")


async def stop(request: Request) -> Response:
    """Stop a verb as Ctrl-C would."""
    if not is_ours(request):
        return NO
    try:
        asked = AT_WORK.get(StopOrder.model_validate_json(await request.body()).id)
    except ValidationError:
        asked = None
    return JSONResponse({"stopping": asked is not None and asked.stop()})


async def stream(name: str, asked: RunningVerb) -> AsyncIterator[bytes]:
    AT_WORK[name] = asked
    try:
        async for line in asked.lines():
            yield json.dumps(line).encode() + b"\n"
    finally:
        del AT_WORK[name]


async def read_order(request: Request) -> VerbOrder | None:
    """What is asked for; None when the request is none of a command line's."""
    try:
        return VerbOrder.model_validate_json(await request.body())
    except ValidationError:
        return None


def is_ours(request: Request) -> bool:
    """Whether it comes from this machine with the token."""
    token = workspace_holder.token()
    given = request.headers.get("authorization", "").removeprefix("Bearer ")
    return token is not None and is_near(request) and hmac.compare_digest(given.encode(), token.token.encode())


def is_near(request: Request) -> bool:
    try:
        return ipaddress.ip_address(request.client.host if request.client else "").is_loopback
    except ValueError:
        return False


ROUTES = [
    Route("/bench/verb", prove, methods=["GET"]),
    Route("/bench/verb", work, methods=["POST"]),
    Route("/bench/verb/stop", stop, methods=["POST"]),
]
