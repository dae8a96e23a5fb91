"""Command-line verbs that freeze, check, certify, compare and export releases, and that import benchmarks."""

from argparse import Namespace
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict

from core.errors import BenchError
from core.installation import COMMAND
from terminal import paths
from terminal.choosing import join_lines
from terminal.output import format_count, refusal_line, show, show_end
from terminal.session import Session, assign_batch, select_options
from terminal.verbs.contesting.contests import freeze_erratum

MAX_QUESTION_CHARACTERS = 80
MAX_ANSWER_CHARACTERS = 200
OF_COUNTERFACTUAL = ("counterfactual_share", "counterfactual_seed")
OF_TINY = ("tiny_size", "tiny_metric", "tiny_seed")
MAX_NAMES = 20
"""Maximum number of left-out documents and items that a message names."""


def freeze(session: Session, options: Namespace) -> int | None:
    if options.errata_of is not None:
        _refuse_options(
            options, "--errata-of", options.errata_of, ("counterfactual_of", *OF_COUNTERFACTUAL, "tiny_of", *OF_TINY)
        )
        return freeze_erratum(session, options)
    if options.budget is not None:
        raise BenchError("--budget is for the judges of an erratum: give --errata-of RELEASE too, or leave it out.")
    if options.counterfactual_of is not None:
        _refuse_options(options, "--counterfactual-of", options.counterfactual_of, ("tiny_of", *OF_TINY))
        _freeze_counterfactual(session, options)
        return None
    if any(getattr(options, name) is not None for name in OF_COUNTERFACTUAL):
        raise BenchError("--counterfactual-share and --counterfactual-seed need --counterfactual-of: name a release.")
    if options.tiny_of is not None:
        _refuse_options(options, "--tiny-of", options.tiny_of)
        _freeze_tiny(session, options)
        return None
    if any(getattr(options, name) is not None for name in OF_TINY):
        raise BenchError("--tiny-size, --tiny-metric and --tiny-seed need --tiny-of: name a release.")
    with session.bench(options) as b:
        frozen = b.releases.freeze(
            options.name,
            tasks=options.task,
            domains=options.domain,
            **select_options(options, "split", "seed", "allow_unlicensed", "unreviewed_variants"),
            **select_options(options, "include_gold", "without_near_copies"),
            **select_options(options, "absence_share", "absence_seed", "absence_most", "sealed", "open_splits"),
        )
    excluded = _count_reasons(frozen.left_out)
    if documents := frozen.documents_left_out:
        excluded.append(f"{format_count(len(documents), 'document')} of other domains or languages")
        session.say(f"Documents left out: {_list_names([f'{d.title} ({d.domain}, {d.language})' for d in documents])}.")
    if held := frozen.held_back:
        names = [f"{i.id} “{i.question[:MAX_QUESTION_CHARACTERS]}” ({i.why.replace('_', ' ')})" for i in held]
        session.say(f"Accepted items left out: {_list_names(names)}.")
    if torn := list(dict.fromkeys(i.conversation for i in frozen.held_back if i.conversation)):
        session.say(
            f"Left out because not all turns are accepted: {format_count(len(torn), 'conversation')}, {_list_names(torn)}. "
            f"`{COMMAND} turns show {torn[0]}` shows the turns."
        )
    if offline := frozen.nugget_sets_left_out:
        excluded.append(f"the nuggets of {format_count(offline, 'item')}, which the offline agent drafted")
    if languages := frozen.unsearchable:
        session.say(f"No document in {' or '.join(languages)} can be searched: a run with a system that searches is refused.")
    variants = format_count(frozen.variants, "variant")
    if frozen.variants_left_out:
        variants += f" (left out: {', '.join(_count_reasons(frozen.variants_left_out))})"
    if alone := frozen.rewrites_read_by_one:
        session.say(f"No second person has read {format_count(alone, 'rewrite')} in the release.")
    size = f"{format_count(frozen.items, 'item')}, {variants}, {format_count(frozen.documents, 'document')}"
    size += f", nuggets of {format_count(frozen.nugget_sets, 'item')}" if frozen.nugget_sets else ""
    size += f", absence twins of {format_count(frozen.absence_twins, 'item')}" if frozen.absence_twins else ""
    size += f", gold answers of {format_count(frozen.sealed_items, 'item')} sealed" if frozen.sealed_items else ""
    if frozen.language_pairs:
        size += f", {format_count(frozen.language_pairs, 'language pair')} ({frozen.language_pairs_by_value} checked by value)"
    if frozen.language_pairs_left_out:
        apart = _count_reasons(Counter[str](frozen.language_pairs_left_out))
        session.say(f"Language pairs left out (their items are in the release): {', '.join(apart)}.")
    if frozen.absence_obstacles:
        without = Counter[str](frozen.absence_obstacles.values())
        session.say(f"Chosen for an absence twin, but without one: {', '.join(_count_reasons(without))}.")
    sources, copies = frozen.not_retrieved - frozen.near_copies, frozen.near_copies
    near = f" and {copies} near {'copy' if copies == 1 else 'copies'} of them" if copies else ""
    corpus = f" {format_count(sources, 'source')}{near} left out of the retrieval corpus." if sources else ""
    corpus = " The sources that answers were taken from are in the retrieval corpus." if frozen.gold_included else corpus
    text = f"{frozen.release} {frozen.hash}: {size}; left out: {', '.join(excluded) or 'nothing'}.{corpus}"
    show(session, options, frozen, text)
    return None


