"""Store the settings of the workspace, a dict from key to JSON value."""

from typing import Any

from store.engine.columns import from_json, to_json
from store.engine.database import Database


def get(database: Database, key: str, default: Any = None) -> Any:
    """Return the value of the setting, or `default` if it was never set."""
    text = database.read_cached("settings", ["setting"], lambda: dict(database.rows("SELECT key, value FROM setting"))).get(key)
    return default if text is None else from_json(text)


def put(database: Database, key: str, value: Any) -> None:
    """Store `value` under the key of the setting, replacing an earlier value."""
    sql = "INSERT INTO setting (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value"
    database.execute(sql, [key, to_json(value)])


def remove(database: Database, key: str) -> None:
    """Delete the setting, so that reading it gives the default again."""
    database.execute("DELETE FROM setting WHERE key = ?", [key])


def list_settings(database: Database) -> dict[str, Any]:
    """Return a dict from key to value of every stored setting."""
    return {key: from_json(value) for key, value in database.rows("SELECT key, value FROM setting ORDER BY key")}
