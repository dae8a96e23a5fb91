"""Flags a draft whose question, or longer answer, is in another language than the item declares. The words that a sentence is
built with decide; names, titles and terms of other languages may stand in it, and a short answer may be nothing else."""

import re
from collections import Counter
from unicodedata import normalize

from builders.gate import Finding, Gate, GateContext
from core.nouns import Item
from core.text.scripts import HAN
from core.text.stop_words import STOP_WORDS

MIN_ANSWER_WORDS = 8
"""Words of an answer, Han characters counted singly, from which its language is looked at: a shorter one may be a name."""
QUOTED_TEXT = re.compile(r"《[^《》]*》|〈[^〈〉]*〉|「[^「」]*」|『[^『』]*』|“[^“”]*”|«[^«»]*»|\"[^\"]*\"|‘[^‘’]*’(?!\w)")
"""What is only named, not said."""
HAN_ONE, KANA = re.compile(f"[{HAN}]"), re.compile("[\u3040-\u309f\u30a1-\u30fa\u30fc]+")
LATIN = re.compile(r"[A-Za-z\u00c0-\u024f]+(?:['’][A-Za-z\u00c0-\u024f]+)*")
OTHER_SCRIPT = re.compile(rf"[^\W\d_A-Za-z\u00aa-\u024f\u0370-\u03ff\u3040-\u30ff{HAN}]+")
"""Words of scripts that neither language uses. Greek letters stand in formulas, so Greek is not among them."""
PARTICLES = frozenset("的是了在吗呢什么谁哪多少几何为由被把因所以从到及与对这那有和")
"""Characters that Chinese sentences are built with."""
LATINS = {
    "French": "le les des du une est sont était qui que quoi quel quelle quels quelles où quand comment pourquoi combien dans "
    "pour avec et par aux il elle ils elles cette ces sur pas été ont fut",
    "German": "der das ein eine einen einem einer und ist sind wurde wurden wer wann wo wie warum welche welcher welches wie "
    "viele von zu mit für nicht auf aus dem den des im es sie hatte nach bei über",
    "Spanish": "el los las una es son fue quién quien qué cuál cuáles cuándo dónde cómo cuánto cuántos cuántas por para con y "
    "de del en que se su entre año",
    "Italian": "il lo gli una è sono fu chi che cosa quale quali quando dove come perché quanti quante per con e di del della "
    "dei delle nel nella ha anno",
    "Portuguese": "o os uma é são foi quem qual quais quando onde como quantos quantas por para com e de do da dos das em na "
    "que se ao ano",
    "Dutch": "het een en is zijn werd wie wat wanneer waar hoe waarom welke van met voor niet op uit naar bij werden heeft",
}
"""Words that sentences of each are built with."""
FOREIGN = {name: frozenset(words.split()) - STOP_WORDS["en"] for name, words in LATINS.items()}
NAMES = {"en": "English", "zh": "Chinese"}


def check(item: Item, context: GateContext) -> Finding:
    parts = [("question", item.question), *(("answer", answer) for answer in item.answers if _is_long(answer))]
    for name, text in parts:
        found = detect_spoken_language(text, item.language)
        if found and found != item.language:
            said = NAMES.get(found, found)
            why = f"The {name} is in {said}, and the item is declared to be in {NAMES.get(item.language, item.language)}."
            return Finding("flag", why, {"part": name, "found": found, "declared": item.language})
    return Finding("pass")


def detect_spoken_language(text: str, declared: str) -> str:
    """en, zh, or the English name of another language ("another language" where only its script is known); "" when nothing
    tells: no letters, or names alone. On a tie it is the declared one."""
    text = QUOTED_TEXT.sub(" ", normalize("NFKC", text))
    has_han = HAN_ONE.search(text) is not None
    latin = [word.casefold().replace("’", "'") for word in LATIN.findall(text)]
    counts = Counter({"en": sum(word in STOP_WORDS["en"] for word in latin), "zh": sum(sign in PARTICLES for sign in text)})
    counts += Counter({name: n for name, words in FOREIGN.items() if (n := _count_known_words(latin, words))})
    runs = len(KANA.findall(text))
    counts += Counter({"Japanese": runs if runs > 1 else 0, "another language": len(OTHER_SCRIPT.findall(text))})
    if counts:
        return max(counts, key=lambda name: (counts[name], name == declared))
    if has_han and not latin:
        return "zh"
    return "en" if len(latin) >= MIN_ANSWER_WORDS and not has_han and text.isascii() else ""


def _count_known_words(words: list[str], known: frozenset[str]) -> int:
    """How many of the words are of those; one alone, as in a name, says nothing."""
    n = sum(word in known or any(part in known for part in re.split("['’]", word)[1:]) for word in words)
    return n if n > 1 else 0


def _is_long(answer: str) -> bool:
    return len(HAN_ONE.findall(answer)) + len(LATIN.findall(answer)) + len(OTHER_SCRIPT.findall(answer)) >= MIN_ANSWER_WORDS


GATE = Gate(version="1", check=check)
