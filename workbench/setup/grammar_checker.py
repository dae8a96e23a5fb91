"""Manage the grammar checker: a LanguageTool server at a given address, a server that this program starts on this machine, or
none. The workspace stores the choice, and a job's setting grammar.server replaces it."""

import time
from functools import partial
from typing import NamedTuple

from builders.languagetool import server as languagetool
from builders.languagetool.checker import Checker, Unverified
from builders.languagetool.server import DOWNLOAD_MB, HERE, JAVA, MEMORY_MB, NONE
from core.inner_network import check_reachable
from store.engine import settings as stored
from store.engine.database import Database
from workbench.background_cache import BackgroundCache, RunningWork
from workbench.roles import requires

__all__ = ["DOWNLOAD_MB", "HERE", "JAVA", "MEMORY_MB", "NONE", "TRIED_QUESTION", "CheckerCard", "GrammarCheckerStage"]

KEY = "languagetool"
"""Key of the workspace setting with the chosen grammar checker: its address, "here" (started on this machine) or "none"."""
TRIED_QUESTION = "Who did wrote the letter to the council?"
"""A question with a grammar error, with which the checker is tested."""


class CheckerCard(NamedTuple):
    """The grammar checker and its settings, as the screen shows them."""

    server: str
    """Address of the checker, "here" (started on this machine) or "none"."""
    is_chosen: bool
    """Whether a person has chosen a checker. If nobody has chosen one, LanguageTool is started on this machine, provided that
    its files are there."""
    missing: str
    """Sentence that says why no checker can be started on this machine; "" if one can."""
    folder: str
    """Folder of LanguageTool's files, to which they are downloaded."""
    is_running: bool
    """Whether a checker that this app has started is running."""


class CheckerTest(NamedTuple):
    """The result of testing the grammar checker."""

    why: str
    """Reason why the test question could not be checked; "" if it was checked."""
    rules: tuple[str, ...]
    """Names of the grammar rules that TRIED_QUESTION breaks according to the checker."""
    version: str | None
    seconds: float


class GrammarCheckerStage:
    """Methods that choose, download and test the grammar checker."""

    def __init__(self, database: Database) -> None:
        self._db = database
        self._cache = BackgroundCache(max_results=8)

    def find_server(self) -> str:
        """Return the address of the grammar checker, "here" (started on this machine) or "none"."""
        return languagetool.choose_server(str(stored.get(self._db, KEY, "")))

    @requires("see agents")
    def load_card(self) -> CheckerCard:
        """Load the settings of the grammar checker."""
        chosen = str(stored.get(self._db, KEY, ""))
        missing, folder = languagetool.explain_missing(), str(languagetool.find_folder())
        return CheckerCard(self.find_server(), bool(chosen), missing, folder, languagetool.local_server.is_running)

    @requires("change agents", "server")
    def choose(self, server: str) -> None:
        """Choose the grammar checker: an address, "here" (on this machine) or "none". The value "" stands for "here" if a
        server can be started on this machine, otherwise for "none". If another value than "here" is chosen, a checker that runs
        on this machine is stopped. Raises BenchError if the value is invalid, or if people sign in on this server and the
        address is inside its network."""
        clean = languagetool.check_server(server)
        check_reachable(clean)
        stored.put(self._db, KEY, clean)
        if clean != HERE:
            languagetool.local_server.stop()

    @requires("change agents", lambda arguments: "a download of LanguageTool", is_logged=False)
    def download(self, turn: str) -> RunningWork[bool]:
        """Download LanguageTool's files in the background; calls with the same `turn` share one download. Raises BenchError if
        the download fails."""
        return self._cache.get(("download", turn), _download, keeps_errors=True)

    @requires("change agents", lambda arguments: "a test of the checker of grammar", is_logged=False)
    def test(self, turn: str) -> RunningWork[CheckerTest]:
        """Test the grammar checker on TRIED_QUESTION, in the background. `turn` identifies the click on the button; calls with
        the same value share one test."""
        return self._cache.get(("test", turn), partial(_test, self.find_server()))


def _download() -> bool:
    languagetool.download()
    return True


def _test(server: str) -> CheckerTest:
    checker = Checker(server)
    began = time.monotonic()
    try:
        matches = checker.check(TRIED_QUESTION, "en")
    except Unverified as trouble:
        return CheckerTest(str(trouble), (), None, time.monotonic() - began)
    rules = tuple(match.rule for match in matches if match.is_grammar)
    return CheckerTest("", rules, checker.version, time.monotonic() - began)
