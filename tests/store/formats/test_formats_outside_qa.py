"""SQuAD, NQ-open, TriviaQA and AdaRAGUE's table: what comes in, what is kept out with a sentence, and that what goes out comes
in again as it was."""

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from core.errors import BenchError
from store.format import Bundle
from store.formats import adarague, crud_rag, nq_open, squad, triviaqa

ORVEL = "The bridge at Orvel was designed by Marta Quill in 1931. It crosses the river Senn. 🌉 Its toll went in 1954."
MILL = 'The mill of Orvel burnt in 1902.\nNobody\'s fault, said "the Orvel Post".'
Read = Callable[[Path], Bundle]


def written(path: Path, content: object) -> Path:
    lines = isinstance(content, list)
    text = "".join(json.dumps(one) + "\n" for one in content) if lines else json.dumps(content)  # type: ignore[attr-defined]
    path.write_text(text, encoding="utf-8")
    return path


def asked(id_: str, *answers: tuple[str, int], **more: Any) -> dict[str, Any]:
    return {"id": id_, "question": f"Question {id_}?", "answers": [{"text": t, "answer_start": n} for t, n in answers]} | more


def squad_file(path: Path, *rows: dict[str, Any]) -> Path:
    article = {"title": "Orvel_bridge", "paragraphs": [{"context": ORVEL, "qas": rows}]}
    return written(path, {"version": "v2.0", "data": [article]})


def messages(found: Bundle) -> list[str]:
    return [str(row["message"]) for row in found.refused]


def again(read: Read, write: Any, found: Bundle, folder: Path, withheld: frozenset[str] = frozenset()) -> Bundle:
    """What was read, exported and read again."""
    folder.mkdir()
    manifest = {"items": [{"id": item.id, "split": "test"} for item in found.items]}
    salts = {item.id: "salt" for item in found.items}
    write(Bundle(documents=found.documents, items=found.items, manifest=manifest, name="v1", salts=salts), folder, withheld)
    return read(folder)


def test_a_squad_answer_is_found_by_its_code_points_and_its_sentence_is_the_evidence(tmp_path: Path) -> None:
    toll = ORVEL.index("1954")
    found = squad.read(squad_file(tmp_path / "s.json", asked("a", ("1954", toll), ("1954", toll), ("in 1954", toll - 3))))
    [item], [document] = found.items, found.documents
    assert item.answers == ("1954", "in 1954") and item.status == "accepted" and item.provenance.origin == "imported"
    assert document.title == "Orvel bridge" and item.given == (document.id,)
    [evidence] = item.evidence
    assert ORVEL[evidence.start : evidence.end].endswith("Its toll went in 1954.") and evidence.start > ORVEL.index("Senn")
    assert found.refused == []


def test_impossible_questions_are_told_once_and_bad_ones_each_by_its_place(tmp_path: Path) -> None:
    found = squad.read(
        squad_file(
            tmp_path / "s.json",
            asked("i1", is_impossible=True),
            asked("good", ("Marta Quill", 36)),
            asked("i2", is_impossible=True),
            asked("none"),
            asked("the", ("The", 0)),
            asked("blank", (" ", 3)),
            asked("lost", ("Zanzibar", 0)),
            asked("good", ("1931", 51)),
        )
    )
    assert [item.id for item in found.items] == ["good"]
    assert messages(found) == [
        "Question 4 of s.json has no gold answer.",
        "Question 5 of s.json has the gold answer 'The', which is empty without articles and punctuation.",
        "Question 6 of s.json has an empty gold answer.",
        "Question 7 of s.json has the answer 'Zanzibar', which does not occur in its paragraph.",
        "Question 8 of s.json repeats the id good of question 2.",
        "2 questions are marked impossible in s.json: there is no gold answer in the paragraph, so nothing was imported for "
        "them.",
    ]


def test_a_gold_that_is_none_is_left_out_beside_others_and_named(tmp_path: Path) -> None:
    path = written(tmp_path / "nq.jsonl", [{"question": "Who?", "answer": ["the", "Marta Quill"]}])
    [item] = nq_open.read(path).items
    assert item.answers == ("Marta Quill",) and item.labels == {"golds_left_out": ["the"]}


