"""Optional packages that split text into words for languages without spaces."""

import threading
from collections.abc import Callable
from functools import cache
from importlib.metadata import PackageNotFoundError, version

_MAX_SUDACHI_CHARACTERS = 10_000
"""Maximum number of characters in one call of SudachiPy, which reads at most 49,149 bytes at a time."""
Cutter = Callable[[str], list[str]]


def _open_sudachi() -> Cutter:
    """Return a function that splits Japanese with SudachiPy in mode A, which gives the shortest words; its dictionary is the
    package sudachidict_core."""
    from sudachipy import Dictionary, SplitMode

    tokenizer, lock = Dictionary().create(mode=SplitMode.A), threading.Lock()

    def cut(text: str) -> list[str]:
        pieces = (text[at : at + _MAX_SUDACHI_CHARACTERS] for at in range(0, len(text), _MAX_SUDACHI_CHARACTERS))
        with lock:  # a tokenizer is not thread-safe
            return [morpheme.surface() for piece in pieces for morpheme in tokenizer.tokenize(piece)]

    return cut


def _open_pythainlp() -> Cutter:
    """Return a function that splits Thai with PyThaiNLP's maximal matching (newmm)."""
    from pythainlp.tokenize import word_tokenize

    return lambda text: [str(word) for word in word_tokenize(text, engine="newmm")]


_OPENERS: dict[str, Callable[[], Cutter]] = {"sudachipy": _open_sudachi, "pythainlp": _open_pythainlp}


@cache
def open_cutter(package: str) -> Cutter | None:
    """Return the function by which the package splits a text into words, white space and punctuation, or None if the package is
    not installed."""
    if not package:
        return None
    try:
        return _OPENERS[package]()
    except ImportError:
        return None


@cache
def describe_cutter(package: str) -> str:
    """Return the name and version of the package that splits words, which become part of a score's version; "" if the package
    is not installed."""
    if open_cutter(package) is None:
        return ""
    try:
        return f"{package} {version(package)}"
    except PackageNotFoundError:
        return package
