"""The desk's routes: they read documents and claims, store unsubmitted text, decisions and undo, and hold items. A POST must
come from a page of ours: it has a header that pages of other sites cannot send. Every error is one sentence.

No token of the session guards a POST besides: the header makes it one that a browser first asks permission for, which is never
given; Hosts refuses another Origin; and the cookie of a session is SameSite=Lax. A page elsewhere passes none of the three."""

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
from workbench.annotate.desk.desk_data import Holder, describe_item, list_taxonomy
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
"""Maximum size of a request's body in bytes."""
FOR_EVER = "private, max-age=31536000, immutable"

NUMBER = re.compile("[0-9]{1,9}")
Answer = Callable[[Request], Awaitable[Response]]


def answer_errors(route: Answer) -> Answer:
    """Wrap the route so that a BenchError becomes a sentence: status 403 if the person lacks the permission, else 422."""

    async def answer(request: Request) -> Response:
        try:
            return await route(request)
        except BenchError as error:
            return respond_error(str(error), 403 if isinstance(error, NotAllowed) else 422)

    return answer


def route_post(model: type[B], act: Callable[[B], Response]) -> Answer:
    """Return a route that runs `act` on the body of a POST in a thread: 403 if the request is not from our pages, 413 if the
    body is too long."""

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
    """Handle the body as the signed-in person, or as the person whom the body names; an invalid name is reported before other
    errors."""
    person = resolve_person(read_body(Body, raw).person)
    if len(person) > MAX_NAME_CHARACTERS:
        raise BenchError(f"A name has at most {MAX_NAME_CHARACTERS} characters: give a shorter one.")
    actor.set_name(person)
    return act(read_body(model, raw).model_copy(update={"person": person}))


async def document(request: Request) -> Response:
    """Respond with a document, which a browser may cache forever, because documents never change."""
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
    """Respond with the positions of a document's sentences, separately from its text, because the positions take longer to
    compute."""
    id_ = request.path_params["id"]

    def load() -> Response:
        return JSONResponse({"sentences": open_workbench().reviews.sentences(id_)}, headers={"cache-control": FOR_EVER})

    return await run_in_threadpool(load)


async def claims(request: Request) -> Response:
    """Respond with the claims of the revision on the screen."""
    revision = request.query_params.get("revision", "1")
    if not NUMBER.fullmatch(revision):
        raise refuse_field("revision")
    person = resolve_person(request.query_params.get("person", ""))
    found = await run_in_threadpool(lambda: open_workbench().reviews.claims(request.path_params["item"], int(revision), person))
    return JSONResponse({"claims": as_json(found)})


async def history(request: Request) -> Response:
    """Respond with the revisions and decisions that the person may see."""
    person = resolve_person(request.query_params.get("person", ""))
    found = await run_in_threadpool(lambda: open_workbench().reviews.history(request.path_params["item"], person))
    return JSONResponse(as_json(found))


def scratch(body: ScratchBody) -> Response:
    """Store the typed text, of any length; a decision on the text is checked more strictly. `held` names another person who
    holds the item. Status 409 with the other text when this person typed in another tab."""
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
    """Store the typed text of a box beside the item, as `scratch` does; `keep` is the verb that stores the text."""
    words = body.person, body.item, body.revision, body.question
    return respond_kept(lambda: {"saved_at": keep(*words, tab=body.tab, since=body.since)})


def respond_kept(keep: Callable[[], dict[str, Any]]) -> Response:
    """Respond with the result of storing typed text; 409 with the other text when this person typed in another tab."""
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
    """Store a decision, or an opinion; with `onward` the response holds the next item too, as that of `step` does."""
    return respond_decision(
        lambda: open_workbench().reviews.settle(decision_request(body)),
        lambda result: {} if result.feedback else go_on(body, result.next_item),
    )


def go_on(body: DecisionBody | SkipBody, claimed: str | None = None) -> dict[str, Any]:
    """Return the field of a response that holds the next item, when the request asks for it; `claimed` as in
    `DeskVisits.step`."""
    if (onward := body.onward) is None:
        return {}
    step = DeskStep(*onward.place(body), kind=ItemKind(**onward.kind.model_dump()))
    return bring_next(lambda: open_workbench().desk_visits.step(step, claimed))


def bring_next(step: Callable[[], object]) -> dict[str, Any]:
    """Return the field of a response that holds the sheet to which the step leads; nothing when the step fails, because the
    decision before it is stored: the sheet then asks for the step alone, and tells what is wrong."""
    try:
        return {"desk": as_json(step())}
    except BenchError:
        return {}


def decision_request(body: DecisionBody) -> DecisionRequest:
    """Convert the request body to a decision request."""
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
    """Respond to a decision, with the fields that `go_on` adds; 409 with the other person's text when the item changed first,
    or with its holder. `taken_by` then names the other person who decided on the item or holds it, and the desk goes on."""
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
    """Take back the person's last decision; with `item` only if the decision is on that item."""
    return JSONResponse({"ok": True, "item": open_workbench().reviews.undo(body.person, body.key, body.item or None)})


def skip(body: SkipBody) -> Response:
    """Skip the item, with a reason; with `onward` the response holds the next item too."""
    open_workbench().reviews.skips.skip(body.item, body.person, key=body.key, revision=body.revision, reason=body.reason)
    return JSONResponse({"ok": True, **go_on(body)})


def step(body: StepBody) -> Response:
    """Respond with the item that a press leads to, held, with all data for the desk; null when the page has to show the next
    step."""
    kind = ItemKind(**body.kind.model_dump())
    return JSONResponse({"ok": True, "desk": as_json(open_workbench().desk_visits.step(DeskStep(*body.place, kind)))})


def find_ahead(body: AheadBody) -> Response:
    """Respond with the document of the item that comes next, which the desk loads before the item comes; null = none."""
    kind, visits = ItemKind(**body.kind.model_dump()), open_workbench().desk_visits
    return JSONResponse({"ok": True, "document": visits.find_document_ahead(kind, body.person, body.item)})


def hold(body: ItemBody) -> Response:
    """Keep the item held for this person. `held` names another person who holds the item."""
    return JSONResponse({"ok": True, "held": as_json(open_workbench().reviews.holds.hold(body.item, body.person))})


def take(body: ItemBody) -> Response:
    """Give the item to this person, even if somebody else holds it."""
    open_workbench().reviews.holds.take_over(body.item, body.person)
    return JSONResponse({"ok": True})


def respond_error(message: str, status: int = 422) -> JSONResponse:
    return JSONResponse({"ok": False, "message": message}, status)


ROUTES = [
    Route("/bench/document/{id:path}", document),
    Route("/bench/sentences/{id:path}", answer_errors(sentences)),
    Route("/bench/claims/{item:path}", answer_errors(claims)),
    Route("/bench/history/{item:path}", answer_errors(history)),
    Route("/bench/scratch", route_post(ScratchBody, scratch), methods=["POST"]),
    Route("/bench/decide", route_post(DecisionBody, decide), methods=["POST"]),
    Route("/bench/undo", route_post(UndoBody, undo), methods=["POST"]),
    Route("/bench/skip", route_post(SkipBody, skip), methods=["POST"]),
    Route("/bench/next", route_post(StepBody, step), methods=["POST"]),
    Route("/bench/ahead", route_post(AheadBody, find_ahead), methods=["POST"]),
    Route("/bench/hold", route_post(ItemBody, hold), methods=["POST"]),
    Route("/bench/take", route_post(ItemBody, take), methods=["POST"]),
]
