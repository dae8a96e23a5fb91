"""Vectors read back are the ones put in; a killed process keeps its groups; a workspace of schema 1 is copied and gets the
table."""

import subprocess
import sys
from pathlib import Path

import duckdb
import numpy as np

from store.corpus.vectors import StoredVectors
from store.engine.database import Database
from store.engine.migrations import SCHEMA

ROOT = Path(__file__).parents[3]


def test_vectors_read_back_equal(tmp_path: Path) -> None:
    made = np.random.default_rng(0).normal(size=(3_000, 5)).astype(np.float32)
    made[0] = [0, -0.0, np.inf, np.finfo(np.float32).tiny / 8, np.float32(1) / 3]
    vectors = {f"b2:{n}": row for n, row in enumerate(made)}
    with Database.open(tmp_path / "w.duckdb") as database:
        StoredVectors(database).put("model", vectors)
    with Database.open(tmp_path / "w.duckdb") as database:
        found = StoredVectors(database).get("model", [*vectors, "b2:unknown"])
        assert found.keys() == vectors.keys()
        assert all(found[one].dtype == np.float32 and found[one].tobytes() == vectors[one].tobytes() for one in vectors)
        assert StoredVectors(database).get("model", ["b2:7"])["b2:7"].tobytes() == made[7].tobytes()


def test_models_are_kept_apart_and_the_first_vector_stays() -> None:
    with Database.open(":memory:") as database:
        vectors = StoredVectors(database)
        vectors.put("one", {"b2:a": np.array([1, 0], np.float32)})
        vectors.put("two", {"b2:a": np.array([0, 1, 0], np.float32)})
        vectors.put("one", {"b2:a": np.array([5, 5], np.float32), "b2:b": np.array([0, 1], np.float32)})
        assert vectors.get("one", ["b2:a"])["b2:a"].tolist() == [1, 0] and vectors.count() == 3
        assert vectors.get("two", ["b2:a", "b2:b"])["b2:a"].tolist() == [0, 1, 0]
        assert vectors.get("two", ["b2:b"]) == {} == vectors.get("one", [])


CHILD = """
import sys, threading
import numpy as np
from core.retrieval.vector_cache import cache_embedder
from store.engine.database import Database
from store.corpus.vectors import StoredVectors

class Slow:
    name, languages, max_tokens, is_lexical, similarity = "slow", (), None, False, "cosine"
    identity = "slow@1"
    count_tokens = unknown_share = offsets = len
    groups = 0
    def vector_key(self, side):
        return self.identity
    def encode(self, texts, side="text"):
        self.groups += 1
        if self.groups == 3:
            sys.stdout.write("third\\n")
            sys.stdout.flush()
            threading.Event().wait()
        return np.array([[len(text), 1.0] for text in texts], np.float32)

database = Database.open(sys.argv[1])
cache_embedder(Slow(), StoredVectors(database)).encode([f"passage {n:04}" for n in range(1000)])
"""


def test_a_killed_encoding_keeps_the_groups_before(tmp_path: Path) -> None:
    from core.ids import content_hash
    from core.retrieval.vector_cache import TEXTS_PER_GROUP

    file = tmp_path / "w.duckdb"
    with subprocess.Popen([sys.executable, "-c", CHILD, str(file)], cwd=ROOT, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None and child.stdout.readline() == "third\n"
        child.kill()
    with Database.open(file) as database:
        found = StoredVectors(database).get("slow@1", [content_hash(f"passage {n:04}") for n in range(1000)])
    assert len(found) == 2 * TEXTS_PER_GROUP and all(vector.tolist() == [12.0, 1.0] for vector in found.values())


def test_a_workspace_of_schema_1_is_copied_and_gets_the_table(tmp_path: Path) -> None:
    old, file = tmp_path / "schema", tmp_path / "w.duckdb"
    old.mkdir()
    (old / "001_first.sql").write_text((SCHEMA / "001_first.sql").read_text(encoding="utf-8"), encoding="utf-8")
    Database.open(file, schema=old).close()
    with Database.open(file) as database:
        StoredVectors(database).put("model", {"b2:a": np.array([1, 2], np.float32)})
        assert StoredVectors(database).get("model", ["b2:a"])["b2:a"].tolist() == [1, 2]
    with duckdb.connect(str(tmp_path / "w.duckdb.before-002.duckdb"), read_only=True) as copy:
        assert copy.execute("SELECT max(number) FROM schema_step").fetchall() == [(1,)]
        assert copy.execute("SELECT count(*) FROM duckdb_tables() WHERE table_name = 'vector'").fetchall() == [(0,)]
