"""Render the results of the demo as text for two terminal screens of at most 120 columns. Each section begins by saying who or
what made its content."""

import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from core.installation import COMMAND, PREFIX
from workbench.release.releases import FrozenRelease

WIDTH = 120
CUTS = (1, 5, 10)
"""Values of k for which the demo shows evidence_recall@k."""
LABELS = {1: "1 explicit factoid", 2: "2 implicit factoid", 3: "3 explicit rationale", 4: "4 implicit rationale"}
SCORES = ("evidence_recall@5", "exact_match", "token_f1", "s_f1")
"""Names of the metrics that the demo shows for the run with recorded answers."""
STATES = {"none": "with nothing worth asking", "unreadable": "unreadable", "failed": "failed"}
"""Dict from the outcome of a text window that gave no draft to the description of this outcome."""
Shown = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class DemoResult:
    """The results of each part of the demo, and its printed text."""

    documents: Sequence[Mapping[str, Any]]
    release: FrozenRelease
    retrieval: Mapping[str, Any]
    drafts: Mapping[str, Sequence[Mapping[str, Any]]]
    """Dict from agent to the results of the agent's drafting jobs."""
    answers: Mapping[str, Any]
    tables: Mapping[str, Any]
    absence: Mapping[str, Any]
    erratum: Mapping[str, Any]
    board: Mapping[str, Any]
    half_life: Mapping[str, Any]
    further: Mapping[str, Any]
    text: str = ""
    """The whole text of the demo as it is printed."""


def render_page(shown: DemoResult, workspace: str) -> str:
    """Render the whole text that the demo prints."""
    parts = [
        render_opening(shown),
        render_retrieval(shown.retrieval),
        render_recorded(shown.drafts["recorded"]),
        render_answers(shown.answers),
        render_offline(shown.drafts["offline"]),
        render_tables(shown.tables),
        render_twins(shown.absence),
        render_erratum(shown.erratum),
        render_board(shown.board),
        render_half_life(shown.half_life),
        render_further(shown.further),
        render_closing(workspace),
    ]
    return "\n\n".join("\n".join(part) for part in parts)


def render_opening(shown: DemoResult) -> Iterator[str]:
    documents, release = shown.documents, shown.release
    languages = [d["language"] for d in documents]
    tokens = sum(d["tokens"] for d in documents)
    counted = f"{languages.count('en')} English, {languages.count('zh')} Chinese, {tokens:,} tokens"
    yield f"1. An invented town in {len(documents)} documents ({counted})"
    yield f"   and {release.items} reviewed questions on it, frozen as release {release.release!r}, {release.hash}."


def render_retrieval(retrieval: Shown) -> Iterator[str]:
    """Yield the lines about retrieval: one for each level and retriever, then the results of the comparisons."""
    yield "2. How much of a question's evidence the first k passages hold: evidence_recall@k on the reviewed questions, mean"
    yield "   [95 % bootstrap interval]. No LLM is involved."
    heads = "".join(f"@{k}".ljust(20) for k in CUTS)
    yield f"   {'level':21} {'retriever':22} {'n':>3}  {heads}".rstrip()
    levels = sorted({cell["level"] for run in retrieval["runs"] for cell in run["levels"]})
    for level in (*levels, None):
        for place, run in enumerate(retrieval["runs"]):
            cells = run["overall"] if level is None else [c for c in run["levels"] if c["level"] == level]
            label = ("all" if level is None else LABELS[level]) if place == 0 else ""
            recall = {cell["metric"]: cell for cell in cells}
            n = max((cell["n"] for cell in cells), default=0)
            figures = "".join(format_figure(recall.get(f"evidence_recall@{k}")).ljust(20) for k in CUTS)
            yield f"   {label:21} {run['name']:22} {n:3}  {figures}".rstrip()
    for run in retrieval["runs"]:
        for left in run["not_run"]:
            why = left["why"].split(": ")[1] if ": " in left["why"] else left["why"]
            yield from wrap(f"{run['name']} was not asked the {left['n']} questions in {left['language']}: {why}", "   ")
    yield from wrap(describe_comparisons(retrieval), "   ")


def format_figure(cell: Shown | None) -> str:
    if cell is None or cell["mean"] is None:
        return "–"
    interval = "" if cell["low"] is None else f" [{cell['low']:.2f}, {cell['high']:.2f}]"
    return f"{cell['mean']:.2f}{interval}"


