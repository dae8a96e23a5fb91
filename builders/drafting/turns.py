"""Decides windows that are drafted side by side in the order in which they were cut. The speed of the endpoint then changes
neither which of two equal drafts is refused nor which earlier questions a prompt lists."""

import asyncio
from collections.abc import Iterable


class WindowTurn:
    """The turn of one window among windows drafted at the same time."""

    def __init__(self, asked: tuple[str, ...] = (), earlier: "Iterable[WindowTurn]" = (), known: int = 0) -> None:
        """Create a turn. `asked` contains the earlier questions that the window's prompt lists; `earlier` contains the turns
        before this one, finished or not."""
        self.asked = asked
        self.known = known
        """Number of known items at the start of the turn, and after `end` at the end."""
        self._over = asyncio.Event()
        self._earlier = [turn for turn in earlier if not turn._over.is_set()]

    async def wait_for_earlier(self) -> None:
        """Wait until the turns of all earlier windows have ended."""
        for turn in self._earlier:
            await turn._over.wait()

    def end(self, known: int) -> None:
        """End the turn, because the window was decided or failed; `known` is the number of items known at this time."""
        self.known = known
        self._over.set()
        self._earlier.clear()
