"""Run a demo with the samples, from documents to a report, without a key or a network. The scores of the demo measure retrieval
on reviewed items, so they are valid although no LLM is used. Drafts by the recorded agent (stored replies) and by the offline
agent (rules without a model) are marked as such, including refused drafts."""

import json
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from builders.drafting.sample_work import sample_work
from builders.drafting.samples import FOLDER, sample_documents
from core.as_json import as_json
from core.quality.conversations import TASK as CONVERSATION
from core.quality.conversations import group_turns
from core.records import document_record, item_record
from core.text.text import count_tokens
from store.items import items
from store.items.verdicts import load_verdicts
from store.jobs import jobs
from store.runs import runs
from workbench.evaluate.grading.next_marks import MarkingRequest
from workbench.evaluate.half_life.half_life import HalfLifeRequest
from workbench.evaluate.running.run_request import RunRequest
from workbench.evaluate.shortcuts.certificates import CertificateRequest, record_rate
from workbench.home.demo_page import DemoResult, render_page
from workbench.release.checking import verify_folder
from workbench.release.contests import ContestRuling, NewContest
from workbench.release.uploads import Upload
from workbench.workbench import Workbench

RELEASE = "samples"
SEED = 7
RETRIEVERS: Mapping[str, tuple[str, dict[str, Any]]] = {
    "bm25": ("bm25", {}),
    "dense minilm": ("dense", {"embedding_model": "minilm"}),
    "dense lexical_vectors": ("dense", {"embedding_model": "lexical_vectors"}),
}
"""Dict from the name of a retriever on the demo's page to its plug-in and settings."""
TASKS = ("explicit_factoid", "implicit_factoid", "explicit_rationale", "implicit_rationale")
DRAFT_COUNTS: Mapping[str, Mapping[str, tuple[int, ...]]] = {
    "recorded": {"tech": (2, 2, 2, 2), "science": (1, 2, 1, 1)},
    "offline": {"humanities": (2,), "arts": (1,)},
}
"""Dict from agent to a dict from domain to the number of drafts of each task, in the order of TASKS. The offline agent drafts
only items of level 1."""
ANSWERED_QUESTIONS = 8
"""Number of questions in the demo's run with recorded answers."""
TABLES_RELEASE = "scholars"
TEMPLATES: tuple[Mapping[str, Any], ...] = (
    {
        "id": "organization_of",
        "level": "KS",
        "kind": "simple",
        "text": "What is the organization of {who}?",
        "answer": "organization",
    },
    {
        "id": "interests_of",
        "level": "KU",
        "kind": "set",
        "text": "Which interests does {who} have?",
        "answer": "interests.interest",
    },
    {
        "id": "citations_of_best",
        "level": "KA",
        "kind": "aggregation",
        "measure": "max",
        "text": "How many citations has the best known paper of {who}?",
        "answer": "publications.num_citation",
    },
)
"""Question templates for the sample table of scholars, one for each level."""
TWINS_RELEASE = "twins"
TWINS_SHARE = 0.5
NEWER_TABLE = FOLDER / "newer" / "persons.csv"
"""The scholars of the samples a year later; a quarter of them work elsewhere, and some are no longer listed."""
CONTESTED_ITEM, MISSING_ANSWER = "sample-en-l1-tech-01", "version 4.0"
ERRATUM_RELEASE = "twins-1"
BOARD_RELEASE = "sealed"
ALL_RELEASE, TINY_RELEASE, WORLD_RELEASE = "everything", "tiny", "other-world"
TINY_SIZE = 40
TALKS_RELEASE, PAIRS_RELEASE = "conversations", "two-languages"
HISTORIES = ("none", "own")
"""What a follow-up comes with in the runs on conversations: nothing, or the turns before with the system's own answers."""
PARALLEL = FOLDER / "parallel"
"""The same questions and documents in English and Chinese."""
COMPARED: Mapping[str, Mapping[str, Any]] = {
    "vanilla": {"agent": "offline", "retriever": "bm25"},
    "hyde": {"agent": "offline", "retriever": "bm25"},
    "echo": {},
}
"""Dict from the systems whose decisions on the tiny release are compared with those on all questions to their settings."""
QUESTIONS_PER_TEMPLATE = 4
"""Number of questions that the demo makes from each template."""
Finish = Callable[[str], dict[str, Any]]
Say = Callable[[str], None]


