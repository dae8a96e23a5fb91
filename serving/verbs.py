"""The loopback route: a command line on this machine that can read the token file has the app work its verb, and reads what the
verb prints as lines of JSON, {"out": text}, {"err": line} and last {"exit": code}."""

import hmac
import ipaddress
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from serving import holding
from serving.asked import Asked

AT_WORK: dict[str, Asked] = {}
"""The verbs at work, by the id that their command line gave them."""
NO = JSONResponse({"message": "Only a command line that can read the workspace's token file is answered here."}, 403)


async def prove(request: Request) -> Response:
    """Answer a random text as only the writer of the token file can."""
    nonce = request.query_params.get("nonce", "")
    token = holding.token()
    if token is None or not is_near(request) or not 16 <= len(nonce) <= 256:
        return NO
    return JSONResponse({"proof": token.proof(nonce)})


async def work(request: Request) -> Response:
    """Work the verb and stream what it prints."""
    if not is_ours(request):
        return NO
    order = await order_of(request)
    if order is None or Path(order["workspace"]) != holding.workspace():
        return JSONResponse({"message": "The app has another workspace open, or cannot read this request."}, 409)
    asked = Asked(order["words"], Path(order["folder"]), order["plain"], order["environment"])
    return StreamingResponse(stream(order["id"], asked), media_type="application/x-ndjson")


async def stop(request: Request) -> Response:
    """Stop a verb as Ctrl-C would."""
    if not is_ours(request):
        return NO
    try:
        asked = AT_WORK.get(str((await request.json())["id"]))
    except (ValueError, TypeError, KeyError):
        asked = None
    return JSONResponse({"stopping": asked is not None and asked.stop()})


async def stream(name: str, asked: Asked) -> AsyncIterator[bytes]:
    AT_WORK[name] = asked
    try:
        async for line in asked.lines():
            yield json.dumps(line).encode() + b"\n"
    finally:
        del AT_WORK[name]


async def order_of(request: Request) -> dict[str, Any] | None:
    """What is asked for; None when the request is none of a command line's."""
    try:
        body = await request.json()
        words, environment = [str(word) for word in body["words"]], dict(body["environment"])
        known = {key: str(environment[key]) for key in ("OPENAI_BASE_URL", "OPENAI_API_KEY") if key in environment}
        paths = {key: str(body[key]) for key in ("folder", "workspace")}
        return {"id": str(body["id"]), "words": words, "plain": bool(body["plain"]), "environment": known, **paths}
    except (ValueError, TypeError, KeyError):
        return None


def is_ours(request: Request) -> bool:
    """Whether it comes from this machine with the token."""
    token = holding.token()
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
