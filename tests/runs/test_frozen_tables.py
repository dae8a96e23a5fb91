"""A release freezes the tables that its items were made from: a run on it, verify and a copy in another workspace speak of the
rows as they stood, whatever becomes of the live table."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from store.engine.database import Database
from store.formats.shipped.verify import verify as verify_folder
from store.runs import runs
from terminal.local_session import LocalSession
from tests.conftest import Bench, call_verb
from workbench import Workbench

TEMPLATE: dict[str, Any] = {
    "id": "place",
    "table": "people",
    "text": "In which town does {who} live?",
    "answer": "town",
    "slots": {"who": "name"},
}
RUN = ("run", "v1", "--system", "pal", "--agent", "offline", "--set", "environment=tables")


def put(bench: Workbench, folder: Path, town: str) -> None:
    """Six people, the last in that town, and a table of towns that they lead to."""
    lines = [f"p{n},Ira Vane {n},{town if n == 6 else 'Orvel'},{n}" for n in range(1, 7)]
    (folder / "people.csv").write_text("\n".join(["id,name,town,votes", *lines]), encoding="utf-8")
    towns = [f"{name},{size}" for name, size in (("Orvel", 900), ("Wend", 70), ("Tarn", 12.5))]
    (folder / "towns.csv").write_text("\n".join(["place,size", *towns]), encoding="utf-8")
    relation = {"name": "home", "column": "town", "to": "towns", "to_column": "place", "many": False}
    bench.tables.add([folder / "towns.csv"], {"key": "place", "label": "place", "entity": "town"})
    bench.tables.add(
        [folder / "people.csv"],
        {
            "key": "id",
            "label": "name",
            "popularity": "votes",
            "entity": "person",
            "attributes": ["town"],
            "relations": [relation],
        },
    )


@pytest.fixture(scope="module")
def made_release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The workspace that `frozen` copies."""
    folder = tmp_path_factory.mktemp("frozen")
    workspace = folder / "w.duckdb"
    with Workbench.open(workspace) as bench:
        put(bench, folder, "Wend")
        (folder / "alone.csv").write_text("id,name\nx1,Solo\nx2,Duet\n")
        bench.tables.add([folder / "alone.csv"], {"entity": "act"})
        bench.templates.save(TEMPLATE)
        LocalSession().finish(bench, bench.seasons.plan(["place"], 3))
    for item in call_verb(workspace, "items"):
        call_verb(workspace, "decide", item["id"], "accept", "--as", "ann")
    made = call_verb(workspace, "freeze", "v1")
    assert (made["items"], made["tables"]) == (3, 2), "the table joined to it is frozen too, and one that stands alone is not"
    with Workbench.open(workspace) as bench:
        put(bench, folder, "Tarn")
    return workspace


@pytest.fixture
def frozen(made_release: Path, tmp_path: Path) -> Path:
    """A workspace with the release v1 of three template questions, whose live table says something else by now."""
    return Path(shutil.copy(made_release, tmp_path))


def answers(workspace: Path, run: str) -> set[str | None]:
    with Database.open(workspace) as database:
        return {trace.answer for trace in runs.load_traces(database, run)}


def test_a_run_asks_the_tables_as_they_were_frozen(bw: Bench, frozen: Path) -> None:
    done = bw(*RUN).json
    assert (done["answered"], done["failed"]) == (3, 0)
    assert answers(frozen, done["run"]) == {"Wend", "Orvel"}, "Tarn is what stands there today"
    assert bw("verify", "v1").json["ok"]
    with Database.open(frozen) as database:
        config = runs.get(database, done["run"]).config
    with Workbench.open(frozen) as bench:
        assert list(config["tables"]) == ["people", "towns"]
        assert config["tables"]["people"] != bench.tables.card("people").stored.hash
        bench.tables.remove("people")
        bench.tables.remove("towns")
    again = bw(*RUN).json
    assert (again["run"], again["reused"]) == (done["run"], 3), "what is in use today is not part of the run"


def test_another_live_table_makes_another_season_and_leaves_the_golds_of_the_first(bw: Bench, frozen: Path) -> None:
    with Workbench.open(frozen) as bench:
        first = bench.seasons.list_seasons()[0]
        job = bench.seasons.plan_refresh(first.season.id)
        told = LocalSession().finish(bench, job)
        assert told["season"] != first.season.id and [one.after for one in bench.seasons.list_changes(job)] == ["Tarn"]
    golds = [{item["answers"][0] for item in bw("items", "--status", status).json} for status in ("accepted", "drafted")]
    assert golds == [{"Wend", "Orvel"}, {"Tarn", "Orvel"}]
    assert bw("verify", "v1").json["ok"]
    for item in bw("items", "--status", "drafted").json:
        bw("decide", item["id"], "accept", "--as", "ann")
    assert bw("freeze", "v2").json["tables"] == 3, "two seasons stand on two snapshots of people"
    done = bw("run", "v2", *RUN[2:]).json
    with Database.open(frozen) as database:
        traces, config = runs.load_traces(database, done["run"]), runs.get(database, done["run"]).config
    said = {trace.item: trace.answer for trace in traces}
    assert said == {item["id"]: item["answers"][0] for item in bw("items", "--status", "accepted").json}
    assert len(config["tables"]["people"]) == 2 and isinstance(config["tables"]["towns"], str)
    assert bw("diff", "v1", "v2").json["tables"] == {"added": ["people"], "removed": []}


