"""Where a piece of a PDF's text stands on its page: what lies under the boxes spells the text, however the page is made."""

import random
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from core.readers import ReadDocument, read_file
from core.readers.pdf_pages import MAX_BOXES, MAX_PIXELS, boxes, picture
from tests import pdfs

MADE = [
    pdfs.two_columns,
    pdfs.hyphens,
    pdfs.glyphs,
    pdfs.chinese,
    lambda: pdfs.turned(90),
    lambda: pdfs.turned(180),
    lambda: pdfs.turned(270),
    pdfs.along,
]


def opened(raw: bytes) -> Any:
    import pypdfium2

    return pypdfium2.PdfDocument(raw)


def read(raw: bytes, folder: Path) -> ReadDocument:
    (folder / "a.pdf").write_bytes(raw)
    (found,) = read_file(folder / "a.pdf")
    assert isinstance(found, ReadDocument), found
    return found


def under(page: Any, found: list[list[float]]) -> str:
    """The characters, blanks aside, whose middle lies under one of the boxes."""
    import ctypes

    import pypdfium2.raw as pdfium

    rectangles = []
    for left, top, right, bottom in found:
        corners = []
        for across, down in ((left, top), (right, bottom)):
            x, y = ctypes.c_double(), ctypes.c_double()
            fine = 1_000_000
            pdfium.FPDF_DeviceToPage(page, 0, 0, fine, fine, 0, round(across * fine), round(down * fine), x, y)
            corners.append((x.value, y.value))
        (a, b), (c, d) = corners
        rectangles.append((min(a, c), min(b, d), max(a, c), max(b, d)))
    text_page = page.get_textpage()
    units = []
    for n in range(text_page.count_chars()):
        left, bottom, right, top = text_page.get_charbox(n)
        x, y = (left + right) / 2, (bottom + top) / 2
        if any(a < x < c and b < y < d for a, b, c, d in rectangles):
            units.append(pdfium.FPDFText_GetUnicode(text_page, n))
    letters = b"".join(unit.to_bytes(2, "little") for unit in units if unit not in (0x02, 0xFFFE))
    return "".join(letters.decode("utf-16-le", "replace").split())


@pytest.mark.parametrize("make", MADE)
def test_what_lies_under_the_boxes_of_a_span_spells_it(make: Callable[[], bytes], tmp_path: Path) -> None:
    raw = make()
    found, document = read(raw, tmp_path), opened(raw)
    draw = random.Random(7)
    for number, (start, end) in enumerate(found.meta["pages"]):
        text = found.text[start:end]
        for _ in range(40):
            first = draw.randrange(len(text))
            last = draw.randrange(first, min(len(text), first + 120)) + 1
            told = boxes(document, number, [(first, last)], text)
            assert told["text"] == text and not told["more"]
            spelled, wanted = under(document[number], told["spans"][0]), "".join(text[first:last].split())
            assert wanted in spelled and len(spelled) <= len(wanted) + 4, "a ligature may lie under the box as a whole"
            if make is not pdfs.glyphs:
                assert spelled == wanted


def test_a_span_over_lines_has_a_box_a_line_each() -> None:
    raw = pdfs.drawn(pdfs.lines("The toll of 5 cents", "was abolished", "in 1954."))
    text = "The toll of 5 cents was abolished in 1954."
    found = boxes(opened(raw), 0, [(4, len(text)), (0, 3)], text)
    [one, two, three], [short] = found["spans"]
    assert found["text"] == text
    assert one[1] < one[3] <= two[1] + 0.005 and two[3] <= three[1] + 0.005 and one[0] > two[0] == three[0] == short[0]


def dark(raw: bytes) -> tuple[float, float, float, float]:
    """Around everything that is drawn on the first page's picture, in shares of it."""
    from PIL import Image

    image = Image.open(BytesIO(picture(opened(raw), 0, 1000))).convert("L").point(lambda value: 255 if value < 128 else 0)
    left, top, right, bottom = image.getbbox() or (0, 0, 0, 0)
    return left / image.width, top / image.height, right / image.width, bottom / image.height


