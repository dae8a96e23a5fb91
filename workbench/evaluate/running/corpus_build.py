"""Run what a system builds from the corpus before the first question of a run, such as a graph of entities."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from core.as_json import Json
from core.nouns import Document
from eval.running.building import BuildResult, build_system
from eval.system import Question, SystemAdapter, Tools
from workbench.control import Control
from workbench.setup.agents import BoundAgent


class CorpusBuild:
    """The build of one run. It runs once for all repetitions, when its result is first needed."""

    def __init__(self, adapter: SystemAdapter, documents: Sequence[Document], agent: BoundAgent | None) -> None:
        self._adapter, self._agent, self._documents = adapter, agent, documents
        self._built: BuildResult | None = None

    async def load_settings(
        self,
        questions: Sequence[Question],
        tools: Tools,
        settings: Mapping[str, Any],
        width: int,
        control: Control,
        cancel: asyncio.Event,
    ) -> Mapping[str, object]:
        """Run the build if it has not run yet, and return the settings with which the system then answers. Raises RunStopped if
        the build ends early."""
        if self._built is None:
            languages = {question.language for question in questions}
            documents = [document for document in self._documents if document.language in languages]
            ask = self._agent.ask if self._agent else None
            own = replace(tools, ask=ask, retrieve=None, report_progress=control.say, width=width)
            self._built = await build_system(self._adapter, documents, own, settings, cancel)
        return settings if self._built is None else self._built.settings

    @property
    def seconds(self) -> float:
        return 0.0 if self._built is None else self._built.seconds

    def record(self) -> dict[str, Json] | None:
        """Return a record of the build's cost, or None if nothing was built."""
        return None if self._built is None else self._built.record()
