"""Grammar errors: an agent puts one in, a verifier says whether it is there. The verifier is LanguageTool, by way of the
package language-tool-python (GPL-3.0, the user's choice), which is imported in this file alone. Without one, or where it finds
nothing in all attempts, the variant says "unverified"."""

import asyncio
import json
import os
import queue
import shutil
import threading
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple, TypeVar
from urllib.parse import urlencode, urljoin

from builders.variation.perturbation import Perturbation, PerturbationSetting, PerturbedText, VariantMaker, Voice
from builders.variation.rewording import TEMPERATURE, ask_for_rewording, generator, record
from core.errors import BenchError
from core.nouns import Item
from core.text.language import ByLanguage

PROMPT = "vary/grammar"
REGENERATIONS = 3
"""How often another error is asked for when the verifier finds none (query_variations.md, decision 3)."""
HELLO, CHECK, START = 3.0, 10.0, 30.0
"""Seconds that the server has to say which languages it knows, to look at one text, and that a local one has to start."""
CODES = {"en": "en-US", "zh": "zh-CN"}
"""Our languages in LanguageTool's words."""
LOCAL = "LanguageTool-6.8"
"""The folder of the local server's files, as the package looks for it."""
TRIED_NOTE = ByLanguage(
    {
        "en": "\nNo checker of grammar finds an error in these; make a plainer one:\n{texts}\n",
        "zh": "\n下列改写中检查不出语法错误，请写一个更明显的：\n{texts}\n",
    }
)
T = TypeVar("T")


class GrammarMatch(NamedTuple):
    """A rule that fired on a text."""

    rule: str
    category: str
    issue: str
    offset: int
    length: int

    @property
    def is_grammar(self) -> bool:
        return self.issue == "grammar" or self.category == "GRAMMAR"


class Unverified(BenchError):
    """The verifier said nothing of this text, for a reason that is one sentence."""


@contextmanager
def make(settings: Mapping[str, Any]) -> Iterator[VariantMaker]:
    verifier = Verifier(str(settings["server"]).strip())
    try:
        yield Injector(verifier, settings)
    finally:
        verifier.close()


class Injector:
    """Asks for an error until the verifier finds it, or the attempts are over."""

    def __init__(self, verifier: "Verifier", settings: Mapping[str, Any]) -> None:
        self._verifier, self._settings = verifier, settings

    async def __call__(self, item: Item, seed: int, voice: Voice | None) -> PerturbedText:
        calls: list[str] = []
        tried: list[str] = []
        error, why, new = "", "", list[GrammarMatch]()
        known: frozenset[str] = frozenset()
        try:
            known = frozenset(hit.rule for hit in await asyncio.to_thread(self._verifier.look, item.question, item.language))
        except Unverified as trouble:
            why = str(trouble)
        for _ in range(1 if why else 1 + REGENERATIONS):
            told = TRIED_NOTE[item.language].format(texts="\n".join(f"- {text}" for text in tried)) if tried else ""
            reply = await ask_for_rewording(PROMPT, "faulty", item, seed, voice, self._settings, {}, told)
            calls += reply.calls
            tried.append(reply.values["faulty"])
            error = reply.values["error"]
            if why:
                break
            try:
                hits = await asyncio.to_thread(self._verifier.look, tried[-1], item.language)
            except Unverified as trouble:
                why = str(trouble)
                break
            if new := [hit for hit in hits if hit.is_grammar and hit.rule not in known]:
                break
        else:
            why = f"{self._verifier.name} found no new error of grammar in {len(tried)} attempts."
        checks: dict[str, Any] = record(PROMPT, item, tuple(calls), voice) | {
            "error": error,
            "attempts": len(tried),
            "verdict": "verified" if new else "unverified",
            "verifier": self._verifier.name,
            "verifier_version": self._verifier.version,
            "rules": [hit._asdict() for hit in new],
        }
        return PerturbedText(tried[-1], generator(voice), checks if new else checks | {"unverified_why": why})


