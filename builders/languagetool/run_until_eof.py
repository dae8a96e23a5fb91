"""Run a command until the standard input of this process closes, which shows that the parent process has ended. Start this file
as a script, with the command as its arguments."""

import os
import subprocess
import sys
import threading


def run_until_eof(command: list[str]) -> int:
    """Run the command and return its exit status. Kill the command when the standard input of this process closes."""
    child = subprocess.Popen(command, stdin=subprocess.DEVNULL)

    def kill_at_eof() -> None:
        while os.read(sys.stdin.fileno(), 4096):
            pass
        child.kill()

    threading.Thread(target=kill_at_eof, daemon=True).start()
    return child.wait()


if __name__ == "__main__":
    sys.exit(run_until_eof(sys.argv[1:]))
