"""CRAG's tables and figures from hand-made runs: means four ways, slices, recall over pages, the same bytes each time."""

import xml.etree.ElementTree as ElementTree
from ast import literal_eval
from typing import Any

import pytest

from core.errors import BenchError
from core.nouns import Item
from eval.metric import QuestionPage, ScoringCase
from eval.page import Page as Drawn
from eval.preset import presets
from eval.reports.calibration import HumanMark
from eval.reports.renderer import renderers
from eval.reports.report import Report, build_report
from eval.scoring.scoring import score_cases
from tests.eval.metrics.test_judged_metrics import Asked
from tests.eval.runs import item, result

NAMES = ("crag_table3", "crag_table4", "crag_systems", "crag_slices", "crag_recall")


def crag_item(name: str, domain: str, kind: str, dynamism: str = "static", popularity: str = "") -> Item:
    labels = {"question_type": kind, "static_or_dynamic": dynamism, "popularity": popularity}
    return item(name, level=None, domain=domain, labels=labels)


ITEMS = [
    crag_item("a", "finance", "simple"),
    crag_item("b", "finance", "false_premise", "real-time"),
    crag_item("c", "finance", "simple", popularity="tail"),
    crag_item("d", "open", "multi-hop"),
]
VALUES = [1.0, -1.0, None, 0.0]


def parts(values: list[float | None]) -> dict[str, list[float | None]]:
    def share(of: float) -> list[float | None]:
        return [None if value is None else float(value == of) for value in values]

    return {
        "crag_truthfulness": values,
        "crag_truthfulness.accuracy": share(1.0),
        "crag_truthfulness.hallucination": share(-1.0),
        "crag_truthfulness.missing": share(0.0),
        "seconds": [1.0, 2.0, 3.0, 2.0],
        "crag_truthfulness.failures_wrong": [-1.0 if value is None else value for value in values],
    }


def made(weights: dict[str, float] | None = None, **given: Any) -> Report:
    recall = {f"page_recall@{k}": [float(k >= 5), 0.0, float(k >= 20), 1.0] for k in (1, 5, 10, 20, 50)}
    one = result("one", ITEMS, parts(VALUES) | recall, **given)
    return build_report([one, result("two", ITEMS, parts([1.0, 1.0, 1.0, -1.0]))], weights=weights or {})


def cells(page: Drawn, table: int, row: int) -> dict[str, str]:
    found = page.tables[table]
    return dict(zip(found.columns, (cell.text for cell in found.rows[row]), strict=True))


def test_a_systems_row_has_its_rates_both_scores_and_its_means() -> None:
    row = cells(presets()["crag_systems"].build(made()), 0, 0)
    assert (row["n"], row["not scored"], row["seconds"]) == ("4", "1", "2.00")
    assert row["accuracy"].startswith("33.3 [") and row["hallucination"].startswith("33.3 [")
    assert row["truthfulness"].startswith("0.0 [") and row["failures wrong"].startswith("-25.0 [")
    assert row["by domain"] == "0.0" and row["weighted"] == "0.0"


def test_weights_of_types_and_the_mean_over_domains_are_shown_beside_the_plain_mean() -> None:
    row = cells(presets()["crag_systems"].build(made({"false_premise": 3.0, "multi-hop": 0.0})), 0, 1)
    assert row["truthfulness"].startswith("50.0 [")
    assert (row["by domain"], row["weighted"], row["weighted, by domain"]) == ("0.0", "100.0", "100.0")
    table = presets()["crag_systems"].build(made({"false_premise": 3.0})).tables[-1]
    assert {row[0].text: row[1].text for row in table.rows} == {"simple": "1.00", "multi-hop": "1.00", "false_premise": "3.00"}


def test_peoples_grades_stand_in_a_table_of_their_own() -> None:
    marks = [
        HumanMark(name, None, "four_grades", grade, 1.0)
        for name, grade in zip("abcd", ("perfect", "acceptable", "incorrect", "missing"), strict=True)
    ]
    page = presets()["crag_systems"].build(made(marks=marks))
    row = cells(page, 1, 0)
    assert page.tables[1].title == "By people" and row["truthfulness"].startswith("12.5 [")
    assert [row[grade] for grade in ("perfect", "acceptable", "missing", "incorrect")] == ["25.0"] * 4


def test_the_release_is_counted_by_domain_each_question_once() -> None:
    page = presets()["crag_table3"].build(made())
    assert [cell.text for cell in page.tables[0].rows[1]] == ["static", "2", "67", "1", "100", "3", "75"]
    assert [row[0].text for row in page.tables[1].rows] == ["tail", "web", "all"]
    types = presets()["crag_table4"].build(made()).tables[0]
    assert [row[0].text for row in types.rows] == ["simple", "multi-hop", "false_premise", "all"]


def test_slices_are_a_panel_a_label_from_minus_one_to_one() -> None:
    page = presets()["crag_slices"].build(made())
    (figure,) = page.figures
    assert len(ElementTree.fromstring(figure.svg).findall("{http://www.w3.org/2000/svg}g")) == 4 and ">-1<" in figure.svg
    tail = next(row for row in page.tables[0].rows if row[1].text == "tail" and row[2].text.startswith("vanilla"))
    assert [cell.text for cell in tail[3:5]] == ["0", "–"]


