"""Tells the person at a command line that a server does not answer, so that a stopped or overloaded server is not taken for a
command that works."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def watch_silence(say: Callable[[str], None], message: str, seconds: float) -> Iterator[Callable[[], None]]:
    """Call `say` with the message if the block runs for `seconds` without an answer, once for each silence. Yields the function
    to call at each answer."""
    heard, is_over = threading.Event(), threading.Event()

    def watch() -> None:
        while not is_over.is_set():
            if not heard.wait(seconds) and not is_over.is_set():
                say(message)
                heard.wait()
            heard.clear()

    def end() -> None:
        is_over.set()
        heard.set()

    thread = threading.Thread(target=watch, name="silence", daemon=True)
    thread.start()
    try:
        yield heard.set
    finally:
        end()
        thread.join()
