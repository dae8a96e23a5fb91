"""The table of what a release is made of, worked by hand."""

from builders.drafting.composition import composition, overlap_classes
from core.nouns import Document
from core.text.text import count_tokens
from tests.builders.drafts import draft

TEXT = "The mill burned in 1904. Ada Quill rebuilt it."
ITEMS = [
    draft("Who rebuilt the mill?", "Ada Quill", id="a", level=1, domain="law", given=("d",), overlap=0.5),
    draft("When did the mill burn?", "1904", id="b", level=1, domain="law", given=("d", "e"), overlap=1.0),
    draft("Why?", "Fire.", id="c", level=3, domain="arts", given=(), overlap=None),
]
DOCUMENTS = {name: Document(name, TEXT, name) for name in "de"}


def row(table, domain, level):
    return next(r for r in table["rows"] if (r["domain"], r["level"]) == (domain, level))


def test_rows_hold_means_with_their_n():
    table = composition(ITEMS, DOCUMENTS)
    tokens = count_tokens(TEXT, "en")
    found = row(table, "law", 1)
    assert found["items"] == 2 and found["context_tokens"] == {"mean": 1.5 * tokens, "n": 2}
    asked = [count_tokens(item.question, "en") for item in ITEMS[:2]]
    assert found["question_tokens"] == {"mean": sum(asked) / 2, "n": 2}
    totals = [row(table, *key)["items"] for key in (("all", "all"), ("all", 3), ("law", "all"))]
    assert totals == [3, 1, 2]


def test_no_context_is_no_value():
    assert row(composition(ITEMS, DOCUMENTS), "arts", 3)["context_tokens"] == {"mean": None, "n": 0}


def test_overlap_is_counted_in_fifths_and_the_missing_apart():
    classes = overlap_classes(ITEMS)
    assert [c["items"] for c in classes] == [0, 0, 1, 0, 1, 1] and classes[-1]["low"] is None


def test_nothing_has_no_rows_but_the_total():
    assert [r["items"] for r in composition([], {})["rows"]] == [0]
