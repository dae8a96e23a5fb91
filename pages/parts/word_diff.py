"""What changed between two texts, word by word: struck out what went, underlined what came."""

import difflib
import html
import re

import streamlit as st

_WORDS = re.compile(r"\s+|[\u3400-\u9fff]|\w+|[^\w\s]")
"""Words, single Chinese characters, marks and spaces: joined they give the text back."""
_STYLE = (
    "<style>.bw-diff{white-space:pre-wrap;unicode-bidi:isolate;overflow-wrap:anywhere;line-height:1.55}"
    ".bw-diff del{background:color-mix(in srgb,#c4622d 22%,transparent);text-decoration-color:#c4622d}"
    ".bw-diff ins{background:color-mix(in srgb,#0f8f7d 24%,transparent);text-decoration-color:#0f8f7d}</style>"
)


def show(before: str, after: str) -> None:
    """Draw it; equal texts are drawn plain."""
    st.html(_STYLE + f'<div class="bw-diff" dir="auto">{marked(before, after)}</div>')


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
