"""Runs the command-line program: the entry point of the command `benchwright` and of `python -m benchwright`."""

from cli import run

__all__ = ["run"]

if __name__ == "__main__":
    run()
