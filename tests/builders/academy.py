"""A synthetic world of scholars, institutes and papers, by seed: namesakes, gaps, ties and several values included."""

import random
from typing import Any

from core.tables.nouns import data_hash, snapshot_hash, spec_from_record
from core.tables.world import EntityTable, Tables

SPECS: dict[str, dict[str, Any]] = {
    "institutes": {
        "name": "institutes",
        "entity": "institute",
        "key": "id",
        "label": "name",
        "popularity": "visits",
        "columns": {"id": "text", "name": "text", "founded": "integer", "city": "text", "visits": "integer"},
    },
    "scholars": {
        "name": "scholars",
        "entity": "scholar",
        "key": "id",
        "label": "name",
        "popularity": "cited",
        "columns": {
            "id": "text",
            "name": "text",
            "born": "date",
            "field": "text",
            "institute": "text",
            "cited": "integer",
            "prizes": "integer",
            "joined": "date",
        },
        "relations": [
            {"name": "works_at", "column": "institute", "to": "institutes", "to_column": "id", "many": False, "back": "staff"}
        ],
    },
    "papers": {
        "name": "papers",
        "entity": "paper",
        "key": "id",
        "label": "title",
        "popularity": "cited",
        "columns": {"id": "integer", "title": "text", "year": "integer", "venue": "text", "author": "text", "cited": "number"},
        "relations": [
            {"name": "written_by", "column": "author", "to": "scholars", "to_column": "id", "many": False, "back": "papers"}
        ],
    },
}
_FIRST = ("Ada", "Odo", "Ira", "Lin", "Una", "Bo", "Kei", "Mara", "Nils", "Tove", "Sun", "Pia")
_LAST = ("Quill", "Lisk", "Vane", "Orvel", "Wend", "Tarn", "Skerrow", "Halm", "Brock", "Este")


def academy(scholars: int = 2_000, seed: int = 7) -> Tables:
    """About one name in ten is shared, one cell in twenty is empty."""
    rng = random.Random(seed)
    institutes = [
        (f"I{n}", f"House of {_LAST[n % 10]} {n // 10}", rng.randrange(1800, 2000), rng.choice(_LAST), rng.randrange(1, 900))
        for n in range(max(20, scholars // 20))
    ]
    people, papers = [], []
    for n in range(scholars):
        number = n if rng.random() > 0.1 else rng.randrange(n + 1)
        name = f"{_FIRST[number % 12]} {_LAST[number // 12 % 10]} {number // 120}"
        born = f"{rng.randrange(1900, 1990)}-{rng.randrange(1, 13):02}-{rng.randrange(1, 29):02}"
        gap = rng.random()
        people.append(
            (
                f"S{n}",
                name if n % 97 else name.upper(),
                None if gap < 0.05 else born,
                rng.choice(("ecology", "optics", "law")),
                None if 0.05 < gap < 0.1 else rng.choice(institutes)[0],
                int(rng.lognormvariate(3, 1)),
                rng.randrange(9),
                f"{rng.randrange(1990, 2024)}-{rng.randrange(1, 13):02}-{rng.randrange(1, 29):02}",
            )
        )
        for _ in range(rng.randrange(5)):
            papers.append(
                (
                    len(papers),
                    f"On {rng.choice(_LAST)} {len(papers)}",
                    rng.randrange(2000, 2012),
                    rng.choice(("Acta", "Nova", None)),
                    f"S{n}",
                    rng.randrange(900) / 8,
                )
            )
    return Tables([table(name, rows) for name, rows in (("institutes", institutes), ("scholars", people), ("papers", papers))])


def table(name: str, rows: list[tuple[Any, ...]]) -> EntityTable:
    spec = spec_from_record(SPECS[name])
    return EntityTable(spec, rows, snapshot_hash(spec, data_hash(spec.columns, rows)))
