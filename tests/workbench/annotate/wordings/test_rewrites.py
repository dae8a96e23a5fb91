"""Rewrites by people: what is stored, what is refused in a sentence, and who sees what."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from core.errors import BenchError
from core.nouns import Item, Variant
from core.retrieval.similarity import explain_near_copy, measure_rewrite, similarity
from store.items import items
from store.variants import variants
from workbench import Workbench
from workbench.annotate.reviewing.reviews import ItemKind
from workbench.annotate.wordings.rewrites import ItemChanged, NearCopy, Rewrite
from workbench.annotate.wordings.variants import VariantPress

FACT = Item("fact", "explicit_factoid", "Who designed the bridge at Orvel?", ("Marta Quill",), status="accepted")
OWN = "Tell me the name of the person behind Orvel's bridge."
NEAR = "Who designed the bridge at Orvel then?"


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Workbench]:
    with Workbench.open(tmp_path / "w.duckdb") as bench:
        gone = replace(FACT, id="gone", status="discarded")
        items.add(bench.database, [FACT, replace(FACT, id="zh", language="zh", question="奥维尔的桥是谁设计的?"), gone])
        yield bench


def write(bench: Workbench, text: str = OWN, person: str = "Ada", **fields: Any) -> Variant:
    return bench.rewrites.write(Rewrite(**{"person": person, "item": "fact", "revision": 1, "text": text} | fields))


def test_a_rewrite_is_an_accepted_variant_with_its_numbers(bench: Workbench) -> None:
    made = write(bench, f"  {OWN}\r\n", seconds=4.0)
    assert (made.kind, made.text, made.status, made.generator) == ("human", OWN, "accepted", "Ada")
    checks = made.checks
    assert isinstance(checks, dict) and checks["words_ratio"] == pytest.approx(10 / 6, abs=1e-4)
    assert checks["shared"] == pytest.approx(2 / 3, abs=1e-4) and checks["similarity"] is None and checks["similarity_why"]


def test_the_same_persons_same_text_is_one_variant_however_often_pressed(bench: Workbench) -> None:
    with ThreadPoolExecutor(8) as pool:
        made = list(pool.map(lambda _: write(bench), range(8)))
    assert len({one.id for one in made}) == 1 and len(variants.list_variants(bench.database)) == 1
    assert write(bench, person="Bo").id != made[0].id


OTHER = "Say whose plans the bridge at Orvel was built by."


def test_a_person_has_one_rewrite_of_a_question_also_from_two_tabs(bench: Workbench) -> None:
    def try_to_write(text: str) -> str:
        try:
            return write(bench, text).text
        except BenchError as refused:
            return str(refused)

    with ThreadPoolExecutor(2) as pool:
        told = list(pool.map(try_to_write, (OWN, OTHER)))
    [kept] = variants.list_variants(bench.database)
    assert sorted(words == kept.text for words in told) == [False, True]
    assert any(words.startswith(f"Ada has rewritten fact already, as “{kept.text}”") for words in told)


@pytest.mark.parametrize("way", ["undo", "decide", "press", "edit"])
def test_a_discarded_rewrite_does_not_come_back_beside_a_later_one(bench: Workbench, way: str) -> None:
    first = write(bench)
    if way == "undo":
        bench.variants.settle(VariantPress("k1", "Bo", first.id, "discard", "accepted", "", reason="r"))
    else:
        bench.reviews.decide(first.id, "discard", person="Bo", reason="r")
    second = write(bench, OTHER)

    def bring_back() -> object:
        if way == "undo":
            return bench.variants.undo("Bo", "k2", first.id)
        if way == "decide":
            return bench.reviews.decide(first.id, "accept", person="Bo")
        text = "Name whoever drew the bridge at Orvel." if way == "edit" else ""
        return bench.variants.settle(
            VariantPress("k3", "Bo", first.id, "accept", "discarded", text=text, applied=True, kept=True)
        )

    with pytest.raises(BenchError, match=f"Ada has another rewrite of this question, {second.id}"):
        bring_back()
    assert [one.id for one in variants.list_variants(bench.database, status="accepted")] == [second.id]
    bench.reviews.decide(second.id, "discard", person="Bo", reason="r")
    bench.variants.settle(VariantPress("k4", "Bo", first.id, "accept", "discarded", "", applied=True, kept=True))
    assert [one.id for one in variants.list_variants(bench.database, status="accepted")] == [first.id]


def test_beside_the_item_rewrites_are_seen_by_who_wrote_one_or_when_all_are_in(bench: Workbench) -> None:
    def seen(person: str) -> list[str]:
        return [one.person for one in bench.reviews.desk("fact", person).rewrites]

    write(bench)
    assert (seen("Ada"), seen("Bo"), seen("")) == (["Ada"], [], [])
    write(bench, "The bridge at Orvel: whose drawing board did it come from?", person="Bo")
    assert seen("Cy") == ["Ada", "Bo"]
    bench.reviews.decide("fact", "accept", person="Cy", question="Whose design is the bridge at Orvel?")
    assert [one.revision for one in bench.reviews.desk("fact", "Dee").rewrites] == [1, 1], "of words asked before"


@pytest.mark.parametrize("text", ["", " \n\t", "?!", "who designed  the bridge at ORVEL", "Ｗho designed the bridge at Orvel?"])
@pytest.mark.fault(8)
def test_nothing_or_the_question_itself_is_no_rewrite(bench: Workbench, text: str) -> None:
    with pytest.raises(BenchError):
        write(bench, text)
    assert variants.list_variants(bench.database) == []


@pytest.mark.parametrize(
    "text",
    [
        "Was it A. Sol, or who, at Orvel's bridge?",
        "Was it Marte Qwill, or who, at Orvel's bridge?",
        "Was it Марта, or who, at Orvel's bridge?",
        "Orvel at bridge the designed who?",
        "?levrO ta egdirb eht dengised ohW",
        "bridge bridge bridge bridge bridge bridge bridge",
    ],
)
def test_a_hint_at_the_answer_and_what_asks_nothing_wait_for_somebody_else(bench: Workbench, text: str) -> None:
    items.add(bench.database, [replace(FACT, id="sol", answers=("Marta Quill", "Amaia Sol"))])
    with pytest.raises(NearCopy):
        write(bench, text, item="sol")
    made = write(bench, text, item="sol", reason="it is asked so")
    assert made.status == "drafted"
    assert bench.reviews.decide(made.id, "accept", person="Bo")


def test_a_rule_lets_every_rewrite_wait_for_somebody_else(bench: Workbench) -> None:
    bench.rewrites.set_second_reader(True)
    made = write(bench)
    assert made.status == "drafted" and "another person" in made.checks["near"]
    with pytest.raises(BenchError, match="own rewrite"):
        bench.reviews.decide(made.id, "accept", person="Ada")
    bench.rewrites.set_second_reader(False)
    assert write(bench, "The bridge at Orvel: whose drawing board did it come from?", person="Bo").status == "accepted"


@pytest.mark.fault(8)
def test_a_near_copy_needs_a_reason_and_then_waits_for_somebody_else(bench: Workbench) -> None:
    for text in (NEAR, "Who designd the bridge at Orvel?"):
        with pytest.raises(NearCopy):
            write(bench, text)
    made = write(bench, NEAR, reason="spoken style")
    assert made.status == "drafted" and made.checks["kept_because"] == "spoken style"  # type: ignore[index]
    with pytest.raises(BenchError, match="somebody else"):
        bench.reviews.decide(str(made.id), "accept", person="Ada")
    assert bench.reviews.decide(str(made.id), "accept", person="Bo").status == "accepted"


@pytest.mark.fault(8)
@pytest.mark.parametrize("text", ["x", "Orvel?"])
def test_a_fragment_needs_a_reason_and_then_waits_for_somebody_else(bench: Workbench, text: str) -> None:
    with pytest.raises(NearCopy, match="of the question's characters"):
        write(bench, text)
    assert write(bench, text, reason="typed on a phone").status == "drafted"


def test_another_order_or_other_words_are_no_near_copy() -> None:
    for text in ("By whom was the bridge at Orvel designed?", "Which architect is the bridge at Orvel by?", OWN):
        assert explain_near_copy(measure_rewrite(FACT.question, text, "en")) is None, text
    assert explain_near_copy(measure_rewrite("奥维尔的桥是谁设计的?", "奥维尔的桥是由谁设计的?", "zh"))


@pytest.mark.fault(6)
def test_what_cannot_be_stored_is_refused_whole(bench: Workbench) -> None:
    wrong = [
        {"text": "a\0b"},
        {"text": "a\ud800b"},
        {"text": "word " * 4001},
        {"person": " "},
        {"person": "A\0"},
        {"item": "gone"},
        {"item": "no"},
        {"reason": "\0"},
    ]
    for fields in wrong:
        with pytest.raises(BenchError):
            write(bench, **fields)  # type: ignore[arg-type]
    assert variants.list_variants(bench.database) == []
    hostile = "<script>alert(1)</script> \u202e $x$ which person drew it? '; DROP TABLE variant"
    assert write(bench, hostile).text == hostile


@pytest.mark.fault(39)
def test_words_on_a_question_that_changed_are_kept_and_not_stored(bench: Workbench) -> None:
    bench.rewrites.keep("Ada", "fact", 1, OWN, 2.0)
    bench.reviews.decide("fact", "accept", person="Bo", question="Who built the bridge at Orvel?")
    with pytest.raises(ItemChanged):
        write(bench)
    sheet = bench.rewrites.sheet("fact", "Ada")
    assert sheet.scratch.question == OWN and sheet.item.revision == 2
    assert write(bench, revision=2).revision == 2 and bench.rewrites.sheet("fact", "Ada").scratch is None


def test_others_are_hidden_until_ones_own_is_stored(bench: Workbench) -> None:
    write(bench, person="Bo")
    before = bench.rewrites.sheet("fact", "Ada")
    assert before.written == [] and before.people == 1 and OWN not in str(before)
    mine = write(bench, "Whose design is the Orvel bridge?")
    assert [one.generator for one in bench.rewrites.sheet("fact", "Ada").written] == ["Bo", "Ada"]
    bench.reviews.decide(str(mine.id), "discard", person="Ada")
    assert bench.rewrites.sheet("fact", "Ada").written == [] and bench.rewrites.find_next(ItemKind(), "Ada") == "fact"


def test_consent_is_asked_once_a_version_and_recorded(bench: Workbench) -> None:
    book = bench.rewrites.consent
    assert book.find_unagreed("Ada") is None
    assert book.change("We store your words.").version == 1
    with pytest.raises(BenchError, match="consent"):
        write(bench)
    book.agree("Ada", 1)
    book.agree("Ada", 1)
    write(bench)
    book.change("We publish your words.")
    asked = book.find_unagreed("Ada")
    assert asked is not None and asked.version == 2
    with pytest.raises(BenchError):
        book.agree("Ada", 1)
    book.agree("Ada", 2)
    assert [one.version for one in book.list_agreements("Ada")] == [1, 2] and all(one.at for one in book.list_agreements("Ada"))
    book.change(" ")
    assert book.find_unagreed("Bo") is None


def test_meaning_is_compared_for_english_alone(bench: Workbench) -> None:
    assert similarity("桥?", "谁?", "zh") == (None, "not available for zh with this model (minilm)")
    found = bench.rewrites.similarity("fact", OWN)
    assert 0.4 < found.similarity < 1
    checks = write(bench).checks
    assert isinstance(checks, dict) and checks["similarity"] == found.similarity
    assert "tokens" in bench.rewrites.similarity("fact", "word " * 400).why


def test_rewrites_go_into_a_release(bench: Workbench) -> None:
    write(bench)
    write(bench, NEAR, person="Bo", reason="spoken")
    assert bench.releases.freeze("v1").variants == 1
    bench.reviews.decide("fact", "accept", person="Cy", question="Who built the bridge at Orvel?")
    assert bench.releases.freeze("v2").variants == 0, "they are of the question as it was"
