"""cli.py rewrite: a list of variants, and one sentence for what is none."""

from pathlib import Path
from typing import Any

from core.nouns import Item
from store.items import items
from workbench import Workbench

OWN = "In what year did fire take Orvel's mill?"
KEYS = {"id", "item", "revision", "kind", "text", "status", "generator", "seed", "checks"}


def test_a_rewrite_is_printed_as_a_list_of_variants(bw: Any, world: dict[str, str]) -> None:
    first = bw("rewrite", world["1902"], "--as", "Ada", "--text", OWN)
    [variant] = first.json
    assert first.code == 0 and set(variant) == KEYS
    assert (variant["item"], variant["kind"], variant["text"], variant["generator"]) == (world["1902"], "human", OWN, "Ada")
    assert bw("rewrite", world["1902"], "--as", "Ada", "--text", f" {OWN} ").json == [variant]
    [gone] = bw("decide", variant["id"], "discard", "--as", "Bo", "--reason", "another question").json
    assert gone["status"] == "discarded"
    assert OWN in bw("rewrite", world["1902"], "--as", "Bo", "--text", OWN, json_too=False).out
    assert bw("freeze", "v2", "--allow-unlicensed", "a test").json["variants"] == 1


def test_what_is_no_rewrite_is_one_sentence_and_exit_1(bw: Any, world: dict[str, str]) -> None:
    asked = "When did the mill of Orvel burn"
    texts = ["", "  ", f"{asked}?", asked.lower(), f"{asked} then?"]
    for text in texts:
        said = bw("rewrite", world["1902"], "--as", "Ada", "--text", text)
        assert said.code == 1 and said.sentence.endswith(".") and not said.out
    assert bw("rewrite", "nowhere", "--as", "Ada", "--text", OWN).code == 1
    assert bw("rewrite", world["1902"], "--as", " ", "--text", OWN).code == 1
    assert bw("rewrite", world["1902"], "--text", OWN).code == 2


def test_a_second_rewrite_of_one_question_by_one_person_is_refused(bw: Any, world: dict[str, str]) -> None:
    [first] = bw("rewrite", world["1902"], "--as", "Ada", "--text", OWN).json
    other = "The mill at Orvel was lost to flames in which year?"
    said = bw("rewrite", world["1902"], "--as", " ada", "--text", other)
    assert said.code == 1 and "has rewritten" in said.sentence and OWN in said.sentence
    assert bw("rewrite", world["1902"], "--as", "Bo", "--text", other).code == 0
    assert bw("decide", first["id"], "discard", "--as", "Bo", "--reason", "another question").code == 0
    assert bw("rewrite", world["1902"], "--as", "Ada", "--text", f"{other} Say it.").code == 0


def test_a_rewrite_of_a_draft_says_when_it_counts(bw: Any, world: dict[str, str], tmp_path: Path) -> None:
    with Workbench.open(tmp_path / "w.duckdb") as bench:
        items.add(bench.database, [Item("draft", "explicit_factoid", "When did the mill of Orvel burn?", ("1902",))])
    said = "This item is still a draft: its rewrites count only if the item is accepted with this wording."
    assert said in bw("rewrite", "draft", "--as", "Ada", "--text", OWN).err
    assert said not in bw("rewrite", world["1902"], "--as", "Ada", "--text", OWN).err
