"""Routes of the review desk: they read documents and claims, store typed text and decisions, undo decisions, and reserve items
for a person. A POST request must have a header that only the app's own pages can send, so that pages of other sites cannot send
requests. Each error response contains one message.

POST requests need no CSRF token, because three checks stop pages of other sites: for a request with this header, browsers first
send a CORS preflight request, which the app never grants; the middleware Hosts refuses requests with another Origin; and the
session cookie is SameSite=Lax."""

import re
from collections.abc import Awaitable, Callable
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from core.as_json import as_json
from core.errors import BenchError, NotAllowed
from core.label_questions import LABEL_ANSWERS
from serving.actor import resolve_person
from serving.bodies import (
    AheadBody,
    B,
    Body,
    DecisionBody,
    ItemBody,
    ScratchBody,
    SkipBody,
    StepBody,
    TypedBody,
    UndoBody,
    read_body,
    refuse_field,
)
from workbench import actor, open_workbench
from workbench.annotate.desk.desk_data import Holder, describe_item
from workbench.annotate.desk.taxonomy import list_taxonomy
from workbench.annotate.reviewing.desk_visits import DeskStep
from workbench.annotate.reviewing.reviews import (
    DecisionRequest,
    DecisionResult,
    EditedElsewhere,
    HeldByOther,
    ItemKind,
    ReviewConflict,
    UnsentEdit,
)
from workbench.roles import MAX_NAME_CHARACTERS

HEADER, VALUE = "x-benchwright", "desk"
LONGEST_BODY = 8 * 1024 * 1024
"""Maximum size in bytes of the body of a request."""
FOR_EVER = "private, max-age=31536000, immutable"

NUMBER = re.compile("[0-9]{1,9}")
Answer = Callable[[Request], Awaitable[Response]]


def answer_errors(route: Answer) -> Answer:
    """Wrap a route so that it responds to a BenchError with the error's message: with status 403 if the person lacks the
    permission, else 422."""

    async def answer(request: Request) -> Response:
        try:
            return await route(request)
        except BenchError as error:
            return respond_error(str(error), 403 if isinstance(error, NotAllowed) else 422)

    return answer


def route_post(model: type[B], act: Callable[[B], Response]) -> Answer:
    """Return a POST route that runs `act` on the request's body in a thread. The route responds with status 403 if the request
    does not come from the app's own pages, and with 413 if the body is too long."""

    async def answer(request: Request) -> Response:
        kind = request.headers.get("content-type", "").split(";")[0].strip()
        if request.headers.get(HEADER) != VALUE or kind != "application/json":
            return respond_error(
                "This address accepts only requests of Benchwright's own pages: use the app in a browser.", 403
            )
        raw = bytearray()
        async for piece in request.stream():
            raw += piece
            if len(raw) > LONGEST_BODY:
                return respond_error("The request has more text than one item can hold: shorten the text.", 413)
        return await run_in_threadpool(act_as_person, model, act, bytes(raw))

    return answer_errors(answer)


def act_as_person(model: type[B], act: Callable[[B], Response], raw: bytes) -> Response:
    """Run a route's function for the person who signed in or, on a server without sign-in, for the person whom the body names.
    A name that is not valid is reported before any other error."""
    person = resolve_person(read_body(Body, raw).person)
    if len(person) > MAX_NAME_CHARACTERS:
        raise BenchError(f"A name has at most {MAX_NAME_CHARACTERS} characters: give a shorter one.")
    actor.set_name(person)
    return act(read_body(model, raw).model_copy(update={"person": person}))


async def document(request: Request) -> Response:
    """Respond with a document. A browser may cache it forever, because documents never change."""
    id_ = request.path_params["id"]
    headers = {"etag": f'"{id_}"', "cache-control": FOR_EVER}
    if headers["etag"] in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)

    def load() -> Response:
        found = open_workbench().reviews.document(id_)
        record = {name: getattr(found, name) for name in ("id", "title", "language", "domain", "text")}
        return JSONResponse(record, headers=headers)

    try:
        return await run_in_threadpool(load)
    except BenchError as error:
        return respond_error(str(error), 404)


async def sentences(request: Request) -> Response:
    """Respond with the positions of a document's sentences. The positions have a route of their own, because computing them
    takes longer than loading the document."""
    id_ = request.path_params["id"]

    def load() -> Response:
        return JSONResponse({"sentences": open_workbench().reviews.sentences(id_)}, headers={"cache-control": FOR_EVER})

    return await run_in_threadpool(load)


