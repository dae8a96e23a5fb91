"""A counterfactual release has its own items and documents, which no list, corpus or count of the workspace has."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from core.errors import BenchError
from core.ids import content_hash
from core.nouns import Document, Item, Span, Variant
from core.quality.counterfactual import read_origin
from store.corpus import documents
from store.items import items
from store.reviews import state
from store.variants import variants
from workbench import Workbench
from workbench.release.checking import verify_folder

MILL = "The old mill of Orvel was bought by Ada Quill in 1902, a year after the great fire."
BREWERY = "The brewery of Orvel was bought by Bert Vane in 1911, after the long strike."
BAKERY = "The bakery of Orvel was bought by Cleo Marsh in 1930."
OTHERS = [f"Notes on the village number {n}: the weather was fair." for n in range(6)]


def fill(bench: Workbench) -> None:
    texts = [MILL, BREWERY, BAKERY, *OTHERS]
    documents.add(bench.database, [Document(content_hash(text), text, text[:12], licence="CC0") for text in texts])
    golds = {
        "mill": (MILL, "Ada Quill", "Who bought the mill?"),
        "brewery": (BREWERY, "1911", "In which year was the brewery bought?"),
        "bakery": (BAKERY, "Cleo Marsh", "Who bought the bakery?"),
        "yes": (BAKERY, "yes", "Was the bakery bought?"),
    }
    made = [
        Item(name, "question_answering", question, (gold,), (Span(content_hash(text), 0, len(text)),), status="accepted")
        for name, (text, gold, question) in golds.items()
    ]
    items.add(bench.database, made)
    wordings = [("v1", "mill", "Who got the mill?"), ("v2", "yes", "Did somebody buy the bakery?")]
    variants.add(bench.database, [Variant(name, item, 1, "formality", text, "accepted") for name, item, text in wordings])


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Workbench]:
    with Workbench.open(tmp_path / "w.duckdb") as bench:
        fill(bench)
        bench.releases.freeze("v1", split="dev=0.5,test=0.5")
        yield bench


def test_the_release_has_new_answers_in_a_changed_corpus_and_keeps_splits_and_unchanged_items(bench: Workbench) -> None:
    made = bench.releases.freeze_counterfactual("cf", "v1")
    assert (made.items, made.chosen, made.replaced, made.changed_documents) == (4, 4, 3, 3)
    assert made.obstacles == {"yes": "yes or no"} and made.left_out == [] and made.variants_left_out == 2
    release, content = bench.releases.get("cf")
    texts = {document.id: document.text for document in content.documents}
    origins = {}
    for item in content.items:
        origin = read_origin(item)
        assert origin is not None  # the document of "yes" changed too
        origins[origin.item] = item
        if origin.old_answers:
            [span] = item.evidence
            assert item.answers[0] in texts[span.document] and origin.old_answers[0] not in texts[span.document]
    assert content_hash(MILL) not in texts and all(content_hash(text) in texts for text in OTHERS)
    before = {row["id"]: row["split"] for row in bench.releases.get("v1")[0].manifest["items"]}
    after = {row["id"]: row["split"] for row in release.manifest["items"]}
    assert {name: after[item.id] for name, item in origins.items()} == before
    assert bench.releases.verify("cf").ok and bench.releases.verify("v1").ok


def test_absence_twins_are_left_out_and_counted(bench: Workbench) -> None:
    twins = bench.releases.freeze("v2", split="dev=0.5,test=0.5", absence_share=1.0).absence_twins
    assert twins
    assert bench.releases.freeze_counterfactual("cf", "v2").twins_left_out == twins
    assert bench.releases.get("cf")[1].twins == ()


def test_a_changed_item_is_an_edit_of_the_item_that_it_comes_from(bench: Workbench) -> None:
    bench.releases.freeze_counterfactual("cf", "v1")
    bench.releases.freeze_counterfactual("cf2", "v1", seed=14)
    diff = bench.releases.diff("v1", "cf")
    assert (diff.added, diff.removed) == ([], [])
    assert sorted(one.id for one in diff.edited) == ["bakery", "brewery", "mill", "yes"]
    [mill] = [one for one in diff.edited if one.id == "mill"]
    assert mill.answers[0] == ("Ada Quill",) != mill.answers[1]
    assert {one.id for one in bench.releases.diff("cf", "cf2").edited} <= {"bakery", "brewery", "mill", "yes"}
    assert bench.releases.diff("cf", "cf2").added == []


def test_nothing_of_it_is_in_the_workspace_and_a_rebuild_does_not_bring_it_there(bench: Workbench) -> None:
    bench.releases.freeze_counterfactual("cf", "v1")
    assert [item.id for item in items.list_items(bench.database)] == ["mill", "brewery", "bakery", "yes"]
    assert len(documents.list_documents(bench.database)) == 9
    assert state.list_differences(bench.database) == []
    state.rebuild(bench.database)
    assert len(items.list_items(bench.database)) == 4
    assert bench.releases.freeze("v2", split="dev=0.5,test=0.5").hash == bench.releases.get("v1")[0].hash


def test_the_same_seed_makes_the_same_release_and_another_seed_does_not(bench: Workbench) -> None:
    first = bench.releases.freeze_counterfactual("cf", "v1", seed=1)
    assert bench.releases.freeze_counterfactual("cf", "v1", seed=1).hash == first.hash
    with pytest.raises(BenchError, match="already belongs to other content"):
        bench.releases.freeze_counterfactual("cf", "v1", seed=2)


def test_two_worlds_of_one_release_keep_their_own_items(bench: Workbench) -> None:
    for n, share in enumerate((0.25, 0.5, 0.75, 1.0)):
        bench.releases.freeze_counterfactual(f"cf{n}", "v1", share, seed=5)
    assert all(bench.releases.verify(f"cf{n}").ok for n in range(4))


def test_a_folder_carries_it_to_another_workspace_apart_from_its_items_and_corpus(bench: Workbench, tmp_path: Path) -> None:
    made = bench.releases.freeze_counterfactual("cf", "v1")
    bench.releases.export("cf", "jsonl", tmp_path / "out")
    assert verify_folder(tmp_path / "out").ok
    with Workbench.open(tmp_path / "other.duckdb") as other:
        report = other.releases.import_(tmp_path / "out", "jsonl")
        assert report.release == "cf" and report.items == 4 and not report.refused
        assert items.list_items(other.database) == [] and len(documents.list_documents(other.database)) == 6
        assert other.releases.verify("cf").ok and other.releases.get("cf")[0].hash == made.hash
        assert other.releases.import_(tmp_path / "out", "jsonl").release == "cf"


def test_a_withheld_split_tells_neither_the_old_nor_the_new_answer(bench: Workbench, tmp_path: Path) -> None:
    bench.releases.freeze_counterfactual("cf", "v1")
    bench.releases.export("cf", "jsonl", tmp_path / "out", withhold=["dev", "test"])
    told = (tmp_path / "out" / "items.jsonl").read_text(encoding="utf-8")
    assert "Ada Quill" not in told and "old_answers" not in told


def test_a_release_of_which_nothing_can_be_replaced_is_refused_with_the_reasons(bench: Workbench) -> None:
    bench.releases.freeze("plain", tasks=["question_answering"], domains=["general"])
    with pytest.raises(BenchError, match=r"share of counterfactual items is 1\.5"):
        bench.releases.freeze_counterfactual("cf", "v1", share=1.5)
    with pytest.raises(BenchError, match="No release nothing"):
        bench.releases.freeze_counterfactual("cf", "nothing")
    yes = items.get(bench.database, "yes")
    with Workbench.open(":memory:") as other:
        documents.add(other.database, documents.load_documents(bench.database))
        items.add(other.database, [yes])
        other.releases.freeze("v1")
        with pytest.raises(BenchError, match=r"No gold answer of release 'v1' can be replaced \(1 yes or no\)"):
            other.releases.freeze_counterfactual("cf", "v1")
