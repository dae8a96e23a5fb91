"""Pairs of a trial as people meet them: two drafts of one window side by side, in an order that the trial's seed settles.
Nothing that is shown tells which side made which."""

import math
import threading
import time
from collections.abc import Mapping, Sequence
from typing import Any

from core.errors import BenchError
from core.nouns import Item, Span
from core.records import item_from_record
from store.drafting import trials
from store.drafting.trials import SIDES, PairOpinion, Side, Trial, TrialPair
from store.engine.database import Database
from workbench.annotate.desk.pressing import LONGEST, check_acceptable, first_answer, frame_words, reworded
from workbench.annotate.desk.reading import DocumentCache
from workbench.annotate.desk.reasons import reasons
from workbench.roles import act

HELD = 900.0
"""Seconds that a pair is one person's after it was shown to them."""
SENTENCES = 400
"""Of a window's text beside a pair."""
PREFERENCES = ("left", "right", "same", "")


class TrialDesk:
    """Verbs on pairs."""

    def __init__(self, database: Database) -> None:
        self._db, self._reading = database, DocumentCache(database)
        self._lock = threading.Lock()
        self._holds: dict[str, tuple[str, float]] = {}

    @act("decide on items", is_logged=False)
    def next(self, trial: str, person: str, after: str = "") -> str | None:
        """The next pair behind that one, round again at the end, that nobody decided on and nobody else looks at; None when
        there is none. It is this person's for a while. Raises BenchError when there is no such trial."""
        done, every = trials.answers(self._db, trial_of(self._db, trial).id), self._shown(trial)
        keys = [pair.key for pair in every]
        start = keys.index(after) + 1 if after in keys else 0
        with self._lock:
            now = time.monotonic()
            for key in [*keys[start:], *keys[:start]]:
                holder, until = self._holds.get(key, ("", 0.0))
                if key not in done and key != after and (holder in ("", person) or until < now):
                    self._holds[key] = (person, now + HELD)
                    return key
        return after if after in keys and after not in done else None

    @act("decide on items", is_logged=False)
    def pair(self, trial: str, pair: str, person: str) -> dict[str, Any]:
        """What the screen shows of a pair: {"pair", "number", "of", "decided", "text": sentences, "left", "right": a draft or
        None, "reasons", "standing": this person's answer as the screen gives it, or None}. It does not tell whose they are.
        Raises BenchError when there is no such pair."""
        every, found = self._shown(trial), self._pair(trial, pair)
        answers = trials.answers(self._db, trial)
        standing = answers.get(pair)
        sides = (found.first, _other(found.first))
        drafts = [_item(found, side) for side in sides]
        shown: Item = next(item for item in drafts if item is not None)
        own = standing if standing and standing.person == person else None
        return {
            "pair": pair,
            "number": [one.key for one in every].index(pair) + 1,
            "of": len(every),
            "decided": len(answers),
            "language": found.language,
            "text": self._text(found, drafts),
            "reasons": reasons(self._db, shown),
            "by": standing.person if standing and own is None else "",
            "left": drafts[0] and self._draft(drafts[0]),
            "right": drafts[1] and self._draft(drafts[1]),
            "standing": None
            if own is None
            else {
                "preference": _place(own.preference, found.first),
                **{place: (own.decisions or {}).get(side) for place, side in zip(("left", "right"), sides, strict=True)},
            },
        }

    @act("decide on items", "pair", is_logged=False)
    def decide(
        self,
        trial: str,
        pair: str,
        person: str,
        key: str,
        *,
        left: Mapping[str, Any] | None,
        right: Mapping[str, Any] | None,
        preference: str = "",
        seconds: float | None = None,
    ) -> None:
        """Store what a person thinks of a pair: of each draft {"decision": accept or discard, "question", "answer",
        "reason"}. The same key again is the same answer. Raises BenchError when a draft is not decided on, nobody signs,
        somebody else was faster, or the trial is closed."""
        found = self._open_pair(trial, pair, person)
        if preference not in PREFERENCES:
            raise BenchError(f"{preference!r} is no preference: give left, right, same, or none.")
        if seconds is not None and not (math.isfinite(seconds) and seconds >= 0):
            raise BenchError("The active time is no number of seconds: load the page again.")
        given = {found.first: left, _other(found.first): right}
        drafts = {side: _item(found, side) for side in SIDES}
        decisions: dict[str, Mapping[str, Any]] = {
            side: _checked(item, given[side]) for side, item in drafts.items() if item is not None
        }
        side = {"left": found.first, "right": _other(found.first), "same": "same", "": ""}[preference]
        if side and len(decisions) < 2:
            raise BenchError("There is one draft alone: nothing can be preferred.")
        if not trials.answer(self._db, PairOpinion(key, pair, person, decisions, side, seconds)):
            raise BenchError("Somebody else decided on this pair meanwhile: go on with the next.")

    @act("decide on items", "trial", is_logged=False)
    def undo(self, trial: str, person: str, key: str) -> str:
        """Take back this person's last answer of the trial that stands; returns its pair. Raises BenchError when there is none,
        or the trial is closed."""
        mine = [one for one in trials.answers(self._db, trial_of(self._db, trial).id).values() if one.person == person]
        if not mine:
            raise BenchError("You have decided on no pair of this trial: there is nothing to take back.")
        self._open_pair(trial, mine[-1].pair, person)
        trials.answer(self._db, PairOpinion(key, mine[-1].pair, person, None, "", None))
        return mine[-1].pair

    def _shown(self, trial: str) -> list[TrialPair]:
        """Pairs with a draft to decide on."""
        return [pair for pair in trials.pairs(self._db, trial) if any(_item(pair, side) is not None for side in SIDES)]

    def _pair(self, trial: str, pair: str) -> TrialPair:
        found = next((one for one in self._shown(trial) if one.key == pair), None)
        if found is None:
            raise BenchError("No such pair in this trial: go on with the next.")
        return found

    def _open_pair(self, trial: str, pair: str, person: str) -> TrialPair:
        """The pair, for a decision. Raises BenchError without a name, and when its trial is closed."""
        if not person.strip():
            raise BenchError("A decision needs a name: give yours first.")
        if trial_of(self._db, trial).entered is not None:
            raise BenchError("This trial is closed: its drafts are items now, and are decided on under Review.")
        return self._pair(trial, pair)

    def _draft(self, item: Item) -> dict[str, Any]:
        """A draft as the screen shows it: its words and evidence, and nothing of who made it."""
        evidence = [{"title": self._reading.document(s.document).title, "text": self._reading.text(s)} for s in item.evidence]
        return {
            "question": item.question,
            "answer": first_answer(item),
            "inputs": dict(item.inputs),
            "evidence": evidence,
            "frame": bool(item.labels.get("frame")),
        }

    def _text(self, pair: TrialPair, drafts: Sequence[Item | None]) -> list[dict[str, Any]]:
        """Sentences of the window, each with the places (1 left, 2 right) whose evidence it is; a title where a document
        begins. Of a long window those around the evidence."""
        lines: list[dict[str, Any]] = []
        for span in pair.spans:
            document = self._reading.document(span.document)
            for n, (start, end) in enumerate(self._reading.sentences(span.document)):
                if start < span.end and span.start < end:
                    here = Span(span.document, start, end)
                    marks = [place for place, item in enumerate(drafts, 1) if item and _touches(item, here)]
                    lines.append(
                        {
                            "title": document.title if not lines or lines[-1]["document"] != span.document else "",
                            "text": " ".join(document.text[start:end].split()),
                            "marks": marks,
                            "n": n + 1,
                            "document": span.document,
                        }
                    )
        marked = [place for place, line in enumerate(lines) if line["marks"]]
        begin = max(0, min(marked[0] - SENTENCES // 4 if marked else 0, len(lines) - SENTENCES))
        return [{key: value for key, value in line.items() if key != "document"} for line in lines[begin : begin + SENTENCES]]


def trial_of(database: Database, trial: str) -> Trial:
    """The trial of that id; raises BenchError when there is none."""
    found = trials.find(database, trial)
    if found is None:
        raise BenchError(f"No trial {trial} in this workspace: the page Trials lists them.")
    return found


def _item(pair: TrialPair, side: Side) -> Item | None:
    """The draft of that side, unless there is none to decide on."""
    draft = pair.drafts[side]
    return item_from_record(draft["item"]) if draft["state"] == "drafted" and draft["item"] else None


def _checked(item: Item, given: Mapping[str, Any] | None) -> dict[str, Any]:
    """A decision as it is stored: the words where they are others than the draft's, else None."""
    if given is None or given.get("decision") not in ("accept", "discard"):
        raise BenchError("One of the drafts is not decided on: accept or discard both.")
    texts = {name: str(given.get(name) or "") for name in ("question", "answer", "reason")}
    for name, text in texts.items():
        if len(text) > LONGEST[name] or "\0" in text:
            raise BenchError(f"The {name} is too long, or holds what no file can hold: shorten it.")
    if given["decision"] == "discard":
        return {"decision": "discard", "question": None, "answer": None, "reason": texts["reason"].strip()}
    new = reworded(item, texts["question"], texts["answer"])
    is_answered = new is not None and new.answers != item.answers
    check_acceptable(new or item, frame_words(item))
    return {
        "decision": "accept",
        "question": new.question if new and new.question != item.question else None,
        "answer": new.answers[0] if new and is_answered else None,
        "reason": "",
    }


def _touches(item: Item, span: Span) -> bool:
    return any(e.document == span.document and e.start < span.end and span.start < e.end for e in item.evidence)


def _other(side: Side) -> Side:
    return "b" if side == "a" else "a"


def _place(preference: str, first: Side) -> str:
    return {"same": "same", "": ""}.get(preference, "left" if preference == first else "right")
