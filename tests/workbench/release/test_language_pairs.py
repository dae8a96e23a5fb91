"""Pairs of items in two languages: imported, paired by hand or translated, frozen with a release, and carried by its folder."""

import asyncio
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from core.errors import BenchError
from core.ids import content_hash
from core.nouns import Document, Item, Review, Span
from store.corpus import documents
from store.items import items
from store.reviews import reviews
from tests.workbench.proven import open_bought
from workbench import Workbench
from workbench.control import Control
from workbench.release.contests import ContestRuling, NewContest
from workbench.release.pairs.translations import TranslationRequest

PARALLEL = Path(__file__).parents[3] / "samples" / "parallel"
TEXTS = {
    "en": "The mill stands by the river. Ada Quill bought it in 1902.",
    "zh": "磨坊在河边。艾达·奎尔于1902年买下它。",
}


def item(name: str, language: str, question: str, *answers: str, **more: Any) -> Item:
    text = TEXTS[language]
    given: dict[str, Any] = {"status": "accepted", "evidence": (Span(content_hash(text), 0, len(text)),), "level": 1}
    return Item(name, "explicit_factoid", question, answers, language=language, **given | more)


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Workbench]:
    with Workbench.open(tmp_path / "w.duckdb") as bench:
        for language, text in TEXTS.items():
            documents.add(bench.database, [Document(content_hash(text), text, language, language=language, licence="CC0")])
        items.add(
            bench.database,
            [
                item("who", "en", "Who bought the mill?", "Ada Quill"),
                item("谁", "zh", "谁买下了磨坊？", "艾达·奎尔"),
                item("when", "en", "In which year was the mill bought?", "1902"),
                item("哪年", "zh", "磨坊是哪一年被买下的？", "1902年"),
            ],
        )
        yield bench


def pair_both(bench: Workbench) -> None:
    bench.language_pairs.add("who", "谁", "Ada")
    bench.language_pairs.add("when", "哪年", "Ada")


def test_two_files_with_the_same_ids_become_pairs_and_a_second_import_adds_none(tmp_path: Path) -> None:
    with Workbench.open(tmp_path / "w.duckdb") as bench:
        made = bench.language_pairs.import_(PARALLEL / "en.json", PARALLEL / "zh.json", "squad")
        assert (made.pairs, made.already, made.refused, made.without_twin) == (8, 0, {}, 0)
        rows = bench.language_pairs.list_pairs()
        assert {(row.item.language, row.twin.language, row.pair.source) for row in rows} == {("en", "zh", "imported")}
        assert all(row.twin.labels["own_id"] == row.item.id for row in rows)
        again = bench.language_pairs.import_(PARALLEL / "en.json", PARALLEL / "zh.json", "squad")
        assert (again.pairs, again.already) == (0, 8)


def test_items_with_other_figures_are_imported_but_not_paired(tmp_path: Path) -> None:
    text = (PARALLEL / "zh.json").read_text(encoding="utf-8").replace("1951年", "1915年")
    (tmp_path / "zh.json").write_text(text, encoding="utf-8")
    with Workbench.open(tmp_path / "w.duckdb") as bench:
        made = bench.language_pairs.import_(PARALLEL / "en.json", tmp_path / "zh.json", "squad")
        assert (made.pairs, made.refused) == (7, {"other figures": 1})
        assert sum(report.items for report in made.files) == 16


def test_by_hand_only_items_that_fit_are_paired(bench: Workbench) -> None:
    with pytest.raises(BenchError, match="different numbers or dates"):
        bench.language_pairs.add("when", "谁", "Ada")
    with pytest.raises(BenchError, match="Give your name"):
        bench.language_pairs.add("who", "谁", " ")
    bench.language_pairs.add("who", "谁", "Ada")
    with pytest.raises(BenchError, match="are a pair already"):
        bench.language_pairs.add("谁", "who", "Ada")
    items.add(bench.database, [item("other", "zh", "磨坊的买主是谁？", "艾达·奎尔")])
    with pytest.raises(BenchError, match="has another twin in that language"):
        bench.language_pairs.add("who", "other", "Ada")
    bench.language_pairs.remove("谁", "who")
    with pytest.raises(BenchError, match="nothing to take apart"):
        bench.language_pairs.remove("who", "谁")


