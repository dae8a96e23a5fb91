"""Freeze, look, compare, carry away: the pages of releases."""

from collections.abc import Iterator
from dataclasses import replace

import pytest
from streamlit.testing.v1 import AppTest

import jobs
from store.items import items
from tests.hub_server import Hub, running_hub
from tests.pages.conftest import Show
from tests.waiting import until
from workbench import Workbench
from workbench.evaluate.running.run_request import RunRequest
from workbench.evaluate.shortcuts.certificates import CertificateRequest


def said(at: object) -> str:
    """Every sentence in a coloured box."""
    return " ".join(box.value for kind in ("success", "error", "warning") for box in getattr(at, kind)).replace("\\", "")


def test_freezing_makes_the_release_that_was_previewed(bench: Workbench, show: Show) -> None:
    at = show("release/freeze")
    assert [m.value for m in at.metric] == ["40", "8", "0"]
    at.text_input("freeze_name").set_value("v1").run()
    at.multiselect("freeze_domains").set_value(["tech", "law"]).run()
    assert at.metric[0].value == "9"
    at.selectbox("freeze_splits").set_value("dev 20 %, test 80 %").run()
    left_out = [one.value.replace("\\", "") for one in at.caption if one.value.startswith("Left out of the corpus: ")]
    assert len(left_out) == 1 and "no item has" in left_out[0] and "of arts (" in left_out[0]
    at.button[0].click().run()
    assert "v1 is frozen: 9 items" in said(at)
    titles = [title for title, _ in bench.database.rows("SELECT title, id FROM document WHERE domain = 'arts'")]
    assert any(one.value.startswith("Documents left out: ") and titles[0] in one.value.replace("\\", "") for one in at.caption)
    (made,) = bench.release_browser.list_releases()
    assert (made.name, made.items) == ("v1", 9)
    assert bench.release_browser.splits("v1") == ["dev", "test"]


def test_what_is_accepted_and_left_out_is_named_with_a_way_to_it(bench: Workbench, show: Show) -> None:
    first = items.get(bench.database, bench.reviews.items()[0].id)
    words = "In 1931 the bridge was opened to carts."
    items.add(
        bench.database,
        [
            replace(
                first, id="frame", question="What *changed* there?", answers=(words,), status="accepted", labels={"frame": True}
            )
        ],
    )
    at = show("release/freeze")
    assert "Left out: 1 accepted with a frame's words as the answer." in [c.value for c in at.caption]
    labels = [link.proto.label.replace("\\", "") for link in at.get("page_link")]
    assert "What *changed* there? (a frame's words)" in labels


def test_a_name_that_stands_for_other_content_is_refused_in_a_sentence(bench: Workbench, show: Show) -> None:
    bench.releases.freeze("v1", domains=["tech"])
    at = show("release/freeze")
    at.text_input("freeze_name").set_value("v1").run()
    at.button[0].click().run()
    assert "already belongs to other content" in said(at)


@pytest.mark.parametrize("name", ["../x", "working", "a b"])
def test_a_bad_name_is_refused(name: str, bench: Workbench, show: Show) -> None:
    at = show("release/freeze")
    at.text_input("freeze_name").set_value(name).run()
    at.button[0].click().run()
    assert name in said(at)
    assert bench.release_browser.list_releases() == []


def test_the_list_is_filtered_by_what_is_searched(bench: Workbench, show: Show) -> None:
    bench.releases.freeze("v1")
    at = show("release/browse")
    assert "40 items" in [c.value for c in at.caption]
    at.text_input("release_text").set_value("FIRMWARE").run()
    assert "1 item" in [c.value for c in at.caption]
    at.text_input("release_text").set_value("nothing like this").run()
    assert any("No item matches" in m.value for m in at.markdown)


def test_verify_says_that_all_hashes_hold(bench: Workbench, show: Show) -> None:
    bench.releases.freeze("v1")
    at = show("release/browse")
    at.button[0].click().run()
    assert "All items" in said(at)


def test_compare_shows_an_edit(bench: Workbench, show: Show) -> None:
    bench.releases.freeze("v1")
    item = bench.reviews.items()[0]
    bench.reviews.decide(item.id, "accept", person="Ada", question="Is <b>this</b> asked?")
    bench.releases.freeze("v2")
    at = show("release/compare")
    edited = {metric.label: metric.value for metric in at.metric}
    assert edited["Edited"] == "1"
    assert edited["Added"] == edited["Removed"] == "0"


