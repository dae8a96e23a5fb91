"""What the annotators did and were told, written down outside of the workspace: the one witness against it at the end."""

import itertools
import json
import threading
from collections import Counter
from pathlib import Path
from typing import Literal, NamedTuple

What = Literal[
    "scratch", "decide", "undo", "hold", "take", "comment", "rewrite", "adjudicate", "draft", "import", "freeze", "export"
]
Outcome = Literal["stored", "refused", "unknown"]


class Act(NamedTuple):
    """One thing that one person did. `unknown` = no answer came: it may be stored or not, but never twice."""

    what: What
    person: str
    item: str
    began: int
    """Its place among all beginnings and ends of the run."""
    ended: int
    outcome: Outcome
    key: str = ""
    press: str = ""
    """Of a decision: the same for every request that one press of a key led to; stored as its comment."""
    decision: str = ""
    question: str = ""
    answer: str = ""
    is_edit: bool = False
    tab: str = ""
    """The browser tab of words and decisions."""
    reason: str = ""
    seconds: float | None = None
    evidence: tuple[tuple[str, int, int], ...] = ()
    claims: tuple[str, ...] = ()
    by: str = ""
    """On a server with sign-in what was shown: "session of Annotator 3"; the last, when one had ended."""
    status: int = 0
    """Of the last answer; 0 = none came."""


class End(NamedTuple):
    """What gives no right any more: a session or token that was ended, or one that was never given."""

    by: str
    began: int
    """The place at which ending it was asked for; 0 = it never gave any."""
    ended: int
    """The place at which that was acknowledged."""


class Jump(NamedTuple):
    """The server's clock was moved: leases ended, or came back."""

    began: int
    ended: int


class Journal:
    """Takes acts from all threads; each is a line of a file, too."""

    def __init__(self, path: Path) -> None:
        self.acts: list[Act] = []
        self.jumps: list[Jump] = []
        self.ends: list[End] = []
        self.secrets: dict[str, str] = {}
        """Secret -> whose it is."""
        self.faults: Counter[str] = Counter()
        self._places = itertools.count(1)
        self._lock = threading.Lock()
        self._file = path.open("w", encoding="utf-8")

    def place(self) -> int:
        with self._lock:
            return next(self._places)

    def note(self, act: Act) -> None:
        with self._lock:
            self.acts.append(act)
            self._file.write(json.dumps(act._asdict()) + "\n")

    def struck(self, fault: str) -> None:
        with self._lock:
            self.faults[fault] += 1

    def is_over(self, by: str) -> bool:
        """Whether that gives no right any more."""
        return any(end.by == by for end in list(self.ends))

    def keep_secret(self, whose: str, secret: str) -> None:
        """What must stand in no log."""
        with self._lock:
            self.secrets[secret] = whose

    def close(self) -> None:
        self._file.close()
