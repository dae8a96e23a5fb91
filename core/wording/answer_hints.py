"""Finds hints at a gold answer in a rewording of a question: numbers, words similar to those of the answer, passages of the
answer, and letters of another script, if the question does not contain them. A hint may be the answer in a spelling that no
rule recognises, so a person has to check it."""

import re

from core.text.figures import figures
from core.text.language import find_row
from core.text.numerals import CARDINAL, ORDINAL
from core.text.scripts import HAN_CHARACTER, UNSPACED_CHARACTER, find_scripts
from core.text.words import fold_digits, simplify_chinese
from core.wording.answer_leaks import fold_words, is_common_word

MAX_ANSWER_WORDS = 5
"""An answer with at most this many content words is searched for word by word; any rewording shares single words with a longer
answer."""
MIN_FOUND_SHARE = 0.5
"""Share (0 to 1) of the answer's content words, or Chinese characters, from which a rewording's new words count as a hint at
the answer."""
MIN_WORD_SIMILARITY = 75
"""Similarity (rapidfuzz's ratio, 0 to 100) from which two words of at least MIN_SIMILAR_LETTERS letters count as the same."""
MIN_SIMILAR_LETTERS = 4
MIN_PASSAGE = (5, 10)
"""Minimum number of consecutive words (characters in scripts without spaces) of a long answer that count as a hint."""
MIN_UNSPACED_PASSAGE = 4
"""Minimum number of consecutive characters of a shorter answer without spaces that count as a hint, if they are half of it."""
MIN_PASSAGE_CONTENT = 2
"""Minimum number of content words in a passage of a long answer that counts as a hint."""
MAX_ANSWER_CHARACTERS = 8
"""An answer with at most this many different Chinese characters is searched for character by character."""
_TITLES = frozenset(
    ["dr", "mr", "mrs", "ms", "miss", "prof", "professor", "sir", "lady", "lord", "saint", "st", "doctor", "judge"]
)
"""Titles before a person's name that do not reveal the name."""
_CHINESE_TITLE = re.compile("女士|先生|小姐|夫人|太太|博士|教授|医生|法官|律师|爵士")
"""Titles after or before a person's name in Chinese that do not reveal the name."""
_NAME_DOT = re.compile("[·・•‧∙⋅]")
"""Dot between the parts of a foreign name in Chinese."""
_SPELT_OUT = re.compile(r"(?<![^\W_])[^\W\d_](?:[\W_]{1,3}[^\W\d_](?![^\W_])){2,}")
"""Pattern of a word whose letters are separated, such as "L-o-m"."""
_COMMON_NUMBERS = (1, 2)
"""Numbers that are common in questions, such as "one of the two", and therefore reveal no answer."""
_FIGURE = re.compile(r"[0-9]+|[¼-¾⅐-⅞]|\b[IVXLCDM]{2,}\b|\b(?=[ivxlcdm]{3})c{0,3}(?:x[cl]|l?x{0,3})(?:i[xv]|v?i{0,3})\b")
"""Pattern of a number in digits, a fraction sign or a Roman numeral."""
_GLUED_NUMBER = re.compile(rf"\b(?:{CARDINAL}){{1,4}}(?:{ORDINAL}|{CARDINAL})\b", re.IGNORECASE)
"""Pattern of number words without a space between them ("eightyfive")."""
_NUMBER_WORD = re.compile(f"{ORDINAL}|{CARDINAL}", re.IGNORECASE)
_PLAIN_NUMERALS = str.maketrans("壹贰叁肆伍陆柒捌玖拾佰仟貳陸", "一二三四五六七八九十百千二六") | {
    ord("廿"): "二十",
    ord("卅"): "三十",
}
"""Table that replaces Chinese numerals as they are written on banknotes, and two short forms, by the numerals that
core.text.figures reads."""


def find_hint(question: str, text: str, answer: str) -> str | None:
    """Return the part of the text that the question does not contain and that may give the answer away, or None if there is
    none: a word of another script, a number if the answer contains a number, a word similar to a word of a short answer, or a
    passage of a long answer. A word whose letters are separated is also read as a word."""
    if spelt := _SPELT_OUT.findall(text):
        text = " ".join([text, *(re.sub(r"[\W_]", "", word) for word in spelt)])
    return (
        _find_new_script(question, text)
        or _find_new_figure(question, text, answer)
        or _find_answer_word(question, text, answer)
        or _find_passage(question, text, answer)
    )