def test_nq_open_lines_are_told_by_number_and_the_same_line_is_the_same_item(tmp_path: Path) -> None:
    lines = [
        {"question": "Who?", "answer": ["Quill", "M. Quill"]},
        {"question": "When?", "answer": []},
        {"answer": ["x"]},
        {"question": "How old is 🌉?", "answer": "31"},
        {"question": "Who?", "answer": ["Quill", "M. Quill"]},
    ]
    found = nq_open.read(written(tmp_path / "nq.jsonl", lines))
    assert [item.answers for item in found.items] == [("Quill", "M. Quill"), ("31",)] and found.documents == []
    assert [(row["line"], str(row["message"]).split(" ", 4)[4]) for row in found.refused][:2] == [
        (2, "has no gold answer."),
        (3, "has no question."),
    ]
    assert "repeats the id" in messages(found)[2]


def test_trivia_aliases_are_further_answers_and_a_test_question_stays_out(tmp_path: Path) -> None:
    data = [
        {
            "Question": "Who built it?",
            "QuestionId": "tc_1",
            "QuestionSource": "http://q.test",
            "Answer": {"Value": "Marta Quill", "Aliases": ["Quill", "Marta Quill", "The"], "NormalizedValue": "marta quill"},
        },
        {"Question": "No key?", "QuestionId": "tc_2"},
        {"Question": "", "QuestionId": "tc_3", "Answer": {"Value": "x"}},
    ]
    found = triviaqa.read(written(tmp_path / "t.json", {"Data": data, "Domain": "unfiltered", "Version": 1.0}))
    [item] = found.items
    assert (item.id, item.answers) == ("tc_1", ("Marta Quill", "Quill"))
    assert item.labels == {"golds_left_out": ["The"], "triviaqa": {"QuestionSource": "http://q.test"}}
    assert messages(found) == ["Question 2 of t.json has no gold answer.", "Question 3 of t.json has no question."]


PARAGRAPHS = (
    "[{'idx': 0, 'is_supporting': True, 'paragraph_text': " + repr(ORVEL) + ", 'title': 'Bridge'}\n"
    " {'idx': 1, 'is_supporting': False, 'paragraph_text': " + repr(MILL) + ", 'title': \"Quill's mill\"}]"
)


HEAD = ("qid", "question_text", "context", "reference", "no_retrieve")


def table(path: Path, *rows: dict[str, str], head: tuple[str, ...] = HEAD) -> Path:
    usual = {"context": PARAGRAPHS, "reference": "['Marta Quill']", "no_retrieve": "=Quill"}
    with path.open("w", encoding="utf-8", newline="") as out:
        writer = csv.DictWriter(out, head)
        writer.writeheader()
        writer.writerows({"qid": f"q{n}", "question_text": f"Who {n}?", **usual, **row} for n, row in enumerate(rows))
    return path


def test_a_printed_array_of_paragraphs_is_documents_with_the_supporting_as_evidence(tmp_path: Path) -> None:
    found = adarague.read(table(tmp_path / "w.csv", {}, {"question_text": "🌉?", "reference": "['M. Quill' \"Quill's\"]"}))
    first, second = found.items
    assert [d.text for d in found.documents] == [ORVEL, MILL] and found.documents[1].title == "Quill's mill"
    assert first.given == tuple(d.id for d in found.documents) and [s.document for s in first.evidence] == [first.given[0]]
    assert second.answers == ("M. Quill", "Quill's"), "numpy prints no commas: two answers, not one joined"
    assert first.labels == {"adarague": {"no_retrieve": "=Quill"}}


def test_bad_rows_of_a_table_are_told_by_the_line_they_begin_on_and_the_rest_goes_on(tmp_path: Path) -> None:
    path = table(
        tmp_path / "w.csv",
        {},
        {"reference": "['the']"},
        {"reference": "nan"},
        {"context": "[{'idx': 0, 'x': nan}]"},
        {"question_text": " "},
        {"qid": ""},
        {"context": "", "reference": "Quill"},
    )
    with path.open("a", encoding="utf-8") as out:
        out.write("short,row\n")
    found = adarague.read(path)
    assert [item.id for item in found.items] == ["q0", "q6"] and found.items[1].given == ()
    assert [(row["line"], str(row["message"]).split("w.csv ")[1]) for row in found.refused] == [
        (4, "has the gold answer 'the', which is empty without articles and punctuation."),
        (6, "has no gold answer."),
        (8, "has a context that is not a Python list of paragraphs."),
        (9, "has no question."),
        (11, "has no qid."),
        (14, "has 2 cells, but the header has 5."),
    ]


