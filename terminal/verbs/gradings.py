"""Command-line verbs for batches of answers that people grade without seeing which system gave them."""

from argparse import Namespace
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.as_json import as_json
from core.errors import BenchError
from terminal import paths
from terminal.choosing import join_lines, wait_for
from terminal.output import format_count, show
from terminal.session import Session, select_options

if TYPE_CHECKING:
    from workbench.evaluate.grading.next_marks import MarkingPlan


def start(session: Session, options: Namespace) -> None:
    from workbench.evaluate.grading.grading_draw import GradingPlan

    plan = GradingPlan(
        options.run,
        by="" if options.by == "nothing" else options.by,
        **select_options(options, "scheme", "of", "each", "graders", "seed"),
    )
    with session.bench(options) as b:
        batch = b.grading.start(plan, options.person)
        [summary] = b.grading.list_batches(batch)
    show(session, options, as_json(summary), f"{batch}: {format_count(summary.places, 'answer')} to grade.")


def plan_next(session: Session, options: Namespace) -> None:
    from workbench.evaluate.grading.next_marks import MarkingRequest

    names = ("run", "against", "metric", "scheme", "size", "graders", "width", "seed")
    request = MarkingRequest(**select_options(options, *names))
    with session.bench(options) as b:
        plan = wait_for(lambda: b.next_marks.plan(request))
        batch = b.next_marks.start(request, options.person) if options.start else None
    lines = [plan.says, *_list_plan(plan), *([f"{batch}: the batch is started."] if batch else [])]
    show(session, options, {**as_json(plan), "batch": batch}, "\n".join(lines))


def _list_plan(plan: "MarkingPlan") -> Iterator[str]:
    """Yield the lines of a plan: the estimate, the questions left out, the strata and the forecast."""
    one = plan.interval
    if one.mean is not None and one.low is not None and one.high is not None:
        always, fixed = f"[{one.always_low:+.3f}, {one.always_high:+.3f}]", f"[{one.low:+.3f}, {one.high:+.3f}]"
        what = "difference" if len(plan.names) == 2 else "mean"
        yield f"{what} {one.mean:+.3f}, interval at every look {always}, for a fixed number of marks {fixed}"
    minutes = "" if plan.seconds is None else f", {plan.seconds / 60:.1f} minutes"
    yield f"{plan.marked} of {plan.questions} questions marked ({plan.marks} marks{minutes}); {plan.known} need no mark"
    counts = {"left out because a system failed or was not asked": plan.failed, "without an effective mark": plan.unresolved}
    yield from (f"{n} {words}" for words, n in counts.items() if n)
    if plan.other_batches:
        yield f"{plan.other_batches} other closed batches of these runs do not count: their answers were drawn otherwise"
    if len(plan.sides) == 2 and plan.metric:
        yield f"A is {plan.sides[0]}, B is {plan.sides[1]}"
    for stratum in plan.strata:
        yield f"  {stratum.name}: {stratum.marked} of {stratum.size} marked, spread {stratum.spread:.2f}, next {stratum.next}"
    for step in plan.forecast:
        time = "" if step.seconds is None else f", {step.seconds / 60:.0f} minutes"
        yield f"  {step.units} more questions{time}: ± {step.always:.3f} at every look, ± {step.half:.3f} for a fixed number"


def list_gradings(session: Session, options: Namespace) -> None:
    with session.bench(options) as b:
        records: list[dict[str, Any]] = [as_json(one) for one in b.grading.list_batches()]
    lines = (
        f"{r['id']}  {r['done']}/{r['places']} graded, {r['conflicts']} in conflict, "
        f"{'closed' if r['closed'] else 'open'}  {r['scheme']} on {r['release']}"
        for r in records
    )
    show(session, options, {"gradings": records}, lambda: join_lines(lines, "No batches."))


def export_sheet(session: Session, options: Namespace) -> None:
    out = paths.find_file(session.folder, options.out)
    with session.bench(options) as b:
        sheet = b.grading_files.sheet(options.batch)
    write_new(out, sheet)
    rows = sheet.count(b"\n") - 1
    show(
        session,
        options,
        {"batch": options.batch, "out": options.out},
        f"{options.out}: {rows} lines written, without names of systems.",
    )


def write_new(out: Path, content: bytes) -> None:
    """Write a new file. Raises BenchError if the file already exists."""
    try:
        with out.open("xb") as file:
            file.write(content)
    except FileExistsError as error:
        raise BenchError(f"{out} exists already: name a new file.") from error


def import_marks(session: Session, options: Namespace) -> int:
    raw = paths.read_bytes(session.folder, options.file)
    with session.bench(options) as b:
        received = b.grading_files.take(options.batch, options.person, raw)
    for sentence in received.refused:
        session.say(sentence)
    counts = f"{received.stored} marks stored, {received.already} already there, {received.blank} rows without a mark"
    show(session, options, received, f"{counts}, {len(received.refused)} refused.")
    return 0 if received.stored or received.already or not received.refused else 1


def close(session: Session, options: Namespace) -> None:
    with session.bench(options) as b:
        b.grading.close_batch(options.batch, options.person)
    show(session, options, {"closed": options.batch}, f"{options.batch}: closed.")


def show_grading(session: Session, options: Namespace) -> None:
    with session.bench(options) as b:
        if options.lines:
            session.write_out(b.grading.export_lines(options.batch))
            return
        result = b.grading.result(options.batch)
    lines = [
        f"{system.name}: mean {'–' if system.mean.mean is None else format(system.mean.mean, '.3f')}, "
        f"{', '.join(f'{n} {mark}' for mark, n in system.counts.items())}"
        for system in result.systems
    ]
    lines.append(f"Of {result.twice} answers with two grades, {result.same} have equal grades.")
    show(session, options, as_json(result), "\n".join(lines))
