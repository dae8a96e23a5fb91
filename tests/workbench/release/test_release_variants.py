"""Variants in releases: which go in, which are counted out, that they come back as they went, and that a changed one is
found."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from core.ids import content_hash
from core.nouns import Document, Item, Span, Variant
from store.corpus import documents
from store.items import items
from store.variants import variants
from workbench import Workbench
from workbench.release.checking import verify_folder
from workbench.release.comparing import ChangedVariants

TEXTS = (
    "Marta Quill drew the bridge at Orvel.",
    "A ferry crossed the Senn until 1954.",
    "Fire took the mill in winter 1902.",
    "Judges sat in Harmal for nine days.",
    "The tower leans two degrees to the east.",
    "Forty pupils learnt Latin there.",
    "Herring sold for six pence a dozen.",
    "Silt closed the harbour to large ships.",
)
ASKED = (
    "Who planned the bridge?",
    "How long did a boat run?",
    "What destroyed the grinding house?",
    "Where was the hearing?",
    "Which way does it lean?",
    "What language was taught?",
    "How dear was fish?",
    "Why do ships stay away?",
)
KINDS = ("spelling", "formality")


def question(n: int) -> Item:
    id_, text = content_hash(TEXTS[n]), TEXTS[n]
    return Item(f"q{n}", "question_answering", ASKED[n], ("x",), (Span(id_, 0, len(text)),), status="accepted", given=(id_,))


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Workbench]:
    """Eight items; of each an accepted spelling variant and a drafted formality variant, of the first a discarded one too; the
    second item was edited after its variants were made."""
    with Workbench.open(tmp_path / "w.duckdb") as bench:
        documents.add(bench.database, [Document(content_hash(text), text, "Orvel", licence="CC0-1.0") for text in TEXTS])
        items.add(bench.database, [question(n) for n in range(len(ASKED))])
        made = [
            Variant(
                f"{kind}{n}",
                f"q{n}",
                1,
                kind,
                f"{kind}: {words}",
                "accepted" if kind == KINDS[0] else "drafted",
                "nlpaug 1.1.11",
                7,
                {"flags": [], "similarity": 0.91},
            )
            for n, words in enumerate(ASKED)
            for kind in KINDS
        ]
        variants.add(bench.database, [*made, Variant("gone", "q0", 1, "spelling", "Whoo?", "discarded")])
        bench.reviews.decide("q1", "accept", person="Ada", question="Who drew the plans of the ferry?")
        yield bench


def held(bench: Workbench, name: str) -> set[str]:
    return {v.id for v in bench.releases.get(name)[1].variants}


def test_accepted_ones_go_in_and_all_others_are_counted(bench: Workbench) -> None:
    preview = bench.release_browser.preview().variants
    made = bench.releases.freeze("v1")
    assert held(bench, "v1") == {f"spelling{n}" for n in (0, 2, 3, 4, 5, 6, 7)} and made.variants == 7
    assert made.variants_left_out == {"discarded": 1, "drafted": 7, "moved_on": 2}
    assert preview == {"accepted": 7, "discarded": 1, "drafted": 7, "moved_on": 2}


def test_drafted_ones_go_in_when_asked_for_and_discarded_ones_never(bench: Workbench, tmp_path: Path) -> None:
    made = bench.releases.freeze("v1", unreviewed_variants=True)
    assert made.variants == 14 and "gone" not in held(bench, "v1")
    assert made.variants_left_out == {"discarded": 1, "moved_on": 2}
    bench.releases.export("v1", "jsonl", tmp_path / "out")
    card = (tmp_path / "out" / "README.md").read_text(encoding="utf-8")
    assert "14 variants of 7 questions" in card and "| formality | 7 | nlpaug 1.1.11 (7) | 0 | 7 |" in card


@pytest.mark.parametrize("form", ["jsonl", "parquet", "huggingface"])
def test_lineage_comes_back_as_it_went(bench: Workbench, tmp_path: Path, form: str) -> None:
    bench.releases.freeze("v1", split="dev=0.5,test=0.5", unreviewed_variants=True)
    bench.releases.export("v1", form, tmp_path / "out")
    assert verify_folder(tmp_path / "out").ok
    with Workbench.open(":memory:") as other:
        came = other.releases.import_(tmp_path / "out", form)
        assert (came.items, came.refused, came.release) == (8, [], "v1")
        for name in ("variants", "items"):
            before, after = (sorted(getattr(b.releases.get("v1")[1], name), key=lambda one: one.id) for b in (bench, other))
            assert before == after
        assert other.releases.verify("v1").ok and other.releases.get("v1")[0].hash == bench.releases.get("v1")[0].hash
        again = other.releases.import_(tmp_path / "out", form)
        assert (again.items, again.already, len(variants.list_variants(other.database))) == (0, 8, 14)


def test_on_the_hub_a_variant_is_in_its_items_split(bench: Workbench, tmp_path: Path) -> None:
    import pyarrow.parquet as parquet

    bench.releases.freeze("v1", split="dev=0.5,test=0.5")
    bench.releases.export("v1", "huggingface", tmp_path / "out")
    data = tmp_path / "out" / "data"
    of = {
        split: {row["id"] for row in parquet.read_table(data / "items" / f"{split}.parquet").to_pylist()}
        for split in ("dev", "test")
    }
    for split in ("dev", "test"):
        rows = parquet.read_table(data / "variants" / f"{split}.parquet").to_pylist()
        assert rows and {row["item"] for row in rows} <= of[split]


def test_verify_finds_a_changed_variant_in_the_workspace_and_in_a_folder(bench: Workbench, tmp_path: Path) -> None:
    bench.releases.freeze("v1")
    bench.releases.export("v1", "jsonl", tmp_path / "out")
    file = tmp_path / "out" / "variants.jsonl"
    said = file.read_text(encoding="utf-8")
    file.write_text(said.replace("spelling: What destroyed", "spelling: What took"), encoding="utf-8")
    problems = verify_folder(tmp_path / "out").problems
    assert ("variants.jsonl", "spelling2") in {(row.file, row.id) for row in problems}
    with Workbench.open(":memory:") as other:
        refused = other.releases.import_(tmp_path / "out", "jsonl")
        assert "content hash differs" in refused.refused[0].message and refused.release is None
    assert bench.releases.verify("v1").ok
    bench.database.write(lambda cursor: cursor.execute("UPDATE variant SET text = 'other' WHERE id = 'spelling3'"))
    found = bench.releases.verify("v1")
    assert not found.ok and [(p.file, p.id) for p in found.problems] == [("variants", "spelling3")]


def test_a_status_that_changes_later_changes_no_release(bench: Workbench) -> None:
    bench.releases.freeze("v1")
    bench.reviews.decide("spelling0", "discard", person="Ada", reason="no")
    assert bench.releases.verify("v1").ok
    assert {v.id: v.status for v in bench.release_browser.item("v1", "q0").variants} == {"spelling0": "accepted"}


def test_compare_tells_which_variants_came_and_went(bench: Workbench) -> None:
    bench.releases.freeze("v1")
    bench.reviews.decide("formality0", "accept", person="Ada")
    bench.reviews.decide("spelling0", "discard", person="Ada", reason="no")
    bench.releases.freeze("v2")
    assert bench.releases.diff("v1", "v2").variants == ChangedVariants(added=["formality0"], removed=["spelling0"], reviewed=[])


def test_an_edited_variant_says_so_in_the_release(bench: Workbench) -> None:
    from workbench.annotate.wordings.variants import VariantPress

    press = VariantPress("k", "Ada", "formality0", "accept", "drafted", "So who drew that bridge?", True, True)
    made = bench.variants.settle(press).variant
    bench.releases.freeze("v1")
    [one] = [v for v in bench.release_browser.item("v1", "q0").variants if v.id == made.id]
    lineage: dict[str, Any] = one.checks["edited"]
    assert (lineage["by"], lineage["of"], lineage["was"]) == ("Ada", "formality0", "formality: Who planned the bridge?")
