"""Pictures of the real app, to be looked at: every page, empty and full, light and dark, 1280 and 1920 wide, into a folder; or
those of README and docs.

    python tests/browser/look.py FOLDER [PAGE...]
    python tests/browser/look.py --docs
"""

import json
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import jobs
from builders.drafting.sample_work import sample_work
from builders.drafting.samples import sample_documents
from store.items import items
from store.releases import seals
from store.runs import grades
from tests.app_server import ROOT, started
from tests.browser.chromium import FLAGS, find_chromium
from tests.browser.conftest import sign, until_still
from tests.workbench.worded import two
from workbench import Workbench
from workbench.evaluate.grading.grading_draw import GradingPlan
from workbench.evaluate.running.run_request import RunRequest
from workbench.evaluate.scoring.nuggets import DraftRequest
from workbench.evaluate.sweeps.sweep_plan import SweepPlan, factor

PAGES = {
    "home": "",
    "corpus": "corpus",
    "document": "corpus?document={document}",
    "draft": "draft",
    "coverage": "coverage",
    "coverage-document": "coverage?document={document}",
    "reverse": "reverse",
    "trials": "trials",
    "draft-bulk": "draft?draft_mode=In+bulk",
    "review": "review",
    "review-long": "review?item={long}",
    "freeze": "freeze",
    "releases": "browse?release=v1",
    "compare": "compare",
    "board": "sealed_board?release=sealed",
    "run": "run",
    "sweeps": "sweeps",
    "sweep": "sweeps?job={sweep}",
    "sweep-map": "sweeps?job={map}",
    "results": "results?{runs}",
    "results-cells": "results?{runs}&view=cells",
    "results-pairs": "results?{runs}&view=pairs",
    "results-questions": "results?{runs}&view=questions",
    "results-failures": "results?{runs}&view=failures",
    "results-paper": "results?{runs}&view=paper",
    "traces": "traces?{runs}",
    "trace": "traces?{runs}&item={asked}",
    "agents": "agents",
    "prompts": "prompts",
    "jobs": "jobs",
    "progress": "progress",
    "adjudicate": "adjudicate",
    "rewrite": "rewrite",
    "guidelines": "guidelines",
    "labels": "labels",
    "people": "people",
    "people-roles": "people?view=roles",
    "people-log": "people?view=log",
    "gates": "gates",
    "gates-found": "gates?view=found&by=task",
    "gates-people": "gates?view=people",
    "gates-every": "gates?view=every",
    "find": "find",
    "find-like": "find?by=like&text=Who+built+it",
    "queue": "queue",
    "robustness": "robustness?{worded}",
    "robustness-families": "robustness?{worded}&view=families",
    "robustness-family": "robustness?{worded}&view=families&item=bridge",
    "robustness-audit": "robustness?{worded}&view=audit",
    "conformance": "conformance",
    "question-sets": "question_sets",
    "question-set": "question_sets?{asked_of}",
    "nuggets": "nuggets",
    "conversations": "conversations",
    "conversation": "conversations?conversation={talk}",
    "nuggets-item": "nuggets?item={long_answer}",
    "grade": "grade",
    "grade-batch": "grade?batch={batch}",
    "grade-closed": "grade?batch={graded}",
    "grade-judges": "grade?view=judges",
    "grade-next": "grade?view=next",
    "vary": "vary?kind=spelling&kind=grammar",
    "vary-made": "vary?view=made",
    "variants": "variants",
    "variant-quality": "variant_quality",
    "web-question": "web_question",
    "phases": "phases",
    "phases-rates": "phases?view=rates",
    "phases-doubts": "phases?view=doubts",
    "tables": "tables?table=persons",
    "tables-spec": "tables?table=publications&view=spec",
    "templates": "templates?template=author_at",
    "templates-write": "templates?view=write",
    "templates-make": "templates?view=make",
    "templates-seasons": "templates?view=seasons",
    "templates-proposed": "templates?view=proposed",
    "analyses": "analyses?{worked}",
    "analyses-part": "analyses?{worked}&of={agent}&type=RE",
    "analyses-answer": "analyses?{worked}&of={agent}&type=RE&item={worked_item}",
    "analyses-matching": "analyses?{worked}&view=matching",
    "analyses-deployment": "analyses?{worked}&view=deployment",
    "analyses-best": "analyses?{worked}&view=best",
    "analyses-places": "analyses?{worked}&view=places",
    "analyses-tasks": "analyses?view=tasks",
    "trace-work": "traces?{worked}&item={worked_item}",
    "tables-popularity": "tables?table=persons&view=popularity",
    "tables-functions": "tables?table=persons&view=functions",
}
"""Name of a picture -> where it is taken; what stands in braces is there in the full workspace only."""
PICTURES = {
    "corpus": "corpus",
    "draft": "draft",
    "review": "review?item={long}",
    "releases": "browse?release=v1",
    "results": "results?{runs}",
}
"""Name of a picture in docs/pictures -> where it is taken; the README shows "review"."""
COLOURS = 64
"""Of a picture in docs: enough for flat surfaces and text, in a quarter of the bytes."""


