"""Markers of Search-o1: an agent requests a search inside its reply and gets the results; another marker precedes the findings
from documents. Prompts show the markers, systems read them, the offline agent writes them."""

from core.text.language import ByLanguage

BEGIN_QUERY, END_QUERY = "<|begin_search_query|>", "<|end_search_query|>"
BEGIN_RESULT, END_RESULT = "<|begin_search_result|>", "<|end_search_result|>"
FINDINGS = ByLanguage({"en": "**Final Information**", "zh": "**最终信息**"})
NO_FINDINGS = ByLanguage({"en": "No helpful information found.", "zh": "没有找到有用的信息。"})
"""Text for the findings when a reply has no findings."""


def parse_search_query(text: str) -> str | None:
    """Return the search query at the end of the text, or None if there is none."""
    _, begins, query = text.rstrip().removesuffix(END_QUERY).rpartition(BEGIN_QUERY)
    if not begins or not text.rstrip().endswith(END_QUERY) or END_QUERY in query:
        return None
    return " ".join(query.split()) or None


def extract_findings(text: str) -> str:
    """Return the text after the last marker of findings, in either language, or "" if there is no marker."""
    ends = [text.rfind(marker) + len(marker) for marker in FINDINGS.values() if marker in text]
    return text[max(ends) :].strip() if ends else ""
