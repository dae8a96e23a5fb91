"""A small corpus for the terminal's tests: six documents alike in form, each with a name of its own that a fault can aim at."""

from pathlib import Path

NAMES = ("Orvel", "Tamsin", "Kesh", "Brannoch", "Ludmere", "Varrow")

TEXT = """# The bridge at {name}

The bridge at {name} was designed by Marta Quill in {year}. It crosses the river Senn and is {length} metres long. The builder
was the Halden Ironworks, which had already built the station of {name}. Work began on 4 March {begun} and lasted 27 months.

The opening at {name} was attended by Mayor Tobias Renn. He praised the {length} workers who had laid the deck. The toll of 5
cents was abolished in 1954, because the town council of {name} wanted more trade with the eastern bank.
"""


def write_corpus(folder: Path) -> Path:
    """The six documents as files of a new folder."""
    folder.mkdir()
    for n, name in enumerate(NAMES):
        text = TEXT.format(name=name, year=1931 + n, begun=1929 + n, length=212 + 17 * n)
        (folder / f"{name.lower()}.md").write_text(text, encoding="utf-8")
    return folder