async def claims(request: Request) -> Response:
    """Respond with the claims in the revision of the item that the person sees."""
    revision = request.query_params.get("revision", "1")
    if not NUMBER.fullmatch(revision):
        raise refuse_field("revision")
    person = resolve_person(request.query_params.get("person", ""))
    found = await run_in_threadpool(lambda: open_workbench().reviews.claims(request.path_params["item"], int(revision), person))
    return JSONResponse({"claims": as_json(found)})


async def history(request: Request) -> Response:
    """Respond with the revisions of an item and the decisions on the item, as far as the person may see them."""
    person = resolve_person(request.query_params.get("person", ""))
    found = await run_in_threadpool(lambda: open_workbench().reviews.history(request.path_params["item"], person))
    return JSONResponse(as_json(found))


def store_unsent_edit(body: ScratchBody) -> Response:
    """Store what a person has typed at the desk. The text may have any length; a decision checks the text more strictly. If the
    item is reserved for another person, `held` in the response names that person. Responds with status 409 and the other text
    if this person has typed in another tab."""
    reviews = open_workbench().reviews
    typed = UnsentEdit(
        body.person,
        body.item,
        body.revision,
        body.question,
        body.answer,
        body.spans,
        body.seconds,
        tab=body.tab,
        label_answers=body.label_answers or {},
    )

    def keep() -> dict[str, Any]:
        kept = reviews.keep(typed, since=body.since, key=body.key)
        return {"saved_at": kept.at, "held": as_json(reviews.holds.find_other(kept.item, kept.person))}

    return respond_kept(keep)


def keep_box(body: TypedBody, keep: Callable[..., str]) -> Response:
    """Store what a person typed in a text box beside the item, as `store_unsent_edit` does; the function `keep` stores it."""
    words = body.person, body.item, body.revision, body.question
    return respond_kept(lambda: {"saved_at": keep(*words, tab=body.tab, since=body.since)})


def respond_kept(keep: Callable[[], dict[str, Any]]) -> Response:
    """Store typed text with `keep` and respond with its result, or with status 409 and the other text if this person has typed
    in another tab."""
    try:
        return JSONResponse({"ok": True, **keep()})
    except EditedElsewhere as elsewhere:
        other = elsewhere.theirs
        theirs = {
            "revision": other.revision,
            "question": other.question,
            "answers": [other.answer],
            "evidence": as_json(other.evidence),
            "saved_at": other.at,
            LABEL_ANSWERS: dict(other.label_answers),
        }
        return JSONResponse({"ok": False, "kind": "elsewhere", "message": str(elsewhere), "theirs": theirs}, 409)


def decide(body: DecisionBody) -> Response:
    """Store a person's decision on an item or, if several people review the item, the person's opinion. If the body has
    `onward`, the response also has the next item, as the response of `step` does."""
    return respond_decision(
        lambda: open_workbench().reviews.settle(decision_request(body)),
        lambda result: {} if result.feedback else go_on(body, result.next_item),
    )


def go_on(body: DecisionBody | SkipBody, claimed: str | None = None) -> dict[str, Any]:
    """Return a dict with the response field for the next item, or {} if the request does not ask for the next item. `claimed`
    has the same meaning as in `DeskVisits.step`."""
    if (onward := body.onward) is None:
        return {}
    step = DeskStep(*onward.place(body), kind=ItemKind(**onward.kind.model_dump()))
    return bring_next(lambda: open_workbench().desk_visits.step(step, claimed))


def bring_next(step: Callable[[], object]) -> dict[str, Any]:
    """Return a dict with the response field for the next item. If the step to the next item fails, return {}, because the
    decision before the step is already stored; the desk then requests the step alone and shows the error."""
    try:
        return {"desk": as_json(step())}
    except BenchError:
        return {}


def decision_request(body: DecisionBody) -> DecisionRequest:
    """Convert the body of a request to a DecisionRequest."""
    return DecisionRequest(
        key=body.key,
        person=body.person,
        item=body.item,
        revision=body.revision,
        decision=body.decision,
        question=body.question,
        answer=body.answer,
        evidence=body.spans,
        reason=body.reason,
        comment=body.comment,
        claims=tuple(body.claims),
        labels=body.labels,
        label_answers=body.label_answers,
        seconds=body.seconds,
        seen=body.status,  # type: ignore[arg-type]  # any other word counts as a changed status
        guideline=body.guideline,
        tab=body.tab,
        onward=ItemKind(**body.onward.kind.model_dump()) if body.onward else None,
    )


