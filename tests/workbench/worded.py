"""A small workspace whose questions were asked in several wordings: three items with rewrites, frozen, and runs with traces
made by hand."""

from collections.abc import Mapping, Sequence

from core.ids import content_hash
from core.nouns import Document, Item, Run, Span, Step, System, Trace, Variant
from eval.workflows.hops import make_query_step
from store.corpus import documents
from store.items import items
from store.runs import runs
from store.variants import variants
from workbench import Workbench

TEXTS = {
    "bridge": "Marta Quill designed the bridge at Orvel.",
    "mill": "The mill of Orvel burnt in 1902.",
    "tower": "The tower is 40 metres high.",
}
ANSWERS = {"bridge": "Marta Quill", "mill": "1902", "tower": "40 metres"}
KINDS = ("spelling", "human")


def fill(bench: Workbench, release: str = "v1") -> dict[str, str]:
    """Documents, items and their rewrites, frozen; gives document ids by item."""
    made = {name: Document(content_hash(text), text, name.title(), licence="CC0") for name, text in TEXTS.items()}
    documents.add(bench.database, list(made.values()))
    items.add(
        bench.database,
        [
            Item(
                name,
                "question_answering",
                f"What of the {name}?",
                (ANSWERS[name],),
                status="accepted",
                evidence=(Span(made[name].id, 0, len(TEXTS[name])),),
            )
            for name in TEXTS
        ],
    )
    variants.add(
        bench.database,
        [
            Variant(f"{name}-{kind}", name, 1, kind, f"Tell me of the {name}, {kind}!", "accepted")
            for name in TEXTS
            for kind in KINDS
        ],
    )
    bench.releases.freeze(release)
    return {name: document.id for name, document in made.items()}


def trace(run: str, item: str, kind: str | None, answer: str | None, searched: Sequence[tuple[str, str]] = ()) -> Trace:
    """An answer after searches (query, document); None = it failed."""
    steps: list[Step] = []
    for query, document in searched:
        steps += [make_query_step(query, marker="<search>"), Step("retrieve", query, spans=(Span(document, 0, 5),))]
    return Trace(
        run,
        item,
        f"{item}-{kind}" if kind else None,
        answer,
        steps=tuple(steps),
        calls=1 + len(searched),
        tokens_in=50,
        tokens_out=10,
        seconds=0.1,
        stop="answered" if answer is not None else "timeout",
    )


def add_run(
    bench: Workbench,
    system: str,
    answers: Mapping[tuple[str, str | None], tuple[str | None, Sequence[tuple[str, str]]]],
    repetition: int = 0,
    release: str = "v1",
    **config: object,
) -> str:
    """A run with those traces; its id."""
    hash_ = bench.releases.get(release)[0].hash
    whole = {
        "release": hash_,
        "system": system,
        "settings": {},
        "retriever": None,
        "agent": {"name": "m"},
        "variants": True,
        "sample": None,
        "not_run": [],
        "repetition": repetition,
        **config,
    }
    identity = content_hash(whole)
    run = Run(identity.removeprefix("b2:")[:16], identity, System(system), release, hash_, "m", whole, repetition)
    runs.create(bench.database, run, list(answers))
    runs.add_traces(bench.database, [trace(run.id, item, kind, *said) for (item, kind), said in answers.items()])
    return run.id


def two(bench: Workbench, release: str = "v1") -> list[str]:
    """An adaptive run, and one without retrieval beside it; gives the adaptive run's id and the other's."""
    ids = fill(bench, release)
    adaptive = {
        ("bridge", None): ("Marta Quill", [("bridge designer", ids["bridge"])]),
        ("bridge", "spelling"): ("Nobody", [("brige", ids["mill"]), ("designer of the bridge", ids["bridge"])]),
        ("bridge", "human"): ("Someone else", []),
        ("mill", None): ("1902", [("mill", ids["mill"])]),
        ("mill", "spelling"): ("in 1902", [("mil", ids["mill"])]),
        ("mill", "human"): ("1902", [("mill fire", ids["mill"])]),
        ("tower", None): ("no idea", []),
        ("tower", "spelling"): ("40 metres", [("tower", ids["tower"])]),
        ("tower", "human"): (None, []),
    }
    none = {key: ("1902" if key[0] == "mill" else "no idea", []) for key in adaptive}
    return [
        add_run(bench, "hyde", adaptive, release=release, retriever="bm25"),
        add_run(bench, "closed_book", none, release=release),
    ]
