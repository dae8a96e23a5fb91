"""The corpus page: what is dropped on it, listed, looked at and changed."""

import io
import zipfile
from collections.abc import Callable

import pytest
import streamlit as st

import jobs
from core.ids import content_hash
from core.nouns import Document
from store.corpus import documents
from tests.pages.conftest import Show
from tests.waiting import until
from workbench import Workbench
from workbench.build.corpus.corpus import DocumentFilter

PNG = b"\x89PNG\r\n\x1a\n" + bytes(100)
LINES = b'{"text": "The first text of three."}\n{"text": "The second."}\n{"text": broken\n{"text": "The fourth."}\n'


def test_dropped_files_come_in_and_the_bad_ones_say_why(bench: Workbench, show: Show) -> None:
    at = show("build/corpus")
    at.file_uploader[0].set_value(
        [
            ("notes.md", b"# Tides\n\nThe tide rises twice.", "text/markdown"),
            ("data.csv", PNG, "text/csv"),
            ("three.jsonl", LINES, "text/plain"),
        ]
    ).run()
    at.selectbox("add_domain").set_value("science")
    at.number_input("add_least").set_value(12)
    at.button("add_go").click().run()
    job = at.session_state["add_job"]
    jobs.start(bench).submit(job).result()
    at.run()
    result = bench.upkeep.job(job).result
    assert (result["added"], result["already"], result["refused"]) == (2, 0, 2)
    assert result["left_out"] == 2 and at.dataframe[0].value["Left out"].tolist() == [0, 0, 2]
    assert "is a PNG image" in result["refusals"][0]["message"] and result["refusals"][1]["line"] == 3
    said = " ".join(m.value for m in at.markdown)
    assert "PNG image" in said and "Line 3" in said
    assert at.file_uploader[0].value == [], "the box is free for the next files"
    titles = {d.title: d.domain for d in bench.corpus.load_documents()}
    assert titles["Tides"] == "science"


def test_the_list_is_searched_filtered_and_changed_on_record(bench: Workbench, show: Show) -> None:
    at = show("build/corpus")
    at.text_input("documents_search").set_value("CHRONICLE").run()
    assert at.dataframe[-1].value["Title"].tolist() == ["A Chronicle of Halmerow, 1204 to 2021"]
    [document] = bench.corpus.page(DocumentFilter("chronicle"))[0]
    assert bench.corpus.set_licence([document.id], "CC-BY-4.0", "Ada") == 1
    assert bench.corpus.set_licence([document.id], "CC-BY-4.0", "Ada") == 0
    at = show("build/corpus", document=document.id)
    assert any("CC\\-BY\\-4\\.0" in m.value for m in at.markdown)
    assert [c.old for c in bench.corpus.changes(document.id)] == ["CC0-1.0"]


