"""Define the session of a signed-in person, and the request header with which the sign-in code passes the session to the
threads that draw pages."""

import json
import threading
from collections import OrderedDict
from dataclasses import asdict, dataclass, replace
from urllib.parse import quote, unquote

from workbench.setup.access.sign_in_record import Identity, IdentitySource

SESSION_HEADER = "x-benchwright-session"
"""Name of the request header with the session. The sign-in code removes this header from the browser's request and sets it
itself."""
MAX_SESSION_SECONDS = 30 * 24 * 3600.0
ENDED = "You are signed out: reload this page to sign in again."
MAX_REMEMBERED_TABS = 10_000

_people_of_tabs: OrderedDict[str, str] = OrderedDict()
_lock = threading.Lock()


@dataclass(frozen=True, slots=True)
class SignInSession:
    """The session of a person, from one sign-in until it ends."""

    person: str
    name: str
    """Name of the signed-in person, as pages show it."""
    source: IdentitySource
    began_at: float
    """Time at which the session began, in seconds since 1970."""
    not_before: float = 0.0
    """Time at which the person's sessions were last ended, as known when this session began. If the person's sessions were
    ended since, this session has ended too."""

    @classmethod
    def begin(cls, identity: Identity, now: float, not_before: float) -> "SignInSession":
        """Create a session that begins now; `not_before` is the time at which the person's sessions were last ended."""
        return cls(identity.person, identity.name, identity.source, now, not_before)

    def limit(self, not_before: float) -> "SignInSession | None":
        """Return a copy of this session, which began in another workspace, for this workspace. Return None if the person's
        sessions here were ended after it began."""
        return replace(self, not_before=not_before) if self.began_at > not_before else None

    def has_ended(self, now: float, not_before: float) -> bool:
        """Return whether the session has ended. A session has ended if the person's sessions were ended since, if it is older
        than MAX_SESSION_SECONDS, or if a wrong clock lets it begin more than MAX_SESSION_SECONDS in the future."""
        return self.not_before != not_before or abs(now - self.began_at) > MAX_SESSION_SECONDS


def encode_session(session: SignInSession) -> str:
    """Return the session as text for a header."""
    return quote(json.dumps(asdict(session)))


def decode_session(text: str) -> SignInSession:
    """Return the session from a text that `encode_session` returned."""
    return SignInSession(**json.loads(unquote(text)))


def remember_tab(tab: str, person: str) -> None:
    """Remember which person uses a browser tab, which Streamlit's id identifies."""
    with _lock:
        _people_of_tabs[tab] = person
        _people_of_tabs.move_to_end(tab)
        while len(_people_of_tabs) > MAX_REMEMBERED_TABS:
            _people_of_tabs.popitem(last=False)


def is_tab_of_other(tab: str, person: str) -> bool:
    """Return whether another person than `person` is remembered as the user of the browser tab."""
    with _lock:
        return _people_of_tabs.get(tab, person) != person