def format_rate(rate: Shown) -> str:
    """Format a share with its interval, as tables about conversations and languages have it in JSON."""
    return format_figure({**rate, "mean": rate["value"]})


def describe_comparisons(retrieval: Shown) -> str:
    """Return a text that says which differences between retrievers are significant."""
    names = {run["run"]: run["name"] for run in retrieval["runs"]}
    every = retrieval["comparisons"]
    held = [comparison for comparison in every if comparison["p_corrected"] < 0.05]
    said = "; ".join(
        f"{names[o['a']]} minus {names[o['b']]} {o['difference']:+.2f} at {o['metric'].partition('@')[2]}, n={o['n']}"
        for o in held
    )
    count = f"{len(held)} of {len(every)} differences hold: {said}" if held else f"none of the {len(every)} differences holds"
    most = max((comparison["n"] for comparison in every), default=0)
    return (
        f"Compared in pairs on the same questions and corrected by Holm, {count} (p < 0.05): {most} questions are a demo, "
        f"not a benchmark. Rows with another n are computed on other questions."
    )


def render_recorded(drafts: Sequence[Shown]) -> Iterator[str]:
    yield "3. Drafts by the recorded agent (recorded, no call made): replies written beforehand for these prompts, some flawed."
    yield "   Gates refuse what is wrong, with the reason; a plain RAG system then tries to answer what is left."
    for job in drafts:
        yield from job_lines(job)


def render_offline(drafts: Sequence[Shown]) -> Iterator[str]:
    yield "5. Drafts by the offline agent (offline, no LLM): extractive, for a start without a key. They carry that mark in"
    yield "   every table and export, and enter a release only after a person has reviewed them. Grades are its own, too."
    for job in drafts:
        yield from job_lines(job)


def job_lines(job: Shown) -> Iterator[str]:
    """Yield the lines about one drafting job: its numbers, its first draft, and the refused drafts."""
    said = [f"asked {job['asked']}, drafted {job['drafted']}", *(f"{r['n']} refused by {r['gate']}" for r in job["refused"])]
    said += [f"{job[state]} {words}" for state, words in STATES.items() if job[state]]
    if cut := sum(item["cut"] for item in job["items"]):
        said.append(f"{cut} cut in the middle of its JSON and asked for again")
    yield f"   L{job['level']} {job['domain']} [{job['agent']}]: {'; '.join(said)}"
    for item in job["items"][:1]:
        yield from draft_lines(item, "Q", note(item))
    for item in job["turned_down"]:
        verdict = next(v for v in item["verdicts"] if v["outcome"] == "refuse")
        yield from draft_lines(item, "refused Q", f"{verdict['gate']}: {verdict['why']}")


def draft_lines(item: Shown, sign: str, remark: str) -> Iterator[str]:
    """Yield the lines about one draft: its question, its answer and a remark."""
    yield from wrap(f"{sign} {item['question']}", "      ", most=2)
    yield clip(f"        A {item['answers'][0]}")
    yield clip(f"          [{remark}]")


def note(item: Shown) -> str:
    """Return a short remark about a draft: its evidence, the name that its question hides, the gates (automatic checks) that
    flagged it, and the RAG check."""
    said = [f"{len(item['evidence'])} sentence{'s' * (len(item['evidence']) != 1)} cited"]
    if item["labels"].get("referent"):
        said.append(f"hides {item['labels']['referent']!r}")
    if item["labels"].get("frame"):
        said.append("a frame: its answer is for a person to write")
    said += [f"flagged by {v['gate']}" for v in item["verdicts"] if v["outcome"] == "flag"]
    check: Shown = next((v["details"] for v in item["verdicts"] if v["gate"] == "rag_check"), {})
    figures = (
        ("evidence found", check.get("recall"), "{:.2f}"),
        ("answer graded", check.get("judge"), "{} of 9"),
        ("multiple choice", check.get("multi_choice"), "{:.2f}"),
    )
    tried = [f"{name} {form.format(value)}" for name, value, form in figures if value is not None]
    return "; ".join([*said, *([f"plain RAG: {', '.join(tried)}"] if tried else [])])


def render_answers(run: Shown) -> Iterator[str]:
    cells = {cell["metric"]: cell for cell in run["cells"]}
    figures = [f"{name:21} {format_figure(cells[name]):20} n={cells[name]['n']}" for name in SCORES if name in cells]
    yield f"4. The system vanilla (bm25, then one answer) on a sample of {run['answered']} questions: answers and judge"
    yield "   recorded, no call made. This shows the steps; so few questions are no result."
    yield from (f"   {figure_and_n}" for figure_and_n in figures)


