"""hawkbench_table4: statistics of the runs' releases by domain and level: number of items, and mean estimated tokens of
context, question and answer. Each item counts once, even if it is in several runs."""

from collections.abc import Sequence

from core.nouns import Item
from core.text.text import count_tokens
from eval.page import DASH, Cell, Page, count, figure, tabulate, words
from eval.papers.hawkbench import DOMAINS
from eval.preset import Preset
from eval.reports.report import Report
from eval.reports.results import order_mixed


def build(report: Report) -> Page:
    items = {item.id: item for result in report.results for item in result.items.values()}
    context = {name: tokens for result in report.results for name, tokens in result.context_tokens.items()}
    groups: dict[tuple[str, object], list[Item]] = {}
    for item in items.values():
        groups.setdefault((item.domain, item.level), []).append(item)

    def describe(domain: str, level: object, own: Sequence[Item]) -> dict[str, Cell]:
        sizes = {
            "context tokens": [context[item.id] for item in own if item.id in context],
            "question tokens": [count_tokens(item.question, item.language) for item in own],
            "answer tokens": [count_tokens(item.answers[0], item.language) for item in own if item.answers],
        }
        means = {name: figure(sum(n) / len(n) if n else None, 1) for name, n in sizes.items()}
        return {"domain": words(domain), "level": words(DASH if level is None else level), "items": count(len(own)), **means}

    def order(key: tuple[str, object]) -> tuple[object, ...]:
        domain, level = key
        return (DOMAINS.index(domain), "") if domain in DOMAINS else (len(DOMAINS), domain), order_mixed(level)

    records = [describe(*key, groups[key]) for key in sorted(groups, key=order)]
    levels = sorted({item.level for item in items.values()}, key=order_mixed)
    records += [describe("all", level, [item for item in items.values() if item.level == level]) for level in levels]
    title = "HawkBench: statistics of the release"
    note = "Mean tokens, estimated without a tokenizer of any model; context = the documents that belong to the question."
    return Page(title, [tabulate(title, records, [note])], notes=report.notes)


PRESET = Preset(label="HawkBench table 4: statistics of a release", build=build)
