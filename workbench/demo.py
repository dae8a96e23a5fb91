"""The demo: the samples from documents to a report, with no key and no network. Its figures are retrieval over reviewed items:
true without any LLM. What the recorded and the offline agent made is shown as what it is."""

from collections.abc import Callable
from typing import Any

from builders.samples import sample_documents, sample_items

from core.text import count_tokens
from store import documents, items
from workbench.bench import Workbench

RELEASE = "samples"
RETRIEVERS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("bm25", {}),
    ("dense", {"embedding_model": "minilm"}),
    ("dense", {"embedding_model": "lexical_vectors"}),
)
LEVELS = {1: "explicit_factoid", 2: "implicit_factoid", 3: "explicit_rationale", 4: "implicit_rationale"}
DRAFTS = 1
"""Drafts per task in each of the two showcase domains."""
SHOWN = {"recorded": ("tech", "science"), "offline": ("humanities", "finance")}


def demo(bench: Workbench, finish: Callable[[str], dict[str, Any]], say: Callable[[str], None]) -> dict[str, Any]:
    """{"release", "runs", "drafts", "text"}; `finish` works a job to its end."""
    load(bench)
    say("The sample world is in; freezing its reviewed items ...")
    release = bench.releases.freeze(RELEASE, split="dev=0.25,test=0.75", seed=7)
    runs = []
    for retriever, settings in RETRIEVERS:
        job = bench.runs.plan(
            RELEASE, system="echo", agent=None, retriever=retriever, metrics=["evidence_recall"], judges=[], votes=1,
            budget=None, settings={"top_k": 10, **settings}, variants=False, repeat=1, sample=None, seed=0,
        )  # fmt: skip
        runs.append(finish(job))
    drafts = {agent: drafted(bench, finish, agent, domains) for agent, domains in SHOWN.items()}
    report = bench.reports.report([run["run"] for run in runs], by=["level"], form="table", preset=None)
    parts = [
        opening(bench, release),
        "2. Retrieval over the reviewed items, by level (no LLM; 95 % intervals):",
        report,
        "3. Drafts by the recorded agent (recorded, no call made), as they would come from a model:",
        *(lines(item) for item in drafts["recorded"]),
        "4. Drafts by the offline agent (offline, no LLM), to be reviewed by a person before anything else:",
        *(lines(item) for item in drafts["offline"]),
    ]
    return {"release": release, "runs": runs, "drafts": drafts, "text": "\n".join(parts)}


def load(bench: Workbench) -> None:
    """The sample documents and the reviewed items, unless they are there."""
    found = sample_documents()
    documents.add(bench.database, found)
    items.add(bench.database, sample_items(found))


def opening(bench: Workbench, release: dict[str, Any]) -> str:
    found = documents.many(bench.database)
    rows = [f"   {d.domain:11} {d.language}  {count_tokens(d.text, d.language):6} tokens  {d.title}" for d in found]
    return "\n".join(
        [
            f"1. {len(found)} documents, {release['items']} reviewed items frozen as {release['release']!r},",
            f"   {release['hash']}:",
            *rows,
            "",
        ]
    )


def drafted(
    bench: Workbench, finish: Callable[[str], dict[str, Any]], agent: str, domains: tuple[str, ...]
) -> list[dict[str, Any]]:
    """Drafts of every level by that agent; L2 starts from the L1 drafts before it."""
    found: list[dict[str, Any]] = []
    for task in LEVELS.values():
        for domain in domains:
            job = bench.drafts.plan(task=task, domain=domain, count=DRAFTS, agent=agent, seed=7, budget=None, settings={})
            result = finish(job)
            found += result["items"] or [{"message": f"{task} on {domain}: {result['message']}"}]
    return found


def lines(item: dict[str, Any]) -> str:
    """A draft in three lines."""
    if "message" in item:
        return f"   {item['message']}"
    evidence = item["evidence"][0]["text"] if item["evidence"] else ""
    frame = "  [frame to fill: the answer is asked of a person]" if item["labels"].get("frame") else ""
    return (f"   L{item['level']} {item['domain']} [{item['provenance']['agent']}]{frame}\n     Q {item['question']}\n"
            f"     A {item['answers'][0]}\n     E {shortened(evidence)} ({len(item['evidence'])} spans)")  # fmt: skip


def shortened(text: str, most: int = 110) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"