def test_a_release_without_pairs_keeps_its_hash(bench: Workbench) -> None:
    before = bench.releases.freeze("v1")
    assert before.language_pairs == 0 and "language_pairs" not in bench.releases.get("v1")[0].manifest
    pair_both(bench)
    after = bench.releases.freeze("v2")
    assert after.hash != before.hash and (after.language_pairs, after.language_pairs_by_value) == (2, 1)
    assert bench.releases.diff("v1", "v2").language_pairs == sorted(["who", "谁", "when", "哪年"])
    bench.language_pairs.remove("who", "谁")
    bench.language_pairs.remove("when", "哪年")
    assert bench.releases.freeze("v1").hash == before.hash
    assert {row["item"] for row in bench.releases.get("v2")[0].manifest["language_pairs"]["pairs"]} == {"who", "when"}


def test_pairs_that_no_longer_fit_are_left_out_with_the_reason_and_the_items_stay(bench: Workbench) -> None:
    pair_both(bench)
    items.edit(bench.database, replace(items.get(bench.database, "哪年"), answers=("1912年",)), "Ada")
    reviews.decide(bench.database, Review("k1", "哪年", 2, "Ada", "accept"))
    reviews.decide(bench.database, Review("k2", "谁", 1, "Ada", "discard", "a test"))
    assert {row.pair.item: row.misfit for row in bench.language_pairs.list_pairs()} == {
        "when": "other figures",
        "who": "not accepted",
    }
    made = bench.releases.freeze("v1")
    assert (made.items, made.language_pairs) == (3, 0)
    assert made.language_pairs_left_out == {"not accepted": 1, "other figures": 1}


def test_both_items_of_a_pair_are_in_the_same_split(bench: Workbench) -> None:
    pair_both(bench)
    for seed in range(6):
        bench.releases.freeze(f"s{seed}", split="dev=0.5,test=0.5", seed=seed)
        splits = {row["id"]: row["split"] for row in bench.releases.get(f"s{seed}")[0].manifest["items"]}
        assert splits["who"] == splits["谁"] and splits["when"] == splits["哪年"]


def test_an_exported_folder_carries_the_pairs_to_another_workspace(bench: Workbench, tmp_path: Path) -> None:
    pair_both(bench)
    made = bench.releases.freeze("v1")
    bench.releases.export("v1", "jsonl", tmp_path / "v1")
    with Workbench.open(tmp_path / "other.duckdb") as other:
        assert other.releases.import_(tmp_path / "v1", "jsonl").release == "v1"
        assert [row.pair.source for row in other.language_pairs.list_pairs()] == ["by hand", "by hand"]
        assert other.releases.get("v1")[0].hash == made.hash == other.releases.freeze("again").hash


def test_an_erratum_leaves_out_the_pair_of_a_corrected_item(bench: Workbench) -> None:
    pair_both(bench)
    bench.releases.freeze("v1")
    contest = bench.contests.submit("v1", NewContest(item="who", kind="wrong_answer", answer="Bert Vane", reason="He did."))
    bench.contests.decide(ContestRuling(contest=contest.id, decision="accept", person="Ada", answers=("Bert Vane",)))
    bench.errata.freeze("v1.1", "v1")
    pairs = bench.releases.get("v1.1")[0].manifest["language_pairs"]["pairs"]
    assert [pair["item"] for pair in pairs] == ["when"]


def test_a_counterfactual_release_has_no_pairs(tmp_path: Path) -> None:
    with open_bought(tmp_path / "w.duckdb") as bench:
        twin = replace(items.get(bench.database, "mill"), id="twin", language="zh", question="谁买下了磨坊？")
        items.add(bench.database, [twin])
        bench.language_pairs.add("mill", "twin", "Ada")
        assert bench.releases.freeze("v1").language_pairs == 1
        bench.releases.freeze_counterfactual("cf", "v1")
        assert "language_pairs" not in bench.releases.get("cf")[0].manifest


