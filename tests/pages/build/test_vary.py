"""The page Vary: what each kind does and costs, a try on three items, the job, and what was made under its originals."""

from typing import Any

import pytest

import jobs
from core.nouns import Variant
from store.items import items
from store.variants import variants
from tests.openai_server import running
from tests.pages.conftest import Show
from tests.waiting import until
from workbench import Workbench
from workbench.build.varying.varying import VaryRequest


def said(at: Any) -> str:
    kinds = ("caption", "subheader", "text", "markdown", "success", "error", "warning", "info")
    return " ".join(str(getattr(one, "value", "")) for kind in kinds for one in getattr(at, kind)).replace("\\", "")


def there(at: Any, key: str) -> Any:
    return next((one for one in at.button if one.key == key), None)


def wait_for(at: Any, key: str) -> Any:
    def look() -> Any:
        at.run()
        return there(at, key)

    until(look)
    return there(at, key)


def test_kinds_say_what_they_do_whom_they_ask_and_where_there_are_none(bench: Workbench, show: Show) -> None:
    at = show("build/vary")
    text = said(at)
    assert "Some words are misspelt" in text and "Free." in text and "Asks an agent." in text and "English only." in text
    total = sum(bench.vary.count_languages(VaryRequest(kinds=())).values())
    assert f"{total} items" in text and f"{total} items in 1 kind: {total} variants at most." in text
    at.checkbox(key="vary_kind_spelling").uncheck().run()
    assert "Choose a kind." in said(at) and there(at, "vary_start") is None
    at.selectbox(key="vary_domain").select("law").run()
    assert f"{sum(bench.vary.count_languages(VaryRequest(kinds=(), domain='law')).values())} items" in said(at)


def test_a_try_shows_three_items_and_stores_nothing_and_the_job_makes_them_all(bench: Workbench, show: Show) -> None:
    at = show("build/vary", domain="law", kind="ocr")
    assert at.checkbox(key="vary_kind_ocr").value and not at.checkbox(key="vary_kind_spelling").value
    wait_for(at, "vary_try").click().run()
    until(lambda: "This preview is not stored" in said(at.run()))
    assert "edit distance" in said(at) and variants.list_variants(bench.database) == []
    there(at, "vary_start").click().run()
    total = sum(bench.vary.count_languages(VaryRequest(kinds=(), domain="law")).values())
    until(lambda: bench.upkeep.jobs()[0].state == "done", 120)
    assert len(variants.list_variants(bench.database)) == total
    at.run()
    assert "Vary accepted items: ocr" in said(at) and f"{total} made, 0 refused" in said(at)


def test_what_was_made_stands_under_its_original_by_kind_and_flag(bench: Workbench, show: Show) -> None:
    quiet = {"embedding_model": "none"}
    job = bench.vary.plan(VaryRequest(kinds=("grammar", "spelling"), agent="offline", domain="law", settings=quiet))
    jobs.start(bench).submit(job).result()
    at = show("build/vary", view="made")
    total = len(variants.list_variants(bench.database))
    assert f"{total} variants" in said(at) and "unverified: No grammar checker" in said(at) and "offline (no LLM)" in said(at)
    at.selectbox(key="made_kind").select("spelling").run()
    assert f"{total // 2} variants" in said(at) and "mode protected" in said(at) and "unverified:" not in said(at)
    at.selectbox(key="made_kind").select("").run()
    at.selectbox(key="made_flag").select("unverified").run()
    assert f"{total // 2} variants" in said(at) and "half of real errors are not found" in said(at)


def test_a_rewrite_names_who_wrote_it(bench: Workbench, show: Show) -> None:
    item = bench.reviews.items(status="accepted")[0].id
    bench.rewrites.rewrite(item, "Put another way, what is it that this asks about?", "Zoe")
    assert "written by Zoe" in said(show("build/vary", view="made"))


def test_an_agents_kinds_are_estimated_and_begun_with_nothing_asked_before(
    bench: Workbench, show: Show, monkeypatch: pytest.MonkeyPatch
) -> None:
    with running() as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        monkeypatch.setenv("OPENAI_API_KEY", "sk-x")
        name = bench.agent_list.save({"name": "writer", "model": "m", "price_in": 1.0, "price_out": 2.0})
        at = show("build/vary", domain="law", kind="formality")
        at.selectbox(key="vary_agent").select(name).run()
        total = len([item for item in items.list_items(bench.database) if (item.domain, item.status) == ("law", "accepted")])
        wait_for(at, "vary_start")
        assert f"{total} items in 1 kind" in said(at) and server.count()["requests"] == 0
        there(at, "vary_start").click().run()
        until(lambda: bench.upkeep.jobs()[0].state == "done", 120)
        assert server.count()["requests"] == total


def test_the_checker_is_named_with_what_its_silence_means_and_a_judge_is_chosen(bench: Workbench, show: Show) -> None:
    at = show("build/vary", kind="grammar")
    assert "each variant is marked as unverified" in said(at)
    bench.grammar_checker.choose("http://127.0.0.1:9")
    at.run()
    assert "LanguageTool at http://127.0.0.1:9 checks each grammar error" in said(at)
    assert (
        'half of the real errors in English and almost none in Chinese, so a variant marked "unverified" can still have one'
        in said(at)
    )
    until(lambda: "next to nothing in Chinese" in said(at.run()))
    at.selectbox(key="vary_judge").select("offline").run()
    until(lambda: "offline has no LLM and cannot judge grammar" in said(at.run()))


def test_a_judges_opinion_stands_beside_the_checkers_verdict(bench: Workbench, show: Show) -> None:
    item = bench.reviews.items(status="accepted")[0].id
    checks = {
        "verdict": "unverified",
        "unverified_why": "None.",
        "judge": {"agent": "critic", "has_error": 1, "error": "to paid"},
    }
    variants.add(bench.database, [Variant("v", item, 1, "grammar", "Who to paid?", checks=checks)])
    assert "unverified: None · critic finds an error: to paid" in said(show("build/vary", view="made"))


def test_who_may_not_make_variants_is_told_so(bench: Workbench, show: Show) -> None:
    bench.people.give("Ada", "admin")
    bench.people.give("Bob", "annotator")
    assert "may not make variants" in said(show("build/vary", person="Bob"))


def test_an_empty_workspace_and_one_without_variants_say_what_to_do(empty_bench: Workbench, show: Show) -> None:
    assert "No items yet" in said(show("build/vary"))


def test_no_variants_yet(bench: Workbench, show: Show) -> None:
    for variant in variants.list_variants(bench.database):
        pytest.fail(f"the samples hold {variant.id}")
    assert "No variants yet" in said(show("build/vary", view="made"))
