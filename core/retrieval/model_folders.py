"""Examines the folder of a model: which parts of a model it contains, which files affect results, and which languages the model
card names."""

import hashlib
from functools import lru_cache
from pathlib import Path

VOCABULARY_FILES = ("tokenizer.json", "vocab.txt", "vocab.json", "*.model", "*.tiktoken")
"""Names of files that contain a tokenizer's vocabulary. If a folder contains none of these files, transformers silently creates
a tokenizer that knows no word."""
_MAX_LANGUAGES = 20
"""Number of languages in a model card above which the model counts as multilingual."""


def is_model_folder(folder: Path) -> bool:
    """Return whether the folder contains a model of transformers or sentence-transformers."""
    return (folder / "config.json").is_file() or (folder / "modules.json").is_file()


def has_tokenizer(folder: Path) -> bool:
    """Return whether the folder contains a tokenizer's vocabulary."""
    return any(True for pattern in VOCABULARY_FILES for _ in folder.rglob(pattern))


def digests(folder: Path) -> list[list[str]]:
    """Return [name, hash] of each file in the folder that may change a vector: all files except hidden files and Markdown."""
    pairs = []
    for file in sorted(folder.rglob("*")):
        name = file.relative_to(folder)
        if file.is_file() and file.suffix != ".md" and not any(part.startswith(".") for part in name.parts):
            stat = file.stat()
            pairs.append([name.as_posix(), _digest(file, stat.st_size, stat.st_mtime_ns)])
    return pairs


@lru_cache(maxsize=256)
def _digest(file: Path, _size: int, _changed: int) -> str:
    """Return the hash of a file. The file is read again only if its size or modification time changed, because the weights of a
    model can have gigabytes."""
    with file.open("rb") as handle:
        return hashlib.file_digest(handle, "blake2b").hexdigest()


def card_languages(folder: Path) -> tuple[str, ...]:
    """Return the languages that the model card names in its front matter; empty if the card names no language or more than
    _MAX_LANGUAGES, or says "multilingual"."""
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
