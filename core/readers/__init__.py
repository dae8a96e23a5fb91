"""Readers: bytes of a file become text, title and meta; what cannot be read becomes one sentence, and the rest goes on."""

from core.readers.read import FORMATS, read_file
from core.readers.reading import LONGEST, Read, Refused

__all__ = ["FORMATS", "LONGEST", "Read", "Refused", "read_file"]
