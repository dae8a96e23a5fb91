"""Command-line verbs that contest items of releases, decide on contests, and show the scores and ranks that an erratum
changed."""

from argparse import Namespace
from collections.abc import Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from core.as_json import as_json
from core.nouns import Item
from terminal import paths
from terminal.choosing import join_lines
from terminal.output import format_count, show, show_end
from terminal.session import Session, select_options

if TYPE_CHECKING:
    from workbench.release.contests import Contest, ContestCase


def freeze_erratum(session: Session, options: Namespace) -> int:
    """Freeze an erratum, score the runs again, and show which scores and ranks changed."""
    with session.bench(options) as b:
        frozen = b.errata.freeze(options.name, options.errata_of, options.budget)
        erratum = frozen.erratum
        result = session.finish(b, frozen.job) if frozen.job else None
        moved = b.errata.report(options.name) if frozen.job else ""
    kinds = {"corrected": erratum.corrected, "withdrawn": erratum.withdrawn}
    changes = "; ".join(f"{kind}: {', '.join(ids)}" for kind, ids in kinds.items() if ids)
    lines = [f"{erratum.release} {erratum.hash}: an erratum of {erratum.of}, {format_count(erratum.items, 'item')}; {changes}."]
    if n := len(erratum.contradicted):
        of = f"{format_count(n, 'corrected answer')} from tables that the erratum keeps and that give the old answers"
        session.say(f"{of}: for systems that read these tables, freeze a new release with newer tables instead.")
    lines += [result["message"], moved] if result else ["The corrected release has no runs to score again."]
    show(session, options, {**asdict(erratum), "rescored": result}, "\n".join(lines))
    return int(bool(result and result["stopped"]))


def import_files(session: Session, options: Namespace) -> int:
    with session.bench(options) as b:
        taken = [b.contests.take(paths.read_bytes(session.folder, name), name) for name in options.file]
    new, already = [id_ for one in taken for id_ in one.new], sum(one.already for one in taken)
    refused = [sentence for one in taken for sentence in one.refused]
    for sentence in refused:
        session.say(sentence)
    text = f"{format_count(len(new), 'contest')} new, {already} already there, {len(refused)} refused."
    show(session, options, {"new": new, "already": already, "refused": refused}, text)
    return 0 if new or already or not refused else 1


def add(session: Session, options: Namespace) -> None:
    from workbench.release.contests import NewContest

    with session.bench(options) as b:
        new = NewContest(**select_options(options, "item", "kind", "answer", "reason", "person"))
        contest = b.contests.submit(options.release, new)
    show(session, options, encode_contest(contest), f"The contest {contest.id} is stored.")


def list_contests(session: Session, options: Namespace) -> None:
    with session.bench(options) as b:
        found = b.contests.list_contests(options.release, options.state)
    records = [encode_contest(one) for one in found]
    show(session, options, {"contests": records}, lambda: join_lines(map(_render_line, found), "No contests."))


def show_contest(session: Session, options: Namespace) -> None:
    with session.bench(options) as b:
        case = b.contests.load_case(options.contest)
    record = {
        **encode_contest(case.contest),
        "released": _encode_item(case.released.item, case.released.evidence),
        "now": _encode_item(case.item, case.evidence),
        "others": [one.id for one in case.others],
    }
    show(session, options, record, lambda: "\n".join(_render_case(case)))


def decide(session: Session, options: Namespace) -> None:
    from workbench.release.contests import ContestRuling

    names = ("contest", "decision", "person", "question", "answers", "evidence", "withdraw", "reason")
    with session.bench(options) as b:
        contest = b.contests.decide(ContestRuling(**select_options(options, *names)))
    show(session, options, encode_contest(contest), lambda: _render_line(contest))


def show_errata(session: Session, options: Namespace) -> None:
    with session.bench(options) as b:
        text = b.errata.report(options.release, "json" if options.json else options.format, options.metric)
    session.write_out(text)


def rescore(session: Session, options: Namespace) -> int:
    with session.bench(options) as b:
        job = b.errata.plan(options.release, options.budget)
        result = session.finish(b, job)
    for one in result["runs"]:
        if one["why"]:
            session.say(f"{one['run']}: not scored again. {one['why']}")
        if one["command"]:
            session.say(f"{one['run']} has open questions. This command asks only these: {one['command']}")
    return show_end(session, options, {"job": job, **result})


def encode_contest(one: "Contest") -> dict[str, Any]:
    """Return a contest as JSON values."""
    record: dict[str, Any] = as_json(one)
    return record | {"state": one.state}


def _encode_item(item: Item, evidence: Any) -> dict[str, Any]:
    fields = ("id", "revision", "status", "question", "answers")
    return {name: as_json(getattr(item, name)) for name in fields} | {"evidence": list(evidence)}


def _render_line(one: "Contest") -> str:
    proposed = f" → {one.answer}" if one.answer else ""
    text = f"{one.id}  {one.state}  {one.release} {one.item}  {one.kind}: {one.reason}{proposed}"
    if one.decisions:
        last = one.decisions[-1]
        what = f"revision {last.revision}" if last.revision else "withdrawn" if last.decision == "accept" else ""
        text = f"{text}  ({', '.join(part for part in (last.person, what, last.reason) if part)})"
    return "".join(sign if sign.isprintable() else " " for sign in text)  # strangers may write what looks like another row


def _render_case(case: "ContestCase") -> Iterator[str]:
    yield _render_line(case.contest)
    for name, item, evidence in (("released", case.released.item, case.released.evidence), ("now", case.item, case.evidence)):
        yield f"{name}: revision {item.revision}, {item.status}"
        yield f"  Q {item.question}"
        yield f"  A {' | '.join(item.answers)}"
        yield from (f"  > {text}" for text in evidence)
        if case.item.revision == case.released.item.revision and case.item.status == "accepted":
            break
    for one in case.contest.decisions:
        yield f"{one.at}  {one.person}  {one.decision}  {one.reason}"
    if case.others:
        yield f"Other contests of the item: {', '.join(other.id for other in case.others)}"
