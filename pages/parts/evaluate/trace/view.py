"""One question as the chosen runs answered it: answers and scores side by side, then the details of one run: retrieved passages
and gold evidence, steps and calls from the ledger, and the judges' verdicts."""

from collections.abc import Sequence
from typing import Any

import streamlit as st

from pages.parts.evaluate.links import link_nuggets
from pages.parts.evaluate.results import paper_table
from pages.parts.evaluate.results.figures import DASH, level, mean, money, seconds
from pages.parts.evaluate.trace import conversation, evidence_columns, hops, twin, work
from pages.parts.evaluate.trace.calls import show_call, show_steps
from pages.parts.ui import long_text
from pages.parts.ui.data_table import download
from pages.parts.ui.in_url import keep_in_address, read_word
from pages.parts.ui.say import count_things, escape, show_error
from workbench import open_workbench
from workbench.annotate.desk.guidelines import name_task
from workbench.evaluate.traces.trace_records import AnswerRecord, TraceView

MAX_CHARACTERS = 4_000
"""Maximum length in characters of an answer that is shown beside answers of other runs."""
MAX_GOLDS = 5
MAX_JUDGE_CALLS = 20
SIDES = (
    "precision: does the gold answer contain this sentence of the answer? recall: does the answer contain this sentence "
    "of the gold answer? nugget: does the answer contain this fact (1 = wholly, 0.5 = partly, 0 = not)? gold nugget: do "
    "the passages support this fact?"
)
JUDGE_COLUMNS: list[dict[str, Any]] = [
    {"label": "Side", "align": "left"},
    {"label": "Sentence", "align": "left", "width": "55%"},
    {"label": "Verdict"},
    {"label": "The judge's reply", "align": "left"},
]


def show(ids: Sequence[str], item: str, variant: str | None, key: str) -> None:
    """Show the question, and the answers of these runs with their details."""
    stage = open_workbench().traces
    view = stage.view(ids, item, variant)
    _draw_question(view)
    _draw_answers(view)
    _draw_scores(view, f"{key}_scores")
    runs = {answer.line.run.id: answer.line.name for answer in view.answers}
    at = read_word("at", next(iter(runs)), list(runs))
    if len(runs) > 1:
        st.segmented_control(
            "One question of one run, step by step",
            list(runs),
            key=f"{key}_at",
            required=True,
            format_func=runs.__getitem__,
            on_change=keep_in_address(f"{key}_at", "at", at),
        )
    if variant is None:
        conversation.show(at, item)
    searches = stage.hops(at, item, variant)
    if searches is not None:
        hops.show(searches, f"{key}_hops_{at}")
    record = stage.work(at, item, variant)
    has_calls = record is not None and record.has_calls
    if record is not None and has_calls:
        st.subheader("Work with functions", anchor=False)
        work.show(record, f"{key}_work_{at}")
    elif record is not None and record.kind is not None:
        st.text(work.describe_end(record))
    evidence = stage.evidence(at, item, variant)
    if evidence.gold or evidence.passages or not has_calls:
        st.subheader("Retrieved passages and gold evidence", anchor=False)
        if pressed := evidence_columns.show(evidence, f"{key}_evidence_{at}"):
            st.switch_page("pages/build/corpus.py", query_params={name: str(value) for name, value in pressed.items()})
    if variant is None:
        twin.show(at, item, f"{key}_twin_{at}")
    steps = stage.steps(at, item, variant)
    st.subheader("Calls of the model" if has_calls else "Steps", anchor=False)
    shown = [record for record in steps if record.step.kind == "call"] if has_calls else steps
    show_steps(shown, f"{key}_{at}", is_open=not has_calls)
    _draw_judges(at, item, variant, f"{key}_{at}")
    file = f"trace-{at[:6]}-{variant or item}.json"
    download("This trace as JSON", lambda: stage.export(at, item, variant), file, "application/json", f"{key}_json_{at}")


def _draw_question(view: TraceView) -> None:
    """Show the question as it was asked, and its gold answers."""
    item = view.item
    words = [level(item.level), item.domain, name_task(item.task), item.language, f"{item.id} r{item.revision}"]
    left, right = st.columns([3, 2])
    with left:
        st.caption("Question")
        st.text(view.question[:MAX_CHARACTERS])
        if view.variant:
            st.caption(f"Asked in another form ({escape(view.variant.kind)}). The item's original question:")
            st.text(item.question[:MAX_CHARACTERS])
        st.badge(escape(" · ".join(words)), color="gray")
    with right:
        st.caption("Gold answer" if len(item.answers) == 1 else f"Gold answers ({len(item.answers)})")
        for number, answer in enumerate(item.answers[:MAX_GOLDS]):
            long_text.show(answer, f"gold_{item.id}_{number}", most=MAX_CHARACTERS, is_prose=True)
        if len(item.answers) > MAX_GOLDS:
            st.caption(f"and {len(item.answers) - MAX_GOLDS} more")
        if not item.answers:
            st.caption("This item has no gold answer.")


