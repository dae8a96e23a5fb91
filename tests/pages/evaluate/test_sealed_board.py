"""The page Board: from a frozen release to the opened seal, and what a guest meets there."""

import json

from streamlit.testing.v1 import AppTest

from store.releases import seals
from tests.pages.conftest import Show
from workbench import Workbench

PAGE = "release/sealed_board"


def said(at: AppTest) -> str:
    shown = (*at.markdown, *at.caption, *at.header, *at.subheader, *at.warning, *at.error, *at.success, *at.info)
    return " ".join(one.value for one in shown).replace("\\", "")


def predict(bench: Workbench) -> bytes:
    seal = seals.find(bench.database, bench.release_browser.find_header("v1").hash)
    assert seal is not None
    public, (_, content) = seal.public_ids, bench.releases.get("v1")
    lines = ({"id": public[item.id], "prediction": item.answers[0]} for item in content.items if item.id in public)
    return "".join(json.dumps(line) + "\n" for line in lines).encode()


def test_without_a_sealed_release_the_page_leads_to_freeze(bench: Workbench, show: Show) -> None:
    bench.releases.freeze("plain")
    at = show(PAGE)
    assert "No release is sealed" in said(at) and not at.button


def test_a_release_is_frozen_sealed_on_the_page_freeze(bench: Workbench, show: Show) -> None:
    at = show("release/freeze")
    at.text_input(key="freeze_name").set_value("v1")
    at.selectbox(key="freeze_splits").set_value("dev 20 %, test 80 %").run()
    at.toggle(key="freeze_sealed").set_value(True).run()
    at.multiselect(key="freeze_open_splits").set_value(["dev"]).run()
    next(button for button in at.button if button.label == "Freeze").click().run()
    assert not at.exception and "sealed" in said(at)
    view = bench.sealed_boards.view("v1")
    assert list(view.splits) == ["test"] and 0 < view.items < 40


def test_answers_are_submitted_and_the_seal_is_opened(bench: Workbench, show: Show) -> None:
    bench.releases.freeze("v1", sealed=True)
    at = show(PAGE, release="v1")
    assert "40 sealed questions (test) · the seal is closed" in said(at) and "Nobody has submitted" in said(at)
    assert at.button(key="board_submit").disabled
    at.text_input(key="board_system").set_value("mine").run()
    at.file_uploader(key="board_file").upload("p.jsonl", predict(bench), "application/jsonl").run()
    at.button(key="board_submit").click().run()
    assert not at.exception and "Submission 2 is on record; you may make 1 further submission now" in said(at)
    rows = at.dataframe[0].value
    assert (rows["Rank"][0], rows["System"][0], rows["Person"][0]) == (1, "mine", "Ada")
    assert rows["exact_match"][0].startswith("1.000 [1.000, 1.000] n=40")
    assert at.dataframe[1].value["Receipt"][0] == bench.sealed_boards.view("v1").lines[0].hash
    at.number_input(key="board_most").set_value(5).run()
    at.button(key="board_set").click().run()
    assert bench.sealed_boards.view("v1").rules.per_week == 5
    assert at.button(key="board_open").disabled
    at.checkbox(key="board_sure").set_value(True).run()
    at.button(key="board_open").click().run()
    assert "The seal of v1 is open" in said(at) and bench.sealed_boards.view("v1").opened
    assert "board_open" not in [button.key for button in at.button]


def test_a_refused_file_says_why_on_the_page(bench: Workbench, show: Show) -> None:
    bench.releases.freeze("v1", sealed=True)
    at = show(PAGE, release="v1")
    at.text_input(key="board_system").set_value("mine").run()
    at.file_uploader(key="board_file").upload("p.jsonl", b'{"id": "x", "prediction": "y"}', "application/jsonl").run()
    at.button(key="board_submit").click().run()
    assert "1 ids that no sealed item of the release has" in said(at) and bench.sealed_boards.view("v1").entries == 1


def test_a_guest_of_a_sealed_release_has_the_board_in_place_of_its_items(bench: Workbench, show: Show) -> None:
    bench.releases.freeze("v1", sealed=True)
    bench.people.give("Ada", "admin")
    bench.people.give("Gus", "guest", "v1")
    at = show("home/board", person="Gus")
    assert [one.value for one in at.header] == ["Board"]
    assert "board_open" not in [button.key for button in at.button] and "For leads" not in said(at)
    at.text_input(key="board_system").set_value("mine").run()
    at.file_uploader(key="board_file").upload("p.jsonl", predict(bench), "application/jsonl").run()
    at.button(key="board_submit").click().run()
    assert not at.exception and "Submission 2 is on record" in said(at)
    at.button(key="board_prepare").click().run()
    assert not at.exception and "v1-jsonl-" in said(at)
    bench.sealed_boards.open("v1")
    assert [one.value for one in show("release/browse", person="Gus").header] == ["Releases"]
