"""Readers: bytes of a file become text, title and meta; what cannot be read becomes one sentence, and the rest goes on."""

from core.readers.isolated import is_small, read_file, read_page, read_small
from core.readers.read import FORMATS
from core.readers.reading import MAX_DOCUMENT_CHARACTERS, ReadDocument, RefusedFile

__all__ = [
    "FORMATS",
    "MAX_DOCUMENT_CHARACTERS",
    "ReadDocument",
    "RefusedFile",
    "is_small",
    "read_file",
    "read_page",
    "read_small",
]
