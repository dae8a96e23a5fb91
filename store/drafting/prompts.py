"""Edited prompts: every saved version of a prompt file's words, and which of them stands now. Nothing here is ever changed
or removed."""

from collections.abc import Mapping
from dataclasses import dataclass

from core.ids import content_hash
from store.engine.columns import current_time, from_json, replace_surrogates, to_json
from store.engine.database import Cursor, Database

_ALL_COLUMNS = "name, number, hash, text, identities, note, made_by, made_at"


@dataclass(frozen=True, slots=True)
class PromptVersion:
    """One saved version. Identity: name and hash."""

    name: str
    number: int
    """1 for the first version of its prompt; the delivered file has none."""
    hash: str
    """Of the words."""
    text: str
    """The whole file."""
    identities: Mapping[str, str]
    """Language -> name@hash, as calls and items carry it."""
    note: str
    by: str
    at: str
    """UTC, ISO format."""


@dataclass(frozen=True, slots=True)
class PromptChoice:
    """Somebody's decision on which words stand."""

    name: str
    version: str | None
    """Hash of a version; None = the delivered file."""
    by: str
    at: str


def add(database: Database, name: str, text: str, identities: Mapping[str, str], note: str, by: str) -> PromptVersion:
    """Store these words as the prompt's next version, and let them stand. The same words again are the version they were."""
    words = replace_surrogates(text)
    hash = content_hash(words)
    row = [
        f"{name}@{hash}",
        name,
        hash,
        words,
        to_json(dict(identities)),
        replace_surrogates(note),
        replace_surrogates(by),
        current_time(),
        name,
    ]

    def write(cursor: Cursor) -> None:
        cursor.execute(
            """
            INSERT INTO prompt_version (key, name, hash, text, identities, note, made_by, made_at, number)
            SELECT ?, ?, ?, ?, ?, ?, ?, ?, coalesce(max(number), 0) + 1
            FROM prompt_version
            WHERE name = ?
            ON CONFLICT DO NOTHING
            """,
            row,
        )
        _choose(cursor, name, hash, by)

    database.write(write)
    return next(version for version in load_versions(database, name) if version.hash == hash)


def choose(database: Database, name: str, version: str | None, by: str) -> None:
    """Let the version of that hash stand; None = the delivered file."""
    database.write(lambda cursor: _choose(cursor, name, version, by))


def load_versions(database: Database, name: str | None = None) -> list[PromptVersion]:
    """The versions of that prompt, or of all, oldest first."""
    rows = database.rows(
        f"SELECT {_ALL_COLUMNS} FROM prompt_version WHERE ?::VARCHAR IS NULL OR name = ? ORDER BY name, number", [name, name]
    )
    return [
        PromptVersion(name, number, hash, text, from_json(identities), note, by, at)
        for name, number, hash, text, identities, note, by, at in rows
    ]


def load_choices(database: Database, name: str | None = None) -> list[PromptChoice]:
    """Every decision on that prompt, or on all, oldest first."""
    rows = database.rows(
        """
        SELECT name, version, made_by, made_at
        FROM prompt_choice
        WHERE ?::VARCHAR IS NULL OR name = ?
        ORDER BY number
        """,
        [name, name],
    )
    return [PromptChoice(*row) for row in rows]


def load_current_versions(database: Database) -> dict[str, str]:
    """Prompt name -> hash of the version that stands; those with their delivered words are left out."""
    last = {choice.name: choice.version for choice in load_choices(database)}
    return {name: version for name, version in last.items() if version is not None}


def load_texts(database: Database, chosen: Mapping[str, str]) -> dict[str, str]:
    """Prompt name -> words, of the versions with those hashes."""
    return {v.name: v.text for v in load_versions(database) if chosen.get(v.name) == v.hash}


def count_calls(database: Database, name: str) -> dict[str, int]:
    """Prompt identity -> stored calls that carry it, of that prompt in every language."""
    rows = database.rows(
        "SELECT prompt, count(*) FROM call WHERE starts_with(prompt, ?) GROUP BY prompt ORDER BY prompt", [f"{name}."]
    )
    return dict(rows)


def _choose(cursor: Cursor, name: str, version: str | None, by: str) -> None:
    cursor.execute(
        """
        INSERT INTO prompt_choice (number, name, version, made_by, made_at)
        SELECT coalesce(max(number), 0) + 1, ?, ?, ?, ?
        FROM prompt_choice
        """,
        [name, version, replace_surrogates(by), current_time()],
    )