def test_a_table_of_other_columns_and_a_file_of_another_kind_are_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(BenchError, match="no column reference"):
        adarague.read(table(tmp_path / "w.csv", head=("qid", "question_text", "context")))
    for read in (squad.read, triviaqa.read, nq_open.read):
        with pytest.raises(BenchError):
            read(written(tmp_path / "x.json", {"a": 1}))
        with pytest.raises(BenchError, match="holds no"):
            read(tmp_path / "nowhere")


@pytest.mark.parametrize("form", ["squad", "nq_open", "triviaqa", "adarague"])
def test_what_goes_out_comes_in_again_as_it_was(form: str, tmp_path: Path) -> None:
    module, found = _read(form, tmp_path)
    came = again(module.read, module.write, found, tmp_path / "out")
    assert {item.id: item for item in came.items} == {item.id: item for item in found.items} and came.refused == []
    assert {d.id: d.text for d in came.documents} == {d.id: d.text for d in found.documents}


@pytest.mark.parametrize("form", ["squad", "nq_open", "triviaqa", "adarague"])
def test_a_withheld_split_tells_no_answer_and_is_refused_on_the_way_back(form: str, tmp_path: Path) -> None:
    module, found = _read(form, tmp_path)
    with pytest.raises(BenchError, match="is withheld"):
        again(module.read, module.write, found, tmp_path / "out", frozenset({"test"}))
    rows = (tmp_path / "out" / module.FILE).read_text(encoding="utf-8")
    assert "M. Q." not in rows and "no_retrieve" not in rows.splitlines()[-1] and "=Quill" not in rows


def _read(form: str, folder: Path) -> tuple[Any, Bundle]:
    if form == "squad":
        path = squad_file(folder / "s.json", asked("a", ("Marta Quill", 36), ("Quill", 42)), asked("b", ("1931", 51)))
        return squad, squad.read(path)
    if form == "nq_open":
        return nq_open, nq_open.read(written(folder / "n.jsonl", [{"question": "Who?", "answer": ["Quill", "M. Q."]}]))
    if form == "triviaqa":
        data = [{"Question": "Who?", "QuestionId": "t", "QuestionSource": "u", "Answer": {"Value": "Q", "Aliases": ["M. Q."]}}]
        return triviaqa, triviaqa.read(written(folder / "t.json", {"Data": data}))
    return adarague, adarague.read(table(folder / "w.csv", {}, {"reference": "['M. Q.' 'Quill']"}))


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"is_impossible": "false"}, 'has "false" as its is_impossible'),
        ({"question": 5}, "has 5 as its question"),
        ({"answers": [{"text": ["1931"]}]}, 'has ["1931"] as its answers[0].text'),
        ({"answers": "1931"}, 'has "1931" as its an'),
        ({"answers": [{"text": "1931", "answer_start": "51"}]}, 'has "51" as its answers[0].answer_start'),
    ],
)
def test_a_field_of_squad_of_another_type_is_named(tmp_path: Path, fields: dict[str, Any], why: str) -> None:
    found = squad.read(squad_file(tmp_path / "s.json", asked("a", ("1931", 51)), asked("b", ("1931", 51)) | fields))
    assert len(found.items) == 1 and why in messages(found)[0] and messages(found)[0].startswith("Question 2 of s.json ")


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"reference": "[['Marta Quill'], 'M. Quill']"}, "not a Python list of texts"),
        ({"reference": "[None]"}, "not a Python list"),
        ({"context": "[{'paragraph_text': 'x', 'is_supporting': 'False'}]"}, 'has "False" as its [0].is_supporting'),
        ({"context": "[{'paragraph_text': 3}]"}, "has 3 as its [0].paragraph_text"),
    ],
)
def test_a_cell_of_adarague_of_another_type_is_named(tmp_path: Path, fields: dict[str, str], why: str) -> None:
    found = adarague.read(table(tmp_path / "a.csv", {}, fields))
    assert len(found.items) == 1 and why in messages(found)[0]


