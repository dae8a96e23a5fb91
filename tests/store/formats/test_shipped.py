"""The programs in an exported folder: they need nothing but Python's standard library, and score.py says what `cli.py score`
says, to the last digits."""

import asyncio
import json
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from core.text.language import rows
from eval.scoring.predictions import read_predictions, score_predictions
from store.formats import jsonl
from store.formats.shipped.score import (
    ARTICLE_PREFIX,
    ARTICLES,
    ELIDING,
    IGNORED,
    LANGUAGES,
    WITHOUT_SPACES,
    lcs_length,
    tokenizer,
)
from tests.store.released import bundle

METRICS = ["exact_match", "token_f1", "rouge_l", "rouge_l_crud", "rouge_l_hawkbench", "length"]
GOLDEN = [
    ("Paris", "Paris"),
    ("paris", "Paris"),
    ("The capital is Paris.", "Paris"),
    ("Paris. ", "Paris"),
    ("", "Paris"),
    ("$2.4 million", "2.4 million"),
    ("...", "Paris"),
    ("a", "the"),
    ("the cat sat on the mat", "the cat is on the mat"),
    ("the the the cat", "the cat"),
    ("U.S. state-of-the-art", "US state of the art"),
    ("I do not know.", "Paris"),
    ("Reduced costs by 30%. Secured $50M credit lines.", "Secured credit lines of $50M. Reduced operational costs by 30%."),
    ("ﬁne café’s İstanbul 3,500", "fine café Istanbul 3500"),
    ("wörter\u3000auf\tDeutsch", "Worter auf Deutsch"),
]
CHINESE = [
    ("法院裁定取消通行费。", "法院裁定，取消通行费"),
    ("无法根据所给文本回答", "一九五四年"),
    ("", "甲"),
    ("桥 梁", "桥梁"),
    ("1954年3月", "1954年"),
]


def export(folder: Path) -> Path:
    folder.mkdir()
    jsonl.write(bundle(), folder, frozenset())
    return folder


def run(*words: object, alone: bool = False) -> subprocess.CompletedProcess[str]:
    """Python without site packages and without this project; with jieba's folder where it is not `alone`."""
    program, *rest = map(str, words)
    flags = ["-I", "-S"] if alone else ["-P"]
    where = Path(program).parent
    return subprocess.run([sys.executable, *flags, program, *rest], capture_output=True, text=True, cwd=where, check=False)


def predictions(path: Path, lines: list[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines), encoding="utf-8")
    return path


def lines_of(pairs: list[tuple[str, str]], **fields: Any) -> list[dict[str, Any]]:
    return [{"id": f"p{n}", "prediction": p, "answers": [a, "zzz"], **fields} for n, (p, a) in enumerate(pairs)]


def same(ours: Any, theirs: Any) -> bool:
    return ours == theirs if ours is None or theirs is None else abs(ours - theirs) <= 1e-12


def compare(path: Path, said: dict[str, Any], metrics: list[str], language: str | None = None) -> None:
    wanted = asyncio.run(score_predictions(read_predictions(path), metrics, language=language))
    assert said["n"] == wanted["n"] and said["language"] == wanted["language"]
    assert set(said["metrics"]) == set(wanted["metrics"])
    for name, column in wanted["metrics"].items():
        assert same(said["metrics"][name]["mean"], column["mean"]), name
        assert all(said["metrics"][name][key] == column[key] for key in ("n", "failed", "unscored")), name
    for mine, theirs in zip(said["items"], wanted["items"], strict=True):
        assert mine["id"] == theirs["id"]
        assert all(same(mine[name], theirs[name]) for name in wanted["metrics"]), (mine, theirs)


