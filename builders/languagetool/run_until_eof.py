"""Runs a command until its own standard input ends: the process that holds the other end of that pipe has ended, however it
ended. Started as a script, with the command as its arguments."""

import os
import subprocess
import sys
import threading


def run_until_eof(command: list[str]) -> int:
    """The command's exit status; it is killed when the standard input of this process ends."""
    child = subprocess.Popen(command, stdin=subprocess.DEVNULL)

    def kill_at_eof() -> None:
        while os.read(sys.stdin.fileno(), 4096):
            pass
        child.kill()

    threading.Thread(target=kill_at_eof, daemon=True).start()
    return child.wait()


if __name__ == "__main__":
    sys.exit(run_until_eof(sys.argv[1:]))
