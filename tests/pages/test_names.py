"""Where a name is needed, the page asks for it: nobody is sent to a box below forty links."""

import pytest

from tests.pages.conftest import Show
from workbench import Workbench

ASKING = {
    "build/web_question": {},
    "build/templates": {"view": "write"},
    "annotate/find": {},
    "annotate/progress": {"view": "week"},
    "annotate/phases": {},
    "setup/guidelines": {"view": "Edit"},
    "setup/prompts": {"view": "Edit"},
    "setup/labels": {},
}


@pytest.mark.parametrize("page", ASKING)
def test_the_page_asks_for_the_name_and_takes_it(page: str, bench: Workbench, show: Show) -> None:
    bench.templates.load_samples()
    at = show(page, person=" ", **ASKING[page])
    boxes = [box for box in at.main.text_input if box.label == "Your name"]
    assert len(boxes) == 1, page
    boxes[0].set_value("Nora").run()
    assert at.session_state["person_name"] == "Nora"
    assert not [box for box in at.main.text_input if box.label == "Your name"]
