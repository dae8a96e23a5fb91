"""Those who may not decide: the admin ends one person's access and one token, a thief uses that token from another address, and
somebody tries cookies that nobody gave, the page of another site, and what has ended."""

import http.client
import json
import random
import time
import uuid
from collections.abc import Callable, Sequence
from pathlib import Path

from serving.gate.session_cookie import COOKIE, _load_signer
from tests.torture.annotator import HEADERS, LOST, PATIENCE, Annotator, Card, Patience, Queue
from tests.torture.badges import HOME, AccountBadge, TokenBadge, session_of, token_of
from tests.torture.command_line import CommandLine
from tests.torture.compare import list_untried
from tests.torture.journal import Act, End, Journal, Outcome
from tests.torture.lead import NAME as LEAD
from workbench.setup.sign_in_session import SESSION_HEADER, SignInSession, encode_session

THIEF_ADDRESS, INTRUDER_ADDRESS = "127.0.2.1", "127.0.3.1"
NOBODY = "nobody"
"""Whose the intruder's acts are."""
FORGED, ELSEWHERE, GUESSED = "a forged cookie", "a page elsewhere", "a guessed token"
THEFT, REVOKED = 0.2, 0.5
"""The shares of the time after which a token is stolen, and after which it and one person's access end."""
TRIES_A_SECOND = 8.0
TABS = ("stolen left", "stolen right")
"""The thief's."""


class Thief(Annotator):
    """Works as the person whose token was stolen, from elsewhere, in tabs of its own."""

    def __init__(self, person: str, token: str, port: int, seed: int, queue: Queue, journal: Journal) -> None:
        badge = TokenBadge(person, token, THIEF_ADDRESS)
        super().__init__(person, port, seed, queue, journal, badge, TABS)
        self.stays_for = token_of(person)

    def work(self, until: float) -> None:
        time.sleep(max(0.0, until - time.monotonic()) * THEFT)
        self._journal.struck("stolen token")
        super().work(until)


class Admin:
    """Ends one person's access and one token in the middle."""

    name = "The admin"

    def __init__(self, line: CommandLine, journal: Journal, person: str, robbed: str, token_id: str) -> None:
        self._line, self._journal = line, journal
        self._person, self._robbed, self._token_id = person, robbed, token_id

    @property
    def request(self) -> str:
        """What waits for its answer just now."""
        return self._line.request

    def work(self, until: float) -> None:
        """Raises Unanswered."""
        time.sleep(max(0.0, until - time.monotonic()) * REVOKED)
        self._wait_for_decision(session_of(self._person), ("left", "right"))
        self._end(session_of(self._person), "has no account", "people", "remove-account", self._person)
        self._wait_for_decision(token_of(self._robbed), TABS)
        self._end(token_of(self._robbed), "no open token", "tokens", "revoke", self._token_id)

    def _wait_for_decision(self, by: str, tabs: tuple[str, str]) -> None:
        """Until it was used: what was acknowledged before the end stays."""
        patience = Patience(f"no decision by the {by} was stored; it")
        while not any(
            act.what == "decide" and act.outcome == "stored" and act.by == by and act.tab in tabs
            for act in list(self._journal.acts)
        ):
            patience.check("nothing")
            time.sleep(LOST / 2)

    def _end(self, by: str, done: str, *words: str) -> None:
        """Until it is acknowledged, or was done by an order whose end was not heard."""
        began, patience = self._journal.place(), Patience(f"{words[1]} of {by}")
        while True:
            code, said = self._line.work(*words)
            if code == 0 or (code is not None and done in said):
                break
            patience.check(said)
            time.sleep(LOST)
        self._journal.ends.append(End(by, began, self._journal.place()))
        self._journal.struck(words[1])


