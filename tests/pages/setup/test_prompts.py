"""The prompts page: every prompt can be read and seen filled; versions are told apart and gone back to."""

import pytest
from streamlit.testing.v1 import AppTest

from prompts.prompt import names, read_delivered
from tests.pages.conftest import Show
from workbench import Workbench

PAGE = "setup/prompts"
NAME = "draft/explicit_factoid"
EDITED = read_delivered(NAME).replace("You write questions", "You write HARD questions")


def view(show: Show, view: str, prompt: str = NAME) -> AppTest:
    at = show(PAGE)
    at.button(key=f"prompt_choose_{prompt}").click().run()
    at.button_group(key="view").set_value(view).run()
    assert not at.exception
    return at


def test_every_prompt_is_read_and_previewed(bench: Workbench, show: Show) -> None:
    at = view(show, "Read")
    for name in names():
        at.button(key=f"prompt_choose_{name}").click()
        at.button_group(key="view").set_value("Read").run()
        prompt = bench.prompts.card(name).file.prompts["en"]
        assert not at.exception and at.subheader[0].value == name
        assert [code.value for code in at.main.code[:2]] == [message.content for message in prompt.messages], name
        at.button_group(key="view").set_value("Preview").run()
        assert not at.exception and at.subheader[0].value == name and "$" not in at.main.code[1].value, name


def test_a_preview_is_filled_from_the_item_that_was_picked(bench: Workbench, show: Show) -> None:
    at = view(show, "Preview", "answer/closed_book")
    box = at.selectbox(key="prompt_item_en")
    box.select_index(3).run()
    item = list(bench.prompts.items("en"))[3]
    assert bench.prompts.items("en")[item] in at.main.code[1].value
    assert any("tokens are sent" in caption.value for caption in at.caption)


def test_nothing_to_fill_a_prompt_from_says_what_to_do(empty_bench: Workbench, show: Show) -> None:
    at = view(show, "Preview")
    assert any("No item in en" in m.value for m in at.markdown)


def test_versions_are_listed_with_their_changes_and_gone_back_to(bench: Workbench, show: Show) -> None:
    bench.prompts.save(NAME, EDITED, by="Bo", note="harder")
    at = view(show, "History")
    assert any(text.value == "harder" for text in at.main.text)
    at.toggle(key=f"prompt_diff_{NAME}_1").set_value(True).run()
    assert "<ins>" in at.main.get("html")[0].proto.body and "HARD" in at.main.get("html")[0].proto.body
    at.button(key=f"prompt_stand_{NAME}_delivered").click().run()
    card = bench.prompts.card(NAME)
    assert card.current is None and [choice.by for choice in card.choices] == ["Bo", "Ada"]
    at.button(key=f"prompt_stand_{NAME}_1").click().run()
    assert bench.prompts.card(NAME).current == card.versions[0]


def test_nobody_without_a_name_chooses_words(bench: Workbench, show: Show, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pages.parts.ui.person.read_cookie", str)  # AppTest knows no cookies
    bench.prompts.save(NAME, EDITED, by="Bo")
    at = show(PAGE, person="")
    at.button(key=f"prompt_choose_{NAME}").click().run()
    at.button_group(key="view").set_value("History").run()
    assert at.button(key=f"prompt_stand_{NAME}_delivered").disabled


def test_words_that_no_longer_read_leave_a_way_back(bench: Workbench, show: Show) -> None:
    bench.prompts.save(NAME, EDITED, by="Bo")
    bench.database.write(lambda c: c.execute("UPDATE prompt_version SET text = 'no front matter'").fetchall())
    at = view(show, "History")
    assert "cannot be used" in at.warning[0].value
    at.button(key=f"prompt_stand_{NAME}_delivered").click().run()
    assert not at.warning and bench.prompts.card(NAME).current is None
