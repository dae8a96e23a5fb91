"""One variant under its original: what changed word by word, its guards as numbers, and what stands out."""

from collections.abc import Mapping
from typing import Any

import streamlit as st

from pages.parts.annotate.adjudicate import word_diff
from pages.parts.ui.say import plain
from workbench.build.varying.varying import FLAGS

LONGEST = 1_500
"""Characters of a text that are compared on the screen."""


def show(question: str, kind: str, text: str, checks: Mapping[str, Any], status: str = "", person: str = "") -> None:
    """Draw it; `person` wrote it, "" = a generator made it."""
    with st.container(gap="xsmall"):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.badge(kind.replace("_", " "), color="blue")
            if said := ", ".join(one for one in (status, f"written by {person}" if person else "") if one):
                st.caption(plain(said), width="content")
            for flag in checks.get("flags", ()):
                st.badge(plain(str(flag)), color="orange", help=plain(FLAGS.get(str(flag), str(flag)).capitalize() + "."))
        word_diff.show(question[:LONGEST], text[:LONGEST])
        if max(len(question), len(text)) > LONGEST:
            st.caption(f"The first {LONGEST:,} characters.")
        st.caption(plain(" · ".join(numbers(kind, checks))))


def numbers(kind: str, checks: Mapping[str, Any]) -> list[str]:
    """The guards in words, those that were measured; reading ease where the kind is about it."""
    told = [f"edit distance {checks['edit']:.2f}"] if checks.get("edit") is not None else []
    if checks.get("similarity") is not None:
        limit = checks.get("similarity_limit")
        model = checks.get("similarity_model")
        told.append(
            f"cosine {checks['similarity']:.2f}"
            + (f" by {model}" if model else "")
            + (f" (random pairs stay under {limit:.2f})" if limit is not None else "")
        )
    elif checks.get("similarity_why") and checks["similarity_why"] != "not measured":
        told.append(f"cosine {checks['similarity_why']}")
    if checks.get("words_ratio") is not None:
        told.append(f"{checks['words_ratio']:.2f} times the words")
    if kind == "readability" and checks.get("flesch") is not None:
        told.append(f"Flesch {checks['flesch']:.0f}, original {checks.get('flesch_original') or 0:.0f}")
    if checks.get("questions", 1) != checks.get("questions_original", 1):
        told.append(f"{checks['questions']} questions, original {checks['questions_original']}")
    if checks.get("same_as"):
        told.append(f"same letters as {', '.join(checks['same_as'])}")
    if checks.get("verdict"):
        told.append(_verdict(checks))
    if checks.get("mode"):
        told.append(f"mode {checks['mode']}")
    if checks.get("offline"):
        told.append("offline (no LLM)")
    return told


def _verdict(checks: Mapping[str, Any]) -> str:
    if checks["verdict"] == "verified":
        rules = ", ".join(str(rule["rule"]) for rule in checks.get("rules", ()))
        return f"verified by {checks['verifier']}, server {checks.get('verifier_version') or 'unknown'}: {rules}"
    return f"unverified: {str(checks.get('unverified_why', '')).rstrip('.')}"
