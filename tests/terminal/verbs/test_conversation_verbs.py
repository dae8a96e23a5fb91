"""The verbs turns, run --history, run --user and conversations, from a file of conversations to the tables."""

from pathlib import Path

from tests.conftest import Bench
from tests.house.documents import find_shown
from tests.house.test_docs import compare_shapes
from tests.workbench.talks import TALKS, records, write_talks

SHAPES = "docs/reference/json-shapes.md"


def test_from_a_file_to_the_tables(bw: Bench, workspace: Path, tmp_path: Path) -> None:
    made = [{**one, "contexts": [{**context, "licence": "CC0-1.0"} for context in one["contexts"]]} for one in records()]
    assert bw("import", str(write_talks(tmp_path / "talks.jsonl", made)), "--format", "conversations").json["items"] == 6
    listed = bw("turns", "list", "--state", "accepted").json
    compare_shapes(find_shown(SHAPES, "turns", "list"), listed, "turns list")
    assert [one["id"] for one in listed["conversations"]] == [name for name, *_ in TALKS]
    shown = bw("turns", "show", "mill").json
    compare_shapes(find_shown(SHAPES, "turns", "show"), shown, "turns show")
    assert shown["turns"][1]["standalone"] == "In which year was Ada Quill born?" and shown["turns"][1]["unfit"] is None
    text = bw("turns", "show", "mill", json_too=False).out
    assert "[Ada Quill]" in text and "Evidence, Quill: Ada Quill was born" in text and "Standalone: In which year was" in text
    bw("turns", "decide", "dairy", "discard", "--reason", "too easy", "--as", "Lea")
    refused = bw("turns", "decide", "forge", "discard", "--as", "Lea")
    assert refused.code == 1 and "A discard needs a reason" in refused.err
    assert bw("freeze", "talks", "--task", "conversation").json["left_out"] == {"discarded": 2}
    own = ("run", "talks", "--system", "oracle", "--agent", "offline", "--metrics", "in_accuracy")
    alone = bw(*own, "--history", "standalone").json["run"]
    user = bw(*own, "--user", "goal", "--patience", "1").json["run"]
    report = bw("conversations", alone, user).json
    compare_shapes(find_shown(SHAPES, "conversations"), report, "conversations")
    assert [row["settings"] for row in report["runs"]] == [
        {"history": "standalone", "user": None, "patience": None},
        {"history": "own", "user": "goal", "patience": 1},
    ]
    assert "Whole conversations" in bw("conversations", alone, json_too=False).out
    odd = bw(*own, "--user", "goal", "--history", "none")
    assert odd.code == 1 and "A simulated user hears the system's own answers" in odd.err
    missing = bw("conversations", alone, "--metric", "token_f1")
    assert missing.code == 1 and "has no scores of 'token_f1'" in missing.err


def test_freeze_names_conversations_of_which_only_some_turns_are_accepted(bw: Bench, tmp_path: Path) -> None:
    bw("import", str(write_talks(tmp_path / "talks.jsonl")), "--format", "conversations")
    bw("decide", "forge:1", "discard", "--reason", "wrong", "--as", "Lea")
    said = bw("freeze", "talks", "--allow-unlicensed", "test", json_too=False).err
    assert "not all turns are accepted: 1 conversation, forge." in said and "turns show forge`" in said
