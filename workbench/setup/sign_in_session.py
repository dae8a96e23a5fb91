"""A session of a signed-in person, and the header in which the gate passes it to the threads that draw pages."""

import json
import threading
from collections import OrderedDict
from dataclasses import asdict, dataclass, replace
from urllib.parse import quote, unquote

from workbench.setup.access.sign_in_record import Identity, IdentitySource

SESSION_HEADER = "x-benchwright-session"
"""Header with the session. The gate removes this header from browsers' requests and sets its own."""
MAX_SESSION_SECONDS = 30 * 24 * 3600.0
ENDED = "You are signed out: reload this page to sign in again."
MAX_REMEMBERED_TABS = 10_000

_people_of_tabs: OrderedDict[str, str] = OrderedDict()
_lock = threading.Lock()


@dataclass(frozen=True, slots=True)
class SignInSession:
    """One sign-in of one person."""

    person: str
    name: str
    """Name for display."""
    source: IdentitySource
    began_at: float
    """Time of the sign-in in seconds since 1970."""
    not_before: float = 0.0
    """The end of the person's earlier sessions, as it stood at the sign-in. Another end since then has ended this session too,
    whatever the clock said meanwhile."""

    @classmethod
    def begin(cls, identity: Identity, now: float, not_before: float) -> "SignInSession":
        """Create a session that begins now, after the last end of the person's sessions."""
        return cls(identity.person, identity.name, identity.source, now, not_before)

    def limit(self, not_before: float) -> "SignInSession | None":
        """Return this session of another workspace with the end of the person's earlier sessions in this workspace, or None
        when it began before that end."""
        return replace(self, not_before=not_before) if self.began_at > not_before else None

    def has_ended(self, now: float, not_before: float) -> bool:
        """Return whether the person's sessions were ended after this session began, or whether this session is older than
        MAX_SESSION_SECONDS, or is from as far ahead, by a clock that was wrong then or is now."""
        return self.not_before != not_before or abs(now - self.began_at) > MAX_SESSION_SECONDS


def encode_session(session: SignInSession) -> str:
    """Encode the session as the value of a header."""
    return quote(json.dumps(asdict(session)))


def decode_session(text: str) -> SignInSession:
    """Decode the session that encode_session wrote."""
    return SignInSession(**json.loads(unquote(text)))


def remember_tab(tab: str, person: str) -> None:
    """Store the person of a tab, by Streamlit's id of the tab."""
    with _lock:
        _people_of_tabs[tab] = person
        _people_of_tabs.move_to_end(tab)
        while len(_people_of_tabs) > MAX_REMEMBERED_TABS:
            _people_of_tabs.popitem(last=False)


def is_tab_of_other(tab: str, person: str) -> bool:
    """Return whether the tab belongs to another person."""
    with _lock:
        return _people_of_tabs.get(tab, person) != person