def _refuse_options(options: Namespace, kind: str, release: str, further: Sequence[str] = ()) -> None:
    """Raise BenchError if an option is given that has no effect on a release that is made from another one."""
    own = ("task", "domain", "split", "seed", "allow_unlicensed", "unreviewed_variants", "include_gold", "without_near_copies")
    if given := [name for name in (*own, "absence_share", "sealed", "open_splits", *further) if getattr(options, name)]:
        raise BenchError(
            f"--{given[0].replace('_', '-')} does not apply to {kind}, which keeps the items, splits and corpus of "
            f"{release}: leave it out."
        )


def _freeze_counterfactual(session: Session, options: Namespace) -> None:
    chosen = {"share": options.counterfactual_share, "seed": options.counterfactual_seed}
    with session.bench(options) as b:
        frozen = b.releases.freeze_counterfactual(
            options.name, options.counterfactual_of, **{name: value for name, value in chosen.items() if value is not None}
        )
    if why := Counter[str](frozen.obstacles.values()):
        session.say(f"Answers that stay as they are: {', '.join(_count_reasons(why))}.")
    if frozen.left_out:
        out = format_count(len(frozen.left_out), "item")
        session.say(f"Left out: {out}, whose evidence states a replaced date or number that is not the answer.")
    if frozen.variants_left_out:
        session.say(f"Left out: {format_count(frozen.variants_left_out, 'variant')} of changed items.")
    if frozen.twins_left_out:
        session.say(f"Left out: {format_count(frozen.twins_left_out, 'absence twin')}, because the corpus changed.")
    along = f", and of {format_count(frozen.along, 'further item')} with the same facts" if frozen.along else ""
    text = (
        f"{frozen.release} {frozen.hash}: {format_count(frozen.items, 'item')} of {frozen.of}; answers replaced of "
        f"{frozen.replaced} of {format_count(frozen.chosen, 'chosen item')}{along}, in "
        f"{frozen.changed_documents} of {format_count(frozen.documents, 'document')}."
    )
    show(session, options, frozen, text)


def _freeze_tiny(session: Session, options: Namespace) -> None:
    chosen = {name.removeprefix("tiny_"): getattr(options, name) for name in OF_TINY}
    with session.bench(options) as b:
        frozen = b.tiny.freeze(
            options.name, options.tiny_of, **{name: value for name, value in chosen.items() if value is not None}
        )
    show(session, options, frozen, "\n".join([f"{frozen.release} {frozen.hash}: experimental.", *frozen.sentences]))