def test_score_alone_equals_the_workbench(tmp_path):
    rng = random.Random(4)
    drawn = [
        " ".join(rng.choices(["The", "bridge", "a", "toll.", "$5", "U.S.", "1,954", "don't", "of"], k=rng.randint(0, 12)))
        for _ in range(400)
    ]
    lines = lines_of([*GOLDEN, *zip(drawn[::2], drawn[1::2], strict=True)], language="en")
    lines += [
        {"id": "f1", "prediction": None, "answers": ["x"]},
        {"id": "f2", "prediction": "x", "answers": ["x"], "error": "timeout"},
        {"id": "n", "prediction": "x", "answers": []},
        {"id": "blank", "prediction": "x", "answers": ["", " "]},
        {"id": 7, "prediction": "x", "answers": "x", "question": "What?"},
    ]
    path = predictions(tmp_path / "p.jsonl", lines)
    needs_nothing = [name for name in METRICS if name != "rouge_l_crud"]
    said = run_some(export(tmp_path / "out") / "score.py", path, ",".join(needs_nothing))
    compare(path, said, needs_nothing)


def test_score_of_chinese_with_jieba_equals_the_workbench(tmp_path):
    path = predictions(tmp_path / "p.jsonl", lines_of(CHINESE + GOLDEN, language="zh"))
    said = run(export(tmp_path / "out") / "score.py", path)
    assert said.returncode == 0, said.stderr
    compare(path, json.loads(said.stdout), METRICS)


OTHERS = {
    "de": [("Der alte Leuchtturm, 3.500 Leute", "ein Leuchtturm"), ("„Straße“ – am Kap!", "Strasse am Kap"), ("die", "der")],
    "fr": [("L'eau du lac", "l’eau"), ("C’est l'été.", "l'été")],
    "ar": [("بُنيت المنارة عام 1871؟", "منارة"), ("المَنارة", "المنارة"), ("عام \u0661\u0668\u0667\u0661", "1871")],
    "hi": [("पुराना प्रकाशस्तंभ।", "प्रकाशस्तंभ"), ("क्यों?", "क्यों")],
    "ja": [("東京都にある。", "東京"), ("「タワー」は1958年", "タワー 1958年")],
    "ko": [("1890년에 세워졌다.", "1890년"), ("등대", "등대가")],
    "und": [("Den gamla fyren, ประภาคาร", "fyren"), ("the Fyr", "fyr")],
}


def test_score_of_other_languages_equals_the_workbench_and_needs_nothing(tmp_path):
    lines = [
        line | {"id": f"{language}{line['id']}", "language": language}
        for language, pairs in OTHERS.items()
        for line in lines_of([*pairs, *GOLDEN])
    ]
    path = predictions(tmp_path / "p.jsonl", lines)
    said = json.loads(run(export(tmp_path / "out") / "score.py", path, alone=True).stdout)
    compare(path, said, METRICS)
    assert (
        "ja: it cuts words at spaces"
        in next(line for line in said["items"] if line["id"] == "jap0")["why"]["rouge_l_hawkbench"]
    )


def test_its_languages_and_articles_are_those_of_the_rows():
    assert set(LANGUAGES) == set(rows())
    assert {code: frozenset(words.split()) for code, words in ARTICLES.items()} == {
        code: row.articles for code, row in rows().items() if row.articles and code != "en"
    }
    assert {code: row.article_prefix for code, row in rows().items() if row.article_prefix} == ARTICLE_PREFIX
    assert {code: f"[{row.ignored}]" for code, row in rows().items() if row.ignored} == {
        c: p.pattern for c, p in IGNORED.items()
    }
    assert {code for code, row in rows().items() if row.elides} == set(ELIDING)
    assert {code for code, row in rows().items() if not row.separator} - {"zh"} == set(WITHOUT_SPACES)


def test_without_jieba_chinese_tokens_are_unscored_and_say_why(tmp_path):
    path = predictions(tmp_path / "p.jsonl", lines_of(CHINESE, language="zh"))
    said = json.loads(run(export(tmp_path / "out") / "score.py", path, alone=True).stdout)
    for name in ("token_f1", "rouge_l", "rouge_l_crud", "length"):
        assert said["metrics"][name]["mean"] is None and said["metrics"][name]["unscored"] == len(CHINESE)
        assert "jieba" in said["metrics"][name]["why"]
    compare(
        path,
        run_some(tmp_path / "out" / "score.py", path, "exact_match,rouge_l_hawkbench"),
        ["exact_match", "rouge_l_hawkbench"],
    )


