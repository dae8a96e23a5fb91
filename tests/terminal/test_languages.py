"""A document in German, Japanese or Arabic goes from add to report by the command line; what only English and Chinese have says
so."""

import json
from typing import Any, NamedTuple

import pytest

from core.errors import BenchError
from tests.openai_server import Running, running


class Town(NamedTuple):
    """A document, what a model drafts from it, and what it answers later."""

    name: str
    text: str
    question: str
    gold: str
    answer: str
    token_f1: float
    """Of the answer, by hand."""


TOWNS = {
    # alte ingenieur weber against ingenieur weber: P 2/3, R 1
    "de": Town(
        "German",
        "# Der Leuchtturm\n\nDer alte Leuchtturm am nördlichen Kap wurde am 3. Mai 1871 eröffnet. Ihn entwarf der "
        "Ingenieur Weber aus Bremen.\nHeute beherbergt er ein kleines Museum, und Freiwillige reparieren jedes Frühjahr "
        "seine Lampe.\n",
        "Wer entwarf den alten Leuchtturm am nördlichen Kap?",
        "der Ingenieur Weber",
        "Der alte Ingenieur Weber.",
        0.8,
    ),
    # 技師田中氏 against 技師田中: P 4/5, R 1
    "ja": Town(
        "Japanese",
        "# 北岬の灯台\n\n北の岬にある古い灯台は1871年に建てられた。設計したのは横浜の技師田中である。"
        "現在は小さな博物館になっており、毎年春にボランティアが灯りを修理している。\n",
        "北の岬にある古い灯台を設計したのは誰ですか？",
        "技師田中",
        "技師田中氏。",
        8 / 9,
    ),
    # مهندس سالم قديم against مهندس سالم without the article: P 2/3, R 1
    "ar": Town(
        "Arabic",
        "# المنارة\n\nبُنيت المنارة القديمة على الرأس الشمالي عام 1871. صممها المهندس سالم من الإسكندرية. "
        "وهي اليوم متحف صغير، ويصلح المتطوعون مصباحها كل ربيع.\n",
        "من صمم المنارة القديمة على الرأس الشمالي؟",
        "المهندس سالم",
        "المهندس سالم القديم",
        0.8,
    ),
}


METRICS = "token_f1,exact_match,rouge_l,bleu,evidence_recall,r_eval_f1"


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    with running() as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        yield server


def reply(server: Running, town: Town, text: str) -> None:
    """Every request must be told to write in the language; its reply is that text."""
    server.script(
        [
            {"contains": f"Write in {town.name}.", "fault": "text", "text": text},
            {"fault": "status", "status": 400, "message": "not told in which language to write"},
        ]
    )


@pytest.mark.parametrize("language", TOWNS)
def test_a_document_goes_from_add_to_report_in_its_own_language(bw, tmp_path, server, language):
    town = TOWNS[language]
    (tmp_path / "town.md").write_text(town.text, encoding="utf-8")
    [document] = bw("add", tmp_path / "town.md", "--domain", "arts", "--licence", "CC0-1.0").json["added"]
    assert document["language"] == language

    offline = bw("draft", "--task", "explicit_factoid", "--domain", "arts", "--count", 1, "--agent", "offline")
    assert f"for English and Chinese only, and this text is {town.name}." in offline.err + offline.out

    draft: dict[str, Any] = {"question": town.question, "answer": town.gold, "evidence": [2]}
    reply(server, town, json.dumps(draft, ensure_ascii=False))
    drafted = bw("draft", "--task", "explicit_factoid", "--domain", "arts", "--count", 1, "--agent", "openai:test")
    assert drafted.code == 0, drafted.err
    [item] = drafted.json["items"]
    assert (item["language"], item["question"], item["status"]) == (language, town.question, "drafted")
    assert town.gold in item["evidence"][0]["text"]

    assert bw("decide", item["id"], "accept", "--as", "Ada").code == 0
    assert bw("items", "--language", language).json[0]["id"] == item["id"]
    assert bw("freeze", "v1").code == 0

    reply(server, town, town.answer)
    ran = bw("run", "v1", "--system", "vanilla", "--agent", "openai:test", "--retriever", "bm25", "--metrics", METRICS)
    assert ran.code == 0 and ran.json["answered"] == 1, ran.err
    [run] = bw("report", ran.json["run"]).json["runs"]
    cells = {cell["metric"]: cell for cell in run["cells"]}
    assert cells["token_f1"]["mean"] == pytest.approx(town.token_f1)
    assert cells["evidence_recall@5"]["mean"] == 1.0 and cells["exact_match"]["mean"] == 0.0
    assert cells["bleu"]["n"] == 1
    assert cells["r_eval_f1"]["n"] == 0
    assert bw("report", ran.json["run"], json_too=False).code == 0


