"""cli.py freeze names the accepted items that no release takes."""

from pathlib import Path
from typing import Any

from core.nouns import Item, Review
from store.items import items
from store.reviews import reviews
from workbench import Workbench

TEXT = "In 1931 the bridge was opened to carts. In 1954 the toll was abolished."


def test_a_frame_that_an_older_version_accepted_is_named(bw: Any, world: dict[str, str], tmp_path: Path) -> None:
    with Workbench.open(tmp_path / "w.duckdb") as bench:
        frame = Item("frame", "implicit_rationale", "How did the crossing change?", (TEXT,), labels={"frame": True})
        items.add(bench.database, [frame])
        reviews.decide(bench.database, Review("k", "frame", 1, "Ada", "accept"))
    said = bw("freeze", "v2", "--allow-unlicensed", "a test", json_too=False)
    assert "frame “How did the crossing change?” (unfilled frame)" in said.err and "1 unfilled frame" in said.out