def run_some(program: Path, path: Path, metrics: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(run(program, path, "--metrics", metrics, alone=True).stdout)
    return found


def test_golds_come_from_the_items_beside_it(tmp_path):
    path = predictions(tmp_path / "p.jsonl", [{"id": "i1", "prediction": "M. Quill"}, {"id": "gone", "prediction": "x"}])
    said = run_some(export(tmp_path / "out") / "score.py", path, "exact_match")
    assert [row["exact_match"] for row in said["items"]] == [1.0, None] and said["metrics"]["exact_match"]["unscored"] == 1


def test_a_broken_line_is_named_and_the_rest_is_scored(tmp_path):
    path = predictions(tmp_path / "p.jsonl", lines_of([("a b", "a b")]))
    path.write_text(path.read_text("utf-8") + "{broken\n" + json.dumps({"prediction": "x"}) + "\n", encoding="utf-8")
    said = run_some(export(tmp_path / "out") / "score.py", path, "exact_match")
    assert [row["line"] for row in said["refused"]] == [2, 3] and said["n"] == 1


def test_it_takes_and_refuses_the_lines_that_the_workbench_takes_and_refuses(tmp_path):
    good = '{"id": "a", "prediction": "b", "answers": ["b"], "x": 1.5e3}'
    odd = [
        "NaN",
        "-Infinity",
        "1e999",
        "9" * 41,
        "9" * 40,
        "-7",
        '"\\u0000"',
        '"\\ud83d"',
        '"\\ud83d\\ude00"',
        '{"k": 1, "k": 2}',
        '["\\\\u0000"]',
        '"\u2028"',
        "[" * 100_000,
    ]
    rows = [good, *(good.replace('"a"', f'"o{n}"').replace("1.5e3", value) for n, value in enumerate(odd))]
    path = tmp_path / "p.jsonl"
    latin = '\n{"id": "latin", "prediction": "café"}\n'.encode("latin-1")
    path.write_bytes("\r\n\r\n".join(rows).encode() + latin + ("\ufeff" + good.replace('"a"', '"last"')).encode())
    said = run_some(export(tmp_path / "out") / "score.py", path, "exact_match")
    compare(path, said, ["exact_match"])
    assert [row["line"] for row in said["refused"]] == [row["line"] for row in read_predictions(path).refused]
    assert [row["id"] for row in said["items"]] == ["a", "o4", "o5", "o8", "o10", "o11", "last"]


@pytest.mark.parametrize(("words", "said"), [(("--metrics", "bleurt"), "No metric bleurt"), ((), "cannot be read")])
def test_wrong_words_are_one_sentence(tmp_path, words, said):
    done = run(export(tmp_path / "out") / "score.py", tmp_path / "gone.jsonl", *words, alone=True)
    assert done.returncode == 1 and said in done.stderr and "Traceback" not in done.stderr


def test_the_longest_common_subsequence_is_exact():
    assert lcs_length(list("abcbdab"), list("bdcaba")) == 4 and lcs_length([], ["a"]) == 0
    from core.text.text import lcs_length as ours

    rng = random.Random(1)
    for _ in range(300):
        a, b = (rng.choices("abcd", k=rng.randint(0, 90)) for _ in range(2))
        assert lcs_length(a, b) == ours(a, b)


def test_its_chinese_words_are_those_of_core():
    from core.text.words import jieba_words

    text = "哈尔摩法院于一九五四年裁定，桥梁通行费应当取消。"
    assert tokenizer().lcut(text) == jieba_words(text)


def test_verify_alone_finds_the_folder_whole_and_then_not(tmp_path):
    folder = export(tmp_path / "out")
    whole = run(folder / "verify.py", alone=True)
    assert whole.returncode == 0 and whole.stdout == f"{bundle().hash}: ok\n"
    with (folder / "items.jsonl").open("a", encoding="utf-8") as out:
        out.write("{}\n")
    broken = run(folder / "verify.py", folder, alone=True)
    assert broken.returncode == 1 and "items.jsonl: was changed" in broken.stdout and "Traceback" not in broken.stderr
    asked = run(folder / "verify.py", "--help", alone=True)
    assert asked.returncode == 0 and "Check an exported folder" in asked.stdout
    assert "unrecognized arguments: --all" in run(folder / "verify.py", "--all", alone=True).stderr
