"""Templates are kept in versions, made into drafted items of a season, and refreshed on a new snapshot."""

import asyncio
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import cli
import jobs
from core.errors import BenchError
from store.items import items
from tests.waiting import until
from workbench import Workbench
from workbench.annotate.desk.build_steps import list_template_calls
from workbench.annotate.desk.desk_data import BuildStep
from workbench.control import Control

PLACE: dict[str, Any] = {
    "id": "place",
    "table": "people",
    "text": "Where does {who} live?",
    "slots": {"who": "name"},
    "answer": "town",
}


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Workbench]:
    with Workbench.open(":memory:") as bench:
        put(bench, tmp_path, "Wend")
        yield bench


def put(bench: Workbench, folder: Path, town: str) -> None:
    lines = [f"p{n},Ira Vane {n},{town if n == 6 else 'Orvel'},{n}" for n in range(1, 7)]
    (folder / "people.csv").write_text("\n".join(["id,name,town,votes", *lines]), encoding="utf-8")
    bench.tables.add(
        [folder / "people.csv"],
        {"key": "id", "label": "name", "popularity": "votes", "entity": "person", "attributes": ["town"]},
    )


def test_a_template_is_kept_in_versions_and_tried(bench: Workbench) -> None:
    first = bench.templates.save(PLACE)
    assert bench.templates.save(PLACE).versions == 1
    second = bench.templates.save({**PLACE, "text": "In what town does {who} live?"})
    assert second.versions == 2 and second.version != first.version
    until(lambda: bench.templates.preview(PLACE).is_ready)
    found = bench.templates.preview(PLACE).value
    assert found is not None
    item = found.drafted.items[0]
    assert (item.question, item.answers[0]) == ("Where does Ira Vane 6 live?", "Wend")
    assert (item.labels["popularity"], item.labels["difficulty"]) == ("head", "easy")
    assert found.chains[0] == ["people with name = Ira Vane 6 → p6", "town → Wend"]


def test_what_does_not_fit_is_not_kept(bench: Workbench) -> None:
    with pytest.raises(BenchError, match="'shoe' of template place matches no column"):
        bench.templates.save({**PLACE, "answer": "shoe"})
    assert bench.templates.list_templates() == []
    with pytest.raises(BenchError, match="No template place; the stored templates are: none"):
        bench.seasons.plan(["place"], 3)


def made(bench: Workbench, ids: list[str], count: int, **more: Any) -> dict[str, Any]:
    return jobs.start(bench).submit(bench.seasons.plan(ids, count, **more)).result()


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"slots": "who"}, 'has "who" as its slots, where an object belongs'),
        ({"text": 5}, "has 5 as its text, where text"),
        ({"slots": {"who": {"path": 1}}}, "has 1 as its slots.who.path"),
        ({"slots": {"who": None}}, "has null as its slots.who"),
        ({"answer": ["town"]}, 'has ["town"] as its answer'),
        ({"level": 1}, "has 1 as its level"),
    ],
)
def test_of_a_file_of_templates_those_of_another_type_are_named_and_the_others_kept(
    bench: Workbench, tmp_path: Path, fields: dict[str, Any], why: str
) -> None:
    records = [PLACE, {**PLACE, "id": "wrong", **fields}, {**PLACE, "id": "last"}]
    (tmp_path / "templates.json").write_text(json.dumps(records), encoding="utf-8")
    with pytest.raises(BenchError) as raised:
        bench.templates.add([tmp_path])
    told = f"1 of 3 templates in templates.json could not be saved (the others were saved): number 2: Template wrong {why}"
    assert told in str(raised.value)
    assert {template.id for template in bench.templates.list_templates()} == {"place", "last"}


def test_items_of_a_season_are_drafted_once_and_refreshed_on_a_new_snapshot(bench: Workbench, tmp_path: Path) -> None:
    bench.templates.save(PLACE)
    first = made(bench, ["place"], 3)
    assert (first["drafted"], first["already"], first["asked"], first["stopped"]) == (3, 0, 3, None)
    again = made(bench, ["place"], 3)
    assert (again["drafted"], again["already"], again["season"]) == (0, 3, first["season"])
    put(bench, tmp_path, "Tarn")
    [season] = bench.seasons.list_seasons()
    assert season.changed_tables == ["people"]
    job = bench.seasons.plan_refresh(first["season"])
    told = jobs.start(bench).submit(job).result()
    assert (told["same"], told["changed"], told["gone"]) == (2, 1, 0)
    assert [(one.before, one.after) for one in bench.seasons.list_changes(job)] == [("Wend", "Tarn")]
    assert {one.season.id: one.season.record.get("refreshed_from") for one in bench.seasons.list_seasons()} == {
        first["season"]: None,
        told["season"]: first["season"],
    }
    assert len(items.list_items(bench.database, task="template_question", limit=99)) == 6
    assert bench.seasons.list_refreshes(first["season"]) == [job]


def test_a_refresh_of_tables_that_are_as_they_were_makes_nothing(bench: Workbench) -> None:
    bench.templates.save(PLACE)
    first = made(bench, ["place"], 3)
    told = jobs.start(bench).submit(bench.seasons.plan_refresh(first["season"])).result()
    assert (told["same"], told["changed"], told["season"]) == (3, 0, first["season"])
    assert len(items.list_items(bench.database, task="template_question", limit=99)) == 3


