"""Two spellings of a name are one person: while people work, in what comes in, and in workspaces from before."""

from dataclasses import replace
from pathlib import Path

import pytest

from core.errors import BenchError
from core.nouns import Item, Review, Variant
from core.person_name import fold_name, is_same_person
from core.text.scripts import find_mixed_alphabets
from store.engine import settings
from store.engine.columns import current_time, pair_key
from store.engine.database import Database
from store.items import items
from store.people import log, people
from store.queue.kind import ItemKind
from store.queue.queue_rules import OverlapRule, QueueRules
from store.reviews import names, opinions, review_import, reviews, unsent_edits
from store.reviews.state import list_differences
from store.reviews.unsent_edits import UnsentEdit
from store.variants import variants
from workbench import Workbench
from workbench.annotate.desk.decisions import DecisionRequest
from workbench.annotate.wordings.rewrites import Rewrite

UNITED = log.LogFilter(acts=(names.ACT,))
ITEM = Item("i", "explicit_factoid", "Who designed the bridge?", ("Marta Quill",))


def press(key: str, person: str, decision: str = "accept") -> DecisionRequest:
    return DecisionRequest(key, person, "i", 1, decision, ITEM.question, ITEM.answers[0], (), reason="r")  # type: ignore[arg-type]


@pytest.fixture
def bench():
    with Workbench.open(":memory:") as made:
        items.add(made.database, [ITEM])
        yield made


@pytest.mark.parametrize("unseen", ["\u200b", "\u200d", "\ufeff", "\u2060", "\u00ad", "\u034f", "\ufe0f", "\x07", "\U000e0100"])
def test_characters_that_nobody_sees_make_no_second_person(unseen: str) -> None:
    assert is_same_person("Kim", f"Kim{unseen}") and is_same_person(f"{unseen}K{unseen}im", "Kim")
    assert not is_same_person("Kim", "Kimi") and not is_same_person("Anne Lee", "Annelee")


def test_a_new_name_in_look_alike_letters_of_two_alphabets_is_refused(bench: Workbench) -> None:
    with pytest.raises(BenchError, match="several alphabets"):
        bench.reviews.decide("i", "accept", person="Аnn Lee")  # the first letter is Cyrillic
    assert not reviews.load_effective(bench.database, ["i"])
    for name in ("Анна Lee", "Zoë", "Ζωή", "李 Ann"):
        assert find_mixed_alphabets(name) is None


@pytest.mark.parametrize("blank", ["\u115f", "\u1160", "\u2800", "\u3164", "\uffa0"])
def test_a_letter_that_is_drawn_as_a_space_is_a_space(blank: str) -> None:
    assert is_same_person("Bo Li", f"Bo{blank}Li") and is_same_person("Bo Li", f"{blank}Bo {blank}Li{blank}")
    assert not is_same_person("BoLi", f"Bo{blank}Li")


@pytest.mark.parametrize(("known", "new"), [("Cope", "Соре"), ("Соре", "Cope"), ("ANN", "ΑΝΝ")])
def test_a_new_name_that_looks_like_a_known_one_is_refused(bench: Workbench, known: str, new: str) -> None:
    bench.reviews.decide("i", "accept", person=known)
    with pytest.raises(BenchError, match=f"looks like the name of {known}"):
        bench.reviews.decide("i", "discard", person=new, reason="no")
    assert {one.person for one in reviews.load_effective(bench.database, ["i"])} == {known}
    assert bench.reviews.decide("i", "discard", person="Анна", reason="no")  # nobody's look-alike


def test_case_form_and_spaces_tell_nobody_apart() -> None:
    assert fold_name(" Ann  LEE ") == "ann lee" and is_same_person("Ａnn", "ann") and is_same_person("Straße", "STRASSE")
    assert not is_same_person("Ann", "Anne")


def test_a_name_is_written_as_it_was_first_given(bench: Workbench) -> None:
    bench.reviews.decide("i", "accept", person=" Ann Lee ")
    assert bench.reviews.decide("i", "discard", person="ANN  lee", reason="no")
    assert {one.person for one in reviews.load_effective(bench.database, ["i"])} == {"Ann Lee"}
    assert bench.people.spell_name("ann lee ") == "Ann Lee" and bench.people.spell_name(" Bo ") == "Bo"


