"""The README tells the truth and stays short; what its transcript was is docs/tutorial.md, which test_docs.py works."""

from tests.house import documents
from tests.house.documents import ROOT, TUTORIAL, blocks, read_page, steps

README = read_page(documents.README)

MOST_LINES = 120


def test_the_readme_is_short() -> None:
    assert len(README.splitlines()) <= MOST_LINES


def test_it_shows_how_to_start_and_one_day() -> None:
    commands = [step.command for step in steps(documents.README)]
    assert [one.split()[1] for one in commands if one.startswith("make ")] == ["demo", "app", "test"]
    verbs = [step.words[2] for step in steps(documents.README) if step.command.startswith(".venv/bin/python cli.py")]
    assert verbs[0] == "add" and verbs[-1] == "export" and {"draft", "decide", "freeze", "run", "report"} <= set(verbs)


def test_it_leads_to_the_transcript() -> None:
    assert f"({TUTORIAL})" in README
    assert sum(text.count("$ ") for _, _, text, _ in blocks(TUTORIAL, "console")) >= 9


def test_it_leads_to_the_licence_and_the_faults() -> None:
    for name in ("LICENSE", "NOTICE", "CITATION.cff", "CONTRIBUTING.md", "tests/FAULTS.md"):
        assert name in README and (ROOT / name).exists(), name
