"""The desk's routes: documents and claims to read, scratch, decisions and undo to store, items to hold. A POST must come from a
page of ours: it bears a header that no other site's page can send. Whatever goes wrong is one sentence."""

import json
import math
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from core.errors import BenchError, Refused
from core.nouns import Span
from workbench import acting, opened
from workbench.annotate.claims import places
from workbench.annotate.holds import as_record
from workbench.annotate.reviews import Conflict, Elsewhere, Held, Press, Scratch, Settled, shown
from workbench.annotate.taxonomy import taxonomy

HEADER, VALUE = "x-benchwright", "desk"
LONGEST_BODY = 8 * 1024 * 1024
"""Bytes."""
FOR_EVER = "private, max-age=31536000, immutable"

Body = Mapping[str, Any]
Answer = Callable[[Request], Awaitable[Response]]


def told(route: Answer) -> Answer:
    """The route, its BenchErrors as a sentence with the status 422, or 403 for what is not this person's to do."""

    async def answer(request: Request) -> Response:
        try:
            return await route(request)
        except BenchError as error:
            return failed(str(error), 403 if isinstance(error, Refused) else 422)

    return answer


def posted(act: Callable[[Body], Response]) -> Answer:
    """A route for `act` on the body of a POST, run in a thread: 403 for one that is not of our pages, 413 for one too long."""

    async def answer(request: Request) -> Response:
        kind = request.headers.get("content-type", "").split(";")[0].strip()
        if request.headers.get(HEADER) != VALUE or kind != "application/json":
            return failed("This address takes what Benchwright's own pages send, and nothing else.", 403)
        raw = bytearray()
        async for piece in request.stream():
            raw += piece
            if len(raw) > LONGEST_BODY:
                return failed("That is more text than one item can hold: shorten it.", 413)
        return await run_in_threadpool(as_named, act, read(bytes(raw)))

    return told(answer)


def as_named(act: Callable[[Body], Response], body: Body) -> Response:
    """The act of the person whom the body names."""
    acting.name(text(body, "person", ""))
    return act(body)


def read(raw: bytes) -> Body:
    """The JSON object of a body; raises BenchError when it is none."""
    try:
        found = json.loads(raw)
    except (ValueError, RecursionError) as error:
        raise BenchError("The page sent something that is no JSON: load it again.") from error
    if not isinstance(found, dict):
        raise BenchError("The page sent something that is no JSON object: load it again.")
    return found


async def document(request: Request) -> Response:
    """A document never changes, so a browser may keep it for ever."""
    id_ = request.path_params["id"]
    headers = {"etag": f'"{id_}"', "cache-control": FOR_EVER}
    if headers["etag"] in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    try:
        return await run_in_threadpool(lambda: JSONResponse(opened().reviews.document(id_), headers=headers))
    except BenchError as error:
        return failed(str(error), 404)


async def sentences(request: Request) -> Response:
    """Where a document's sentences are, apart from its text: to find them takes longer, and the text is read meanwhile."""
    id_ = request.path_params["id"]
    return await run_in_threadpool(lambda: JSONResponse(opened().reviews.sentences(id_), headers={"cache-control": FOR_EVER}))


async def claims(request: Request) -> Response:
    """The claims of the revision that is on the screen."""
    revision = whole({"revision": request.query_params.get("revision", "1")}, "revision")
    person = request.query_params.get("person", "")
    found = await run_in_threadpool(lambda: opened().reviews.claims(request.path_params["item"], revision, person))
    return JSONResponse({"claims": found})


async def history(request: Request) -> Response:
    """Revisions and decisions, as far as the person may know them."""
    person = request.query_params.get("person", "")
    return JSONResponse(await run_in_threadpool(lambda: opened().reviews.history(request.path_params["item"], person)))


def scratch(body: Body) -> Response:
    """What is typed is kept whatever its length; a decision on it is checked more closely. `held`: who else holds it. 409 with
    the other words when this person typed some in another tab."""
    reviews = opened().reviews
    typed = Scratch(
        text(body, "person"), text(body, "item"), whole(body, "revision"), text(body, "question"), text(body, "answer"),
        spans(body), seconds(body), tab=text(body, "tab", ""),
    )  # fmt: skip

    def keep() -> dict[str, Any]:
        kept = reviews.keep(typed, since=since(body), key=text(body, "key", ""))
        return {"saved_at": kept.at, "held": reviews.holds.other(kept.item, kept.person)}

    return kept_or_elsewhere(keep)


def boxed(body: Body, keep: Callable[..., str]) -> Response:
    """As scratch, of a box beside the item: `keep` is the verb for its words."""
    words = text(body, "person"), text(body, "item"), whole(body, "revision"), text(body, "question")
    return kept_or_elsewhere(lambda: {"saved_at": keep(*words, tab=text(body, "tab", ""), since=since(body))})


def kept_or_elsewhere(keep: Callable[[], dict[str, Any]]) -> Response:
    """What the keeping tells; 409 with the other words when this person typed some in another tab."""
    try:
        return JSONResponse({"ok": True, **keep()})
    except Elsewhere as elsewhere:
        other = elsewhere.theirs
        theirs = {"revision": other.revision, "question": other.question, "answers": [other.answer],
                  "evidence": places(other.evidence), "saved_at": other.at}  # fmt: skip
        return JSONResponse({"ok": False, "kind": "elsewhere", "message": str(elsewhere), "theirs": theirs}, 409)


