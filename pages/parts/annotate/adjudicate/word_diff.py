"""What changed between two texts, word by word: struck out what went, underlined what came."""

import difflib
import html
import re

import streamlit as st

_WORDS = re.compile(r"\s+|[\u3400-\u9fff]|\w+|[^\w\s]")
"""Words, single Chinese characters, marks and spaces: joined they give the text back."""
NEAR = 2
"""Unchanged lines shown around a change."""
_STYLE = (
    "<style>.bw-diff{white-space:pre-wrap;unicode-bidi:isolate;overflow-wrap:anywhere;line-height:1.55}"
    ".bw-diff del{background:color-mix(in srgb,#c4622d 22%,transparent);text-decoration-color:#c4622d}"
    ".bw-diff ins{background:color-mix(in srgb,#0f8f7d 24%,transparent);text-decoration-color:#0f8f7d}</style>"
)


def show(before: str, after: str) -> None:
    """Draw it; equal texts are drawn plain."""
    st.html(_STYLE + f'<div class="bw-diff" dir="auto">{marked(before, after)}</div>')


def show_changes(before: str, after: str) -> None:
    """Draw the changed lines of two longer texts word by word, with a few of their neighbours."""
    old, new = before.splitlines(), after.splitlines()
    last = 0
    for group in difflib.SequenceMatcher(None, old, new, autojunk=False).get_grouped_opcodes(NEAR):
        first, end = group[0][3], group[-1][4]
        if first > last:
            st.caption(_alike(first - last))
        show("\n".join(old[group[0][1] : group[-1][2]]), "\n".join(new[first:end]))
        last = end
    if len(new) > last:
        st.caption(_alike(len(new) - last))


def marked(before: str, after: str) -> str:
    """HTML of the difference; every letter of the texts is escaped."""
    old, new = (_WORDS.findall(text) for text in (before, after))
    parts = []
    for kind, a, b, c, d in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        gone, come = html.escape("".join(old[a:b])), html.escape("".join(new[c:d]))
        if kind == "equal":
            parts.append(come)
        else:
            parts += [f"<del>{gone}</del>"] * bool(gone) + [f"<ins>{come}</ins>"] * bool(come)
    return "".join(parts)


def _alike(lines: int) -> str:
    return f"{lines:,} lines alike" if lines != 1 else "1 line alike"