def _find_new_script(question: str, text: str) -> str | None:
    known = find_scripts(question)
    return next((word for word in text.split() if not find_scripts(word) <= known), None)


def _find_new_figure(question: str, text: str, answer: str) -> str | None:
    question, text, answer = (_fold_numerals(part) for part in (question, text, answer))
    wanted = figures(answer).numbers
    if not (wanted or _FIGURE.findall(answer)):
        return None
    known = figures(question).numbers.keys() | {number for number in _COMMON_NUMBERS if number not in wanted}
    asked = {*_FIGURE.findall(question), *(f"{float(number):g}" for number in known)}
    if word := next((word for word in _FIGURE.findall(text) if word not in asked), None):
        return str(word)
    new = figures(text).numbers.keys() - known
    return f"{float(min(new)):,g}" if new else None


def _fold_numerals(text: str) -> str:
    folded = fold_digits(text).translate(_PLAIN_NUMERALS)
    return _GLUED_NUMBER.sub(lambda glued: " ".join(_NUMBER_WORD.findall(glued[0])), folded)


def _find_answer_word(question: str, text: str, answer: str) -> str | None:
    from rapidfuzz import fuzz

    asked = set(fold_words(question))
    gold = [word for word in fold_words(answer) if not is_common_word(word) and word not in _TITLES]
    if any(HAN_CHARACTER.search(word) for word in gold):
        if part := _find_name_part(question, text, answer):
            return part
        wanted = set("".join(gold)) - find_row("zh").stop_words
        new_letters = wanted & set(text_row := "".join(fold_words(text))) - set("".join(asked))
        is_hint = len(wanted) <= MAX_ANSWER_CHARACTERS and len(new_letters) >= max(2, MIN_FOUND_SHARE * len(wanted))
        return "".join(sorted(new_letters, key=text_row.index)) if is_hint else None
    new = [word for word in fold_words(text) if word not in asked and not is_common_word(word)]

    def is_like(word: str, other: str) -> bool:
        is_long = min(len(word), len(other)) >= MIN_SIMILAR_LETTERS
        return word == other or (is_long and fuzz.ratio(word, other) >= MIN_WORD_SIMILARITY)

    found = [word for word in new if any(is_like(word, other) for other in gold if other not in asked)]
    n_found = sum(any(is_like(word, other) for word in new) for other in gold if other not in asked)
    is_hint = n_found > 0 and len(gold) <= MAX_ANSWER_WORDS and n_found >= MIN_FOUND_SHARE * len(gold)
    return found[0] if is_hint else None


def _find_name_part(question: str, text: str, answer: str) -> str | None:
    """Return a part of the answer, if it is a foreign person's name in Chinese, that the text contains and the question does
    not; None if there is none."""
    parts = _NAME_DOT.split(_CHINESE_TITLE.sub("", simplify_chinese(answer)))
    asked, row = ("".join(fold_words(part)) for part in (question, text))
    folded = ["".join(fold_words(part)) for part in parts] if len(parts) > 1 else []
    return next((part for part in folded if len(part) > 1 and part in row and part not in asked), None)


def _find_passage(question: str, text: str, answer: str) -> str | None:
    is_unspaced = bool(UNSPACED_CHARACTER.search(answer))
    length, joint = MIN_PASSAGE[is_unspaced], "" if is_unspaced else " "

    def fold_row(part: str) -> list[str]:
        return list("".join(fold_words(_CHINESE_TITLE.sub("", simplify_chinese(part)))))

    if is_unspaced:
        length = min(length, max(MIN_UNSPACED_PASSAGE, (len(fold_row(answer)) + 1) // 2))

    def list_passages(part: str) -> list[tuple[str, ...]]:
        row = fold_row(part) if is_unspaced else fold_words(part)
        return [tuple(row[at : at + length]) for at in range(len(row) - length + 1)]

    told = set(list_passages(answer)).difference(list_passages(question))
    for passage in list_passages(text):
        if passage in told and (is_unspaced or sum(not is_common_word(word) for word in passage) >= MIN_PASSAGE_CONTENT):
            return joint.join(passage)
    return None
