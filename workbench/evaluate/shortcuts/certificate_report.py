"""Show what a certificate found: the rates of its shortcuts as a table, and the questions that shortcuts answer."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from eval.page import Page, Table
from eval.reports.renderer import renderers
from eval.shortcut import ANY, ProbeKey
from eval.shortcuts._rates import ShortcutRate, name_probe, tabulate_rates
from store.corpus import documents
from store.engine.database import Database
from store.items import items
from store.releases import certificates, releases
from store.releases.certificates import Certificate, StoredResult
from workbench.release.certified import rate_shortcuts


class CertificateReport(NamedTuple):
    """A certificate with the rates of its shortcuts."""

    certificate: Certificate
    by: tuple[str, ...]
    """Names by which the questions are grouped; () = all questions together."""
    rates: Sequence[ShortcutRate]
    table: Table
    notes: Sequence[str]
    """Sentences that belong above the table."""


@dataclass(frozen=True, slots=True)
class RightAnswer:
    """A shortcut that answers a question."""

    label: str
    answer: str
    """The right answer that the shortcut gave: a passage, a reply or an answer."""
    title: str
    """Title of the document that the passage stands in; "" = the answer is no passage."""


@dataclass(frozen=True, slots=True)
class FlaggedItem:
    """A question that at least one shortcut answers."""

    item: str
    question: str
    answer: str
    right_answers: Sequence[RightAnswer]


def build_report(database: Database, certificate: Certificate, by: tuple[str, ...]) -> CertificateReport:
    """Return the certificate with the rates of its shortcuts, by the properties `by` if there are any."""
    release = releases.get(database, certificate.release, certificate.release_hash)
    members = releases.load_members(database, release, with_texts=False).items
    results = certificates.load_results(database, certificate.id)
    rates = rate_shortcuts(certificate, results, members, by)
    notes = [
        f"The agent {name} works without an LLM and knows nothing: its closed book says nothing."
        for name in certificate.settings["offline"]
    ]
    return CertificateReport(certificate, by, rates, tabulate_rates(rates, by), notes)


def describe_items(database: Database, certificate: Certificate, wanted: Sequence[str]) -> list[FlaggedItem]:
    """Return the items with the answers by which shortcuts are right."""
    manifest = releases.get(database, certificate.release, certificate.release_hash).manifest
    revisions = {entry["id"]: entry["revision"] for entry in manifest["items"]}
    frozen = items.fetch_revisions(database.rows, [(id_, revisions[id_], "accepted") for id_ in wanted])
    members = {item.id: item for item in frozen}
    right: dict[str, list[StoredResult]] = {item: [] for item in wanted}
    for result in certificates.load_results(database, certificate.id, wanted):
        if result.is_right and result.shortcut != ANY:
            right[result.item].append(result)
    named = {result.span.document for own in right.values() for result in own if result.span}
    known = {document.id: document for document in documents.load_documents(database, sorted(named))}
    order = list(certificate.settings["shortcuts"])

    def describe(result: StoredResult) -> RightAnswer:
        label, span = name_probe(ProbeKey(result.shortcut, result.agent)), result.span
        if span is None:
            return RightAnswer(label, result.answer or "", "")
        document = known.get(span.document)
        if document is None:
            return RightAnswer(label, "", span.document)
        return RightAnswer(label, document.text[span.start : span.end], document.title)

    return [
        FlaggedItem(
            id_,
            members[id_].question,
            next(iter(members[id_].answers), ""),
            [describe(one) for one in sorted(own, key=lambda one: order.index(one.shortcut))],
        )
        for id_, own in right.items()
    ]


def render_report(report: CertificateReport) -> str:
    """Return the report as a table in text."""
    made = report.certificate
    title = f"Shortcuts in release {made.release}, as of {made.at[:16].replace('T', ' ')} UTC"
    return renderers()["table"].render(Page(title, [report.table], notes=report.notes))
