"""Templates are kept in versions, made into drafted items of a season, and refreshed on a new snapshot."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import cli
from core.errors import BenchError
from store import items
from workbench import Workbench

PLACE: dict[str, Any] = {"id": "place", "table": "people", "text": "Where does {who} live?", "slots": {"who": "name"},
                         "answer": "town"}  # fmt: skip


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Workbench]:
    with Workbench.open(":memory:") as bench:
        put(bench, tmp_path, "Wend")
        yield bench


def put(bench: Workbench, folder: Path, town: str) -> None:
    lines = [f"p{n},Ira Vane {n},{town if n == 6 else 'Orvel'},{n}" for n in range(1, 7)]
    (folder / "people.csv").write_text("\n".join(["id,name,town,votes", *lines]), encoding="utf-8")
    bench.tables.add([folder / "people.csv"], {"key": "id", "label": "name", "popularity": "votes", "entity": "person",
                                               "attributes": ["town"]})  # fmt: skip


def test_a_template_is_kept_in_versions_and_tried(bench: Workbench) -> None:
    first = bench.templates.save(PLACE)
    assert bench.templates.save(PLACE)["versions"] == 1
    second = bench.templates.save({**PLACE, "text": "In what town does {who} live?"})
    assert second["versions"] == 2 and second["version"] != first["version"]
    found = bench.templates.preview(PLACE).value
    assert found is not None and found["items"][0] == {
        "question": "Where does Ira Vane 6 live?", "answer": "Wend", "popularity": "head",
    }  # fmt: skip


def test_what_does_not_fit_is_not_kept(bench: Workbench) -> None:
    with pytest.raises(BenchError, match="'shoe' of template place matches no column"):
        bench.templates.save({**PLACE, "answer": "shoe"})
    assert bench.templates.every() == []
    with pytest.raises(BenchError, match="No template place: there are none"):
        bench.templates.make(["place"], 3)


def test_items_of_a_season_are_drafted_once_and_refreshed_on_a_new_snapshot(bench: Workbench, tmp_path: Path) -> None:
    bench.templates.save(PLACE)
    made = bench.templates.make(["place"], 3)
    assert (made["drafted"], made["already"], made["templates"]["place"]["made"]) == (3, 0, 3)
    again = bench.templates.make(["place"], 3)
    assert (again["drafted"], again["already"], again["season"]) == (0, 3, made["season"])
    put(bench, tmp_path, "Tarn")
    told = bench.templates.refresh(made["season"])
    assert told["same"] == 2 and [(one["before"], one["after"]) for one in told["changed"]] == [("Wend", "Tarn")]
    assert {one["id"] for one in bench.templates.seasons()} == {made["season"], told["season"]}
    assert len(items.listed(bench.database, task="template_question", limit=99)) == 6


def test_the_command_line_keeps_a_file_of_templates_and_drafts_from_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "place.json").write_text(json.dumps(PLACE), encoding="utf-8")
    workspace = ["--workspace", str(tmp_path / "w.duckdb")]
    with Workbench.open(tmp_path / "w.duckdb") as bench:
        put(bench, tmp_path, "Wend")
    draft = ["draft", "--task", "template_question", "--domain", "general", "--agent", "offline", "--count", "3", *workspace]
    assert cli.main([*draft, "--set", f"template={tmp_path / 'place.json'}", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["drafted"] == 3
    assert cli.main([*draft, "--set", "template=place", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["already"] == 3
    assert cli.main([*draft, "--set", "colour=red"]) != 0
    assert "wants --set template=NAME" in capsys.readouterr().err
