"""Small PDFs to read and to look at, each with one thing that makes a place on its page hard to tell."""

import io
from collections.abc import Callable, Sequence
from typing import Any

PROSE = (
    "The bridge at Orvel was designed by Marta Quill in 1931. It is 212 metres long and carries two lanes over the river. "
    "The toll of 5 cents was abolished in 1954, and trade with the eastern bank grew at once. The old ferry stopped in spring."
)
"""Long enough for several lines."""


def drawn(*pages: "Callable[[Any], None]", **options: Any) -> bytes:
    """A PDF of those pages, each drawn by its function on reportlab's canvas."""
    from reportlab.pdfgen.canvas import Canvas

    out = io.BytesIO()
    canvas = Canvas(out, **options)
    for page in pages:
        page(canvas)
        canvas.showPage()
    canvas.save()
    return out.getvalue()


def lines(*words: str, at: tuple[float, float] = (72, 720), size: float = 12) -> "Callable[[Any], None]":
    """Lines of text from that place down."""

    def draw(canvas: Any) -> None:
        canvas.setFont("Helvetica", size)
        for n, line in enumerate(words):
            canvas.drawString(at[0], at[1] - 1.3 * size * n, line)

    return draw


def wrapped(text: str, width: int) -> list[str]:
    import textwrap

    return textwrap.wrap(text, width)


def two_columns() -> bytes:
    """One column after the other, over the same heights."""
    left, right = lines(*wrapped(PROSE, 40), at=(60, 720), size=10), lines(*wrapped(PROSE[::-1], 40), at=(320, 720), size=10)
    return drawn(lambda canvas: (left(canvas), right(canvas)))  # type: ignore[arg-type, return-value]


def hyphens() -> bytes:
    """Words that break at the end of a line."""
    return drawn(lines("The ferry was aban-", "doned in the spring, and the inhabi-", "tants of the eastern bank cheered."))


def glyphs() -> bytes:
    """Ligatures, and letters that take two UTF-16 units."""
    return with_letters([["o\ufb03ce \ufb01re a\U0001f600b", "\U0001d400x after \u03b1\u03b2"], ["next \U0001f600 line"]])


def chinese() -> bytes:
    from reportlab.pdfbase import pdfmetrics
    from reportlab.pdfbase.cidfonts import UnicodeCIDFont

    pdfmetrics.registerFont(UnicodeCIDFont("STSong-Light"))

    def draw(canvas: Any) -> None:
        canvas.setFont("STSong-Light", 14)
        canvas.drawString(72, 700, "雨后的城市，很安静。")
        canvas.drawString(72, 676, "桥建于一九三一年。")

    return drawn(draw)


def turned(angle: int) -> bytes:
    """A page that is shown turned."""

    def draw(canvas: Any) -> None:
        canvas.setPageRotation(angle)
        lines(*wrapped(PROSE, 50), at=(72, 500))(canvas)

    return drawn(draw)


def cropped() -> bytes:
    """A page of which a part in the middle is shown; its first line lies outside."""

    def draw(canvas: Any) -> None:
        canvas.setCropBox((50, 300, 450, 690))
        lines("Printer's mark", *wrapped(PROSE, 50), at=(72, 700))(canvas)

    return drawn(draw)


def along() -> bytes:
    """Lines that run up the page."""

    def draw(canvas: Any) -> None:
        canvas.rotate(90)
        lines(*wrapped(PROSE, 50), at=(100, -100))(canvas)

    return drawn(draw)


def with_letters(pages: Sequence[Sequence[str]]) -> bytes:
    """Pages of lines in which every letter is a box whose meaning only the file's own table tells: so any letter can stand."""
    letters = sorted({letter for page in pages for line in page for letter in line})
    codes = {letter: f"{n:02X}" for n, letter in enumerate(letters, 1)}
    meant = "\n".join(f"<{code}> <{letter.encode('utf-16-be').hex().upper()}>" for letter, code in codes.items())
    table = (
        f"/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /x def /CMapType 2 def\n"
        f"1 begincodespacerange <00> <FF> endcodespacerange\n{len(codes)} beginbfchar\n{meant}\nendbfchar\n"
        f"endcmap end end"
    )
    shapes = " ".join(f"/c{code} 5 0 R" for code in codes.values())
    names = " ".join(f"/c{code}" for code in codes.values())
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        "",
        f"<< /Type /Font /Subtype /Type3 /FontBBox [0 0 600 700] /FontMatrix [.001 0 0 .001 0 0] /CharProcs << {shapes} >> "
        f"/Encoding << /Type /Encoding /Differences [1 {names}] >> /FirstChar 1 /LastChar {len(codes)} "
        f"/Widths [{' '.join(['650'] * len(codes))}] /ToUnicode 4 0 R /Resources << >> >>",
        stream(table),
        stream("650 0 0 0 600 700 d1 0 0 600 700 re f"),
    ]
    kids = []
    for page in pages:
        written = ["".join(codes[letter] for letter in line) for line in page]
        shown = "".join(f"1 0 0 1 72 {700 - 20 * n} Tm <{line}> Tj\n" for n, line in enumerate(written))
        objects.append(stream(f"BT /F 12 Tf\n{shown}ET"))
        kids.append(f"{len(objects) + 1} 0 R")
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents {len(objects)} 0 R "
            f"/Resources << /Font << /F 3 0 R >> >> >>"
        )
    objects[1] = f"<< /Type /Pages /Kids [{' '.join(kids)}] /Count {len(kids)} >>"
    return of_objects(objects)


def stream(content: str) -> str:
    return f"<< /Length {len(content.encode())} >>\nstream\n{content}\nendstream"


def of_objects(objects: Sequence[str]) -> bytes:
    """A PDF of those objects, numbered from 1; the first is its root."""
    out, places = b"%PDF-1.7\n", []
    for n, one in enumerate(objects, 1):
        places.append(len(out))
        out += f"{n} 0 obj\n{one}\nendobj\n".encode()
    table = "".join(f"{place:010d} 00000 n \n" for place in places)
    end = f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{table}trailer\n<< /Size {len(objects) + 1} /Root 1 0 R >>\n"
    return out + f"{end}startxref\n{len(out)}\n%%EOF\n".encode()
