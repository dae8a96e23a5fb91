"""Store saved agents, without their API keys, as workspace settings with the key agent/NAME."""

from agents.saved import SavedAgent
from store.engine import settings
from store.engine.columns import from_json
from store.engine.database import Database

_PREFIX = "agent/"


def list_agents(database: Database) -> list[SavedAgent]:
    """Return every saved agent, sorted by name."""
    rows = database.rows("SELECT value FROM setting WHERE starts_with(key, ?) ORDER BY key", [_PREFIX])
    return [SavedAgent.from_record(from_json(value)) for (value,) in rows]


def find(database: Database, name: str) -> SavedAgent | None:
    """Return the saved agent with the given name, or None if there is none."""
    record = settings.get(database, _PREFIX + name)
    return None if record is None else SavedAgent.from_record(record)


def put(database: Database, agent: SavedAgent) -> None:
    """Save the agent, replacing a saved agent with the same name."""
    settings.put(database, _PREFIX + agent.name, agent.record)


def remove(database: Database, name: str) -> None:
    """Delete the saved agent; the ledger still contains its LLM calls."""
    settings.remove(database, _PREFIX + name)
