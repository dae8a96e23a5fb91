"""search_o1: the agent thinks aloud and asks for searches by markers in its own text; a second call reads what was found, and
the thinking goes on with those findings, until a boxed answer (after Search-o1, Li et al. 2025).

searches      searches that are carried out at most; further ones are refused, and the agent is told so
max_turns     calls that go on with the thinking at most; at least two more than searches, so that an answer can still come
max_tokens    tokens of one turn at most (Search-o1's own code: 8192)
findings      tokens of what the second call reads out of the passages, at most
top_k         passages that a search gives
top_p         share of the probability that tokens are drawn from; with temperature 0 there is no draw
go_on         how an agent is told what it wrote so far: turn (in the user's turn), message (as a message that is not finished),
              text (as one text, to /v1/completions)
shots, shot_seed   see eval/workflows/shots.py: worked examples, drawn from items outside the release"""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

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
from eval.running.settings import read_choice, read_share
from eval.system import Answer, Question, SystemAdapter, Tools
from eval.workflows.adaptive import (
    GO_ON,
    continue_reply,
    count_repeated_text,
    list_passages,
    make_sampling,
    number_passages,
    read_positive,
    require_agent,
)
from eval.workflows.answering import date_question_text, read_answer
from eval.workflows.extraction import find_boxed_answer
from eval.workflows.hops import make_output_step, make_query_step, make_refused_step
from eval.workflows.prompting import require_search
from eval.workflows.shots import SETTINGS as SHOTS
from eval.workflows.shots import add_shots
from prompts.prompt import load

THINKS, READS = "workflow/search_loop", "workflow/search_findings"
BOXED_FORM = "\\boxed{{{}}}"
STEP_SEPARATOR = "\n\n"
MAX_KEPT_STEPS = 4
"""Last steps of the thinking that the second call is shown in full."""
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


async def check_ready(questions: Sequence[Question], tools: Tools, settings: Mapping[str, Any]) -> None:
    """Reads the settings; asks nothing."""
    for name in ("searches", "max_turns", "max_tokens", "findings", "top_k"):
        read_positive(settings, name)
    read_share(settings, "top_p", 1.0)
    read_choice(settings, "go_on", GO_ON)
    least = settings["searches"] + 2
    if settings["max_turns"] < least:
        raise BenchError(
            f"The setting max_turns is {settings['max_turns']}, and {settings['searches']} searches want at least {least}: the "
            "turns after the last search and after a refused one must be left for the answer."
        )


async def answer(question: Question, tools: Tools, settings: Mapping[str, Any]) -> Answer:
    """The output step says what ended the thinking: stop, length (cut off), max_turns."""
    search, most = require_search(tools, "search_o1"), read_positive(settings, "searches")
    inputs = {"question": date_question_text(question), "searches": most}
    prompt = add_shots(load(THINKS, question.language), question, BOXED_FORM)
    sampling = make_sampling(settings, read_positive(settings, "max_tokens"), stop=(END_QUERY,))
    found: dict[str, Sequence[Hit]] = {}
    text, ended = "", "max_turns"
    for _ in range(read_positive(settings, "max_turns")):
        piece = await continue_reply(tools, prompt, inputs, text, settings, sampling, count_repeated_text)
        turn = close_query(piece.text, piece.completion.finish)
        text += turn
        query = parse_search_query(turn)
        if query is None:
            ended = "length" if piece.completion.finish == "length" else "stop"
            break
        why: Literal["limit", "repeat"] | None = "repeat" if query.casefold() in found else None
        if why := "limit" if len(found) >= most else why:
            tools.note(make_refused_step(query, why, marker=BEGIN_QUERY))
            result = REFUSALS[why][question.language]
        else:
            tools.note(make_query_step(query, marker=BEGIN_QUERY))
            hits = found[query.casefold()] = search(query, read_positive(settings, "top_k"))
            result = await findings(question, tools, settings, text, query, hits)
        text += f"{STEP_SEPARATOR}{BEGIN_RESULT}{result}{END_RESULT}{STEP_SEPARATOR}"
    answer_ = find_boxed_answer(text)
    tools.note(make_output_step(text, extracted=answer_ is not None, ended=ended))
    return Answer(answer_ or "", retrieved=list_passages(found.values()))


async def findings(
    question: Question, tools: Tools, settings: Mapping[str, Any], text: str, query: str, hits: Sequence[Hit]
) -> str:
    """What the passages hold for the thinking so far, as the agent reads them; nothing is asked where nothing was found."""
    if not hits:
        return NO_FINDINGS[question.language]
    inputs = {"reasoning": shorten_thinking(text), "query": query, "documents": number_passages(hits, tools)}
    prompt, sampling = load(READS, question.language), make_sampling(settings, read_positive(settings, "findings"))
    return extract_findings(read_answer(await require_agent(tools)(prompt, inputs, sampling))) or NO_FINDINGS[question.language]


def close_query(turn: str, finish: str) -> str:
    """The turn up to the end of its first query. Many endpoints take that marker off as the stop that it is, or a part of it:
    then it is put back; one that its length limit cut stays open, for nobody knows what was to be asked."""
    before, marker, _ = turn.partition(END_QUERY)
    if marker:
        return before + marker
    if BEGIN_QUERY not in turn or finish != "stop":
        return turn
    part = next((n for n in range(len(END_QUERY) - 1, 0, -1) if turn.endswith(END_QUERY[:n])), 0)
    return turn[: len(turn) - part].rstrip() + END_QUERY


def shorten_thinking(text: str) -> str:
    """The thinking as numbered steps: the first, the last few, and all that asked or was found; a gap is three dots."""
    steps = [step.strip() for step in text.split(STEP_SEPARATOR) if step.strip()]
    shown, is_gap = [], False
    for at, step in enumerate(steps):
        is_kept = at == 0 or at >= len(steps) - MAX_KEPT_STEPS or BEGIN_QUERY in step or BEGIN_RESULT in step
        if is_kept:
            shown.append(f"{at + 1}. {step}")
        elif not is_gap:
            shown.append("...")
        is_gap = not is_kept
    return STEP_SEPARATOR.join(shown)


SYSTEM = SystemAdapter(
    label="Search-o1",
    family="adaptive",
    needs_agent=True,
    needs_retriever=True,
    prompts=(THINKS, READS),
    settings={
        **SHOTS,
        "searches": 5,
        "max_turns": 10,
        "max_tokens": 2048,
        "findings": 512,
        "top_k": 10,
        "top_p": 1.0,
        "go_on": "turn",
    },
    words={"go_on": GO_ON},
    ready=check_ready,
    answer=answer,
)
