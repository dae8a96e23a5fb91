"""cli.py pairs and cli.py crosslingual: from two files to the loss by language."""

from pathlib import Path
from typing import Any

PARALLEL = Path(__file__).parents[3] / "samples" / "parallel"


def test_from_two_files_to_the_loss_by_language(bw: Any) -> None:
    said = bw("pairs", "import", PARALLEL / "en.json", PARALLEL / "zh.json", "--format", "squad", json_too=False)
    assert "16 items and 6 documents; 8 pairs new, 0 already there; not paired: none." in said.out
    pairs = bw("pairs", "list").json["pairs"]
    assert len(pairs) == 8 and all(pair["languages"] == ["en", "zh"] for pair in pairs)
    assert bw("pairs", "remove", pairs[0]["item"], pairs[0]["twin"], "--as", "Ada").code == 0
    none = bw("pairs", "remove", pairs[0]["item"], pairs[0]["twin"])
    assert none.code == 1 and "are not a pair, so there is nothing to take apart" in none.err
    assert "8 language pairs" not in bw("freeze", "seven", "--allow-unlicensed", "a test", json_too=False).out
    refused = bw("pairs", "add", pairs[0]["item"], pairs[1]["item"], "--as", "Ada")
    assert refused.code == 1 and "both are in the same language" in refused.err
    assert bw("pairs", "add", pairs[0]["item"], pairs[0]["twin"], "--as", "Ada").json["source"] == "by hand"
    said = bw("freeze", "pairs", "--allow-unlicensed", "a test", json_too=False)
    assert "8 language pairs (5 checked by value)" in said.out
    run = bw("run", "pairs", "--system", "vanilla", "--agent", "offline", "--retriever", "bm25").json["run"]
    assert "Loss by language" in bw("crosslingual", run, json_too=False).out
    [found] = bw("crosslingual", run).json["comparisons"]
    assert found["languages"] == ["en", "zh"] and len(found["pairs"]) == 8


def test_a_pair_whose_figures_were_edited_apart_is_left_out_and_said(bw: Any) -> None:
    bw("pairs", "import", PARALLEL / "en.json", PARALLEL / "zh.json", "--format", "squad")
    bw("decide", "sluice-withdrawn", "accept", "--as", "Ada", "--answer", "1961")
    said = bw("freeze", "pairs", "--allow-unlicensed", "a test", json_too=False)
    assert "Language pairs left out (their items are in the release): 1 other figures." in said.err and "16 items" in said.out


def test_the_offline_agent_cannot_translate(bw: Any) -> None:
    bw("pairs", "import", PARALLEL / "en.json", PARALLEL / "zh.json", "--format", "squad")
    refused = bw("pairs", "translate", "--to", "zh", "--agent", "offline")
    assert refused.code == 1 and "cannot translate: name an LLM, or pair items with pairs import or pairs add" in refused.err
