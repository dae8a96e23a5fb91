"""The leakage report: its numbers equal a second, plain count of every window; exact and near copies are listed."""

import random

import pytest

from builders.near_duplicates.leakage import WINDOW_CHARACTERS, leakage, report

WORDS = {
    "en": ["the", "mill", "of", "Wend", "burned", "down", "and", "nobody", "knew", "why", "it", "was", "lost"],
    "zh": list("文德磨坊失火无人受伤面包师只好到奥维尔买面粉顾雅卖掉钟楼"),
}


def text(chance, language, size):
    return (" " if language == "en" else "").join(chance.choice(WORDS[language]) for _ in range(size))


def plainly(sources, corpus):
    """Source id -> (share, exact copies, near ones), by looking for every window in every text."""
    shelf = {name: " ".join(body.split()) for name, body in corpus}
    told = {}
    for name, body in sources.items():
        body = " ".join(body.split())
        windows = [body[i : i + WINDOW_CHARACTERS] for i in range(len(body) - WINDOW_CHARACTERS + 1)]
        share = sum(any(w in other for other in shelf.values()) for w in windows) / len(windows) if windows else None
        exact = tuple(sorted(other for other, there in shelf.items() if there == body))
        near = {o: sum(w in there for w in windows) / len(windows) for o, there in shelf.items() if windows and o not in exact}
        told[name] = (share, exact, sorted(((-n, o) for o, n in near.items() if n >= 0.5))[:5])
    return told


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("seed", range(5))
def test_shares_and_copies_equal_a_plain_count(language, seed):
    chance = random.Random(seed)
    sources = {f"s{n}": text(chance, language, chance.randrange(3, 120)) for n in range(12)}
    sources["twin"] = sources["s1"]
    corpus = [(f"d{n}", text(chance, language, chance.randrange(1, 150))) for n in range(25)]
    for n, source in enumerate(list(sources.values())[:9]):  # parts of sources, from nothing to all of it
        cut = len(source) * n // 8
        corpus.append((f"c{n}", text(chance, language, 9) + source[:cut] + text(chance, language, 9) if n < 8 else source))
    corpus.append(("spaced", "\n  ".join(sources["s2"].split())))
    found = {one.source: (one.share, one.exact, [(-n.share, n.document) for n in one.near]) for one in leakage(sources, corpus)}
    wanted = plainly(sources, corpus)
    assert set(found) == set(wanted)
    for name, (share, exact, near) in wanted.items():
        assert found[name][0] == pytest.approx(share) and found[name][1] == exact
        assert found[name][2] == [(pytest.approx(n), other) for n, other in near]
    assert found["s2"][1] == ("spaced",)
    assert any(0 < (share or 0) < 1 for share, _, _ in found.values())


def test_a_source_shorter_than_a_window_has_no_share_and_its_exact_copies_are_still_found():
    [leak] = leakage({"s": "Too short."}, [("a", "Too  short."), ("b", "Too short, and more.")])
    assert (leak.share, leak.windows, leak.exact, leak.near) == (None, 0, ("a",), ())


def test_nothing_left_out_and_an_empty_corpus_are_no_trouble():
    assert leakage({}, [("a", "x" * 90)]) == []
    [leak] = leakage({"s": "x" * 90}, [])
    assert leak.share == 0.0


def test_the_report_counts_sources_by_how_much_of_them_leaked_the_worst_first():
    body = "".join(chr(0x4E00 + n) for n in range(100))
    sources = {"whole": body, "half": body[50:] + "".join(chr(0x5E00 + n) for n in range(50)), "none": "z" * 80, "tiny": "x"}
    told = report(leakage(sources, [("d", body)]), 1)
    assert (told["sources"], told["measured"], told["with_exact"], told["documents"]) == (4, 3, 1, 1)
    assert told["at_least"] == {"0.5": 1, "0.9": 1} and [row["source"] for row in told["leaks"]] == [
        "whole",
        "half",
        "none",
        "tiny",
    ]
    assert told["mean"] == pytest.approx((1 + 11 / 61 + 0) / 3) and told["leaks"][-1]["share"] is None