def test_verify_finds_a_changed_row(bw: Bench, frozen: Path) -> None:
    with Database.open(frozen) as database:
        data = {row[0]: row[1] for row in database.rows("SELECT name, data FROM knowledge_table WHERE NOT is_current")}
        database.write(lambda c: c.execute(f"UPDATE data_{data['people'].rpartition(':')[2]} SET town = 'Fen' WHERE id = 'p2'"))
    found = bw("verify", "v1")
    assert found.code == 1
    assert [(p["file"], p["id"], p["message"]) for p in found.json["problems"]] == [
        ("tables", "people", "was changed: its content hash differs.")
    ]
    assert "tables: people was changed: its content hash differs." in bw("verify", "v1", json_too=False).out


@pytest.mark.parametrize("form", ["jsonl", "parquet", "huggingface"])
def test_a_release_carries_its_tables_to_another_workspace(bw: Bench, frozen: Path, tmp_path: Path, form: str) -> None:
    folder, other = tmp_path / "out", tmp_path / "other.duckdb"
    bw("export", "v1", "--format", form, folder)
    assert verify_folder(folder)[1] == [] and "Answers were computed from these rows" in (folder / "README.md").read_text()
    came = bw("import", folder, "--format", form, workspace=other).json
    assert (came["items"], came["tables"], came["release"], came["refused"]) == (3, 2, "v1", [])
    assert bw("verify", "v1", workspace=other).json["ok"]
    done = bw(*RUN, workspace=other).json
    assert answers(other, done["run"]) == {"Wend", "Orvel"} and done["run"] == bw(*RUN).json["run"]
    with Workbench.open(other) as bench:
        assert [card.stored.name for card in bench.tables.list_tables()] == ["people", "towns"], "no name was taken there"
        bench.tables.remove("people")
        kept = bench.tables.tables([bench.releases.get("v1")[0].manifest["tables"][0]["hash"]])["people"]
        assert kept.cell(5, "town") == "Wend", "a table that a release froze outlives its name"
    back = tmp_path / "back"
    bw("export", "v1", "--format", form, back, workspace=other)
    names = ["tables.jsonl", *(f"tables/{path.name}" for path in sorted((folder / "tables").iterdir()))]
    assert len(names) == 3 and all((back / name).read_bytes() == (folder / name).read_bytes() for name in names)


def test_a_folder_whose_tables_were_changed_is_found_and_is_no_release(bw: Bench, frozen: Path, tmp_path: Path) -> None:
    folder = tmp_path / "out"
    bw("export", "v1", "--format", "jsonl", folder)
    rows = next(path for path in (folder / "tables").iterdir() if "Wend" in path.read_text() and "p6" in path.read_text())
    rows.write_text(rows.read_text().replace("Wend", "Fen"))
    assert {(p["file"], p["message"]) for p in verify_folder(folder)[1]} == {
        (f"tables/{rows.name}", "was changed: its checksum differs."),
        ("tables.jsonl", "was changed: its content hash differs."),
    }
    came = bw("import", folder, "--format", "jsonl", workspace=tmp_path / "other.duckdb").json
    assert came["release"] is None
    assert "table people does not match its hash" in came["refused"][0]["message"]
    rows.unlink()
    assert any("cannot be read" in p["message"] for p in verify_folder(folder)[1])
    (folder / "tables.jsonl").unlink()
    assert {"people", "towns"} <= {p["id"] for p in verify_folder(folder)[1]}
    came = bw("import", folder, "--format", "jsonl", workspace=tmp_path / "third.duckdb").json
    assert "tables.jsonl is missing, and with it people, towns" in came["refused"][0]["message"]


def test_items_whose_tables_are_elsewhere_are_not_frozen(bw: Bench, frozen: Path, tmp_path: Path) -> None:
    lone, other = tmp_path / "items.jsonl", tmp_path / "other.duckdb"
    lone.write_text("".join(json.dumps(item) + "\n" for item in bw("items").json), encoding="utf-8")
    assert bw("import", lone, "--format", "jsonl", workspace=other).json["items"] == 3
    found = bw("freeze", "v1", workspace=other)
    assert found.code == 1
    assert "3 items were made from a snapshot of people that is not in this workspace" in found.sentence


def test_a_workflow_that_is_given_no_environment_asks_what_the_release_has(bw: Bench, frozen: Path) -> None:
    done = bw("run", "v1", "--system", "pal", "--agent", "offline").json
    assert done["run"] == bw(*RUN).json["run"] and (done["answered"], done["failed"]) == (3, 0)
    assert answers(frozen, done["run"]) == {"Wend", "Orvel"}
