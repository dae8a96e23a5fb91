"""Gates: run automatic checks on any selection of items, count the results of the checks, compare these results with people's
decisions, and choose the gates that run on every draft."""

from pages.parts.build.gates import every_draft, findings, run_box
from pages.parts.ui.allowed import explain_refusal
from pages.parts.ui.heading import show_empty, show_heading
from pages.parts.ui.in_url import switch_view
from pages.parts.ui.say import show_note
from workbench import open_workbench

VIEWS = {
    "run": ("Run", run_box.show),
    "found": ("What they found", findings.show_findings),
    "people": ("Against people", findings.show_comparison),
    "every": ("On every draft", every_draft.show),
}

show_heading("Gates", "Automatic checks of drafts: some cost nothing and check every draft, others ask an agent.")
if why := explain_refusal("run gates"):
    show_note(why)
elif not open_workbench().find.choices()["task"]:
    show_empty("No items yet", "Draft some items first, or import a benchmark.", "pages/build/draft.py", "Draft items")
else:
    VIEWS[switch_view({name: label for name, (label, _) in VIEWS.items()}, "gates_view")][1]()
