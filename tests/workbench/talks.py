"""Conversations for tests: two turns each, the second of which refers to the answer of the first."""

import json
from pathlib import Path
from typing import Any

from workbench import Workbench

TALKS = (
    ("mill", "Orvel", "Ada Quill", "1731", "Bath"),
    ("forge", "Tarn", "Bert Vane", "1802", "York"),
    ("dairy", "Selk", "Cora Lunt", "1855", "Leeds"),
)


def records() -> list[dict[str, Any]]:
    """One conversation per business; its two texts are contexts, and a third text that names nobody."""
    made = []
    for thing, place, person, year, town in TALKS:
        owner = f"The {thing} of {place} belonged to {person}, who paid for it in silver."
        life = f"{person} was born in {town} in {year} and never married."
        more = "Somebody was born somewhere in a year that nobody recorded."
        made.append(
            {
                "id": thing,
                "goal": f"Find out who owned the {thing} of {place}, and when that person was born.",
                "domain": "history",
                "language": "en",
                "contexts": [{"title": text.split(" ")[1], "text": text} for text in (owner, life, more)],
                "turns": [
                    {"question": f"Who owned the {thing} of {place}?", "answers": [person], "evidence": [owner]},
                    {
                        "question": "In which year was that person born?",
                        "standalone": f"In which year was {person} born?",
                        "answers": [year],
                        "evidence": [life],
                    },
                ],
            }
        )
    return made


def write_talks(path: Path, made: list[dict[str, Any]] | None = None) -> Path:
    """Write the conversations (default: `records`) as a file, and return its path."""
    lines = [json.dumps(record, ensure_ascii=False) for record in (records() if made is None else made)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def import_talks(bench: Workbench, folder: Path) -> None:
    """Import the conversations into the workspace; all turns are accepted."""
    bench.releases.import_(write_talks(folder / "talks.jsonl"), "conversations")
