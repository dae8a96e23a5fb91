"""Decompose the answer of a rationale item: an agent writes true and subtly wrong statements about the answer, for a
multiple-choice score. A seed determines the order of the statements and the letter of each statement. Each answer has at least
one true and at least three false statements, all different."""

import random
import string
from typing import Any, NamedTuple

from builders.drafting.prompting import sampling
from builders.near_duplicate_index import normalise_words
from builders.task import Kit
from core.text.numbered import NumberedSentences
from prompts.prompt import load
from prompts.reply import ask_for

MAX_PARTS = 5
LEAST_TRUE, LEAST_FALSE = 1, 3


class Decomposition(NamedTuple):
    """The true and false statements about one answer, each with a letter; the letters of the true statements; and the ids of
    the agent calls."""

    selections: dict[str, str]
    answers: list[str]
    calls: tuple[str, ...]


async def decompose(
    kit: Kit, question: str, answer: str, sentences: NumberedSentences, language: str, key: str
) -> Decomposition:
    """Ask the agent, with the prompt extract/statements, for true and false statements about the answer to a question. `key`
    and `kit.seed` determine the letters of the statements. Raises Unreadable if no reply follows the rules, or AgentError if
    the call fails."""
    inputs = {"question": question, "answer": answer, "sentences": sentences}
    prompt = load("extract/statements", language)
    reply = await ask_for(kit.ask, prompt, inputs, sampling(kit, 1024, temperature=0.0), wrong_statements)
    true, false = reply.values["true"], reply.values["false"]
    return letter(true, false, f"{kit.seed}:{key}", reply.calls)


def wrong_statements(values: dict[str, Any]) -> str | None:
    """Return a description of what is wrong with an agent's lists of true and false statements, or None if the lists are
    valid."""
    true, false = values["true"], values["false"]
    if not LEAST_TRUE <= len(true) <= MAX_PARTS:
        return f"{len(true)} true statements were given; give {LEAST_TRUE} to {MAX_PARTS}"
    if not LEAST_FALSE <= len(false) <= MAX_PARTS:
        return f"{len(false)} false statements were given; give {LEAST_FALSE} to {MAX_PARTS}"
    forms = [normalise_words(statement) for statement in (*true, *false)]
    if "" in forms:
        return "a statement is empty"
    if len(set(forms)) < len(forms):
        return "a statement stands twice"
    return None


def letter(true: list[str], false: list[str], seed: str, calls: tuple[str, ...] = ()) -> Decomposition:
    """Shuffle the true and false statements with the seed, and give each a letter, beginning with "a"."""
    statements = [(statement, True) for statement in true] + [(statement, False) for statement in false]
    random.Random(seed).shuffle(statements)
    lettered = list(zip(string.ascii_lowercase, statements, strict=False))
    return Decomposition(
        {sign: statement for sign, (statement, _) in lettered}, [sign for sign, (_, is_true) in lettered if is_true], calls
    )
