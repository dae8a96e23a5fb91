"""Folders with a model: their contents, the files that affect results, and the languages of the model card."""

import hashlib
from functools import lru_cache
from pathlib import Path

VOCABULARY_FILES = ("tokenizer.json", "vocab.txt", "vocab.json", "*.model", "*.tiktoken")
"""Vocabulary files of tokenizers. If all are missing, transformers silently creates a tokenizer that knows no word."""
_MAX_LANGUAGES = 20
"""Maximum number of languages in a model card; a model with more languages counts as multilingual."""


def is_model_folder(folder: Path) -> bool:
    """Check whether the folder contains a model of transformers or sentence-transformers."""
    return (folder / "config.json").is_file() or (folder / "modules.json").is_file()


def has_tokenizer(folder: Path) -> bool:
    """Check whether the folder contains the vocabulary of a tokenizer."""
    return any(True for pattern in VOCABULARY_FILES for _ in folder.rglob(pattern))


def digests(folder: Path) -> list[list[str]]:
    """Return [name, digest] of each file that may change a vector: all files except hidden files and Markdown."""
    pairs = []
    for file in sorted(folder.rglob("*")):
        name = file.relative_to(folder)
        if file.is_file() and file.suffix != ".md" and not any(part.startswith(".") for part in name.parts):
            stat = file.stat()
            pairs.append([name.as_posix(), _digest(file, stat.st_size, stat.st_mtime_ns)])
    return pairs


@lru_cache(maxsize=256)
def _digest(file: Path, _size: int, _changed: int) -> str:
    """Return the digest of a file. The file is read again only when its size or time changes, because weights have
    gigabytes."""
    with file.open("rb") as handle:
        return hashlib.file_digest(handle, "blake2b").hexdigest()


def card_languages(folder: Path) -> tuple[str, ...]:
    """Return the languages in the front matter of the model card; empty without languages, for "multilingual", and for a long
    list."""
    import yaml

    card = folder / "README.md"
    text = card.read_text(encoding="utf-8", errors="replace") if card.is_file() else ""
    if not text.startswith("---"):
        return ()
    try:
        front = yaml.safe_load(text.split("---", 2)[1])
    except yaml.YAMLError:
        return ()
    value = front.get("language") if isinstance(front, dict) else None
    languages = [value] if isinstance(value, str) else list(map(str, value or []))
    return () if "multilingual" in languages or len(languages) > _MAX_LANGUAGES else tuple(languages)
