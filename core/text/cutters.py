"""Packages that cut the words of languages without spaces, where they are installed; the product does not need them."""

from collections.abc import Callable
from functools import cache
from importlib.metadata import PackageNotFoundError, version

Cutter = Callable[[str], list[str]]


def _open_sudachi() -> Cutter:
    """SudachiPy in mode A, its shortest words; the package sudachidict_core is its dictionary."""
    from sudachipy import Dictionary, SplitMode

    tokenizer = Dictionary().create(mode=SplitMode.A)
    return lambda text: [morpheme.surface() for morpheme in tokenizer.tokenize(text)]


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
