"""Command-line verbs that pair items which ask the same in two languages."""

from argparse import Namespace

from core.as_json import as_json
from terminal import paths
from terminal.choosing import find_person, join_lines
from terminal.output import format_count, refusal_line, show, show_end
from terminal.planning import describe_work
from terminal.session import Session, assign_batch


def import_files(session: Session, options: Namespace) -> int:
    first, second = (paths.find_file(session.folder, name) for name in (options.first, options.second))
    with session.bench(options, is_expected=False) as b:
        made = b.language_pairs.import_(first, second, options.format)
    for refused in (row for report in made.files for row in report.refused):
        session.say(refusal_line(refused))
    items, documents = (sum(getattr(report, name) for report in made.files) for name in ("items", "documents"))
    apart = [f"{n} {why}" for why, n in made.refused.items()] + (
        [f"{made.without_twin} without twin"] if made.without_twin else []
    )
    text = f"{format_count(items, 'item')} and {format_count(documents, 'document')}; {format_count(made.pairs, 'pair')} new, "
    text += f"{made.already} already there; not paired: {', '.join(apart) or 'none'}."
    show(session, options, made, text)
    return 0 if made.pairs or made.already else 1


def add(session: Session, options: Namespace) -> None:
    with session.bench(options) as b:
        pair = b.language_pairs.add(options.item, options.twin, options.person)
    show(session, options, pair.record(), f"{pair.item} and {pair.twin} are a pair.")


def translate(session: Session, options: Namespace) -> int:
    from workbench.release.pairs.translations import TranslationRequest

    request = TranslationRequest(
        agent=paths.agent(session.folder, options.agent),
        language=options.to,
        items=tuple(options.item),
        limit=options.limit,
        budget=options.budget,
        settings=paths.settings(session.folder, options.set),
    )
    with session.bench(options) as b:
        if b.agents.is_paid(request.agent):
            session.say(describe_work(b.translations.estimate(request)))
        job = b.translations.plan(request)
        assign_batch(session, b, job, options)
        result = session.finish(b, job)
    return show_end(session, options, {"job": job, **result}) or int(not result["drafted"] and bool(result["refused"]))


def remove(session: Session, options: Namespace) -> None:
    with session.bench(options) as b:
        b.language_pairs.remove(options.item, options.twin, find_person(b, options) if options.person else "")
    text = f"The pair of {options.item} and {options.twin} is taken apart; both items stay."
    show(session, options, {"item": options.item, "twin": options.twin}, text)


def list_pairs(session: Session, options: Namespace) -> None:
    with session.bench(options) as b:
        rows = b.language_pairs.list_pairs()
    records = [
        {
            **row.pair.record(),
            "languages": [row.item.language, row.twin.language],
            "questions": [row.item.question, row.twin.question],
            "answers": as_json([row.item.answers, row.twin.answers]),
            "misfit": row.misfit,
        }
        for row in rows
    ]
    lines = (
        f"{row.pair.item} {row.pair.twin}  {row.pair.source}{f' (not a pair: {row.misfit})' if row.misfit else ''}\n"
        f"  {row.item.question}  {row.item.answers[0]}\n  {row.twin.question}  {row.twin.answers[0]}"
        for row in rows
    )
    show(session, options, {"pairs": records}, lambda: join_lines(lines, "No language pairs."))
