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


class Jump(NamedTuple):
    """The server's clock was moved: leases ended, or came back."""

    began: int
    ended: int


class Journal:
    """Takes acts from all threads; each is a line of a file, too."""

    def __init__(self, path: Path) -> None:
        self.acts: list[Act] = []
        self.jumps: list[Jump] = []
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

    def close(self) -> None:
        self._file.close()
