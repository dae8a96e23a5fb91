"""A run's corpus build: what its system reads before the first question, once for all repetitions, and what that costs."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from core.as_json import Json
from core.nouns import Document
from eval.running.building import BuildResult, build_system
from eval.system import Question, SystemAdapter, Tools
from workbench.control import Control
from workbench.setup.agents import Hired


class CorpusBuild:
    """Builds when the settings are first needed."""

    def __init__(self, adapter: SystemAdapter, documents: Sequence[Document], agent: Hired | None) -> None:
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
        """The settings to answer with. Raises RunStopped when the build ends early."""
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

    def record(self) -> dict[str, Json] | None:
        """What it cost; None where nothing was built."""
        return None if self._built is None else self._built.record()
