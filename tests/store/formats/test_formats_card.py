"""Card and page: they tell what a release is, and show hostile texts as text."""

import json
import re
from dataclasses import replace

import pytest
import yaml

from store.formats._card import render_card
from store.formats._citation import render_citation
from store.formats._markdown import escape_markdown
from store.formats._page import build_page_data, cut_passages, embed_json, render_page
from store.releases.manifest import make_canary
from tests.store.released import BRIDGE, EVIL, bundle, documents, items, span

MARKUP = re.compile(r"<script|<img|(?<!\\)\]\(|(?<!\\)!\[")
"""Elements, links and images that a Markdown reader would draw."""


def front(text: str) -> dict[str, object]:
    found: dict[str, object] = yaml.safe_load(text.split("---\n")[1])
    return found


def test_the_card_counts_what_is_there(tmp_path):
    text = render_card(bundle(splits={"i1": "dev"}), frozenset(), tmp_path)
    for row in (
        "| 1 | arts | en | dev | 1 |",
        "| 1 | law | zh | test | 1 |",
        "| 4 | arts | en | test | 1 |",
        "| all |  |  |  | 3 |",
    ):
        assert row in text
    assert "Offline items: 1 of 3" in text and "Edited: 1 of 3 items (33%)" in text and "by 1 review of 1 person" in text
    assert "| evidence | 1 | 0 | 0 |" in text and "figures" not in text  # its verdict was on revision 1
    assert "| CC0-1.0 | 2 |" in text and make_canary(bundle(splits={"i1": "dev"}).hash) in text
    assert "| arts | 1 | 1 |" in text and "| 0.4 to 0.6 | 2 |" in text
    assert front(text)["language"] == ["en", "zh"] and front(text)["license"] == "cc0-1.0"


def test_the_card_counts_items_by_who_is_behind_their_decision(tmp_path):
    whole = bundle()
    one = whole.reviews[0]
    made = [
        *(replace(one, id=f"a{n}", item="i1", role="opinion", revision=1) for n in range(2)),
        replace(one, id="a", item="i1", revision=2, role="adjudicated", details={"of": ["a0", "a1"], "taken": "a0"}),
        replace(one, id="b", item="i2", revision=1, role="settled", details={"of": ["b0", "b1"], "source": "unanimous"}),
        replace(one, id="c", item="i3", revision=1, role="settled", details={"of": ["c0"], "source": "fewer wanted"}),
    ]
    told = "Decided: 1 by one person, 1 by several who agreed, 1 by somebody between several who did not."
    assert told in render_card(replace(whole, reviews=made), frozenset(), tmp_path)
    assert told in render_card(replace(whole, reviews=made[::-1]), frozenset(), tmp_path)
    assert "Decided" not in render_card(replace(whole, reviews=[]), frozenset(), tmp_path)


def test_the_reason_for_unlicensed_documents_stands_in_the_card(tmp_path):
    whole = bundle()
    bare = replace(
        whole, documents=[replace(d, licence=None) for d in whole.documents], manifest={**whole.manifest, "unlicensed": EVIL}
    )
    text = render_card(bare, frozenset(), tmp_path)
    assert "2 documents have no known licence" in text and front(text)["license"] == "other"
    assert not MARKUP.search(text)


@pytest.mark.fault(1)
def test_a_hostile_domain_is_text_in_the_card(tmp_path):
    text = render_card(bundle([replace(items()[0], domain=EVIL + "\n# h")]), frozenset(), tmp_path)
    assert not MARKUP.search(text) and "\n# h" not in text
    assert escape_markdown("a|b\n<i>*_$5") == r"a\|b &lt;i&gt;\*\_\$5"


def test_the_card_names_withheld_splits(tmp_path):
    text = render_card(bundle(splits={"i1": "dev"}), frozenset({"dev"}), tmp_path)
    assert "## Withheld" in text and "dev (1 items)" in text


def test_the_citation_is_yaml_with_the_hash_and_no_date():
    found = yaml.safe_load(render_citation(bundle(name='x: "y"')))
    assert found["title"] == 'x: "y"' and found["version"] == bundle().hash and "date-released" not in found


@pytest.mark.fault(1, 4)
def test_nothing_of_the_data_can_end_the_script_element():
    html = "".join(render_page(bundle(name="</title><script>x"), frozenset()))
    assert html.count("<script") == 2 and html.count("</script>") == 2 and "<img" not in html
    data = re.search(r'<script type="application/json" id="data">(.*?)</script>', html, re.S)
    assert data is not None and not set("<>&\u2028\u2029") & set(data[1])
    read = json.loads(data[1])
    assert read["items"][0]["question"] == items()[0].question and read["items"][0]["reviews"][0]["comment"] == EVIL
    assert embed_json("\u2028<") == '"\\u2028\\u003c"'


def test_the_page_comes_item_by_item():
    pieces = list(render_page(bundle(), frozenset()))
    assert len(items()) > 1
    assert [sum(f'"question":{embed_json(i.question)},"inputs"' in piece for piece in pieces) for i in items()] == [1] * len(
        items()
    )
    assert max(sum(f'"question":{embed_json(i.question)},"inputs"' in piece for i in items()) for piece in pieces) == 1


@pytest.mark.fault(2)
def test_the_page_asks_nothing_of_any_server():
    html = "".join(render_page(bundle(), frozenset()))
    own = re.sub(r'<script type="application/json".*?</script>', "", html, flags=re.S)
    assert "default-src 'none'" in own and not re.search(r"https?://|src=|<link|@import|url\(|fetch\(|innerHTML", own)


def test_evidence_stands_marked_in_its_surroundings():
    [passage] = cut_passages([span(BRIDGE, "Marta Quill"), span(BRIDGE, "1931")], {d.id: d for d in documents()})
    assert [text for text, is_evidence in passage["pieces"] if is_evidence] == ["Marta Quill", "1931"]
    assert "".join(text for text, _ in passage["pieces"]) == BRIDGE[passage["start"] : passage["end"]]


def test_far_apart_evidence_is_two_passages_and_overlapping_evidence_is_told_once():
    long = documents()[0]
    text = "x " * 400 + "first" + " y" * 800 + "second" + " z" * 400
    far = replace(long, text=text)
    spans = [replace(span(text, word), document=far.id) for word in ("first", "second", "second")]
    found = cut_passages(spans, {far.id: far})
    assert len(found) == 2 and all(p["cut"] == [True, True] for p in found)
    assert [t for p in found for t, is_evidence in p["pieces"] if is_evidence] == ["first", "second"]
    assert max(p["end"] - p["start"] for p in found) <= 700


def test_a_withheld_item_shows_its_question_alone():
    data = build_page_data(bundle(splits={"i1": "dev"}), frozenset({"dev"}))
    first = next(data["items"])
    assert first["withheld"] and first["question"] == items()[0].question
    assert not {"answers", "passages", "steps", "verdicts", "history", "reviews", "overlap"} & first.keys()