def _draw_answers(view: TraceView) -> None:
    """Show the answers of all runs, three side by side."""
    for first in range(0, len(view.answers), 3):
        row = view.answers[first : first + 3]
        for column, answer in zip(st.columns(max(len(row), 2)), row, strict=False):
            with column, st.container(border=True, height="stretch"):
                run, trace = answer.line.run.id, answer.trace
                st.markdown(f"**{escape(answer.line.name)}**")
                if trace.answer is None:
                    show_error(f"Failed ({trace.stop}). {trace.error or 'No reason was stored.'}")
                else:
                    long_text.show(trace.answer, f"answer_{run}", f"answer-{run[:6]}.txt", MAX_CHARACTERS, is_prose=True)
                st.caption(_describe_cost(answer))
                for sentence in trace.not_taken:
                    st.caption(f":material/info: {escape(sentence)}")


def _describe_cost(answer: AnswerRecord) -> str:
    """Describe in a line the tokens, time and price of an answer."""
    trace = answer.trace
    counts = [DASH if n is None else f"{n:,}" for n in (trace.tokens_in, trace.tokens_out)]
    thinking = f", {trace.tokens_thinking:,} of them thinking" if trace.tokens_thinking else ""
    tokens = "tokens unknown" if counts == [DASH, DASH] else f"{counts[0]} tokens in, {counts[1]} out{thinking}"
    cost = "price unknown" if answer.cost is None else f"USD {money(answer.cost)}"
    parts = [trace.stop.replace("_", " "), seconds(trace.seconds), count_things(trace.calls, "call")]
    parts += [f"waited {seconds(trace.queued)} for a free slot"] if trace.queued else []
    parts += [f"{seconds(trace.retrying)} in retries"] if trace.retrying else []
    return " · ".join([*parts, tokens, cost] if trace.calls else parts)


def _draw_scores(view: TraceView, key: str) -> None:
    """Show the scores with one row per metric and one column per run; parts of scores, lengths and costs are collapsed."""
    names = list(dict.fromkeys(score.metric for answer in view.answers for score in answer.scores))
    first = [name for name in names if any(name in answer.headlines for answer in view.answers)]
    rest = [name for name in names if name not in first]
    if not names:
        st.caption("No scores: a failed answer has no score, and the answers of an unfinished run may have no scores yet.")
    if first:
        _score_table(view, first, f"{key}_first")
    if rest:
        with st.expander(f"Components of scores, length and costs ({len(rest)})"):
            _score_table(view, rest, f"{key}_rest")


def _score_table(view: TraceView, names: Sequence[str], key: str) -> None:
    by_run = [{score.metric: score for score in answer.scores} for answer in view.answers]
    columns = [{"label": "Score", "align": "left"}, *({"label": answer.line.name} for answer in view.answers)]
    rows = []
    for name in names:
        cells: list[dict[str, Any]] = [{"text": name}]
        for scores in by_run:
            score = scores.get(name)
            value = score.value if score else None
            why = (score.why if score else "not scored by this judge") if value is None else ""
            help_ = f"version {score.version}" if score else ""
            cells.append({"text": mean(value), "muted": value is None, "sub": why, "help": help_})
        rows.append({"cells": cells})
    paper_table.show(columns, rows, key, shape="narrow")


def _draw_judges(run: str, item: str, variant: str | None, key: str) -> None:
    """Show the verdicts of each judge on the answer."""
    records = open_workbench().traces.judges(run, item, variant)
    if records:
        st.subheader("Verdicts of judges", anchor=False)
    for number, record in enumerate(records):
        st.text(" · ".join(filter(None, [record.metric, record.judge, record.prompt[:60]])))
        rows = []
        for judged in record.sentences:
            is_read, replies = judged.value is not None, "\n".join(judged.replies)
            verdict = {"text": str(judged.value) if is_read else DASH, "sub": "" if is_read else "reply not readable, or a tie"}
            cells: list[dict[str, Any]] = [
                {"text": judged.side},
                {"text": judged.sentence, "clamp": True, "help": judged.sentence},
                {**verdict, "muted": not is_read},
                {"text": replies, "clamp": True, "help": replies},
            ]
            rows.append({"cells": cells})
        if rows:
            paper_table.show(JUDGE_COLUMNS, rows, f"{key}_judged_{number}", notes=[SIDES])
        if record.uses_nuggets:
            link_nuggets(item)
        if record.other:
            st.json(record.other, expanded=False)
        calls = list(dict.fromkeys(id_ for judged in record.sentences for id_ in judged.calls))
        if calls and st.toggle(f"The judge's calls ({len(calls)})", key=f"{key}_judge_calls_{number}"):
            for id_ in calls[:MAX_JUDGE_CALLS]:
                show_call(open_workbench().traces.call(run, id_), id_, f"{key}_{number}_{id_}")
            if len(calls) > MAX_JUDGE_CALLS:
                st.caption(f"First {MAX_JUDGE_CALLS} of {len(calls)} calls; the trace's file lists all.")