def test_near_copies_are_looked_for_on_request_and_open_from_the_list(bench: Workbench, show: Show) -> None:
    first = bench.corpus.load_documents()[0]
    copy = first.text[: len(first.text) * 9 // 10]
    documents.add(bench.database, [Document(content_hash(copy), copy, "The same again")])
    at = show("build/corpus")
    at.button("near_copies_look").click().run()
    until(lambda: bench.near_copies.pairs().is_ready)
    at.run()
    row = at.dataframe[-1].value.iloc[0]
    assert {row["Shorter"], row["stands in"]} == {first.title, "The same again"} and row["Share"] == 100


@pytest.mark.fault(7)
def test_a_document_of_five_million_characters_opens_by_stretches(empty_bench: Workbench, show: Show) -> None:
    text = "Tide <b>$x$</b> 潮汐 " * 250_000
    title = "<script>alert(1)</script> $5"
    long = Document(id=content_hash(text), text=text, title=title, domain="law", language="en", origin="a")
    documents.add(empty_bench.database, [long])
    at = show("build/corpus", document=long.id)
    assert any("Characters 1 to 20,000 of" in c.value for c in at.caption)
    assert "\\<script\\>" in at.header[0].value
    assert empty_bench.corpus.stretch(long.id, 20_000, 10) == text[20_000:20_010]


def test_the_stretch_that_is_read_stands_in_the_address(
    empty_bench: Workbench, show: Show, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = "The tide rises at Orvel. " * 4_000
    documents.add(empty_bench.database, [Document(content_hash(text), text, "Tides", domain="law", language="en", origin="a")])

    def turn_to_three(pages: int, key: str, on_change: Callable[[], None]) -> int:
        assert st.session_state[key] == 2
        st.session_state[key] = 3
        on_change()
        return 3

    monkeypatch.setattr(st, "pagination", turn_to_three)
    at = show("build/corpus", document=content_hash(text), start="20000")
    assert any("Characters 20,001 to 40,000 of" in c.value for c in at.caption)
    assert at.query_params["start"] in ("40000", ["40000"])


@pytest.mark.parametrize("start", ["9" * 5000, "²", "-1", "x"])
def test_a_place_that_is_none_opens_the_document_all_the_same(empty_bench: Workbench, show: Show, start: str) -> None:
    text = "The tide rises at Orvel. " * 4_000
    documents.add(empty_bench.database, [Document(content_hash(text), text, "Tides", domain="law", language="en", origin="a")])
    at = show("build/corpus", document=content_hash(text), start=start)
    assert any("Characters 1 to 20,000 of" in c.value for c in at.caption)


def test_an_unknown_document_leads_back(bench: Workbench, show: Show) -> None:
    assert show("build/corpus", document="nothing").header[0].value == "No such document"


def zip_bomb() -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("word/document.xml", bytes(70_000_000))
    return out.getvalue()


@pytest.mark.fault(15)
def test_a_bomb_is_refused_before_it_is_unpacked(empty_bench: Workbench, show: Show) -> None:
    at = show("build/corpus")
    at.file_uploader[0].set_value([("big.docx", zip_bomb(), "application/zip")]).run()
    at.button("add_go").click().run()
    result = jobs.start(empty_bench).submit(at.session_state["add_job"]).result()
    assert "would unpack to" in result["refusals"][0]["message"]


def test_a_document_with_items_cannot_be_removed_and_leads_to_them(bench: Workbench, show: Show) -> None:
    document = bench.reviews.items()[0].evidence[0].document
    at = show("build/corpus", document=document)
    assert any("item" in text.value and "accepted" in text.value for text in at.text)
    assert next(button for button in at.button if button.label == "Remove from the corpus").disabled
    assert "Show its items" in [str(link.proto.label) for link in at.get("page_link")]
    found = show("annotate/find", document=document)
    assert any("items" in text.value for text in found.markdown)


def test_replacing_a_document_tells_first_how_many_accepted_items_wait_again(bench: Workbench, show: Show) -> None:
    old = bench.reviews.items()[0].evidence[0].document
    text = bench.corpus.document(old).text
    newer = Document("newer", f"{text}\n\nA note was added at the end.", bench.corpus.heading(old).title, "tech")
    documents.add(bench.database, [newer])
    at = show("build/corpus", document=old)
    at.selectbox(f"removal_by_{old}").select("newer").run()
    [told] = [line.value for line in at.text if "would move" in line.value]
    accepted = bench.removal.preview_replacement(old, "newer").accepted
    assert accepted > 0 and f"{accepted} of them accepted now" in told


def test_a_document_without_items_is_removed_and_brought_back(bench: Workbench, show: Show) -> None:
    documents.add(bench.database, [Document("mill", "The mill of Orvel burnt in 1902. " * 20, "Mill", "milling")])
    at = show("build/corpus", document="mill")
    next(button for button in at.button if button.label == "Remove from the corpus").click().run()
    assert bench.corpus.heading("mill").removed_at and any("removed from the corpus" in done.value for done in at.success)
    next(button for button in at.button if button.label == "Bring it back").click().run()
    assert bench.corpus.heading("mill").removed_at is None
