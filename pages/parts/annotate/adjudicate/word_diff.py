"""The difference of two texts, word by word: deleted words are struck out, inserted ones underlined."""

import difflib
import html
import re

import streamlit as st

from pages.parts.ui.say import count_things

_WORDS = re.compile(r"\s+|[\u3400-\u9fff]|\w+|[^\w\s]")
"""Regular expression that splits a text into words, single Chinese characters, punctuation marks and spaces, without losing a
character."""
MAX_CONTEXT_LINES = 2
"""Maximum number of unchanged lines shown before and after a change."""
_STYLE = (
    "<style>.bw-diff{white-space:pre-wrap;unicode-bidi:isolate;overflow-wrap:anywhere;line-height:1.55}"
    ".bw-diff del{background:color-mix(in srgb,#c4622d 22%,transparent);text-decoration-color:#c4622d}"
    ".bw-diff ins{background:color-mix(in srgb,#0f8f7d 24%,transparent);text-decoration-color:#0f8f7d}</style>"
)


def show(before: str, after: str) -> None:
    """Show the difference between two texts; equal texts have no marks."""
    st.html(_STYLE + f'<div class="bw-diff" dir="auto">{mark_difference(before, after)}</div>')


def show_changes(before: str, after: str) -> None:
    """Show the changed lines of two longer texts word by word, with a few unchanged lines around them."""
    old, new = before.splitlines(), after.splitlines()
    last = 0
    for group in difflib.SequenceMatcher(None, old, new, autojunk=False).get_grouped_opcodes(MAX_CONTEXT_LINES):
        first, end = group[0][3], group[-1][4]
        if first > last:
            st.caption(count_things(first - last, "unchanged line"))
        show("\n".join(old[group[0][1] : group[-1][2]]), "\n".join(new[first:end]))
        last = end
    if len(new) > last:
        st.caption(count_things(len(new) - last, "unchanged line"))


def mark_difference(before: str, after: str) -> str:
    """Return the difference between two texts as HTML, with both texts escaped."""
    old, new = (_WORDS.findall(text) for text in (before, after))
    parts = []
    for kind, a, b, c, d in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        deleted, inserted = html.escape("".join(old[a:b])), html.escape("".join(new[c:d]))
        if kind == "equal":
            parts.append(inserted)
        else:
            parts += [f"<del>{deleted}</del>"] * bool(deleted) + [f"<ins>{inserted}</ins>"] * bool(inserted)
    return "".join(parts)
