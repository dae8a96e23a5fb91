"""A small workspace whose questions two workflows worked on, with traces made by hand and scored by the metric itself: one
answer of each response type, and a run of another season."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from core.ids import content_hash
from core.nouns import Document, Item, Run, Score, Span, Step, System, Trace
from eval.metrics.r_eval_f1 import score_reward
from eval.scoring.scoring import make_case
from eval.system import Question
from store.corpus import documents
from store.items import items
from store.runs import runs
from tests.store.stored_scores import store_scores
from workbench import Workbench

TEXT = "Bea Sund wrote The Long Weir. It was her first play."
GOLDS = {"a": "Orrow Mill", "b": "Bea Sund", "c": "1902", "d": "yes"}
WHERE: dict[str, tuple[str, str]] = {"a": ("KS", "people"), "b": ("KS", "people"), "c": ("KA", "films"), "d": ("KA", "films")}
PLAY = Span(content_hash(TEXT), 0, 29)


def called(
    function: str, written: str, observed: str, ok: bool = True, trouble: str = "", spans: Sequence[Span] = ()
) -> list[Step]:
    """A call and what it gave, as the workflows note them."""
    about = {"ok": ok, **({"trouble": trouble} if trouble else {})}
    return [
        Step("action", f"{function}({written})", about={"function": function, "arguments": {"name": written}}),
        Step("observation", observed, spans=tuple(spans), about=about),
    ]


def ends(answer: str) -> Step:
    return Step("action", f'Finish("{answer}")' if answer else "Finish: gives up", about={"ends": True, "gave_up": not answer})


WORK: dict[str, dict[str, Trace]] = {
    "react": {
        "a": Trace(
            "",
            "a",
            answer="Orrow Mill",
            stop="finished",
            calls=2,
            tokens_in=300,
            tokens_out=20,
            seconds=2.0,
            steps=(
                Step("thought", "I look for <b>her</b>."),
                *called("searchPerson", '"Ada Halm"', "One person found: {'organization': 'The Orrow Mill, Ltd.'}"),
                ends("Orrow Mill"),
            ),
        ),
        "b": Trace(
            "",
            "b",
            answer="Cara Dell",
            stop="finished",
            calls=3,
            tokens_in=500,
            tokens_out=30,
            seconds=3.0,
            steps=(
                *called("Search", '"The Long Weir"', "BEA-SUND? Bea  Sund wrote The Long Weir.", spans=[PLAY]),
                ends("Cara Dell"),
            ),
        ),
        "c": Trace(
            "",
            "c",
            answer="",
            stop="tool_error",
            calls=3,
            tokens_in=400,
            tokens_out=40,
            seconds=1.0,
            steps=(*called("searchFilm", "x", "There is no function searchFilm.", False, "unknown_function"),),
        ),
        "d": Trace("", "d", stop="model_error", error="The endpoint fails.", calls=1),
    },
    "pal": {
        "a": Trace(
            "",
            "a",
            answer="the orrow mill",
            stop="finished",
            calls=1,
            tokens_in=90,
            tokens_out=20,
            seconds=0.5,
            steps=(Step("action", "answer = 'the orrow mill'\nanswer", about={"program": True}), ends("the orrow mill")),
        ),
        "b": Trace(
            "",
            "b",
            answer="Bea Sund",
            stop="finished",
            calls=1,
            tokens_in=90,
            tokens_out=20,
            seconds=0.5,
            steps=(*called("Search", '"The Long Weir"', "Bea Sund wrote The Long Weir.", spans=[PLAY]), ends("Bea Sund")),
        ),
        "c": Trace(
            "", "c", answer="1911", stop="finished", calls=1, tokens_in=90, tokens_out=20, seconds=0.5, steps=(ends("1911"),)
        ),
        "d": Trace("", "d", answer="", stop="max_steps", calls=1, tokens_in=90, tokens_out=20, seconds=0.5),
    },
}
TYPES = {"react": {"a": "EM", "b": "GE", "c": "TE", "d": "ME"}, "pal": {"a": "AM", "b": "EM", "c": "RE", "d": "RE"}}


def fill(bench: Workbench) -> None:
    """One document, four questions at two levels of two domains, one of them from a template; frozen as v1, two as v2."""
    documents.add(bench.database, [Document(content_hash(TEXT), TEXT, "The Long Weir", licence="CC0")])
    for name, (level, domain) in WHERE.items():
        labels: dict[str, Any] = {"template": "workplace"} if name == "a" else {"dataset": "plays"} if name == "b" else {}
        made = Item(
            name,
            "template_question",
            f"What of {name}?",
            (GOLDS[name],),
            level=level,
            domain=domain,  # type: ignore[arg-type]
            status="accepted",
            labels=labels,
            evidence=(PLAY,) if name == "b" else (),
        )
        items.add(bench.database, [made], by="t")
    bench.releases.freeze("v1")
    bench.releases.freeze("v2", domains=["films"])


def add(bench: Workbench, system: str, release: str = "v1", agent: str = "openai:m", **config: Any) -> str:
    """That system's run on the release, scored; its id."""
    hash_ = bench.releases.get(release)[0].hash
    whole = {
        "release": hash_,
        "system": system,
        "settings": {},
        "retriever": None,
        "agent": {"name": agent},
        "variants": False,
        "sample": None,
        "not_run": [],
        **config,
    }
    identity = content_hash(whole)
    run = Run(identity.removeprefix("b2:")[:16], identity, System(system), release, hash_, agent, whole)
    asked = [name for name in WORK[system] if release == "v1" or WHERE[name][1] == "films"]
    runs.create(bench.database, run, [(name, None) for name in asked])
    traces = [replace(WORK[system][name], run=run.id) for name in asked]
    runs.add_traces(bench.database, traces)
    store_scores(bench.database, [one for trace in traces for one in scored(trace)])
    return run.id


def scored(trace: Trace) -> list[Score]:
    question = Question(trace.item, "", "", "en", "template_question", None, 64, answers=(GOLDS[trace.item],))
    case = make_case(trace, question, lambda span: TEXT[span.start : span.end])
    values = score_reward(case) if case else {}
    return [
        Score(trace.run, trace.item, None, f"r_eval_f1.{part}" if part else "r_eval_f1", "1", value)
        for part, value in values.items()
        if isinstance(value, float)
    ]
