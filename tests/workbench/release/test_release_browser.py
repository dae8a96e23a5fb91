"""Releases looked at: previews agree with what is frozen, packed exports have the same bytes every time."""

import zipfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from core.errors import BenchError
from store.reviews import comments
from workbench import Workbench


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Workbench]:
    with Workbench.open(tmp_path / "w.duckdb") as bench:
        bench.corpus.load_samples()
        yield bench


def test_preview_counts_what_a_freeze_holds(bench: Workbench) -> None:
    bench.reviews.decide(bench.reviews.items()[0].id, "discard", person="Ada", reason="trivial")
    for domains in ([], ["tech"], ["tech", "law"]):
        before = bench.release_browser.preview(domains=domains)
        made = bench.releases.freeze(f"v{len(domains)}", domains=domains or None)
        assert (before.items, before.documents, before.left_out) == (
            made.items,
            made.documents,
            made.left_out,
        )


def test_preview_counts_the_documents_without_a_licence(bench: Workbench, tmp_path: Path) -> None:
    (tmp_path / "more.md").write_text("# More\n\nA text of nobody's.", encoding="utf-8")
    bench.corpus.add([tmp_path / "more.md"], domain="tech", language="en")
    assert bench.release_browser.preview(domains=["tech"]).unlicensed == 1
    assert bench.release_browser.preview(domains=["arts"]).unlicensed == 0


@pytest.mark.fault(43)
def test_packing_twice_gives_the_same_bytes(bench: Workbench) -> None:
    bench.releases.freeze("v1")
    first = bench.release_browser.pack("v1", "jsonl")
    bench.release_browser.close()
    assert bench.release_browser.pack("v1", "jsonl") == first
    with zipfile.ZipFile(bench.release_browser.find_packed_file(first.file)) as archive:
        assert "v1/manifest.json" in archive.namelist()


@pytest.mark.fault(43)
def test_an_export_has_the_same_bytes_whatever_people_decided_since(bench: Workbench, tmp_path: Path) -> None:
    first, second = (item.id for item in bench.reviews.items()[:2])
    bench.reviews.decide(first, "accept", person="Ada", answer="As Ada says")
    bench.releases.freeze("v1")
    bench.releases.export("v1", "jsonl", tmp_path / "before")
    bench.reviews.decide(first, "accept", person="Bob", answer="As Bob says")
    bench.reviews.decide(second, "discard", person="Bob", reason="trivial")
    comments.add(bench.database, comments.Comment("c", first, "Bob", "Too late"))
    bench.releases.export("v1", "jsonl", tmp_path / "after")
    before, after = ({p.name: p.read_bytes() for p in (tmp_path / folder).rglob("*.*")} for folder in ("before", "after"))
    assert [name for name in before | after if before.get(name) != after.get(name)] == []


@pytest.mark.fault(43)
def test_a_freeze_while_others_decide_holds_what_it_counts(bench: Workbench) -> None:
    ids = [item.id for item in bench.reviews.items()]
    with ThreadPoolExecutor(1) as other:
        deciding = other.submit(lambda: [bench.reviews.decide(one, "discard", person="Bob", reason="-") for one in ids[:30]])
        made = [bench.releases.freeze(f"v{n}") for n in range(5)]
        deciding.result()
    for one in made:
        name = one.release
        assert bench.releases.verify(name).ok and len(bench.releases.get(name)[1].items) == one.items
        assert one.items + sum(one.left_out.values()) == len(ids), "counted at one moment"


def test_packed_files_go_with_the_workspace(tmp_path: Path) -> None:
    with Workbench.open(tmp_path / "w.duckdb") as bench:
        bench.corpus.load_samples()
        bench.releases.freeze("v1")
        path = bench.release_browser.find_packed_file(bench.release_browser.pack("v1", "jsonl").file)
        assert path.exists()
    assert not path.parent.exists()


@pytest.mark.parametrize("name", ["../w.duckdb", "a/b.zip", ".zip", "w.duckdb", ".hidden.zip"])
@pytest.mark.fault(17)
def test_no_other_file_can_be_fetched(name: str, bench: Workbench) -> None:
    with pytest.raises(BenchError, match="no packed export"):
        bench.release_browser.find_packed_file(name)


@pytest.mark.fault(44)
def test_items_come_in_pages_that_hold_each_once(bench: Workbench) -> None:
    bench.releases.freeze("v1")
    pages = [bench.release_browser.items("v1", limit=15, offset=offset).items for offset in (0, 15, 30)]
    assert len({item.id for page in pages for item in page}) == 40
    assert bench.release_browser.items("v1", level=3, domain="law", limit=50).total == 2


def test_an_item_shows_its_history_up_to_the_frozen_revision(bench: Workbench) -> None:
    id_ = bench.reviews.items()[0].id
    bench.releases.freeze("v1")
    bench.reviews.decide(id_, "accept", person="Ada", question="A later question?")
    assert [r["revision"] for r in bench.release_browser.item("v1", id_)["history"]] == [1]
    bench.releases.freeze("v2")
    assert [r["by"] for r in bench.release_browser.item("v2", id_)["history"]] == ["written", "Ada"]
