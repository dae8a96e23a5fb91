"""hawkbench_table4: what the runs' release holds: items and mean estimated tokens of context, question and answer, by
domain and level. Items of all the runs together, each once."""

from collections.abc import Mapping, Sequence

from core.nouns import Item
from core.text.text import count_tokens
from eval.page import DASH, Cell, Page, Table, count, figure, words
from eval.papers.hawkbench import DOMAINS
from eval.preset import Preset
from eval.reports.layout import list_notes
from eval.reports.report import Report
from eval.reports.results import order_mixed


def build(report: Report) -> Page:
    items = {item.id: item for result in report.results for item in result.items.values()}
    context = {name: tokens for result in report.results for name, tokens in result.context_tokens.items()}
    groups: dict[tuple[str, object], list[Item]] = {}
    for item in items.values():
        groups.setdefault((item.domain, item.level), []).append(item)
    ordered = sorted(groups, key=lambda key: (_place(key[0]), order_mixed(key[1])))
    rows = [[words(domain), _level(level), *_figures(groups[domain, level], context)] for domain, level in ordered]
    levels = sorted({item.level for item in items.values()}, key=order_mixed)
    rows += [
        [words("all"), _level(level), *_figures([i for i in items.values() if i.level == level], context)] for level in levels
    ]
    title = "HawkBench: statistics of the release"
    heads = ["domain", "level", "items", "context tokens", "question tokens", "answer tokens"]
    note = "Mean tokens, estimated without a tokenizer of any model; context = the documents that belong to the question."
    return Page(title, [Table(title, heads, rows, [note])], notes=list_notes(report))


def _figures(items: Sequence[Item], context: Mapping[str, int]) -> list[Cell]:
    known = [context[item.id] for item in items if item.id in context]
    questions = [count_tokens(item.question, item.language) for item in items]
    answers = [count_tokens(item.answers[0], item.language) for item in items if item.answers]
    return [count(len(items)), *(figure(sum(n) / len(n) if n else None, 1) for n in (known, questions, answers))]


def _level(level: object) -> Cell:
    return words(DASH if level is None else level)


def _place(domain: str) -> tuple[int, str]:
    return (DOMAINS.index(domain), "") if domain in DOMAINS else (len(DOMAINS), domain)


PRESET = Preset(label="HawkBench table 4: statistics of a release", build=build)
