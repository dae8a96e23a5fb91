"""Put a grammatical error into a question: an agent rewrites the question, and LanguageTool checks that the new text has an
error. Without LanguageTool, or if LanguageTool finds no error in any attempt, the variant is marked "unverified"; the variant
may nevertheless have an error. A second agent may also judge whether the variant has an error."""

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

from builders.languagetool.checker import START_SECONDS, TIMEOUT_SECONDS, WEAK, Checker, GrammarMatch, Unverified
from builders.languagetool.server import check_server, choose_server
from builders.variation.perturbation import (
    Perturbation,
    PerturbationSetting,
    PerturbedText,
    VariantMaker,
    VariationAgent,
    VariationFailed,
)
from builders.variation.rewording import TEMPERATURE, ask_for_rewording, generator, record
from core.agent import Sampling
from core.errors import AgentError, Unreadable
from core.ids import derived_id
from core.nouns import Item
from core.text.language import ByLanguage
from prompts.prompt import load
from prompts.reply import ask_for

PROMPT = "vary/grammar"
JUDGE = "judge/grammar"
MAX_JUDGE_TOKENS = 256
MAX_REGENERATIONS = 3
"""Maximum number of times that the agent is asked again for an error when LanguageTool finds none."""
KINDS = {
    "en": (
        'the form of the verb right after an auxiliary: "did wrote", "does costs", "has wrote"',
        'number: "how many mayor", "how much years", "these book"',
        'a for an, or an for a: "a essay", "an mayor"',
        'comparison: "more longer", "the most oldest"',
        'negation: "did not sign nothing", "does not says nothing"',
        'the infinitive: "wanted to built", "decided to left"',
        'the form of the verb after a modal verb: "should pays", "could built", "could of known"',
    ),
    "zh": (
        "缺少或误用“的、了、把、被”",
        "量词不当：“一只书”",
        "成分残缺",
        "成分重复",
        "语序不当",
        "搭配不当",
    ),
}
"""Kinds of grammatical errors that the agent is asked for first, by language. English: kinds that LanguageTool 6.8 finds in
more than half of the cases (measured on sixty questions). Chinese: common kinds, of which LanguageTool finds none."""
TRIED_NOTE = ByLanguage(
    {
        "en": "\nNo checker of grammar finds an error in these; make a plainer one, which is {kind}:\n{texts}\n",
        "zh": "\n下列改写中检查不出语法错误，请写一个更明显的（{kind}）：\n{texts}\n",
    }
)


@contextmanager
def make(settings: Mapping[str, Any]) -> Iterator[VariantMaker]:
    server = choose_server(check_server(str(settings["server"])))
    yield Injector(Checker(server, float(settings["start"]), float(settings["timeout"])), settings)


class GrammarFinding(NamedTuple):
    """The errors that LanguageTool finds in a variant's text, compared with those in the original question."""

    known: frozenset[str] | None = None
    """Rules of LanguageTool that report an error in the original question; None = the original question was not checked."""
    new: tuple[GrammarMatch, ...] = ()
    """LanguageTool's grammar rules that report an error in the variant but not in the original question."""
    why: str = ""
    """Reason why LanguageTool did not check the variant's text, in one sentence; "" = LanguageTool checked the text."""


