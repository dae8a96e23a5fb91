"""Shows one variant below its original question, with the changes word by word, the results of the variant's automatic checks,
and flags for unusual values."""

from collections.abc import Mapping
from typing import Any

import streamlit as st

from pages.parts.annotate.adjudicate import word_diff
from pages.parts.ui.say import escape
from workbench.build.varying.varying import FLAGS

MAX_CHARACTERS = 1_500
"""Maximum length in characters of a text that is compared on the screen."""


def show(question: str, kind: str, text: str, checks: Mapping[str, Any], status: str = "", person: str = "") -> None:
    """Show the variant below its original question; `person` is the person who wrote it, or "" if it was generated."""
    with st.container(gap="xsmall"):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.badge(kind.replace("_", " "), color="blue")
            if facts := ", ".join(filter(None, (status, f"written by {person}" if person else ""))):
                st.caption(escape(facts), width="content")
            for flag in map(str, checks.get("flags", ())):
                st.badge(escape(flag), color="orange", help=escape(FLAGS.get(flag, flag).capitalize() + "."))
        word_diff.show(question[:MAX_CHARACTERS], text[:MAX_CHARACTERS])
        if max(len(question), len(text)) > MAX_CHARACTERS:
            st.caption(f"Only the first {MAX_CHARACTERS:,} characters are shown.")
        st.caption(escape(" · ".join(describe_checks(kind, checks))))


def describe_checks(kind: str, checks: Mapping[str, Any]) -> list[str]:
    """Describe in words what the automatic checks of a variant measured; reading ease is included only for variants of the kind
    `readability`."""
    facts = [f"edit distance {checks['edit']:.2f}"] if checks.get("edit") is not None else []
    if checks.get("similarity") is not None:
        limit, model = checks.get("similarity_limit"), checks.get("similarity_model")
        by = f" by {model}" if model else ""
        random = f" (random pairs stay under {limit:.2f})" if limit is not None else ""
        facts.append(f"cosine {checks['similarity']:.2f}{by}{random}")
    elif checks.get("similarity_why") and checks["similarity_why"] != "not measured":
        facts.append(f"cosine {checks['similarity_why']}")
    if checks.get("words_ratio") is not None:
        facts.append(f"{checks['words_ratio']:.2f} times as many words as the original")
    if kind == "readability" and checks.get("flesch") is not None:
        facts.append(f"Flesch {checks['flesch']:.0f}, original {checks.get('flesch_original') or 0:.0f}")
    if checks.get("questions", 1) != checks.get("questions_original", 1):
        facts.append(f"{checks['questions']} questions, {checks['questions_original']} in the original")
    if checks.get("same_as"):
        facts.append(f"same letters as {', '.join(checks['same_as'])}")
    if checks.get("verdict"):
        facts.append(_describe_verdict(checks))
    if checks.get("judge"):
        facts.append(_describe_opinion(checks["judge"]))
    if checks.get("mode"):
        facts.append(f"mode {checks['mode']}")
    if checks.get("offline"):
        facts.append("offline (no LLM)")
    return facts


def _describe_verdict(checks: Mapping[str, Any]) -> str:
    if checks["verdict"] == "verified":
        rules = ", ".join(str(rule["rule"]) for rule in checks.get("rules", ()))
        return f"verified by {checks['verifier']}, server {checks.get('verifier_version') or 'unknown'}: {rules}"
    return f"unverified: {str(checks.get('unverified_why', '')).rstrip('.')}"


def _describe_opinion(opinion: Mapping[str, Any]) -> str:
    """Describe the second opinion of an agent on the variant's grammar."""
    agent = opinion["agent"]
    if opinion.get("has_error") is None:
        return f"{agent} gave no opinion: {str(opinion.get('why', '')).rstrip('.')}"
    return f"{agent} finds an error: {opinion['error'] or 'not named'}" if opinion["has_error"] else f"{agent} finds no error"
