"""Run as a separate process that reads benchmark files of other projects with limited time and memory. The module
store/formats/_bounded.py starts this process and sends it requests."""

import pickle
from collections.abc import Iterator, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

from core.catalog import pick
from core.errors import BenchError
from core.readers.bounds import bound_address_space, serve
from store.format import Bundle, formats

ROWS_PER_ANSWER = 500
"""Maximum number of records that this process sends at once."""


def answers(order: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """Read the file of the request {"form", "path", "memory"} and yield pairs. Each field of a bundle gives (field name,
    value), in several parts if it is a long list; the end of a bundle gives ("bundle", None); an error gives ("error",
    message). `memory` is the maximum address space in bytes."""
    bound_address_space(order["memory"], may_be_raised=True)
    path, kind = Path(order["path"]), pick(formats(), order["form"], "format")
    try:
        for bundle in kind.pieces(path) if kind.pieces else [kind.read(path)] if kind.read else []:
            yield from _list_parts(bundle)
    except BenchError as error:
        yield "error", str(error)
    except OSError as error:
        yield "error", f"{error.filename or path} cannot be read ({error.strerror}): check the file."


def _list_parts(bundle: Bundle) -> Iterator[tuple[str, Any]]:
    for field in fields(bundle):
        value = getattr(bundle, field.name)
        if isinstance(value, Sequence) and not isinstance(value, str):
            for start in range(0, len(value), ROWS_PER_ANSWER):
                yield field.name, list(value[start : start + ROWS_PER_ANSWER])
        else:
            yield field.name, value
    yield "bundle", None


if __name__ == "__main__":
    serve(answers, None, pickle.dumps)
