"""One question as the chosen runs answered it: answers and scores side by side, then one run's way to its answer: passages
beside gold evidence, steps and calls as the ledger has them, what judges said."""

from collections.abc import Sequence
from typing import Any

import streamlit as st

from pages.parts.evaluate.results import paper_table
from pages.parts.evaluate.results.figures import DASH, level, mean, money, seconds
from pages.parts.evaluate.trace import evidence_columns, hops, work
from pages.parts.evaluate.trace.calls import call, steps
from pages.parts.ui import long_text
from pages.parts.ui.in_url import held, word
from pages.parts.ui.say import plain, trouble
from workbench import opened
from workbench.evaluate.traces.trace_records import OneTrace, TraceView

ANSWER = 4_000
"""Characters of an answer that stand beside those of other runs."""


def show(ids: Sequence[str], item: str, variant: str | None, key: str) -> None:
    """Draw it."""
    view = opened().traces.view(ids, item, variant)
    _question(view)
    _answers(view)
    _scores(view, f"{key}_scores")
    runs = {one.line.run: one.line.name for one in view.traces}
    at = word("at", next(iter(runs)), list(runs))
    if len(runs) > 1:
        st.segmented_control(
            "How one run came to its answer",
            list(runs),
            key=f"{key}_at",
            required=True,
            format_func=lambda run: runs[run],
            on_change=held(f"{key}_at", "at", at),
        )
    stage = opened().traces
    searched = stage.hops(at, item, variant)
    if searched is not None:
        hops.show(searched, f"{key}_hops_{at}")
    worked = stage.work(at, item, variant)
    if worked is not None and worked.has_calls:
        st.subheader("Work with functions", anchor=False)
        work.show(worked, f"{key}_work_{at}")
    elif worked is not None and worked.kind is not None:
        st.text(work.typed(worked))
    found = stage.evidence(at, item, variant)
    pressed = None
    if found.gold or found.passages or worked is None or not worked.has_calls:
        st.subheader("Retrieved passages and gold evidence", anchor=False)
        pressed = evidence_columns.show(found, f"{key}_evidence_{at}")
    if pressed:
        st.switch_page("pages/build/corpus.py", query_params={name: str(value) for name, value in pressed.items()})
    taken = stage.steps(at, item, variant)
    is_told = worked is not None and worked.has_calls
    st.subheader("Calls of the model" if is_told else "Steps", anchor=False)
    steps([step for step in taken if step.kind == "call"] if is_told else taken, f"{key}_{at}", is_open=not is_told)
    _judged(at, item, variant, f"{key}_{at}")
    st.download_button(
        "This trace as JSON",
        lambda: stage.record(at, item, variant),
        f"trace-{at[:6]}-{variant or item}.json",
        "application/json",
        icon=":material/download:",
        key=f"{key}_json_{at}",
        on_click="ignore",
    )


def _question(view: TraceView) -> None:
    """The question as it was asked, and its gold answers."""
    item = view.item
    words = [level(item.level), item.domain, item.task.replace("_", " "), item.language, f"{item.id} r{item.revision}"]
    left, right = st.columns([3, 2])
    with left:
        st.caption("Question")
        st.text(view.question[:ANSWER])
        if view.variant:
            st.caption(f"Asked in another form ({plain(view.variant.kind)}). The item's own words:")
            st.text(item.question[:ANSWER])
        st.badge(plain(" · ".join(words)), color="gray")
    with right:
        st.caption("Gold answer" if len(item.answers) == 1 else f"Gold answers ({len(item.answers)})")
        for number, answer in enumerate(item.answers[:5]):
            long_text.show(answer, f"gold_{item.id}_{number}", most=ANSWER, is_prose=True)
        if len(item.answers) > 5:
            st.caption(f"and {len(item.answers) - 5} more")
        if not item.answers:
            st.caption("This item has none.")


def _answers(view: TraceView) -> None:
    """Every run's answer, three beside each other."""
    for first in range(0, len(view.traces), 3):
        row = view.traces[first : first + 3]
        for column, one in zip(st.columns(max(len(row), 2)), row, strict=False):
            with column, st.container(border=True, height="stretch"):
                st.markdown(f"**{plain(one.line.name)}**")
                if one.answer is None:
                    trouble(f"Failed ({one.stop}). {one.error or 'No reason was kept.'}")
                else:
                    name = f"answer-{one.line.run[:6]}.txt"
                    long_text.show(one.answer, f"answer_{one.line.run}", name, ANSWER, is_prose=True)
                st.caption(_spent(one))


