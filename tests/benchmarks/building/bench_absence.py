"""What absence twins hide: passages with the answers of 10,000 golds among 100,000 passages, against a look through all of them
for each gold; and whole twins, with near copies and the checking search."""

import random
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

from builders.absence.answer_search import MIN_SHARE, MIN_TERMS, find_answers, list_terms, list_wanted_terms
from builders.absence.twins import make_twins
from core.ids import content_hash
from core.nouns import Document, Item, Span
from tests.benchmarks.corpus.prose import prose
from tests.benchmarks.table import head, row

PASSAGES, GOLDS = 100_000, 10_000
SAMPLE = 100
"""Golds that are looked for one by one, and twins that are made whole."""
CHARACTERS = 700
SECONDS = 60.0
"""In which all golds are to be found."""


def make_corpus() -> tuple[list[str], list[str]]:
    """The passages, and golds of one to six words in a row of them, as answers to questions are."""
    chance = random.Random(1)
    words = prose(200_000).split()
    names = [f"{chance.choice(words).strip('.,').capitalize()}{n}" for n in range(GOLDS)]
    passages = [" ".join(chance.choices(words, k=CHARACTERS // 7) + chance.choices(names, k=4)) for _ in range(PASSAGES)]
    golds = []
    for _ in range(GOLDS):
        row_of = chance.choice(passages).split()
        golds.append(" ".join(row_of[-chance.randint(1, 6) :]))
    return passages, golds


def scan(wanted: list[frozenset[str]], passages: list[set[str]]) -> list[list[int]]:
    """All passages, for each gold anew."""
    least = [len(terms) if len(terms) < MIN_TERMS else MIN_SHARE * len(terms) for terms in wanted]
    return [
        [place for place, own in enumerate(passages) if len(terms & own) >= needed]
        for terms, needed in zip(wanted, least, strict=True)
    ]


def main() -> None:
    head()
    passages, golds = make_corpus()
    wanted = [terms for gold in golds for terms in list_wanted_terms(gold, "en")]
    began = time.process_time()
    found = find_answers(wanted, map(list_terms, passages))
    ours = time.process_time() - began
    row(f"{len(wanted):,} golds in {PASSAGES:,} passages", f"at most {SECONDS:g} s", SECONDS, ours, 1)
    few, terms = wanted[:SAMPLE], list(map(list_terms, passages))
    began = time.process_time()
    scanned = scan(few, terms)
    theirs = (time.process_time() - began) * len(wanted) / len(few)
    if scanned != found[: len(few)]:
        raise SystemExit("the index finds other passages than a look through all of them")
    row("the same", f"each gold: {len(few)} times {len(wanted) // len(few)}", theirs, ours, 20)
    documents = [Document(content_hash(text), text, "") for text in passages]
    chance = random.Random(2)
    items = [
        Item(
            str(n),
            "question_answering",
            "Who was there?",
            (" ".join(document.text.split()[-2:]),),
            evidence=(Span(document.id, 0, len(document.text)),),
        )
        for n, document in enumerate(chance.sample(documents, SAMPLE))
    ]
    began = time.process_time()
    made = make_twins(items, documents)
    whole = time.process_time() - began
    row(f"{len(made.twins)} twins of {SAMPLE}, checked by search", "at most 180 s", 180, whole, 1)


if __name__ == "__main__":
    main()