def submit_to_board(bench: Workbench, work: Callable[[str], dict[str, object]]) -> None:
    """A sealed release with submissions of two people."""
    seal = seals.find(bench.database, bench.releases.freeze("sealed", sealed=True).hash)
    assert seal is not None
    golds = {item.id: item.answers[0] for item in bench.releases.get("sealed")[1].items}
    for system, person, right in (("bm25 and a model", "Ada", 31), ("closed book", "Zoe", 12), ("half of it", "Zoe", 4)):
        parts = list(seal.public_ids.items())[: 25 if right == 4 else None]
        lines = [
            {"id": public, "prediction": golds[item] if place < right else "unknown"}
            for place, (item, public) in enumerate(parts)
        ]
        raw = "".join(json.dumps(line) + "\n" for line in lines).encode()
        work(bench.sealed_boards.submit("sealed", raw, "p.jsonl", system, person).job)


def fill(path: Path) -> dict[str, str]:
    """The samples, drafts that wait, decisions, two releases, three runs; gives what the addresses name."""
    with Workbench.open(path) as bench:
        bench.corpus.load_samples()
        talks = [draft for draft in sample_work(sample_documents()).drafts if draft.task == "conversation"]
        items.add(bench.database, talks)
        bench.templates.load_samples()
        runner = jobs.start(bench)

        def work(job: str) -> dict[str, object]:
            return runner.submit(job).result()

        bench.releases.freeze("v1", split="dev=0.25,test=0.75")
        submit_to_board(bench, work)
        for domain in ("tech", "science"):
            for task in ("explicit_factoid", "implicit_factoid", "explicit_rationale", "implicit_rationale"):
                work(bench.drafts.plan(task=task, domain=domain, count=2, agent="recorded", seed=7, budget=None, settings={}))
        waiting = bench.reviews.items(status="drafted")
        bench.reviews.decide(waiting[0].id, "accept", person="Ada", answer="Inverlash harbour")
        bench.reviews.decide(waiting[1].id, "discard", person="Bob", reason="trivial or keyword match")
        bench.releases.freeze("v2", split="dev=0.25,test=0.75")
        common = {"metrics": None, "judges": [], "votes": 1, "budget": None, "variants": False, "repeat": 1, "seed": 0}
        asked = [("echo", None, "bm25", {"top_k": 10}), ("vanilla", "offline", "bm25", {}), ("oracle", "offline", None, {})]
        runs = [
            work(
                bench.runs.plan(
                    RunRequest(release="v1", system=system, agent=agent, retriever=found, settings=settings, **common)
                )
            )
            for system, agent, found, settings in asked
        ]
        base = RunRequest(release="v1", system="echo", retriever="bm25")
        k = factor("top-k", [1, 5, 10], "top_k")
        sweeps = [
            bench.sweeps.plan(plan)
            for plan in (
                SweepPlan("top-k and retriever", base, [k, factor("retriever", ["bm25", "dense", "hybrid", "rerank"])]),
                SweepPlan("top-k by chunk size", base, [k, factor("chunk size", [64, 128, 256], "chunk_tokens")], "grid"),
            )
        ]
        for job in sweeps:
            work(job)
        by_judge = {**common, "judges": ["offline"], "metrics": ["crag_truthfulness", "s_f1", "rag_quest_eval"]}
        judged = work(
            bench.runs.plan(RunRequest(release="v1", system="vanilla", agent="offline", retriever="bm25", **by_judge))
        )
        graded, batch = (
            bench.grading.start(GradingPlan([str(judged["run"]), str(runs[2]["run"])], each=6), "Lea") for _ in range(2)
        )
        for n, place in enumerate(grades.load_places(bench.database, graded)):
            for person in ("Ann", "Bob"):
                mark = ("perfect", "acceptable", "incorrect", "missing")[(n + (person == "Bob" and n % 7 == 0)) % 4]
                bench.grading_desk.mark(graded, place.key, person, f"{place.key}{person}", mark)
        bench.grading.close_batch(graded, "Lea")
        work(bench.seasons.plan([one.id for one in bench.templates.list_templates()], 138))
        bench.templates.begin("Ada", "author_at")
        work(bench.proposals.plan("offline", 4))
        first = bench.question_sets.page()[0][0].set
        long = next(i.id for i in waiting if i.level == 3)
        rationale = next(i for i in bench.reviews.items(status="accepted") if i.task == "explicit_rationale")
        work(bench.nuggets.plan(DraftRequest(agent="offline", items=(rationale.id,))))
        found = {
            "long_answer": rationale.id,
            "talk": str(talks[0].labels["conversation"]["id"]),
            "document": bench.corpus.load_documents()[-1].id,
            "long": long,
            "asked": bench.reviews.items(status="accepted")[0].id,
            "runs": "&".join(f"run={run['run']}" for run in runs),
            "sweep": sweeps[0],
            "map": sweeps[1],
            "worded": "&".join(f"run={run}" for run in two(bench, "worded")),
            "batch": batch,
            "graded": graded,
            "asked_of": f"item={first.item}&gold={first.gold}",
        }
        found |= agents_at_work(bench, work)
        jobs.stop(bench)
        return found


