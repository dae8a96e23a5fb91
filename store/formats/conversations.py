"""Read and write conversations as JSON lines, one conversation per line:

    {"id"?, "goal"?, "domain"?, "language"?, "level"?, "contexts": [{"title"?, "text"}],
     "turns": [{"id"?, "question", "answers" or "answer", "standalone"?, "evidence"?: [a text that a context contains]}]}

Each turn becomes an item with the label `conversation`. Instead of `turns`, a line may have `messages` as chat models take
them: [{"role": "user", "content"}, {"role": "assistant", "content"}, ...]. The file is written as conversations.jsonl; items
that are no turn of a conversation are left out of it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from core.errors import BenchError
from core.ids import derived_id
from core.nouns import Document, Item, Span
from core.quality.conversations import (
    LABEL,
    MAX_TURNS,
    TASK,
    ConversationTurn,
    Exchange,
    earlier_step,
    group_turns,
    read_turn,
    turn_label,
)
from core.text.text import overlap
from store.format import Bundle, Format
from store.formats._folder import make_cutter, write_common_files, write_lines
from store.formats._golds import hash_answers
from store.formats._lines import describe_refusal, find_file, read_lines
from store.formats._outside import check_item, parse_outside
from store.formats._record_files import Column, RecordFile
from store.formats._withheld import map_splits, withheld_documents

FILE = "conversations.jsonl"
RECORD_FILES = (
    RecordFile(
        name="conversations",
        about="A conversation: questions of which each follow-up refers to the turns before.",
        patterns=(FILE,),
        columns={
            "id": Column("Id of the conversation."),
            "goal": Column("What the user wants to find out; empty if unknown or withheld."),
            "domain": Column("Domain of the conversation's documents."),
            "language": Column("Code of the language of the first question."),
            "level": Column("Level of difficulty of the first question, or none."),
            "contexts": Column("The documents that belong to the turns: title and text.", "json"),
            "turns": Column(
                "The turns in order: id of the item, question, split, and, unless withheld, answers, standalone question and "
                "the texts of the evidence.",
                "json",
            ),
        },
    ),
)


def write(bundle: Bundle, folder: Path, withheld: frozenset[str]) -> None:
    """Write the release's conversations, sorted by id. Raises BenchError if the release has none."""
    groups = group_turns(bundle.items)
    if not groups:
        raise BenchError(f"The release {bundle.name!r} has no conversations: export it in another format, such as jsonl.")
    write_lines(folder / FILE, (_build_record(bundle, name, groups[name], withheld) for name in sorted(groups)))
    write_common_files(bundle, folder, withheld, RECORD_FILES)


def read(path: Path) -> Bundle:
    """Read a file of conversations, or the file conversations.jsonl of a folder. A faulty conversation is rejected as a
    whole."""
    file = find_file(path, FILE, "a .jsonl file with one conversation per line")
    items: dict[str, Item] = {}
    documents: dict[str, Document] = {}
    seen, refused = set[str](), list[Mapping[str, Any]]()
    for number, record, why in read_lines(file):
        try:
            if record is None:
                raise ValueError(why)
            name, turns, found = _parse_conversation(record, f"{file.name}:{number}")
            if name in seen or any(item.id in items for item in turns):
                raise ValueError(f"repeats the conversation {name}, or one of its turns")
        except ValueError as error:
            refused.append(describe_refusal(file.name, number, str(error)))
            continue
        seen.add(name)
        items |= {item.id: item for item in turns}
        documents |= found
    if not items:
        why = str(refused[0]["message"]) if refused else f"{file} holds no conversations: give one JSON object a line."
        raise BenchError(why)
    return Bundle(documents=list(documents.values()), items=list(items.values()), refused=refused)


