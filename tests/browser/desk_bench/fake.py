"""What the desk's test app serves: a few items on made-up documents, the desk's routes over them, and a tap by which a test
tells the routes how to fail and reads what arrived."""

import asyncio
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from core.as_json import as_json
from workbench.annotate.desk.desk_data import DeskVisit
from workbench.annotate.reviewing.desk_visits import DeskVisits

SMILE = "\U0001f600"
HOSTILE = (
    "<img src=x onerror=\"document.title='broken'\"> costs $5 or $10, [x](javascript:alert(1)) and :red[this].\n"
    "An override \u202eright to left\u202c ends here, and zero\u200bwidth. "
    "\U0001f468\u200d\U0001f469\u200d\U0001f467 stay one family.\n"
    "<script>document.title='broken'</script> & &amp; \\n `code` **bold** \u05e9\u05dc\u05d5\u05dd."
)
LAKE = (
    "Lake Orme lies at 412 metres. Its water is clear.\n\n"
    f"Party {SMILE}{SMILE} at the {chr(0x20BB7)} inn. The ferry crosses it four times a day. In winter it does not run.\n"
    + "\n".join(f"Chronicle entry {n} speaks of calm water. Nothing else is told of that year." for n in range(1, 41))
    + "\nThe ferry was built in 1911 by two brothers."
)
DOCUMENTS: dict[str, dict[str, Any]] = {
    "lake": {"title": "The lake", "text": LAKE},
    "hostile": {"title": "<b>Hostile</b>", "text": HOSTILE},
}


def sentences(text: str) -> list[list[int]]:
    """Whatever ends in a full stop, or with its line."""
    found, start = [], 0
    for end in range(1, len(text) + 1):
        if text[end - 1] == "\n" or end == len(text) or text[end - 1 : end + 1] == ". ":
            stop = end - (text[end - 1] == "\n")
            while start < stop and text[start].isspace():
                start += 1
            if stop > start:
                found.append([start, stop])
            start = end
    return found


def span(document: str, words: str) -> dict[str, Any]:
    start = DOCUMENTS[document]["text"].index(words)
    return {"document": document, "start": start, "end": start + len(words)}


def item(n: int, **changes: Any) -> dict[str, Any]:
    base = {
        "id": f"item{n}",
        "revision": 1,
        "status": "drafted",
        "task": "explicit_factoid",
        "task_label": "Explicit factoid",
        "level": 1,
        "definition": "Ask for one fact that stands in one sentence.",
        "domain": "travel",
        "language": "en",
        "question": f"How often does the ferry cross Lake Orme, asked for the time {n}?",
        "answers": ["Four times a day.", "4"],
        "evidence": [span("lake", "The ferry crosses it four times a day.")],
        "is_frame": False,
        "labels": {},
    }
    return {**base, **changes}


