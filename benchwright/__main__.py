"""Starts the command line for the command `benchwright` and for `python -m benchwright`."""

from cli import run

__all__ = ["run"]

if __name__ == "__main__":
    run()
