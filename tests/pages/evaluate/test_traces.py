"""The traces page: one question in full, whatever its texts hold; the way through a list; what is gone or failed said so."""

import json
from collections.abc import Sequence
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from core.nouns import Run, Score, Span, Step, System, Trace
from eval.workflows.hops import make_output_step, make_query_step, make_refused_step
from store.runs import runs
from tests.openai_server import running
from tests.pages.conftest import Show
from tests.pages.evaluate.test_results import lines, tables
from tests.pages.runs import freeze, run
from tests.store.stored_scores import store_scores
from workbench import Workbench

ITEM, OTHER = "sample-en-l3-novel-01", "sample-en-l1-paper-01"
HOSTILE = "<img src=x onerror=alert(1)> **bold** $x$ [a](javascript:alert(1)) \u202eabc\u2066 &amp; ![](http://a.b/c.png)"


def made(bench: Workbench, traces: Sequence[Trace], scores: Sequence[Score] = (), name: str = "e") -> str:
    """A run by hand on the frozen samples."""
    hash_ = bench.releases.get("samples")[0].hash
    id_ = name * 16
    asked = [(trace.item, trace.variant) for trace in traces]
    runs.create(bench.database, Run(id_, id_, System("vanilla"), "samples", hash_, "openai:m", {}), asked)
    runs.add_traces(bench.database, traces)
    store_scores(bench.database, scores)
    return id_


def said(at: AppTest) -> str:
    return "\n".join(str(one.value) for kind in (at.text, at.caption, at.code, at.error, at.warning) for one in kind)


@pytest.fixture
def recorded(bench: Workbench) -> str:
    """Eight questions answered and judged by recorded replies."""
    freeze(bench)
    return run(bench, "vanilla", "recorded", "bm25", ("recorded",), sample=8)


def test_a_trace_shows_question_answer_scores_evidence_calls_and_verdicts(bench: Workbench, recorded: str, show: Show) -> None:
    at = show("evaluate/traces", run=recorded, item=ITEM)
    view = bench.traces.view([recorded], ITEM)
    assert view.question in said(at) and view.item.answers[0] in said(at) and (view.answers[0].trace.answer or "") in said(at)
    scores = {line[0]["text"]: line[1]["text"] for table in tables(at)[:2] for line in lines(table)}
    assert scores["s_f1"] == f"{next(s.value for s in view.answers[0].scores if s.metric == 's_f1'):.3f}"
    step = bench.traces.steps(recorded, ITEM)[-1]
    assert (
        step.call is not None
        and step.call.completion is not None
        and step.call.completion.text in [code.value for code in at.code]
    )
    assert any("side" in column["label"].lower() for table in tables(at) for column in table["columns"])


def test_judged_nuggets_link_to_the_page_that_edits_them(bench: Workbench, show: Show) -> None:
    freeze(bench)
    by_text = run(bench, "oracle", "offline", judges=("offline",), metrics=["s_f1"], sample=4)
    by_nuggets = run(
        bench, "oracle", "offline", judges=("offline",), metrics=["s_f1"], sample=4, **{"s_f1.claims": "nuggets"}, seed=1
    )
    item = bench.traces.page([by_text], wanted())[0][0][0].item
    for id_, shown in ((by_text, []), (by_nuggets, [f"item={item}"])):
        at = show("evaluate/traces", run=id_, item=item)
        links = [link.proto for link in at.get("page_link") if link.proto.label == "Edit the nuggets"]
        assert [link.query_string for link in links] == shown


def test_two_runs_stand_side_by_side(bench: Workbench, recorded: str, show: Show) -> None:
    echo = run(bench, "echo", retriever="bm25")
    at = show("evaluate/traces", run=[recorded, echo], item=ITEM, at=echo)
    first = tables(at)[0]
    assert [column["label"] for column in first["columns"]] == ["Score", "vanilla bm25 recorded", "echo bm25"]
    assert at.segmented_control(key="trace_at").value == echo


