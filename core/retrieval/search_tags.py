"""The markers with which an agent asks for a search in the middle of its reply and is given what was found, as in Search-o1,
and the one before what a reading of documents came to. Prompts show them, systems read them, the offline agent writes them."""

BEGIN_QUERY, END_QUERY = "<|begin_search_query|>", "<|end_search_query|>"
BEGIN_RESULT, END_RESULT = "<|begin_search_result|>", "<|end_search_result|>"
FINDINGS = {"en": "**Final Information**", "zh": "**最终信息**"}
NO_FINDINGS = {"en": "No helpful information found.", "zh": "没有找到有用的信息。"}
"""What is handed on when a reading of documents names no findings."""


def parse_search_query(text: str) -> str | None:
    """The query with which the text ends; None when it ends otherwise."""
    _, begins, query = text.rstrip().removesuffix(END_QUERY).rpartition(BEGIN_QUERY)
    if not begins or not text.rstrip().endswith(END_QUERY) or END_QUERY in query:
        return None
    return " ".join(query.split()) or None


def extract_findings(text: str) -> str:
    """What stands behind the last marker of findings, in whichever language; "" when there is none."""
    ends = [text.rfind(marker) + len(marker) for marker in FINDINGS.values() if marker in text]
    return text[max(ends) :].strip() if ends else ""