def decide(body: Body) -> Response:
    """A decision, or an opinion."""
    press = press_of(body)
    return settled(lambda: opened().reviews.settle(press))


def press_of(body: Body) -> Press:
    """One press of a deciding key."""
    marks = body.get("claims") or []
    if not isinstance(marks, list) or not all(isinstance(mark, dict) for mark in marks):
        raise unread("claims")
    return Press(
        key=text(body, "key"), person=text(body, "person"), item=text(body, "item"), revision=whole(body, "revision"),
        decision=text(body, "decision"),  # type: ignore[arg-type]  # the workbench refuses any other word
        question=text(body, "question"), answer=text(body, "answer"), evidence=spans(body), reason=text(body, "reason", ""),
        comment=text(body, "comment", ""), claims=tuple(marks), labels=labels_of(body),
        seconds=seconds(body),
        seen=body.get("status") if isinstance(body.get("status"), str) else None,
        guideline=None if body.get("guideline") is None else whole(body, "guideline"), tab=text(body, "tab", ""),
    )  # fmt: skip


def labels_of(body: Body) -> dict[str, str] | None:
    """Labels that stood on the screen."""
    found = body.get("labels")
    if found is None:
        return None
    if not isinstance(found, dict) or not all(isinstance(value, str) for value in found.values()):
        raise unread("labels")
    return found


def settled(settle: Callable[[], Settled]) -> Response:
    """What a press left; 409 with their words when somebody was faster, or with their name when somebody else holds the
    item."""
    try:
        found = settle()
    except Conflict as conflict:
        item = conflict.theirs
        theirs = {"revision": item.revision, "status": item.status, "question": item.question, "answers": list(item.answers),
                  "evidence": places(item.evidence), "taxonomy": taxonomy(item), "by": conflict.by}  # fmt: skip
        return JSONResponse({"ok": False, "kind": "conflict", "message": str(conflict), "theirs": theirs}, 409)
    except Held as held:
        return JSONResponse({"ok": False, "kind": "held", "message": str(held), "held": as_record(held.lease)}, 409)
    feedback = {"feedback": dict(found.feedback)} if found.feedback else {}
    return JSONResponse({"ok": True, "item": shown(found.item), "repeat": found.is_repeat, "told": found.told} | feedback)


def undo(body: Body) -> Response:
    """The person's last decision taken back; with `item` only a decision on that one."""
    item = opened().reviews.undo(text(body, "person"), text(body, "key"), text(body, "item", "") or None)
    return JSONResponse({"ok": True, "item": item})


def hold(body: Body) -> Response:
    """A sign of life from the desk: the item stays this person's. `held` tells who else holds it."""
    return JSONResponse({"ok": True, "held": opened().reviews.holds.hold(text(body, "item"), text(body, "person"))})


def take(body: Body) -> Response:
    """The item is this person's from now on, whoever held it."""
    opened().reviews.holds.take_over(text(body, "item"), text(body, "person"))
    return JSONResponse({"ok": True})


def text(body: Body, name: str, default: str | None = None) -> str:
    value = body.get(name, default)
    if value is None and default is not None:
        return default
    if not isinstance(value, str):
        raise unread(name)
    return value


def whole(body: Body, name: str) -> int:
    try:
        value = int(body[name])
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        raise unread(name) from error
    if isinstance(body[name], bool) or not 0 <= value < 2**31:
        raise unread(name)
    return value


def since(body: Body) -> str | None:
    """The time of the words that the tab knows of."""
    return None if body.get("since") is None else text(body, "since")


def seconds(body: Body) -> float | None:
    value = body.get("seconds")
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < math.inf:
        raise unread("seconds")
    return float(value)


def spans(body: Body) -> tuple[Span, ...]:
    found = body.get("evidence") or []
    if not isinstance(found, list) or not all(isinstance(one, dict) for one in found):
        raise unread("evidence")
    try:
        return tuple(Span(text(one, "document"), whole(one, "start"), whole(one, "end")) for one in found)
    except BenchError as error:
        raise unread("evidence") from error


def unread(name: str) -> BenchError:
    return BenchError(f"The page sent no usable {name}: load it again.")


def failed(message: str, status: int = 422) -> JSONResponse:
    return JSONResponse({"ok": False, "message": message}, status)


ROUTES = [
    Route("/bench/document/{id:path}", document),
    Route("/bench/sentences/{id:path}", told(sentences)),
    Route("/bench/claims/{item:path}", told(claims)),
    Route("/bench/history/{item:path}", told(history)),
    Route("/bench/scratch", posted(scratch), methods=["POST"]),
    Route("/bench/decide", posted(decide), methods=["POST"]),
    Route("/bench/undo", posted(undo), methods=["POST"]),
    Route("/bench/hold", posted(hold), methods=["POST"]),
    Route("/bench/take", posted(take), methods=["POST"]),
]