class Bench:
    """The state of the test app; `reset` begins a test."""

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        self.items = {one["id"]: one for one in (item(n) for n in range(1, 13))}
        self.items["item2"].update(question=HOSTILE, answers=[HOSTILE], evidence=[span("hostile", "costs $5")])
        self.items["item3"].update(is_frame=True, answers=["A frame"], task_label="Implicit rationale", level=4)
        long = "Lake Orme lies at 412 metres. The ferry was built in 1912. It crosses four times a day."
        self.items["item4"].update(
            answers=[long],
            evidence=[
                span("lake", "Lake Orme lies at 412 metres."),
                span("lake", "The ferry crosses it four times a day."),
                span("lake", "The ferry was built in 1911 by two brothers."),
            ],
        )
        self.items["item7"]["taxonomy"] = [
            {
                "name": "question_type",
                "title": "Question type",
                "value": "simple",
                "values": [
                    {"value": "simple", "shown": "simple", "about": "Asks for one fact."},
                    {"value": "multi-hop", "shown": "multi-hop", "about": HOSTILE},
                ],
            },
            {
                "name": "popularity",
                "title": "Popularity",
                "value": "",
                "values": [
                    {"value": "head", "shown": "head", "about": "Popular."},
                    {"value": "", "shown": "web", "about": "Of the web."},
                ],
            },
        ]
        self.items["item8"]["label_questions"] = [
            {
                "name": name,
                "text": asked,
                "kind": kind,
                "choices": choices,
                "top": top,
                "required": name == "tone",
                "tasks": [],
                "retired": False,
            }
            for name, asked, kind, choices, top in (
                ("tone", HOSTILE[:60], "one", ["dry", "warm"], 0),
                ("topics", "Which topics?", "several", ["law", "art", "tech"], 0),
                ("clarity", "How clear is it?", "rating", [], 5),
                ("remark", "Anything else?", "text", [], 0),
            )
        ]
        self.scratch: dict[str, dict[str, Any]] = {}
        self.decided: list[dict[str, Any]] = []
        self.keys: set[str] = set()
        self.said: dict[str, list[dict[str, Any]]] = {}
        self.posts: list[dict[str, Any]] = []
        self.undone = 0
        self.fail = 0
        self.holds: bool | str = False
        """True, or the path of the requests that wait."""
        self.conflict: dict[str, Any] | None = None
        self.taken: dict[str, str] = {}
        """Other people who took items over, by item."""
        self.message = ""
        self.runs = 0  # of the script
        self.visits = DeskVisits(None, None, None)  # type: ignore[arg-type]  # it only remembers
        DOCUMENTS.pop("large", None)

    def data(self, number: int, person: str, visit: DeskVisit) -> dict[str, Any]:
        """What the desk shows of that item."""
        shown = self.items[f"item{number}"]
        last = self.decided[-1] if self.decided else None
        own = shown["evidence"][0]["document"] if shown["evidence"] else "lake"
        first = shown["answers"] if number in (2, 3, 4) else ["Four times a day."]
        return {
            "person": person,
            "item": dict(shown),
            "machine": {
                "question": item(number)["question"] if number != 2 else HOSTILE,
                "answers": first,
                "evidence": shown["evidence"],
                "agent": "recorded",
                "prompt": "draft/explicit_factoid.en@0",
                "origin": "drafted",
            },
            "documents": [
                {"id": key, "title": one["title"], "characters": len(one["text"])}
                for key, one in DOCUMENTS.items()
                if key == own or number == 4
            ],
            "verdicts": [
                {"gate": "evidence", "outcome": "pass", "why": ""},
                {"gate": "figures", "outcome": "pass", "why": ""},
                {"gate": "self_contained", "outcome": "flag", "why": "The question says it without naming what."},
            ],
            "rag": {
                "recall": 0.8333,
                "precision": 1.0,
                "f1": 0.909,
                "judge": 7,
                "multi_choice": None,
                "answer": "The ferry crosses four times a day.",
                "stale": False,
                "offline": True,
            },
            "steps": [{"kind": "source_item", "text": "What crosses Lake Orme?"}] if number == 4 else [],
            "claims": [],
            "scratch": self.scratch.get(f"{person}:{shown['id']}"),
            "history": [{"revision": shown["revision"], "by": "", "at": "2026-11-20T20:00:00Z"}],
            "label_questions": shown.get("label_questions", []),
            "reasons": ["not in the text", "unclear", "too easy", "duplicate"],
            "skip_reasons": ["I do not know the subject", "hard to read"],
            "position": {
                "left": 12 - number,
                "has_back": number > 1,
                "undo": {"item": last["item"], "question": last["question"]} if last else None,
            },
            "show_next": True,
            "visit": as_json(visit),
            "comments": {
                "thread": self.said.get(shown["id"], []),
                "scratch": self.scratch.get(f"comment:{person}:{shown['id']}"),
            },
        }


BENCH = Bench()


async def document(request: Request) -> Response:
    found = DOCUMENTS.get(request.path_params["id"])
    if not found:
        return JSONResponse({"ok": False, "message": "No such document."}, status_code=404)
    text = found["text"]
    told = {"id": request.path_params["id"], "title": found["title"], "language": "en", "domain": "travel", "text": text}
    return JSONResponse(told, headers={"cache-control": "no-store"})


async def numbers(request: Request) -> Response:
    found = DOCUMENTS[request.path_params["id"]]
    return JSONResponse({"sentences": found.get("sentences") or sentences(found["text"])})


async def claims(request: Request) -> Response:
    shown = BENCH.items[request.path_params["item"]]
    rows = [
        {
            "claim": words if words.endswith(".") else f"{words}.",
            "evidence": shown["evidence"][n : n + 1],
            "candidates": [span("lake", "Its water is clear."), span("lake", "In winter it does not run.")],
            "figures_not_found": ["1912"] if "1912" in words else [],
        }
        for n, words in enumerate(shown["answers"][0].split(". "))
    ]
    return JSONResponse({"claims": rows})


async def arrived(request: Request) -> dict[str, Any]:
    """The body of a POST, noted; a test may have asked for it to be held or to fail."""
    body = await request.json()
    assert request.headers["x-benchwright"] == "desk"
    path = request.url.path.rsplit("/", 1)[-1]
    BENCH.posts.append({"path": path, **body})
    while BENCH.holds in (True, path):
        await asyncio.sleep(0.02)
    return dict(body)


async def scratch(request: Request) -> Response:
    body = await arrived(request)
    if BENCH.fail:
        BENCH.fail -= 1
        return JSONResponse({"ok": False}, status_code=503)
    at = "2026-11-20T12:04:31+00:00"
    BENCH.scratch[f"{body['person']}:{body['item']}"] = {**body, "saved_at": at}
    return JSONResponse({"ok": True, "saved_at": at})


