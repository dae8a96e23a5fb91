"""One file or folder of each format that can be read, and changes to single fields of it: another type, nothing, too much, too
deep, twice, or away. The same seed makes the same change."""

import ast
import bz2
import copy
import csv
import io
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from core.catalog import catalog
from core.records import item_record
from store.format import Format
from tests.store.formats.test_formats import WRITTEN, written
from tests.store.formats.test_formats_multi_hop import hop
from tests.store.released import items

FORMATS = catalog("store.formats", "FORMAT", Format)
Files = dict[str, Any]
"""Path in the folder -> its value: a list of rows of a file of lines or cells, any JSON value of a .json file."""

DEEP: Any = 1
for _ in range(60):
    DEEP = [DEEP]
VALUES: list[Any] = [
    None,
    True,
    False,
    0,
    1,
    -1,
    2,
    1.5,
    -0.0,
    1e300,
    10**18,
    10**39,
    "",
    " ",
    "Paris",
    "a/b",
    "../x",
    "\x00",
    "\u2028",
    "雪",
    "1",
    "null",
    "[]",
    "{}",
    "x" * 300_000,
    [],
    [None],
    [[]],
    ["x"],
    ["x", "x"],
    [""],
    [1],
    [["x"]],
    [{}],
    {},
    {"a": 1},
    {"a": None},
    {"text": "x"},
    {"": ""},
    {"0": {"a": []}},
    DEEP,
]
ABOUT = ("manifest.json", "checksums.json")
RULING = "法院裁定"
REPAIR = {
    "headLine": "裁定",
    "broadcastDate": "1954-03-02",
    "type": "num",
    "newsBeginning": RULING,
    "hallucinatedContinuation": "一九五五年",
    "generatedBy": "m",
    "annotations": ["一九五五年<sep>不合理，应为四年"],
    "realContinuation": "一九五四年",
    "newsRemainder": "一九五四年。",
    "hallucinatedMod": "一九五四年",
}
ASKED = {"event": "通行费", "news1": "法院裁定。", "questions": "谁裁定？", "answers": "法院"}
CRUD: Any = {
    "event_summary": [
        {
            "ID": "s",
            "event": "通行费",
            "summary": "通行费取消了。",
            "text": "法院裁定通行费应当取消。",
            "time": "1954-03-02 10:00",
            "url": "http://a.test",
            "title": "裁定",
        }
    ],
    "continuing_writing": [{"ID": "s", "beginning": RULING, "continuing": "通行费应当取消。", "event": "通行费"}],
    "hallu_modified": [{"ID": "h"} | REPAIR],
    "questanswer_1doc": [{"ID": "1"} | ASKED],
    "questanswer_2docs": [{"ID": "2", "news2": "议会执行。", "thoughts": "x"} | ASKED],
    "questanswer_3docs": [{"ID": "3", "news2": "议会执行。", "news3": "桥在。", "thoughts": "x"} | ASKED],
}


def samples(folder: Path) -> dict[str, Files]:
    """Name -> files. The name before a blank is the format's; those of formats that write are what they wrote."""
    found: dict[str, Files] = {}
    for name in (name for name in WRITTEN if FORMATS[name].read):
        made = written(folder / name, name)
        found[name] = {
            path.relative_to(made).as_posix(): value
            for path in sorted(made.rglob("*"))
            if path.is_file() and (value := _read(path)) is not None
        }
    own = [item_record(item, lambda span: "") for item in items()]
    outside = {
        "id": "q",
        "question": "Who built the mill?",
        "answers": ["Ada"],
        "task": "t",
        "level": 1,
        "domain": "d",
        "language": "en",
        "labels": {"n": 1},
        "contexts": [{"title": "T", "text": "Ada built it.", "gold": True}, "More."],
    }
    qna = {"_id": "k", "input": "Who?", "outputs": ["Ada", "A. R."], "language": "en", "environment": "e", "dataset": "csj"}
    soay = {
        "Query_en": "Where does Ada work?",
        "Query": "?",
        "Answer": ["Orvel", "Wend"],
        "Inputs": "",
        "Outputs": "",
        "Base_Question_en": "Where does XXX work?",
        "Entity_Information": {"name": "Ada"},
    }
    kqa = {
        "question": "Who?",
        "answer": "Ada",
        "choices": ["Ada", "Bo"],
        "sparql": "SELECT",
        "program": [{"function": "Find", "dependencies": [], "inputs": ["x"]}],
    }
    hops = {
        "id": "m",
        "question": "Who?",
        "answer": "Ada",
        "answer_aliases": ["A."],
        "answerable": True,
        "paragraphs": [{"idx": 0, "title": "T", "paragraph_text": "Ada built it.", "is_supporting": True}],
        "question_decomposition": [{"question": "x", "answer": "Ada", "paragraph_support_idx": 0}],
    }
    passages = [{"document.content": "Ada built the mill."}, {"document.content": "It burnt."}]
    spans = [
        {
            "context": {"trace_id": "a1", "span_id": "1b"},
            "parent_id": None,
            "start_time": "2026-11-01T10:00:00+00:00",
            "end_time": "2026-11-01T10:00:02+00:00",
            "status_code": "OK",
            "attributes": {
                "openinference.span.kind": "CHAIN",
                "input.value": "Who built the mill?",
                "output.value": "Ada",
                "llm.token_count.prompt": 5,
            },
        },
        {
            "context": {"trace_id": "a1", "span_id": "2b"},
            "parent_id": "1b",
            "attributes": {"openinference.span.kind": "RETRIEVER", "retrieval.documents": passages},
        },
    ]
    return found | {
        "openinference": {"spans.jsonl": spans},
        "jsonl own": {"own.jsonl": own},
        "jsonl outside": {"qa.jsonl": [outside, outside | {"id": "r"}]},
        "kola": {"kola.jsonl": [qna, qna | {"_id": "l", "outputs": [["a", "b"]]}]},
        "soaybench": {"3.jsonl": [soay]},
        "kqapro": {"val.json": [kqa]},
        "hotpotqa": {"dev.json": [hop(), hop("h2")]},
        "two_wiki_multi_hop_qa": {"dev.json": [hop(evidences=[["a", "b", "c"]])]},
        "musique": {"m.jsonl": [hops, hops | {"id": "n"}]},
        "crud_rag": {"split_merged.json": CRUD},
        "uhgeval": {"u.jsonl": [{"id": "1"} | REPAIR, {"id": "2"} | REPAIR]},
    }