def test_a_folder_of_squad_files_is_read_with_an_id_for_each_file_and_language(tmp_path: Path) -> None:
    texts = {
        "xquad.en.json": ("The bridge at Orvel was built in 1931.", "When was the bridge built?", "1931"),
        "xquad.zh.json": ("奥维尔的桥建于一九三一年。", "桥建于何时？", "一九三一年"),
        "xquad.en-2.json": ("The mill at Orvel burnt in 1902.", "When did the mill burn?", "1902"),
    }
    for name, (context, question, answer) in texts.items():
        qa = {"id": "q", "question": question, "answers": [{"text": answer, "answer_start": context.index(answer)}]}
        written(tmp_path / name, {"data": [{"title": "T", "paragraphs": [{"context": context, "qas": [qa]}]}]})
    written(tmp_path / "infos.json", {"features": []})
    (tmp_path / "away.json").symlink_to(tmp_path / "infos.json")
    found = squad.read(tmp_path)
    assert sorted(item.answers[0] for item in found.items) == ["1902", "1931", "一九三一年"]
    assert len({item.id for item in found.items}) == 3 and {item.language for item in found.items} == {"en", "zh"}
    assert {item.labels.get("own_id", item.id) for item in found.items} == {"q"}
    link, other = messages(found)
    assert link.startswith("away.json is a link") and "infos.json is not a SQuAD file" in other
    (tmp_path / "xquad.zz.json").write_bytes((tmp_path / "xquad.zh.json").read_bytes())
    assert messages(squad.read(tmp_path))[-1].startswith("Question 1 of xquad.zz.json repeats the id ")


def test_a_folder_of_links_alone_names_them_and_says_what_to_do(tmp_path: Path) -> None:
    kept, folder, empty = written(tmp_path / "train.json", {"data": []}), tmp_path / "linked", tmp_path / "empty"
    folder.mkdir()
    empty.mkdir()
    (folder / "train.json").symlink_to(kept)
    with pytest.raises(BenchError) as raised:
        squad.read(folder)
    assert str(raised.value) == (
        f"{folder} holds no squad.json, and train.json is a link, which is not followed: give an exported folder, or a SQuAD "
        f"file or a folder of them, or copy the folder with the files that its links lead to (cp -rL {folder} NEW_FOLDER)."
    )
    for number in range(4):
        (folder / f"dev-{number}.json").symlink_to(kept)
    with pytest.raises(BenchError, match=r"dev-0\.json, dev-1\.json, dev-2\.json and 2 more are links, which are not followed"):
        squad.read(folder)
    with pytest.raises(
        BenchError, match=r"holds no squad.json: give an exported folder, or a SQuAD file or a folder of them\.$"
    ):
        squad.read(empty)


def test_one_id_in_two_languages_of_a_file_is_two_questions(tmp_path: Path) -> None:
    court = "哈尔摩法院于一九五四年裁定，桥梁通行费应当取消。"
    chinese = {"id": "56be", "question": "何时裁定？", "answers": [{"text": "一九五四年", "answer_start": 6}]}
    article = {
        "title": "x",
        "paragraphs": [{"context": ORVEL, "qas": [asked("56be", ("1931", 51))]}, {"context": court, "qas": [chinese]}],
    }
    found = squad.read(written(tmp_path / "s.json", {"version": "1.1", "data": [article]}))
    assert [item.answers for item in found.items] == [("1931",), ("一九五四年",)] and found.refused == []
    assert found.items[1].labels["own_id"] == "56be"


@pytest.mark.parametrize("start", ["", "{", "[", '{"Data"', '{"a": 1,'])
def test_a_megabyte_of_blanks_is_one_sentence_at_once(tmp_path: Path, start: str) -> None:
    path = tmp_path / "t.json"
    path.write_text(start + " " * 1_000_000, encoding="utf-8")
    with pytest.raises(BenchError) as raised:
        triviaqa.read(path)
    assert "\n" not in str(raised.value)


def test_an_article_with_a_line_break_and_a_million_blanks_is_read_at_once(tmp_path: Path) -> None:
    assert crud_rag._join_lines("a  \r\n b\n" + " " * 1_000_000 + "c") == "a b c"
