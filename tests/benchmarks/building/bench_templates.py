"""10,000 questions from two templates over 100,000 entities, each naming one entity and no other, against a loop over pandas
rows that looks in the frame for another row of that name. The loop is timed on some of its rows and reckoned up."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

from builders.templates.entity_naming import Owners
from builders.templates.template_questions import make
from builders.templates.templates import Template, template_from_record
from core.tables.world import EntityTable, Tables
from tests.benchmarks.table import by_turns, head, row
from tests.builders.academy import academy

ENTITIES, EACH, LOOPED = 100_000, 5_000, 200
RECORDS = (
    {"id": "field", "text": "What is the field of {who}?", "slots": {"who": "name"}, "answer": "field", "table": "scholars"},
    {
        "id": "city",
        "kind": "multi-hop",
        "text": "In what city does {who} work?",
        "slots": {"who": "name"},
        "answer": "works_at.city",
        "table": "scholars",
    },
)


def main() -> None:
    import pandas as pd

    head()
    templates: list[Template] = [template_from_record(record) for record in RECORDS]
    world = academy(ENTITIES)
    people = pd.DataFrame(world["scholars"].rows, columns=list(world["scholars"].spec.columns))
    places = pd.DataFrame(world["institutes"].rows, columns=list(world["institutes"].spec.columns))
    names = people["name"].str.lower()
    made: list[int] = []

    def ours() -> None:
        fresh = Tables(
            [EntityTable(one.spec, one.rows, one.hash) for one in world.values()]
        )  # nothing is known of the rows yet
        owners: Owners = {}  # as a job keeps it
        made.append(sum(len(make(fresh, one, n=EACH, cap=EACH, owners=owners).items) for one in templates))

    def loop() -> None:
        """Both templates' questions of the first rows that name one entity alone and have an answer."""
        found = 0
        for _, one in people.iterrows():
            if (names == one["name"].lower()).sum() != 1 or pd.isna(one["institute"]):
                continue
            city = places.loc[places["id"] == one["institute"], "city"].iloc[0]
            asked = (f"What is the field of {one['name']}?", one["field"]), (f"In what city does {one['name']} work?", city)
            found += len(asked)
            if found >= LOOPED:
                return

    took, mine = by_turns(loop, ours, rounds=2)
    row(f"{made[-1]:,} questions over {ENTITIES:,} entities", "a loop over pandas rows", took / LOOPED * made[-1], mine, 3.0)


if __name__ == "__main__":
    main()
