"""Decides windows that are drafted side by side in the order in which they were cut. The speed of the endpoint then changes
neither which of two equal drafts is refused nor which earlier questions a prompt lists."""

import asyncio
from collections.abc import Iterable


class WindowTurn:
    """One window's place in the line."""

    def __init__(self, asked: tuple[str, ...] = (), earlier: "Iterable[WindowTurn]" = (), known: int = 0) -> None:
        """`asked` = the earlier questions that its prompt lists; `earlier` = the turns before it, over or not."""
        self.asked = asked
        self.known = known
        """Number of known items at the start of the turn, and after `end` at the end."""
        self._over = asyncio.Event()
        self._earlier = [turn for turn in earlier if not turn._over.is_set()]

    async def wait_for_earlier(self) -> None:
        """Wait until every earlier window is decided."""
        for turn in self._earlier:
            await turn._over.wait()

    def end(self, known: int) -> None:
        """End the window's turn: it is decided or failed, and `known` items are known now."""
        self.known = known
        self._over.set()
        self._earlier.clear()
