"""crag_table3: how many questions of the runs' release have each dynamism (how fast the answer changes) and each popularity, by
domain, in numbers and as a percentage of the domain."""

from eval.page import Page
from eval.papers.crag import build_distribution
from eval.preset import Preset
from eval.reports.report import Report


def build(report: Report) -> Page:
    title = "CRAG: questions by dynamism and domain"
    popularity = build_distribution(report, "popularity", "CRAG: questions by popularity and domain")
    return Page(title, [build_distribution(report, "static_or_dynamic", title), popularity])


PRESET = Preset(label="CRAG table 3: questions by dynamism and popularity", build=build)