def test_messages_are_shown_as_they_were_sent(bench: Workbench, show: Show) -> None:
    freeze(bench)
    id_ = run(bench, "vanilla", "offline", sample=4)
    item = bench.traces.page([id_], wanted())[0][0][0].item
    call = bench.traces.steps(id_, item)[-1].call
    assert call is not None and call.messages
    at = show("evaluate/traces", run=id_, item=item)
    assert {content for _, content in call.messages} <= {code.value for code in at.code}


def test_next_and_back_follow_the_order_of_scores(bench: Workbench, show: Show) -> None:
    freeze(bench)
    items = [ITEM, OTHER, "sample-en-l2-tech-01"]
    scores = [Score("e" * 16, item, None, "token_f1", "1", value) for item, value in zip(items, (0.5, 0.9, 0.1), strict=True)]
    id_ = made(bench, [Trace("e" * 16, item, answer="x") for item in items], scores)
    at = show("evaluate/traces", run=id_, item=ITEM, metric="token_f1", order="low")
    assert "2 of 3, lowest score first" in said(at)
    at.button(key=f"next_{ITEM}_None").click().run()
    assert OTHER in at.query_params["item"] and at.button(key=f"next_{OTHER}_None").disabled
    at.button(key=f"list_{OTHER}_None").click().run()
    assert "item" not in at.query_params and "3 questions" in said(at)


def test_a_failed_trace_and_an_empty_answer_are_told_apart(bench: Workbench, show: Show) -> None:
    freeze(bench)
    late = Trace("e" * 16, ITEM, stop="timeout", error="No answer within 3 seconds.")
    id_ = made(bench, [late, Trace("e" * 16, OTHER, answer="")])
    failed = show("evaluate/traces", run=id_, item=ITEM)
    assert "No answer within 3 seconds" in said(failed).replace("\\", "") and "This system records no steps." in said(failed)
    empty = show("evaluate/traces", run=id_, item=OTHER)
    assert not empty.error and "Empty." in said(empty)
    listed = show("evaluate/traces", run=id_, state="failed")
    assert [line[3]["text"] for line in lines(tables(listed)[0])] == ["failed: timeout"]


def test_searches_of_a_system_that_decides_itself_are_shown_hop_by_hop(bench: Workbench, show: Show) -> None:
    freeze(bench)
    steps = (
        Step("call"),
        make_query_step("mill", token=" 1907", score=0.21, threshold=0.8),
        Step("retrieve", "mill", (Span("unknown", 0, 9),), scores=(2.5,)),
        Step("call"),
        Step("call"),
        make_refused_step("mill", "repeat", marker="tags"),
        make_refused_step(HOSTILE, "limit", marker="tags"),
        make_query_step("tower", marker="first search"),
        Step("retrieve", "tower"),
        make_output_step("...", extracted=False, ended="max_turns"),
    )
    id_ = made(bench, [Trace("e" * 16, ITEM, answer="", steps=steps), Trace("e" * 16, OTHER, answer="x", steps=steps[-1:])])
    at = show("evaluate/traces", run=id_, item=ITEM)
    table = next(table for table in tables(at) if table["columns"][0]["label"] == "Hop")
    assert [[cell["text"] for cell in row] for row in lines(table)] == [
        ["1", "mill", "\u201c1907\u201d: 0.21, threshold 0.8", "1. 2.5  not in this workspace", "2"],
        ["2", "mill", "asked for", "refused: searched for before", "0"],
        ["3", HOSTILE, "asked for", "refused: no search was left", "0"],
        ["4", "tower", "always the first", "nothing was found", "0"],
    ]
    assert table["notes"][0].startswith("1 call before the first search")
    assert table["notes"][1] == (
        "The writing ended because max_turns was reached. No answer could be extracted from what was written."
    )
    assert "The system did not search." in said(show("evaluate/traces", run=id_, item=OTHER))


def test_a_system_that_always_searches_has_no_table_of_hops(bench: Workbench, recorded: str, show: Show) -> None:
    at = show("evaluate/traces", run=recorded, item=ITEM)
    assert bench.traces.hops(recorded, ITEM) is None
    assert not [table for table in tables(at) if table["columns"][0]["label"] == "Hop"]


