"""The addresses to which a browser uploads dropped files reach it, even if a run of the page begins at that moment."""

from collections.abc import Callable

import pytest
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime.forward_msg_queue import ForwardMsgQueue

from serving.lifespan import keep_upload_addresses

STREAMLITS_OWN = ForwardMsgQueue.clear


@pytest.fixture
def keep(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """`keep_upload_addresses`, undone with the test."""
    monkeypatch.setattr(ForwardMsgQueue, "clear", STREAMLITS_OWN)
    return keep_upload_addresses


def waiting() -> ForwardMsgQueue:
    """A queue with the addresses of one upload, and with a word of the page."""
    queue = ForwardMsgQueue()
    addresses, word = ForwardMsg(), ForwardMsg()
    addresses.file_urls_response.response_id = "asked"
    word.delta.new_element.text.body = "old"
    word.metadata.delta_path.extend([0, 0])
    queue.enqueue(addresses)
    queue.enqueue(word)
    return queue


def kinds(queue: ForwardMsgQueue) -> list[str | None]:
    return [message.WhichOneof("type") for message in queue.flush()]


def test_a_run_of_the_page_leaves_the_addresses(keep: Callable[[], None]) -> None:
    keep()
    keep()
    queue = waiting()
    queue.clear(retain_lifecycle_msgs=True)
    assert kinds(queue) == ["file_urls_response"]
    assert kinds(queue) == [], "what was sent is gone"


def test_a_run_of_a_part_leaves_them_once(keep: Callable[[], None]) -> None:
    keep()
    queue = waiting()
    queue.clear(retain_lifecycle_msgs=True, fragment_ids_this_run=["part"])
    assert kinds(queue) == ["file_urls_response", "delta"]


def test_streamlit_forgets_them(keep: Callable[[], None]) -> None:
    """Why `keep_upload_addresses` is there: when this test fails, it can go."""
    queue = waiting()
    queue.clear(retain_lifecycle_msgs=True)
    assert kinds(queue) == []
