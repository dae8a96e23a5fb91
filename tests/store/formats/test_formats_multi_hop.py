"""HotpotQA, 2WikiMultiHopQA, MuSiQue, KQA Pro, KoLA's form and SoAyBench: what comes in with its evidence, steps and level,
what is kept out with a sentence, and that long files are read a part at a time."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from core.errors import BenchError
from store.format import Bundle
from store.formats import _streamed, hotpotqa, kola, kqapro, musique, soaybench, two_wiki_multi_hop_qa
from tests.conftest import Bench

BRIDGE = ["Orvel Bridge", ["The bridge at Orvel crosses the Senn.", " Marta Quill designed it in 1931. ", ""]]
QUILL = ["Marta Quill", ["Marta Quill was an engineer.", "She was born in Wend."]]
MILL = ["Mill", ["The mill of Orvel burnt in 1902."]]
Read = Callable[[Path], Bundle]


def array(path: Path, *rows: Any, indent: int | None = None) -> Path:
    path.write_text(json.dumps(rows, indent=indent, ensure_ascii=False), encoding="utf-8")
    return path


def lines(path: Path, *rows: Any) -> Path:
    path.write_text("".join((row if isinstance(row, str) else json.dumps(row)) + "\n" for row in rows), encoding="utf-8")
    return path


def hop(id_: str = "h1", **more: Any) -> dict[str, Any]:
    return {
        "_id": id_,
        "question": f"Where was the designer of the bridge born ({id_})?",
        "answer": "Wend",
        "type": "bridge",
        "level": "hard",
        "context": [MILL, BRIDGE, QUILL],
        "supporting_facts": [["Marta Quill", 1], ["Orvel Bridge", 1]],
    } | more


def read(module: Any, path: Path) -> Bundle:
    found: Bundle = module.FORMAT.read(path)
    return found


def cut(found: Bundle, place: int = 0) -> list[str]:
    texts = {document.id: document.text for document in found.documents}
    return [texts[span.document][span.start : span.end] for span in found.items[place].evidence]


def said(found: Bundle) -> list[str]:
    return [str(row["message"]) for row in found.refused]


@pytest.mark.parametrize("indent", [None, 2])
def test_supporting_sentences_of_hotpotqa_are_the_evidence(tmp_path: Path, indent: int | None) -> None:
    found = read(hotpotqa, array(tmp_path / "dev.json", hop(), indent=indent))
    [item] = found.items
    assert cut(found) == ["Marta Quill designed it in 1931.", "She was born in Wend."]
    assert [document.title for document in found.documents] == ["Mill", "Orvel Bridge", "Marta Quill"]
    assert item.given == tuple(document.id for document in found.documents) and item.id == "h1"
    assert (item.level, item.domain, item.answers, item.provenance.origin) == ("KA", "wiki", ("Wend",), "imported")
    assert item.labels == {"dataset": "hotpotqa", "question_type": "bridge", "difficulty": "hard"}
    assert item.overlap is not None and item.overlap > 0


def test_the_columns_of_a_hub_are_read_too(tmp_path: Path) -> None:
    row = hop() | {
        "context": {"title": ["Orvel Bridge", "Marta Quill"], "sentences": [BRIDGE[1], QUILL[1]]},
        "supporting_facts": {"title": ["Marta Quill"], "sent_id": [0]},
    }
    row["id"] = row.pop("_id")
    assert cut(read(hotpotqa, lines(tmp_path / "dev.jsonl", row))) == ["Marta Quill was an engineer."]


def test_a_fact_that_names_no_sentence_is_told_in_the_labels(tmp_path: Path) -> None:
    facts = [["Orvel Bridge", 1], ["Orvel Bridge", 2], ["Orvel Bridge", 9], ["Nobody", 0]]
    found = read(hotpotqa, array(tmp_path / "d.json", hop(supporting_facts=facts)))
    assert cut(found) == ["Marta Quill designed it in 1931."]
    assert found.items[0].labels["facts_left_out"] == [["Orvel Bridge", 2], ["Orvel Bridge", 9], ["Nobody", 0]]


def test_bad_questions_are_one_sentence_each_and_the_others_go_on(tmp_path: Path) -> None:
    test = hop("t")
    del test["answer"]
    bad = [
        test,
        hop("c", context=[["x"]]),
        hop("f", supporting_facts=[["Mill", -1]]),
        7,
        hop("q", question=" "),
        hop("a", answer="the"),
    ]
    found = read(hotpotqa, array(tmp_path / "d.json", hop("one"), *bad, hop("one"), hop("two")))
    assert [item.id for item in found.items] == ["one", "two"]
    assert said(found) == [
        "Question 2 of d.json has no gold answer, as in a test file.",
        "Question 3 of d.json has paragraphs that are not a list of title and sentences.",
        "Question 4 of d.json has a supporting fact that is not a pair of a title and a sentence number.",
        "Question 5 of d.json is not a JSON object.",
        "Question 6 of d.json has no question.",
        "Question 7 of d.json has the gold answer 'the', which is empty without articles and punctuation.",
        "Question 8 of d.json repeats the id one of question 1.",
    ]


@pytest.mark.parametrize(
    ("end", "why"),
    [
        ("", "breaks off: the file ends before its array does"),
        (', {"_id": "x", "que', "is not JSON (a string without its end"),
        (", {]", "is not JSON"),
        (', {"question": "\udcff"}]', "is not UTF-8"),
        (', {"a": 1, "a": 2}]', "has the key 'a' twice"),
    ],
)
def test_an_array_that_breaks_off_gives_what_stands_before(tmp_path: Path, end: str, why: str) -> None:
    path = tmp_path / "d.json"
    path.write_bytes((json.dumps([hop()])[:-1] + end).encode("utf-8", "surrogateescape"))
    found = read(hotpotqa, path)
    assert len(found.items) == 1 and said(found)[0].startswith("Question 2 of d.json") and why in said(found)[0]


def test_a_number_of_thousands_of_digits_is_refused_and_the_others_go_on(tmp_path: Path) -> None:
    path = array(tmp_path / "d.json", hop("one"), hop("n", votes="@"), hop("two"))
    path.write_text(path.read_text(encoding="utf-8").replace('"@"', "9" * 5_000), encoding="utf-8")
    found = read(hotpotqa, path)
    assert [item.id for item in found.items] == ["one", "two"]
    assert said(found) == ["Question 2 of d.json holds a number of too many digits (5,000 digits, but at most 40 are allowed)."]


def test_a_long_array_is_read_a_part_at_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_streamed, "_READ_BYTES", 100)
    monkeypatch.setattr(_streamed, "QUESTIONS_PER_BUNDLE", 4)
    long = hop("long", context=[["Ä" * 50, ["雪" * 5000 + "."]], *hop()["context"]])
    path = array(tmp_path / "d.json", *(hop(f"h{n}") for n in range(9)), long, indent=1)
    held: list[int] = []
    text = _streamed._Text

    class Watched(text):  # type: ignore[misc, valid-type]
        def read_value(self) -> tuple[str, str]:
            held.append(len(self._held) - self._at)
            return super().read_value()

    monkeypatch.setattr(_streamed, "_Text", Watched)
    parts = list(hotpotqa.pieces(path))
    assert [[item.id for item in part.items] for part in parts] == [
        ["h0", "h1", "h2", "h3"],
        ["h4", "h5", "h6", "h7"],
        ["h8", "long"],
    ]
    assert max(held) < 2500 < path.stat().st_size, "what is held is no more than about a question"
    assert any("雪" * 5000 in document.text for document in parts[-1].documents)


def test_triples_of_2wikimultihopqa_are_steps(tmp_path: Path) -> None:
    row = hop(type="compositional", evidences=[["Orvel Bridge", "designer", "Marta Quill"], ["Marta Quill", "born in", "Wend"]])
    found = read(two_wiki_multi_hop_qa, array(tmp_path / "d.json", row, hop("h2", evidences=[["x"]])))
    [item] = found.items
    assert item.steps[1] == {"kind": "triple", "subject": "Marta Quill", "relation": "born in", "object": "Wend"}
    assert item.labels["dataset"] == "2wikimultihopqa" and len(cut(found)) == 2
    assert said(found) == ["Question 2 of d.json has evidences that are not a list of fact and relation and entity."]


def sung(**more: Any) -> dict[str, Any]:
    paragraphs = [
        {"idx": n, "title": title, "paragraph_text": " ".join(words).strip(), "is_supporting": n > 0}
        for n, (title, words) in enumerate([MILL, BRIDGE, QUILL])
    ]
    hops = [
        {"id": 1, "question": "Orvel Bridge >> designer", "answer": "Marta Quill", "paragraph_support_idx": 1},
        {"id": 2, "question": "Where was #1 born?", "answer": "Wend", "paragraph_support_idx": 2},
    ]
    return {
        "id": "2hop__1_2",
        "question": "Where was the designer of Orvel Bridge born?",
        "answer": "Wend",
        "answer_aliases": ["town of Wend", "Wend"],
        "answerable": True,
        "paragraphs": paragraphs,
        "question_decomposition": hops,
    } | more


def test_hops_of_musique_are_steps_and_the_twin_that_cannot_be_answered_is_marked(tmp_path: Path) -> None:
    twin = sung(answerable=False)
    twin["paragraphs"] = twin["paragraphs"][:2]
    twin["question_decomposition"][1]["paragraph_support_idx"] = None
    found = read(musique, lines(tmp_path / "full.jsonl", sung(), twin, "{", sung(id="x", paragraphs=3)))
    one, other = found.items
    assert one.answers == ("Wend", "town of Wend") and [text[:6] for text in cut(found)] == ["The br", "Marta "]
    assert one.labels == {"dataset": "musique", "answerable": True, "hops": 2}
    assert [step["document"] for step in one.steps] == [span.document for span in one.evidence]
    assert (other.id, other.answers, other.evidence) == ("2hop__1_2#noanswer", ("noanswer",), ())
    assert other.labels["answerable"] is False and other.steps[1]["document"] is None and len(other.given) == 2
    assert said(found)[0].startswith("Line 3 of full.jsonl is not JSON")
    assert said(found)[1] == "Line 4 of full.jsonl has 3 as its paragraphs, where a list belongs."


@pytest.mark.parametrize("bad", ["[1, 2]", "[]", '[{"id": 1}', "null", '{"id": '])
def test_a_first_line_that_is_bad_leaves_the_lines_after_it(tmp_path: Path, bad: str) -> None:
    (path := tmp_path / "full.jsonl").write_text("\n".join([bad, json.dumps(sung()), json.dumps(sung(id="x"))]))
    found = read(musique, path)
    assert len(found.items) == 2 and len(said(found)) == 1 and said(found)[0].startswith("Line 1 of full.jsonl is not ")


@pytest.mark.parametrize("form", ["[{one}\n,{two}\n]", "[\n{one}\n,\n{two}\n]", "[{one},\n{two}\n]", "[{one},{two}]\n"])
def test_an_array_on_several_lines_is_still_an_array(tmp_path: Path, form: str) -> None:
    one, two = json.dumps(sung()), json.dumps(sung(id="x"))
    (path := tmp_path / "full.jsonl").write_text(form.format(one=one, two=two))
    found = read(musique, path)
    assert len(found.items) == 2 and said(found) == []


def test_programs_of_kqa_pro_are_steps(tmp_path: Path) -> None:
    program = [
        {"function": "Find", "dependencies": [], "inputs": ["Orvel"]},
        {"function": "Count", "dependencies": [0], "inputs": []},
    ]
    row = {"question": "How many bridges has Orvel?", "answer": "3", "choices": ["3", "4"], "program": program, "sparql": "S"}
    found = read(kqapro, array(tmp_path / "val.json", row, row, {"question": "Which?", "choices": []}))
    [item] = found.items
    assert [step["kind"] for step in item.steps] == ["program", "program", "sparql"] and item.steps[0]["inputs"] == ["Orvel"]
    assert (item.level, item.labels) == ("KA", {"dataset": "kqapro", "choices": ["3", "4"], "calls": 2})
    assert [message.split(".json ")[1][:12] for message in said(found)] == ["repeats the ", "has no gold "]


def test_kolas_form_has_the_level_of_the_task_that_it_is_named_for(tmp_path: Path) -> None:
    row = {
        "input": "Where does Ira Vane work?",
        "outputs": ["Orvel Mill", "the mill"],
        "language": "en",
        "environment": "wiki",
        "dataset": "low_freq_ent",
        "_id": "k1",
    }
    other = {"input": "Which towns?", "outputs": [["Orvel", "Wend"]], "language": "en", "environment": "aminer", "_id": "k2"}
    found = read(
        kola,
        lines(
            tmp_path / "KU_profiling.jsonl",
            row,
            other,
            row | {"_id": "k3", "dataset": "own"},
            row | {"_id": "k4", "outputs": [{}]},
            row | {"_id": "k5", "language": "Latin"},
            row | {"_id": "k6", "input": ""},
        ),
    )
    first, second, third = found.items
    assert (first.level, first.domain, first.answers) == ("KS", "wiki", ("Orvel Mill", "the mill"))
    assert (second.level, second.domain, second.answers) == ("KU", "aminer", ("Orvel, Wend",))
    assert second.labels == {"dataset": "profiling", "answer_set": ["Orvel", "Wend"]}
    assert third.labels["dataset"] == "profiling", "the file tells where the data set does not"
    assert said(found) == [
        "Line 4 of KU_profiling.jsonl has a gold answer that is not text, a number, or a list of texts or numbers.",
        "Line 5 of KU_profiling.jsonl has the language 'Latin': "
        "known are ar, de, en, es, fr, hi, it, ja, ko, nl, pl, pt, ru, zh and und.",
        "Line 6 of KU_profiling.jsonl has no input.",
    ]


ENTITY = {"name": "Ira Vane", "organization": "Xenon Institute", "interest": "Bridges"}


def soay(question: str, template: str, answer: Any = 12, **more: Any) -> dict[str, Any]:
    return {
        "Query": "？",
        "Query_en": question,
        "Answer": answer,
        "Base_Question_en": template,
        "Inputs": "name",
        "Outputs": "num_pubs",
        "Entity_Information": ENTITY,
    } | more


def test_questions_of_soaybench_are_easy_up_to_the_seventh_file(tmp_path: Path) -> None:
    easy = soay("How many papers has Ira Vane at Xenon Institute?", "How many papers has XXX at X institution?")
    hard = soay("Who works on Bridges field with Ira Vane?", "Who works on XX field with XXX?", ["Odo Lisk", "Uma Ren"])
    folder = tmp_path / "v1-2"
    folder.mkdir()
    lines(folder / "7.jsonl", easy)
    lines(folder / "12.jsonl", hard, soay("What?", "What?", []), soay("Bare?", "", 3, Entity_Information=None))
    found = read(soaybench, folder)
    assert [(item.level, item.labels["dataset"], item.answers) for item in found.items] == [
        ("KS", "soay_easy", ("12",)),
        ("KA", "soay_hard", ("Odo Lisk, Uma Ren",)),
        ("KA", "soay_hard", ("3",)),
    ]
    assert found.items[1].labels["answer_set"] == ["Odo Lisk", "Uma Ren"] and found.items[1].labels["question_type"] == "set"
    assert found.items[0].labels["soaybench"]["entity"] == ENTITY
    assert said(found) == ["Line 2 of 12.jsonl has no gold answer."]


@pytest.mark.parametrize(
    ("asked", "template"),
    [
        ("Who works in Ira Vane field?", "Who works in XXX field?"),
        ("Who is at Xenon Instituteinstitution?", "Who is at Xinstitution?"),
        ("Who is at Xenon Instituteenon Institute?", "Who is at X institution?"),
    ],
)
def test_places_that_were_filled_wrongly_are_told_and_kept_out(tmp_path: Path, asked: str, template: str) -> None:
    right = soay("Who is at Xenon Institute?", "Who is at X institution?")
    found = read(soaybench, lines(tmp_path / "4.jsonl", right, soay(asked, template)))
    assert [item.question for item in found.items] == ["Who is at Xenon Institute?"]
    assert said(found)[0].startswith("Line 2 of 4.jsonl is not imported: SoAyBench filled its placeholders with wrong values.")
    assert repr(asked) in said(found)[0]


@pytest.mark.parametrize("module", [hotpotqa, two_wiki_multi_hop_qa, musique, kqapro, kola, soaybench])
@pytest.mark.parametrize("content", ["[]", "", "[{}]", "{}\n"])
def test_a_file_without_questions_is_one_sentence(tmp_path: Path, module: Any, content: str) -> None:
    (tmp_path / "1.json").write_text(content)
    with pytest.raises(BenchError) as raised:
        read(module, tmp_path / "1.json")
    assert "1.json" in str(raised.value) and "\n" not in str(raised.value)


def test_the_command_line_knows_them_by_their_own_names(bw: Bench, tmp_path: Path) -> None:
    files = {"2wikimultihopqa": array(tmp_path / "w.json", hop()), "musique": lines(tmp_path / "m.jsonl", sung())}
    for form, path in files.items():
        assert bw("import", path, "--format", form).json["items"] == 1
        assert bw("import", path, "--format", form).json["already"] == 1
    assert {item["level"] for item in bw("items").json} == {"KA"}
    assert "can only be imported" in bw("export", "working", "--format", "2wikimultihopqa", tmp_path / "o").sentence


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"paragraphs": [{"idx": {}, "paragraph_text": "x"}]}, "has {} as its paragraphs[0].idx, where a whole number belongs"),
        ({"paragraphs": [{"idx": 0, "paragraph_text": "x"}] * 2}, "has two paragraphs with the same idx"),
        (
            {"paragraphs": [{"idx": 0, "paragraph_text": "x", "is_supporting": "False"}]},
            'has "False" as its paragraphs[0].is_supp',
        ),
        ({"question_decomposition": [{"paragraph_support_idx": []}]}, "as its question_decomposition[0].paragraph_support_idx"),
        ({"answer": ["Wend"]}, 'has ["Wend"] as its answer, where text belongs'),
        ({"answerable": "no"}, "as its answerable"),
    ],
)
def test_a_field_of_musique_of_another_type_is_named(tmp_path: Path, change: dict[str, Any], why: str) -> None:
    found = read(musique, lines(tmp_path / "m.jsonl", sung(), sung(id="x") | change))
    assert len(found.items) == 1 and said(found)[0].startswith("Line 2 of m.jsonl ") and why in said(found)[0]


def test_a_venue_of_soaybench_is_its_names(tmp_path: Path) -> None:
    asked = {"Query_en": "Which journal or conference included it?"}
    venues: list[Any] = [
        {"info": {"name": "KDD '20: Knowledge\n\t\t  Virtual", "name_s": "KDD"}, "issue": "", "volume": "1"},
        {"info": {"name": "kdd"}, "name": "Knowledge Discovery", "id": "5", "type": 0},
        {"name": "IJCAI"},
        {"info": {}},
        {"name": 3},
    ]
    rows = [asked | {"Query_en": f"Which {n}?", "Answer": venue} for n, venue in enumerate(venues)]
    found = read(soaybench, lines(tmp_path / "41.jsonl", *rows))
    assert [item.answers for item in found.items] == [
        ("KDD '20: Knowledge Virtual", "KDD"),
        ("kdd", "Knowledge Discovery"),
        ("IJCAI",),
    ]
    assert ["without a name" in said(found)[0], "has 3 as its name" in said(found)[1]] == [True, True]


def test_the_questions_behind_soaybenchs_published_results_are_in_their_own_words(tmp_path: Path) -> None:
    row = {
        "Query": "?",
        "Answer": 514,
        "Base_Question_en": "Citation count of XXX at X institution",
        "Inputs": "name",
        "Outputs": "num_citation",
        "Entity_Information": {"name": "Pulcrano", "organization": "Amazon", "interest": "Fog"},
        "Query_EN": "What is the citation count for Pulcrano from Amazon?",
    }
    found = read(soaybench, lines(tmp_path / "000.jsonl", row, *(row | {"Query_EN": f"How many {n}?"} for n in range(7))))
    assert found.refused == [] and found.items[0].question == row["Query_EN"] and found.items[0].answers == ("514",)
    assert [item.level for item in found.items] == ["KS"] * 7 + ["KA"]
    assert found.items[0].labels["soaybench"]["is_checked"] is False


def state(text: str, *golds: tuple[str, list[str]], id_: str = "id1295") -> dict[str, Any]:
    return {
        "instance": {
            "input": {"text": text},
            "references": [{"output": {"text": t}, "tags": tags} for t, tags in golds],
            "split": "test",
            "id": id_,
        },
        "request": {},
    }


def states(path: Path, instructions: str, *found: Any) -> Path:
    spec = {"instructions": instructions, "input_prefix": "Q: "}
    path.write_text(json.dumps({"adapter_spec": spec, "request_states": found}, indent=4), encoding="utf-8")
    return path


def test_kolas_own_files_come_in_whatever_ids_repeat(tmp_path: Path) -> None:
    right, wrong = ["correct"], list[str]()
    path = states(
        tmp_path / "1-1_2_high_freq_ent_sample.json",
        "separate them with a semicolon (;)",
        state("When is Labour Day?", ("first Monday;May 1", right)),
        state("Born?", ("Mysore", right), ("Wend", wrong)),
        state("Where?"),
        5,
        state("Which?", ("x", "correct")),
    )  # type: ignore[arg-type]
    found = read(kola, path)
    assert [(item.answers, item.level, item.domain) for item in found.items] == [
        (("first Monday, May 1",), "KS", "wiki"),
        (("Mysore",), "KS", "wiki"),
    ]
    assert found.items[0].labels["answer_set"] == ["first Monday", "May 1"]
    assert found.items[0].labels["kola"] == {"id": "id1295", "split": "test"}
    assert said(found) == [
        "Question 3 of 1-1_2_high_freq_ent_sample.json has no gold answer.",
        "Question 4 of 1-1_2_high_freq_ent_sample.json is 5, not an object.",
        'Question 5 of 1-1_2_high_freq_ent_sample.json has "correct" as its instance.references[0].tags, where a list belongs.',
    ]


def test_worked_examples_before_a_question_of_kola_are_no_part_of_it(tmp_path: Path) -> None:
    text = "Q: Who made a?\nA: So the answer is: 1894.\nQ: Who made b?\nA: c.\nQ: Who sent the ships?\nA: "
    path = states(tmp_path / "3-3_musique_sample.json", "Answer.", state(text, ("Caesar; Rome", ["correct"])))
    [item] = read(kola, path).items
    assert (item.question, item.answers, item.level) == ("Who sent the ships?", ("Caesar; Rome",), "KA")


def test_golds_of_kola_that_stand_beside_their_output_are_taken_without_its_marks(tmp_path: Path) -> None:
    def marked(text: str, *answers: str) -> dict[str, Any]:
        output = "; ".join(f'"{answer}"' for answer in answers)
        made = state(text, (f"{output} <stop> \n\n", ["correct"]))
        made["instance"]["references"][0]["answer"] = list(answers)
        return made

    rows = (
        marked("Orvel is a town in [a country].\n\nQuestion: Where was it?", "Tarn"),
        marked("Which?", "Wend", "Orvel, Old"),
    )
    found = read(kola, states(tmp_path / "3-5_KoRC++ood_sample.json", "Output all answers.", *rows, marked("No?", 5)))  # type: ignore[arg-type]
    assert [item.answers for item in found.items] == [("Tarn",), ("Wend, Orvel, Old",)]
    assert found.items[1].labels["answer_set"] == ["Wend", "Orvel, Old"]
    assert [line.partition(" has ")[2] for line in said(found)] == [
        "5 as its instance.references[0].answer[0], where text belongs."
    ]


def test_links_in_a_folder_are_named_and_not_followed(tmp_path: Path) -> None:
    folder = tmp_path / "of files"
    folder.mkdir()
    array(folder / "a.json", hop())
    (folder / "b.json").symlink_to(array(tmp_path / "b.json", hop("secret")))
    (folder / "more").symlink_to(tmp_path)
    found = read(hotpotqa, folder)
    assert [item.id for item in found.items] == ["h1"]
    assert said(found) == ["b.json is a link, which is not followed.", "more is a link, which is not followed."]


@pytest.mark.parametrize("format_", [two_wiki_multi_hop_qa, kola])
def test_a_folder_of_links_alone_names_them_and_says_what_to_do(tmp_path: Path, format_: Any) -> None:
    folder = tmp_path / "of links"
    folder.mkdir()
    (folder / "b.json").symlink_to(array(tmp_path / "b.json", hop()))
    (folder / "more").symlink_to(tmp_path)
    with pytest.raises(BenchError) as raised:
        read(format_, folder)
    assert str(raised.value) == (
        f"{folder} holds no .json or .jsonl file, and b.json and more are links, which are not followed: give a file of "
        "questions, or a folder of them, or copy the folder with the files that its links lead to "
        f"(cp -rL '{folder}' NEW_FOLDER)."
    )


def test_an_id_is_one_within_its_file(tmp_path: Path) -> None:
    folder = tmp_path / "of files"
    folder.mkdir()
    array(folder / "a.json", hop("1"), hop("2"))
    array(folder / "b.json", hop("1", question="Another?"), hop("2"), hop("1", question="A third?"))
    found = read(hotpotqa, folder)
    assert [item.question for item in found.items][2:] == ["Another?"]
    assert [item.labels.get("own_id") for item in found.items] == [None, None, "1"] and len({i.id for i in found.items}) == 3
    assert [line.split(" repeats ")[0] for line in said(found)] == ["Question 2 of b.json", "Question 3 of b.json"]
