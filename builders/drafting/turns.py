"""Apply the results of windows that are drafted concurrently in the order in which the windows were cut. Then the speed of the
endpoint does not affect which of two equal drafts is refused, or which earlier questions a prompt lists."""

import asyncio
from collections.abc import Iterable


class WindowTurn:
    """The position of one window (an excerpt of documents) in the order of the windows that are drafted concurrently."""

    def __init__(self, asked: tuple[str, ...] = (), earlier: "Iterable[WindowTurn]" = (), known: int = 0) -> None:
        """Create the turn of one window. `asked` contains the earlier questions that the window's prompt lists; `earlier`
        contains all turns before this turn, finished or not."""
        self.asked = asked
        self.known = known
        """Number of items in the duplicate index: the number when the turn was created or, after `end`, the number when the
        turn ended."""
        self._over = asyncio.Event()
        self._earlier = [turn for turn in earlier if not turn._over.is_set()]

    async def wait_for_earlier(self) -> None:
        """Wait until the turns of all earlier windows have ended."""
        for turn in self._earlier:
            await turn._over.wait()

    def end(self, known: int) -> None:
        """End the turn of a window, after the gates have checked the window's drafts or drafting has failed; `known` is the
        number of items now in the duplicate index."""
        self.known = known
        self._over.set()
        self._earlier.clear()
