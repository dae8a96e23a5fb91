"""Parses the words of a command in a process that does more than run this command, such as the app: errors are raised, not
printed."""

from argparse import Namespace
from collections.abc import Sequence
from typing import NoReturn

from core.errors import BenchError
from terminal.options import VerbParser, parser


class WordParser(VerbParser):
    """Argument parser that raises its errors: it prints nothing and never ends the process."""

    def error(self, message: str) -> NoReturn:
        raise BenchError(f"{message}.")

    def exit(self, status: int = 0, message: str | None = None) -> NoReturn:
        raise BenchError("Help and version are printed by the command line itself.")

    def _print_message(self, message: str, file: object = None) -> None:
        pass


def check_encoding(words: Sequence[str]) -> None:
    """Check that every word of a command can be written in UTF-8. Raises BenchError if one cannot."""
    for word in words:
        try:
            word.encode()
        except UnicodeEncodeError as error:
            raise BenchError(f"The argument {word!r} is not UTF-8: give it in UTF-8, or rename the file.") from error


def parse_words(words: Sequence[str]) -> Namespace:
    """Return the options that the words of a command give. Raises BenchError if they cannot be parsed, with the parser's
    sentence."""
    check_encoding(words)
    return parser(WordParser).parse_args(list(words))
