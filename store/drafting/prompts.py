"""Store edited prompts: every saved version of a prompt's text, and people's choices of the version in use. Stored versions and
choices are never changed or deleted."""

from collections.abc import Mapping
from dataclasses import dataclass

from core.ids import content_hash
from store.engine.columns import Timestamp, current_time, decode_json, insert_row, replace_surrogates, to_json
from store.engine.database import Cursor, Database


@dataclass(frozen=True, slots=True)
class PromptVersion:
    """One saved version of a prompt, identified by the prompt's name and the text's hash."""

    name: str
    number: int
    """Number of the version, from 1. The prompt file that comes with the program has no number."""
    hash: str
    """Hash of the prompt's text."""
    text: str
    """Text of the whole prompt file."""
    identities: Mapping[str, str]
    """Dict from language to the prompt's identity, name@hash, as calls and items record it."""
    note: str
    by: str
    at: Timestamp


@dataclass(frozen=True, slots=True)
class PromptChoice:
    """A person's choice of the version of a prompt that drafting uses."""

    name: str
    version: str | None
    """Hash of the chosen version, or None for the file that comes with the program."""
    by: str
    at: Timestamp


def add(database: Database, name: str, text: str, identities: Mapping[str, str], note: str, by: str) -> PromptVersion:
    """Store the text as the next version of the prompt and start using it. If the text is already stored, drafting uses the
    stored version."""
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
    """Choose the prompt version that drafting uses. `version` is the hash of the version, or None for the file that comes with
    the program."""
    database.write(lambda cursor: _choose(cursor, name, version, by))


def load_versions(database: Database, name: str | None = None) -> list[PromptVersion]:
    """Return the saved versions of one prompt, or of all prompts if no name is given, oldest first."""
    columns = "name, number, hash, text, identities, note, made_by, made_at"
    sql = f"SELECT {columns} FROM prompt_version WHERE ?::VARCHAR IS NULL OR name = ? ORDER BY name, number"
    return [PromptVersion(*decode_json(row, 4)) for row in database.rows(sql, [name, name])]


def load_choices(database: Database, name: str | None = None) -> list[PromptChoice]:
    """Return people's choices of versions for one prompt, or for all prompts if no name is given, oldest first."""
    columns = "name, version, made_by, made_at"
    sql = f"SELECT {columns} FROM prompt_choice WHERE ?::VARCHAR IS NULL OR name = ? ORDER BY number"
    return [PromptChoice(*row) for row in database.rows(sql, [name, name])]


def load_current_versions(database: Database) -> dict[str, str]:
    """Return a dict from prompt name to the hash of its version in use. Prompts are left out if they use the file that comes
    with the program."""
    last = {choice.name: choice.version for choice in load_choices(database)}
    return {name: version for name, version in last.items() if version is not None}


def load_texts(database: Database, chosen: Mapping[str, str]) -> dict[str, str]:
    """Return a dict from prompt name to the prompt's text. The parameter is a dict from prompt name to the hash of the wanted
    version."""
    return {v.name: v.text for v in load_versions(database) if chosen.get(v.name) == v.hash}


def count_calls(database: Database, name: str) -> dict[str, int]:
    """Return a dict from prompt identity (name@hash) to the number of stored LLM calls, for the given prompt in every
    language."""
    sql = "SELECT prompt, count(*) FROM call WHERE starts_with(prompt, ?) GROUP BY prompt ORDER BY prompt"
    return dict(database.rows(sql, [f"{name}."]))


def _choose(cursor: Cursor, name: str, version: str | None, by: str) -> None:
    row = (name, version, by, current_time())
    insert_row(cursor, "prompt_choice", "name, version, made_by, made_at", row, is_numbered=True)
