"""Edited prompts: every saved version of a prompt file's text, and the version in use. Rows are only added."""

from collections.abc import Mapping
from dataclasses import dataclass

from core.ids import content_hash
from store.engine.columns import Timestamp, current_time, decode_json, insert_row, replace_surrogates, to_json
from store.engine.database import Cursor, Database


@dataclass(frozen=True, slots=True)
class PromptVersion:
    """One saved version of a prompt, identified by name and hash."""

    name: str
    number: int
    """Number of the version, from 1; the delivered file has no number."""
    hash: str
    """Hash of the prompt's text."""
    text: str
    """Text of the whole file."""
    identities: Mapping[str, str]
    """Identity (name@hash) by language, as in calls and items."""
    note: str
    by: str
    at: Timestamp


@dataclass(frozen=True, slots=True)
class PromptChoice:
    """A person's choice of the prompt version to use."""

    name: str
    version: str | None
    """Hash of a version; None = the delivered file."""
    by: str
    at: Timestamp


def add(database: Database, name: str, text: str, identities: Mapping[str, str], note: str, by: str) -> PromptVersion:
    """Store the text as the next version of the prompt and start using it. A text that is already stored keeps its version."""
    words = replace_surrogates(text)
    hash = content_hash(words)
    sql = """
        INSERT INTO prompt_version (key, name, hash, text, identities, note, made_by, made_at, number)
        SELECT ?, ?, ?, ?, ?, ?, ?, ?, coalesce(max(number), 0) + 1
        FROM prompt_version
        WHERE name = ?
        ON CONFLICT DO NOTHING
        """

    def write(cursor: Cursor) -> None:
        cursor.execute(sql, [f"{name}@{hash}", name, hash, words, to_json(identities), note, by, current_time(), name])
        _choose(cursor, name, hash, by)

    database.write(write)
    return next(version for version in load_versions(database, name) if version.hash == hash)


def choose(database: Database, name: str, version: str | None, by: str) -> None:
    """Use the prompt version with the given hash; None means the file shipped with the program."""
    database.write(lambda cursor: _choose(cursor, name, version, by))


def load_versions(database: Database, name: str | None = None) -> list[PromptVersion]:
    """Return the versions of one prompt, or of all prompts, oldest first."""
    columns = "name, number, hash, text, identities, note, made_by, made_at"
    sql = f"SELECT {columns} FROM prompt_version WHERE ?::VARCHAR IS NULL OR name = ? ORDER BY name, number"
    return [PromptVersion(*decode_json(row, 4)) for row in database.rows(sql, [name, name])]


def load_choices(database: Database, name: str | None = None) -> list[PromptChoice]:
    """Return all version choices for one prompt, or for all prompts, oldest first."""
    columns = "name, version, made_by, made_at"
    sql = f"SELECT {columns} FROM prompt_choice WHERE ?::VARCHAR IS NULL OR name = ? ORDER BY number"
    return [PromptChoice(*row) for row in database.rows(sql, [name, name])]


def load_current_versions(database: Database) -> dict[str, str]:
    """Return prompt name -> hash of the version in use. Prompts that use the shipped file are left out."""
    last = {choice.name: choice.version for choice in load_choices(database)}
    return {name: version for name, version in last.items() if version is not None}


def load_texts(database: Database, chosen: Mapping[str, str]) -> dict[str, str]:
    """Return prompt name -> text of the chosen version, given prompt name -> hash."""
    return {v.name: v.text for v in load_versions(database) if chosen.get(v.name) == v.hash}


def count_calls(database: Database, name: str) -> dict[str, int]:
    """Return prompt identity -> number of its stored calls, for one prompt in every language."""
    sql = "SELECT prompt, count(*) FROM call WHERE starts_with(prompt, ?) GROUP BY prompt ORDER BY prompt"
    return dict(database.rows(sql, [f"{name}."]))


def _choose(cursor: Cursor, name: str, version: str | None, by: str) -> None:
    row = (name, version, by, current_time())
    insert_row(cursor, "prompt_choice", "name, version, made_by, made_at", row, is_numbered=True)
