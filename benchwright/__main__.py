"""The command `benchwright`, and `python -m benchwright`: the verbs of the command line."""

from cli import run

__all__ = ["run"]

if __name__ == "__main__":
    run()