@pytest.mark.fault(1)
def test_a_difference_is_escaped_and_gives_the_text_back() -> None:
    from pages.parts.annotate.adjudicate.word_diff import mark_difference

    assert mark_difference("one <b>two</b>", "one <i>two</i>") == (
        "one &lt;<del>b</del><ins>i</ins>&gt;two&lt;/<del>b</del><ins>i</ins>&gt;"
    )
    assert mark_difference("检索增强", "检索生成") == "检索<del>增强</del><ins>生成</ins>"


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch) -> Iterator[Hub]:
    with running_hub() as hub:
        monkeypatch.setenv("HF_ENDPOINT", hub.url)
        monkeypatch.setenv("HF_HUB_DISABLE_XET", "1")
        monkeypatch.delenv("HF_TOKEN", raising=False)
        yield hub


def test_a_release_is_published_from_its_page_and_a_refusal_is_a_sentence(
    bench: Workbench, hub: Hub, show: Show, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench.releases.freeze("v1")
    at = show("release/browse")
    at.session_state["release_tab"] = "Export"
    at.run()
    assert at.text_input("export_hub").disabled and at.button("export_publish").disabled
    assert any("HF_TOKEN" in caption.value for caption in at.caption)
    monkeypatch.setenv("HF_TOKEN", "hf_write")
    at.run()
    at.text_input("export_hub").set_value("bob/town").run()
    publish(bench, at)
    assert "forbids this to the token in HF_TOKEN" in said(at) and hub.repositories == {}
    at.text_input("export_hub").set_value("../town").run()
    at.button("export_publish").click().run()
    assert "is not an address on the hub" in said(at) and len(bench.upkeep.jobs()) == 1
    at.text_input("export_hub").set_value("ada/town").run()
    publish(bench, at)
    assert "ada/town (private) has the tag v1." in said(at)
    assert [link.proto.url for link in at.get("link_button")] == [f"{hub.url}/datasets/ada/town/tree/v1"]
    assert hub.repositories["ada/town"].private and not at.exception and "hf_write" not in str(at.main)

    at = show("build/corpus")
    assert at.button("corpus_import_box_hub_go").disabled
    at.text_input("corpus_import_box_hub").set_value("ada/town@v9").run()
    import_from_hub(bench, at)
    assert "ada/town on the hub has no tag v9" in said(at)
    at.text_input("corpus_import_box_hub").set_value("hub:ada/town@v1").run()
    import_from_hub(bench, at)
    n = len(bench.item_list.items(status="accepted"))
    assert f"0 items and 0 documents were imported, {n:,} were there already, 0 were refused." in said(at)
    assert not at.exception
    at.text_input("corpus_import_box_hub").set_value("../town").run()
    at.button("corpus_import_box_hub_go").click().run()
    assert "is not an address on the hub" in said(at) and len(bench.upkeep.jobs()) == 4


def publish(bench: Workbench, at: AppTest) -> None:
    """Press the button, and wait for the job."""
    at.button("export_publish").click().run()
    job = at.session_state["export_publish_job"]
    until(lambda: bench.upkeep.job(job).state in ("done", "failed"))
    at.run()


def test_publishing_is_a_job_that_goes_on_after_a_pause(
    bench: Workbench, hub: Hub, show: Show, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench.releases.freeze("v1")
    monkeypatch.setenv("HF_TOKEN", "hf_write")
    at = show("release/browse")
    at.session_state["release_tab"] = "Export"
    at.run()
    hub.holds = "/tag/"
    try:
        at.text_input("export_hub").set_value("ada/town").run()
        at.button("export_publish").click().run()
        job = at.session_state["export_publish_job"]
        until(lambda: any("/tag/" in path for _, path, _, _ in hub.requests))
        at.run()  # the page draws while the hub is silent
        at.button(f"job_{job}_pause").click().run()
        until(lambda: bench.upkeep.job(job).state == "paused")
        at.run()
        assert "ada/town may be without v1, or without its tag: publish it again to go on." in said(at)
    finally:
        hub.holds = ""
    commits = len(hub.repositories["ada/town"].commits)
    at.button(f"job_{job}_resume").click().run()
    until(lambda: bench.upkeep.job(job).state == "done")
    row = bench.upkeep.job(job)
    assert (row.done, row.total, row.about) == (2, 2, "Publish v1 as ada/town on the hub")
    assert list(hub.repositories["ada/town"].tags) == ["v1"] and len(hub.repositories["ada/town"].commits) == commits


def import_from_hub(bench: Workbench, at: AppTest) -> None:
    """Press the button, and wait for the job."""
    at.button("corpus_import_box_hub_go").click().run()
    job = at.session_state["corpus_import_box_hub_job"]
    until(lambda: bench.upkeep.job(job).state in ("done", "failed"))
    at.run()


def test_an_import_from_the_hub_is_a_job_that_can_be_paused_and_cancelled(
    bench: Workbench, hub: Hub, show: Show, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench.releases.freeze("v1")
    monkeypatch.setenv("HF_TOKEN", "hf_write")
    bench.hub.publish("v1", "hub:ada/town")
    hub.holds = "/resolve/"
    try:
        at = show("build/corpus")
        at.text_input("corpus_import_box_hub").set_value("ada/town").run()
        at.button("corpus_import_box_hub_go").click().run()
        job = at.session_state["corpus_import_box_hub_job"]
        until(lambda: "MB fetched." in bench.upkeep.job(job).message)
        at.run()  # the page draws while the hub is silent
        at.button(f"job_{job}_pause").click().run()
        until(lambda: bench.upkeep.job(job).state == "paused")
        bench.upkeep.keep_message(job, "")
        at.run()
        at.button(f"job_{job}_resume").click().run()
        until(lambda: "MB fetched." in bench.upkeep.job(job).message)
        at.run()
        at.button(f"job_{job}_cancel").click().run()
        at.button(f"job_{job}_yes").click().run()
        until(lambda: bench.upkeep.job(job).state == "cancelled")
        at.run()
        assert "Nothing was imported: the job was stopped before the import." in said(at) and not at.exception
        at.button("corpus_import_box_hub_go").click().run()
        job = at.session_state["corpus_import_box_hub_job"]
        until(lambda: "MB fetched." in bench.upkeep.job(job).message)
        at.run()
        at.button(f"job_{job}_pause").click().run()
        until(lambda: bench.upkeep.job(job).state == "paused")
    finally:
        hub.holds = ""
    at.run()
    at.button(f"job_{job}_resume").click().run()
    until(lambda: bench.upkeep.job(job).state == "done")
    row = bench.upkeep.job(job)
    assert (row.done, row.total, row.about) == (2, 2, "Import ada/town from the hub") and row.end.startswith("0 items and 0")


def test_shortcuts_are_looked_for_and_shown_with_the_passage(bench: Workbench, show: Show) -> None:
    bench.releases.freeze("v1", domains=["tech", "law"])
    at = show("release/browse", release="v1")
    at.session_state["release_tab"] = "Shortcuts"
    at.run()
    assert any("Nobody has looked for shortcuts" in box.value for box in at.info)
    at.button(key="release_shortcuts_start").click().run()
    assert not at.exception and at.query_params["job"]
    until(lambda: bench.certificates.find("v1") is not None)
    at = show("release/browse", release="v1")
    at.session_state["release_tab"] = "Shortcuts"
    at.run()
    rates = next(table.value for table in at.dataframe if "above chance" in table.value.columns)
    assert "Top passage" in list(rates["shortcut"])
    _, total = bench.certificates.list_flagged("v1")
    assert total and any(f"{total} questions that a shortcut answers" in one.value for one in at.subheader)
    assert any("gold answer: " in one.value.replace("\\", "") for one in at.caption)


def test_results_leave_out_what_a_chosen_shortcut_answers(bench: Workbench, show: Show) -> None:
    bench.releases.freeze("v1", domains=["tech", "law"])
    runner = jobs.start(bench)
    run = str(runner.submit(bench.runs.plan(RunRequest(release="v1", system="echo", metrics=["length"]))).result()["run"])
    assert not any(one.key == "without_shortcuts" for one in show("evaluate/results", run=run).selectbox)
    runner.submit(bench.certificates.plan(CertificateRequest(release="v1"))).result()
    at = show("evaluate/results", run=run)
    chosen = bench.reports.count_answered([run])[-1]
    at.selectbox(key="without_shortcuts").set_value(chosen.shortcut).run()
    assert not at.exception and chosen.shortcut in at.query_params["without"]