async def decide(request: Request) -> Response:
    body = await arrived(request)
    if BENCH.fail:
        BENCH.fail -= 1
        return JSONResponse({"ok": False}, status_code=503)
    if BENCH.message:
        message, BENCH.message = BENCH.message, ""
        return JSONResponse({"ok": False, "message": message}, status_code=422)
    if BENCH.conflict and body["revision"] != BENCH.conflict["revision"]:
        told = {"ok": False, "kind": "conflict", "message": "Bo changed this item.", "theirs": BENCH.conflict}
        return JSONResponse(told, status_code=409)
    if BENCH.taken.get(body["item"]):
        told = {"ok": False, "kind": "held", "message": "It was taken over.", "taken_by": BENCH.taken[body["item"]]}
        return JSONResponse(told, status_code=409)
    repeat = body["key"] in BENCH.keys
    if not repeat:
        BENCH.keys.add(body["key"])
        BENCH.decided.append(body)
        BENCH.scratch.pop(f"{body['person']}:{body['item']}", None)
        shown = BENCH.items[body["item"]]
        shown["status"] = "accepted" if body["decision"] == "accept" else "discarded"
    return JSONResponse({"ok": True, "item": BENCH.items[body["item"]], "repeat": repeat})


async def comment_scratch(request: Request) -> Response:
    body = await arrived(request)
    at = "2026-11-20T12:04:31+00:00"
    BENCH.scratch[f"comment:{body['person']}:{body['item']}"] = {**body, "saved_at": at}
    return JSONResponse({"ok": True, "saved_at": at})


async def comment(request: Request) -> Response:
    body = await arrived(request)
    thread = BENCH.said.setdefault(body["item"], [])
    thread.append(
        {
            "id": body["key"],
            "person": body["person"],
            "text": body["text"].strip(),
            "at": "2026-11-20T12:04:31+00:00",
            "taken_back": False,
        }
    )
    BENCH.scratch.pop(f"comment:{body['person']}:{body['item']}", None)
    return JSONResponse({"ok": True, "thread": thread})


async def skip(request: Request) -> Response:
    await arrived(request)
    return JSONResponse({"ok": True})


async def take_back(request: Request) -> Response:
    body = await arrived(request)
    [thread] = [one for one in BENCH.said.values() if any(said["id"] == body["comment"] for said in one)]
    for said in thread:
        said["taken_back"] |= said["id"] == body["comment"]
    return JSONResponse({"ok": True, "thread": thread})


async def step(request: Request) -> Response:
    """The item that a press leads to; the same key again is the same step."""
    body = await arrived(request)
    if BENCH.fail:
        BENCH.fail -= 1
        return JSONResponse({"ok": False}, status_code=503)
    visit = BENCH.visits.find(body["tab"])
    if visit is None or visit.key != body["key"]:
        here = int(body["item"].removeprefix("item"))
        target = body["target"] or f"item{here + {'next': 1, 'back': -1}.get(body['to'], 0)}"
        visit = BENCH.visits.put(body["person"], body["tab"], target, key=body["key"], after=body["number"])
    number = int(visit.item.removeprefix("item"))
    shown = DeskVisit(body["tab"], visit.number, {})
    return JSONResponse({"ok": True, "desk": BENCH.data(number, body["person"], shown) if number <= 12 else None})


async def undo(request: Request) -> Response:
    await arrived(request)
    if not BENCH.decided:
        return JSONResponse({"ok": False, "message": "There is no decision to take back."}, status_code=422)
    gone = BENCH.decided.pop()
    BENCH.undone += 1
    BENCH.items[gone["item"]]["status"] = "drafted"
    return JSONResponse({"ok": True, "item": gone["item"]})


async def tap(request: Request) -> Response:
    """POST sets fields of the bench (with `reset` it begins anew); the answer is what it knows."""
    if request.method == "POST":
        wanted = await request.json()
        if wanted.pop("reset", False):
            BENCH.reset()
        if size := wanted.pop("large", 0):
            line = "The chronicle of the lake goes on and on, year after year, with ferries and calm water. It says no more.\n"
            text = line * (size // len(line)) + "The end is here."
            DOCUMENTS["large"] = {"title": "A large one", "text": text, "sentences": sentences(text)}
            BENCH.items["item5"]["evidence"] = [span("large", "The end is here.")]
        for name, value in wanted.items():
            setattr(BENCH, name, value)
    names = ("decided", "scratch", "posts", "undone", "runs")
    return JSONResponse({name: getattr(BENCH, name) for name in names})


ROUTES = [
    Route("/bench/document/{id}", document),
    Route("/bench/sentences/{id}", numbers),
    Route("/bench/claims/{item}", claims),
    Route("/bench/scratch", scratch, methods=["POST"]),
    Route("/bench/decide", decide, methods=["POST"]),
    Route("/bench/comment", comment, methods=["POST"]),
    Route("/bench/comment/back", take_back, methods=["POST"]),
    Route("/bench/skip", skip, methods=["POST"]),
    Route("/bench/next", step, methods=["POST"]),
    Route("/bench/comment/scratch", comment_scratch, methods=["POST"]),
    Route("/bench/undo", undo, methods=["POST"]),
    Route("/bench/tap", tap, methods=["GET", "POST"]),
]
