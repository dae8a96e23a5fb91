"""What comes in from files and folders, what is refused with a sentence, and what a document says of where it came from."""

import json
import os

import pytest

from builders.ingest import DuplicateDocument, RefusedFile, domain_name, ingest
from core.errors import BenchError
from core.ids import content_hash
from core.nouns import Document

TEXT = "The mill of Wend burned in 1904. Ada Quill rebuilt it."


def taken(*paths, domain=None, language=None, form="auto", licence=None, known=()):
    return list(ingest(paths, domain, language, form, licence, known.__contains__ if known else lambda _: False))


def write(folder, name, text):
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def test_a_text_file_is_one_document(tmp_path):
    [found] = taken(write(tmp_path, "mill.txt", TEXT), domain="law", licence="CC-BY-4.0")
    assert isinstance(found, Document) and found.id == content_hash(found.text) and TEXT in found.text
    assert (found.domain, found.language, found.licence, found.origin) == ("law", "en", "CC-BY-4.0", "mill.txt")
    assert found.title


def test_the_language_is_detected_unless_given(tmp_path):
    path = write(tmp_path, "mofang.txt", "文德磨坊一九〇四年失火，顾雅将其重建。")
    assert taken(path)[0].language == "zh" and taken(path, language="en")[0].language == "en"
    assert taken(path)[0].domain == "general"


def test_a_folder_is_walked_in_sorted_order_and_says_what_it_leaves_out(tmp_path):
    root = tmp_path / "corpus"
    write(root, "b.txt", "Second text of the valley.")
    write(root, "a.txt", "First text of the valley.")
    write(root, "sub/c.txt", "Third text of the valley.")
    write(root, ".hidden.txt", "Hidden text.")
    outside = write(tmp_path, "outside.txt", "Outside text.")
    (root / "link.txt").symlink_to(outside)
    (root / "loop").symlink_to(root)
    found = taken(root)
    assert [d.origin for d in found if isinstance(d, Document)] == ["corpus/a.txt", "corpus/b.txt", "corpus/sub/c.txt"]
    left = {r.where: r.message for r in found if isinstance(r, RefusedFile)}
    assert set(left) == {"corpus/.hidden.txt", "corpus/link.txt", "corpus/loop"} and all(left.values())
    assert not any(str(tmp_path) in d.origin for d in found if isinstance(d, Document))


def test_the_same_text_comes_in_once(tmp_path):
    first, second = write(tmp_path, "a.txt", TEXT), write(tmp_path, "b.txt", TEXT)
    one, two = taken(first, second)
    assert two == DuplicateDocument("b.txt", one.id)
    assert taken(first, known={one.id}) == [DuplicateDocument("a.txt", one.id)]


def test_a_record_speaks_for_itself(tmp_path):
    lines = [
        {
            "text": TEXT,
            "title": "Mill",
            "domain": "Arts",
            "language": "en",
            "licence": "MIT",
            "published": "1999-01-02",
            "origin": "the archive",
            "shelf": 7,
        },
        {"text": "Another text of the valley."},
        {"text": "  "},
        {"title": "no text"},
        {"text": "A third text.", "domain": "law & order"},
        {"text": "A fourth text.", "language": "sv"},
        {"text": "A fifth text.", "domain": ["law"]},
    ]
    path = write(tmp_path, "records.jsonl", "\n".join(json.dumps(line) for line in lines) + "\n{broken\n")
    found = taken(path, domain="law", language="zh", licence="CC0-1.0")
    first, second = [d for d in found if isinstance(d, Document)]
    assert (first.title, first.domain, first.language, first.licence) == ("Mill", "arts", "en", "MIT")
    assert (first.published, first.origin, dict(first.meta)) == ("1999-01-02", "the archive", {"shelf": 7})
    assert (second.domain, second.language, second.licence) == ("law", "zh", "CC0-1.0")
    assert second.origin == "records.jsonl, line 2"
    refused = [r for r in found if isinstance(r, RefusedFile)]
    assert [r.line for r in refused] == [3, 4, 5, 6, 7, 8] and {r.where for r in refused} == {"records.jsonl"}


def test_lines_are_documents(tmp_path):
    path = write(tmp_path, "news.txt", "First line of news.\n\nSecond line of news.\nFirst line of news.\n")
    found = taken(path, form="lines")
    assert [d.origin for d in found if isinstance(d, Document)] == ["news.txt, line 1", "news.txt, line 3"]
    assert [a.where for a in found if isinstance(a, DuplicateDocument)] == ["news.txt, line 4"]


def test_bad_files_are_reported_and_the_rest_goes_on(tmp_path):
    empty, good = write(tmp_path, "empty.txt", ""), write(tmp_path, "good.txt", TEXT)
    pipe = tmp_path / "pipe.txt"
    os.mkfifo(pipe)
    found = taken(tmp_path / "missing.txt", empty, pipe, good)
    assert [type(one) for one in found] == [RefusedFile, RefusedFile, RefusedFile, Document]
    assert all(one.message.endswith(".") for one in found[:3])


def test_three_million_characters_are_taken_and_six_million_refused(tmp_path):
    sentence = "The valley is long and the river is slow. "
    fine = write(tmp_path, "fine.txt", sentence * (3_000_000 // len(sentence)))
    much = write(tmp_path, "much.txt", sentence * (6_000_000 // len(sentence)))
    first, second = taken(fine, much)
    assert isinstance(first, Document) and isinstance(second, RefusedFile)


NAMES = [("law", "law"), (" Law ", "law"), ("case law", "case_law"), ("法律", "法律"), ("r-1", "r-1")]


@pytest.mark.parametrize(("text", "name"), NAMES)
def test_domain_names(text, name):
    assert domain_name(text) == name


@pytest.mark.parametrize("text", ["", " ", "a/b", "..", "law & order", "all", "-law", "x" * 40, "law\n.", "a--b"])
def test_silly_domain_names_are_one_sentence(text, tmp_path):
    with pytest.raises(BenchError, match="not a domain name"):
        taken(write(tmp_path, "a.txt", TEXT), domain=text)


def test_an_unknown_language_is_one_sentence(tmp_path):
    with pytest.raises(BenchError, match="'sv' is not known: give one of ar, de, en"):
        taken(write(tmp_path, "a.txt", TEXT), language="sv")
