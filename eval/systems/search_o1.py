"""search_o1: the agent reasons step by step and asks for searches by markers in its text; a second call extracts findings from
the results, and the reasoning continues with them until it gives a boxed answer (after Search-o1, Li et al. 2025)."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

from core.errors import BenchError
from core.nouns import Hit
from core.retrieval.search_tags import (
    BEGIN_QUERY,
    BEGIN_RESULT,
    END_QUERY,
    END_RESULT,
    NO_FINDINGS,
    extract_findings,
    parse_search_query,
)
from core.text.language import ByLanguage
from eval.settings import TOP_K, Setting, Settings
from eval.system import Answer, Question, SystemAdapter, Tools
from eval.workflows.adaptive import GO_ON, TOP_P, continue_reply, count_repeated_text, list_passages, number_passages
from eval.workflows.answering import date_question_text, make_sampling, read_answer
from eval.workflows.extraction import find_boxed_answer
from eval.workflows.hops import make_output_step, make_query_step, make_refused_step
from eval.workflows.shots import SHOTS, add_shots
from prompts.prompt import load

THINK_PROMPT, READ_PROMPT = "workflow/search_loop", "workflow/search_findings"
BOXED_FORM = "\\boxed{{{}}}"
STEP_SEPARATOR = "\n\n"
MAX_KEPT_STEPS = 4
"""Number of the last steps of the reasoning that the second call gets in full."""
REFUSALS = {
    "limit": {
        "en": "No search is left: the number of searches is used up. Answer from what you have.",
        "zh": "检索次数已经用完，不能再检索。请根据已有的内容作答。",
    },
    "repeat": {
        "en": "This has been searched for already: look at the result above.",
        "zh": "这个查询已经检索过，请看上面的结果。",
    },
}


def check_turns(_questions: Sequence[Question], settings: Settings) -> Settings:
    """Return the settings. Raises BenchError if max_turns is too low for the searches and the answer."""
    least = settings["searches"] + 2
    if settings["max_turns"] < least:
        raise BenchError(
            f"The setting max_turns is {settings['max_turns']}, and {settings['searches']} searches need at least {least}: "
            "one turn for each search, one after a refused search, and one for the answer."
        )
    return settings


async def answer(question: Question, tools: Tools, settings: Settings) -> Answer:
    """Return the answer. The trace's output step records why the reasoning ended: stop, length (it was cut off), max_turns."""
    search, inputs = tools.search_for("search_o1"), {"question": date_question_text(question), "searches": settings["searches"]}
    prompt = add_shots(load(THINK_PROMPT, question.language), question, BOXED_FORM)
    sampling = make_sampling(settings, settings["max_tokens"], stop=(END_QUERY,))
    searches: dict[str, Sequence[Hit]] = {}
    text, ended = "", "max_turns"
    for _ in range(settings["max_turns"]):
        piece = await continue_reply(tools, prompt, inputs, text, settings, sampling, count_repeated_text)
        turn = close_query(piece.text, piece.completion.finish)
        text += turn
        query = parse_search_query(turn)
        if query is None:
            ended = "length" if piece.completion.finish == "length" else "stop"
            break
        why: Literal["limit", "repeat"] | None = "repeat" if query.casefold() in searches else None
        if why := "limit" if len(searches) >= settings["searches"] else why:
            tools.note(make_refused_step(query, why, marker=BEGIN_QUERY))
            result = ByLanguage(REFUSALS[why])[question.language]
        else:
            tools.note(make_query_step(query, marker=BEGIN_QUERY))
            hits = searches[query.casefold()] = search(query, settings["top_k"])
            result = await read_findings(question, tools, settings, text, query, hits)
        text += f"{STEP_SEPARATOR}{BEGIN_RESULT}{result}{END_RESULT}{STEP_SEPARATOR}"
    boxed = find_boxed_answer(text)
    tools.note(make_output_step(text, extracted=boxed is not None, ended=ended))
    return Answer(boxed or "", retrieved=list_passages(searches.values()))


async def read_findings(
    question: Question, tools: Tools, settings: Settings, text: str, query: str, hits: Sequence[Hit]
) -> str:
    """Return what the agent finds in the passages for its reasoning so far; if there are no passages, no call is made."""
    if not hits:
        return NO_FINDINGS[question.language]
    inputs = {"reasoning": shorten_thinking(text), "query": query, "documents": number_passages(hits, tools)}
    prompt, sampling = load(READ_PROMPT, question.language), make_sampling(settings, settings["findings"])
    return extract_findings(read_answer(await tools.agent(prompt, inputs, sampling))) or NO_FINDINGS[question.language]


def close_query(turn: str, finish: str) -> str:
    """Return the model's turn up to the end of its first search query. Many endpoints remove the end marker as a stop sequence;
    it is then restored. A query that was cut off at the token limit stays open, because its end is unknown."""
    before, marker, _ = turn.partition(END_QUERY)
    if marker:
        return before + marker
    if BEGIN_QUERY not in turn or finish != "stop":
        return turn
    part = next((n for n in range(len(END_QUERY) - 1, 0, -1) if turn.endswith(END_QUERY[:n])), 0)
    return turn[: len(turn) - part].rstrip() + END_QUERY


def shorten_thinking(text: str) -> str:
    """Return the reasoning as numbered steps: the first one, the last few, and all steps with a query or a result; "..." marks
    gaps."""
    steps = [step.strip() for step in text.split(STEP_SEPARATOR) if step.strip()]
    lines: list[str] = []
    for at, step in enumerate(steps):
        if at == 0 or at >= len(steps) - MAX_KEPT_STEPS or BEGIN_QUERY in step or BEGIN_RESULT in step:
            lines.append(f"{at + 1}. {step}")
        elif lines[-1] != "...":
            lines.append("...")
    return STEP_SEPARATOR.join(lines)


SYSTEM = SystemAdapter(
    label="Search-o1",
    family="adaptive",
    needs_agent=True,
    needs_retriever=True,
    prompts=(THINK_PROMPT, READ_PROMPT),
    settings={
        **SHOTS,
        "searches": Setting(5, "Maximum number of searches; further ones are refused, and the agent is told so.", 1),
        "max_turns": Setting(
            10,
            "Maximum number of calls that continue the thinking; at least two more than searches, so that an answer can "
            "still come.",
            1,
        ),
        "max_tokens": Setting(2048, "Maximum number of tokens of one turn (Search-o1's own code: 8192).", 1),
        "findings": Setting(
            512, "Maximum number of tokens of the reply in which the agent sums up the passages that a search found.", 1
        ),
        "top_k": replace(TOP_K, default=10),
        "top_p": TOP_P,
        "go_on": GO_ON,
    },
    open=check_turns,
    answer=answer,
)
