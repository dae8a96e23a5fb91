"""A simulated annotator: holds items, types, decides, edits, takes back, as the desk in a browser does, and notes what it was
told. What gets no answer is sent again with the same key, for as long as an act may take: then the annotator gives up."""

import contextlib
import http.client
import json
import random
import threading
import time
import uuid
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Literal, NamedTuple

from tests.torture.badges import HOME, Badge
from tests.torture.journal import Act, Journal, Outcome
from workbench.annotate.desk.decisions import MARKS

HEADERS = {"content-type": "application/json", "x-benchwright": "desk"}
PATIENCE = 10.0
"""Seconds that one request may take."""
MAX_ACT_SECONDS = 120.0
"""Seconds that one act may take, with everything that befalls the app meanwhile."""
NO_ROOM = "could not be written"
"""What a refusal says after which the same is tried again."""
LOST = 0.5
"""Seconds after which somebody without a connection looks again."""
FRONT = 60
"""All take from so many items at the head of the queue: people meet."""


class Card(NamedTuple):
    """An item as it is on the screen."""

    item: str
    revision: int
    question: str
    answer: str
    evidence: list[dict[str, Any]]
    is_for_two: bool = False
    """Two people's opinions are wanted; the words wait as they are until both are in."""
    seconds: float = 1.0

    @property
    def spans(self) -> tuple[tuple[str, int, int], ...]:
        return tuple(sorted({(one["document"], one["start"], one["end"]) for one in self.evidence}))


class Queue:
    """The items that wait, as far as the annotators were told."""

    def __init__(self, cards: list[Card]) -> None:
        self._waiting = {card.item: card for card in cards}
        self._lock = threading.Lock()

    def pick(self, chance: random.Random) -> Card | None:
        with self._lock:
            front = [card for card, _ in zip(self._waiting.values(), range(FRONT), strict=False)]
        return chance.choice(front) if front else None

    def decided(self, item: str) -> None:
        with self._lock:
            self._waiting.pop(item, None)

    def waits(self, card: Card) -> None:
        with self._lock:
            self._waiting[card.item] = card


class Unanswered(Exception):
    """An act that nobody answered for good in the time that an act may take."""


class Patience:
    """The time that one act has."""

    def __init__(self, act: str) -> None:
        self._act = act
        self._until = time.monotonic() + MAX_ACT_SECONDS

    def check(self, last: object) -> None:
        """Raises Unanswered, with the last that was heard, when the time is over."""
        if time.monotonic() > self._until:
            raise Unanswered(f"{self._act} was not answered for good in {MAX_ACT_SECONDS:g} s; heard last: {last}")


class Tab:
    """One browser tab's connection, for one request at a time."""

    def __init__(self, port: int, name: str, badge: Badge | None = None) -> None:
        self.name = name
        self.request = ""
        """What waits for its answer just now."""
        self.by, self.status = "", 0
        """What was shown last, and the status of what came; 0 = no answer."""
        self._badge = badge or Badge()
        self._line = http.client.HTTPConnection(HOME, port, timeout=PATIENCE, source_address=(self._badge.source, 0))
        self._lock = threading.Lock()

    def post(self, path: str, body: dict[str, Any]) -> tuple[int, dict[str, Any]] | None:
        """Status and body; None when no answer came. Whoever is not signed in signs in, and asks again."""
        with self._lock, self._asking(path, body):
            shown = self._badge.show()
            answer = self._send(path, body, shown)
            if answer is not None and answer[0] == 401 and self._badge.renew(shown):
                shown = self._badge.show()
                answer = self._send(path, body, shown)
            self.by, self.status = self._badge.name(shown), 0 if answer is None else answer[0]
            return answer

    def _send(self, path: str, body: dict[str, Any], shown: dict[str, str]) -> tuple[int, dict[str, Any]] | None:
        said = json.dumps(body | {"person": self._badge.claim(body["person"])})
        try:
            self._line.request("POST", path, said, HEADERS | shown)
            answer = self._line.getresponse()
            return answer.status, json.loads(answer.read())
        except (OSError, http.client.HTTPException, ValueError):
            self._line.close()
            return None

    def persist(self, path: str, body: dict[str, Any], patience: Patience | None = None) -> tuple[int, dict[str, Any]]:
        """Until an answer comes. Raises Unanswered when none does."""
        patience = patience or Patience(f"{path} of {body['person']} on {body['item']}")
        wait = 0.05
        while (answer := self.post(path, body)) is None or answer[0] >= 500:
            patience.check(answer)
            time.sleep(wait)
            wait = min(wait * 2, 0.8)
        return answer

    @contextlib.contextmanager
    def _asking(self, path: str, body: dict[str, Any]) -> Iterator[None]:
        self.request = f"{path} on {body['item']}"
        try:
            yield
        finally:
            self.request = ""


