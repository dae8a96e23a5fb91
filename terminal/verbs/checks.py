"""Command-line verbs that show how much of the corpus the items use, run gates (automatic checks) on items, and compare two
agents or prompts in a trial."""

from argparse import Namespace
from typing import Any

from core.as_json import as_json
from core.errors import BenchError
from terminal import paths
from terminal.choosing import choose_items, format_figures, join_lines, split_names, wait_for
from terminal.output import format_count, show, show_end
from terminal.session import Session, select_options

GROUPS = ("task", "language", "agents", "prompts", "drafted_with")
"""Fields by which the results of gates can be grouped."""


def coverage(session: Session, options: Namespace) -> None:
    with session.bench(options) as b:
        whole = wait_for(b.coverage.map)
        rows = b.coverage.page(whole, options.order, options.domain, limit=max(options.limit, 0))
        levels = wait_for(b.coverage.levels)
    documents: list[dict[str, Any]] = [
        {
            "document": row.use.id,
            "title": row.use.title,
            "domain": row.use.domain,
            "items": row.items,
            "unused": row.unused,
            "per_thousand_tokens": row.density(),
            "counts": count_columns(row.counts),
        }
        for row in rows
    ]
    totals: list[dict[str, Any]] = [
        {name: getattr(total, name) for name in ("domain", "documents", "with_items", "unused", "balance")}
        | {"counts": count_columns(total.counts)}
        for total in whole.totals
    ]
    lines = [f"{d['title'][:60]}  {format_count(d['items'], 'item')}, {d['unused']:.0%} unused" for d in documents]
    every = totals[-1]
    lines.append(f"{every['with_items']} of {format_count(every['documents'], 'document')} have items.")
    levels_record = [
        {"declared": declared, "measured": measured, "items": n}
        for (declared, measured), n in sorted(levels.table.cells.items(), key=str)
    ]
    record = {"documents": documents, "totals": totals, "levels": levels_record}
    show(session, options, record, "\n".join(lines))


def count_columns(counts: Any) -> list[dict[str, Any]]:
    """Return the numbers of accepted and drafted items by task and level as JSON."""
    return [
        {"task": column.task, "level": column.level, "accepted": n.accepted, "drafted": n.drafted}
        for column, n in counts.items()
    ]


def list_gates(session: Session, options: Namespace) -> None:
    with session.bench(options) as b:
        cards, choice, own = b.gating.list_gates(), b.gating.load_choice(), b.gating.list_own_gates()
    record = {"gates": as_json(cards), "chosen": choice and choice.record, "of_tasks": as_json(own)}
    lines = [f"{card.name}{' (asks an agent)' if card.asks else ''}: {card.about}" for card in cards]
    chosen = "each task's own" if choice is None else ", ".join(choice.gates) or "none"
    show(session, options, record, "\n".join([*lines, f"LLM gates on every draft: {chosen}."]))


def run_gates(session: Session, options: Namespace) -> int:
    from workbench.build.gating.gate_choice import GateRequest

    request = GateRequest(
        tuple(split_names(options.gates)),
        tuple(paths.agents(session.folder, options.agent)),
        **({"samples": options.samples} if options.samples is not None else {}),
        **select_options(options, "seed", "budget"),
    )
    with session.bench(options) as b:
        job = b.gating.plan(request, choose_items(b, options))
        result = session.finish(b, job)
    return show_end(session, options, {"job": job, **result})


def report_gates(session: Session, options: Namespace) -> None:
    by = split_names(options.by)
    if unknown := [key for key in by if key not in GROUPS]:
        raise BenchError(f"Findings cannot be grouped by {unknown[0]!r}: give one or more of {', '.join(GROUPS)}.")
    with session.bench(options) as b:
        findings = wait_for(lambda: b.gating.count_findings(by))
        calibrations = [one.record for one in wait_for(b.gating.calibrate)]
    record = {"findings": [as_json(one) for one in findings], "calibrations": calibrations}
    lines = (f"{one.gate} {' '.join(one.kind)}: {format_figures(one.counts)}" for one in findings)
    show(session, options, record, lambda: join_lines(lines, "No gate has run yet."))


def choose_gates(session: Session, options: Namespace) -> None:
    from workbench.build.drafting.llm_gates import LlmGateChoice

    samples = {"samples": options.samples} if options.samples is not None else {}
    names, agents = tuple(split_names(options.gates)), tuple(paths.agents(session.folder, options.agent))
    with session.bench(options) as b:
        b.gating.set_choice(None if options.default else LlmGateChoice(names, agents, **samples))
    list_gates(session, options)


def start_trial(session: Session, options: Namespace) -> int:
    from workbench.build.trials.trials import TrialPlan, TrialSide

    with session.bench(options) as b:
        versions = b.trials.versions(options.task)
        sides = []
        for side in "ab":
            asked = getattr(options, f"version_{side}")
            found = [hash for hash in versions if asked is None or (hash is None and asked == "delivered")]
            found = found or [hash for hash in versions if hash and asked and hash.startswith(asked)]
            if not found:
                raise BenchError(
                    f"The prompt of {options.task} has no version {asked}: `prompts show --json` lists its versions."
                )
            sides.append(TrialSide(paths.agent(session.folder, getattr(options, f"agent_{side}")), found[0]))
        plan = TrialPlan(options.task, options.domain, options.language, options.windows, options.seed, a=sides[0], b=sides[1])
        job = b.trials.start(plan, options.budget, options.person)
        result = session.finish(b, job)
        trial = b.upkeep.job(job).params["trial"]
    return show_end(session, options, {"trial": trial, "job": job, **result, "message": f"{trial}: {result['message']}"})


def list_trials(session: Session, options: Namespace) -> None:
    with session.bench(options) as b:
        records: list[dict[str, Any]] = [as_json(one) for one in b.trials.list_trials()]
    lines = (
        f"{r['id']}  {r['task']} in {r['domain']}: {r['decided']} of {r['pairs']} pairs decided, "
        f"{'closed' if r['closed'] else 'open'}"
        for r in records
    )
    show(session, options, {"trials": records}, lambda: join_lines(lines, "No trials."))


def close_trial(session: Session, options: Namespace) -> None:
    with session.bench(options) as b:
        entered = b.trials.close_trial(options.trial, options.person)
    show(
        session,
        options,
        {"trial": options.trial, "drafts": entered},
        f"{options.trial}: closed. Drafts: {format_figures(entered)}.",
    )


def show_trial(session: Session, options: Namespace) -> None:
    with session.bench(options) as b:
        result = b.trials.result(options.trial)
    text = f"A: {result.labels[0]}\nB: {result.labels[1]}\n{result.sentence}"
    show(session, options, as_json(result), text)
