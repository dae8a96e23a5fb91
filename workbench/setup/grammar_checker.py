"""The grammar checker: a LanguageTool server at an address, one started here, or none. The workspace stores the choice; the
setting grammar.server of a job overrides it."""

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
"""Key of the workspace's setting: an address, "here" or "none"."""
TRIED_QUESTION = "Who did wrote the letter to the council?"
"""Question with an error that LanguageTool finds."""


class CheckerCard(NamedTuple):
    """The grammar checker with its settings."""

    server: str
    """Address of the checker, "here" or "none"."""
    is_chosen: bool
    """False = no choice was made; LanguageTool is started on this machine if its files exist."""
    missing: str
    """Reason in one sentence why no checker can be started on this machine; "" = one can be started."""
    folder: str
    """Folder of the checker's files, and the target of a download."""
    is_running: bool
    """Whether this app runs a checker."""


class CheckerTest(NamedTuple):
    """The result of a test of the checker."""

    why: str
    """Reason why the question was not checked; "" = checked."""
    rules: tuple[str, ...]
    """Grammar rules that matched TRIED_QUESTION."""
    version: str | None
    seconds: float


class GrammarCheckerStage:
    """Verbs on the checker of grammar."""

    def __init__(self, database: Database) -> None:
        self._db = database
        self._cache = BackgroundCache(max_results=8)

    def find_server(self) -> str:
        """Return the address of the server that receives questions, "here", or "none"."""
        return languagetool.choose_server(str(stored.get(self._db, KEY, "")))

    @requires("see agents")
    def load_card(self) -> CheckerCard:
        """Load the settings of the grammar checker."""
        chosen = str(stored.get(self._db, KEY, ""))
        missing, folder = languagetool.explain_missing(), str(languagetool.find_folder())
        return CheckerCard(self.find_server(), bool(chosen), missing, folder, languagetool.local_server.is_running)

    @requires("change agents", "server")
    def choose(self, server: str) -> None:
        """Choose an address, "here" or "none"; "" = no choice. Another choice ends a server that was started here. Raises
        BenchError on any other value, and on an address inside the network of a server with sign-in."""
        clean = languagetool.check_server(server)
        check_reachable(clean)
        stored.put(self._db, KEY, clean)
        if clean != HERE:
            languagetool.local_server.stop()

    @requires("change agents", lambda arguments: "a download of LanguageTool", is_logged=False)
    def download(self, turn: str) -> RunningWork[bool]:
        """Download LanguageTool's files in the background, once for calls with the same `turn`. Raises BenchError when the
        download failed."""
        return self._cache.get(("download", turn), _download, keeps_errors=True)

    @requires("change agents", lambda arguments: "a test of the checker of grammar", is_logged=False)
    def test(self, turn: str) -> RunningWork[CheckerTest]:
        """Check TRIED_QUESTION in the background, once for calls with the same `turn`."""
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
