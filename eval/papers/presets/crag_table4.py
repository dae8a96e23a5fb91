"""crag_table4: how many questions of the runs' release have each question type, by domain, in numbers and as a percentage of
the domain."""

from eval.page import Page
from eval.papers.crag import build_distribution
from eval.preset import Preset
from eval.reports.report import Report


def build(report: Report) -> Page:
    title = "CRAG: questions by type and domain"
    return Page(title, [build_distribution(report, "question_type", title)])


PRESET = Preset(label="CRAG table 4: questions by type", build=build)
