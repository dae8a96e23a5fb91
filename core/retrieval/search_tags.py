"""Markers of the method Search-o1. Some markers enclose a search query in an agent's reply, some enclose the search results
that the agent is given, and one marker precedes the findings that the agent extracts from documents. Prompts show the markers,
systems read them, and the offline agent writes them."""

from core.text.language import ByLanguage

BEGIN_QUERY, END_QUERY = "<|begin_search_query|>", "<|end_search_query|>"
BEGIN_RESULT, END_RESULT = "<|begin_search_result|>", "<|end_search_result|>"
FINDINGS = ByLanguage({"en": "**Final Information**", "zh": "**最终信息**"})
NO_FINDINGS = ByLanguage({"en": "No helpful information found.", "zh": "没有找到有用的信息。"})
"""Dict from language to the text that an agent writes in place of findings if it found nothing in the documents."""


def parse_search_query(text: str) -> str | None:
    """Return the marked search query at the end of the text, or None if the text does not end with a search query."""
    _, begins, query = text.rstrip().removesuffix(END_QUERY).rpartition(BEGIN_QUERY)
    if not begins or not text.rstrip().endswith(END_QUERY) or END_QUERY in query:
        return None
    return " ".join(query.split()) or None


def extract_findings(text: str) -> str:
    """Return the text after the last marker of findings, English or Chinese, or "" if there is no marker."""
    ends = [text.rfind(marker) + len(marker) for marker in FINDINGS.values() if marker in text]
    return text[max(ends) :].strip() if ends else ""
