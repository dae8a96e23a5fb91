"""Shards of a run: each in a workspace of its own, from an exported release; gathered they are the run of one process."""

import json
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest

import cli
from core.ids import find_shard, parse_shard
from tests.conftest import Said
from tests.openai_server import Running, running

ROOT = Path(__file__).parents[2]
ITEMS, SHARDS = 40, 8
RUN = ("--system", "recorded", "--metrics", "token_f1,exact_match,length,seconds")
Verb = Callable[..., Said]


@pytest.fixture
def verb(capsys: pytest.CaptureFixture[str]) -> Verb:
    """verb("run", FOLDER, ...) calls cli.py's main with --json and without a workspace of the test."""
    return lambda *words: call_verb(capsys, *words)


def call_verb(capsys: pytest.CaptureFixture[str], *words: object) -> Said:
    capsys.readouterr()
    code = cli.main([*map(str, words), "--json"])
    return Said(code, *capsys.readouterr())


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the workspace one.duckdb, which has run everything in one process; the exported release; predictions
    with measured seconds; and 8 shards of the same run."""
    folder = tmp_path_factory.mktemp("shards")
    names = [f"q{n}" for n in range(ITEMS)]
    text = "".join(f"The house {n} of Orvel was built in {1700 + n}. " for n in range(ITEMS))
    lines = [
        {
            "id": name,
            "question": f"When was house {n} of Orvel built?",
            "answer": str(1700 + n),
            "contexts": [{"title": "Houses", "text": text, "gold": True}],
        }
        for n, name in enumerate(names)
    ]
    write_lines(folder / "qa.jsonl", lines)
    verb_in(folder, "import", "qa.jsonl", "--format", "jsonl")
    verb_in(folder, "freeze", "v1", "--allow-unlicensed", "a test")
    verb_in(folder, "export", "v1", "--format", "jsonl", "release")
    answers: list[str | None] = [str(1700 + n) if n % 3 else f"in {1700 + n}, or {n}" for n in range(ITEMS)]
    answers[7] = None
    predictions = [
        {"id": name, "prediction": answer, "seconds": 0.25 + n / 100}
        for n, (name, answer) in enumerate(zip(names, answers, strict=True))
    ]
    write_lines(folder / "predictions.jsonl", predictions)
    recorded = (*RUN, "--set", f"predictions={folder / 'predictions.jsonl'}")
    verb_in(folder, "run", "v1", *recorded)
    for number in range(SHARDS):
        out = folder / "shards" / str(number)
        assert cli.main(["run", str(folder / "release"), *recorded, "--shard", f"{number}/{SHARDS}", "--out", str(out)]) == 0
    return folder


def write_lines(path: Path, records: list[dict[str, Any]]) -> None:
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")


def verb_in(folder: Path, name: str, *words: str) -> None:
    paths = [str(folder / word) if word in ("qa.jsonl", "release") else word for word in words]
    assert cli.main([name, *paths, "--workspace", str(folder / "one.duckdb")]) == 0


@pytest.fixture
def copied(made: Path, tmp_path: Path) -> Path:
    """A copy of the shards, whose manifests a test may change."""
    for number in range(SHARDS):
        target = tmp_path / "shards" / str(number)
        target.mkdir(parents=True)
        for file in (made / "shards" / str(number)).glob("*.*"):
            if file.suffix in (".parquet", ".json"):
                shutil.copy(file, target)
    return tmp_path / "shards"


def change_manifest(folder: Path, **fields: object) -> None:
    path = folder / "manifest.json"
    path.write_text(json.dumps(json.loads(path.read_text(encoding="utf-8")) | fields), encoding="utf-8")


def test_eight_shards_and_one_process_give_the_same_report(made: Path, verb: Verb, tmp_path: Path) -> None:
    all_of_them = tmp_path / "all.duckdb"
    folders = sorted((made / "shards").iterdir(), reverse=True)
    some = verb("gather", *folders[:3], "--release", made / "release", "--workspace", all_of_them).json
    run = some["runs"][0]
    missing = {n for n in range(ITEMS) if find_shard(f"q{n}", SHARDS) < 5}
    assert (some["shards"], some["of"], some["missing"]) == ([5, 6, 7], 8, len(missing))
    assert some["missing_shards"] == sorted({find_shard(f"q{n}", SHARDS) for n in missing})
    rest = verb("gather", *folders, "--workspace", all_of_them).json
    assert (rest["asked"], rest["missing"], rest["missing_shards"], rest["stopped"]) == (ITEMS, 0, [], [])
    assert rest["rows"]["trace"] == {"taken": len(missing), "already": ITEMS - len(missing)}
    again = verb("gather", *folders[::-1], "--workspace", all_of_them).json
    assert {rows["taken"] for rows in again["rows"].values()} == {0}
    for form in (("--format", "json"), ("--format", "table"), ("--format", "html"), ("--by", "task,language")):
        whole, gathered = (verb("report", run, *form, "--workspace", file).out for file in (made / "one.duckdb", all_of_them))
        assert whole == gathered and f'"{ITEMS}"' not in whole and len(whole) > 1000
    with duckdb.connect(str(all_of_them), read_only=True) as store:
        assert store.execute("SELECT count(*), count(DISTINCT number), count(answer) FROM trace").fetchone() == (40, 40, 39)
    same = verb("run", "v1", *RUN, "--set", f"predictions={made / 'predictions.jsonl'}", "--workspace", all_of_them).json
    assert (same["run"], same["reused"]) == (run, ITEMS), "the gathered run is the run of one process"


def test_a_finished_shard_asks_nothing_again_and_its_files_stay_the_same(made: Path, verb: Verb) -> None:
    out = made / "shards" / "2"
    before = {file.name: file.read_bytes() for file in out.glob("*.parquet") if file.stem in ("trace", "score", "run")}
    words = (
        "run",
        made / "release",
        *RUN,
        "--set",
        f"predictions={made / 'predictions.jsonl'}",
        "--shard",
        "2/8",
        "--out",
        out,
    )
    again = verb(*words).json
    assert again["reused"] == again["shard"]["counts"]["asked"] == again["answered"] + again["failed"] > 0
    assert again["shard"]["is_complete"] and again["shard"]["shard"] == {"number": 2, "of": 8}
    assert before == {name: (out / name).read_bytes() for name in before}
    assert duckdb.sql(f"SELECT count(*) FROM '{out}/trace.parquet'").fetchall() == [(again["reused"],)]
    for other in (("--shard", "3/8"), ("--shard", "2/8", "--sample", "30")):
        refused = verb(*words[:-4], *other, "--out", out)
        assert refused.code == 1 and "holds the work of another shard, release or configuration" in refused.sentence


@pytest.mark.fault(60)
def test_a_shard_of_another_release_is_refused(copied: Path, made: Path, verb: Verb, tmp_path: Path) -> None:
    change_manifest(copied / "5", release="v2", hash="b2:0")
    words = ("gather", *sorted(copied.iterdir()), "--release", made / "release", "--workspace", tmp_path / "all.duckdb")
    refused = verb(*words)
    assert refused.code == 1 and f"{copied / '5'} belongs to release v2 (b2:0)" in refused.sentence
    without = verb("gather", copied / "5", "--workspace", tmp_path / "all.duckdb")
    assert without.code == 1 and "does not have the release v2 (b2:0)" in without.sentence
    assert verb("runs", "--workspace", tmp_path / "all.duckdb").json == []


@pytest.mark.fault(60)
def test_a_shard_of_another_configuration_or_division_is_refused(copied: Path, made: Path, verb: Verb, tmp_path: Path) -> None:
    all_of_them = tmp_path / "all.duckdb"
    change_manifest(copied / "1", configuration="b2:other")
    refused = verb("gather", *sorted(copied.iterdir()), "--release", made / "release", "--workspace", all_of_them)
    assert refused.code == 1 and "another configuration (b2:other)" in refused.sentence
    change_manifest(copied / "2", shard={"number": 2, "of": 16})
    refused = verb("gather", copied / "0", copied / "2", "--release", made / "release", "--workspace", all_of_them)
    assert refused.code == 1 and "a division into 16 shards" in refused.sentence
    assert verb("runs", "--workspace", all_of_them).json == []


@pytest.mark.fault(60)
def test_a_shard_of_another_version_is_refused(copied: Path, made: Path, verb: Verb, tmp_path: Path) -> None:
    change_manifest(copied / "4", version="0.0.9")
    refused = verb("gather", *copied.iterdir(), "--release", made / "release", "--workspace", tmp_path / "all.duckdb")
    assert refused.code == 1 and f"{copied / '4'} was made by version 0.0.9" in refused.sentence


@pytest.mark.fault(60)
def test_a_shard_that_was_changed_or_is_none_is_refused(copied: Path, made: Path, verb: Verb, tmp_path: Path) -> None:
    words = ("--release", made / "release", "--workspace", tmp_path / "all.duckdb")
    raw = bytearray((copied / "3" / "trace.parquet").read_bytes())
    raw[len(raw) // 2] ^= 1
    (copied / "3" / "trace.parquet").write_bytes(raw)
    refused = verb("gather", *copied.iterdir(), *words)
    assert refused.code == 1 and f"{copied / '3' / 'trace.parquet'} was changed" in refused.sentence
    for text in (
        "[]",
        "{",
        '{"schema": 1}',
        json.dumps({"version": "0.1.0.dev0", "schema": 1, "shard": {"number": 9, "of": 8}}),
    ):
        (copied / "6" / "manifest.json").write_text(text, encoding="utf-8")
        refused = verb("gather", copied / "6", *words)
        assert refused.code == 1 and refused.sentence
    change_manifest_files(copied / "7", "../../etc/passwd")
    refused = verb("gather", copied / "7", *words)
    assert refused.code == 1 and "is not the manifest of a shard" in refused.sentence
    refused = verb("gather", copied / "8", *words)
    assert refused.code == 1 and "does not exist" in refused.sentence


def change_manifest_files(folder: Path, name: str) -> None:
    files = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))["files"]
    change_manifest(folder, files={**files, "trace": {**files["trace"], "file": name}})


@pytest.mark.fault(13)
def test_a_shard_given_twice_counts_once(copied: Path, made: Path, verb: Verb, tmp_path: Path) -> None:
    (copied / "again").mkdir()
    for file in (copied / "0").iterdir():
        shutil.copy(file, copied / "again")
    words = ("--release", made / "release", "--workspace", tmp_path / "all.duckdb")
    gathered = verb("gather", copied / "0", copied / "again", copied / "0", *words).json
    own = sum(find_shard(f"q{n}", SHARDS) == 0 for n in range(ITEMS))
    assert gathered["shards"] == [0] and gathered["rows"]["trace"] == {"taken": own, "already": own}


@pytest.mark.fault(35)
def test_a_disk_that_fills_while_gathering_leaves_nothing_half_gathered(
    copied: Path, made: Path, verb: Verb, tmp_path: Path
) -> None:
    """A process whose files may not grow, once it has gathered one shard."""
    all_of_them = tmp_path / "all.duckdb"
    assert verb("gather", copied / "0", "--release", made / "release", "--workspace", all_of_them).code == 0
    with duckdb.connect() as made_up:  # answers that do not fit into the room that is left
        answer = "(SELECT string_agg(md5((random() * x)::VARCHAR), '') FROM range(200000) r(x))"
        rows = f"SELECT * REPLACE ({answer} AS answer) FROM '{copied / '1' / 'trace.parquet'}'"
        made_up.execute(f"COPY ({rows}) TO '{copied / 'large.parquet'}' (FORMAT parquet)")
    (copied / "large.parquet").replace(copied / "1" / "trace.parquet")
    files = json.loads((copied / "1" / "manifest.json").read_text(encoding="utf-8"))["files"]
    summed = subprocess.run(["sha256sum", copied / "1" / "trace.parquet"], capture_output=True, text=True, check=True)
    change_manifest(copied / "1", files={**files, "trace": {**files["trace"], "sha256": summed.stdout.split()[0]}})
    code = """