def _parse_conversation(record: Mapping[str, Any], origin: str) -> tuple[str, list[Item], dict[str, Document]]:
    """Return (id, items, documents by id) of a conversation. Raises ValueError if it is faulty; the caller adds the position in
    the file to the message."""
    turns = record["turns"] if "turns" in record else _pair_messages(record.get("messages"))
    if not isinstance(turns, list) or not all(isinstance(turn, Mapping) for turn in turns) or not 0 < len(turns) <= MAX_TURNS:
        raise ValueError(f"has no `turns`: give a list of 1 to {MAX_TURNS} objects with question and answers")
    name, goal = record.get("id") or derived_id("conversation", *(turn.get("question") for turn in turns)), record.get("goal")
    if not isinstance(name, str) or not isinstance(goal or "", str):
        raise ValueError("has an id or a goal that is not text")
    shared = {key: record[key] for key in ("domain", "language", "level", "contexts") if record.get(key) is not None}
    items: list[Item] = []
    documents: dict[str, Document] = {}
    for number, turn in enumerate(turns, 1):
        if turn.get("withheld"):
            raise ValueError("is withheld: its answers are not here")
        words = {key: turn[key] for key in ("question", "answers", "answer") if key in turn}
        try:
            parsed = parse_outside({**shared, **words, "task": TASK, "id": turn.get("id") or f"{name}:{number}"}, origin)
            standalone = turn.get("standalone") or ""
            place = turn_label(ConversationTurn(name, number, len(turns), standalone, goal or ""))
            before = [Exchange(one.question, one.answers[0]) for one in items]
            item = replace(
                parsed.item,
                labels={**(turn.get("labels") or {}), LABEL: place},
                steps=(earlier_step(before),) if before else (),
            )
            item = _with_evidence(item, turn.get("evidence") or [], parsed.documents)
            items.append(check_item(item))
        except ValueError as error:
            raise ValueError(f"has a turn {number} that {error}") from error
        documents |= {document.id: document for document in parsed.documents}
    return name, items, documents


def _pair_messages(messages: object) -> list[dict[str, Any]]:
    """Return the turns of a list of messages, in which the user and the assistant take turns."""
    if not isinstance(messages, list) or not all(isinstance(one, Mapping) for one in messages):
        raise ValueError("has neither `turns` nor `messages`")
    roles = [one.get("role") for one in messages if one.get("role") != "system"]
    texts = [one.get("content") for one in messages if one.get("role") != "system"]
    if roles != ["user", "assistant"] * (len(roles) // 2):
        raise ValueError("has messages in which the user and the assistant do not take turns, beginning with the user")
    return [{"question": a, "answer": b} for a, b in zip(texts[::2], texts[1::2], strict=True)]


def _with_evidence(item: Item, quotes: object, documents: Sequence[Document]) -> Item:
    """Return the item with the passages that `quotes` states word for word as its evidence, and the overlap with them."""
    if not isinstance(quotes, list) or not all(isinstance(quote, str) and quote.strip() for quote in quotes):
        raise ValueError("has evidence that is not a list of texts")
    spans = []
    for quote in quotes:
        found = next((Span(d.id, at, at + len(quote)) for d in documents if (at := d.text.find(quote)) >= 0), None)
        if found is None:
            raise ValueError(f"has evidence that no context contains: {quote[:40]!r}")
        spans.append(found)
    share = overlap(item.question, "\n".join(quotes), item.language) if quotes else None
    return replace(item, evidence=tuple(dict.fromkeys(spans)), overlap=share)


def _build_record(bundle: Bundle, name: str, group: Sequence[Item], withheld: frozenset[str]) -> dict[str, Any]:
    splits, cut = map_splits(bundle), make_cutter(bundle.documents)
    hidden, by_id = withheld_documents(bundle, withheld), {document.id: document for document in bundle.documents}
    is_withheld = any(splits.get(item.id, "test") in withheld for item in group)
    first = group[0]
    proving = () if is_withheld else [span.document for item in group for span in item.evidence]
    own = dict.fromkeys([*(id_ for item in group for id_ in item.given), *proving])
    goal = next((turn.goal for item in group if (turn := read_turn(item.labels))), "")

    def list_turns() -> Iterator[dict[str, Any]]:
        for item in group:
            turn = read_turn(item.labels)
            head = {"id": item.id, "question": item.question, "split": splits.get(item.id, "test")}
            if is_withheld:
                yield head | {"withheld": True, "answer_hashes": hash_answers(item, bundle)}
                continue
            more: dict[str, Any] = {"standalone": turn.standalone} if turn and turn.standalone else {}
            labels = {key: value for key, value in item.labels.items() if key != LABEL}
            more |= {"labels": labels} if labels else {}
            yield head | {"answers": list(item.answers)} | more | {"evidence": [cut(span) for span in item.evidence]}

    return {
        "id": name,
        "goal": "" if is_withheld else goal,
        "domain": first.domain,
        "language": first.language,
        "level": first.level,
        "contexts": [_build_context(by_id[id_]) for id_ in own if id_ not in hidden],
        "turns": list(list_turns()),
    }


def _build_context(document: Document) -> dict[str, Any]:
    licence = {"licence": document.licence} if document.licence else {}
    return {"title": document.title, "text": document.text} | licence


FORMAT = Format(label="Conversations", write=write, read=read)
