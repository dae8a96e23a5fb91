"""Defines the session of a signed-in person, and the request header in which the sign-in gate passes the session to the threads
that render pages."""

import json
import threading
from collections import OrderedDict
from dataclasses import asdict, dataclass, replace
from urllib.parse import quote, unquote

from workbench.setup.access.sign_in_record import Identity, IdentitySource

SESSION_HEADER = "x-benchwright-session"
"""Name of the header with the session. The sign-in gate removes it from the browser's request and sets its own."""
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
    """Name that pages show for the signed-in person."""
    source: IdentitySource
    began_at: float
    """Time at which the session began, in seconds since 1970."""
    not_before: float = 0.0
    """The time at which the person's sessions were last ended, as it was at the sign-in. If it has changed since, this session
    has ended too."""

    @classmethod
    def begin(cls, identity: Identity, now: float, not_before: float) -> "SignInSession":
        """Create a session that begins now; `not_before` is when the person's sessions were last ended."""
        return cls(identity.person, identity.name, identity.source, now, not_before)

    def limit(self, not_before: float) -> "SignInSession | None":
        """Return a copy of this session, which began in another workspace, for use in this workspace, or None if the person's
        sessions here were ended after it began."""
        return replace(self, not_before=not_before) if self.began_at > not_before else None

    def has_ended(self, now: float, not_before: float) -> bool:
        """Return whether the session has ended: the person's sessions were ended since, or it is older than
        MAX_SESSION_SECONDS, or it begins more than MAX_SESSION_SECONDS in the future because a clock was wrong."""
        return self.not_before != not_before or abs(now - self.began_at) > MAX_SESSION_SECONDS


def encode_session(session: SignInSession) -> str:
    """Encode the session as text for a header."""
    return quote(json.dumps(asdict(session)))


def decode_session(text: str) -> SignInSession:
    """Decode a session from the text that `encode_session` returned."""
    return SignInSession(**json.loads(unquote(text)))


def remember_tab(tab: str, person: str) -> None:
    """Remember which person uses a browser tab, given by Streamlit's id of the tab."""
    with _lock:
        _people_of_tabs[tab] = person
        _people_of_tabs.move_to_end(tab)
        while len(_people_of_tabs) > MAX_REMEMBERED_TABS:
            _people_of_tabs.popitem(last=False)


def is_tab_of_other(tab: str, person: str) -> bool:
    """Return whether the browser tab is remembered as used by a person other than `person`."""
    with _lock:
        return _people_of_tabs.get(tab, person) != person