class Injector:
    """Asks an agent for a grammatical error in a question until LanguageTool finds one or all attempts are used."""

    def __init__(self, checker: Checker, settings: Mapping[str, Any]) -> None:
        self._checker, self._settings = checker, settings
        self._one_at_a_time = asyncio.Lock()
        self._warned: set[str] = set()

    async def __call__(self, item: Item, seed: int, voice: VariationAgent | None) -> PerturbedText:
        calls: list[str] = []
        tried: list[str] = []
        kinds = rotate_kinds(item, seed)
        finding = await self._begin(item, voice)
        for attempt in range(1 if finding.why else 1 + count_regenerations(item.language)):
            first = attempt % len(kinds)
            preferred = [*kinds[first:], *kinds[:first]]
            texts = "\n".join(f"- {text}" for text in tried)
            reason = TRIED_NOTE[item.language].format(kind=preferred[0], texts=texts) if tried else ""
            inputs = {"error_kinds": number_kinds(preferred)}
            try:
                reply = await ask_for_rewording(PROMPT, "faulty", item, seed, voice, self._settings, inputs, reason)
            except VariationFailed:
                if not tried:
                    raise
                break  # the agent has no other error: keep the last one, unverified
            calls += reply.calls
            tried.append(reply.values["faulty"])
            finding = await self._look(tried[-1], item.language, voice, finding)
            if finding.why or finding.new:
                break
        checks = record(PROMPT, item, tuple(calls), voice) | {"error": reply.values["error"], "attempts": len(tried)}
        checks |= self._describe(finding, len(tried))
        if voice is not None and voice.judge is not None:
            checks["judge"] = await ask_judge(tried[-1], item.language, seed, voice.judge)
        return PerturbedText(tried[-1], generator(voice), checks)

    async def check_again(self, item: Item, text: str, checks: Mapping[str, Any], voice: VariationAgent) -> Mapping[str, Any]:
        """Return the checks of a stored variant; If LanguageTool's verdict or the judge's opinion is missing, it is added."""
        whole = dict(checks)
        if not checks.get("is_checked") and not self._checker.is_off:
            finding = await self._look(text, item.language, voice, await self._begin(item, voice))
            if not finding.why:
                whole.pop("unverified_why", None)
                whole |= self._describe(finding, int(checks.get("attempts", 1)))
        if voice.judge is not None and "judge" not in checks:
            whole["judge"] = await ask_judge(text, item.language, 0, voice.judge)
        return whole

    async def _begin(self, item: Item, voice: VariationAgent | None) -> GrammarFinding:
        """Return the errors that LanguageTool finds in the original question; a variant's errors count as new only if the
        original question does not have them."""
        if voice is not None and item.language in WEAK and item.language not in self._warned and not self._checker.is_off:
            self._warned.add(item.language)
            voice.say(WEAK[item.language])
        return await self._look(item.question, item.language, voice, GrammarFinding())

    async def _look(self, text: str, language: str, voice: VariationAgent | None, before: GrammarFinding) -> GrammarFinding:
        """Return the errors that LanguageTool finds in the text but not in the original question; `before` contains those of
        the original question. Only one text is checked at a time, so that a slow server blocks only one thread."""
        if before.why:
            return before
        say = voice.say if voice is not None else lambda message: None
        try:
            async with self._one_at_a_time:
                matches = await asyncio.to_thread(self._checker.check, text, language, say)
        except Unverified as trouble:
            return before._replace(why=str(trouble))
        fired = frozenset(match.rule for match in matches)
        if before.known is None:
            return GrammarFinding(known=fired)
        return before._replace(new=tuple(match for match in matches if match.is_grammar and match.rule not in before.known))

    def _describe(self, finding: GrammarFinding, attempts: int) -> dict[str, Any]:
        """Return LanguageTool's verdict on a variant's error as the JSON object that is stored in the variant's checks."""
        verdict: dict[str, Any] = {
            "verdict": "verified" if finding.new else "unverified",
            "is_checked": not finding.why,
            "verifier": self._checker.name,
            "verifier_version": self._checker.version,
            "rules": [match._asdict() for match in finding.new],
        }
        if not finding.new:
            many = "1 attempt" if attempts == 1 else f"{attempts} attempts"
            verdict["unverified_why"] = finding.why or f"{self._checker.name} found no new grammatical error in {many}."
        return verdict


def count_regenerations(language: str) -> int:
    """Return how many times the agent is asked again for a grammatical error; 0 if LanguageTool is unlikely to find errors in
    the language."""
    return 0 if language in WEAK else MAX_REGENERATIONS


def rotate_kinds(item: Item, seed: int) -> tuple[str, ...]:
    """Return the kinds of errors for the item's language, rotated so that the first kind depends on the item and the seed."""
    kinds = KINDS[item.language]
    first = int(derived_id("kinds of errors", item.id, seed), 16) % len(kinds)
    return (*kinds[first:], *kinds[:first])


def number_kinds(kinds: Sequence[str]) -> str:
    """Return the kinds of errors as numbered lines for the agent's prompt."""
    return "\n".join(f"{n}. {kind}" for n, kind in enumerate(kinds, 1))


async def ask_judge(text: str, language: str, seed: int, judge: VariationAgent) -> dict[str, Any]:
    """Ask the judge whether the text has a grammatical error. `has_error` is 1 or 0, or None with the reason under `why` if the
    reply is unusable; `error` names the error. Raises AgentError if the error stops the job, or BudgetReached."""
    prompt = load(JUDGE, language)
    opinion: dict[str, Any] = {"agent": judge.name, "prompt": prompt.identity, "has_error": None, "error": "", "calls": []}
    try:
        reply = await ask_for(judge.ask, prompt, {"question": text}, Sampling(max_tokens=MAX_JUDGE_TOKENS, seed=seed))
    except Unreadable as trouble:
        return opinion | {"calls": list(trouble.calls), "why": str(trouble)}
    except AgentError as trouble:
        if trouble.stops_job:
            raise
        return opinion | {"why": str(trouble)}
    return opinion | {**reply.values, "calls": list(reply.calls)}


PERTURBATION = Perturbation(
    label="Grammar",
    about="The question with one grammatical error; LanguageTool, if a server is available, checks that the error is there.",
    make=make,
    prompt=PROMPT,
    settings={
        "temperature": TEMPERATURE,
        "server": PerturbationSetting(
            "",
            "Address of a LanguageTool server, to which questions are sent; here = start one on this machine; none = no "
            "checker. Empty = the server set for the workspace.",
            is_identity=False,
        ),
        "start": PerturbationSetting(
            START_SECONDS, "Seconds that the first check in a language may take.", above=0.0, is_identity=False
        ),
        "timeout": PerturbationSetting(TIMEOUT_SECONDS, "Seconds that a later check may take.", above=0.0, is_identity=False),
        "judge": PerturbationSetting(
            "", "An agent that is asked for a second opinion on each variant. Empty = none.", is_identity=False
        ),
    },
    version="2",
)
"""The perturbation that this file defines: a grammatical error in the question."""
