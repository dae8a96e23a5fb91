"""The routes of the variants page: scratch, decisions and undo to store, a variant to hold, and words on a sample. They take
what a page of ours posts, and answer trouble in one sentence, as the desk's do."""

from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from serving.desk import Body, kept_or_elsewhere, posted, seconds, since, text, unread, whole
from workbench import opened
from workbench.annotate.variant_quality import Word
from workbench.annotate.variants import Overtaken, VariantPress


def scratch(body: Body) -> Response:
    """What is typed is kept whatever its length."""
    words = text(body, "person"), text(body, "item"), whole(body, "revision"), text(body, "question"), seconds(body)
    comment, tab, key = (text(body, name, "") for name in ("answer", "tab", "key"))
    return kept_or_elsewhere(
        lambda: opened().variants.keep(*words, comment=comment, tab=tab, since=since(body), key=key))


def decide(body: Body) -> Response:
    """A decision; 409 when somebody was faster."""
    press = VariantPress(
        key=text(body, "key"), person=text(body, "person"), variant=text(body, "item"),
        decision=text(body, "decision"), seen=text(body, "status"),  # type: ignore[arg-type]  # the workbench refuses others
        text=text(body, "text"), applied=answer(body, "applied"), kept=answer(body, "kept"), reason=text(body, "reason", ""),
        comment=text(body, "comment", ""), seconds=seconds(body), tab=text(body, "tab", ""),
    )  # fmt: skip
    try:
        return JSONResponse({"ok": True, **opened().variants.settle(press)})
    except Overtaken as error:
        return JSONResponse({"ok": False, "kind": "changed", "message": str(error)}, 409)


def undo(body: Body) -> Response:
    """The person's last decision, or last word on a sample, taken back; tells the variant."""
    person, key, sample = text(body, "person"), text(body, "key"), text(body, "sample", "")
    if sample:
        return JSONResponse({"ok": True, "item": opened().variant_quality.undo(sample, person, key)})
    return JSONResponse({"ok": True, "item": opened().variants.undo(person, key, text(body, "item", "") or None)})


def hold(body: Body) -> Response:
    """A sign of life; `held` tells who else has the variant."""
    return JSONResponse({"ok": True, "held": opened().variants.hold(text(body, "item"), text(body, "person"))})


def judge(body: Body) -> Response:
    """A word on a variant of a sample."""
    word = Word(text(body, "key"), text(body, "person"), text(body, "sample"), text(body, "item"), answer(body, "applied"),
                answer(body, "kept"), text(body, "comment", ""), seconds(body))  # fmt: skip
    return JSONResponse({"ok": True, "repeat": opened().variant_quality.judge(word)})


def answer(body: Body, name: str) -> bool | None:
    """Yes, no, or not said."""
    value = body.get(name)
    if value is not None and not isinstance(value, bool):
        raise unread(name)
    return value


ROUTES = [
    Route("/bench/variant/scratch", posted(scratch), methods=["POST"]),
    Route("/bench/variant/decide", posted(decide), methods=["POST"]),
    Route("/bench/variant/undo", posted(undo), methods=["POST"]),
    Route("/bench/variant/hold", posted(hold), methods=["POST"]),
    Route("/bench/variant/judge", posted(judge), methods=["POST"]),
]