class Intruder:
    """Presses decisions by all that gives no right, one after the other."""

    name = "The intruder"

    def __init__(
        self,
        port: int,
        seed: int,
        queue: Queue,
        journal: Journal,
        badges: Sequence[AccountBadge],
        workspace: Path,
        robbed: str,
        token: str,
    ) -> None:
        self.request = ""
        """What waits for its answer just now."""
        self._port, self._queue, self._journal, self._badges = port, queue, journal, badges
        self._chance = random.Random(f"{seed} intruder")
        self._workspace = str(workspace)
        self._card: Card | None = None
        revoked = badges[0]
        self._must_end: dict[str, Callable[[], dict[str, str]]] = {
            session_of(revoked.person): lambda: self._carry(revoked.cookie),
            token_of(robbed): lambda: {"authorization": f"Bearer {token}"},
        }
        """What the admin ends, and its headers."""
        journal.ends += [End(by, 0, 0) for by in (FORGED, ELSEWHERE, GUESSED)]

    def work(self, until: float) -> None:
        """Raises Unanswered, when what must end does not, or when a last try of each is not answered."""
        while time.monotonic() < until:
            time.sleep(1 / TRIES_A_SECOND)
            self._try_all()
        patience = Patience("the end of all that gives no right")
        while untried := self._list_untried():
            patience.check(", ".join(untried))
            time.sleep(LOST / 2)
            self._try_all()

    def _list_untried(self) -> list[str]:
        """What has not ended yet, or was not answered since."""
        waiting = [by for by in self._must_end if not self._journal.is_over(by)]
        return waiting + list_untried(list(self._journal.acts), list(self._journal.ends))

    def _try_all(self) -> None:
        badge = self._chance.choice(self._badges)
        card = self._card = self._queue.pick(self._chance) or self._card
        if card is None or not badge.cookie:
            return
        carried = self._carry(badge.cookie)
        self._press(FORGED, card, self._carry(self._forge(badge)))
        self._press(FORGED, card, {SESSION_HEADER: encode_session(self._invent(badge.person)), "x-forwarded-user": LEAD})
        self._press(GUESSED, card, {"authorization": f"Bearer bw_{uuid.uuid4().hex}"})
        self._press(ELSEWHERE, card, {**carried, "origin": "http://evil.example"})
        self._press(ELSEWHERE, card, {**carried, "content-type": "text/plain", "x-benchwright": ""})
        for by, headers in self._must_end.items():
            if self._journal.is_over(by):
                self._press(by, card, headers())

    def _carry(self, cookie: str) -> dict[str, str]:
        return {"cookie": f"{COOKIE}={cookie}"}

    def _invent(self, person: str) -> SignInSession:
        return SignInSession(person, person, "local", time.time())

    def _forge(self, badge: AccountBadge) -> str:
        """A cookie of the person's with another signature, that of another server, or none."""
        payload, _, signature = badge.cookie.rpartition(".")
        invented = self._invent(badge.person)
        value = [invented.person, invented.name, invented.source, invented.began_at, invented.not_before]
        elsewhere = str(_load_signer(self._workspace, "another server's secret " * 2).dumps(value))
        return self._chance.choice([f"{payload}.{signature[::-1]}", elsewhere, payload, json.dumps(value)])

    def _press(self, by: str, card: Card, headers: dict[str, str]) -> None:
        """One decision, and what came of it."""
        key, press, began = uuid.uuid4().hex, f"press {uuid.uuid4().hex}", self._journal.place()
        body = {
            "person": self._chance.choice(self._badges).person,
            "item": card.item,
            "revision": card.revision,
            "question": card.question,
            "answer": card.answer,
            "evidence": card.evidence,
            "seconds": 1.0,
            "key": key,
            "decision": "accept",
            "comment": press,
            "status": "drafted",
            "tab": "left",
        }
        status = self._send(by, body, headers)
        self._journal.struck(by)
        outcome: Outcome = "stored" if status == 200 else "refused" if status else "unknown"
        words = (press, "accept", card.question, card.answer)
        ended = self._journal.place()
        self._journal.note(Act("decide", NOBODY, card.item, began, ended, outcome, key, *words, by=by, status=status))

    def _send(self, by: str, body: dict[str, object], headers: dict[str, str]) -> int:
        """Status; 0 when no answer came."""
        self.request = f"decide by {by}"
        line = http.client.HTTPConnection(HOME, self._port, timeout=PATIENCE, source_address=(INTRUDER_ADDRESS, 0))
        try:
            line.request("POST", "/bench/decide", json.dumps(body), HEADERS | headers)
            return line.getresponse().status
        except (OSError, http.client.HTTPException):
            return 0
        finally:
            line.close()
            self.request = ""
