"""Steps of the desk: the next item is held and comes with all that is shown of it, and the same step again is the same item."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from core.errors import NotAllowed
from core.nouns import Item
from store.engine.database import Database
from store.engine.writer import RecordingCursor
from store.items import items
from store.queue.kind import ItemKind
from store.queue.queue_rules import OverlapRule, QueueRules
from store.reviews import opinions
from workbench import Workbench, actor
from workbench.annotate.queue import tab_visits
from workbench.annotate.reviewing.desk_visits import DeskStep, DeskVisits
from workbench.annotate.reviewing.reviews import DecisionRequest

NAMES = [f"draft-{n}" for n in range(4)]


@pytest.fixture
def bench(samples: Path, tmp_path: Path) -> Iterator[Workbench]:
    """The samples with four drafts that wait."""
    (tmp_path / "w.duckdb").write_bytes(samples.read_bytes())
    with Workbench.open(tmp_path / "w.duckdb") as bench:
        sample = items.get(bench.database, bench.reviews.items(task="explicit_factoid")[0].id)
        made = [replace(sample, id=name, question=f"Which is {name}?", status="drafted") for name in NAMES]
        items.add(bench.database, made)
        yield bench


def press(item: str, key: str, person: str = "Ada", **rest: object) -> DeskStep:
    fields = {"tab": f"tab of {person}", "number": 1, "to": "next"} | rest
    return DeskStep(person, key=key, item=item, **fields)  # type: ignore[arg-type]


def accept(bench: Workbench, name: str, person: str = "Ada") -> None:
    item: Item = items.get(bench.database, name)
    bench.reviews.settle(
        DecisionRequest(f"{person}-{name}", person, name, 1, "accept", item.question, item.answers[0], item.evidence)
    )


def follow(bench: Workbench, step: DeskStep) -> str | None:
    data = bench.desk_visits.step(step)
    return None if data is None else data.item.id


def test_a_step_holds_the_item_and_brings_what_the_page_would_show(bench: Workbench) -> None:
    accept(bench, "draft-0")
    bench.reviews.holds.hold("draft-2", "Bo")
    data = bench.desk_visits.step(press("draft-0", "k"))
    assert data is not None and data.item.id == "draft-1" and data.bar is not None and data.visit is not None
    assert [one.item for one in bench.reviews.holds.list_held() if one.person == "Ada"] == ["draft-1"]
    assert data.bar.words == "1 decided today, 2 left, 1 more held by others, 1 more from this document"
    assert (data.position.left, data.position.has_back) == (2, True)
    assert (data.visit.tab, data.visit.number, data.note) == ("tab of Ada", 2, "")
    bar = bench.desk_visits.load_bar(ItemKind(), "Ada", "draft-1")
    assert bench.desk_visits.load("draft-1", "Ada", bar, data.visit) == data


def test_the_same_step_again_is_the_same_item_and_another_one_goes_on(bench: Workbench) -> None:
    first = [bench.desk_visits.step(press("draft-0", "k")) for _ in range(3)]
    assert {(data and data.item.id, data and data.visit and data.visit.number) for data in first} == {("draft-1", 2)}
    assert follow(bench, press("draft-1", "k2")) == "draft-2"
    assert [one.item for one in bench.reviews.holds.list_held()] == ["draft-2"], "what was passed over is free again"


def test_back_open_and_the_end(bench: Workbench) -> None:
    for name in NAMES[:2]:
        accept(bench, name)
    assert follow(bench, press("draft-2", "k", to="back")) == "draft-1"
    assert follow(bench, press("draft-1", "k2", to="back", target="draft-3")) == "draft-3"
    data = bench.desk_visits.step(press("draft-3", "k3", to="open", target="draft-0"))
    assert data is not None and data.note.startswith("You accepted this item.")
    for name in NAMES[2:]:
        accept(bench, name)
    assert bench.desk_visits.step(press("draft-3", "k4")) is None
    assert bench.desk_visits.step(press("draft-0", "k5", person="Bo", to="back")) is None


def test_two_people_are_never_given_one_item(bench: Workbench) -> None:
    shown = [follow(bench, press("draft-0", f"{name}{n}", person=name)) for n in range(2) for name in ("Ada", "Bo")]
    assert shown[0] != shown[1] and shown[2] != shown[3]
    held = bench.reviews.holds.list_held()
    assert len({one.item for one in held}) == len(held) == 2


def test_the_filter_of_the_page_is_that_of_the_step(bench: Workbench) -> None:
    other = replace(items.get(bench.database, "draft-0"), id="law-0", domain="law")
    items.add(bench.database, [other])
    assert follow(bench, press("draft-0", "k", kind=ItemKind(domain="law"))) == "law-0"


def test_disputed_items_are_counted_for_whoever_may_decide_between_them(bench: Workbench) -> None:
    opinions.set_rules(bench.database, QueueRules([OverlapRule(ItemKind(), 2)]), "Lea")
    accept(bench, "draft-0", "Ann")
    item = items.get(bench.database, "draft-0")
    bench.reviews.settle(
        DecisionRequest("b", "Bo", "draft-0", 1, "discard", item.question, item.answers[0], item.evidence, "wrong")
    )
    data = bench.desk_visits.step(press("draft-1", "k", to="open", target="draft-0"))
    assert data is not None and data.bar is not None
    assert data.bar.disputed == 1 and data.leads_to_opinions and "somebody decides between them" in data.note


def test_what_is_not_ones_own_to_open_is_refused_and_leaves_the_visit(bench: Workbench) -> None:
    bench.people.give("Lea", "admin")
    accept(bench, "draft-0", "Lea")
    with actor.act_as("Ada"), pytest.raises(NotAllowed):
        bench.desk_visits.step(press("draft-1", "k", to="open", target="draft-0"))
    assert bench.desk_visits.find("tab of Ada") is None


def test_the_tab_longest_without_a_step_is_forgotten_and_numbers_grow(
    bench: Workbench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tab_visits, "MAX_TABS", 2)
    visits = DeskVisits(bench.database, bench.reviews, bench.adjudication)
    for tab in ("a", "b", "a", "c"):
        visits.put("Ada", tab, "draft-0")
    assert visits.find("b") is None
    assert [visit and visit.number for visit in (visits.find("a"), visits.find("c"))] == [2, 1]
    assert visits.put("Ada", "b", "draft-0", after=7).number == 8, "a tab that was forgotten still goes on"


def count_statements(monkeypatch: pytest.MonkeyPatch, act: Callable[[], object]) -> Counter[str]:
    """How often each statement was sent while `act` ran: by its first two words."""
    sent: Counter[str] = Counter()

    def counted(run: Callable[..., object]) -> Callable[..., object]:
        def count(self: object, sql: str, params: Sequence[object] = ()) -> object:
            sent[" ".join(sql.split()[:2])] += 1
            return run(self, sql, params)

        return count

    with monkeypatch.context() as patched:
        patched.setattr(Database, "rows", counted(Database.rows))
        patched.setattr(RecordingCursor, "execute", counted(RecordingCursor.execute))
        act()
    return sent


def test_a_decision_and_the_next_item_are_one_transaction_of_few_statements(
    bench: Workbench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of people who are at work: what stays in memory was read before."""
    more = [replace(items.get(bench.database, "draft-0"), id=f"draft-{n}") for n in range(4, 60)]
    items.add(bench.database, more)
    opinions.set_rules(bench.database, QueueRules([OverlapRule(ItemKind(language="zh"), 2)], [ItemKind(level=2)]), "Lea")
    shown = {name: bench.desk_visits.step(press("", f"{name} begins", name)) for name in ("Ada", "Bo", "Cy")}

    def go_on(name: str) -> None:
        desk = shown[name]
        assert desk is not None and desk.visit is not None
        item, words = desk.item, (desk.item.question, desk.item.answers[0], tuple(desk.item.evidence))
        request = DecisionRequest(f"{name} {item.id}", name, item.id, 1, "accept", *words, seen=item.status, onward=ItemKind())
        claimed = bench.reviews.settle(request).next_item
        assert claimed is not None
        step = press(item.id, f"{name} leaves {item.id}", name, number=desk.visit.number)
        shown[name] = bench.desk_visits.step(step, claimed)

    for name in ("Ada", "Bo"):
        go_on(name)
    sent = count_statements(monkeypatch, lambda: go_on("Ada"))
    assert sent == {
        **{"BEGIN": 1, "SELECT nextval('commits')": 1, "COMMIT": 1},
        **{"SELECT 1": 1, "UPDATE state": 1, "INSERT INTO": 2, "DELETE FROM": 1},
    }, "one query tells whether the decision is a repeat; the texts of the next items and their verdicts were read together"
    held = {one.person: one.item for one in bench.reviews.holds.list_held()}
    assert held == {name: desk.item.id for name, desk in shown.items() if desk is not None} and len(set(held.values())) == 3
