"""Items that are alike are found by the cosine of their words, in the name of the model that made it."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from core.errors import BenchError
from store.engine.database import Database
from store.items import items
from store.items.finding import ItemSearch
from store.queue.kind import ItemKind
from tests.conftest import Bench
from tests.store.sample_items import item
from tests.waiting import until
from workbench import Workbench, actor
from workbench.annotate.finding.finding import FoundPage, SimilarityQuery

BRIDGES = {
    "near": "谁设计了奥维尔的大桥？",
    "same": "奥维尔的大桥是谁设计的？",
    "far": "磨坊什么时候烧毁？",
    "other": "今年的雨量是多少毫米？",
}


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Workbench]:
    with Workbench.open(tmp_path / "w.duckdb") as bench:
        items.add(bench.database, [item(name, question=text, language="zh") for name, text in BRIDGES.items()])
        items.add(bench.database, [item("english", question="Who designed the bridge?", answers=("Marta Quill",))])
        yield bench


def seen(bench: Workbench, like: SimilarityQuery, search: ItemSearch = ItemSearch(), number: int = 1) -> FoundPage:
    pages: list[FoundPage] = []

    def is_there() -> bool:
        found = bench.find.page(search, like, number).value
        pages.extend([found] if found is not None else [])
        return bool(pages)

    until(is_there, 120)
    return pages[-1]


def test_chinese_items_are_compared_by_spelling_and_it_is_said_so(bench: Workbench) -> None:
    found = seen(bench, SimilarityQuery(item="near"))
    assert found.rows[0].id == "same" and found.total == 3
    assert found.similar is not None and (found.similar.model, found.similar.is_lexical) == ("lexical_vectors", True)
    assert found.similar.left_out == 1, "the English one"
    cosines = [row.cosine for row in found.rows]
    assert cosines == sorted(cosines, reverse=True) and cosines[0] > 0.4 > cosines[-1]


def test_an_edit_and_a_new_item_are_compared_by_their_words_of_now(bench: Workbench) -> None:
    seen(bench, SimilarityQuery(item="near"))
    items.edit(bench.database, replace(items.get(bench.database, "far"), question=BRIDGES["near"]), "Ada")
    items.add(bench.database, [item("new", question=BRIDGES["near"] + "请说明", language="zh")])
    assert {row.id for row in seen(bench, SimilarityQuery(item="near")).rows[:2]} == {"far", "new"}


def test_likeness_and_filters_meet_and_the_way_follows_the_list(bench: Workbench) -> None:
    like, drafted = SimilarityQuery(text="谁设计了大桥"), ItemSearch(ItemKind(language="zh"), status="drafted")
    order = [row.id for row in seen(bench, like, drafted).rows]
    assert set(order[:2]) == {"near", "same"} and bench.find.ids(drafted, like) == order
    bench.reviews.decide(order[1], "discard", person="Ada", reason="duplicate")
    assert seen(bench, like, drafted).total == 3
    place = bench.find.place(drafted, like, order[0])
    assert place is not None and (place.before, place.after, place.number, place.of) == (None, order[2], 1, 3)


def test_english_questions_and_answers_are_compared_by_the_model(bench: Workbench) -> None:
    more = {"sky": ("What colour is the sky?", "blue"), "crossing": ("Which architect made the crossing?", "M. Quill")}
    items.add(bench.database, [item(name, question=q, answers=(a,)) for name, (q, a) in more.items()])
    found = seen(bench, SimilarityQuery(item="english"))
    assert found.similar is not None and (found.similar.model, found.similar.is_lexical) == ("minilm", False)
    assert [row.id for row in found.rows] == ["crossing", "sky"]
    assert bench.database.rows("SELECT count(*) FROM vector") == [(3,)], "each text was embedded once, and is kept"
    assert seen(bench, SimilarityQuery(item="english", of="answer")).rows[0].id == "crossing"


def test_nothing_to_compare_with_is_a_sentence(bench: Workbench) -> None:
    items.add(bench.database, [item("mute", answers=("",))])
    with pytest.raises(BenchError, match="has no answer to compare with"):
        bench.find.page(ItemSearch(), SimilarityQuery(item="mute", of="answer"), 1)
    with pytest.raises(BenchError, match="No item nowhere"):
        bench.find.page(ItemSearch(), SimilarityQuery(item="nowhere"), 1)


def test_the_terminal_finds_by_words_and_kind(bw: Bench, world: dict[str, str]) -> None:
    def ids(*options: str) -> list[str]:
        return [record["id"] for record in bw("items", *options).json]

    assert ids("--text", "QUILL") == [world["Marta Quill"]] and ids("--text", "of orvel", "--language", "en") == [world["1902"]]
    assert ids("--text", "100%") == ids("--language", "zh") == ids("--agent", "offline") == ids("--level", "3") == []
    assert len(ids("--flag", "none")) == 2 and ids("--flag", "any") == []


def test_an_answer_that_is_hidden_from_somebody_is_not_told_by_the_list(bench: Workbench) -> None:
    bench.reviews.blind.set_rule(1.0, 0, "Lea")
    with actor.act_as("Ann"):
        assert {row.answer for row in seen(bench, SimilarityQuery()).rows} == {"(hidden until you have written your own)"}
        assert bench.find.page(ItemSearch(text="Quill"), SimilarityQuery(), 1).value == FoundPage(0, [])
        assert seen(bench, SimilarityQuery(text="谁", of="answer")).total == 0, "and no likeness to it"
        with pytest.raises(BenchError, match="hidden until you have written your own: compare by the question"):
            bench.find.page(ItemSearch(), SimilarityQuery(item="near", of="answer"), 1)
        bench.reviews.reveal("english", "Ann", "Ada Quill", 1.0)
        bench.reviews.decide("english", "accept", person="Ann")
        assert [row.answer for row in seen(bench, SimilarityQuery(), ItemSearch(status="accepted")).rows] == ["Marta Quill"]


def test_a_sort_by_length_does_not_tell_how_long_a_hidden_answer_is(bench: Workbench) -> None:
    lengths = {"a": 5, "b": 90, "c": 1}
    items.add(bench.database, [item(name, question="Who is it?", answers=("x" * n,)) for name, n in lengths.items()])
    new = ItemSearch(text="Who is it?", order="longest")
    new_shortest = replace(new, order="shortest")

    def ids(search: ItemSearch) -> list[str]:
        assert [row.id for row in seen(bench, SimilarityQuery(), search).rows] == bench.find.ids(search, SimilarityQuery())
        return bench.find.ids(search, SimilarityQuery())

    bench.reviews.blind.set_rule(1.0, 0, "Lea")
    assert (ids(new), ids(new_shortest)) == (["b", "a", "c"], ["c", "a", "b"]), "the workspace's owner sees all"
    with actor.act_as("Ann"):
        assert ids(new) == ids(new_shortest) == ["a", "b", "c"], "the questions are equally long"
        place = bench.find.place(new, SimilarityQuery(), "b")
        assert place is not None and (place.before, place.after, place.number, place.of) == ("a", "c", 2, 3)
        bench.reviews.reveal("c", "Ann", "y", 1.0)
        bench.reviews.decide("c", "accept", person="Ann")
        assert ids(new) == ["c", "a", "b"], "an answer that is shown counts"


def test_hidden_answers_of_many_items_take_as_many_queries_as_those_of_two(
    bench: Workbench, monkeypatch: pytest.MonkeyPatch
) -> None:
    items.add(bench.database, [item(f"many {n}") for n in range(60)])
    bench.reviews.blind.set_rule(1.0, 0, "Lea")
    queries: list[str] = []
    rows = Database.rows
    monkeypatch.setattr(Database, "rows", lambda *given: (queries.append(given[1]), rows(*given))[1])
    counts, drafts = [], [f"many {n}" for n in range(60)]
    for wanted in (drafts[:2], drafts[:2], drafts):
        queries.clear()
        assert bench.reviews.blind.find_hidden(wanted, "Ann") == set(wanted)
        counts.append(len(queries))
    assert counts[1] == counts[2] <= 4, queries
    with actor.act_as("Ann"):
        queries.clear()
        assert all(not one.answers for one in bench.item_list.load_items(drafts))
        assert len(queries) <= counts[2] + 4
