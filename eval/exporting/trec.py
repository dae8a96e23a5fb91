"""trec: export a run's retrieval as run.txt and qrels.txt, for trec_eval and similar tools. A passage is named
document:start-end. The relevance grade of a passage is the number of gold spans for which the passage is the first one to cover
at least half of the span. A gold span that no passage covers is listed in the judgements as a passage of its own, so that
recall counts this span. Questions without gold evidence, and answers of systems that report no passages, are left out."""

from core.errors import BenchError
from eval.reports.export import ExportedRun, Files, RunExporter, name_trace
from eval.scoring.span_hits import count_new_hits, is_hit


def files(run: ExportedRun) -> Files:
    ranked: list[str] = []
    judged: list[str] = []
    for trace, item, _, _ in run.answers():
        if trace.retrieved is None or not item.evidence:
            continue
        name, passages = name_trace(trace), list(dict.fromkeys(trace.retrieved))
        for rank, span in enumerate(passages, 1):
            ranked.append(f"{name} Q0 {span.name} {rank} {len(passages) - rank + 1} {run.result.run.id}")
        hits = zip(passages, count_new_hits(item.evidence, passages), strict=True)
        grades = {span.name: n for span, n in hits if n}
        missed = [gold for gold in dict.fromkeys(item.evidence) if not any(is_hit(span, gold) for span in passages)]
        grades |= {gold.name: grades.get(gold.name, 0) + 1 for gold in missed}
        judged += [f"{name} 0 {passage} {grade}" for passage, grade in grades.items()]
    if not judged:
        raise BenchError(f"Run {run.result.run.id} reports no passages for questions with gold evidence: nothing to export.")
    return {"run.txt": "\n".join(ranked) + "\n", "qrels.txt": "\n".join(judged) + "\n"}


EXPORT = RunExporter(label="TREC run and qrels", is_folder=True, files=files)
