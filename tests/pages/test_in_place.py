"""Parts of a page that are drawn again by themselves leave what stands below them where it is."""

from collections.abc import Iterator

import pytest
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime.forward_msg_queue import ForwardMsgQueue
from streamlit.testing.v1 import AppTest

from tests.pages.conftest import ROOT, Show
from tests.pages.evaluate.test_run import finish
from tests.workbench.build.test_web_questions import handed_in
from workbench import Workbench
from workbench.evaluate.running.run_request import RunRequest


@pytest.fixture
def sent() -> Iterator[list[ForwardMsg]]:
    """Every message to the browser, in order."""
    messages: list[ForwardMsg] = []
    ForwardMsgQueue.on_before_enqueue_msg(messages.append)
    yield messages
    ForwardMsgQueue.on_before_enqueue_msg(None)


def moved(messages: list[ForwardMsg], fragments: set[str]) -> list[tuple[int, ...]]:
    """Places that differ in a browser which did not get what Streamlit forgets when the turn of the fragments comes before the
    messages are sent: the browser takes away what it did not get, and moves up what stands below."""
    queue = ForwardMsgQueue()
    for message in messages:
        queue.enqueue(message)
    queue.clear(retain_lifecycle_msgs=True, fragment_ids_this_run=sorted(fragments))
    there = {tuple(m.metadata.delta_path) for m in queue.flush() if m.HasField("delta")}
    return sorted(path for path in there if any((*path[:-1], n) not in there for n in range(path[-1])))


def test_what_stands_below_a_runs_figures_stays_when_their_turn_comes_at_once(
    bench: Workbench, show: Show, sent: list[ForwardMsg]
) -> None:
    job = finish(bench, RunRequest(release="working", system="echo", sample=4))
    at = show("evaluate/run", job=job)
    sent.clear()
    at.run()
    ForwardMsgQueue.on_before_enqueue_msg(None)  # or what is enqueued below is sent again
    fragments = {message.delta.fragment_id for message in sent if message.delta.fragment_id}
    links = [m.delta.new_element.page_link.label for m in sent if m.delta.new_element.HasField("page_link")]
    assert len(fragments) == 2 and "Open in Results" in links
    gone = moved(sent, fragments)  # apart: pytest would write every message out
    assert gone == []


def test_from_one_question_of_two_phases_to_the_next_the_form_alone_is_drawn(
    empty_bench: Workbench, show: Show, sent: list[ForwardMsg]
) -> None:
    handed_in(empty_bench)
    at = show("annotate/phases")
    sent.clear()
    at.run()
    ForwardMsgQueue.on_before_enqueue_msg(None)
    parts = {m.delta.new_element.button.label: m.delta.fragment_id for m in sent if m.delta.new_element.HasField("button")}
    assert parts["Right as it stands"] == parts["Discard the question"] == parts["Later"] != ""
    heads = [m.delta.fragment_id for m in sent if m.delta.new_element.HasField("heading")]
    assert heads[0] == "", "the page around it is none of it"
    gone = moved(sent, set(parts.values()))
    assert gone == []


def test_no_page_makes_a_fragment_of_its_own() -> None:
    found = [path.name for path in (ROOT / "pages").rglob("*.py") if "st.fragment" in path.read_text(encoding="utf-8")]
    assert found == ["in_place.py"]


PRESSED_WHILE_A_PART_READS = """
import streamlit as st
from streamlit.runtime.scriptrunner_utils.script_requests import RerunData
from streamlit.runtime.scriptrunner_utils.script_run_context import get_script_run_ctx

from pages.parts.ui.in_place import redraw_page

context = get_script_run_ctx()
addresses = st.session_state.setdefault("addresses", [])
addresses.append(context.query_string)
if len(addresses) == 1:
    context.script_requests.request_rerun(RerunData(query_string="at=pressed", page_script_hash=context.page_script_hash))
    {redraw}()
"""


@pytest.mark.parametrize(("redraw", "then"), [("redraw_page", "at=pressed"), ("st.rerun", "")])
def test_a_press_goes_before_a_part_that_redraws_its_page(redraw: str, then: str) -> None:
    """The second case is why the first one does not call st.rerun alone: when Streamlit keeps the press, it can."""
    at = AppTest.from_string(PRESSED_WHILE_A_PART_READS.format(redraw=redraw)).run()
    assert at.session_state["addresses"] == ["", then]