def render_tables(run: Shown) -> Iterator[str]:
    """Yield the lines about the run on tables: the tables, the score at each level, and the steps of one question."""
    rows, question = sum(table["rows"] for table in run["tables"]), run["shown"]
    names = ", ".join(table["name"] for table in run["tables"])
    asked = sum(cell["n"] for cell in run["levels"])
    yield from wrap(
        f"6. The workflow pal (one program, run in a sandbox) on {asked} questions that templates made from the "
        f"sample scholars, answers computed from {rows:,} rows that their release froze ({names}). The offline "
        "agent (no LLM) looks a name up and reads a column, so it cannot answer questions that take a chain of "
        "calls.",
        "",
    )
    figures = [f"{cell['level']} {format_figure(cell)} n={cell['n']}" for cell in run["levels"]]
    yield f"   r_eval_f1: {'; '.join(figures)}"
    yield from wrap(f"Q {question['question']}", "      ", most=2)
    for step in (step for step in question["steps"] if step["kind"] != "call"):
        yield clip(f"        {step['kind']:11} {' ↵ '.join(map(str.strip, step['text'].splitlines()))}")
    yield clip(f"        answer      {question['answer']}  (gold: {question['gold']}; stopped: {question['stop']})")


def render_twins(run: Shown) -> Iterator[str]:
    """Yield the lines about absence twins: the outcomes with and without evidence, and two rates that tell them apart."""
    yield f"7. Asked again without the evidence: {run['twins']} absence twins among {run['items']} questions (offline, no LLM)"
    for side, words in (("original", "evidence there"), ("twin", "evidence gone")):
        counts = ", ".join(f"{n} {outcome}" for outcome, n in run[side].items())
        yield f"   {words:15} {counts}"
    for rate, words in (("refuses_with", "refuses although it is there"), ("answers_without", "answers although it is gone")):
        one = run["rates"][rate]
        yield f"   {words:30} {format_figure({'mean': one['value'], **one}):20} n={one['n']}"


def render_erratum(made: Shown) -> Iterator[str]:
    """Yield the lines on a contested answer: what was contested, and what its correction moves."""
    yield f"8. A contested answer, accepted for this demo, and its erratum {made['release']!r} of {made['erratum']['of']!r}"
    yield from wrap(f"{made['question']} {' / '.join(made['answers'])}, and also {made['proposed']}", "   ")
    rescored = sum(len(run["rescored"]) for run in made["rescored"]["runs"])
    yield f"   {len(made['rescored']['runs'])} run carried over, {rescored} answer scored by new gold answers, no system asked"
    for move in made["moves"]["in_accuracy"]:
        before, after = (f"{move[side]:.3f} (n={move[f'n_{side}']})" for side in ("before", "after"))
        yield f"   in_accuracy of the run above (offline, no LLM): {before} before, {after} after"


def render_board(made: Shown) -> Iterator[str]:
    """Yield the lines on a sealed board: a commitment, the scores of a submission, and what the opened seal proves."""
    yield f"9. A sealed board: the gold answers of {made['items']} questions, published as commitments with secret salts"
    yield f"   {made['commitment']}"
    for line in made["submissions"]:
        means = "; ".join(f"{name} {format_figure(one)} n={one['n']}" for name, one in line["scores"].items())
        yield f"   {line['system']}: {means}"
    checked = " and ".join(f"{state}: {'ok' if ok else 'problems'}" for state, ok in made["verified"].items())
    yield f"   verify.py on the exported folder, {checked}; the record of the board has {made['entries']} entries"


def render_half_life(made: Shown) -> Iterator[str]:
    """Yield the lines on the answers that a newer table changed, and the date by which to refresh the release."""
    counts, group, changed = made["outcomes"], made["group"], made["changed"]
    said = ", ".join(f"{n} {outcome.replace('_', ' ')}" for outcome, n in counts.items() if n)
    yield f"10. The questions on scholars asked again of the table of a year later: {said}"
    yield from wrap(f"{changed['question']} {changed['before']}, now {changed['after']}", "   ")
    half, refresh = group["half_life"], group["refresh"]
    days = f"{half['days']:,.0f} days [{half['low']:,.0f}, {half['high']:,.0f}]" if half["days"] and half["high"] else "unknown"
    dates = f"refresh by {refresh['date']}, at the earliest {refresh['earliest']}"
    yield f"   half-life {days}, n={group['n']}; at a tolerance of 10 %, {dates}"


