"""The coverage map on the samples: what stands on it, a document that is opened, and drafting where it is thin."""

from store.items import items
from tests.pages.conftest import Show
from tests.waiting import until
from workbench import Workbench


def drawn(bench: Workbench) -> None:
    until(lambda: bench.coverage.map().is_ready)


def texts(at: object) -> str:
    return " ".join(str(one.value) for kind in ("caption", "markdown", "subheader", "text") for one in at.get(kind))  # type: ignore[attr-defined]


def test_an_empty_workspace_says_what_to_do(empty_bench: Workbench, show: Show) -> None:
    drawn(empty_bench)
    assert "No documents yet" in texts(show("build/coverage"))


def test_the_map_has_its_totals_and_an_order(bench: Workbench, show: Show) -> None:
    drawn(bench)
    at = show("build/coverage", order="full", domain="law")
    assert [box.value for box in at.selectbox if box.key in ("coverage_domain", "coverage_order")] == ["law", "full"]
    assert "Draft where items are few" in texts(at)


def test_a_document_opens_to_its_sections_with_the_items_of_each_sentence(bench: Workbench, show: Show) -> None:
    drawn(bench)
    found = bench.coverage.map().value
    assert found is not None
    row = bench.coverage.page(found, "full", None)[0]
    at = show("build/coverage", document=row.use.id)
    part = next(part for part in bench.coverage.open_document(found, row.use.id).parts if part.sentences)
    assert part.sentences[0].text in texts(at)
    assert "is not on the map" in show("build/coverage", document="nothing").error[0].value


def test_a_press_chooses_the_thinnest_places_and_tells_what_they_come_to(bench: Workbench, show: Show) -> None:
    drawn(bench)
    at = show("build/coverage")
    at.button(key="coverage_ask").click().run()
    until(lambda: "stored with the job" in texts(at.run()))
    until(lambda: any(button.key == "bulk_start" for button in at.run().button))
    at.button(key="bulk_start").click().run()
    assert at.query_params["jobs"]
    [job] = bench.upkeep.jobs()
    until(lambda: bench.upkeep.job(job.id).state == "done", 60)
    places = bench.upkeep.job(job.id).params["settings"]["places"]
    assert len(places) == 20
    drafted = items.list_items(bench.database, status="drafted")
    assert drafted and {item.given[0] for item in drafted} <= {place[0] for place in places}
