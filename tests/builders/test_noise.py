"""Noise: protected mode touches nothing protected, paper mode is nlpaug itself, and a seed gives one text everywhere."""

import asyncio
import json
import os
import random
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random

import pytest

from builders.variation.chinese_slips import by_shape, by_sound
from builders.variation.noise import MAX_RETRIES, by_nlpaug, count, draw_text, generator, keys, misreadings, spellings
from builders.variation.perturbation import PerturbedText, VariationFailed, perturbations
from builders.variation.protection import protect_spans, tokens
from core.nouns import Item

ROOT = Path(__file__).parents[2]
NOISE = ("keyboard", "ocr", "spelling")
QUESTION = 'Where was the director of "Common Ground" (2019), whose father founded Port Ellery\'s theatre, born before the war?'
CHINESE = "《北岸舞台》一书的作者在1938年以前是否已经住在临川，他写的时候又和谁进行讨论？"


def item(question: str, answers: tuple[str, ...] = ("the theatre of Stoke",), language: str = "en", name: str = "q1") -> Item:
    return Item(
        id=name,
        task="explicit_factoid",
        question=question,
        answers=answers,
        evidence=(),
        level=1,
        domain="arts",
        language=language,
    )


def made(kind: str, of: Item, seed: int = 0, mode: str = "protected") -> PerturbedText:
    with perturbations()[kind].make({"mode": mode}) as maker:
        return asyncio.run(maker(of, seed, None))


@pytest.mark.parametrize("kind", NOISE)
@pytest.mark.parametrize("seed", range(30))
def test_protected_mode_leaves_names_digits_quotations_and_gold_and_every_other_byte(kind: str, seed: int) -> None:
    text = made(kind, item(QUESTION), seed).text
    assert text != QUESTION
    for whole in ('"Common Ground"', "(2019)", "Port Ellery's theatre", " of ", " the "):
        assert whole in text
    kept = protect_spans(QUESTION, ("the theatre of Stoke",), "en")
    at = 0
    for token in tokens(QUESTION):  # what is between the words, and what is protected, follows in order to the letter
        if kept.is_touched(token.start, token.end) or not token.text[0].isalnum():
            at = text.index(token.text, at) + len(token.text)
    assert text.split()[-1].endswith("?") and len(text.split()) == len(QUESTION.split())


@pytest.mark.parametrize("seed", range(20))
def test_what_replaces_a_word_stands_in_nlpaugs_dictionary_and_how_many_is_nlpaugs_count(seed: int) -> None:
    question = "why do people believe their friends receive separate letters from the government?"
    before, after = question.split(), made("spelling", item(question, ("no",)), seed).text.split()
    changed = [(a.rstrip("?"), b.rstrip("?")) for a, b in zip(before, after, strict=True) if a != b]
    assert len(changed) == count(len(tokens(question))) == 4
    assert all(b in spellings().dict[a] for a, b in changed)


def test_a_question_word_becomes_no_other_question_word() -> None:
    asked = {made("spelling", item("who?", ()), seed).text for seed in range(60)}
    assert "how" in spellings().dict["who"] and len(asked) > 3 and not asked & {"how?", "what?", "when?", "which?", "why?"}


def test_the_dictionary_is_nlpaugs_read_without_importing_nlpaug() -> None:
    code = "import sys; from builders.variation.noise import spellings; spellings(); sys.exit('nlpaug' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
    from nlpaug.model.word_dict import Spelling
    from nlpaug.util import LibraryUtil

    theirs = Spelling(str(Path(LibraryUtil.get_res_dir(), "word", "spelling", "spelling_en.txt")), include_reverse=True)
    assert spellings().dict == {word: sorted(set(found)) for word, found in theirs.dict.items()}


@pytest.mark.parametrize(("kind", "name"), [("spelling", "SpellingAug"), ("keyboard", "KeyboardAug"), ("ocr", "OcrAug")])
def test_paper_mode_is_nlpaug_with_its_defaults(kind: str, name: str) -> None:
    from nlpaug.augmenter import char, word

    plain = getattr(word if name == "SpellingAug" else char, name)()
    if kind == "spelling":
        plain.model = spellings()  # the same dictionary, in an order that does not change from process to process
    else:
        plain.model.model = keys() if kind == "keyboard" else misreadings()
    for seed in range(25):
        random.seed(seed)
        theirs = plain.augment(QUESTION)[0]
        assert theirs == draw_text(item(QUESTION), Random(seed), "paper", by_nlpaug(name), generator()).text