def mutate(files: Files, seed: int) -> Files:
    """A copy in which one to three fields are changed."""
    rng = random.Random(seed)
    changed = json.loads(json.dumps(files))
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        named = [name for name, value in sorted(changed.items()) if value]
        if not named:
            break
        rows = [name for name in named if name not in ABOUT]
        name = rng.choice(rows if rows and rng.random() < 0.9 else named)
        places = list(_places(changed, name))
        holder, key = rng.choice(places)
        kind = rng.randrange(10)
        if kind == 0:
            del holder[key]
        elif kind == 1 and isinstance(holder, list):
            holder.append(holder[key])
        elif kind == 2 and isinstance(holder, dict):
            holder[f"{key}x"] = holder.pop(key)
        elif kind == 3:
            holder[key] = {"a": holder[key]}
        elif kind == 4:
            holder[key] = [holder[key]]
        else:
            holder[key] = copy.deepcopy(rng.choice(VALUES))
        if not isinstance(changed.get(name), list | dict):
            changed[name] = files[name]  # the file itself is changed by other tests
    return changed


def put(files: Files, folder: Path) -> Path:
    """The files in the folder; the path to give to a reader, a lone file's own."""
    for name, value in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        _write(path, value)
    return folder if len(files) > 1 else folder / next(iter(files))


def _places(holder: Any, key: Any) -> Iterator[tuple[Any, Any]]:
    """(the list or mapping, its index or key) of every value below that one."""
    value = holder[key]
    inner = range(len(value)) if isinstance(value, list) else list(value) if isinstance(value, dict) else ()
    for one in inner:
        yield value, one
        yield from _places(value, one)


def _read(path: Path) -> Any:
    if path.suffix == ".json":
        return json.loads(path.read_text(encoding="utf-8"))
    if path.name.endswith(".jsonl.bz2"):
        return [json.loads(line) for line in bz2.decompress(path.read_bytes()).splitlines()]
    if path.suffix == ".jsonl":
        return [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line]
    if path.suffix == ".csv":
        rows = list(csv.DictReader(io.StringIO(path.read_text(encoding="utf-8"), newline="")))
        return [row | {name: ast.literal_eval(row[name]) for name in ("context", "reference") if name in row} for row in rows]
    if path.suffix == ".parquet":
        import pyarrow.parquet

        return [_opened(row) for row in pyarrow.parquet.read_table(path).to_pylist()]
    return None


def _opened(row: dict[str, Any]) -> dict[str, Any]:
    """A row of a Parquet file with its JSON texts as values."""
    return {name: json.loads(value) if name in JSON_TEXTS and value else value for name, value in row.items()}


JSON_TEXTS = ("labels", "inputs", "steps", "provenance", "meta", "checks")


def _write(path: Path, value: Any) -> None:
    rows = value if isinstance(value, list) else [value]
    if path.suffix == ".json":
        path.write_text(json.dumps(value), encoding="utf-8")
    elif path.suffix in (".jsonl", ".bz2"):
        text = "".join(json.dumps(row) + "\n" for row in rows).encode()
        path.write_bytes(bz2.compress(text) if path.suffix == ".bz2" else text)
    elif path.suffix == ".csv":
        path.write_text(_csv(rows), encoding="utf-8", newline="")
    else:
        _write_parquet(path, rows)


def _csv(rows: list[Any]) -> str:
    kept = [row for row in rows if isinstance(row, dict)] or [{"qid": "x"}]
    out = io.StringIO()
    table = csv.DictWriter(out, list(dict.fromkeys(name for row in kept for name in row)), restval="")
    table.writeheader()
    table.writerows({name: cell if isinstance(cell, str) else repr(cell) for name, cell in row.items()} for row in kept)
    return out.getvalue()


def _write_parquet(path: Path, rows: list[Any]) -> None:
    """As the rows are where pyarrow finds types for them; else with the changed columns as texts."""
    import pyarrow
    import pyarrow.parquet

    kept = [row for row in rows if isinstance(row, dict)] or [{"id": "x"}]
    kept = [{name: json.dumps(cell) if name in JSON_TEXTS else cell for name, cell in row.items()} for row in kept]
    try:
        table = pyarrow.Table.from_pylist(kept)
        pyarrow.parquet.write_table(table, path)
    except (pyarrow.ArrowException, OverflowError, UnicodeError):
        table = pyarrow.Table.from_pylist([{name: json.dumps(cell) for name, cell in row.items()} for row in kept])
        pyarrow.parquet.write_table(table, path)
