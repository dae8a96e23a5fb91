"""CRUD-RAG's layout: six kinds of rows and articles, in and out equal; its known traps are refused row by row."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from core.errors import BenchError
from core.ids import content_hash
from core.nouns import Document, Item
from store.format import Bundle
from store.formats import crud_rag
from tests.store.released import BRIDGE, COURT, bundle, items

SOURCE = "2023-07-20 10:02，正文：奥维尔渡口停航。\n渡口修建于1908年。市政会决定修桥。新桥三年后通车。"
NEWS = [f"2023-08-0{n} 09:00，正文：第{n}天的报道：渡口停航后，居民绕行{n}0公里。" for n in (1, 2, 3)]
ASKED = {"ID": "64fa", "event": "渡口停航", "questions": "居民绕行多少公里？", "answers": "10公里"}
ROWS: dict[str, list[dict[str, Any]]] = {
    "event_summary": [
        {
            "event": "渡口停航。",
            "summary": " 渡口停航，将修新桥。",
            "ID": "64fa",
            "text": SOURCE,
            "time": "2023-07-20 10:02",
            "url": " ",
            "title": "\n   渡口停航  ",
        },
        {"event": "E2", "summary": "S2", "ID": "77", "text": SOURCE, "time": "", "url": "http://n.test/2", "title": "Again"},
    ],
    "continuing_writing": [
        {
            "ID": "64fa",
            "event": "渡口停航。",
            "summary": "渡口停航，将修新桥。",
            "beginning": "奥维尔渡口停航。\n渡口修建于1908年。",
            "continuing": "市政会决定修桥。新桥三年后通车。",
        },
        {"ID": "88", "beginning": "A ferry ran here.", "continuing": "It was closed in 1954."},
    ],
    "hallu_modified": [
        {
            "ID": "doc_004201",
            "headLine": "渡口",
            "broadcastDate": "2015-01-22",
            "type": "doc",
            "newsBeginning": "  渡口还在。",
            "newsRemainder": "它建于1908年。",
            "hallucinatedContinuation": "它建于1980年。",
            "generatedBy": "M",
            "annotations": ["1980年<sep>不合理，应为1908年"],
            "realContinuation": "它建于1908年。",
            "hallucinatedMod": "它建于1908年。",
        },
        {
            "ID": "doc_004202",
            "newsBeginning": "桥还在。",
            "hallucinatedContinuation": "它是木的。",
            "hallucinatedMod": "它是石的。",
            "allKeywords": {"木": "不合理"},
        },
    ],
    "questanswer_1doc": [ASKED | {"news1": NEWS[0]}],
    "questanswer_2docs": [ASKED | {"news1": NEWS[0], "news2": NEWS[1], "thoughts": "先看1，\n再看2。"}],
    "questanswer_3docs": [ASKED | {"news1": NEWS[0], "news2": NEWS[1], "news3": NEWS[2], "thoughts": ""}],
}
ARTICLES = ["[ 2023-07-28 16：40 ] ，正文：码头扩建完工。", "记者：甲，正文：  集市开张。", NEWS[1]]


def layout(folder: Path, rows: Any, articles: list[str] = ARTICLES) -> Path:
    (folder / crud_rag.ROWS).parent.mkdir(parents=True)
    (folder / crud_rag.ROWS).write_text(json.dumps(rows, ensure_ascii=False, indent=0), encoding="utf-8")
    (folder / crud_rag.SHARDS).mkdir(parents=True)
    (folder / crud_rag.SHARDS / "documents_dup_part_1").write_text("\n".join(articles) + "\n\n", encoding="utf-8")
    return folder


def export(found: Bundle, folder: Path, **manifest: Any) -> Path:
    folder.mkdir()
    named = {"items": [{"id": item.id, "split": "test"} for item in found.items]} | manifest
    crud_rag.write(replace(found, name="c", hash="b2:0", manifest=named), folder, frozenset())
    return folder


def written(folder: Path) -> tuple[dict[str, list[dict[str, Any]]], list[str]]:
    articles = [line for file in (folder / crud_rag.SHARDS).iterdir() for line in file.read_text("utf-8").splitlines()]
    return json.loads((folder / crud_rag.ROWS).read_text("utf-8")), articles


def by_id(found: Bundle) -> tuple[dict[str, Item], dict[str, Document]]:
    return {item.id: item for item in found.items}, {document.id: document for document in found.documents}


def test_all_six_tasks_go_out_as_they_came_and_come_back_equal(tmp_path):
    first = crud_rag.read(layout(tmp_path / "in", ROWS))
    assert list(first.refused) == [] and len(first.items) == 9
    out = export(first, tmp_path / "out")
    rows, _ = written(out)
    assert rows == ROWS
    assert by_id(crud_rag.read(out)) == by_id(first)


def test_an_id_that_stands_in_several_tasks_is_several_items(tmp_path):
    found, _ = by_id(crud_rag.read(layout(tmp_path, ROWS)))
    same = {item.task for id_, item in found.items() if id_.endswith(":64fa")}
    assert same == {"summary", "continuation", "qa_one_document", "qa_two_documents", "qa_three_documents"}


def test_what_the_rows_say_is_read(tmp_path):
    found, documents = by_id(crud_rag.read(layout(tmp_path, ROWS)))
    summary, three = found["summary:64fa"], found["qa_three_documents:64fa"]
    source = documents[summary.labels["source"]]
    assert (source.text, source.title, source.published) == (SOURCE, "渡口停航", "2023-07-20T10:02")
    assert source.meta == {"time": "2023-07-20 10:02", "url": " ", "title": "\n   渡口停航  ", "ID": "64fa"}
    assert (summary.question, summary.answers, summary.given) == ("渡口停航。", ("渡口停航，将修新桥。",), ())
    assert [documents[name].text for name in three.given] == NEWS and three.labels["event"] == "渡口停航"
    assert found["qa_two_documents:64fa"].steps == ({"kind": "thoughts", "text": "先看1，\n再看2。"},)
    repair = found["hallucination_repair:doc_004201"]
    assert (repair.question, repair.answers) == ("渡口还在。", ("它建于1908年。",))
    assert repair.inputs == {"hallucinated": "它建于1980年。"}
    assert {item.status for item in found.values()} == {"accepted"}


def test_a_continuation_whose_summary_is_there_knows_its_source_and_where_it_stands(tmp_path):
    found, documents = by_id(crud_rag.read(layout(tmp_path, ROWS)))
    one, other = found["continuation:64fa"], found["continuation:88"]
    assert one.labels["source"] == content_hash(SOURCE)
    [span] = one.evidence
    assert documents[span.document].text[span.start : span.end] == "市政会决定修桥。新桥三年后通车。"
    assert "source" not in other.labels and other.evidence == ()


def test_an_article_that_a_row_carries_is_one_document_and_articles_keep_their_text(tmp_path):
    found = crud_rag.read(layout(tmp_path, ROWS))
    texts = [document.text for document in found.documents]
    assert texts.count(NEWS[1]) == 1 and ARTICLES[0] in texts and ARTICLES[1] in texts
    flat = crud_rag.read(layout(tmp_path / "flat", ROWS, [SOURCE.replace("\n", " ")]))
    assert [d.text for d in flat.documents if "停航。" in d.text and "市政会" in d.text] == [SOURCE]
    dates = {d.text: d.published for d in found.documents}
    assert (dates[ARTICLES[0]], dates[ARTICLES[1]]) == ("2023-07-28T16:40", None)


def test_the_files_of_articles_are_the_corpus_without_what_is_left_out(tmp_path):
    first = crud_rag.read(layout(tmp_path / "in", ROWS))
    out = export(first, tmp_path / "out", left_out=[content_hash(SOURCE)])
    _, articles = written(out)
    assert not any("市政会" in line for line in articles)
    assert set(ARTICLES) <= set(articles) and len(articles) == len(first.documents) - 1
    assert by_id(crud_rag.read(out)) == by_id(first)


def test_the_rows_of_one_task_alone_and_one_file_of_articles_are_read(tmp_path):
    (tmp_path / "crud_summary.json").write_text(json.dumps(ROWS["event_summary"], ensure_ascii=False), encoding="utf-8")
    (tmp_path / "shard").write_text("\n".join(ARTICLES), encoding="utf-8")
    alone, articles = crud_rag.read(tmp_path / "crud_summary.json"), crud_rag.read(tmp_path / "shard")
    assert [item.task for item in alone.items] == ["summary", "summary"]
    assert [d.text for d in articles.documents] == ARTICLES and list(articles.items) == []
    rows, _ = written(export(alone, tmp_path / "out"))
    assert rows["event_summary"] == ROWS["event_summary"]


@pytest.mark.parametrize(
    ("part", "fields", "said"),
    [
        ("event_summary", {"summary": '{"code":1,"msg":"request openai failed"}'}, "failed API call as its summary"),
        ("event_summary", {"text": ""}, "no text"),
        ("event_summary", {"ID": ""}, "no ID"),
        ("event_summary", {"url": 3}, "a value other than text as its url"),
        ("continuing_writing", {"continuing": None}, "no continuing"),
        ("hallu_modified", {"hallucinatedMod": 'x","msg":"request openai failed"'}, "failed API call as its hallucinatedMod"),
        ("questanswer_1doc", {"questions": ""}, "no questions"),
        ("questanswer_1doc", {"questions": [], "answers": []}, "a value other than text as its questions"),
        ("questanswer_2docs", {"news2": " "}, "no news2"),
        ("questanswer_3docs", {"answers": "\n"}, "no answers"),
    ],
)
def test_a_bad_row_is_refused_in_one_sentence_and_the_rest_goes_on(tmp_path, part, fields, said):
    rows = ROWS | {part: [ROWS[part][0], ROWS[part][0] | {"ID": "bad"} | fields]}
    found = crud_rag.read(layout(tmp_path, rows))
    [refused] = found.refused
    assert refused["message"].startswith(f"Row 2 of {part} in data/crud_split/split_merged.json ")
    assert said in refused["message"]
    assert sum(item.task == crud_rag.KINDS[part].task for item in found.items) == 1


def test_the_same_row_again_is_one_and_another_row_of_its_id_is_refused(tmp_path):
    one = ROWS["questanswer_1doc"][0]
    found = crud_rag.read(layout(tmp_path, {"questanswer_1doc": [one, one, one | {"answers": "20公里"}]}))
    assert len(found.items) == 1
    assert [row["message"] for row in found.refused] == [
        "Row 3 of questanswer_1doc in data/crud_split/split_merged.json repeats the ID of row 1 of questanswer_1doc in "
        "data/crud_split/split_merged.json with another text."
    ]


def test_a_file_that_breaks_off_gives_the_rows_before_the_break(tmp_path):
    text = json.dumps(ROWS, ensure_ascii=False)
    path = tmp_path / "cut.json"
    path.write_text(text[: text.index("它是石的")], encoding="utf-8")
    found = crud_rag.read(path)
    assert [item.id for item in found.items] == [
        "summary:64fa",
        "summary:77",
        "continuation:64fa",
        "continuation:88",
        "hallucination_repair:doc_004201",
    ]
    [refused] = found.refused
    assert refused["message"].startswith("Row 2 of hallu_modified in cut.json breaks off, and nothing after it was read")


def test_rows_of_no_task_and_files_without_anything_are_told(tmp_path):
    (tmp_path / "odd.json").write_text('{"chitchat": [{"ID": "1"}], "event_summary": {}}', encoding="utf-8")
    with pytest.raises(BenchError, match="'chitchat', which is not one of the six tasks"):
        crud_rag.read(tmp_path / "odd.json")
    (tmp_path / "empty").write_text("\n\n", encoding="utf-8")
    with pytest.raises(BenchError, match="holds no rows and no articles"):
        crud_rag.read(tmp_path / "empty")


def test_an_article_that_is_no_text_is_refused_alone(tmp_path):
    long = f"一，正文：{'好' * 2000}。"
    (tmp_path / "shard").write_bytes(f"{long}\n".encode() + b"\xff\xfe\n" + "二，正文：\0\n三，正文：好。".encode())
    found = crud_rag.read(tmp_path / "shard")
    assert [d.text for d in found.documents] == [long, "三，正文：好。"]
    assert [row["line"] for row in found.refused] == [2, 3]


def test_items_made_here_go_out_in_its_form_and_those_of_other_tasks_do_not(tmp_path):
    source = Document(content_hash(BRIDGE), BRIDGE, "The bridge")
    court = Document(content_hash(COURT), COURT, "裁定", language="zh")
    made = [
        Item("i9", "summary", "A bridge was built.", ("It was built in 1931.",), labels={"source": source.id}),
        Item(
            "i8",
            "qa_two_documents",
            "Which came first?",
            ("The bridge.",),
            given=(source.id, court.id),
            steps=(
                {"kind": "search", "query": "q"},
                {"kind": "common", "contact": "Orvel"},
                {"kind": "reconstruction", "question": "Who?", "depends": "on it"},
            ),
        ),
        Item(
            "i7",
            "hallucination_repair",
            "哈尔摩法院于一九五四年裁定，",
            ("桥梁通行费应当取消。",),
            given=(court.id,),
            labels={"edit": {"class": "negation", "start": 7, "end": 9, "was": "取消", "is": "保留"}},
            inputs={"hallucinated": "桥梁通行费应当保留。"},
        ),
    ]
    rows, _ = written(export(Bundle(documents=[source, court], items=made), tmp_path / "out"))
    assert rows["event_summary"][0] | {"text": ""} == {
        "ID": "i9",
        "event": "A bridge was built.",
        "summary": "It was built in 1931.",
        "text": "",
        "time": "",
        "url": "",
        "title": "The bridge",
    }
    assert rows["questanswer_2docs"][0]["thoughts"] == (
        "common: Contact point: Orvel\nreconstruction: Question: Who?\nHow its parts depend on each other: on it"
    )
    repair = rows["hallu_modified"][0]
    assert repair["newsRemainder"] == "桥梁通行费应当取消。市议会随后执行了该裁定。"
    assert repair["annotations"] == ["保留<sep>不合理，应为取消"] and repair["realContinuation"] == "桥梁通行费应当取消。"
    again = crud_rag.read(tmp_path / "out")
    assert list(again.refused) == [] and {item.task for item in again.items} == {item.task for item in made}
    (tmp_path / "other").mkdir()
    with pytest.raises(BenchError, match="3 items belong to none of the six tasks, for example i1"):
        crud_rag.write(replace(bundle(), items=items()), tmp_path / "other", frozenset())