def _count_reasons(counts: Mapping[str, int]) -> list[str]:
    return [f"{n} {why.replace('_', ' ')}" for why, n in counts.items()]


def _list_names(names: Sequence[str]) -> str:
    """Join the first MAX_NAMES names of a list, and add how many more there are."""
    return ", ".join(names[:MAX_NAMES]) + (f" and {len(names) - MAX_NAMES:,} more" if len(names) > MAX_NAMES else "")


def leakage(session: Session, options: Namespace) -> None:
    with session.bench(options) as b:
        leakage = b.release_browser.leakage(options.release)
    report = leakage.report
    if not report:
        show(session, options, report, f"{options.release}: no document is left out of the retrieval corpus.")
        return
    mean = "none" if report["mean"] is None else f"{report['mean']:.1%}"
    worst = ", ".join(f"{n} with at least {float(least):.0%}" for least, n in report["at_least"].items())
    lines = [
        f"{format_count(report['sources'], 'source')} left out of {format_count(report['documents'], 'document')}; mean share "
        f"of {report['window']}-character windows found there: {mean}; {worst}; {report['with_exact']} with an exact copy, "
        f"{report['with_near']} with a near one."
    ]
    lines += [f"{row['source']}  {row['share']:.1%}" for row in report["leaks"][:20] if row["share"]]
    show(session, options, {**report, "titles": leakage.titles}, "\n".join(lines))


def verify(session: Session, options: Namespace) -> int:
    if session.folder is not None and (session.folder / options.release).is_dir():
        from workbench.release.checking import verify_folder

        result = verify_folder(session.folder / options.release)
    else:
        with session.bench(options) as b:
            result = b.releases.verify(options.release)
    lines = [f"{p.file}{f':{p.line}' if p.line else ''}: {f'{p.id} ' if p.id else ''}{p.message}" for p in result.problems]
    show(session, options, result, "\n".join([*lines, "ok" if result.ok else f"{len(lines)} problems"]))
    return 0 if result.ok else 1


def diff(session: Session, options: Namespace) -> None:
    with session.bench(options) as b:
        changes = b.releases.diff(options.a, options.b)
    items = ", ".join(f"{len(getattr(changes, kind))} {kind}" for kind in ("added", "removed", "edited", "relabelled"))
    variants = ", ".join(f"{len(ids)} {kind}" for kind, ids in asdict(changes.variants).items())
    nuggets = f"; nuggets of {format_count(len(changes.nuggets), 'item')} differ" if changes.nuggets else ""
    twins = f"; absence twins of {format_count(len(changes.twins), 'item')} differ" if changes.twins else ""
    twins += f"; language pairs of {format_count(len(changes.language_pairs), 'item')} differ" if changes.language_pairs else ""
    contests = sum(map(len, changes.contests.values()))
    erratum = f"; {options.b} is an erratum of {options.a}, by {format_count(contests, 'contest')}" if contests else ""
    show(session, options, changes, f"{items}; variants: {variants}{nuggets}{twins}{erratum}")


def export(session: Session, options: Namespace) -> None:
    if options.to is not None:
        _publish(session, options)
        return
    if options.public:
        raise BenchError("--public needs --to hub:OWNER/NAME: give both, or leave out --public.")
    with session.bench(options) as b:
        out = paths.find_file(session.folder, options.out)
        if session.folder and session.folder.parts and out.resolve() == session.folder.resolve():
            raise BenchError(f"{options.out} is the current folder: name a new folder for the export.")
        exported = b.releases.export(
            options.release,
            options.format,
            out,
            withhold=options.withhold,
            with_html=not options.without_html,
            rows_per_file=options.rows_per_file,
        )
    show(session, options, exported, f"{exported.files} files in {options.out}.")