@pytest.mark.parametrize("angle", [0, 90, 180, 270])
def test_the_box_lies_where_the_picture_has_its_ink(angle: int) -> None:
    def page(canvas: Any) -> None:
        canvas.setCropBox((30, 300, 400, 560))
        canvas.setPageRotation(angle)
        pdfs.lines("Halmerow", at=(72, 500))(canvas)

    raw = pdfs.drawn(page)
    [[box]] = boxes(opened(raw), 0, [(0, 8)])["spans"]
    left, top, right, bottom = dark(raw)
    assert box[0] - 0.01 <= left < right <= box[2] + 0.01 and box[1] - 0.01 <= top < bottom <= box[3] + 0.01
    assert (box[2] - box[0]) * (box[3] - box[1]) < 2.5 * (right - left) * (bottom - top), "and not far around it"


def test_what_is_cut_off_the_page_has_no_box(tmp_path: Path) -> None:
    raw = pdfs.cropped()
    found = read(raw, tmp_path)
    start, end = found.text.index("Printer"), found.text.index("The bridge")
    told = boxes(opened(raw), 0, [(start, end), (end, len(found.text))], found.text)
    assert told["spans"][0] == [] and len(told["spans"][1]) > 2


def test_huge_thin_and_crowded_pages_stay_bounded() -> None:
    from PIL import Image

    for size in ((14_400, 14_400), (14_400, 3), (3, 14_400), (612, 792)):
        raw = pdfs.drawn(pdfs.lines("x", at=(1, 1), size=2), pagesize=size)
        image = Image.open(BytesIO(picture(opened(raw), 0, 2000)))
        assert 0 < image.width * image.height <= MAX_PIXELS * 1.01 and max(image.size) <= 8_000, (size, image.size)


