"""The page of tables: samples are loaded, rows, spec, popularity and functions are seen, a function is tried, and files
come in with a spec to correct."""

from dataclasses import replace

from streamlit.testing.v1 import AppTest

from tests.pages.conftest import Show
from tests.waiting import until
from workbench import Workbench

PEOPLE = "id,name,born\np1,**Ira** Vane,1950\np2,Odo Lisk,1961\n"
FILMS = "id,title,director,votes\nf1,Lamp,p1,900\nf2,Fog,p2,60\n"


def drawn(at: AppTest, is_there: object) -> AppTest:
    """The page, drawn again until what it waits for is there."""
    until(lambda: is_there(at) or is_there(at.run()))  # type: ignore[operator]
    return at


def test_an_empty_page_loads_the_samples(empty_bench: Workbench, show: Show) -> None:
    at = show("build/tables")
    next(b for b in at.button if b.label == "Load the sample tables").click().run()
    assert not at.exception
    assert [card.stored.name for card in empty_bench.tables.list_tables()] == [
        "chief_executives",
        "coauthors",
        "companies",
        "interests",
        "persons",
        "prices",
        "publications",
    ]
    assert at.dataframe[0].value.shape == (50, 3)


def test_a_function_is_tried_and_what_is_wrong_is_said(empty_bench: Workbench, show: Show) -> None:
    empty_bench.tables.load_samples()
    at = drawn(show("build/tables", table="persons", view="functions"), lambda at: at.selectbox)
    assert any("searchPerson(name, organization?, interest?)" in code.value for code in at.code)
    next(box for box in at.text_input if box.label == "name").set_value("Una Dray")
    at.button[-1].click().run()
    assert at.code[-1].value.startswith("10 results: ") or "Una Drey" in at.code[-1].value
    next(box for box in at.text_input if box.label == "name").set_value("")
    at.button[-1].click().run()
    assert "searchPerson was not given name" in at.error[0].value.replace("\\", "")


def test_popularity_is_told_by_bucket_and_a_link_has_none(empty_bench: Workbench, show: Show) -> None:
    empty_bench.tables.load_samples()
    at = drawn(show("build/tables", table="persons", view="popularity"), lambda at: at.get("vega_lite_chart"))
    assert not at.exception
    at = show("build/tables", table="interests", view="popularity")
    assert any("no popularity column" in caption.value for caption in at.caption)


def test_a_corrected_spec_is_saved_as_a_new_snapshot(empty_bench: Workbench, show: Show) -> None:
    empty_bench.tables.load_samples()
    before = empty_bench.tables.card("companies")
    at = show("build/tables", table="companies", view="spec")
    at.button(key="tables_spec_save").click().run()
    assert at.success[0].value == "Nothing is changed\\."
    next(box for box in at.text_input if box.label == "One row is a").set_value("firm")
    at.button(key="tables_spec_save").click().run()
    assert not at.exception
    after = empty_bench.tables.card("companies")
    old, new = before.stored, after.stored
    assert (new.spec.entity, new.data, after.snapshots) == ("firm", old.data, 2)
    assert (replace(new.spec, entity=old.spec.entity), new.rows, new.origin) == (old.spec, old.rows, old.origin)
    next(box for box in at.selectbox if box.label == "Key").set_value(0).run()
    at.button(key="tables_spec_save").click().run()
    assert "has no key to tell one firm from another" in at.error[0].value.replace("\\", "")
    at.button(key="tables_remove").click().run()
    assert "companies" not in [card.stored.name for card in empty_bench.tables.list_tables()]


def test_files_are_read_corrected_and_saved_together(empty_bench: Workbench, show: Show) -> None:
    at = show("build/tables")
    files = {"films.csv": FILMS, "people.csv": PEOPLE}
    at.file_uploader[0].set_value([(name, text.encode(), "text/csv") for name, text in files.items()]).run()
    at.button(key="tables_read").click().run()
    drawn(at, lambda at: [b for b in at.button if b.key == "tables_save"])
    assert [box.value for box in at.text_input if box.label == "One row is a"] == ["film", "person"]
    next(box for box in at.text_input if box.value == "person").set_value("painter")
    at.button(key="tables_save").click().run()
    drawn(at, lambda at: at.success)
    assert not at.exception
    assert "Saved: films, people." in at.success[0].value.replace("\\", "")
    cards = {card.stored.name: card.stored.spec for card in empty_bench.tables.list_tables()}
    assert cards["people"].entity == "painter"
    assert cards["films"].relations[0].to == "people"


def test_a_file_that_is_no_table_says_why(empty_bench: Workbench, show: Show) -> None:
    at = show("build/tables")
    at.file_uploader[0].set_value([("films.csv", b"a,b\n", "text/csv")]).run()
    at.button(key="tables_read").click().run()
    drawn(at, lambda at: at.error)
    assert "films.csv holds no row that can be read" in at.error[0].value.replace("\\", "")