def test_the_offline_agent_leaves_a_german_document_out_and_drafts_from_the_english_one(bw, town, tmp_path):
    (tmp_path / "turm.md").write_text(TOWNS["de"].text, encoding="utf-8")
    bw("add", town, tmp_path / "turm.md", "--domain", "arts", "--licence", "CC0-1.0")
    for seed in range(3):  # in whatever order the windows come
        done = bw("draft", "--task", "explicit_factoid", "--domain", "arts", "--count", 3, "--agent", "offline", "--seed", seed)
        assert done.code == 0 and {item["language"] for item in done.json["items"]} <= {"en"}, done.err
        assert "1 document in German, for which offline has no rules" in done.json["message"]
    assert bw("items").json


def test_the_language_of_a_document_is_set_on_record(bw, tmp_path):
    from workbench import Workbench

    (tmp_path / "fyr.txt").write_text("Den gamla fyren på norra udden byggdes 1871 och ledde fiskebåtar hem.", encoding="utf-8")
    [document] = bw("add", tmp_path / "fyr.txt").json["added"]
    assert document["language"] == "und" and "'sv'" in document["meta"]["note"]
    with Workbench.open(tmp_path / "w.duckdb") as bench:
        assert bench.corpus.set_language([document["id"]], "nl", "Ada") == 1
        assert bench.corpus.languages() == ["nl"]
        [change] = bench.corpus.changes(document["id"])
        assert (change.field, change.old, change.new, change.person) == ("language", "und", "nl", "Ada")
        with pytest.raises(BenchError, match="'sv' is not known"):
            bench.corpus.set_language([document["id"]], "sv", "Ada")


def test_a_language_without_a_row_comes_in_as_und_with_one_sentence_and_the_others_come_in(bw, tmp_path):
    (tmp_path / "fyr.txt").write_text(
        "Den gamla fyren på norra udden byggdes 1871 och ledde fiskebåtar hem i nästan ett sekel.", encoding="utf-8"
    )
    (tmp_path / "turm.txt").write_text(TOWNS["de"].text, encoding="utf-8")
    said = bw("add", tmp_path / "fyr.txt", tmp_path / "turm.txt", json_too=False)
    assert said.code == 0 and "2 added" in said.out
    assert said.err.count("The language of fyr.txt looks like 'sv'") == 1 and "turm" not in said.err
    assert bw("add", tmp_path / "fyr.txt", "--language", "sv").code == 2


def test_predictions_are_scored_in_their_own_language_or_that_of_the_file(bw, tmp_path):
    lines = [
        {
            "id": "a",
            "prediction": "Der alte Leuchtturm am Kap",
            "answers": ["Leuchtturm am Kap"],
            "question": "Was steht dort heute?",
        },
        {"id": "b", "prediction": "1871", "answers": ["das 1871"]},
        {"id": "c", "prediction": "東京都", "answers": ["東京"], "language": "ja"},
    ]
    path = tmp_path / "p.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    found = bw("score", path, "--metrics", "token_f1,r_eval_f1").json
    # b alone tells no language: with the file's German, "das" is an article
    assert [row["token_f1"] for row in found["items"]] == pytest.approx([6 / 7, 1.0, 0.8])
    assert found["items"][2]["why"]["r_eval_f1"] == "not available for ja: its rule on yes and no is English"


def test_noise_and_grammar_refuse_a_german_question_and_say_why(bw, tmp_path):
    record = {"question": TOWNS["de"].question, "answers": ["Weber"], "language": "de", "id": "g"}
    (tmp_path / "qa.jsonl").write_text(json.dumps(record) + "\n", encoding="utf-8")
    assert bw("import", tmp_path / "qa.jsonl", "--format", "jsonl").code == 0
    said = bw("vary", "--kinds", "ocr,spelling")
    assert "OCR is made for English and Chinese only, and this text is German." in said.out + said.err
