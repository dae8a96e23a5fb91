"""A run's building: what its system reads before the first question, once for all repetitions, with what that cost."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from core.nouns import Document
from eval.running.building import BuildResult, build_system
from eval.system import Question, SystemAdapter, Tools
from workbench.control import Control
from workbench.setup.agents import Hired


class Building:
    """Built when it is first wanted."""

    def __init__(self, adapter: SystemAdapter, documents: Sequence[Document], agent: Hired | None) -> None:
        self._adapter, self._agent = adapter, agent
        self._documents = documents
        self._built: BuildResult | None = None

    async def settings(
        self,
        questions: Sequence[Question],
        tools: Tools,
        settings: Mapping[str, Any],
        width: int,
        control: Control,
        cancel: asyncio.Event,
    ) -> Mapping[str, Any]:
        """The settings to answer with. Raises RunStopped when the building ends early."""
        if self._built is None:
            languages = {question.language for question in questions}
            documents = [document for document in self._documents if document.language in languages]
            ask = self._agent.ask if self._agent else None
            own = replace(tools, ask=ask, retrieve=None, tell=control.say, width=width)
            self._built = await build_system(self._adapter, documents, own, settings, cancel)
        return settings if self._built is None else self._built.opened

    @property
    def seconds(self) -> float:
        return 0.0 if self._built is None else self._built.seconds

    def record(self) -> dict[str, Any] | None:
        """Its costs; None where nothing was built."""
        return None if self._built is None else self._built.record()