def respond_decision(
    settle: Callable[[], DecisionResult], go_on: Callable[[DecisionResult], dict[str, Any]] = lambda result: {}
) -> Response:
    """Store a decision with `settle` and respond with its result and the fields that `go_on` adds. If the item has changed in
    the meantime, responds with 409 and the other person's text; if the item is reserved for another person, with 409 and that
    person. `taken_by` then names the person who decided on the item or for whom it is reserved, and the desk continues with the
    next item."""
    try:
        found = settle()
    except ReviewConflict as conflict:
        item = conflict.theirs
        theirs = {
            "revision": item.revision,
            "status": item.status,
            "question": item.question,
            "answers": list(item.answers),
            "evidence": as_json(item.evidence),
            "taxonomy": as_json(list_taxonomy(item)),
            "by": conflict.by,
        }
        taken = {"theirs": theirs, "taken_by": conflict.decided_by}
        return JSONResponse({"ok": False, "kind": "conflict", "message": str(conflict)} | taken, 409)
    except HeldByOther as held:
        taken = {"held": as_json(Holder.from_lease(held.lease)), "taken_by": held.lease.person}
        return JSONResponse({"ok": False, "kind": "held", "message": str(held)} | taken, 409)
    item = as_json(describe_item(found.item))
    feedback = {"feedback": as_json(found.feedback)} if found.feedback else {}
    return JSONResponse({"ok": True, "item": item, "repeat": found.is_repeat, "told": found.told} | feedback | go_on(found))


def undo(body: UndoBody) -> Response:
    """Undo the person's last decision. If the body names an item, undo the decision only if it is on this item."""
    return JSONResponse({"ok": True, "item": open_workbench().reviews.undo(body.person, body.key, body.item or None)})


def skip(body: SkipBody) -> Response:
    """Skip an item, with a reason. If the body has `onward`, the response also has the next item."""
    open_workbench().reviews.skips.skip(body.item, body.person, key=body.key, revision=body.revision, reason=body.reason)
    return JSONResponse({"ok": True, **go_on(body)})


def step(body: StepBody) -> Response:
    """Reserve the item to which the pressed button leads, and respond with all its data for the desk. The data is null if the
    page itself must show what comes next."""
    kind = ItemKind(**body.kind.model_dump())
    return JSONResponse({"ok": True, "desk": as_json(open_workbench().desk_visits.step(DeskStep(*body.place, kind)))})


def find_ahead(body: AheadBody) -> Response:
    """Respond with the id of the next item's document, so that the desk can load it in advance; null = there is no such
    document."""
    kind, visits = ItemKind(**body.kind.model_dump()), open_workbench().desk_visits
    return JSONResponse({"ok": True, "document": visits.find_document_ahead(kind, body.person, body.item)})


def hold(body: ItemBody) -> Response:
    """Reserve the item for this person, or renew their reservation. If the item is reserved for another person, `held` in the
    response names that person."""
    return JSONResponse({"ok": True, "held": as_json(open_workbench().reviews.holds.hold(body.item, body.person))})


def take(body: ItemBody) -> Response:
    """Reserve the item for this person, even if it is reserved for somebody else."""
    open_workbench().reviews.holds.take_over(body.item, body.person)
    return JSONResponse({"ok": True})


def respond_error(message: str, status: int = 422) -> JSONResponse:
    return JSONResponse({"ok": False, "message": message}, status)


ROUTES = [
    Route("/bench/document/{id:path}", document),
    Route("/bench/sentences/{id:path}", answer_errors(sentences)),
    Route("/bench/claims/{item:path}", answer_errors(claims)),
    Route("/bench/history/{item:path}", answer_errors(history)),
    Route("/bench/scratch", route_post(ScratchBody, store_unsent_edit), methods=["POST"]),
    Route("/bench/decide", route_post(DecisionBody, decide), methods=["POST"]),
    Route("/bench/undo", route_post(UndoBody, undo), methods=["POST"]),
    Route("/bench/skip", route_post(SkipBody, skip), methods=["POST"]),
    Route("/bench/next", route_post(StepBody, step), methods=["POST"]),
    Route("/bench/ahead", route_post(AheadBody, find_ahead), methods=["POST"]),
    Route("/bench/hold", route_post(ItemBody, hold), methods=["POST"]),
    Route("/bench/take", route_post(ItemBody, take), methods=["POST"]),
]
