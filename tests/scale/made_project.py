"""A made project of any size: passages with a question on each, in SQuAD's format, and the decisions of reviewers."""

import json
import os
import random
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from streamlit.testing.v1 import AppTest

import jobs
import workbench
from store.engine.database import Cursor
from store.queue.kind import ANY_KIND
from workbench import Workbench
from workbench.annotate.reviewing.desk_visits import DeskStep

PAGES = ("build/corpus", "annotate/find", "annotate/review", "annotate/progress")

PLACES = ("Alder", "Birch", "Cedar", "Dogwood", "Elm", "Fir", "Ginkgo", "Hazel", "Ivy", "Juniper", "Kapok", "Larch")
TRADES = ("mill", "forge", "press", "dairy", "quarry", "ferry", "school", "library", "bakery", "tannery", "inn", "market")
SENTENCES = (
    "The council keeps an account of every repair since the first winter.",
    "Visitors come by the old road in spring and leave by the river when the water is high.",
    "A clerk writes the names of all families in one book, and the book stays in the tower.",
    "Two bells ring at noon, one for the field and one for the harbour.",
    "Nobody remembers who planted the trees behind the wall, but the oldest letter speaks of a gardener.",
)


def write_squad(path: Path, size: int, seed: int = 7) -> None:
    """Write so many articles of one passage and one question each; the seed decides years and sentences."""
    with path.open("w", encoding="utf-8") as file:
        file.write('{"version": "1.1", "data": [')
        for number, article in enumerate(_make_articles(size, seed)):
            file.write(("," if number else "") + json.dumps(article))
        file.write("]}")


def wait_for_review(path: Path, each: int = 20) -> None:
    """Make one of so many items a draft that waits for review, as if the project still had work."""

    def write(cursor: Cursor) -> None:
        for table in ("state", "revision"):
            cursor.execute(f"UPDATE {table} SET status = 'drafted' WHERE number % ? = 0", [each])

    with Workbench.open(path) as bench:
        bench.database.write(write)


def add_decisions(path: Path, each: int) -> None:
    """Add so many decisions on every accepted item, as that many reviewers would have made them."""

    def write(cursor: Cursor) -> None:
        cursor.execute(
            """
            INSERT INTO review BY NAME
            SELECT item || '-' || k AS id, (number - 1) * ? + k + (SELECT coalesce(max(number), 0) FROM review) AS number, item,
                revision, 'reviewer ' || k AS person, 'accept' AS decision, '' AS reason, '' AS comment, 20.0 AS seconds,
                '2026-03-' || lpad((1 + k % 28)::VARCHAR, 2, '0') || 'T10:00:00+00:00' AS made_at, '{}' AS details,
                'opinion' AS role
            FROM state, (SELECT unnest(range(1, ? + 1)) AS k)
            WHERE status = 'accepted'
            """,
            [each, each],
        )

    with Workbench.open(path) as bench:
        bench.database.write(write)


def take_items(path: Path, count: int) -> None:
    """Go from item to item of the queue so often, as the desk does."""
    with Workbench.open(path) as bench:
        item = bench.reviews.find_next(ANY_KIND, "Ada")
        for number in range(count):
            assert item is not None, f"the queue ended after {number} items"
            data = bench.desk_visits.step(DeskStep("Ada", "tab", f"step {number}", number, item, "next"))
            item = data.item.id if data else None


def open_pages(path: Path) -> None:
    """Open the pages that read the whole project, as AppTest does: Home, Corpus, Find, Review and Progress."""
    os.environ["BENCHWRIGHT_WORKSPACE"] = str(path)
    app = AppTest.from_file(str(Path(__file__).resolve().parents[2] / "app.py"), default_timeout=600)
    app.session_state["person_name"] = "Ada"
    app.run()
    for page in PAGES:
        app.switch_page(f"pages/{page}.py").run()
        assert not app.exception, (page, app.exception)
    jobs.stop(workbench.open_workbench())
    workbench.close_workbench()


def _make_articles(size: int, seed: int) -> Iterator[dict[str, Any]]:
    random_state = random.Random(seed)
    for number in range(size):
        place = f"{PLACES[number % len(PLACES)]}{number:07d}"
        trade, year = random_state.choice(TRADES), str(random_state.randrange(1200, 1990))
        first = f"The {trade} of {place} was opened in {year}."
        context = " ".join([first, *random_state.sample(SENTENCES, 3)])
        question = {
            "id": f"made-{number:07d}",
            "question": f"When was the {trade} of {place} opened?",
            "answers": [{"text": year, "answer_start": first.index(year)}],
        }
        yield {"title": place, "paragraphs": [{"context": context, "qas": [question]}]}


if __name__ == "__main__":
    name, folder, *numbers = sys.argv[1:]
    next(step for step in (write_squad, wait_for_review, add_decisions, take_items, open_pages) if step.__name__ == name)(
        Path(folder), *map(int, numbers)
    )