class Annotator:
    """One person, in one or two tabs."""

    def __init__(
        self,
        name: str,
        port: int,
        seed: int,
        queue: Queue,
        journal: Journal,
        badge: Badge | None = None,
        tabs: tuple[str, str] = ("left", "right"),
    ) -> None:
        self.name = name
        self._chance = random.Random(f"{seed} {name} {tabs[0]}")
        self._queue, self._journal = queue, journal
        self._tabs = (Tab(port, tabs[0], badge), Tab(port, tabs[1], badge))
        self._late = (Tab(port, tabs[0], badge), Tab(port, tabs[1], badge))
        """The same tabs' other connections."""
        self._hands = ThreadPoolExecutor(3, name)
        self._n = 0
        self._decided: list[Card] = []
        self._key = ""
        """Of the next press on the item on the screen; what is typed before it bears it too."""
        self.stays_for = ""
        """What must have ended before this person goes home."""

    @property
    def request(self) -> str:
        """What waits for its answer just now."""
        return "; ".join(tab.request for tab in (*self._tabs, *self._late) if tab.request)

    def work(self, until: float) -> None:
        """Item after item. Raises Unanswered."""
        with self._hands:
            while time.monotonic() < until or (self.stays_for and not self._journal.is_over(self.stays_for)):
                time.sleep(self._chance.uniform(0, 0.05))
                card = self._queue.pick(self._chance)
                if card is not None and self._is_mine(card):
                    self._review(card)
                if card is not None and self._chance.random() < 0.1:
                    self._aside("comment", card, f"{self.name} remarks {uuid.uuid4().hex}.")
                if self._decided and self._chance.random() < 0.05:
                    on = self._chance.choice(self._decided)
                    self._aside("rewrite", on, f"In other words, {uuid.uuid4().hex}: what would {self.name} ask for?")

    def _aside(self, what: Literal["comment", "rewrite"], on: Card, words: str) -> None:
        """A comment on an item, or a rewrite of its question; sent again until it is answered."""
        key, began = uuid.uuid4().hex, self._journal.place()
        seconds = round(self._chance.uniform(1, 900), 2)
        body = {
            "person": self.name,
            "item": on.item,
            "revision": on.revision,
            "text": words,
            "key": key,
            "seconds": seconds,
            "reason": "For the torture.",
        }
        status, _ = self._tabs[0].persist(f"/bench/{what}", body)
        self._journal.note(
            Act(
                what,
                self.name,
                on.item,
                began,
                self._journal.place(),
                "stored" if status == 200 else "refused",
                key if what == "comment" else "",
                question=words,
                seconds=seconds if what == "rewrite" else None,
                by=self._tabs[0].by,
                status=status,
            )
        )

    def _is_mine(self, card: Card) -> bool:
        answer = self._told("hold", card.item)
        if answer is None:  # whoever was signed out has the item on the screen still, and presses on
            return self._tabs[0].status == 401
        if answer.get("held") is None:
            return True
        return self._chance.random() < 0.15 and self._told("take", card.item) is not None

    def _told(self, what: Any, item: str) -> dict[str, Any] | None:
        """Hold it or take it over; None when that was not heard or not done."""
        began = self._journal.place()
        tab = self._tabs[0]
        answer = tab.post(f"/bench/{what}", {"person": self.name, "item": item})
        is_mine = answer is not None and answer[0] == 200 and answer[1].get("held") is None
        outcome: Outcome = "unknown" if answer is None else "stored" if is_mine else "refused"
        if answer is None or answer[0] == 401:
            time.sleep(LOST)
        ended = self._journal.place()
        self._journal.note(Act(what, self.name, item, began, ended, outcome, by=tab.by, status=tab.status))
        return answer[1] if answer is not None and answer[0] == 200 else None

    def _review(self, card: Card) -> None:
        chance = self._chance
        words = card
        self._key = uuid.uuid4().hex
        for _ in range(chance.randrange(3)):
            words = self._type(card)
        what = chance.random()
        if what < 0.08:
            return  # goes to lunch, the words half typed
        if what < 0.18:
            self._two_tabs(card)
        elif what < 0.4:
            self._decide(card, card._replace(seconds=words.seconds), "discard")
        elif self._decide(card, words, "accept") and chance.random() < 0.15:
            self._undo(card.item)

    def _type(self, card: Card, tab: Tab | None = None) -> Card:
        """Words of this person's alone, saved as they are typed."""
        self._n += 1
        answer = "An answer. " * self._chance.randint(1, 40) + str(self._n)
        evidence = [dict(one) for one in card.evidence]
        if evidence and self._chance.random() < 0.3 and evidence[0]["end"] - evidence[0]["start"] > 20:
            evidence[0]["end"] -= self._chance.randint(1, 9)
        typed = card._replace(
            question=f"What did {self.name} ask {self._n}?",
            answer=answer,
            evidence=evidence,
            seconds=round(self._chance.uniform(1, 900), 2),
        )
        self._save(typed, tab or self._tabs[0], self._journal.place(), self._key if tab is None else "")
        return typed

    def _save(self, typed: Card, tab: Tab, began: int, key: str) -> None:
        answer = tab.post("/bench/scratch", self._body(typed) | {"key": key, "tab": tab.name, "since": ""})
        outcome: Outcome = "unknown" if answer is None or answer[0] >= 500 else "stored" if answer[0] == 200 else "refused"
        self._journal.note(
            Act(
                "scratch",
                self.name,
                typed.item,
                began,
                self._journal.place(),
                outcome,
                question=typed.question,
                answer=typed.answer,
                tab=tab.name,
                seconds=typed.seconds,
                evidence=typed.spans,
                reason=answer[1]["message"] if answer is not None and outcome == "refused" else "",
                by=tab.by,
                status=tab.status,
            )
        )

    def _two_tabs(self, card: Card) -> None:
        """Both tabs show the item, with other words in each, and decide at the same moment."""
        self._journal.struck("two tabs")
        both = [self._type(card, tab) for tab in self._tabs]
        list(self._hands.map(lambda n: self._decide(card, both[n], "accept", self._tabs[n]), range(2)))

    def _decide(self, card: Card, words: Card, decision: str, tab: Tab | None = None) -> bool:
        """Press, and press again when it was refused for want of room; whether it was stored."""
        press = f"press {uuid.uuid4().hex}"
        is_edit = (words.question, words.answer, words.spans) != (card.question, card.answer, card.spans)
        reason = f"No use: {press}." if decision == "discard" else ""
        claims = (f"Claimed with {press}.",) if self._chance.random() < 0.3 else ()
        key = self._key if tab is None else uuid.uuid4().hex
        patience = Patience(f"{decision} of {self.name} on {card.item}")
        if is_edit and self._chance.random() < 0.15:  # what was typed last is still on its way when the key is pressed
            self._journal.struck("late words")
            late = self._late[0 if tab is None else self._tabs.index(tab)]
            self._hands.submit(self._save, words, late, self._journal.place(), key)
        while True:
            body = self._body(words) | {
                "key": key,
                "decision": decision,
                "comment": press,
                "status": "drafted",
                "tab": (tab or self._tabs[0]).name,
                "claims": [{"claim": claim, "mark": MARKS[0]} for claim in claims],
                "reason": reason,
            }
            began = self._journal.place()
            if tab is None and self._chance.random() < 0.15:
                self._journal.struck("double press")
                twice = self._hands.map(lambda tab, body=body: tab.persist("/bench/decide", body, patience), self._tabs)
                answers = list(twice)
                used = min(self._tabs, key=lambda tab: tab.status)
                status, told = answers[self._tabs.index(used)]
            else:
                used = tab or self._tabs[0]
                status, told = used.persist("/bench/decide", body, patience)
            self._journal.note(
                Act(
                    "decide",
                    self.name,
                    card.item,
                    began,
                    self._journal.place(),
                    "stored" if status == 200 else "refused",
                    key,
                    press,
                    decision,
                    words.question,
                    words.answer,
                    is_edit,
                    (tab or self._tabs[0]).name,
                    reason,
                    words.seconds,
                    words.spans,
                    claims,
                    used.by,
                    status,
                )
            )
            if status == 200:
                if told["item"]["status"] != "drafted":
                    self._queue.decided(card.item)
                changed = words._replace(revision=told["item"]["revision"])
                if decision == "accept" and not card.is_for_two:
                    self._decided.append(changed)
                self._after = card if card.is_for_two else changed
                return True
            if theirs := told.get("theirs"):
                self._theirs(card, theirs)
            if "All 2 opinions" in told["message"]:
                self._queue.decided(card.item)
            if NO_ROOM not in told["message"]:
                return False
            patience.check(told["message"])
            key = uuid.uuid4().hex
            time.sleep(0.2)

    def _theirs(self, card: Card, theirs: dict[str, Any]) -> None:
        words = theirs["question"], theirs["answers"][0], theirs["evidence"]
        now = Card(card.item, theirs["revision"], *words, card.is_for_two)
        if theirs["status"] == "drafted":
            self._queue.waits(now)
        else:
            self._queue.decided(card.item)

    def _undo(self, item: str) -> None:
        patience = Patience(f"undo of {self.name} on {item}")
        while True:
            key = uuid.uuid4().hex
            began = self._journal.place()
            status, told = self._tabs[0].persist("/bench/undo", {"person": self.name, "key": key, "item": item}, patience)
            outcome: Outcome = "stored" if status == 200 else "refused"
            by, ended = self._tabs[0].by, self._journal.place()
            self._journal.note(Act("undo", self.name, item, began, ended, outcome, key, by=by, status=status))
            if status == 200:
                self._queue.waits(self._after)
            if status == 200 or NO_ROOM not in told["message"]:
                return
            patience.check(told["message"])
            time.sleep(0.2)

    def _body(self, words: Card) -> dict[str, Any]:
        return {
            "person": self.name,
            "item": words.item,
            "revision": words.revision,
            "question": words.question,
            "answer": words.answer,
            "evidence": words.evidence,
            "seconds": words.seconds,
        }