def demo(bench: Workbench, finish: Finish, say: Say) -> DemoResult:
    """Run the whole demo and return its results. The function `finish` runs a planned job to its end."""
    bench.corpus.load_samples()
    say("The samples are loaded; freezing their reviewed items ...")
    result = DemoResult(
        documents=[
            document_record(d, with_text=False) | {"tokens": count_tokens(d.text, d.language)}
            for d in bench.corpus.load_documents()
        ],
        release=bench.releases.freeze(RELEASE, split="dev=0.25,test=0.75", seed=SEED),
        retrieval=_run_retrieval(bench, finish, say),
        drafts={
            agent: [job for domain, counts in wanted.items() for job in _draft_domain(bench, finish, agent, domain, counts)]
            for agent, wanted in DRAFT_COUNTS.items()
        },
        answers=_run_answers(bench, finish),
        tables=_run_tables(bench, finish, say),
        absence=(twins := _run_twins(bench, finish, say)),
        erratum=_make_erratum(bench, finish, say),
        board=_run_board(bench, finish, say, twins["run"]),
        half_life=_check_half_life(bench, finish, say),
        further=_show_further(bench, finish, say, twins["run"]),
    )
    return replace(result, text=render_page(result, shorten_path(bench.database.path)))


def shorten_path(path: Path | None) -> str:
    """Return the path of the workspace in the short form that a person would type in the current folder; "" if the workspace is
    in memory."""
    if path is None:
        return ""
    return str(path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path)


def _run_retrieval(bench: Workbench, finish: Finish, say: Say) -> dict[str, Any]:
    """Measure how much of the evidence each retriever finds, and compare every pair of retrievers on the same questions. Return
    {"runs": [{"name", "run", "not_run", "levels": cells by level, "overall": cells}], "comparisons"}."""
    made = []
    for name, (retriever, settings) in RETRIEVERS.items():
        say(f"Retrieval: {name} ...")
        job = bench.runs.plan(
            RunRequest(
                release=RELEASE,
                system="echo",
                retriever=retriever,
                metrics=["evidence_recall"],
                settings={"top_k": 10, **settings},
            )
        )
        made.append(finish(job) | {"name": name})
    levels, overall = (_report_runs(bench, [run["run"] for run in made], by) for by in (["level"], []))
    runs = [
        {
            "name": run["name"],
            "run": run["run"],
            "not_run": run["not_run"],
            "levels": by_level["cells"],
            "overall": all_["cells"],
        }
        for run, by_level, all_ in zip(made, levels["runs"], overall["runs"], strict=True)
    ]
    return {"runs": runs, "comparisons": overall["comparisons"]}


def _draft_domain(bench: Workbench, finish: Finish, agent: str, domain: str, counts: tuple[int, ...]) -> list[dict[str, Any]]:
    """Draft items of each task in the domain. Return one record per task: the result of the job with {"task", "level",
    "domain", "agent"}, its drafts under "items" and the refused drafts under "turned_down". Level 2 is drafted from the drafts
    of level 1."""
    made = []
    for level, (task, count) in enumerate(zip(TASKS, counts, strict=False), 1):
        job = bench.drafts.plan(task=task, domain=domain, count=count, agent=agent, seed=SEED, budget=None, settings={})
        result = finish(job)
        ids = [i for _, outcome in jobs.load_results(bench.database, job) for i in outcome["items"]]
        drafts = [_describe_draft(bench, item) for item in items.load_items(bench.database, ids)]
        parted = {
            "items": [i for i in drafts if i["status"] != "refused"],
            "turned_down": [i for i in drafts if i["status"] == "refused"],
        }
        made.append(result | parted | {"task": task, "level": level, "domain": domain, "agent": agent})
    return made


