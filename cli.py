"""Run the command line: the app's verbs (commands such as `run` or `freeze`) on a terminal. Scripts depend on the verbs' names,
JSON formats and exit codes. The exit codes are: 0 for success, 1 for an error that the user can fix, 2 for wrong usage, and 3
if another process than the app has the workspace open. With --json, stdout contains only JSON; progress and messages go to
stderr. If the app has the workspace open, the app runs the verb, with the same output. If the options name a team's server, the
server runs the verb."""

import atexit
import io
import os
import sys
from collections.abc import Sequence

from core.errors import WorkspaceHeld
from core.installation import complete_name
from terminal.local_session import LocalSession
from terminal.options import parser
from terminal.output import run_verb
from terminal.remote import run_through_app
from terminal.team_server import find_server, run_on_server
from terminal.word_parser import check_encoding


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one verb of the command line; return its exit code."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    options = parser().parse_args(words)
    session = LocalSession()

    def act() -> int:
        check_encoding(words)
        server = find_server(options)
        if server is not None:
            return run_on_server(server, words, session)
        try:
            return int(options.verb(session, options))
        except WorkspaceHeld as held:
            return run_through_app(words, options, session, held)

    try:
        code = run_verb(session, options, act)
        sys.stdout.flush()  # a closed pipe is caught here
        return code
    except BrokenPipeError:  # a reader such as `| head` has read enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    finally:
        session.end()


def run() -> None:
    """Run the verb that the command-line arguments name, and end the process with the verb's exit code."""
    if sys.platform == "win32":
        sys.exit(
            "Benchwright runs on Linux and macOS, because it needs their processes and file permissions: use WSL on Windows."
        )
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # a terminal without these letters shows their numbers
    code = main()
    runner = sys.modules.get(complete_name("jobs"))
    if runner is None or not runner.is_working():  # threads that still compute would delay the functions that run at exit
        atexit._run_exitfuncs()
    os._exit(code)  # a normal exit would print the DuckDB objects of running threads to stderr


if __name__ == "__main__":
    run()