class Verifier:
    """LanguageTool at an address, else its local server where Java and its files are there. Begun at the first question of each
    language; once it has run into a time limit it is off for the job."""

    def __init__(self, server: str = "") -> None:
        self._server = server.rstrip("/")
        self._tools: dict[str, Any] = {}
        self._off = ""
        self._lock = threading.Lock()
        self.name: str | None = None
        """What it is, once there is one."""
        self.version: str | None = None
        """The server's own; None where it does not say."""

    def look(self, text: str, language: str) -> list[GrammarMatch]:
        """The rules that fire on the text. Raises Unverified with why there is no saying; one text at a time."""
        with self._lock:
            if self._off:
                raise Unverified(self._off)
            if language not in self._tools:
                self._tools[language] = self._open_tool(language)
            tool = self._tools[language]
            if isinstance(tool, str):
                raise Unverified(tool)
            return self._check_text(tool, text)

    def close(self) -> None:
        """Let go of a local server."""
        for tool in self._tools.values():
            if not isinstance(tool, str):
                with suppress(TimeoutError):
                    run_with_limit(CHECK, tool.close)

    def _open_tool(self, language: str) -> Any:
        """The package's tool for that language; a sentence where it cannot be had."""
        code = CODES[language]
        if self._server:
            if why := self._explain_unusable_server(code):
                return why
        elif why := no_local():
            return why
        try:
            from language_tool_python import LanguageTool

            tool = run_with_limit(
                CHECK if self._server else START,
                lambda: LanguageTool(code, remote_server=self._server) if self._server else LanguageTool(code),
            )
        except TimeoutError:
            self._off = f"LanguageTool did not start within {CHECK if self._server else START:g} s: it is off for this job."
            return self._off
        except Exception as error:  # noqa: BLE001  # whatever the package raises: without a verifier, work goes on
            return f"LanguageTool cannot be used: {first_line(error)}."
        self.name = f"LanguageTool (language-tool-python {version('language-tool-python')})"
        if not self._server:
            self.version = LOCAL.rpartition("-")[2]
        return tool

    def _explain_unusable_server(self, code: str) -> str:
        """Why the server at the address is of no use, in a sentence; "" when it knows the language."""
        try:
            found = run_with_limit(HELLO, lambda: _json(urljoin(f"{self._server}/", "v2/languages"), None))
            codes = {str(one[key]) for one in found for key in ("code", "longCode") if key in one}
        except TimeoutError:
            self._off = f"{self._server} did not say within {HELLO:g} s which languages it knows: it is off for this job."
            return self._off
        except Exception as error:  # noqa: BLE001  # refused, no HTTP, no JSON: all the same here
            return f"No LanguageTool answers at {self._server}: {first_line(error)}."
        if code not in codes:
            return f"The LanguageTool at {self._server} does not know {code}."
        try:
            said = run_with_limit(
                HELLO, lambda: _json(urljoin(f"{self._server}/", "v2/check"), {"language": code, "text": "A"})
            )
            self.version = str(said["software"]["version"])
        except TimeoutError:
            self._off = f"{self._server} did not look at a letter within {HELLO:g} s: it is off for this job."
            return self._off
        except Exception:  # noqa: BLE001  # a server need not say it
            self.version = None
        return ""

    def _check_text(self, tool: Any, text: str) -> list[GrammarMatch]:
        try:
            found = run_with_limit(CHECK, lambda: tool.check(text))
        except TimeoutError:
            self._off = f"LanguageTool did not answer within {CHECK:g} s: it is off for this job."
            raise Unverified(self._off) from None
        except Exception as error:  # whatever the package raises: without a verdict, work goes on
            if type(error).__name__ == "RateLimitError":
                self._off = "LanguageTool's limit of requests is reached: it is off for this job."
                raise Unverified(self._off) from error
            raise Unverified(f"LanguageTool answered with an error: {first_line(error)}.") from error
        return [GrammarMatch(m.rule_id, m.category, m.rule_issue_type, m.offset, m.error_length) for m in found]


def no_local() -> str:
    """Why there is no local LanguageTool, in a sentence; "" when Java and its files are there. Nothing is downloaded."""
    cache = Path(os.environ.get("LTP_PATH") or Path.home() / ".cache" / "language_tool_python")
    if shutil.which("java") is None or not (cache / LOCAL / "languagetool-server.jar").is_file():
        return "There is no verifier: give the address of a LanguageTool server (setting grammar.server)."
    return ""


def run_with_limit(seconds: float, work: Callable[[], T]) -> T:
    """What the work returns or raises; TimeoutError when it takes longer, and it is left to itself."""
    came: queue.Queue[tuple[bool, Any]] = queue.Queue()

    def run() -> None:
        try:
            came.put((True, work()))
        except BaseException as error:  # noqa: BLE001  # it is raised where it was asked for
            came.put((False, error))

    threading.Thread(target=run, name="languagetool", daemon=True).start()
    try:
        is_done, found = came.get(timeout=seconds)
    except queue.Empty:
        raise TimeoutError from None
    if is_done:
        value: T = found
        return value
    raise found


def first_line(error: BaseException) -> str:
    """What is wrong, for a sentence."""
    if isinstance(error, KeyError):
        return f"its reply has no {error}"
    return (str(error).strip().splitlines() or [type(error).__name__])[0].rstrip(".")[:200]


def _json(url: str, form: Mapping[str, str] | None) -> Any:
    if not url.startswith(("http://", "https://")):
        raise ValueError("the address must begin with http:// or https://")
    data = urlencode(form).encode() if form is not None else None
    with urllib.request.urlopen(url, data=data, timeout=HELLO) as response:
        return json.load(response)


PERTURBATION = Perturbation(
    label="Grammar",
    about="The grammar is broken in one place; LanguageTool, where there is one, says whether it is.",
    make=make,
    prompt=PROMPT,
    settings={
        "temperature": TEMPERATURE,
        "server": PerturbationSetting(
            "", "Address of a LanguageTool server; questions are sent there. Empty = the workspace's, or a local one."
        ),
    },
)