def _describe_draft(bench: Workbench, item: Any) -> dict[str, Any]:
    """Return the record of an item with the verdicts on it, and the number of replies that were cut off and requested again."""
    verdicts = [
        {"gate": v.gate, "outcome": v.outcome, "why": v.why, "details": dict(v.details)}
        for v in load_verdicts(bench.database, [item.id])
    ]
    calls = [bench.agents.ledger.get(call).completion for call in item.provenance.calls]
    cut = sum(call is not None and call.finish == "length" for call in calls)
    return item_record(item, bench.corpus.text) | {"verdicts": verdicts, "cut": cut}


def _run_answers(bench: Workbench, finish: Finish) -> dict[str, Any]:
    """Run a RAG system with recorded answers and a judge with recorded replies; return the result of the job with the scores
    over all answers."""
    job = bench.runs.plan(
        RunRequest(
            release=RELEASE,
            system="vanilla",
            agent="recorded",
            retriever="bm25",
            judges=["recorded"],
            sample=ANSWERED_QUESTIONS,
            seed=SEED,
        )
    )
    result = finish(job)
    return result | {"cells": _report_runs(bench, [result["run"]], [])["runs"][0]["cells"]}


def _run_tables(bench: Workbench, finish: Finish, say: Say) -> dict[str, Any]:
    """Run a workflow system on template questions about the sample tables. Return the result of the job with {"tables":
    [{"name", "rows"}], "levels": scores by level, "shown": one question with its gold answer and the system's answer, steps and
    stop reason}. The questions are accepted without review, in the name of a person called "demo"."""
    say("A workflow over the sample tables ...")
    bench.tables.load_samples()
    for template in TEMPLATES:
        bench.templates.save({"table": "persons", "domain": "science", "slots": {"who": "name"}, **template})
    job = bench.seasons.plan([template["id"] for template in TEMPLATES], QUESTIONS_PER_TEMPLATE * len(TEMPLATES), SEED)
    finish(job)
    made = bench.seasons.list_made(job)
    for item in made:
        bench.reviews.decide(item.id, "accept", person="demo", reason="accepted unread, to show a run")
    frozen = bench.releases.freeze(TABLES_RELEASE, tasks=["template_question"])
    result = finish(
        bench.runs.plan(
            RunRequest(
                release=TABLES_RELEASE,
                system="pal",
                agent="offline",
                metrics=["r_eval_f1"],
                settings={"environment": "tables"},
            )
        )
    )
    levels = _report_runs(bench, [result["run"]], ["level"])["runs"][0]["cells"]
    first = next(item for item in made if item.level == TEMPLATES[0]["level"])
    trace = next(trace for trace in runs.load_traces(bench.database, result["run"]) if trace.item == first.id)
    steps = [{"kind": step.kind, "text": step.text} for step in trace.steps]
    return result | {
        "hash": frozen.hash,
        "tables": [table._asdict() for table in bench.release_browser.tables(TABLES_RELEASE)],
        "levels": sorted(
            (cell for cell in levels if cell["metric"] == "r_eval_f1"),
            key=lambda cell: [template["level"] for template in TEMPLATES].index(cell["level"]),
        ),
        "shown": {
            "question": first.question,
            "gold": first.answers[0],
            "answer": trace.answer,
            "stop": trace.stop,
            "steps": steps,
        },
    }


def _run_twins(bench: Workbench, finish: Finish, say: Say) -> dict[str, Any]:
    """Ask the questions of levels 1 and 2 with and without their evidence. Return the outcomes as `cli.py absence --json`
    prints them for one run, with the number of items, including items without an absence twin."""
    say("The same questions without their evidence ...")
    frozen = bench.releases.freeze(TWINS_RELEASE, tasks=TASKS[:2], absence_share=TWINS_SHARE)
    request = RunRequest(release=TWINS_RELEASE, system="vanilla", agent="offline", retriever="bm25", metrics=["in_accuracy"])
    result = finish(bench.runs.plan(request))
    outcomes: dict[str, Any] = json.loads(bench.absence.report([result["run"]], "json"))["runs"][0]
    return outcomes | {"items": frozen.items}


