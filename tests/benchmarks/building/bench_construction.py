"""Construction over a whole corpus: near copies among 70,000 documents and among 10,000 questions, what a corpus holds of the
sources that a release leaves out, 70,000 articles imported, and the search of reverse construction among them."""

import random
import resource
import sys
import tempfile
import time
from collections.abc import Callable
from itertools import combinations
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

from builders.near_duplicate_index import NearDuplicateIndex, shingles
from builders.near_duplicates.duplicate_pairs import find_near_duplicates
from builders.near_duplicates.leakage import leakage
from builders.near_duplicates.verbatim import NEAR_COPY_SHARE, collapse_spaces, hashes
from builders.providers.corpus import CorpusIndex
from core.ids import content_hash
from core.nouns import Document, Item
from tests.benchmarks.corpus.prose import prose
from tests.benchmarks.table import by_turns, head, row
from workbench import Workbench

DOCUMENTS, QUESTIONS, SOURCES = 70_000, 10_000, 2_000
CHARACTERS = 700
"""Of an article, as CRUD-RAG's have."""
COPIES = 0.03
"""Of the documents: 9 tenths of another one, with a beginning of their own."""
SUBSET = 1_000
"""Documents, questions that are compared two by two."""


def articles() -> dict[str, str]:
    chance = random.Random(1)
    text = prose((DOCUMENTS // 10) * CHARACTERS)
    cut = [text[n : n + CHARACTERS] for n in range(0, len(text), CHARACTERS)]
    made: list[str] = []
    for n in range(DOCUMENTS):
        if made and chance.random() < COPIES:
            made.append(f"Number {n} of the paper. {chance.choice(made)[: CHARACTERS * 9 // 10]}")
        else:  # halves of two, so that one text gives many articles; both halves of one are never met again
            a, b = chance.choice(cut), chance.choice(cut)
            made.append(" ".join(sorted((a + b).split(" "), key=lambda word: chance.random())[: CHARACTERS // 6]))
    return {f"d{n}": body for n, body in enumerate(made)}


def peak() -> float:
    """Most memory so far, GB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20


def pairwise(texts: dict[str, str]) -> set[tuple[str, str]]:
    """Every two documents, by sets of their windows."""
    own = {name: set(hashes(collapse_spaces(text)).tolist()) for name, text in texts.items()}
    found = set()
    for a, b in combinations(texts, 2):
        if own[a] and own[b] and len(own[a] & own[b]) >= NEAR_COPY_SHARE * min(len(own[a]), len(own[b])):
            found.add((min(a, b), max(a, b)))
    return found


def near_documents(corpus: dict[str, str]) -> None:
    few = dict(list(corpus.items())[:SUBSET])

    def ours(texts: dict[str, str]) -> set[tuple[str, str]]:
        found = find_near_duplicates(texts.items(), lambda ids: ((name, texts[name]) for name in ids))
        return {(min(one.shorter, one.longer), max(one.shorter, one.longer)) for one in found}

    if ours(few) != pairwise(few):
        raise SystemExit("the sample finds other near copies than a comparison of every two")
    theirs, own = by_turns(lambda: pairwise(few), lambda: ours(few), rounds=1)
    row(f"near copies among {SUBSET:,} documents", "every two, by sets of windows", theirs, own, 20)
    before, began = peak(), time.process_time()
    found = ours(corpus)
    many = time.process_time() - began
    row(
        f"the same among {DOCUMENTS:,}: {len(found):,} pairs",
        f"{DOCUMENTS // SUBSET} x that of {SUBSET:,}",
        own * DOCUMENTS / SUBSET,
        many,
        0.5,
    )
    print(f"  {many:.1f} s; {peak() - before:.2f} GB more at the peak", flush=True)


def near_questions() -> None:
    chance, words = random.Random(2), prose(400_000, 3).replace("\n\n", " ").split(" ")
    made: list[str] = []
    for _ in range(QUESTIONS):
        if made and chance.random() < 0.05:
            made.append(chance.choice(made).replace("a", "e", 1))
        else:
            at = chance.randrange(len(words) - 12)
            made.append(f"What is said of {' '.join(words[at : at + chance.randint(6, 12)])}?")
    items = [Item(f"q{n}", "explicit_factoid", text, (str(n),), language="en") for n, text in enumerate(made)]

    def plainly(few: list[Item]) -> set[tuple[str, str]]:
        own = {item.id: shingles(item.question, "en") for item in few}
        return {(a, b) for a, b in combinations(own, 2) if len(own[a] & own[b]) >= 0.8 * len(own[a] | own[b])}

    def ours(few: list[Item]) -> set[tuple[str, str]]:
        known, found = NearDuplicateIndex(), set()
        for item in few:
            found |= {(near.item, item.id) for near in known.find_near(item)}
            known.add(item)
        return found

    few = items[:SUBSET]
    if ours(few) != plainly(few):
        raise SystemExit("the index finds other near questions than a comparison of every two")
    theirs, own = by_turns(lambda: plainly(few), lambda: ours(few), rounds=1)
    row(f"near duplicates among {SUBSET:,} questions", "every two, by sets of triples", theirs, own, 15)
    before, began = peak(), time.process_time()
    many = len(ours(items))
    took = time.process_time() - began
    row(
        f"the same among {QUESTIONS:,}: {many:,} pairs",
        "every two, extrapolated",
        theirs * (QUESTIONS / SUBSET) ** 2,
        took,
        100,
    )
    print(f"  {took:.1f} s; {peak() - before:.2f} GB more at the peak", flush=True)


def left_out(corpus: dict[str, str]) -> None:
    sources = dict(list(corpus.items())[-SOURCES:])
    rest = [(name, text) for name, text in corpus.items() if name not in sources]

    def plainly() -> dict[str, float]:
        """Five sources against the corpus, window by window."""
        shares = {}
        for name, text in list(sources.items())[:5]:
            windows = [text[n : n + 40] for n in range(len(text) - 39)]
            shares[name] = sum(any(one in other for _, other in rest[:5_000]) for one in windows) / len(windows)
        return shares

    ours = leakage(dict(list(sources.items())[:5]), rest[:5_000])
    if {one.source: one.share for one in ours} != plainly():
        raise SystemExit("the leakage report tells other shares than a plain look")
    slow, quick = by_turns(plainly, lambda: leakage(sources, rest), rounds=1)
    each = slow / 5 * len(rest) / 5_000
    row(f"leakage of {SOURCES:,} sources into {len(rest):,}", "windows looked for, one source", each * SOURCES, quick, 1_000)
    print(f"  {quick:.1f} s", flush=True)


def imported(corpus: dict[str, str], folder: Path) -> None:
    """Documents into the workspace, as `add` does it, against pandas reading the same lines and dropping equal ones."""
    import pandas as pd

    file = folder / "articles.txt"
    file.write_text("\n".join(" ".join(text.split()) for text in corpus.values()), encoding="utf-8")

    def theirs() -> None:
        frame = pd.DataFrame({"text": file.read_text(encoding="utf-8").splitlines()})
        frame = frame[frame.text.str.len() > 0].drop_duplicates("text")
        frame["id"] = frame.text.map(content_hash)
        frame.to_parquet(folder / "articles.parquet")

    def ours() -> None:
        path = folder / "w.duckdb"
        path.unlink(missing_ok=True)
        with Workbench.open(path) as bench:
            done = bench.corpus.add([file], domain="news", language="en", form="lines")
            if len(done.added) < DOCUMENTS * 0.9:
                raise SystemExit(f"only {len(done['added'])} came in")

    def wall(work: Callable[[], None]) -> float:
        began = time.perf_counter()
        work()
        return time.perf_counter() - began

    slow, own = wall(theirs), wall(ours)
    row(
        "articles imported a second (wall)", "pandas to Parquet, same ids", DOCUMENTS / slow, DOCUMENTS / own, 0.05, higher=True
    )


def searched(corpus: dict[str, str]) -> None:
    """The search for other articles of an event: building the index, and queries."""
    from rank_bm25 import BM25Okapi

    found = [Document(name, text, name) for name, text in corpus.items()]
    queries = [" ".join(document.text.split()[:20]) for document in found[:200]]
    before, began = peak(), time.process_time()
    shelf = CorpusIndex(found)
    shelf.search(queries[0], 10, frozenset())
    built = time.process_time() - began
    more = peak() - before
    words = [document.text.lower().split() for document in found]
    began = time.process_time()
    peer = BM25Okapi(words)
    row(f"an index over {DOCUMENTS:,} articles", "rank_bm25", time.process_time() - began, built, 0.3)
    print(f"  {built:.1f} s; {more:.2f} GB more at the peak", flush=True)

    def theirs() -> None:
        for query in queries[:4]:
            peer.get_top_n(query.lower().split(), found, 10)

    slow, quick = by_turns(theirs, lambda: [shelf.search(query, 10, frozenset({"d0"})) for query in queries])
    row("a query of 20 words among them", "rank_bm25", slow / 4, quick / len(queries), 20)


def main() -> None:
    head()
    near_questions()
    corpus = articles()
    near_documents(corpus)
    left_out(corpus)
    searched(corpus)
    with tempfile.TemporaryDirectory() as name:
        imported(corpus, Path(name))


if __name__ == "__main__":
    main()