def agents_at_work(bench: Workbench, work: Callable[[str], dict[str, object]]) -> dict[str, str]:
    """A season over the sample tables, and two workflows on it."""
    season = work(bench.seasons.plan(bench.templates.load_samples(), 60, seed=3))["season"]
    asked = [item.id for item in bench.seasons.questions(str(season), 60, 0)]
    for item in asked:
        bench.reviews.decide(item, "accept", person="Ada")
    bench.releases.freeze("spring", tasks=["template_question"])
    runs = [
        str(
            work(
                bench.runs.plan(
                    RunRequest(
                        release="spring",
                        system=system,
                        agent="offline",
                        metrics=["r_eval_f1", "r_eval_f1_cjk"],
                        settings={"environment": "tables"},
                    )
                )
            )["run"]
        )
        for system in ("pal", "react")
    ]
    return {"worked": "&".join(f"run={run}" for run in runs), "agent": runs[0], "worked_item": asked[0]}


@contextmanager
def opened(browser: Browser, url: str, width: int, scheme: str) -> Iterator[Page]:
    height = 900 if width < 1600 else 1080
    context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=scheme)  # type: ignore[arg-type]
    page = context.new_page()
    sign(page, url)
    yield page
    context.close()


def shot(page: Page, url: str, file: Path) -> None:
    page.goto(url)
    page.get_by_role("heading", level=2).or_(page.get_by_role("heading", level=1)).first.wait_for()
    until_still(page)
    page.wait_for_timeout(2500)  # figures are drawn beside the page
    until_still(page)
    page.screenshot(path=file)


def tour(browser: Browser, folder: Path, chosen: list[str]) -> None:
    """Every picture, named after page, state, scheme and width."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as room:
        for state in ("empty", "full"):
            workspace = Path(room) / f"{state}.duckdb"
            places = fill(workspace) if state == "full" else {}
            app = started(workspace, Path(room) / f"{state}.log")
            try:
                for width in (1280, 1920):
                    for scheme in ("light", "dark"):
                        with opened(browser, app.url, width, scheme) as page:
                            for name, address in PAGES.items():
                                is_there = state == "full" or "{" not in address or name in ("results", "traces", "releases")
                                if is_there and (not chosen or name in chosen):
                                    where = address.format(**places) if places else address.split("?{")[0].split("?rel")[0]
                                    shot(page, f"{app.url}/{where}", folder / f"{name}-{state}-{scheme}-{width}.png")
            finally:
                app.stop()


def take_docs_pictures(browser: Browser) -> None:
    """Takes the pictures of README and docs."""
    folder = ROOT / "docs" / "pictures"
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as room:
        workspace = Path(room) / "samples.duckdb"
        places = fill(workspace)
        app = started(workspace, Path(room) / "log")
        try:
            with opened(browser, app.url, 1280, "light") as page:
                page.set_default_timeout(120_000)
                for name, address in PICTURES.items():
                    file = folder / f"{name}.png"
                    shot(page, f"{app.url}/{address.format(**places)}", file)
                    if name == "corpus":  # in English alone: a machine may have no font for Chinese titles
                        page.get_by_role("combobox", name="Language").last.click()
                        page.get_by_role("option", name="English").click()
                        page.get_by_text("9 documents").wait_for()
                        page.screenshot(path=file)
                    with Image.open(file) as picture:
                        small = picture.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE)
                    small.save(file, optimize=True)
        finally:
            app.stop()


def main(words: list[str]) -> None:
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=find_chromium(), headless=True, args=list(FLAGS))
        if words == ["--docs"]:
            take_docs_pictures(browser)
        else:
            tour(browser, Path(words[0]), words[1:])
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1:])
