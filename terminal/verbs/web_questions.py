"""Command-line verbs with which people create questions about web pages from the lines of a file. A submitted question then
waits for a review in two phases, like a question from the page Web question."""

from argparse import Namespace
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from core.as_json import as_json
from core.errors import BenchError
from core.records import item_record
from terminal import paths
from terminal.choosing import find_person, join_lines
from terminal.output import item_lines, show
from terminal.session import Session
from terminal.verbs.work import read_rows

if TYPE_CHECKING:
    from workbench import Workbench
    from workbench.build.drafting.web_questions import WebDraft

PAGE_FIELDS = ("page_name", "page_url", "page_snippet", "page_last_modified", "page_result", "file")
"""Fields of a page in a file, as CRAG names them, and `file` in place of the page's HTML."""


def list_drafts(session: Session, options: Namespace) -> None:
    with session.bench(options) as b:
        records = [_draft_record(b, draft) for draft in b.web_questions.drafts(find_person(b, options))]
    _show_drafts(session, options, {"web_questions": records}, "No questions in progress.")


def begin(session: Session, options: Namespace) -> int:
    rows = [] if options.file is None else read_rows(session, options.file, "write one question on each line")
    refused: list[dict[str, Any]] = []
    begun: list[str] = []
    with session.bench(options, is_expected=False) as b:
        person = find_person(b, options)
        if options.file is None:
            begun.append(b.web_questions.begin(person))
        for number, row in rows:
            try:
                begun.append(_begin_row(session, b, person, row))
            except BenchError as error:
                refused.append({"where": options.file, "line": number, "message": str(error)})
        drafts = {draft.id: draft for draft in b.web_questions.drafts(person)}
        records = [_draft_record(b, drafts[id_]) for id_ in begun]
    for one in refused:
        session.say(f"{one['where']}:{one['line']}: {one['message']}")
    _show_drafts(session, options, {"web_questions": records, "refused": refused}, "No questions were begun.")
    return 0 if begun or not refused else 1


def _begin_row(session: Session, bench: "Workbench", person: str, row: Mapping[str, Any]) -> str:
    """Begin a question from one line of a file, with its web pages. If a field or a page cannot be stored, delete the question
    and raise the error (BenchError or OSError)."""
    from workbench.build.drafting.web_questions import FIELDS

    pages = row.get("pages", [])
    if unknown := [name for name in row if name not in (*FIELDS, "pages")]:
        raise BenchError(f"A web question has no field {unknown[0]!r}: its fields are {', '.join(FIELDS)} and pages.")
    if not isinstance(pages, list) or not all(isinstance(page, dict) and page.keys() <= set(PAGE_FIELDS) for page in pages):
        raise BenchError(
            f"`pages` must be a list of objects; their fields are {', '.join(PAGE_FIELDS[:-1])} and {PAGE_FIELDS[-1]}."
        )
    fields = {name: _read_text_field(row[name]) for name in FIELDS if row.get(name) is not None}
    id_ = bench.web_questions.begin(person)
    try:
        bench.web_questions.keep(person, id_, fields)
        for page in pages:
            about = {name: _read_text_field(value) for name, value in page.items() if value is not None}
            file = about.pop("file", "")
            html = about.pop("page_result", "")
            content = paths.read_bytes(session.folder, file) if file else html
            bench.web_questions.add_page(person, id_, content, about)
    except (BenchError, OSError):
        bench.web_questions.drop(person, id_)
        raise
    return id_


def _read_text_field(value: object) -> str:
    """Return the value of a field as text; a list becomes one line for each entry."""
    return "\n".join(map(str, value)) if isinstance(value, list) else str(value)


def hand_in(session: Session, options: Namespace) -> int:
    handed_in, refused = [], []
    with session.bench(options) as b:
        person = find_person(b, options)
        for id_ in options.id:
            try:
                handed_in.append(b.web_questions.hand_in(person, id_))
            except BenchError as error:
                refused.append({"id": id_, "message": str(error)})
        cut = b.item_list.load_evidence(handed_in)
        records = [item_record(item, cut) for item in handed_in]
    for one in refused:
        session.say(f"{one['id']}: {one['message']}")
    record = {"items": records, "refused": refused}
    show(session, options, record, lambda: item_lines(records) or "Nothing was handed in.")
    return 0 if handed_in or not refused else 1


def drop(session: Session, options: Namespace) -> None:
    with session.bench(options) as b:
        b.web_questions.drop(find_person(b, options), options.id)
    show(session, options, {"dropped": options.id}, f"{options.id}: deleted.")


def _draft_record(bench: "Workbench", draft: "WebDraft") -> dict[str, Any]:
    """Return a question in progress as a JSON record, with a list of what the question still lacks."""
    missing = bench.web_questions.list_missing(draft.content)
    return {"id": draft.id, **as_json(draft.content), "saved_at": draft.saved_at, "missing": missing}


def _show_drafts(session: Session, options: Namespace, record: dict[str, Any], when_empty: str) -> None:
    lines = (
        f"{draft['id']}  {draft['question'] or 'no question yet'}  ({len(draft['pages'])} pages"
        f"{'; ' + '; '.join(draft['missing']) if draft['missing'] else ''})"
        for draft in record["web_questions"]
    )
    show(session, options, record, lambda: join_lines(lines, when_empty))