def render_further(made: Shown) -> Iterator[str]:
    """Yield the lines on nuggets, marks, shortcuts, the counterfactual and the tiny release, conversations and languages."""
    yield "11. Seven more views of the samples (offline, no LLM)"
    cells = {cell["metric"]: cell for cell in made["nuggets"]}
    vital, read = cells["nuggets.offline.vital_strict"], cells["faithfulness.offline"]
    vital_share, read_share = (f"{format_figure(cell)} n={cell['n']}" for cell in (vital, read))
    yield clip(f"   nuggets      vital facts in the answers {vital_share}; of their facts, in the passages {read_share}")
    yield clip(f"   marks        {made['marks']['says']}")
    rates = {rate["shortcut"]: rate["rate"] for rate in made["shortcuts"]}
    top, any_ = (f"{rates[name]['value']:.3f} (n={rates[name]['n']})" for name in ("top_passage", "any"))
    yield clip(f"   shortcuts    answered without understanding: by the first passage {top}, by at least one shortcut {any_}")
    world, tiny = made["world"], made["tiny"]
    replaced = f"{world['replaced']} of {world['chosen']} gold answers replaced in {world['changed_documents']} documents"
    yield clip(f"   other world  release {world['release']!r} of {world['of']!r}: {replaced}")
    differs = tiny["held_out"]["differs"]
    wrong = f"{differs['value']:.2f} of {differs['n']} decisions differ from those on all questions"
    yield clip(
        f"   tiny         release {tiny['release']!r}: {len(tiny['tiny']['weights'])} of {tiny['tiny']['of']['items']}, {wrong}"
    )
    alone, own = (format_rate(talks["rates"]["learnt"]) for talks in made["conversations"])
    talks = made["conversations"][0]["rates"]["learnt"]["n"]
    yield clip(f"   turns        facts learnt in {talks} conversations: {own} with the turns before, {alone} without")
    right = next(mean for mean in made["languages"]["means"] if mean["metric"] == "right answer")
    english, chinese = (format_rate(right[side]) for side in ("first", "second"))
    yield clip(f"   languages    the same {right['loss']['n']} questions answered right: English {english}, Chinese {chinese}")


def render_closing(workspace: str) -> Iterator[str]:
    at = f" --workspace {workspace}" if workspace else ""
    verbs = (
        (f"items --status drafted{at}", "the drafts"),
        (f"decide ITEM accept --as YOU{at}", "or discard, or with --question and --answer"),
        (f"export samples --format jsonl OUT{at}", "with card, index.html, verify.py, score.py"),
        ("add FOLDER --domain law --licence CC0-1.0", "your own documents"),
        ("draft --task explicit_factoid --domain law --count 20 --agent offline", "or openai:MODEL"),
    )
    most = max(len(verb) for verb, _ in verbs)
    command = COMMAND if PREFIX else f".venv/bin/python {COMMAND}"
    yield f"Next, each after `{command}` (everything above is in {workspace or 'memory'}):"
    yield from (f"   {verb.ljust(most)}   {purpose}" for verb, purpose in verbs)


def count_columns(text: str) -> int:
    """Return how many terminal columns the text takes; a Chinese character takes two."""
    return sum(2 if unicodedata.east_asian_width(sign) in "WF" else 1 for sign in text)


def clip(text: str, most: int = WIDTH) -> str:
    """Return the text on one line, cut to at most `most` columns."""
    text = text.replace("\n", " ")
    if count_columns(text) <= most:
        return text
    while count_columns(text) > most - 1:
        text = text[:-1]
    return text.rstrip() + "…"


def wrap(text: str, indent: str, most: int = 4) -> Iterator[str]:
    """Yield the text as lines of at most WIDTH columns, broken at spaces or after Chinese characters, and at most `most`
    lines."""
    line, lines = indent, []
    for word in split_words(text):
        if count_columns(line + word.rstrip()) > WIDTH:
            lines.append(line.rstrip())
            line = indent + "  "
        line += word
    lines.append(line.rstrip())
    for number, piece in enumerate(lines[:most], 1):
        yield clip(piece + " …") if number == most < len(lines) else piece


def split_words(text: str) -> Iterator[str]:
    """Yield the pieces of the text that must not be broken over two lines, each with the space after it."""
    word = ""
    for sign in text:
        word += sign
        if sign == " " or unicodedata.east_asian_width(sign) in "WF":
            yield word
            word = ""
    yield word
