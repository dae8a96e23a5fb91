"""Shortcuts: the certificate of a release of 10,000 questions over 100,000 passages, from the job's start to the stored
results, against rank_bm25 that finds the top passages alone, and against two minutes."""

import asyncio
import random
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

from core.ids import content_hash
from core.nouns import Document, Item, Span
from core.text.words import words
from store.corpus import documents
from store.items import items
from tests.benchmarks.corpus.prose import prose
from tests.benchmarks.table import head, row
from workbench import Workbench
from workbench.control import Control
from workbench.evaluate.shortcuts.certificates import CertificateRequest

PASSAGES, ITEMS = 100_000, 10_000
CHARACTERS = 700
"""Of a passage, about 110 words."""
LIMIT = 120.0
"""Seconds."""
ASKED = 20
"""Queries of the peer, whose time is multiplied."""


def make_texts() -> list[str]:
    """Passages of sentences that are drawn from one text, so that words have the frequencies of prose."""
    chance = random.Random(1)
    sentences = prose(PASSAGES * 20).split(". ")
    texts = dict[str, None]()
    while len(texts) < PASSAGES:
        drawn, length = list[str](), 0
        while length < CHARACTERS:
            drawn.append(chance.choice(sentences))
            length += len(drawn[-1]) + 2
        texts[f"{'. '.join(drawn)}."] = None
    return list(texts)


def make_items(texts: list[str]) -> list[Item]:
    """Questions of eight words of one passage; the gold answer is a ninth one."""
    chance = random.Random(2)
    made = []
    for number in range(ITEMS):
        text = chance.choice(texts)
        *asked, gold = chance.sample(sorted(set(words(text, "en"))), 9)
        evidence = (Span(content_hash(text), 0, len(text)),)
        question = f"Which {' '.join(asked)}?"
        made.append(Item(f"i{number:05}", "question_answering", question, (gold,), evidence, status="accepted"))
    return made


def find_top_passages(texts: list[str], questions: list[str]) -> float:
    """Seconds in which rank_bm25 indexes the passages and finds the best one for every question, by a sample of them."""
    import numpy as np
    from rank_bm25 import BM25Okapi

    began = time.perf_counter()
    index = BM25Okapi([words(text, "en") for text in texts])
    built = time.perf_counter() - began
    began = time.perf_counter()
    for question in questions[:ASKED]:
        np.argmax(index.get_scores(words(question, "en")))
    return built + (time.perf_counter() - began) * len(questions) / min(ASKED, len(questions))


def main() -> None:
    head()
    texts = make_texts()
    made = make_items(texts)
    with Workbench.open(":memory:") as bench:
        documents.add(bench.database, [Document(content_hash(text), text, "t", licence="CC0") for text in texts])
        items.add(bench.database, made)
        bench.releases.freeze("v1")
        job = bench.certificates.plan(CertificateRequest(release="v1"))
        began, used = time.perf_counter(), time.process_time()
        result = asyncio.run(bench.certificates.work(job, Control()))
        ours, processor = time.perf_counter() - began, time.process_time() - used
        if result["items"] != ITEMS or not result["flagged"]:
            raise SystemExit(f"the certificate is not whole: {result}")
    size = f"{ITEMS:,} items, {PASSAGES:,} passages"
    row(
        f"certificate, {size}",
        "rank_bm25, top passage alone",
        find_top_passages(texts, [one.question for one in made]),
        ours,
        5,
    )
    row("certificate, seconds", "two minutes", LIMIT, ours, 1)
    row("certificate, CPU seconds", "two minutes", LIMIT, processor, 1)


if __name__ == "__main__":
    main()
