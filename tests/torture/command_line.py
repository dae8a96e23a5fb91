"""Verbs of the command line that the app under torture works: sent to its route, as `cli.py` does."""

import http.client
import json
import time
import uuid
from pathlib import Path

from terminal import token
from tests.torture.journal import Journal

LONG = 120.0
"""Seconds that one verb may take."""
PAUSE = 0.5
"""Seconds after which somebody without an answer goes on."""


class CommandLine:
    """One command line beside the workspace."""

    def __init__(self, port: int, workspace: Path, folder: Path, journal: Journal) -> None:
        self.request = ""
        """What waits for its answer just now."""
        self._port, self._workspace, self._folder, self._journal = port, workspace, folder, journal

    def work(self, *words: str) -> tuple[int | None, str]:
        """Exit status and words of one verb; None when its end was not heard."""
        found = token.read(self._workspace)
        if found is None:
            return None, ""
        self._journal.keep_secret("token of the command line", found.token)
        order = {
            "id": uuid.uuid4().hex,
            "words": [*words, "--json"],
            "folder": str(self._folder),
            "workspace": str(self._workspace),
            "plain": True,
            "environment": {},
        }
        self.request = " ".join(words[:2])
        try:
            return self._send(order, found.token)
        finally:
            self.request = ""

    def _send(self, order: dict[str, object], secret: str) -> tuple[int | None, str]:
        line = http.client.HTTPConnection("127.0.0.1", self._port, timeout=LONG)
        try:
            headers = {"content-type": "application/json", "authorization": f"Bearer {secret}"}
            line.request("POST", "/bench/verb", json.dumps(order), headers)
            answer = line.getresponse()
            lines = [json.loads(each) for each in answer.read().splitlines()]
            said = "".join(str(each.get("err", "")) for each in lines)
            return (int(lines[-1]["exit"]), said) if answer.status == 200 else (None, said)
        except (OSError, http.client.HTTPException, ValueError, KeyError, IndexError, AttributeError):
            time.sleep(PAUSE)
            return None, ""
        finally:
            line.close()
