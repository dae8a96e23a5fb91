"""Command-line verbs that list, correct, remove and restore documents of the corpus."""

from argparse import Namespace
from typing import TYPE_CHECKING, Any

from core.as_json import as_json
from core.errors import BenchError
from terminal.choosing import join_lines
from terminal.output import format_count, show, show_end
from terminal.session import Session

if TYPE_CHECKING:
    from workbench import Workbench


def list_documents(session: Session, options: Namespace) -> None:
    from workbench.build.corpus.corpus import DocumentFilter

    only = DocumentFilter(options.text, options.domain, options.language)
    with session.bench(options) as b:
        rows, total = b.corpus.page(only, "title", max(options.limit, 0))
    records: list[dict[str, Any]] = [as_json(row) for row in rows]
    lines = [f"{r['id']}  {r['domain']} {r['language']} {r['licence'] or 'no licence'}  {r['title']}" for r in records]
    lines += [f"{len(records):,} of {format_count(total, 'document')}: --limit lists more."] if total > len(records) else []
    show(session, options, {"documents": records, "total": total}, lambda: join_lines(lines, "No documents."))


def change(session: Session, options: Namespace) -> None:
    if options.licence is None and options.domain is None and options.language is None:
        raise BenchError("Nothing to change: give --licence, --domain or --language.")
    if bool(options.id) == options.unlicensed:
        raise BenchError("Give either the ids of documents, or --unlicensed for all documents without a licence.")
    changed = {}
    with session.bench(options) as b:
        ids = _list_unlicensed(b) if options.unlicensed else options.id
        if options.licence is not None:
            changed["licence"] = b.corpus.set_licence(ids, options.licence, options.person)
        if options.domain is not None:
            changed["domain"] = b.corpus.set_domain(ids, options.domain, options.person)
        if options.language is not None:
            changed["language"] = b.corpus.set_language(ids, options.language, options.person)
    counts = "; ".join(f"{name} of {format_count(n, 'document')}" for name, n in changed.items())
    show(session, options, {"changed": changed}, f"Changed: {counts}.")


def _list_unlicensed(bench: "Workbench") -> list[str]:
    from workbench.build.corpus.corpus import DocumentFilter

    rows, _ = bench.corpus.page(DocumentFilter(licence=""), limit=bench.corpus.size().documents)
    return [row.id for row in rows]


def remove(session: Session, options: Namespace) -> None:
    with session.bench(options) as b:
        n = b.removal.remove(options.id, options.person)
    show(session, options, {"removed": n}, f"{format_count(n, 'document')} removed.")


def restore(session: Session, options: Namespace) -> None:
    with session.bench(options) as b:
        n = b.removal.bring_back(options.id, options.person)
    show(session, options, {"restored": n}, f"{format_count(n, 'document')} restored.")


def replace(session: Session, options: Namespace) -> None:
    with session.bench(options) as b:
        result = b.removal.replace(options.id, options.by, options.person)
    record = {
        "moved": list(result.moved),
        "left": list(result.left),
        "removed": result.is_removed,
        "moved_accepted": result.accepted,
    }
    moved = f"{format_count(len(result.moved), 'item')} moved and waiting for review ({result.accepted} accepted before)"
    text = f"{moved}, {len(result.left)} left on the old text."
    show(session, options, record, text)


def count(session: Session, options: Namespace) -> int:
    with session.bench(options) as b:
        return show_end(session, options, session.finish(b, b.corpus.plan_count()))