def test_a_page_of_more_boxes_than_can_be_told_says_so() -> None:
    def crowd(canvas: Any) -> None:
        canvas.setFont("Helvetica", 4)
        for n in range(3_000):
            canvas.drawString(5 + 11 * (n % 50), 5 + 12 * (n // 50), "x")

    told = boxes(opened(pdfs.drawn(crowd)), 0, [(0, 10**6), (0, 10**6)])
    assert told["more"] and sum(map(len, told["spans"])) == MAX_BOXES


def test_a_scan_becomes_a_jpeg_and_text_a_png() -> None:
    from PIL import Image
    from reportlab.lib.utils import ImageReader

    noise = Image.frombytes("RGB", (200, 200), random.Random(3).randbytes(120_000))
    scan = pdfs.drawn(lambda canvas: canvas.drawImage(ImageReader(noise), 50, 50, 500, 500))
    assert picture(opened(scan), 0, 1000).startswith(b"\xff\xd8") and picture(opened(pdfs.hyphens()), 0, 1000)[1:4] == b"PNG"


def test_a_line_that_wraps_before_a_capital_or_a_figure_ends_no_sentence(tmp_path: Path) -> None:
    from core.text.sentences import split_sentences

    words = [
        "The king then asked the Archbishop of",
        "Trondheim for the sum of no less than",
        "1892 crowns. The answer came in May.",
    ]
    raw = pdfs.drawn(pdfs.lines(*words, "", "A new paragraph begins here."))
    text = read(raw, tmp_path).text
    assert [text[a:b] for a, b in split_sentences(text, "en")] == [
        "The king then asked the Archbishop of Trondheim for the sum of no less than 1892 crowns.",
        "The answer came in May.",
        "A new paragraph begins here.",
    ]


def test_a_line_a_column_and_a_page_that_end_in_an_abbreviation_end_no_sentence(tmp_path: Path) -> None:
    from core.text.sentences import split_sentences

    first = ["It is told that the chapel in the", "town, was founded by St.", "Olaf, and that a man named as Mr."]
    second = ["Quill and his wife built it anew", "for no less than 1892 crowns.", "It burnt."]
    left, right = pdfs.lines(*first, at=(60, 720)), pdfs.lines(*second, at=(320, 720))
    raw = pdfs.drawn(lambda canvas: (left(canvas), right(canvas)))  # type: ignore[arg-type, return-value]
    text = read(raw, tmp_path).text
    assert text == " ".join([*first, *second])
    assert [text[a:b] for a, b in split_sentences(text, "en")] == [text.removesuffix(" It burnt."), "It burnt."]


def report(pages: int) -> bytes:
    """Pages of two columns between a running header and a page number."""

    def page(number: int) -> Callable[[Any], None]:
        def draw(canvas: Any) -> None:
            pdfs.lines("The Orvel Bridge Company, Annual Report", at=(60, 770), size=8)(canvas)
            pdfs.lines(f"Page {number + 7}", at=(540, 40), size=8)(canvas)
            text = pdfs.PROSE.replace("Orvel", f"Orvel {number}")
            pdfs.lines(*pdfs.wrapped(text, 40), at=(60, 720), size=10)(canvas)
            pdfs.lines(*pdfs.wrapped(text.replace("bridge", "ferry"), 40), at=(320, 720), size=10)(canvas)

        return draw

    return pdfs.drawn(*(page(number) for number in range(pages)))


@pytest.mark.parametrize("pages", [2, 5])
def test_running_headers_and_page_numbers_are_left_out_and_columns_are_whole(pages: int, tmp_path: Path) -> None:
    raw = report(pages)
    found = read(raw, tmp_path)
    for number, (start, end) in enumerate(found.meta["pages"]):
        text = pdfs.PROSE.replace("Orvel", f"Orvel {number}")
        assert found.text[start:end] == f"{text}\n{text.replace('bridge', 'ferry')}"
    start, end = found.meta["pages"][1]
    page = found.text[start:end]
    left, right = page.index("212 metres"), page.rindex("212 metres")
    told = boxes(opened(raw), 1, [(left, left + 10), (right, right + 10)], page)
    assert told["text"] == page
    assert told["starts"] == pytest.approx([60 / 595, 320 / 595], abs=0.01), "each number stands in its own column"


def test_one_page_and_what_only_looks_alike_keep_every_line(tmp_path: Path) -> None:
    assert "Page 7" in read(report(1), tmp_path).text
    pages = [pdfs.lines(f"Chapter {name}", "Text of it.") for name in ("One", "Two", "Three")]
    assert read(pdfs.drawn(*pages), tmp_path).text.count("Chapter") == 3


def test_text_that_came_in_line_by_line_before_still_has_its_boxes() -> None:
    raw = report(3)
    whole = boxes(opened(raw), 0, [])["text"]
    assert "Annual Report\n" in whole and boxes(opened(raw), 0, [(0, 9)], whole)["text"] == whole
    assert boxes(opened(raw), 0, [(0, 9)], "Something else.")["text"] == whole


def test_a_sentence_runs_on_into_the_next_column_and_page(tmp_path: Path) -> None:
    first = ["It was in May of that year that", "the king asked the Archbishop of"]
    second = ["Trondheim for a sum of no less", "than nine hundred and ninety or"]
    third = ["1892 crowns, and was told no.", "The answer came on a Sunday."]
    left, right = pdfs.lines(*first, at=(60, 720)), pdfs.lines(*second, at=(320, 720))
    raw = pdfs.drawn(lambda canvas: (left(canvas), right(canvas)), pdfs.lines(*third, at=(60, 720)))  # type: ignore[arg-type, return-value]
    found = read(raw, tmp_path)
    assert found.text == " ".join([*first, *second, *third])
    assert [found.text[a:b] for a, b in found.meta["pages"]] == [" ".join([*first, *second]), " ".join(third)]


def test_a_line_across_both_columns_is_the_edge_of_neither(tmp_path: Path) -> None:
    columns = [
        pdfs.lines("Yearly report on the bridges and the ferries of Orvel and of its eastern bank", at=(60, 780)),
        pdfs.lines("The bridge was designed by", "Marta Quill whose plans the town", at=(60, 720)),
        pdfs.lines("hall kept in its archive until", "a fire burned them in 1954.", at=(320, 720)),
    ]
    raw = pdfs.drawn(lambda canvas: [draw(canvas) for draw in columns])  # type: ignore[arg-type, return-value]
    assert "whose plans the town hall kept in its archive" in read(raw, tmp_path).text


def test_a_full_stop_a_short_line_and_a_heading_end_a_column(tmp_path: Path) -> None:
    below = ["Trondheim was the seat of it then", "and is the seat of it today still"]
    ended = ["It was in May of that year that", "the king came to the town again."]
    for words in (ended, ["It was in May of that year", "he left"]):
        left, right = pdfs.lines(*words, at=(60, 720)), pdfs.lines(*below, at=(320, 720))
        raw = pdfs.drawn(lambda canvas, left=left, right=right: (left(canvas), right(canvas)))  # type: ignore[misc]
        assert read(raw, tmp_path).text == f"{' '.join(words)}\n{' '.join(below)}"
    title = pdfs.lines("A heading that is as wide as that", at=(60, 720))
    raw = pdfs.drawn(title, pdfs.lines(*below, at=(60, 720)))
    assert read(raw, tmp_path).text == f"A heading that is as wide as that\n\n{' '.join(below)}"


def test_two_printed_lines_that_pdfium_gives_as_one_join_the_line_below() -> None:
    from core.readers.pdf_lines import PrintedLine
    from core.readers.pdf_text import join_lines

    lines = [
        PrintedLine("The Regent Maud owed it to a ship-owner,", False, 60, 295, 478, 485, 20, foot=470),
        PrintedLine("Annis Tolley, for the hire of six hulls in", False, 60, 295, 462, 469, 20, foot=462),
    ]
    assert [page.text for page in join_lines([lines])] == [" ".join(line.text for line in lines)]


@pytest.mark.parametrize(("before", "below"), [("died in early", "268. His sons"), ("was built by Henry", "F. Hoit of Orvel")])
def test_a_figure_or_an_initial_that_begins_a_line_in_the_middle_of_a_sentence_begins_no_item(before: str, below: str) -> None:
    from core.readers.pdf_lines import PrintedLine
    from core.readers.pdf_text import join_lines

    def read_lines(*texts: str) -> str:
        return join_lines(
            [[PrintedLine(t, False, 60, 295, 478 - 10 * n, 485 - 10 * n, 20, 478 - 10 * n) for n, t in enumerate(texts)]]
        )[0].text

    assert read_lines(f"The mill {before}", below) == f"The mill {before} {below}"
    assert read_lines("The mill ends.", below).count("\n") == 1, "a sentence has ended"
    following = "269. More" if below[0].isdigit() else "G. More"
    assert read_lines(f"The mill {before}", below, following).count("\n") == 2, (
        "the numbers or letters of a list follow each other"
    )


def test_a_figure_below_a_word_that_ends_no_sentence_joins_a_line_with_room_for_it() -> None:
    from core.readers.pdf_lines import PrintedLine
    from core.readers.pdf_text import join_lines

    def read_lines(*texts: str) -> str:
        below = (
            PrintedLine(text, False, 60, 295 if n == 0 else 240, 478 - 10 * n, 485 - 10 * n, 20, foot=478 - 10 * n)
            for n, text in enumerate(texts)
        )
        return join_lines([list(below)])[0].text

    first = "The mill on the northern bank of the Orvel"
    assert read_lines(first, "was rebuilt in", "1872 by Ada Quill.") == f"{first} was rebuilt in 1872 by Ada Quill."
    assert read_lines(first, "The years after the fire", "1872 began badly.").count("\n") == 1, "a heading stays one"
    assert read_lines(first, "was rebuilt in", "1. May").count("\n") == 1, "and so does a list"


def test_lines_that_were_broken_by_hand_end_no_sentence_and_lists_stay_lists(tmp_path: Path) -> None:
    wide = "The bridge of Orvel, of which the whole town was proud for a hundred years, is made of steel."
    broken = ["Its plans were drawn", "by Marta Quill, who", "lived in the eastern", "bank of the town."]
    assert read(pdfs.drawn(pdfs.lines(wide, *broken)), tmp_path).text == " ".join([wide, *broken])
    for before in ("In it were:", "Contents", "it had"):
        listed = ["It fell.", before, "a jug of the milk", "a loaf of dark bread", "the cheese"]
        assert read(pdfs.drawn(pdfs.lines(wide, *listed)), tmp_path).text == "\n".join([f"{wide} {listed[0]}", *listed[1:]])


def test_a_bullet_or_a_word_in_another_font_at_either_end_of_a_line_leaves_the_line_its_height(tmp_path: Path) -> None:
    printed = [
        [("*", 7), (" If a file is found to be one of those of", 10)],
        [("XML", 7), (" file, these rules allow a more specific", 10)],
        [("type to be chosen, on the basis of its", 10), ("name", 7)],
        [("and of the element that it begins with.", 10)],
    ]

    def draw(canvas: Any) -> None:
        for n, line in enumerate(printed):
            text = canvas.beginText(72, 700 - 13 * n)
            for words, size in line:
                text.setFont("Helvetica", size)
                text.textOut(words)
            canvas.drawText(text)

    found = read(pdfs.drawn(draw), tmp_path).text
    assert found == " ".join("".join(words for words, _ in line) for line in printed)


def test_a_heading_above_its_text_stays_a_line_of_its_own(tmp_path: Path) -> None:
    heading, text = (
        pdfs.lines("A heading as wide as that", at=(72, 720), size=13),
        pdfs.lines("Text as wide as its own heading", at=(72, 704), size=10),
    )
    assert read(pdfs.drawn(lambda canvas: (heading(canvas), text(canvas))), tmp_path).text.count("\n") == 1  # type: ignore[arg-type, return-value]


def test_a_word_cut_before_a_capital_or_a_figure_keeps_its_hyphen_and_its_boxes(tmp_path: Path) -> None:
    words = [
        "The Count of Nassau-",
        "Usingen and the INTER-",
        "NATIONAL aid against Covid-",
        "19 among the inhabi-",
        "tants of it.",
    ]
    text = "The Count of Nassau-Usingen and the INTERNATIONAL aid against Covid-19 among the inhabitants of it."
    raw = pdfs.drawn(pdfs.lines(*words))
    assert read(raw, tmp_path).text == text
    for stored in (text, text.replace("-", ""), "\n".join(words)):
        count, aid = stored.index("Count"), stored.index("aid")
        told = boxes(
            opened(raw), 0, [(count, stored.index(" and")), (aid, aid + 3), (stored.index("tants"), len(stored))], stored
        )
        assert told["text"] == stored
        assert [under(opened(raw)[0], found) for found in told["spans"]] == ["CountofNassauUsingen", "aid", "tantsofit."]
    hyphen = text.index("-")
    [[box], [above, below]] = boxes(opened(raw), 0, [(hyphen, hyphen + 1), (hyphen - 1, hyphen + 2)], text)["spans"]
    assert box[2] == above[2] and above[3] <= below[1] + 0.005, "the hyphen stands at the end of the first line"


def test_a_dash_before_a_figure_in_a_sentence_begins_no_item_of_a_list() -> None:
    from core.readers.pdf_lines import PrintedLine
    from core.readers.pdf_text import join_lines

    def read_lines(*texts: str) -> str:
        lines = [
            PrintedLine(text, False, 60, 295, 478 - 10 * n, 485 - 10 * n, 5, foot=478 - 10 * n) for n, text in enumerate(texts)
        ]
        return join_lines([lines])[0].text

    life = ["Albert of Weilburg (26 December 1537, Weilburg", "\u2013 11 November 1593, Ottweiler), was a count and"]
    assert read_lines(*life, "the heir of his uncle.") == " ".join([*life, "the heir of his uncle."])
    assert read_lines("What is needed for it:", "\u2013 3 eggs").count("\n") == 1
    assert read_lines("What is needed for it", "- 3 eggs and", "some milk", "- 2 cups of flour").count("\n") == 2
    assert read_lines("It was told of Albert", "\u2013 a count of Weilburg").count("\n") == 1, "no figure, no range"


def test_a_header_that_names_each_chapter_goes_by_its_page_number(tmp_path: Path) -> None:
    names = ["Origins", "Origins", "The charter", "The flood"]

    def page(number: int, name: str) -> Callable[[Any], None]:
        header, text = pdfs.lines(f"{name} {number + 3}", at=(300, 780), size=8), pdfs.lines(*pdfs.wrapped(pdfs.PROSE, 60))
        return lambda canvas: (header(canvas), text(canvas))  # type: ignore[return-value]

    found = read(pdfs.drawn(*(page(*one) for one in enumerate(names))), tmp_path)
    assert found.text == "\n\n".join([pdfs.PROSE] * 4)


def test_a_footer_with_the_numbers_of_chapter_and_page_is_left_out(tmp_path: Path) -> None:
    def page(number: int) -> Callable[[Any], None]:
        footer = pdfs.lines(f"Chapter {number * 2 + 1} | Page {number + 1} of 4", at=(300, 30), size=8)
        text = pdfs.lines(*pdfs.wrapped(pdfs.PROSE, 60))
        return lambda canvas: (footer(canvas), text(canvas))  # type: ignore[return-value]

    found = read(pdfs.drawn(*map(page, range(4))), tmp_path)
    assert found.text == "\n\n".join([pdfs.PROSE] * 4)
