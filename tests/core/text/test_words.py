"""Words for search and overlap, in both languages."""

import subprocess
import sys
from pathlib import Path

import pytest

from core.text.words import content_words, overlap, words


def test_english_words_keep_numbers_and_lose_possessives() -> None:
    assert words("The mayor's 3,500 euros — don't ask O’Brien, it's 5th.", "en") == [
        "the",
        "mayor",
        "3,500",
        "euros",
        "don't",
        "ask",
        "o'brien",
        "it",
        "5th",
    ]


@pytest.mark.fault(5)
def test_composed_and_decomposed_letters_are_one_word() -> None:
    assert words("cafe\u0301 ＡＢＣ", "en") == words("caf\u00e9 abc", "en") == ["café", "abc"]


def test_chinese_words_are_jiebas() -> None:
    assert words("中国驻德国大使馆举行庆祝招待会！", "zh") == ["中国", "驻", "德国", "大使馆", "举行", "庆祝", "招待会"]


def test_question_words_carry_no_content() -> None:
    assert content_words("Who was the mayor of Aldery when it burned?", "en") == ["mayor", "aldery", "burned"]
    assert content_words("谁是北京大学的校长？", "zh") == ["北京大学", "校长"]


def test_overlap_is_the_share_of_distinct_content_words_found() -> None:
    assert overlap("Who founded the old mill and the new mill?", "The mill was founded in 1820.", "en") == pytest.approx(2 / 4)
    assert overlap("北京大学的校长是谁？", "北京大学位于北京。", "zh") == pytest.approx(1 / 2)


def test_overlap_of_nothing_is_none() -> None:
    assert overlap("Who was it?", "The mill.", "en") is None
    assert overlap("Who founded the mill?", " ... ", "en") is None


def test_jieba_prints_nothing_and_writes_nothing(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", "from core.text.words import words; print(len(words('我来到北京', 'zh')))"],
        cwd=Path(__file__).parents[3],
        env={"TMPDIR": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert (done.stdout.strip(), done.stderr) == ("3", "")
    assert list(tmp_path.iterdir()) == []
