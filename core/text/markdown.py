"""Converts Markdown text, which project leads write, to safe HTML: HTML in the Markdown is shown as text, and only links to
http, https and mailto addresses are allowed. Only pictures embedded in the text are shown; other pictures become links, so that
showing the text loads nothing."""

import re
from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from markdown_it import MarkdownIt

_EMBEDDED_IMAGE = re.compile(r"data:image/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/=]+\Z")
_PICTURE = re.compile(r"data:image/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/=]+")
_LINK_ADDRESS = re.compile(r"(?:https?://|mailto:)", re.IGNORECASE)


def as_html(text: str) -> str:
    """Convert Markdown text to safe HTML."""
    return str(_load_renderer().render(text))


def strip_pictures(text: str) -> str:
    """Return the text without the image data of embedded pictures."""
    return _PICTURE.sub("", text)


@cache
def _load_renderer() -> "MarkdownIt":
    from markdown_it import MarkdownIt
    from markdown_it.common.utils import escapeHtml

    md = MarkdownIt("commonmark", {"html": False, "breaks": True}).enable("table").enable("strikethrough")
    md.validateLink = lambda url: bool(_LINK_ADDRESS.match(url) or _EMBEDDED_IMAGE.match(url))  # type: ignore[method-assign]

    def image(self: Any, tokens: Any, at: int, options: Any, env: Any) -> str:
        address, about = str(tokens[at].attrs.get("src", "")), escapeHtml(tokens[at].content or "picture")
        if _EMBEDDED_IMAGE.match(address):
            return f'<img src="{escapeHtml(address)}" alt="{about}">'
        return f'<a href="{escapeHtml(address)}" target="_blank" rel="noopener noreferrer">{about}</a>'

    def link_open(self: Any, tokens: Any, at: int, options: Any, env: Any) -> str:
        tokens[at].attrSet("target", "_blank")
        tokens[at].attrSet("rel", "noopener noreferrer")
        return str(self.renderToken(tokens, at, options, env))

    md.add_render_rule("image", image)
    md.add_render_rule("link_open", link_open)
    return md
