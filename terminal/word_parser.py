"""Parses command-line arguments in a process that must continue after an error, such as the app: errors are raised instead of
printed."""

from argparse import Namespace
from collections.abc import Sequence
from typing import NoReturn

from core.errors import BenchError
from terminal.options import VerbParser, parser


class WordParser(VerbParser):
    """Argument parser that raises BenchError for each error, prints nothing and never ends the process."""

    def error(self, message: str) -> NoReturn:
        raise BenchError(f"{message}.")

    def exit(self, status: int = 0, message: str | None = None) -> NoReturn:
        raise BenchError("Only the command line itself prints the help and the version: leave out --help and --version.")

    def _print_message(self, message: str, file: object = None) -> None:
        pass


def check_encoding(words: Sequence[str]) -> None:
    """Check that every argument of a command can be encoded in UTF-8. Raises BenchError for an argument that cannot."""
    for word in words:
        try:
            word.encode()
        except UnicodeEncodeError as error:
            raise BenchError(f"The argument {word!r} is not UTF-8: give it in UTF-8, or rename the file.") from error


def parse_words(words: Sequence[str]) -> Namespace:
    """Parse the arguments of a command and return its options. Raises BenchError with the parser's message if the arguments
    cannot be parsed."""
    check_encoding(words)
    return parser(WordParser).parse_args(list(words))
