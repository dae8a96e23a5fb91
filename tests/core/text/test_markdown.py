"""Leads' Markdown becomes HTML that runs nothing and loads nothing from elsewhere."""

import re

import pytest

from core.text.markdown import as_html

DOT = "data:image/png;base64,iVBORw0KGgo="


def test_headings_lists_tables_and_embedded_pictures_are_drawn() -> None:
    made = as_html(f"## Level 1\n\n- one\n- **two**\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n![dot]({DOT})")
    for wanted in ("<h2>Level 1</h2>", "<li>one</li>", "<strong>two</strong>", "<td>2</td>", f'<img src="{DOT}" alt="dot">'):
        assert wanted in made


@pytest.mark.parametrize(
    "text",
    [
        "<img src=x onerror=alert(1)>",
        "<script>alert(1)</script>",
        "[x](javascript:alert(1))",
        "[x](vbscript:x)",
        "![x](https://tracker.example/1.png)",
        "![x](//tracker.example/1.png)",
        "![x](/bench/document/1)",
        "![x](data:image/svg+xml;base64,PHN2Zz4=)",
        "![x][r]\n\n[r]: https://tracker.example/2.png",
        '![" onerror="alert(1)](https://e.test/x)',
        "<iframe src='https://e.test'></iframe>",
        "[x](data:text/html;base64,PHN2Zz4=)",
    ],
)
def test_nothing_runs_and_no_picture_comes_from_elsewhere(text: str) -> None:
    made = as_html(text)
    assert not re.search(r"<(img|script|iframe|svg|object|style)\b", made), made
    assert not re.search(r"<[^>]*\son\w+=", made) and not re.search(r'href="(javascript|vbscript|data):', made, re.IGNORECASE)


def test_a_remote_picture_is_a_link_with_its_words() -> None:
    made = as_html("![the form](https://e.test/form.png)")
    assert made == '<p><a href="https://e.test/form.png" target="_blank" rel="noopener noreferrer">the form</a></p>\n'