def translate(bench: Workbench, folder: Path, *replies: object, **asked: Any) -> dict[str, Any]:
    file = folder / "replies.jsonl"
    lines = [json.dumps({"text": json.dumps(reply, ensure_ascii=False)}, ensure_ascii=False) for reply in replies]
    file.write_text("\n".join(lines), encoding="utf-8")
    request = TranslationRequest(agent=f"scripted:{file}", language="zh", **asked)
    return asyncio.run(bench.translations.work(bench.translations.plan(request), Control()))


WHOLE = {"title": "磨坊", "translation": TEXTS["zh"] + "如今它是学校。"}
GOOD = {"question": "磨坊由谁买下？", "answers": ["艾达·奎尔"], "quotes": ["磨坊在河边。艾达·奎尔于1902年买下它。"]}


def test_a_translated_item_waits_for_review_as_a_pair_with_its_original(bench: Workbench, tmp_path: Path) -> None:
    result = translate(bench, tmp_path, WHOLE, GOOD, items=("who",))
    assert (result["asked"], result["drafted"], result["refused"]) == (1, 1, {})
    [row] = bench.language_pairs.list_pairs()
    assert (row.item.id, row.pair.source, row.twin.status, row.misfit) == ("who", "translated", "drafted", "not accepted")
    [document] = documents.load_documents(bench.database, [row.twin.evidence[0].document])
    assert document.language == "zh" and document.licence == "CC0" and document.meta["translated_from"]
    assert bench.releases.freeze("v1").language_pairs == 0
    reviews.decide(bench.database, Review("k", row.twin.id, 1, "Ada", "accept"))
    assert bench.releases.freeze("v2").language_pairs == 1
    with pytest.raises(BenchError, match="lacks a twin in it"):
        translate(bench, tmp_path, WHOLE, GOOD, items=("who",))


def test_a_translation_with_another_figure_is_refused_and_nothing_of_it_is_stored(bench: Workbench, tmp_path: Path) -> None:
    wrong = {"question": "磨坊是哪一年买下的？", "answers": ["1912年"], "quotes": ["艾达·奎尔于1912年买下它。"]}
    whole = {"title": "磨坊", "translation": "磨坊在河边。艾达·奎尔于1912年买下它。"}
    result = translate(bench, tmp_path, whole, wrong, wrong, wrong, items=("when",))
    assert result["refused"] == {"other figures": 1} and "Refused: 1 other figures." in result["message"]
    assert not bench.language_pairs.list_pairs()
    assert not documents.load_documents(bench.database, [content_hash(whole["translation"])])


def test_an_estimate_counts_each_document_and_item_once_and_sends_nothing(bench: Workbench, tmp_path: Path) -> None:
    settings = {"agent.price_in": 1.0, "agent.price_out": 1.0}
    asked = TranslationRequest(agent="openai:m", language="zh", settings=settings)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
        found = bench.translations.estimate(asked)
    assert (found.items, found.documents, found.least.calls) == (2, 1, 3.0)
    assert found.least.price is not None and found.least.price > 0 and found.least.tokens_out == 700 + 2 * 160
    assert not bench.database.rows("SELECT * FROM job")


def test_the_card_of_a_release_tells_its_pairs(bench: Workbench, tmp_path: Path) -> None:
    pair_both(bench)
    bench.releases.freeze("v1")
    bench.releases.export("v1", "jsonl", tmp_path / "out")
    card = (tmp_path / "out" / "README.md").read_text(encoding="utf-8")
    assert "- Language pairs, items that ask the same in two languages: English and Chinese (2); by hand (2)." in card


def test_the_offline_agent_cannot_translate(bench: Workbench) -> None:
    with pytest.raises(BenchError, match="works by rules and cannot translate: name an LLM"):
        bench.translations.plan(TranslationRequest(agent="offline", language="zh"))
    with pytest.raises(BenchError, match="Language 'Chinese' is not known"):
        bench.translations.plan(TranslationRequest(agent="offline", language="Chinese"))
