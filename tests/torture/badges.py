"""What people show to an app on which people sign in: a session, a token, or what is neither."""

import http.client
import random
import threading
from collections.abc import Sequence
from urllib.parse import urlencode

from serving.gate.session_cookie import COOKIE
from tests.torture.journal import Journal

SIGN_IN_SECONDS = 20.0
"""Seconds that one sign-in may take."""
HOME = "127.0.0.1"


class Badge:
    """What one person shows. This one shows nothing: without sign-in the name in the body is believed."""

    source = HOME
    """The address of the person's machine."""

    def show(self) -> dict[str, str]:
        """Headers of a request."""
        return {}

    def name(self, shown: dict[str, str]) -> str:
        """What these headers are, as the journal calls it."""
        return ""

    def renew(self, shown: dict[str, str]) -> bool:
        """Whether there is something else to show, after these headers were refused."""
        return False

    def claim(self, person: str) -> str:
        """The name that a body says."""
        return person


class TokenBadge(Badge):
    """A token, wherever it is shown from."""

    def __init__(self, person: str, token: str, source: str) -> None:
        self._person, self._token = person, token
        self.source = source

    def show(self) -> dict[str, str]:
        return {"authorization": f"Bearer {self._token}"}

    def name(self, shown: dict[str, str]) -> str:
        return token_of(self._person)


class AccountBadge(Badge):
    """A local account: its token while it lasts, then a session from the form of sign-in, and another when that has ended.
    One body in four names somebody else."""

    def __init__(
        self, port: int, person: str, password: str, source: str, others: Sequence[str], journal: Journal, token: str = ""
    ) -> None:
        self.source = source
        self.cookie = ""
        self.is_out = False
        """The password is refused, too."""
        self.person = person
        self._port, self._password, self._token = port, password, token
        self._others, self._journal = others, journal
        self._chance = random.Random(person)
        self._lock = threading.Lock()

    def show(self) -> dict[str, str]:
        if self._token:
            return {"authorization": f"Bearer {self._token}"}
        return {"cookie": f"{COOKIE}={self.cookie}"} if self.cookie else {}

    def name(self, shown: dict[str, str]) -> str:
        return token_of(self.person) if "authorization" in shown else session_of(self.person)

    def renew(self, shown: dict[str, str]) -> bool:
        with self._lock:
            if self.show() != shown:  # another tab was quicker
                return True
            if self.is_out:
                return False
            self._token = ""
            status, cookie = ask_in(self._port, self.person, self._password, self.source)
            self.is_out = status == 401
            if cookie:
                self.cookie = cookie
                self._journal.keep_secret(session_of(self.person), cookie)
            return bool(cookie)

    def claim(self, person: str) -> str:
        return self._chance.choice(self._others) if self._chance.random() < 0.25 else person


def ask_in(port: int, person: str, password: str, source: str = HOME) -> tuple[int, str]:
    """Status and session of one sign-in by the form; 0 and "" when no answer came."""
    line = http.client.HTTPConnection(HOME, port, SIGN_IN_SECONDS, source_address=(source, 0))
    try:
        form = urlencode({"name": person, "password": password})
        line.request("POST", "/bench/sign-in", form, {"content-type": "application/x-www-form-urlencoded"})
        answer = line.getresponse()
        answer.read()
        cookies = [value.split(";")[0].partition("=") for value in answer.headers.get_all("set-cookie", [])]
        return answer.status, next((value for name, _, value in cookies if name == COOKIE and answer.status == 303), "")
    except (OSError, http.client.HTTPException):
        return 0, ""
    finally:
        line.close()


def session_of(person: str) -> str:
    return f"session of {person}"


def token_of(person: str) -> str:
    return f"token of {person}"
