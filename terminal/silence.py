"""Tells the user of the command line that a server does not answer, so that the user does not mistake a stopped or overloaded
server for a running command."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def watch_silence(say: Callable[[str], None], message: str, seconds: float) -> Iterator[Callable[[], None]]:
    """Call `say` with the message whenever no answer arrives for `seconds` while the `with` block runs. Yields the function
    that the block must call at each answer."""
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