def test_the_same_seed_is_the_same_text_in_every_process_whatever_its_hash_seed() -> None:
    code = """
import json
from tests.builders.test_noise import *
print(json.dumps([made(kind, item(QUESTION, name=f"q{n}"), 7, mode).text for kind in NOISE for mode in ("protected", "paper")
                  for n in range(3)]))
"""
    other = "2" if os.environ.get("PYTHONHASHSEED") == "1" else "1"
    ran = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
        env=os.environ | {"PYTHONHASHSEED": other},
    )
    texts = [
        made(kind, item(QUESTION, name=f"q{n}"), 7, mode).text
        for kind in NOISE
        for mode in ("protected", "paper")
        for n in range(3)
    ]
    assert json.loads(ran.stdout) == texts and len(set(texts)) == len(texts) == 18


def test_threads_beside_each_other_and_the_processs_generator_change_nothing() -> None:
    alone = [made("spelling", item(QUESTION), seed, "paper").text for seed in range(40)]
    random.seed(3)
    state = random.getstate()
    with ThreadPoolExecutor(8) as pool:
        beside = list(pool.map(lambda seed: made("spelling", item(QUESTION), seed, "paper").text, range(40)))
    assert beside == alone and random.getstate() == state


@pytest.mark.parametrize("kind", NOISE)
def test_another_item_or_kind_or_seed_draws_anew(kind: str) -> None:
    first = made(kind, item(QUESTION))
    assert first.text == made(kind, item(QUESTION)).text
    assert first.text not in {made(kind, item(QUESTION, name="q2")).text, made(kind, item(QUESTION), 1).text}


@pytest.mark.parametrize("kind", NOISE)
@pytest.mark.parametrize("question", ["2019?", "Calpurnia Ellery XIV?".upper(), "🙂🙂", "“all of it is quoted”", "!?"])
def test_where_nothing_can_be_changed_it_fails_unchanged_after_its_retries(kind: str, question: str) -> None:
    with pytest.raises(VariationFailed, match=f"failed_unchanged: after {MAX_RETRIES} retries"):
        made(kind, item(question, ()))


@pytest.mark.parametrize("kind", NOISE)
@pytest.mark.parametrize("mode", ["protected", "paper"])
def test_an_empty_question_is_refused(kind: str, mode: str) -> None:
    with pytest.raises(VariationFailed, match="no question"):
        made(kind, item(" \n "), mode=mode)


@pytest.mark.parametrize("kind", NOISE)
def test_one_word_emoji_and_two_thousand_words_are_varied(kind: str) -> None:
    assert made(kind, item("because?", ())).text != "because?"
    emoji = made(kind, item("who 🧑‍🚀 believes their brother 🙂 should write?", ())).text
    assert "🧑‍🚀" in emoji and "🙂" in emoji
    long = " ".join(["their brother should believe"] * 500)
    after = made(kind, item(long, ())).text
    assert sum(a != b for a, b in zip(long.split(), after.split(), strict=True)) == 10  # nlpaug's most


@pytest.mark.parametrize(("kind", "table"), [("spelling", by_sound), ("ocr", by_shape)])
@pytest.mark.parametrize("seed", range(10))
def test_chinese_slips_come_from_the_table_and_leave_names_figures_and_gold(kind: str, table: object, seed: int) -> None:
    text = made(kind, item(CHINESE, ("讨论的时候",), "zh"), seed).text
    assert len(text) == len(CHINESE) and text != CHINESE
    assert "《北岸舞台》" in text and "1938年" in text
    for was, put in zip(CHINESE, text, strict=True):
        assert was == put or put in table()[was]  # type: ignore[operator]
    assert "时候" in text and "讨论" in text and text.count("的") >= CHINESE.count("的")


def test_kinds_without_a_chinese_form_say_so() -> None:
    why = perturbations()["keyboard"].why_not("zh")
    assert why == "Keyboard is not available for zh: Chinese is typed by sound, and such typing errors are the kind spelling."
    assert perturbations()["spelling"].why_not("zh") is None
    with pytest.raises(VariationFailed, match="cannot vary Chinese text"):
        made("spelling", item(CHINESE, language="zh"), mode="paper")


def test_tables_of_chinese_slips_lead_both_ways_and_never_to_the_character_itself() -> None:
    for table in (by_sound(), by_shape()):
        assert all(c not in others and all(c in table[o] for o in others) for c, others in table.items())
        assert len(table) > 250


@pytest.mark.parametrize(
    "text",
    [
        'Who wrote "The Lamp"\'s preface?',
        "Who wrote “The Lamp”’s preface?",
        "Where did Orvel`s mill stand?",
        "What did Quill´s do?",
    ],
)
def test_the_possessive_of_what_is_protected_is_protected_too(text: str) -> None:
    kept = protect_spans(text, ("x",), "en")
    end = next(at for mark in ("'s", "’s", "`s", "´s") if (at := text.find(mark)) >= 0)
    assert kept.is_touched(end, end + 1) and kept.is_touched(end + 1, end + 2) and not kept.is_touched(end + 2, end + 3)
