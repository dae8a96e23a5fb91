"""Releases: a name stands for one content for ever; what was frozen is what comes out, whatever happened since."""

from dataclasses import replace

import pytest

from core.errors import BenchError
from core.ids import content_hash
from core.nouns import Document, Item, Release, Variant
from core.records import item_record
from store.corpus import documents
from store.engine.database import Database
from store.items import items
from store.releases import releases
from store.releases.manifest import build_manifest, release_hash
from store.reviews.reviews import decide
from store.variants import variants
from tests.store.held_records import HeldRecords
from tests.store.sample_items import item, review

DOCUMENT = Document(content_hash("A text."), "A text.", "A", licence="CC0-1.0")
VARIANT = Variant("v", "a", 1, "formality", "Whom?", status="accepted")


def freeze(name: str, frozen: list[Item], also: list[Variant] | None = None) -> Release:
    pairs = [(one, item_record(one, lambda span: "")) for one in frozen]
    content = build_manifest(pairs, also or [], [DOCUMENT], {}, {"test": 1.0}, 1)
    return Release(name, release_hash(content), content)


def stocked() -> Database:
    database = Database.open(":memory:")
    documents.add(database, [DOCUMENT])
    items.add(database, [item("b", status="accepted"), item("a", status="accepted")])
    variants.add(database, [VARIANT])
    return database


def test_the_manifest_holds_one_record_at_a_time() -> None:
    members = [item(f"i{number:02}") for number in range(50)]
    records = HeldRecords({"id": one.id} for one in members)
    made = build_manifest(zip(reversed(members), records, strict=True), [], [DOCUMENT], {}, {}, 1)
    assert records.most <= 2 and [entry["id"] for entry in made["items"]] == [one.id for one in members]


@pytest.mark.fault(43)
def test_what_was_frozen_comes_out_whatever_happened_since() -> None:
    with stocked() as database:
        frozen = items.load_items(database, ["a", "b"])
        saved = releases.save(database, freeze("r1", frozen, [VARIANT]), [VARIANT])
        decide(database, review("k1", "a"), replace(frozen[0], question="Edited?"))
        decide(database, review("k2", "b", "discard"))
        decide(database, review("k3", "v", "discard"))
        members = releases.load_members(database, releases.get(database, "r1"))
        assert members == (frozen, [VARIANT], [DOCUMENT], frozenset(), (), ())
        again = freeze("r1", members.items, members.variants)
        assert again.hash == saved.hash and releases.save(database, again) == saved
        assert releases.load_members(database, saved, with_texts=False).documents == [replace(DOCUMENT, text="")]


def test_a_name_stands_for_one_content() -> None:
    with stocked() as database:
        first = releases.save(database, freeze("r1", items.load_items(database, ["a"])))
        assert first.created and [one.hash for one in releases.list_headers(database)] == [first.hash]
        with pytest.raises(BenchError, match="already belongs to other content"):
            releases.save(database, freeze("r1", items.load_items(database, ["b"])))
        assert releases.get(database, "r1") == first
        with pytest.raises(BenchError, match=r"No release r2.*there are: r1"):
            releases.get(database, "r2")


def test_working_is_the_newest_and_earlier_ones_stay_for_their_runs() -> None:
    with stocked() as database:
        one, both = (freeze("working", items.load_items(database, ids)) for ids in (["a"], ["a", "b"]))
        releases.save(database, one)
        releases.save(database, both)
        assert releases.get(database, "working").hash == both.hash
        assert releases.get(database, "working", one.hash).hash == one.hash
        releases.save(database, one)
        assert releases.get(database, "working").hash == one.hash
        assert [release.hash for release in releases.list_headers(database)] == [one.hash]


def test_the_secret_of_a_release_stays_and_is_its_own() -> None:
    with stocked() as database:
        for name in ("r1", "r2", "r1"):
            releases.save(database, freeze(name, items.load_items(database, ["a"])))
        one, two = releases.load_secret(database, "r1"), releases.load_secret(database, "r2")
        assert len(one) == 32 and one != two and releases.load_secret(database, "r1") == one
        releases.save(database, freeze("r3", items.load_items(database, ["a"])), secret="given")
        assert releases.load_secret(database, "r3") == "given"


def test_a_release_with_a_member_missing_is_one_sentence() -> None:
    with stocked() as database:
        saved = releases.save(database, freeze("r1", [item("gone", status="accepted")]))
        with pytest.raises(BenchError, match="1 items, variants, documents or tables of the release r1 are not"):
            releases.load_members(database, saved)
