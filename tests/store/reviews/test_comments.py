"""Comments: append-only, in the order they were made; what is taken back is marked and stays."""

from dataclasses import replace
from pathlib import Path

from core.nouns import Comment
from store.engine.database import Database
from store.items import items
from store.queue.kind import ItemKind
from store.queue.queue_rules import OverlapRule, QueueRules
from store.reviews import comments, opinions, unsent_edits
from store.reviews.reviews import decide
from store.reviews.unsent_edits import UnsentEdit
from tests.store.sample_items import item, review

SAID = Comment("c1", "a", "Ada", "Is <b>this</b> $5?", at="2026-01-02T03:04:05.000+00:00")


def test_comments_are_there_after_a_restart_in_the_order_they_were_made(tmp_path: Path) -> None:
    with Database.open(tmp_path / "w.duckdb") as database:
        items.add(database, [item("a")])
        comments.add(database, SAID)
        comments.add(database, Comment("c2", "a", "Bo", "Yes."))
    with Database.open(tmp_path / "w.duckdb") as database:
        assert [one.text for one in comments.load_comments(database, ["a"])] == ["Is <b>this</b> $5?", "Yes."]
        assert comments.load_comments(database, ["a"])[0] == SAID


def test_the_same_id_is_one_comment_and_an_unknown_item_has_none() -> None:
    with Database.open(":memory:") as database:
        items.add(database, [item("a")])
        assert comments.add(database, SAID) == comments.add(database, replace(SAID, text="Other")) == SAID
        assert comments.add(database, replace(SAID, id="c3", item="nowhere")) is None
        assert len(comments.load_comments(database, ["a", "nowhere"])) == 1


def test_what_was_typed_goes_with_the_comment_and_other_scratch_stays() -> None:
    with Database.open(":memory:") as database:
        items.add(database, [item("a")])
        unsent_edits.put(database, UnsentEdit("Ada", "a", 1, "Is this", "", on="comment"))
        unsent_edits.put(database, UnsentEdit("Ada", "a", 1, "q", "a"))
        comments.add(database, SAID)
        assert unsent_edits.get(database, "Ada", "a", "comment") is None and unsent_edits.get(database, "Ada", "a") is not None
        assert [one.question for one in unsent_edits.list_unsent_edits(database, "Ada")] == ["q"]


def test_one_that_was_taken_back_is_marked_once_and_keeps_its_words() -> None:
    with Database.open(":memory:") as database:
        items.add(database, [item("a")])
        comments.add(database, SAID)
        marked = comments.take_back(database, "c1")
        assert marked is not None and marked.taken_back_at and marked == comments.take_back(database, "c1")
        assert comments.load_comments(database, ["a"]) == [marked] and marked.text == SAID.text
        assert comments.take_back(database, "nothing") is None


def test_from_elsewhere_comments_come_in_once_and_with_their_marks() -> None:
    with Database.open(":memory:") as database:
        items.add(database, [item("a")])
        assert comments.import_comments(database, [SAID, Comment("c2", "b", "Bo", "Where?", at="2026")]).added == ["c1"]
        back = replace(SAID, taken_back_at="2026-01-03T03:04:05.000+00:00")
        came = comments.import_comments(database, [back, Comment("c2", "b", "Bo", "Where?", at="2026")])
        assert came.already == ["c1"] and came.refused[0][1].startswith("is on b, which is not in this workspace")
        assert comments.load_comments(database, ["a"]) == [back]
        other = comments.import_comments(database, [replace(SAID, text="Other")])
        assert other.refused == [("c1", "has the id c1 of another comment here")]


def test_who_has_given_no_opinion_of_several_is_apart_until_the_item_is_decided() -> None:
    with Database.open(":memory:") as database:
        items.add(database, [item("a")])
        assert not comments.is_blind(database, "a", "Ada"), "one decides alone"
        opinions.set_rules(database, QueueRules([OverlapRule(ItemKind(), 2)]), "lead", "2026-01-01T10:00:00.000+00:00")
        assert comments.is_blind(database, "a", "Ada") and comments.is_blind(database, "a", "")
        for person in ("Ada", "Bo"):
            decide(database, replace(review(person, "a"), person=person))
            assert not comments.is_blind(database, "a", person)
            assert comments.is_blind(database, "a", "Cy") == (person == "Ada")
