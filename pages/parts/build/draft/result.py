"""What a draft came to: the item on the desk, or why there is none."""

from typing import Any

import streamlit as st

from pages.components.review import desk
from pages.parts.build.draft.gate_list import gate_list
from pages.parts.build.draft.live import texts
from pages.parts.ui.say import caution, done, note, trouble
from workbench import opened

ENDED = {"cancelled": "Stopped before the draft was done.", "paused": "Paused before the draft was done."}


def draft_result(seen: dict[str, Any], person: str) -> bool:
    """Draw it; True when another context was asked for on the desk."""
    if seen["item"] and seen["state"] == "drafted":
        return _drafted(seen["item"], person)
    if seen["item"]:
        _refused(seen)
    elif seen["state"] == "none":
        note("The agent found nothing worth asking here." + (f" It says: {seen['none']}" if seen["none"] else ""))
    else:
        trouble(seen["message"] or ENDED.get(seen["state"], "There is no draft."))
        if raw := seen["text"] or "".join(texts(seen["parts"])[-1:]):
            st.caption("What had come by then. None of it was saved as a draft.")
            st.code(raw, language=None, wrap_lines=True)
    return False


def _drafted(item: dict[str, Any], person: str) -> bool:
    if item["status"] == "accepted":
        done(f"Saved, revision {item['revision']}.")
    elif item["status"] == "discarded":
        note("Discarded. The reason is kept with it.")
    opened().reviews.holds.hold(item["id"], person)
    data = opened().reviews.desk(item["id"], person) | {"next_label": "Another context"}
    pressed = desk.show(data | {"position": data["position"] | {"left": None, "has_back": False}}, key="draft_desk")
    if pressed:
        desk.answered(pressed, item["id"], "draft_desk")
    if pressed and pressed.to != "next":
        st.rerun()
    return pressed is not None


def _refused(seen: dict[str, Any]) -> None:
    caution("A gate refused this draft. It is kept with its reason and never comes into the review queue.")
    item = seen["item"]
    with st.container(border=True, gap="small"):
        gate_list(seen["verdicts"])
        for label, words in (
            ("Question", item["question"]),
            ("Answer", "\n".join(item["answers"])),
            ("Evidence", "\n".join(span["text"] for span in item["evidence"])),
        ):
            st.caption(label)
            st.text(words or "–")