def _make_erratum(bench: Workbench, finish: Finish, say: Say) -> dict[str, Any]:
    """Contest an answer, accept the contest in the name of a person called "demo", freeze the erratum and carry the runs over.
    Return the contest and what moved, as `cli.py errata show --json` prints it, with the job's result under "rescored"."""
    say("A contested answer, and what its correction moves ...")
    new = NewContest(
        item=CONTESTED_ITEM,
        kind="missing_answer",
        answer=MISSING_ANSWER,
        reason=f"“{MISSING_ANSWER}” is right too.",
        person="demo",
    )
    contest = bench.contests.submit(TWINS_RELEASE, new)
    item = bench.release_browser.item(TWINS_RELEASE, CONTESTED_ITEM).item
    bench.contests.decide(
        ContestRuling(contest=contest.id, decision="accept", person="demo", answers=[*item.answers, MISSING_ANSWER])
    )
    frozen = bench.errata.freeze(ERRATUM_RELEASE, TWINS_RELEASE)
    rescored = finish(frozen.job) if frozen.job else {}
    moved: dict[str, Any] = json.loads(bench.errata.report(ERRATUM_RELEASE, "json", ["in_accuracy"]))
    return {"question": item.question, "answers": list(item.answers), "proposed": new.answer, "rescored": rescored, **moved}


def _run_board(bench: Workbench, finish: Finish, say: Say, run: str) -> dict[str, Any]:
    """Seal the questions of levels 1 and 2, submit the stored answers of the run to the board in the name of a person called
    "demo", and open the seal. Return the board as `cli.py board show --json` prints it, with one commitment, and whether the
    exported folder was found right before and after the opening."""
    say("A sealed board ...")
    bench.releases.freeze(BOARD_RELEASE, tasks=TASKS[:2], sealed=True)
    answers = {trace.item: trace.answer for trace in runs.load_traces(bench.database, run)}
    questions = {item.question: answers.get(item.id) for item in items.load_items(bench.database, list(answers))}
    with TemporaryDirectory() as folder:
        out = Path(folder) / BOARD_RELEASE
        bench.releases.export(BOARD_RELEASE, "jsonl", out)
        before = verify_folder(out).ok
        lines = (out / "items.jsonl").read_text(encoding="utf-8").splitlines()
        rows = [{"id": row["id"], "prediction": questions.get(row["question"])} for row in map(json.loads, lines)]
        raw = "".join(json.dumps(row) + "\n" for row in rows).encode()
        finish(bench.sealed_boards.submit(BOARD_RELEASE, raw, "demo.jsonl", "vanilla (offline, no LLM)", "demo").job)
        bench.sealed_boards.open(BOARD_RELEASE, out)
        after = verify_folder(out).ok
    view = bench.sealed_boards.view(BOARD_RELEASE).record()
    commitment = json.loads(lines[0])["answer_hashes"][0]
    return {**view, "commitment": commitment, "verified": {"sealed": before, "opened": after}}


def _check_half_life(bench: Workbench, finish: Finish, say: Say) -> dict[str, Any]:
    """Ask the questions on scholars again of the table of a year later. Return the job's result with {"group": how all answers
    age, as `cli.py half-life show --json` prints it, "changed": one changed answer}."""
    say("The same scholars a year later ...")
    created = date.fromisoformat(bench.release_browser.find_header(TABLES_RELEASE).created[:10])
    with NEWER_TABLE.open("rb") as file:
        newer = [Upload(NEWER_TABLE.name, file, NEWER_TABLE.stat().st_size)]
        on = str(created + timedelta(days=365))
        job = bench.half_life.plan(HalfLifeRequest(release=TABLES_RELEASE, at=on, tables=newer))
    result = finish(job)
    shown: dict[str, Any] = json.loads(bench.half_life.report(TABLES_RELEASE, form="json"))
    answers = json.loads(bench.half_life.render_answers(TABLES_RELEASE, result["check"], "json"))["answers"]
    changed = next(one for one in answers if one["outcome"] == "changed")
    question = bench.release_browser.item(TABLES_RELEASE, changed["item"]).item.question
    return result | {"group": shown["groups"][0], "changed": changed | {"question": question}}