def test_a_job_that_was_stopped_goes_on_and_makes_nothing_twice(bench: Workbench) -> None:
    towns = {**PLACE, "id": "home", "text": "Name the town in which {who} is at home."}
    for record in (PLACE, towns):
        bench.templates.save(record)
    job = bench.seasons.plan(["place", "home"], 6)
    control = Control()
    control.say = lambda message: control.cancel()  # after the first template
    stopped = asyncio.run(bench.seasons.work(job, control))
    assert (stopped["stopped"], stopped["drafted"], stopped["season"]) == ("cancelled", 3, None)
    bench.templates.save({**towns, "text": "Where is {who} at home?"})  # the job keeps the words that it began with
    whole = asyncio.run(bench.seasons.work(job, Control()))
    assert (whole["stopped"], whole["drafted"]) == (None, 6)
    found = items.list_items(bench.database, task="template_question", limit=99)
    assert len(found) == 6 and any(item.question.startswith("Name the town") for item in found)
    assert [one.template for one in bench.seasons.tally(job)] == ["place", "home"]


def test_the_review_desk_shows_the_calls_behind_the_answer(bench: Workbench) -> None:
    bench.templates.save(PLACE)
    made(bench, ["place"], 3)
    item = next(one for one in items.list_items(bench.database) if one.question == "Where does Ira Vane 6 live?")
    assert list_template_calls(item) == [
        BuildStep("call", "people with name = Ira Vane 6 → p6"),
        BuildStep("reckoned", "town → Wend"),
    ]
    assert list_template_calls(replace(item, steps=())) == []


def test_what_was_asked_already_is_not_asked_again(bench: Workbench) -> None:
    bench.templates.save(PLACE)
    made(bench, ["place"], 6)
    bench.templates.save({**PLACE, "id": "other", "text": "Where does {who} live ?"})
    again = made(bench, ["other"], 6)
    assert (again["drafted"], again["season"]) == (0, None) and {one["gate"] for one in again["refused"]} == {"asked already"}
    assert "asked already" in again["message"] and "Popularity buckets without a question: head, torso." in again["message"]


def test_the_command_line_keeps_a_file_of_templates_and_drafts_from_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "place.json").write_text(json.dumps(PLACE), encoding="utf-8")
    workspace = ["--workspace", str(tmp_path / "w.duckdb")]
    with Workbench.open(tmp_path / "w.duckdb") as bench:
        put(bench, tmp_path, "Wend")
    draft = ["draft", "--count", "3", *workspace, "--task", "template_question"]
    assert cli.main([*draft, "--set", f"template={tmp_path / 'place.json'}", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["drafted"] == 3 and [one["task"] for one in found["items"]] == ["template_question"] * 3
    assert {"job", "asked", "refused", "unreadable", "failed", "calls", "cost_usd", "stopped", "message"} <= set(found)
    assert cli.main([*draft, "--domain", "general", "--agent", "offline", "--set", "template=place", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["already"] == 3
    assert cli.main([*draft, "--set", "colour=red"]) == 1
    assert "needs only --set template=NAME" in capsys.readouterr().err
    with pytest.raises(SystemExit) as usage:
        cli.main(["draft", "--count", "3", "--task", "explicit_factoid", *workspace])
    assert usage.value.code == 2 and "--domain, --agent" in capsys.readouterr().err


def test_words_that_are_typed_are_kept_and_become_a_version_when_handed_in(bench: Workbench) -> None:
    stage = bench.templates
    id_ = stage.begin("Ada", table="people")
    stage.keep("Ada", id_, {"id": "place", "text": "Where does {who} live?", "minus": "left over"})
    [draft] = stage.drafts("Ada")
    assert draft.content["text"] == "Where does {who} live?" and stage.drafts("Odo") == []
    with pytest.raises(BenchError, match="Slot who of template place needs the field `path`"):
        stage.hand_in("Ada", id_)
    stage.keep("Ada", id_, {"slots": {"who": {"path": "name", "of": "subject"}, "gone": {"path": "x"}}, "answer": "town"})
    with pytest.raises(BenchError, match="belongs to somebody else"):
        stage.keep("Odo", id_, {"text": ""})
    card = stage.hand_in("Ada", id_)
    assert (card.id, card.versions, card.record["minus"], list(card.record["slots"])) == ("place", 1, "", ["who"])
    assert stage.drafts("Ada") == []
    changing = stage.begin("Ada", of="place")
    assert changing == stage.begin("Ada", of="place")
    stage.keep("Ada", changing, {"text": "In what town does {who} live?"})
    stage.hand_in("Ada", changing)
    first = stage.versions("place")[-1]
    stage.use_version("place", first.version)
    [now] = stage.list_templates()
    assert (now.version, now.versions) == (first.version, 2)
    stage.remove("place")
    assert stage.list_templates() == []


def test_paths_lead_over_at_most_three_relations(bench: Workbench) -> None:
    bench.templates.load_samples()
    world = bench.tables.tables()
    found = bench.templates.paths("persons", world)
    assert found["email"] == "text" and found["publications"] == "rows" and found["publications.venue"] == "text"
    assert max(path.count(".") for path in found) == 3 and next(iter(found)) == "person_id"
