"""The files that documents came from: stored with them, whole, and carried by every copy of the workspace."""

import os
from dataclasses import replace
from pathlib import Path

import pytest

from core.ids import content_hash
from core.nouns import Document
from store.corpus import documents, originals
from store.corpus.originals import BYTES_PER_ROW
from store.engine.database import Database

ONE = Document(content_hash("one"), "one", "One")


@pytest.mark.parametrize("size", [1, BYTES_PER_ROW, 10 * BYTES_PER_ROW + 17])
def test_a_file_comes_back_byte_by_byte_from_a_copy_too(size: int, tmp_path: Path) -> None:
    file = os.urandom(size)
    with Database.open(tmp_path / "w.duckdb") as database:
        documents.add(database, [ONE, replace(ONE, id="b2:2", text="two")], {ONE.id: file})
        database.backup(tmp_path / "copy.duckdb")
        assert originals.filter_stored(database, [ONE.id, "b2:2", "b2:none"]) == {ONE.id}
    with Database.open(tmp_path / "copy.duckdb") as copy:
        assert b"".join(originals.read(copy, ONE.id)) == file
        assert list(originals.read(copy, "b2:2")) == []


def test_the_first_file_stays_and_the_same_text_brings_no_second() -> None:
    with Database.open(":memory:") as database:
        documents.add(database, [ONE], {ONE.id: b"first"})
        documents.add(database, [ONE], {ONE.id: b"second"})
        originals.add(database, {ONE.id: b"third"})
        assert b"".join(originals.read(database, ONE.id)) == b"first"


def test_a_document_that_is_not_stored_leaves_no_file(monkeypatch: pytest.MonkeyPatch) -> None:
    with Database.open(":memory:") as database:
        monkeypatch.setattr(originals, "_key", lambda document, number: None)
        with pytest.raises(Exception, match="NOT NULL"):
            documents.add(database, [ONE], {ONE.id: b"file"})
        assert documents.load_documents(database) == [] and originals.filter_stored(database, [ONE.id]) == set()
