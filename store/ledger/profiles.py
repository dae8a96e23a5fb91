"""Store which request parameters each endpoint accepts, as learned from its replies (see agents/openai/profile.py)."""

from collections.abc import Mapping
from typing import Any

from store.engine.columns import current_time, from_json, to_json
from store.engine.database import Database


class Profiles:
    """The stored model profiles of one workspace, from which agents know which parameters an endpoint accepts."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def load(self, endpoint: str, model: str, way: str) -> Mapping[str, Any]:
        """Return the stored profile of the model as a dict; an empty dict if nothing is known."""
        records: dict[tuple[str, str, str], Mapping[str, Any]] = self._database.read_cached(
            "profiles", ["profile"], self._read_all
        )
        return records.get((endpoint, model, way), {})

    def save(self, endpoint: str, model: str, way: str, record: Mapping[str, Any]) -> None:
        """Store the profile of the model, replacing an older one."""
        sql = """
            INSERT INTO profile (endpoint, model, way, profile, learned_at) VALUES (?, ?, ?, ?, ?)
            ON CONFLICT (endpoint, model, way) DO UPDATE SET profile = excluded.profile, learned_at = excluded.learned_at
            """
        self._database.execute(sql, [endpoint, model, way, to_json(record), current_time()])

    def _read_all(self) -> dict[tuple[str, str, str], Mapping[str, Any]]:
        rows = self._database.rows("SELECT endpoint, model, way, profile FROM profile")
        return {(endpoint, model, way): from_json(profile) for endpoint, model, way, profile in rows}
