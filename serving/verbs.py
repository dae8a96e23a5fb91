"""The loopback route. A command line on this machine that can read the token file asks the app to run its verb, and reads the
output as lines of JSON: {"out": text}, {"err": line}, and {"exit": code} last."""

import hmac
import ipaddress
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ValidationError
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from serving import workspace_holder
from serving.running_verb import RunningVerb

Order = TypeVar("Order", "VerbOrder", "StopOrder")
RUNNING_VERBS: dict[str, RunningVerb] = {}
"""Running verbs by the id that the command line has chosen."""
FORBIDDEN = JSONResponse({"message": "This address answers only a command line that can read the workspace's token file."}, 403)


class Endpoint(BaseModel):
    """The address and key of an endpoint, and those of the Hugging Face hub, from the environment of the command line."""

    OPENAI_BASE_URL: str | None = None
    OPENAI_API_KEY: str | None = None
    HF_ENDPOINT: str | None = None
    HF_TOKEN: str | None = None


class VerbOrder(BaseModel):
    """A verb that a command line asks the app to run."""

    id: str
    words: list[str]
    folder: Path
    workspace: Path
    plain: bool
    environment: Endpoint


class StopOrder(BaseModel):
    """A request to stop a verb."""

    id: str


async def prove(request: Request) -> Response:
    """Prove that this process wrote the token file: answer a random text with the secret."""
    nonce = request.query_params.get("nonce", "")
    token = workspace_holder.token()
    if token is None or not is_local(request) or not 16 <= len(nonce) <= 256:
        return FORBIDDEN
    return JSONResponse({"proof": token.proof(nonce)})


async def work(request: Request) -> Response:
    """Run the verb and stream its output."""
    if not is_ours(request):
        return FORBIDDEN
    order = await read_order(request, VerbOrder)
    if order is None or order.workspace != workspace_holder.workspace():
        return JSONResponse({"message": "The app has another workspace open, or cannot read this request."}, 409)
    verb = RunningVerb(order.words, order.folder, order.plain, order.environment.model_dump(exclude_none=True))
    return StreamingResponse(stream(order.id, verb), media_type="application/x-ndjson")


async def stop(request: Request) -> Response:
    """Stop a verb as Ctrl-C would."""
    if not is_ours(request):
        return FORBIDDEN
    order = await read_order(request, StopOrder)
    verb = RUNNING_VERBS.get(order.id) if order else None
    return JSONResponse({"stopping": verb is not None and verb.stop()})


async def stream(name: str, verb: RunningVerb) -> AsyncIterator[bytes]:
    RUNNING_VERBS[name] = verb
    try:
        async for line in verb.lines():
            yield json.dumps(line).encode() + b"\n"
    finally:
        del RUNNING_VERBS[name]


async def read_order(request: Request, model: type[Order]) -> Order | None:
    """Return the order in the request; None unless the request is a command line's."""
    try:
        return model.model_validate_json(await request.body())
    except ValidationError:
        return None


def is_ours(request: Request) -> bool:
    """Return whether the request comes from this machine and has the token."""
    token = workspace_holder.token()
    secret = request.headers.get("authorization", "").removeprefix("Bearer ")
    return token is not None and is_local(request) and hmac.compare_digest(secret.encode(), token.token.encode())


def is_local(request: Request) -> bool:
    try:
        return ipaddress.ip_address(request.client.host if request.client else "").is_loopback
    except ValueError:
        return False


ROUTES = [
    Route("/bench/verb", prove, methods=["GET"]),
    Route("/bench/verb", work, methods=["POST"]),
    Route("/bench/verb/stop", stop, methods=["POST"]),
]
