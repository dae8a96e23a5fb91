"""Markers of Search-o1: an agent asks for a search in the middle of its reply and gets the results; another marker precedes the
findings from documents. Prompts show them, systems read them, the offline agent writes them."""

from core.text.language import ByLanguage

BEGIN_QUERY, END_QUERY = "<|begin_search_query|>", "<|end_search_query|>"
BEGIN_RESULT, END_RESULT = "<|begin_search_result|>", "<|end_search_result|>"
FINDINGS = ByLanguage({"en": "**Final Information**", "zh": "**最终信息**"})
NO_FINDINGS = ByLanguage({"en": "No helpful information found.", "zh": "没有找到有用的信息。"})
"""Stands for the findings when a reply names none."""


def parse_search_query(text: str) -> str | None:
    """The query at the end of the text; None without one."""
    _, begins, query = text.rstrip().removesuffix(END_QUERY).rpartition(BEGIN_QUERY)
    if not begins or not text.rstrip().endswith(END_QUERY) or END_QUERY in query:
        return None
    return " ".join(query.split()) or None


def extract_findings(text: str) -> str:
    """The text after the last marker of findings, in either language; "" without one."""
    ends = [text.rfind(marker) + len(marker) for marker in FINDINGS.values() if marker in text]
    return text[max(ends) :].strip() if ends else ""
