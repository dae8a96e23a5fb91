"""Packages that cut the words of languages without spaces, where they are installed; the product does not need them."""

import threading
from collections.abc import Callable
from functools import cache
from importlib.metadata import PackageNotFoundError, version

_MAX_SUDACHI_CHARACTERS = 10_000
"""It reads at most 49,149 bytes at a time."""
Cutter = Callable[[str], list[str]]


def _open_sudachi() -> Cutter:
    """SudachiPy in mode A, its shortest words; the package sudachidict_core is its dictionary."""
    from sudachipy import Dictionary, SplitMode

    tokenizer, lock = Dictionary().create(mode=SplitMode.A), threading.Lock()

    def cut(text: str) -> list[str]:
        pieces = (text[at : at + _MAX_SUDACHI_CHARACTERS] for at in range(0, len(text), _MAX_SUDACHI_CHARACTERS))
        with lock:  # one tokenizer serves one thread at a time
            return [morpheme.surface() for piece in pieces for morpheme in tokenizer.tokenize(piece)]

    return cut


def _open_pythainlp() -> Cutter:
    """PyThaiNLP's maximal matching (newmm)."""
    from pythainlp.tokenize import word_tokenize

    return lambda text: [str(word) for word in word_tokenize(text, engine="newmm")]


_OPENERS: dict[str, Callable[[], Cutter]] = {"sudachipy": _open_sudachi, "pythainlp": _open_pythainlp}


@cache
def open_cutter(package: str) -> Cutter | None:
    """The function that cuts a text into words, white space and punctuation among them; None without the package."""
    if not package:
        return None
    try:
        return _OPENERS[package]()
    except ImportError:
        return None


@cache
def describe_cutter(package: str) -> str:
    """The package with its version, which is part of a score's version; "" without it."""
    if open_cutter(package) is None:
        return ""
    try:
        return f"{package} {version(package)}"
    except PackageNotFoundError:
        return package