def _spent(one: OneTrace) -> str:
    """What the answer took, in a line."""
    counts = [DASH if n is None else f"{n:,}" for n in (one.tokens_in, one.tokens_out)]
    tokens = "tokens not told" if counts == [DASH, DASH] else f"{counts[0]} tokens in, {counts[1]} out"
    calls = f"{one.calls} {'call' if one.calls == 1 else 'calls'}"
    cost = "price unknown" if one.cost is None else f"USD {money(one.cost)}"
    parts = [one.stop.replace("_", " "), seconds(one.seconds), calls]
    parts += [f"waited {seconds(one.queued)} for a place"] if one.queued else []
    parts += [f"{seconds(one.retrying)} in retries"] if one.retrying else []
    return " · ".join([*parts, tokens, cost] if one.calls else parts)


def _scores(view: TraceView, key: str) -> None:
    """A line a metric, a column a run; a dash with why where there is no value. Parts and costs are folded away."""
    scores = [score for one in view.traces for score in one.scores]
    first = list(dict.fromkeys(score.metric for score in scores if score.is_headline))
    rest = [name for name in dict.fromkeys(score.metric for score in scores) if name not in first]
    if not scores:
        st.caption("No scores: a failed answer has none, and a run that is not finished may have none yet.")
    if first:
        _score_table(view, first, f"{key}_first")
    if rest:
        with st.expander(f"Parts of scores, length and costs ({len(rest)})"):
            _score_table(view, rest, f"{key}_rest")


def _score_table(view: TraceView, names: Sequence[str], key: str) -> None:
    by_run = [{score.metric: score for score in one.scores} for one in view.traces]
    columns: list[dict[str, Any]] = [{"label": "Score", "align": "left"}]
    columns += [{"label": one.line.name} for one in view.traces]
    rows = []
    for name in names:
        cells: list[dict[str, Any]] = [{"text": name}]
        for scores in by_run:
            score = scores.get(name)
            value = score.value if score else None
            why = (score.why if score else "not scored by it") if value is None else ""
            cells.append(
                {"text": mean(value), "muted": value is None, "sub": why, "help": f"version {score.version}" if score else ""}
            )
        rows.append({"cells": cells})
    paper_table.show(columns, rows, key, shape="narrow")


def _judged(run: str, item: str, variant: str | None, key: str) -> None:
    """Verdict by verdict."""
    found = opened().traces.judged(run, item, variant)
    if not found:
        return
    st.subheader("What judges said", anchor=False)
    for number, one in enumerate(found):
        st.text(" · ".join(filter(None, [one.metric, one.judge, one.prompt[:60]])))
        columns = [
            {"label": "Side", "align": "left"},
            {"label": "Sentence", "align": "left", "width": "55%"},
            {"label": "Verdict"},
            {"label": "The judge's words", "align": "left"},
        ]
        rows = [
            {
                "cells": [
                    {"text": said.side},
                    {"text": said.sentence, "clamp": True, "help": said.sentence},
                    {
                        "text": DASH if said.value is None else str(said.value),
                        "muted": said.value is None,
                        "sub": "not read, or a tie" if said.value is None else "",
                    },
                    {"text": "\n".join(said.replies), "clamp": True, "help": "\n".join(said.replies)},
                ]
            }
            for said in one.sentences
        ]
        if rows:
            paper_table.show(
                columns,
                rows,
                f"{key}_judged_{number}",
                notes=[
                    "precision: is this sentence of the answer in the gold answer; recall: is this gold sentence in the "
                    "answer.",
                ],
            )
        if one.other:
            st.json(one.other, expanded=False)
        calls = list(dict.fromkeys(id_ for said in one.sentences for id_ in said.calls))
        if calls and st.toggle(f"The judge's calls ({len(calls)})", key=f"{key}_judge_calls_{number}"):
            for id_ in calls[:20]:
                call(opened().traces.call(run, id_), id_, f"{key}_{number}_{id_}")
            if len(calls) > 20:
                st.caption(f"The first 20 of {len(calls)}; the trace's file names them all.")
