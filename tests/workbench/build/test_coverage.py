"""The coverage map, counted by hand: sections, used text, the balance, the thinnest places, and drafting that keeps to them."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import jobs
from builders.task import tasks
from core.errors import BenchError
from core.ids import content_hash
from core.nouns import Document, Item, Span, Verdict
from core.statistics.statistics import gini
from core.text.sections import sections
from store.corpus import documents
from store.items import items
from store.items.verdicts import insert_verdicts
from tests.waiting import until
from workbench import Workbench
from workbench.build.corpus.coverage import CoverageMap, HeatMapColumn, KindCount

TEXT = "# One\n\nThe mill of Orvel burnt in 1902. Nobody was hurt.\n\n## Two\n\nThe bridge was built in 1911 by Marta Quill.\n"
PLAIN = "".join(f"The lamp number {n} of Orvel was lit in {1800 + n} by Ada Holm. " for n in range(1, 41))
L1, L3 = HeatMapColumn("explicit_factoid", 1), HeatMapColumn("explicit_rationale", 3)


def document(text: str, domain: str = "law") -> Document:
    return Document(content_hash(text), text, text[2:12], domain)


A, B, C = document(TEXT), document(PLAIN), document("Nothing was ever asked of this text. It stands alone.", "arts")


def item(id: str, spans: list[tuple[Document, str]], task: str = "explicit_factoid", level: int = 1, **more: object) -> Item:
    cut = tuple(Span(d.id, d.text.index(words), d.text.index(words) + len(words)) for d, words in spans)
    return Item(id, task, f"{id}?", (id,), cut, level, "law", **more)  # type: ignore[arg-type]


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Workbench]:
    with Workbench.open(tmp_path / "w.duckdb") as bench:
        documents.add(bench.database, [A, B, C])
        items.add(
            bench.database,
            [
                item("a", [(A, "The mill of Orvel burnt in 1902.")], status="accepted"),
                item("b", [(A, "Orvel burnt in 1902. Nobody was hurt.")]),
                item("c", [(A, "The bridge was built"), (B, "The lamp number 1 of Orvel")], "explicit_rationale", 3),
                item("gone", [(B, "The lamp number 2 of")], status="discarded"),
                item("bad", [(B, "lit in 1803")], status="refused"),
                item("frame", [], "explicit_rationale", 3, given=(B.id,)),
            ],
        )
        yield bench


def drawn(bench: Workbench) -> CoverageMap:
    until(lambda: bench.coverage.map().is_ready)
    found = bench.coverage.map().value
    assert found is not None
    return found


def test_the_map_counts_items_and_used_text(bench: Workbench) -> None:
    found = drawn(bench)
    a, b, c = found.rows
    assert (a.counts, b.counts, c.counts) == ({L1: KindCount(1, 1), L3: KindCount(0, 1)}, {L3: KindCount(0, 2)}, {})
    # The two spans of section One overlap: together they reach from "The mill" to "hurt.".
    assert a.use.used == len("The mill of Orvel burnt in 1902. Nobody was hurt.") + len("The bridge was built")
    assert (b.use.used, c.use.used) == (len("The lamp number 1 of Orvel"), 0)
    arts, law, every = found.totals
    assert (arts.domain, arts.balance, arts.unused, law.with_items, every.documents) == ("arts", None, 1.0, 2, 3)
    # Items per document 0, 2, 3: 2 * (1*0 + 2*2 + 3*3) / (3*5) - 4/3 = 0.4
    assert every.balance == pytest.approx(0.4) and law.counts == {L1: KindCount(1, 1), L3: KindCount(0, 3)}


def test_the_balance_is_0_when_all_have_the_same_and_nothing_without_items() -> None:
    assert gini([4, 4, 4]) == pytest.approx(0.0) and gini([0, 0, 0, 8]) == pytest.approx(0.75)
    assert gini([0, 0]) is None and gini([]) is None


def test_sections_are_headings_or_fifths_and_together_the_whole_text() -> None:
    found = sections(TEXT)
    assert [part.title for part in found.parts] == ["One", "Two"] and found.is_by_headings
    chapters = sections("第一章 开始\n他来了。\n第二章 结束\n他走了。\n")
    assert [part.title for part in chapters.parts] == ["第一章 开始", "第二章 结束"]
    before = sections("Preface.\n\nChapter 1\nText.\n\nCHAPTER II The end\nText.\n```\n# no heading\n```\n")
    assert [part.title for part in before.parts] == ["", "Chapter 1", "CHAPTER II The end"]
    for text in (TEXT, PLAIN, "ab", "# Only one\ntext"):
        parts = sections(text).parts
        assert "".join(text[part.start : part.end] for part in parts) == text
    assert len(sections(PLAIN).parts) == 5 and not sections(PLAIN).is_by_headings


def test_an_open_document_shows_each_sentence_with_its_items(bench: Workbench) -> None:
    one = bench.coverage.open_document(drawn(bench), A.id)
    first, second = one.parts
    assert [(used.text.strip(), [item.item for item in used.items]) for used in first.sentences][-2:] == [
        ("The mill of Orvel burnt in 1902.", ["a", "b"]),
        ("Nobody was hurt.", ["b"]),
    ]
    assert (first.counts, second.counts) == ({L1: KindCount(1, 1)}, {L3: KindCount(0, 1)})
    with pytest.raises(BenchError, match="not on the map"):
        bench.coverage.open_document(drawn(bench), "nothing")


def test_the_thinnest_places_come_first_and_each_document_gives_its_least_used_section(bench: Workbench) -> None:
    found = drawn(bench)
    places = bench.coverage.find_thin_places(found, ["explicit_factoid"], "law", 2)
    assert [place[0] for place in places] == [B.id, A.id, B.id, A.id]  # nothing of level 1 lies on B
    assert places[1] == (A.id, TEXT.index("## Two"), len(TEXT))
    assert {place[0] for place in bench.coverage.find_thin_places(found, ["explicit_factoid"], "all", 1)} == {B.id, C.id}


def test_a_job_keeps_to_its_places(bench: Workbench) -> None:
    start = PLAIN.index("The lamp number 30")
    settings = {"places": [[B.id, start, start + 60], [A.id, 0, 20]], "window_tokens": 80, "rag_check": False}
    given = {"task": "explicit_factoid", "domain": "all", "seed": 1, "settings": settings}
    job = bench.drafts.plan(count=2, agent="offline", budget=None, **given)
    windows = list(bench.drafts.drafter.windows("explicit_factoid", tasks()["explicit_factoid"], given, None, ()))
    assert [(window.spans[0].document, window.spans[0].start) for window in windows] == [(B.id, start), (A.id, 0)]
    runner = jobs.start(bench)
    runner.submit(job)
    until(lambda: bench.upkeep.job(job).state == "done", 60)
    jobs.stop(bench)
    assert "2 chosen places" in bench.upkeep.job(job).about


def test_places_that_are_none_are_one_sentence(bench: Workbench) -> None:
    for places in ([], [["x", 5, 5]], "all", [[B.id, 0]], [[B.id, True, 9]]):
        with pytest.raises(BenchError, match="setting `places`"):
            bench.drafts.check(
                task="explicit_factoid", domain="all", count=1, agent="offline", budget=None, settings={"places": places}
            )


def test_the_level_audit_counts_what_the_gate_found_and_a_release_prints_it(bench: Workbench, tmp_path: Path) -> None:
    def told(id: str, measured: int | None, outcome: Any, gate: str = "level") -> Verdict:
        why = "" if measured else "Words that may change."
        details = {"declared": 1, "measured": measured, "evidence": 2, "rank_shift": None}
        return Verdict(id, 1, gate, "1", outcome, why, details if measured else details | {"undefined": "no_evidence"})

    found = [
        told("a", 1, "pass"),
        told("b", 2, "flag"),
        told("b", 1, "flag", "necessity"),
        told("c", None, "not run"),
        told("gone", 4, "flag"),
    ]
    bench.database.write(lambda cursor: insert_verdicts(cursor, found))
    until(lambda: bench.coverage.levels().is_ready)
    levels = bench.coverage.levels().value
    assert levels is not None
    assert levels.table.cells == {(1, 1): 2, (3, None): 2} and levels.table.lowered == 1
    assert levels.table.why == {"it has no evidence": 1, "never measured: run the gate level on the item": 1}
    means = {(one.declared, one.measure): (one.mean, one.n) for one in levels.means}
    assert means[1, "evidence"] == (2.0, 2) and means[1, "rank_shift"] == (None, 0)
    bench.releases.freeze("v1", allow_unlicensed="a test")
    assert bench.release_browser.statistics("v1").levels.cells == {(1, 1): 1}
    bench.releases.export("v1", "jsonl", tmp_path / "out")
    card = (tmp_path / "out" / "README.md").read_text(encoding="utf-8")
    assert "## Levels, measured" in card and "Of 1 item with a measured level 1 measured as declared." in card
