"""A release's splits: near duplicates stay together, and the manifest, the check and the card say so."""

from pathlib import Path

from core.ids import content_hash
from core.nouns import Document, Item, Release
from store.corpus import documents
from store.items import items
from store.releases import releases
from store.releases.manifest import release_hash
from workbench import Workbench

TOWN = "A text of the town."
WORDS = ["tram", "mill", "quarry", "bell", "bridge", "harbour", "forge", "barn", "dairy", "depot", "lock", "canal"]


def test_a_family_is_kept_together_and_written_down(tmp_path: Path) -> None:
    with Workbench.open(tmp_path / "w.duckdb") as bench:
        documents.add(bench.database, [Document(content_hash(TOWN), TOWN, "Town", licence="CC0-1.0")])
        made = [
            Item(
                f"{place}{twin}",
                "question_answering",
                f"In which year did the {word} at Orvel burn down{mark}?",
                (f"19{place:02}",),
                status="accepted",
                given=(content_hash(TOWN),),
            )
            for place, word in enumerate(WORDS)
            for twin, mark in (("a", ""), ("b", ", then"))
        ]
        items.add(bench.database, made)
        bench.releases.freeze("v1", split="dev=0.5,test=0.5", seed=4)
        release, _ = bench.releases.get("v1")
        kin = release.manifest["splits"]["families"]
        assert [sorted(family) for family in kin] == sorted([f"{n}a", f"{n}b"] for n in range(len(WORDS)))
        splits = {row["id"]: row["split"] for row in release.manifest["items"]}
        assert all(splits[a] == splits[b] for a, b in kin) and list(splits.values()).count("dev") == len(WORDS)
        assert release.manifest["splits"]["seed"] == 4 and bench.releases.verify("v1").ok
        bench.releases.export("v1", "jsonl", tmp_path / "out")
        card = (tmp_path / "out" / "README.md").read_text(encoding="utf-8")
        assert "each family is in one split: 12 families of 24 items, the largest of 2." in card and "with the seed 4" in card

        rows = [row | {"split": "test" if row["id"] == "0a" else "dev"} for row in release.manifest["items"]]
        torn = dict(release.manifest) | {"items": rows}
        releases.save(bench.database, Release("v2", release_hash(torn), torn))
        [found] = bench.releases.verify("v2").problems
        assert (found.id, found.message) == ("0a", "and its family are in the splits dev and test.")


def test_a_release_without_splits_looks_for_no_families(tmp_path: Path) -> None:
    with Workbench.open(tmp_path / "w.duckdb") as bench:
        documents.add(bench.database, [Document(content_hash(TOWN), TOWN, "Town", licence="CC0-1.0")])
        items.add(bench.database, [Item(n, "question_answering", "Who?", ("A",), status="accepted") for n in "ab"])
        bench.releases.freeze("v1")
        assert bench.releases.get("v1")[0].manifest["splits"] == {"shares": {}, "seed": 0}
