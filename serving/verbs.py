"""Routes that run verbs (commands) for a command line and stream their output as lines of JSON: {"out": text}, {"err": line},
and {"exit": code} last. A command line on this machine that can read the token file acts as the owner; a command line anywhere
that has an access token acts as the token's person, and has no access to files."""

import hmac
import ipaddress
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, Field, ValidationError
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from serving import workspace_holder
from serving.actor import SESSION_KEY
from serving.running_verb import RunningVerb
from workbench.setup.sign_in_session import SignInSession

Order = TypeVar("Order", "VerbOrder", "CommandOrder", "StopOrder")
RUNNING_VERBS: dict[str, RunningVerb] = {}
"""Dict from the id that the command line has chosen for a verb to the running verb."""
MAX_ORDER_BYTES = 1 << 20
MAX_WORDS = 2_000
"""Maximum number of words in a command; the time to parse them grows with the square of their number."""
MAX_VERBS_OF_PERSON = 4
"""Maximum number of verbs that one person may run at the same time."""
FORBIDDEN = JSONResponse({"message": "This address answers only a command line that can read the workspace's token file."}, 403)
NO_TOKEN = JSONResponse({"message": "This address answers only access tokens, on a server on which people sign in."}, 403)
UNREADABLE = "cannot read this request."


class Endpoint(BaseModel):
    """Addresses and keys of a model endpoint and of the Hugging Face hub, from the environment variables of the command
    line."""

    OPENAI_BASE_URL: str | None = None
    OPENAI_API_KEY: str | None = None
    HF_ENDPOINT: str | None = None
    HF_TOKEN: str | None = None


class CommandOrder(BaseModel):
    """Request to run a verb for a command line that has an access token."""

    id: str = Field(min_length=1, max_length=64)
    words: list[str] = Field(min_length=1, max_length=MAX_WORDS)
    plain: bool


class VerbOrder(CommandOrder):
    """Request to run a verb for a command line on this machine."""

    folder: Path
    workspace: Path
    environment: Endpoint


class StopOrder(BaseModel):
    """Request to stop a running verb."""

    id: str


async def prove(request: Request) -> Response:
    """Prove that this process wrote the token file: respond with an HMAC of the caller's random text, made with the file's
    secret."""
    nonce = request.query_params.get("nonce", "")
    token = workspace_holder.token()
    if token is None or not is_local(request) or not 16 <= len(nonce) <= 256:
        return FORBIDDEN
    return JSONResponse({"proof": token.proof(nonce)})


async def work(request: Request) -> Response:
    """Run a verb as the owner of the workspace and stream its output."""
    if not is_ours(request):
        return FORBIDDEN
    order = await read_order(request, VerbOrder)
    if order is None or order.workspace != workspace_holder.workspace():
        return JSONResponse({"message": f"The app has another workspace open, or {UNREADABLE}"}, 409)
    verb = RunningVerb(order.words, order.plain, order.folder, order.environment.model_dump(exclude_none=True))
    return respond_stream(order.id, verb)


async def stop(request: Request) -> Response:
    """Stop a verb that the owner has started, in the same way as Ctrl-C."""
    return await respond_stop(request, None) if is_ours(request) else FORBIDDEN


async def work_for_token(request: Request) -> Response:
    """Run a verb as the person of the access token and stream its output."""
    person = find_token_person(request)
    if person is None:
        return NO_TOKEN
    order = await read_order(request, CommandOrder)
    if order is None:
        return JSONResponse({"message": f"The app {UNREADABLE}"}, 422)
    return respond_stream(order.id, RunningVerb(order.words, order.plain, person=person))


async def stop_for_token(request: Request) -> Response:
    """Stop a verb that runs for the person of the access token, as Ctrl-C does."""
    person = find_token_person(request)
    return NO_TOKEN if person is None else await respond_stop(request, person)


async def respond_stop(request: Request, person: str | None) -> Response:
    """Stop the verb that the request names if it runs for `person` (None = the owner), and respond with whether a job is now
    stopping."""
    order = await read_order(request, StopOrder)
    verb = RUNNING_VERBS.get(order.id) if order else None
    return JSONResponse({"stopping": verb is not None and verb.person == person and verb.stop()})


def respond_stream(name: str, verb: RunningVerb) -> Response:
    if name in RUNNING_VERBS:
        return JSONResponse({"message": "A verb with this id is running: choose another id."}, 409)
    running = sum(one.person == verb.person for one in RUNNING_VERBS.values())
    if verb.person is not None and running >= MAX_VERBS_OF_PERSON:
        return JSONResponse({"message": f"{running} commands of yours are running: wait until one of them ends."}, 429)
    RUNNING_VERBS[name] = verb
    return StreamingResponse(stream(name, verb), media_type="application/x-ndjson")


async def stream(name: str, verb: RunningVerb) -> AsyncIterator[bytes]:
    try:
        async for line in verb.lines():
            yield json.dumps(line).encode() + b"\n"
    finally:
        del RUNNING_VERBS[name]


async def read_order(request: Request, model: type[Order]) -> Order | None:
    """Parse the body of a request as `model`. Return None if the body is too long or does not match the model."""
    raw = bytearray()
    async for piece in request.stream():
        raw += piece
        if len(raw) > MAX_ORDER_BYTES:
            return None
    try:
        return model.model_validate_json(bytes(raw))
    except ValidationError:
        return None


def is_ours(request: Request) -> bool:
    """Return whether the request comes from this machine and contains the token from the token file."""
    token = workspace_holder.token()
    secret = request.headers.get("authorization", "").removeprefix("Bearer ")
    return token is not None and is_local(request) and hmac.compare_digest(secret.encode(), token.token.encode())


def is_local(request: Request) -> bool:
    try:
        return ipaddress.ip_address(request.client.host if request.client else "").is_loopback
    except ValueError:
        return False


def find_token_person(request: Request) -> str | None:
    """Return the person whose access token the sign-in gate accepted. Return None for a request from a browser, and on a server
    without sign-in."""
    session: SignInSession | None = request.scope.get(SESSION_KEY)
    return session.person if session is not None and session.source == "token" else None


ROUTES = [
    Route("/bench/verb", prove, methods=["GET"]),
    Route("/bench/verb", work, methods=["POST"]),
    Route("/bench/verb/stop", stop, methods=["POST"]),
    Route("/bench/command", work_for_token, methods=["POST"]),
    Route("/bench/command/stop", stop_for_token, methods=["POST"]),
]
