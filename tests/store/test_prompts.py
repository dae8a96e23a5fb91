"""Versions of prompts: append-only, one stands, and every choice is kept."""

from store.drafting import prompts
from store.engine.database import Database

IDS = {"en": "draft/x.en@b2:1", "zh": "draft/x.zh@b2:2"}


def test_the_last_saved_version_stands_until_somebody_chooses_another():
    with Database.open(":memory:") as db:
        first = prompts.add(db, "draft/x", "one", IDS, "shorter", "Ada")
        second = prompts.add(db, "draft/x", "two", IDS, "", "Bo")
        assert (first.number, second.number, first.note, second.by) == (1, 2, "shorter", "Bo")
        assert prompts.load_current_versions(db) == {"draft/x": second.hash}
        prompts.choose(db, "draft/x", first.hash, "Cy")
        assert prompts.load_texts(db, prompts.load_current_versions(db)) == {"draft/x": "one"}
        prompts.choose(db, "draft/x", None, "Cy")
        assert prompts.load_current_versions(db) == {}
        assert [(c.version, c.by) for c in prompts.load_choices(db)] == [
            (first.hash, "Ada"),
            (second.hash, "Bo"),
            (first.hash, "Cy"),
            (None, "Cy"),
        ]


def test_the_same_words_again_are_the_version_they_were():
    with Database.open(":memory:") as db:
        first = prompts.add(db, "draft/x", "one", IDS, "first", "Ada")
        prompts.add(db, "draft/x", "two", IDS, "", "Ada")
        again = prompts.add(db, "draft/x", "one", IDS, "again", "Bo")
        assert (
            again == first
            and len(prompts.load_versions(db)) == 2
            and prompts.load_current_versions(db) == {"draft/x": first.hash}
        )


def test_versions_of_one_prompt_do_not_count_for_another_whose_name_begins_alike():
    with Database.open(":memory:") as db:
        prompts.add(db, "draft/x", "one", IDS, "", "Ada")
        prompts.add(db, "draft/xy", "one", {}, "", "Ada")
        assert [v.number for v in prompts.load_versions(db)] == [1, 1]
        assert prompts.count_calls(db, "draft/x") == {}
