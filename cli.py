"""The command line: the app's verbs on a terminal. Names, JSON shapes and exit codes are a contract that scripts depend on:
0 done, 1 one sentence about what a person can mend, 2 usage, 3 the workspace is held by a process that is not ours.
With --json stdout carries JSON alone; progress and messages go to stderr. While the app holds the workspace it works the verb,
and everything reads the same."""

import atexit
import io
import os
import sys
from collections.abc import Sequence

from core.errors import BenchError, WorkspaceHeld
from terminal.local_session import LocalSession
from terminal.options import parser
from terminal.output import run_verb
from terminal.remote import run_through_app


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one verb; returns the exit code."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    options = parser().parse_args(words)
    here = LocalSession()

    def act() -> int:
        check_words(words)
        try:
            return int(options.verb(here, options))
        except WorkspaceHeld as held:
            return run_through_app(words, options, here, held)

    try:
        code = run_verb(here, options, act)
        sys.stdout.flush()  # here, where a reader that went away is caught
        return code
    except BrokenPipeError:  # `| head` has read enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    finally:
        here.end()


def check_words(words: Sequence[str]) -> None:
    """Raises BenchError on an argument that no store or file could hold: bytes of another encoding."""
    for word in words:
        try:
            word.encode()
        except UnicodeEncodeError as error:
            raise BenchError(f"The argument {word!r} is not UTF-8: give it in UTF-8, or rename the file.") from error


if __name__ == "__main__":
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # a terminal without the letters shows their numbers
    code = main()
    runner = sys.modules.get("jobs")
    if runner is None or not runner.is_working():  # else threads that still compute would hold the process up
        atexit._run_exitfuncs()
    os._exit(code)  # the interpreter's own end would list on stderr what of DuckDB a thread still holds