def test_recall_is_a_curve_for_the_web_and_one_for_tables() -> None:
    table = presets()["crag_recall"].build(made()).tables[0]
    found = {(row[0].text, row[1].text): (row[2].text, row[3].text) for row in table.rows}
    assert found["all questions", "1"] == ("4", "25.0") and found["all questions", "50"] == ("4", "75.0")
    assert found["web", "5"] == ("3", "66.7")
    assert found["tables", "10"] == ("1", "0.0") and found["tables", "20"] == ("1", "100.0")


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("form", ["html", "csv", "latex", "json"])
def test_the_same_runs_give_the_same_bytes(name: str, form: str) -> None:
    one, two = (renderers()[form].render(presets()[name].build(made())) for _ in range(2))
    assert one == two


@pytest.mark.parametrize("name", NAMES)
def test_runs_without_crags_labels_are_told_so(name: str) -> None:
    with pytest.raises(BenchError, match="CRAG's labels"):
        presets()[name].build(build_report([result("one", [item("a")], {"token_f1": [1.0]})]))


# page_recall


def pages(*texts: str) -> tuple[QuestionPage, ...]:
    return tuple(
        QuestionPage(rank, f"https://www.e.test/{rank}/", f"snippet {rank}", lambda text=text: text)  # type: ignore[misc]
        for rank, text in enumerate(texts, 1)
    )


def telling(prompt: Any, inputs: Any) -> Any:
    """A judge to whom a page tells the gold that says “is Halm”."""
    found = [int(line[1:].split("]")[0]) for line in str(inputs["context"]).splitlines() if "is Halm" in line]
    return {"support": [{"claim": 1, "passages": found}]}


async def recall(case: ScoringCase, asked: Asked, **settings: Any) -> dict[str, float | None]:
    named = {f"page_recall.{key}": value for key, value in settings.items()}
    (one,) = [s async for s in score_cases([case], ["page_recall"], judges=[asked.judge], settings=named)]
    return {name.removeprefix("page_recall"): value.value for name, value in one.values.items()}


SEARCH = pages("Halm Halm Halm.", *["nothing"] * 5, "The capital is Halm.")


async def test_the_page_of_the_golds_url_is_a_hit_without_a_judge() -> None:
    asked = Asked(telling)
    case = ScoringCase("x", "", ("Halm",), pages=lambda: SEARCH, extra={"answer_url": "http://e.test/1"})
    found = await recall(case, asked)
    assert found == {"@1": 1.0, "@5": 1.0, "@10": 1.0, "@20": 1.0, "@50": 1.0, ".unread": 0.0} and not asked.asked


async def test_a_judge_tells_the_first_page_that_answers_and_the_golds_words_alone_are_no_hit() -> None:
    asked = Asked(telling)
    found = await recall(ScoringCase("x", "", ("Halm",), question="Which?", pages=lambda: SEARCH), asked)
    assert (found["@1"], found["@5"], found["@10"]) == (0.0, 0.0, 1.0) and len(asked.asked) == 1


async def test_of_url_and_judge_the_better_rank_counts() -> None:
    case = ScoringCase("x", "", ("Halm",), pages=lambda: SEARCH, extra={"answer_url": "https://e.test/5"})
    found = await recall(case, Asked(telling))
    assert (found["@1"], found["@5"]) == (0.0, 1.0)


async def test_a_judge_is_shown_the_beginning_of_a_page_or_its_snippet() -> None:
    long = QuestionPage(1, "", "it is Halm", lambda: "word " * 500 + "is Halm")
    case = ScoringCase("x", "", ("Halm",), pages=lambda: (long,))
    assert (await recall(case, Asked(telling)))["@1"] == 0.0
    assert (await recall(case, Asked(telling), tokens=1000))["@1"] == 1.0
    assert (await recall(case, Asked(telling), text="snippet"))["@1"] == 1.0


async def test_whole_pages_are_shown_to_their_end_in_pieces_until_one_tells() -> None:
    read: list[int] = []

    def page(rank: int, text: str) -> QuestionPage:
        def all_of_it() -> str:
            read.append(rank)
            return text

        return QuestionPage(rank, "", "", all_of_it)

    filled = "word " * 3000
    found = (page(1, filled), page(2, "term " * 3000 + "the capital is Halm"), page(3, filled), page(4, "is Halm"))
    asked = Asked(telling)
    case = ScoringCase("x", "", ("Halm",), question="Which?", pages=lambda: found)
    values = await recall(case, asked, text="whole", tokens=100)
    assert (values["@1"], values["@5"], read) == (0.0, 1.0, [1, 2, 3]), "what is behind that call is not read"
    shown = [dict(literal_eval(one)[1])["context"] for one in asked.asked]
    assert len(shown) == 4 and sum(one.count("word") + one.count("term") for one in shown) > 6000
    assert shown[0].count("[") == 20
    assert "the capital is Halm" in shown[-1]
    assert (await recall(case, Asked(telling), tokens=100))["@1"] == 0.0
    none = Asked(lambda prompt, inputs: {"support": []})
    assert (await recall(case, none, text="whole", tokens=3001))["@50"] is None and len(none.asked) == 1


async def test_a_verdict_that_cannot_be_read_is_no_miss() -> None:
    found = await recall(ScoringCase("x", "", ("Halm",), pages=lambda: SEARCH), Asked(lambda p, i: "hard to say"))
    assert found["@1"] is None and found["@50"] is None and found[".unread"] == 1.0


async def test_a_question_without_pages_has_no_recall() -> None:
    assert (await recall(ScoringCase("x", "", ("Halm",)), Asked(telling)))["@1"] is None
