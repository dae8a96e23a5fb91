"""crud_rag_table2: the composition of the runs' releases by task: number of items, number of documents that they are about, and
mean length in characters of questions and answers. Each item counts once, even if it is in several runs."""

from statistics import fmean

from core.nouns import Item
from eval.page import Page, figure, tabulate
from eval.papers.crud_rag import list_tasks, name_task
from eval.preset import Preset
from eval.reports.report import Report


def build(report: Report) -> Page:
    items: dict[tuple[str, str], Item] = {}
    for result in report.results:
        items.update({(result.run.release_hash, id_): item for id_, item in result.items.items()})
    records = []
    for task in [*list_tasks(items.values()), ""]:
        own = [item for item in items.values() if task in ("", item.task)]
        documents = {name for item in own for name in (*item.given, *(span.document for span in item.evidence))}
        questions, answers = [len(item.question) for item in own], [len(item.answers[0]) for item in own if item.answers]
        records.append(
            {
                "task": name_task(task) if task else "all",
                "items": len(own),
                "documents": len(documents),
                "question, characters": figure(fmean(questions) if questions else None, 1),
                "answer, characters": figure(fmean(answers) if answers else None, 1),
            }
        )
    title = "CRUD-RAG: composition"
    notes = ["Documents: those that belong to an item or contain its evidence. Answer: the first gold answer."]
    return Page(title, [tabulate(title, records, notes)], notes=report.notes)


PRESET = Preset(label="CRUD-RAG table 2: composition", build=build)