def _publish(session: Session, options: Namespace) -> None:
    if options.out is not None:
        raise BenchError(f"A release is written either to {options.to} or to the folder {options.out}: give only one of them.")
    with session.bench(options) as b:
        given = {"form": options.format} if options.format else {}
        done = b.hub.publish(options.release, options.to, withhold=options.withhold, public=options.public, **given)
    if options.public and done.private:
        session.say(f"{done.repo} already exists and is private: it stays private until you change its visibility on the hub.")
    state = "private" if done.private else "public"
    text = f"{done.repo} ({state}), tag {done.tag}{', was there already' if done.already else ''}: {done.url}"
    show(session, options, done, text)


def import_(session: Session, options: Namespace) -> int:
    with session.bench(options, is_expected=False) as b:
        if options.path.startswith("hub:"):
            report = b.hub.import_(options.path, options.format)
        else:
            report = b.releases.import_(paths.find_file(session.folder, options.path), options.format)
    for refused in report.refused:
        session.say(refusal_line(refused))
    counts = [format_count(report.items, "item"), format_count(report.documents, "document")]
    counts += [format_count(report.tables, "table")] if report.tables else []
    if options.format == "reviews":
        counts = [format_count(report.reviews, "review"), format_count(report.comments, "comment")]
    waiting = f"; {report.waiting} accepted there, but waiting for a second person here" if report.waiting else ""
    show(session, options, report, f"{' and '.join(counts)}; {report.already} already there{waiting}.")
    taken = report.items or report.already or report.documents or report.reviews or report.comments
    return 1 if report.refused and not taken else 0


def make_certificate(session: Session, options: Namespace) -> int:
    from workbench.evaluate.shortcuts.certificates import CertificateRequest

    request = CertificateRequest(
        release=options.release,
        shortcuts=tuple(options.probe),
        agents=tuple(paths.agent(session.folder, name) for name in options.agent),
        settings=paths.settings(session.folder, options.set),
        **select_options(options, "threshold", "seed", "budget"),
    )
    with session.bench(options) as b:
        job = b.certificates.plan(request)
        assign_batch(session, b, job, options)
        result = session.finish(b, job)
    return show_end(session, options, {"job": job, **result})


def show_certificate(session: Session, options: Namespace) -> None:
    from workbench.evaluate.shortcuts.certificate_report import render_report
    from workbench.evaluate.shortcuts.certificates import describe_certificate, record_rate

    by = tuple(name.strip() for name in (options.by or "").split(",") if name.strip())
    with session.bench(options) as b:
        report = b.certificates.report(options.release, options.id, by)
        flagged, total = b.certificates.list_flagged(options.release, options.id, options.page)
    record = {
        **describe_certificate(report.certificate),
        "rates": [record_rate(rate, by) for rate in report.rates],
        "flagged": [asdict(item) for item in flagged],
        "total": total,
    }
    lines = [f"{format_count(total, 'question')} that a shortcut answers:"]
    for item in flagged:
        lines.append(f"{item.item}  {item.question} → {_shorten(item.answer)}")
        lines += [
            f"    {right.label}: {f'{right.title}: ' if right.title else ''}{_shorten(right.answer)}"
            for right in item.right_answers
        ]
    show(session, options, record, lambda: f"{render_report(report)}\n" + "\n".join(lines))


def list_certificates(session: Session, options: Namespace) -> None:
    from workbench.evaluate.shortcuts.certificates import describe_certificate

    with session.bench(options) as b:
        found = b.certificates.list_certificates(options.release)
    lines = (f"{one.id}  {one.at}  {', '.join(one.settings['agents']) or 'no agent'}" for one in found)
    records = [describe_certificate(one) for one in found]
    show(session, options, {"certificates": records}, lambda: join_lines(lines, "No certificates."))


def _shorten(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= MAX_ANSWER_CHARACTERS else f"{line[:MAX_ANSWER_CHARACTERS].rstrip()} …"