def test_a_call_that_is_gone_is_said_to_be_gone(bench: Workbench, show: Show) -> None:
    freeze(bench)
    id_ = made(bench, [Trace("e" * 16, ITEM, answer="x", steps=(Step("call", call="b2:gone"),), calls=1)])
    assert "has no call b2:gone" in said(show("evaluate/traces", run=id_, item=ITEM)).replace("\\", "")


@pytest.mark.fault(1)
def test_hostile_text_is_shown_letter_by_letter(bench: Workbench, show: Show) -> None:
    freeze(bench)
    steps = (Step("thought", HOSTILE), Step("retrieve", "", (Span("unknown", 0, 9),)))
    id_ = made(bench, [Trace("e" * 16, ITEM, answer=HOSTILE, steps=steps, retrieved=(Span("unknown", 0, 9),))])
    at = show("evaluate/traces", run=id_, item=ITEM)
    assert HOSTILE in [one.value for one in at.text] and HOSTILE in [one.value for one in at.code]
    assert not any("<img" in one.value for one in at.markdown)


@pytest.mark.fault(7)
def test_five_megabytes_are_shown_as_their_beginning_with_the_whole_as_a_file(bench: Workbench, show: Show) -> None:
    freeze(bench)
    id_ = made(bench, [Trace("e" * 16, ITEM, answer="word " * 1_000_000)])
    at = show("evaluate/traces", run=id_, item=ITEM)
    assert "The first 4,000 of 5,000,000 characters are shown." in said(at)
    assert max(len(one.value) for one in at.text) <= 4_000 and any(b.label == "Whole text" for b in at.download_button)
    listed: dict[str, Any] = tables(show("evaluate/traces", run=id_))[0]
    assert len(lines(listed)[0][3]["text"]) < 500


def test_words_are_searched_in_question_and_answer(bench: Workbench, show: Show) -> None:
    freeze(bench)
    id_ = made(bench, [Trace("e" * 16, ITEM, answer="Zanzibar"), Trace("e" * 16, OTHER, answer="x")])
    assert [line[3]["text"] for line in lines(tables(show("evaluate/traces", run=id_, text="zanziBAR"))[0])] == ["Zanzibar"]
    assert "No question matches" in said(show("evaluate/traces", run=id_, text="no such words"))


def test_a_question_that_no_run_was_asked_is_a_sentence(bench: Workbench, show: Show) -> None:
    freeze(bench)
    id_ = made(bench, [Trace("e" * 16, ITEM, answer="x")])
    assert "None of these runs has a trace" in said(show("evaluate/traces", run=id_, item="nobody"))


def wanted() -> Any:
    from workbench.evaluate.traces.traces import TraceFilter

    return TraceFilter("")


def test_thinking_is_folded_and_what_was_not_taken_is_said(
    bench: Workbench, show: Show, monkeypatch: pytest.MonkeyPatch
) -> None:
    freeze(bench)
    with running([{"as": "anthropic"}]) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        bench.agent_list.save({"name": "own", "model": "m", "base_url": server.url})
        server.script(
            [{"as": "anthropic"}, {"fault": "shape", "at": ["choices", 0, "message", "reasoning"], "is": "Hm, well."}]
        )
        id_ = run(bench, "closed_book", "own", sample=2)
    item = bench.traces.page([id_], wanted())[0][0][0].item
    at = show("evaluate/traces", run=id_, item=item)
    folded = next(one for one in at.expander if one.label.startswith("Thinking"))
    assert [code.value for code in folded.code] == ["Hm, well."] and not folded.proto.expanded
    assert sum("temperature 0 requested" in caption.value for caption in at.caption) == 2, "at the answer and at its call"
    exported = json.loads(bench.traces.export(id_, item))
    assert exported["not_taken"] == ["temperature 0 requested, but not adjustable on this model"]
    assert exported["calls"][0]["thinking"] == "Hm, well."
