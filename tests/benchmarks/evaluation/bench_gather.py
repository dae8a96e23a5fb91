"""Gathering the results of shards: a million rows of eight shards into one workspace, against DuckDB's own
INSERT ... SELECT FROM read_parquet of the same files into the same tables; and gathering them again. Then a shard of a run
against the same questions in one process."""

import contextlib
import io
import json
import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import duckdb

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

import cli
from core.ids import Shard
from core.installation import VERSION
from store.engine.database import Database
from store.runs.gathering import gather_tables
from store.runs.shard_files import ShardFile, ShardManifest, check_files, hash_file, list_columns, read_manifest, write_manifest
from tests.benchmarks.table import head, row
from tests.openai_server import running

QUESTIONS = 200_000
"""A row of `trace` each."""
SCORES = 4
"""Of each answer; a row each."""
SHARDS = 8
ASKED = 4_000
"""Questions of the shard, of four times as many in the release."""
LATENCY = 0.2
WIDTH = 32
RUN = "d6c9c8e50c619c74"
TRACE = f"""SELECT '{RUN}' AS run, md5(i::VARCHAR) AS item, '' AS variant, 'An answer of some words, number ' || i AS answer,
    '[["b2:' || md5((i // 9)::VARCHAR) || '",0,512]]' AS retrieved,
    '[["retrieve","' || repeat('a query ', 5) || i || '",[],null,0.01]]' AS steps,
    1 AS calls, 812 AS tokens_in, 25 AS tokens_out, 1.25 AS seconds, 'answered' AS stop, NULL::VARCHAR AS error,
    0.0 AS queued, 0.0 AS retrying, NULL::BIGINT AS tokens_thinking, NULL::VARCHAR AS not_taken
    FROM range({{first}}, {{last}}) r(i)"""
SCORE = f"""SELECT '{RUN}' AS run, md5((i // {{scores}})::VARCHAR) AS item, '' AS variant,
    'metric_' || i % {{scores}} AS metric, '1+en' AS version, (i % 100) / 100 AS value, '' AS why
    FROM range({{first}} * {{scores}}, {{last}} * {{scores}}) r(i)"""


def make_shards(folder: Path) -> list[Path]:
    """Write the files of eight shards, as the shards of a run write them."""
    each, folders = QUESTIONS // SHARDS, []
    for number in range(SHARDS):
        out = folder / str(number)
        out.mkdir()
        files = {}
        for table, sql, rows in (("trace", TRACE, each), ("score", SCORE, each * SCORES)):
            made = sql.format(first=number * each, last=(number + 1) * each, scores=SCORES)
            path = out / f"{table}.parquet"
            duckdb.execute(f"COPY ({made}) TO '{path}' (FORMAT parquet, COMPRESSION zstd)")
            files[table] = ShardFile(path.name, rows, hash_file(path))
        shard = Shard(number, SHARDS)
        write_manifest(ShardManifest("run", "v1", "b2:0", "b2:1", VERSION, shard, [RUN], {}, True, files), out)
        folders.append(out)
    return folders


def by_duckdb(file: Path, folders: list[Path]) -> None:
    with Database.open(file) as database:
        columns = {table: ", ".join(list_columns(database, table)[0]) for table in ("trace", "score")}
    with duckdb.connect(str(file)) as peer:
        peer.execute("BEGIN")
        for table, number, value in (("trace", ", number", ", row_number() OVER ()"), ("score", "", "")):
            files = ", ".join(f"'{folder / table}.parquet'" for folder in folders)
            own = columns[table]
            peer.execute(f"INSERT INTO {table} ({own}{number}) SELECT {own}{value} FROM read_parquet([{files}])")
        peer.execute("COMMIT")


def gather(file: Path, folders: list[Path]) -> int:
    """What the verb does: read the manifests, compare the files with their hashes, take the rows."""
    with Database.open(file) as database:
        for folder in folders:
            manifest = read_manifest(folder)
            assert manifest is not None
            check_files(manifest, folder)
        files = {table: [folder / f"{table}.parquet" for folder in folders] for table in ("trace", "score")}
        return sum(rows.taken for rows in gather_tables(database, [files], "engine").values())


def take_seconds(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def call(*words: object) -> dict[str, object]:
    with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.redirect_stderr(io.StringIO()):
        assert cli.main([*map(str, words), "--json"]) == 0
    return dict(json.loads(out.getvalue()))


def compare_shard(folder: Path) -> None:
    """The same questions, one quarter of a release, by a shard and by one process that has them alone in its release."""
    text = " ".join(f"House {n} was built in {1000 + n}." for n in range(50))
    lines = [
        json.dumps(
            {
                "id": f"q{n}",
                "question": f"When was house {n} built?",
                "answer": str(1000 + n),
                "contexts": [{"title": "Houses", "text": text, "gold": True}],
            }
        )
        for n in range(ASKED * 4)
    ]
    mine = [line for n, line in enumerate(lines) if Shard(0, 4).has_item(f"q{n}")]
    for name, some in (("all", lines), ("mine", mine)):
        (folder / f"{name}.jsonl").write_text("\n".join(some), encoding="utf-8")
        file = ("--workspace", folder / f"{name}.duckdb")
        call("import", folder / f"{name}.jsonl", "--format", "jsonl", *file)
        call("freeze", "v1", "--allow-unlicensed", "made", *file)
    call("export", "v1", "--format", "jsonl", folder / "release", "--workspace", folder / "all.duckdb")
    with running(latency=LATENCY) as server:
        os.environ |= {"OPENAI_BASE_URL": server.url, "OPENAI_API_KEY": "none"}
        words = (
            "--system",
            "closed_book",
            "--agent",
            "openai:m",
            "--metrics",
            "token_f1",
            "--set",
            f"agent.concurrency={WIDTH}",
        )
        call("run", "v1", *words, "--sample", "1", "--workspace", folder / "all.duckdb")  # loads what both need
        alone = take_seconds(lambda: call("run", "v1", *words, "--workspace", folder / "mine.duckdb"))
        shard = take_seconds(lambda: call("run", folder / "release", *words, "--shard", "0/4", "--out", folder / "out"))
    row(f"a shard of {len(mine):,} of {len(lines):,} questions (s)", "one process", alone, shard, 1 / 1.05)


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folders = make_shards(folder)
        total = QUESTIONS * (1 + SCORES)
        theirs = take_seconds(lambda: by_duckdb(folder / "peer.duckdb", folders))
        ours = take_seconds(lambda: gather(folder / "ours.duckdb", folders))
        again = take_seconds(lambda: gather(folder / "ours.duckdb", folders))
        head()
        row(f"gather {total:,} rows (s)", "INSERT FROM read_parquet", theirs, ours, 0.5)
        row(f"gather {total:,} rows (s)", "a minute", 60.0, ours, 1.0)
        row(f"gather {total:,} rows again (s)", "3 seconds", 3.0, again, 1.0)
        compare_shard(folder)


if __name__ == "__main__":
    main()
