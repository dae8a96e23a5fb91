"""Run command-line verbs for Python code: in this process if it has the workspace open, or through the app if the app has it
open."""

import io
import json
from argparse import Namespace
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from benchwright.outside_loop import call_outside_loop
from core.errors import BenchError, WorkspaceHeld
from terminal.local_session import LocalSession
from terminal.remote import run_through_app
from terminal.word_parser import parse_words
from workbench import Workbench


class VerbSession(LocalSession):
    """Runs one verb (command), and collects its standard output instead of printing it."""

    is_plain = True

    def __init__(self, bench: Workbench | WorkspaceHeld) -> None:
        super().__init__()
        self._bench = bench
        self.out = io.StringIO()
        self.last = ""
        """The last line for people that the verb wrote; if the verb failed, this line says why."""

    def write_out(self, text: str) -> None:
        self.out.write(text)

    def say(self, message: str) -> None:
        self.last = message
        super().say(message)

    @contextmanager
    def bench(self, options: Namespace, fresh: bool = False, is_expected: bool = True) -> Iterator[Workbench]:
        """Yield the open workspace, which stays open after the verb has ended. Raises WorkspaceHeld if another process has the
        workspace open."""
        if isinstance(self._bench, WorkspaceHeld):
            raise self._bench
        yield self._bench


class VerbCaller:
    """Runs command-line verbs (commands) on one workspace."""

    def __init__(self, path: str) -> None:
        """Open the workspace, or find the app that has it open. Raises WorkspaceHeld if another process than the app has the
        workspace open."""
        self.path = path
        self._bench: Workbench | WorkspaceHeld
        try:
            self._bench = Workbench.open(path if path == ":memory:" else Path(path))
        except WorkspaceHeld as held:
            self._bench = held
            self.call("jobs")  # fails if no app answers

    @property
    def is_through_app(self) -> bool:
        """Whether the app has the workspace open and therefore runs the verbs."""
        return isinstance(self._bench, WorkspaceHeld)

    def call(self, *words: str) -> Any:
        """Run a command-line verb; return its JSON result. Raises BenchError with the verb's message if the verb fails."""
        session = VerbSession(self._bench)
        end = words.index("--") if "--" in words else len(words)  # a verb of a group has its options after the second word
        every = [*words[:end], "--json", f"--workspace={self.path}", *words[end:]]
        options = parse_words(every)

        def work() -> int:
            try:
                return int(options.verb(session, options))
            except WorkspaceHeld as held:
                return run_through_app(every, options, session, held)
            finally:
                session.end()

        code = call_outside_loop(work, session.stop_job)
        printed = session.out.getvalue()
        if not printed.strip():
            raise BenchError(session.last or f"The verb {words[0]} ended with exit code {code} and printed nothing.")
        value = json.loads(printed)
        if code and isinstance(value, dict) and value.get("stopped"):
            raise BenchError(str(value.get("message") or session.last))
        return value

    def close(self) -> None:
        """End the jobs that this process runs, and close the workspace."""
        import jobs

        if isinstance(self._bench, Workbench):
            jobs.stop(self._bench, seconds=0)
            self._bench.close()