def test_one_person_cannot_give_both_opinions(bench: Workbench) -> None:
    opinions.set_rules(bench.database, QueueRules([OverlapRule(ItemKind(), 2)]), "Lea")
    bench.reviews.settle(press("1", "Ann"))
    bench.reviews.settle(press("2", "ann "))
    assert bench.database.rows("SELECT status, given FROM state") == [("drafted", 1)]
    bench.reviews.settle(press("3", "Bob"))
    assert bench.database.rows("SELECT status FROM state") == [("accepted",)]


def test_a_role_is_that_of_every_spelling_and_a_rewrite_counts_once(bench: Workbench) -> None:
    bench.people.give("Ann", "admin")
    bench.people.give("LEA", "lead")
    assert bench.people.role("lea ") == "lead" and bench.people.role("ann") == "admin"
    bench.reviews.decide("i", "accept", person="Bo")
    for name in ("Ann", "ann"):
        bench.rewrites.write(Rewrite(name, "i", 1, "Whose design was it, the bridge?"))
    with pytest.raises(BenchError, match="Ann has rewritten i already"):
        bench.rewrites.write(Rewrite("ann", "i", 1, "That bridge: by whose hand was it drawn?"))
    assert [v.generator for v in variants.list_variants(bench.database)] == ["Ann"]


def test_reviews_from_elsewhere_are_of_the_people_here(bench: Workbench) -> None:
    bench.reviews.decide("i", "accept", person="Ann")
    came = review_import.import_reviews(
        bench.database,
        [Review("r", "i", 1, "ANN", "discard", at=current_time()), Review("s", "i", 1, "Zoe", "accept", at=current_time())],
    )
    assert came.added == ["r", "s"]
    again = review_import.import_reviews(bench.database, [Review("r", "i", 1, "ann", "discard", at=current_time())])
    assert again.already == ["r"]
    assert [one.person for one in reviews.load_effective(bench.database, ["i"])] == ["Ann", "Ann", "Zoe"]


def old_workspace(path: Path) -> None:
    """As it was while two spellings were two people: both gave their opinion on `i`, both typed on `j`, one has a role."""
    with Database.open(path) as database:
        items.add(database, [ITEM, replace(ITEM, id="j"), replace(ITEM, id="k")])
        opinions.set_rules(database, QueueRules([OverlapRule(ItemKind(), 2)]), "Lea")
        for key, name, item, decision in (
            ("1", "Ann", "i", "accept"),
            ("2", "ann", "i", "discard"),
            ("3", "Ann", "k", "accept"),
            ("4", "ann ", "k", "accept"),
        ):
            reviews.decide(database, Review(key, item, 1, name, decision, at=f"2026-01-0{key}T00:00:00.000+00:00"))
        unsent_edits.put(database, UnsentEdit("Ann", "j", 1, "old words", ""))
        unsent_edits.put(database, UnsentEdit("ann", "j", 1, "new words", ""))
        people.put(database, "ann", "admin", True)
        people.put(database, "Ann", "annotator", False)
        variants.add(database, [Variant("v", "k", 1, "human", "Whose bridge?", "accepted", "ann")])
        settings.put(database, "practice_excused", {"ann": {"by": "Lea"}})


def test_an_old_workspace_has_its_two_spellings_made_one_person(tmp_path: Path) -> None:
    path = tmp_path / "w.duckdb"
    old_workspace(path)
    with Workbench.open(path) as bench:
        data = bench.database
        assert {one.person for one in reviews.load_reviews(data, ["i", "k"])} == {"Ann"}
        assert data.rows("SELECT status, given FROM state WHERE item = 'i'") == [("drafted", 1)], "two opinions are one"
        assert data.rows("SELECT key FROM opinion") == [(pair_key("Ann", "i"),)]
        assert data.rows("SELECT status FROM state WHERE item = 'k'") == [("accepted",)], "what is decided stays"
        left = unsent_edits.get(data, "Ann", "j")
        assert left is not None and left.question == "new words"
        known = [
            (row.name, row.role, row.is_removed)
            for row in people.list_people(data, current_time())
            if fold_name(row.name) == "ann"
        ]
        assert known == [("Ann", "admin", False)]
        assert settings.get(data, "practice_excused") == {"Ann": {"by": "Lea"}}
        assert variants.load_variants(data, ["v"])[0].generator == "ann", "a release is hashed with it"
        assert {line.what for line in log.load_page(data, UNITED, 10)} == {"ann is Ann from now on", "ann  is Ann from now on"}
        assert not list_differences(data)
    with Workbench.open(path) as again:
        assert log.count(again.database, UNITED) == 2, "it is done once"
