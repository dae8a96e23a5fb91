"""What was accepted is frozen, checked, compared, exported; a benchmark is imported."""

from argparse import Namespace
from collections.abc import Sequence
from typing import TYPE_CHECKING

from core.errors import BenchError
from terminal.output import format_count, refusal_line, show
from terminal.session import Session

if TYPE_CHECKING:
    from workbench.release.releases import HeldBackItem, LeftOutDocument

LONGEST_QUESTION = 80
"""Characters of a question that is named."""
MAX_NAMES = 20
"""Documents and items left out that are named."""


def freeze(session: Session, options: Namespace) -> int:
    with session.bench(options) as b:
        made = b.releases.freeze(
            options.name,
            tasks=options.task,
            domains=options.domain,
            split=options.split,
            seed=options.seed,
            allow_unlicensed=options.allow_unlicensed,
            unreviewed_variants=options.unreviewed_variants,
            include_gold=options.include_gold,
            without_near_copies=options.without_near_copies,
        )
    apart = made.documents_left_out
    away = [f"{format_count(len(apart), 'document')} of other domains or languages"] if apart else []
    left = ", ".join([*(f"{n} {why.replace('_', ' ')}" for why, n in made.left_out.items()), *away]) or "nothing"
    if apart:
        session.say(f"Documents left out: {_list_first_names([_format_document(one) for one in apart])}.")
    if held := made.held_back:
        session.say(f"Accepted and left out: {_list_first_names([_format_item(one) for one in held])}.")
    out = ", ".join(f"{n} {why.replace('_', ' ')}" for why, n in made.variants_left_out.items())
    variants = format_count(made.variants, "variant") + (f" (left out: {out})" if out else "")
    size = f"{format_count(made.items, 'item')}, {variants}, {format_count(made.documents, 'document')}"
    sources, copies = made.not_retrieved - made.near_copies, made.near_copies
    near = f" and {copies} near {'copy' if copies == 1 else 'copies'} of them" if copies else ""
    kept = f" {format_count(sources, 'source')}{near} left out of the retrieval corpus." if sources else ""
    kept = " The sources that answers were taken from are in the retrieval corpus." if made.gold_included else kept
    show(session, options, made, f"{made.release} {made.hash}: {size}; left out: {left}.{kept}")
    return 0


def _list_first_names(found: Sequence[str]) -> str:
    """The first of what did not go in, and how many more there are."""
    return ", ".join(found[:MAX_NAMES]) + (f" and {len(found) - MAX_NAMES:,} more" if len(found) > MAX_NAMES else "")


def _format_document(document: "LeftOutDocument") -> str:
    return f"{document.title} ({document.domain}, {document.language})"


def _format_item(item: "HeldBackItem") -> str:
    return f"{item.id} “{item.question[:LONGEST_QUESTION]}” ({item.why.replace('_', ' ')})"


def leakage(session: Session, options: Namespace) -> int:
    with session.bench(options) as b:
        found = b.shelf.leakage(options.release)
    if not found:
        show(session, options, found, f"{options.release}: no document is left out of the retrieval corpus.")
        return 0
    mean = "none" if found["mean"] is None else f"{found['mean']:.1%}"
    worst = ", ".join(f"{n} with at least {float(least):.0%}" for least, n in found["at_least"].items())
    lines = [
        f"{format_count(found['sources'], 'source')} left out of {format_count(found['documents'], 'document')}; mean share of "
        f"{found['window']}-character windows found there: {mean}; {worst}; {found['with_exact']} with an exact copy, "
        f"{found['with_near']} with a near one."
    ]
    lines += [f"{row['source']}  {row['share']:.1%}" for row in found["leaks"][:20] if row["share"]]
    show(session, options, found, "\n".join(lines))
    return 0


def verify(session: Session, options: Namespace) -> int:
    folder = session.folder / options.release
    if folder.is_dir():
        from workbench.release.checking import verify_folder

        found = verify_folder(folder)
    else:
        with session.bench(options) as b:
            found = b.releases.verify(options.release)
    lines = [f"{p.file}{f':{p.line}' if p.line else ''}: {p.message}" for p in found.problems]
    show(session, options, found, "\n".join([*lines, "ok" if found.ok else f"{len(lines)} problems"]))
    return 0 if found.ok else 1


def diff(session: Session, options: Namespace) -> int:
    with session.bench(options) as b:
        found = b.releases.diff(options.a, options.b)
    kinds = ("added", "removed", "edited", "relabelled")
    varied = ", ".join(f"{len(ids)} {what}" for what, ids in found["variants"].items())
    show(session, options, found, lambda: f"{', '.join(f'{len(found[kind])} {kind}' for kind in kinds)}; variants: {varied}")
    return 0


def export(session: Session, options: Namespace) -> int:
    with session.bench(options) as b:
        out = session.folder / options.out
        if session.folder.parts and out.resolve() == session.folder.resolve():
            raise BenchError(f"{options.out} is the folder you stand in: name a new one for the export.")
        made = b.releases.export(
            options.release, options.format, out, withhold=options.withhold, with_html=not options.without_html
        )
    show(session, options, made, f"{made.files} files in {options.out}.")
    return 0


def import_(session: Session, options: Namespace) -> int:
    with session.bench(options) as b:
        found = b.releases.import_(session.folder / options.path, options.format)
    for refused in found["refused"]:
        session.say(refusal_line(refused))
    came = [format_count(found["items"], "item"), format_count(found["documents"], "document")]
    came += [format_count(found["tables"], "table")] if found["tables"] else []
    if options.format == "reviews":
        came = [format_count(found["reviews"], "review"), format_count(found["comments"], "comment")]
    show(session, options, found, f"{' and '.join(came)}; {found['already']} already there.")
    return 0 if any(found[kind] for kind in ("items", "already", "documents", "reviews")) else 1