import os, resource, signal, sys
import cli
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (os.path.getsize(sys.argv[1]) + 1_000_000,) * 2)
code = cli.main(["gather", *sys.argv[2:], "--workspace", sys.argv[1]])
sys.stdout.flush(); sys.stderr.flush()
os._exit(code)
"""
    folders = [copied / str(number) for number in range(SHARDS)]
    done = subprocess.run(
        [sys.executable, "-c", code, all_of_them, *folders], cwd=ROOT, capture_output=True, text=True, check=False, timeout=120
    )
    assert done.returncode == 1 and "nothing of this change was stored" in done.stderr, done.stderr
    own = sum(find_shard(f"q{n}", SHARDS) == 0 for n in range(ITEMS))
    with duckdb.connect(str(all_of_them), read_only=True) as store:
        assert store.execute("SELECT count(*) FROM trace").fetchone() == (own,)
        assert store.execute("SELECT count(DISTINCT item) FROM score").fetchone() == (own,)
    after = verb("gather", *folders, "--workspace", all_of_them).json
    assert after["missing"] == 0


@pytest.fixture(scope="module")
def server() -> Iterator[Running]:
    with running() as server:
        yield server


def test_a_stopped_shard_goes_on_and_its_later_answers_are_taken(
    made: Path, verb: Verb, tmp_path: Path, server: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", server.url)
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    priced = ("--set", "agent.price_in=1", "--set", "agent.price_out=1", "--set", "agent.concurrency=1")
    words = ("run", made / "release", "--system", "closed_book", "--agent", "openai:m", "--metrics", "token_f1", *priced)
    shard, gather = ("--shard", "0/2", "--out", tmp_path / "0"), ("--release", made / "release", "--workspace", tmp_path / "a")
    stopped = verb(*words, *shard, "--budget", "0.0025")
    assert (stopped.code, stopped.json["stopped"], stopped.json["shard"]["is_complete"]) == (1, "budget", False)
    own = [n for n in range(ITEMS) if find_shard(f"q{n}", 2) == 0]
    first = verb("gather", tmp_path / "0", tmp_path, *gather).json
    answered = stopped.json["answered"]
    assert first["stopped"] == [0] and first["missing"] == ITEMS - answered and first["unfinished"] == [str(tmp_path)]
    whole = verb(*words, *shard)
    assert (whole.code, whole.json["reused"], whole.json["answered"]) == (0, answered, len(own))
    then = verb("gather", tmp_path / "0", *gather).json
    assert (then["rows"]["trace"]["taken"], then["stopped"]) == (len(own) - answered, [])
    assert then["missing_shards"] == [1] and server.count()["requests"] == len(own), "no reply is paid twice"
    ledger = verb("jobs", "--workspace", tmp_path / "a").json
    assert {job["state"] for job in ledger} == {"done"}


def test_shards_of_a_predictions_file_give_the_report_of_one_process(verb: Verb, tmp_path: Path) -> None:
    """With lines that fail, that vary another, in two languages, and one that cannot be read."""
    records: list[dict[str, Any]] = [
        {"id": f"p{n}", "question": f"When was house {n} built?", "prediction": f"In {1700 + n}.", "answers": [f"{1700 + n}"]}
        for n in range(10)
    ]
    records[3]["prediction"] = None
    records[4] |= {"parent": "p0"}
    records[5] |= {"prediction": "建于一七零五年。", "answers": ["一七零五年"], "question": "房子建于哪一年？"}
    file = tmp_path / "predictions.jsonl"
    write_lines(file, records)
    file.write_text(file.read_text(encoding="utf-8") + '{"id": "p1", "prediction": "twice", "answers": []}\n{broken\n')
    words = ("score", file, "--metrics", "token_f1,s_f1,length", "--judge", "offline")
    whole = verb(*words)
    assert whole.code == 0 and whole.json["metrics"]["token_f1"]["failed"] == 1 and len(whole.json["refused"]) == 2
    folders = [tmp_path / "shards" / str(number) for number in range(3)]
    for number, folder in enumerate(folders):
        assert verb(*words, "--shard", f"{number}/3", "--out", folder).code == 0
    gathered = verb("gather", *folders[::-1], folders[0])
    report = gathered.json
    assert report.pop("shards") == {"of": 3, "missing": [], "unfinished": []}
    assert json.dumps(report, ensure_ascii=False) == json.dumps(whole.json, ensure_ascii=False)
    assert verb("gather", *folders[:2]).json["shards"]["missing"] == [2]
    rows = duckdb.sql(f"SELECT id FROM '{tmp_path}/shards/*/scored.parquet' WHERE line <> '' ORDER BY number").fetchall()
    assert [name for (name,) in rows] == [record["id"] for record in records]
    file.write_text(file.read_text(encoding="utf-8") + json.dumps(records[0] | {"id": "new"}) + "\n", encoding="utf-8")
    assert verb(*words, "--shard", "0/3", "--out", tmp_path / "other").code == 0
    refused = verb("gather", tmp_path / "other", *folders[1:])
    assert refused.code == 1 and "gather them separately" in refused.sentence


def test_shards_of_variants_are_those_of_one_process(verb: Verb, made: Path, tmp_path: Path) -> None:
    one, gathered = (Path(shutil.copy(made / "one.duckdb", tmp_path / name)) for name in ("one.duckdb", "all.duckdb"))
    assert verb("vary", "--kinds", "spelling,keyboard", "--workspace", one).code == 0
    vary = ("vary", "--kinds", "spelling,keyboard", "--release", made / "release")
    for number in range(3):
        assert verb(*vary, "--shard", f"{number}/3", "--out", tmp_path / "shards" / str(number)).code == 0
    folders = sorted((tmp_path / "shards").iterdir())
    some = verb("gather", *folders[1:], "--workspace", gathered).json
    whole = verb("gather", *folders, "--workspace", gathered).json
    assert (some["missing_shards"], whole["missing_shards"]) == ([0], [])
    assert whole["rows"]["variant"]["already"] == some["rows"]["variant"]["taken"] > 0
    sql = "SELECT id, item, revision, kind, text, status, generator, seed, checks FROM variant ORDER BY id"
    with duckdb.connect(str(one), read_only=True) as mine, duckdb.connect(str(gathered), read_only=True) as other:
        expected = mine.execute(sql).fetchall()
        assert len(expected) > ITEMS and other.execute(sql).fetchall() == expected
        assert other.execute("SELECT count(DISTINCT number) FROM variant").fetchone() == (len(expected),)
    refused = verb(*vary[:-2], "--shard", "0/3", "--out", tmp_path / "x")
    assert refused.code == 1 and "give its folder with --release" in refused.sentence
    run = ("run", made / "release", *RUN, "--set", f"predictions={made / 'predictions.jsonl'}")
    refused = verb(*run, "--shard", "0/3", "--out", folders[0])
    assert refused.code == 1 and "holds the work of another shard" in refused.sentence
    empty = next(n for n in range(997) if all(find_shard(f"q{i}", 997) != n for i in range(ITEMS)))
    nothing = verb(*run, "--shard", f"{empty}/997", "--out", tmp_path / "empty").json
    assert nothing["answered"] == 0 and nothing["shard"]["is_complete"], "a shard without questions is no error"


@pytest.mark.parametrize("form", ["jsonl", "parquet", "huggingface"])
def test_a_shard_of_several_tasks_languages_and_variants_is_part_of_the_same_run(
    verb: Verb, samples: Path, tmp_path: Path, form: str
) -> None:
    """The samples have four tasks in two languages; a shard has few of them, and still is of the whole run."""
    one = Path(shutil.copy(samples, tmp_path / "one.duckdb"))
    verb("vary", "--kinds", "spelling", "--workspace", one)
    verb("freeze", "v1", "--unreviewed-variants", "--workspace", one)
    verb("export", "v1", "--format", form, tmp_path / "release", "--workspace", one)
    run = ("--system", "vanilla", "--agent", "offline", "--metrics", "token_f1", "--variants", "--set", "query=")
    whole = verb("run", "v1", *run, "--workspace", one).json
    shard = verb("run", tmp_path / "release", *run, "--shard", "5/13", "--out", tmp_path / "5").json
    assert 0 < shard["answered"] < 12 and whole["identity"] == shard["identity"] and whole["offline"] == shard["offline"]
    gathered = verb("gather", tmp_path / "5", "--workspace", one).json
    assert gathered["rows"]["trace"] == {"taken": 0, "already": shard["answered"]}, "the same questions, by the same keys"
    with duckdb.connect(str(one), read_only=True) as mine, duckdb.connect(str(tmp_path / "5" / "work.duckdb")) as other:
        [asked] = {store.execute("SELECT asked FROM run").fetchone() for store in (mine, other)}
        sql = "SELECT item, variant, answer FROM trace ORDER BY ALL"
        assert set(other.execute(sql).fetchall()) < set(mine.execute(sql).fetchall()) and asked is not None


@pytest.mark.parametrize("text", ["16/16", "3", "-1/4", "1/0", "a/b", "0/100000", ""])
def test_what_is_no_shard_is_one_sentence(text: str, verb: Verb, made: Path, tmp_path: Path) -> None:
    refused = verb("run", made / "release", *RUN, f"--shard={text}", "--out", tmp_path / "out")
    assert refused.code == 1 and "is not a shard" in refused.sentence


def test_a_shard_wants_an_exported_release_and_a_folder_of_its_own(made: Path, verb: Verb, tmp_path: Path) -> None:
    out, shard = ("--out", tmp_path / "out"), ("--shard", "0/4")
    for words, why in (
        (("run", "v1", *RUN, *shard, *out), "v1 is not a folder"),
        (("run", made / "release", *RUN, *shard), "needs --out FOLDER"),
        (("run", made / "release", *RUN, *shard, *out, "--workspace", tmp_path / "w"), "leave out --workspace"),
        (("run", made / "shards", *RUN, *shard, *out), "is not an exported release"),
        (("run", made / "release", "--system", "echo", *shard, *out, "--set", "mode=probe"), "A latency probe"),
    ):
        refused = verb(*words)
        assert refused.code == 1 and why in refused.sentence, refused.err


def test_every_item_is_in_one_shard_and_shards_are_even() -> None:
    counts = [0] * 16
    for n in range(16_000):
        counts[find_shard(f"item-{n}", 16)] += 1
    assert min(counts) > 900 and max(counts) < 1100
    assert parse_shard("3/16").has_item("q6") == (find_shard("q6", 16) == 3)
    assert find_shard("q0", 16) == find_shard("q0", 16) and str(parse_shard("3/16")) == "3/16"


def test_drafts_of_shards_are_those_of_one_process(verb: Verb, tmp_path: Path) -> None:
    for n, place in enumerate(("Orvel", "Birch", "Cedar", "Dogwood", "Elm", "Fir")):
        text = (
            f"The mill of {place} was opened in {1700 + n}. Its first miller was Ada Brook of {place}. It has {n + 3} wheels."
        )
        (tmp_path / f"{place}.txt").write_text(f"{text} Visitors come in spring. Two bells ring at noon.", encoding="utf-8")
    one, gathered, corpus = (tmp_path / name for name in ("one.duckdb", "all.duckdb", "corpus.duckdb"))
    verb("add", *sorted(tmp_path.glob("*.txt")), "--domain", "town", "--licence", "CC0", "--workspace", one)
    verb("backup", corpus, "--workspace", one)
    shutil.copy(corpus, gathered)
    draft = ("draft", "--task", "explicit_factoid", "--domain", "town", "--count", "5", "--agent", "offline", "--seed", "3")
    draft += ("--set", "run_on=false")
    whole = verb(*draft, "--workspace", one).json
    folders = [tmp_path / "shards" / str(number) for number in range(2)]
    for number, folder in enumerate(folders):
        shard = (*draft, "--corpus", corpus, "--shard", f"{number}/2", "--out", folder)
        first = verb(*shard).json["shard"]
        assert first["is_complete"] and first["counts"]["windows"] > 0
        assert verb(*shard).json["shard"]["counts"] == first["counts"], "a finished shard drafts nothing again"
    assert sum(json.loads((folder / "manifest.json").read_text())["counts"]["windows"] for folder in folders) == 5
    some = verb("gather", folders[1], "--workspace", gathered).json
    assert (some["missing_shards"], some["replies"]["already"]) == ([0], 0) and "items" not in some
    result = verb("gather", *folders, folders[0], "--workspace", gathered).json
    assert result["missing_shards"] == [] and result["replies"]["already"] >= some["replies"]["taken"] > 0
    assert {name: result[name] for name in ("asked", "drafted", "message")} == {
        name: whole[name] for name in ("asked", "drafted", "message")
    }
    queries = (
        "SELECT item, revision, question, answers, evidence, provenance FROM revision ORDER BY number",
        "SELECT item, gate, outcome, details FROM verdict ORDER BY number",
        "SELECT place FROM tried ORDER BY place",
        "SELECT id, prompt, request, text FROM call ORDER BY id",
    )
    with duckdb.connect(str(one), read_only=True) as mine, duckdb.connect(str(gathered), read_only=True) as other:
        for sql in queries:
            expected = mine.execute(sql).fetchall()
            assert len(expected) >= 5 and other.execute(sql).fetchall() == expected, sql
        assert other.execute("SELECT DISTINCT job FROM call").fetchall() == [(result["job"],)]
        assert other.execute("SELECT count(*) FROM job").fetchone() == (1,)
    again = verb("gather", *folders, "--workspace", gathered).json
    assert (again["replies"]["taken"], again["is_done"]) == (0, True)
    assert verb("items", "--workspace", gathered).json == verb("items", "--workspace", one).json
    change_manifest(folders[1], configuration="b2:other")
    assert "another configuration (b2:other)" in verb("gather", *folders, "--workspace", gathered).sentence
    assert "give it with --corpus" in verb(*draft, "--shard", "0/2", "--out", tmp_path / "x").sentence
    other = verb(*draft, "--seed", "4", "--corpus", corpus, "--shard", "0/2", "--out", folders[0])
    assert other.code == 1 and "holds the work of another shard" in other.sentence


def test_vectors_of_shards_are_those_that_a_run_would_make(made: Path, verb: Verb, tmp_path: Path) -> None:
    own = ("--set", "chunk_tokens=16")
    folders = [tmp_path / "shards" / str(number) for number in range(2)]
    for number, folder in enumerate(folders):
        written = verb("embed", made / "release", *own, "--shard", f"{number}/2", "--out", folder).json
        assert written["counts"]["passages"] == written["counts"]["vectors"] > 0
    gathered = Path(shutil.copy(made / "one.duckdb", tmp_path / "all.duckdb"))
    some = verb("gather", folders[1], "--workspace", gathered).json
    result = verb("gather", *folders, folders[0], "--workspace", gathered).json
    assert (some["missing_shards"], result["missing_shards"]) == ([0], [])
    assert result["vectors"]["already"] == some["vectors"]["taken"]
    before = result["vectors"]["taken"] + some["vectors"]["taken"]
    run = ("run", "v1", "--system", "echo", "--retriever", "dense", "--metrics", "length", *own)
    assert verb(*run, "--workspace", gathered).code == 0
    with duckdb.connect(str(gathered)) as store:
        assert store.execute("SELECT count(*) FROM vector").fetchone() == (before + ITEMS,), "the questions alone were embedded"
    lexical = verb(
        "embed", made / "release", "--set", "embedding_model=lexical_vectors", "--shard", "0/2", "--out", tmp_path / "l"
    )
    assert lexical.code == 1 and "fitted on each whole corpus" in lexical.sentence


def test_shards_ask_the_absence_twins_of_their_items_and_gather_counts_those_that_lack(verb: Verb, tmp_path: Path) -> None:
    """Two shards with twins give the table of one process; with one of them, its twins are missing answers."""
    texts = [f"The house {name} of Orvel was built by Ada {name} in spring." for name in ("Quill", "Vane", "Marsh", "Lode")]
    texts += [f"Notes on the village number {n}: the weather was fair." for n in range(8)]
    lines = [
        {
            "id": f"q{n}",
            "question": f"Who built house {n}?",
            "answer": f"Ada {texts[n].split()[2]}",
            "contexts": [{"title": f"{m}", "text": text, "gold": m == n} for m, text in enumerate(texts)],
        }
        for n in range(4)
    ]
    write_lines(tmp_path / "qa.jsonl", lines)
    one = ("--workspace", str(tmp_path / "one.duckdb"))
    verb("import", tmp_path / "qa.jsonl", "--format", "jsonl", *one)
    frozen = verb("freeze", "v1", "--allow-unlicensed", "a test", "--absence-share", "1", *one).json
    assert frozen["absence_twins"] == 4
    verb("export", "v1", tmp_path / "release", "--format", "jsonl", *one)
    system = ("--system", "echo", "--retriever", "bm25", "--metrics", "exact_match")
    whole = verb("run", "v1", *system, *one).json
    outs = [tmp_path / str(number) for number in range(2)]
    parts = [
        verb("run", tmp_path / "release", *system, "--shard", f"{number}/2", "--out", out).json
        for number, out in enumerate(outs)
    ]
    assert {part["run"] for part in parts} == {whole["run"]}
    assert sorted(part["absence"]["twins"] for part in parts) == sorted(part["answered"] for part in parts)
    gathered = ("--workspace", str(tmp_path / "all.duckdb"))
    some = verb("gather", outs[0], "--release", tmp_path / "release", *gathered).json
    own = sum(find_shard(f"q{n}", 2) == 1 for n in range(4))
    assert (some["asked"], some["missing"], some["missing_shards"]) == (8, 2 * own, [1]) and own
    every = verb("gather", *outs, *gathered).json
    assert (every["asked"], every["missing"]) == (8, 0)
    assert verb("absence", whole["run"], *gathered).json == verb("absence", whole["run"], *one).json
