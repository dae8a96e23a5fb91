"""Search by name over 100,000 names, asked for misspelt, with their words turned round, and in part: against plain BM25 and
against rapidfuzz alone. How many are found among the first ten stands beside the time."""

import random
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

from core.tables.names import NameIndex, name_words, normalise_name
from tests.benchmarks.table import by_turns, head, row

NAMES, ASKED = 100_000, 60
SYLLABLES = (
    "ka",
    "lo",
    "mi",
    "ren",
    "tor",
    "vel",
    "sa",
    "du",
    "fi",
    "gor",
    "han",
    "jo",
    "pe",
    "qui",
    "rus",
    "ta",
    "ul",
    "wen",
    "xi",
    "yor",
)


def names(chance: random.Random) -> list[str]:
    """Two words of invented syllables each; some stand several times."""
    words = ["".join(chance.choices(SYLLABLES, k=chance.randint(2, 4))).capitalize() for _ in range(22_000)]
    return [f"{chance.choice(words[:2_000])} {chance.choice(words[2_000:])}" for _ in range(NAMES)]


def asked(chance: random.Random, names: Sequence[str]) -> list[tuple[str, str]]:
    """(name, how it is asked for): a letter left out of each word; turned round and one letter left out; the last word."""
    found = []
    for name in chance.sample(names, ASKED):
        first, last = name.split()
        forms = (f"{without(chance, first)} {without(chance, last)}", f"{last} {without(chance, first)}", last)
        found.append((name, forms[len(found) % 3]))
    return found


def without(chance: random.Random, word: str) -> str:
    place = chance.randrange(1, len(word))
    return word[:place] + word[place + 1 :]


def share(search: Callable[[str], Sequence[str]], questions: Sequence[tuple[str, str]]) -> float:
    """Of the names that were asked for, those found among the first ten; by the last word, any name that has it counts."""
    return sum(
        any(one == name or (query in name.split() and query in one.split()) for one in search(query))
        for name, query in questions
    ) / len(questions)


def main() -> None:
    from rank_bm25 import BM25Okapi
    from rapidfuzz import fuzz, process

    head()
    chance = random.Random(1)
    every = names(chance)
    questions = asked(chance, every)
    normalised = [normalise_name(name) for name in every]
    began = time.perf_counter()
    index = NameIndex(every)
    built = time.perf_counter() - began
    okapi = BM25Okapi([name_words(name) for name in normalised])

    def plain(query: str) -> list[str]:
        found: list[str] = okapi.get_top_n(name_words(normalise_name(query)), every, n=10)
        return found

    def alone(query: str) -> list[str]:
        near = process.extract(normalise_name(query), normalised, scorer=fuzz.WRatio, limit=10)
        return [every[place] for _, _, place in near]

    def ours(query: str) -> list[str]:
        return [every[match.places[0]] for match in index.search(query)]

    for peer, search in (("BM25 alone (rank_bm25)", plain), ("rapidfuzz alone (WRatio)", alone)):
        took, mine = by_turns(
            lambda search=search: [search(q) for _, q in questions],  # type: ignore[misc]
            lambda: [ours(q) for _, q in questions],
            rounds=2,
        )
        row(f"one of {NAMES:,} names by likeness", peer, took / ASKED, mine / ASKED, 10.0)
        row("share found among the first ten", peer, share(search, questions), share(ours, questions), 1.0, higher=True)
    print(f"the index of {NAMES:,} names is built in {built:.1f} s")


if __name__ == "__main__":
    main()
