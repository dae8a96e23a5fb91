"""The guidelines page: a text for each task, its versions, and what was decided under older ones."""

from streamlit.testing.v1 import AppTest

from tests.pages.conftest import Show
from workbench import Workbench
from workbench.annotate.desk.guidelines import EVERY_TASK

PAGE = "setup/guidelines"
FACT = "explicit_factoid"


def said(at: AppTest) -> str:
    return "\n".join(node.value for kind in (at.markdown, at.text, at.caption) for node in kind)


def test_nothing_written_says_what_to_do(empty_bench: Workbench, show: Show) -> None:
    at = show(PAGE)
    assert at.subheader[0].value == "All tasks" and "No guideline yet" in said(at)
    at.button_group(key="view").set_value("History").run()
    assert not at.exception and "No version yet" in said(at)


def test_versions_are_listed_with_their_changes(bench: Workbench, show: Show) -> None:
    bench.guidelines.save(FACT, "Ask one thing.", by="Ada", note="*first*")
    bench.guidelines.save(FACT, "Ask one <b>small</b> thing.", by="Bo")
    at = show(PAGE)
    at.button(key=f"guideline_choose_{FACT}").click().run()
    at.button_group(key="view").set_value("History").run()
    assert any(text.value == "*first*" for text in at.main.text) and "**Version 2**" in said(at)
    at.toggle(key=f"guideline_diff_{FACT}_2").set_value(True).run()
    drawn = at.main.get("html")[0].proto.body
    assert "<ins>" in drawn and "&lt;" in drawn and "<b>" not in drawn


def test_decisions_under_an_older_guideline_are_counted_with_a_way_there(bench: Workbench, show: Show) -> None:
    item = next(one.id for one in bench.reviews.items() if one.task == FACT)
    bench.reviews.decide(item, "accept", person="Ada")
    bench.guidelines.save(EVERY_TASK, "Read first.", by="Ada")
    at = show(PAGE)
    assert "1 decision was made under an earlier version" in said(at)
    assert "Explicit factoid: 1, 1 of them before there was any guideline" in said(at)
    assert f"item={item}" in str(at.main.get("page_link")[0].proto)
    bench.reviews.decide(item, "accept", person="Ada")
    assert "made under an earlier version" not in said(at.run())


def test_a_guideline_is_read_as_it_is_drawn_beside_an_item(bench: Workbench, show: Show) -> None:
    bench.guidelines.save(EVERY_TASK, "## Every item\n\n- **Accept** <b>it</b>", by="Ada")
    drawn = show(PAGE).main.get("html")[0].proto.body
    assert "<h2>Every item</h2>" in drawn and "<strong>Accept</strong> &lt;b&gt;it" in drawn