def _show_further(bench: Workbench, finish: Finish, say: Say, run: str) -> dict[str, Any]:
    """Look at the questions in further ways. Return {"nuggets": cells of a run scored by nuggets, "marks": which answers of the
    run to mark first, "shortcuts": the rates of a certificate, "world": a counterfactual release, "tiny": a tiny release with
    how often decisions on it were wrong, "conversations": runs on conversations, "languages": the comparison of two languages};
    each as the verb for it prints it with --json."""
    say("Nuggets, marks, shortcuts, another world, a tiny release, conversations and two languages ...")
    metrics = ["nuggets", "faithfulness"]
    asked = RunRequest(
        release=RELEASE,
        system="vanilla",
        agent="offline",
        retriever="bm25",
        metrics=metrics,
        judges=["offline"],
        settings={"faithfulness.claims": "nuggets"},
    )
    cells = _report_runs(bench, [finish(bench.runs.plan(asked))["run"]], [])["runs"][0]["cells"]
    marking = MarkingRequest(run, metric="in_accuracy")
    while not (marks := bench.next_marks.plan(marking)).is_ready:
        time.sleep(0.1)
    finish(bench.certificates.plan(CertificateRequest(release=RELEASE)))
    shortcuts = [record_rate(rate) for rate in bench.certificates.report(RELEASE).rates]
    world = bench.releases.freeze_counterfactual(WORLD_RELEASE, TWINS_RELEASE)
    bench.releases.freeze(ALL_RELEASE, tasks=[*TASKS, "template_question"])
    for system, more in COMPARED.items():
        finish(bench.runs.plan(RunRequest(release=ALL_RELEASE, system=system, metrics=["in_accuracy"], **more)))
    tiny = bench.tiny.freeze(TINY_RELEASE, ALL_RELEASE, TINY_SIZE)
    record: dict[str, Any] = json.loads(bench.tiny.report([TINY_RELEASE], "json"))
    return {
        "nuggets": [cell for cell in cells if cell["metric"].partition(".")[0] in metrics],
        "marks": as_json(marks.value),
        "shortcuts": shortcuts,
        "world": as_json(world),
        "tiny": {"release": tiny.release, "sentences": list(tiny.sentences), **record},
        "conversations": _ask_in_turns(bench, finish),
        "languages": _ask_in_two_languages(bench, finish),
    }


def _ask_in_turns(bench: Workbench, finish: Finish) -> list[dict[str, Any]]:
    """Accept the conversations of the samples in the name of a person called "demo", and ask them with and without the turns
    before."""
    turns = [draft for draft in sample_work(sample_documents()).drafts if draft.task == CONVERSATION]
    items.add(bench.database, turns)
    for name in group_turns(turns):
        bench.conversation_reviews.decide(name, "accept", person="demo")
    bench.releases.freeze(TALKS_RELEASE, tasks=[CONVERSATION])
    ids = [_ask_offline(bench, finish, TALKS_RELEASE, {"history": history}) for history in HISTORIES]
    made: list[dict[str, Any]] = json.loads(bench.conversations.report(ids, "json"))["runs"]
    return made


def _ask_in_two_languages(bench: Workbench, finish: Finish) -> dict[str, Any]:
    """Import questions in two languages as pairs, ask them, and compare the answers."""
    bench.language_pairs.import_(PARALLEL / "en.json", PARALLEL / "zh.json", "squad")
    bench.releases.freeze(PAIRS_RELEASE, tasks=["question_answering"], allow_unlicensed="samples")
    run = _ask_offline(bench, finish, PAIRS_RELEASE, {})
    made: dict[str, Any] = json.loads(bench.crosslingual.report([run], "json"))["comparisons"][0]
    return made


def _ask_offline(bench: Workbench, finish: Finish, release: str, settings: dict[str, Any]) -> str:
    """Run vanilla with the offline agent on a release, and return the id of the run."""
    asked = RunRequest(
        release=release, system="vanilla", agent="offline", retriever="bm25", metrics=["in_accuracy"], settings=settings
    )
    run: str = finish(bench.runs.plan(asked))["run"]
    return run


def _report_runs(bench: Workbench, runs: list[str], by: list[str]) -> dict[str, Any]:
    made: dict[str, Any] = json.loads(bench.reports.report(runs, by=by, form="json"))
    return made
