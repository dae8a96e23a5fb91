"""Freeze: turns the accepted items into a release, after a preview of the items that the release will contain and of the items
that are left out."""

from collections import Counter
from collections.abc import Mapping

import streamlit as st

from core.errors import BenchError
from core.retrieval.absence import DEFAULT_MOST, DEFAULT_SEED, Obstacle
from pages.parts.annotate.review.keys_help import stop
from pages.parts.release import counterfactual, language_pairs, tiny
from pages.parts.ui import grid
from pages.parts.ui.allowed import guard
from pages.parts.ui.heading import show_empty, show_heading
from pages.parts.ui.say import count_things, escape, shorten, show_error, show_success, show_warning
from workbench import open_workbench
from workbench.release.pairs.language_pairs import MISFITS

SPLITS = {
    "One split": None,
    "dev 20 %, test 80 %": "dev=0.2,test=0.8",
    "train 70 %, dev 10 %, test 20 %": "train=0.7,dev=0.1,test=0.2",
    "Own shares": "",
}
VARIANTS = {
    "drafted": "that nobody has reviewed",
    "discarded": "discarded",
    "moved_on": "of a question that was edited since then",
    "answer_told": "that may give the gold answer away and that nobody but their writer has accepted",
}
LEFT = {
    "drafted": "waiting for a review",
    "refused": "refused by a gate",
    "discarded": "discarded",
    "unfilled_frame": "accepted with a frame's words as the answer",
    "incomplete_conversation": "turns of conversations of which another turn is not accepted",
    "outside_two_phases": "web questions accepted outside of Two phases: take the decision back on Find",
}
WHY = {
    "unfilled_frame": "a frame's words",
    "outside_two_phases": "outside of Two phases",
    "incomplete_conversation": "incomplete",
}
OBSTACLES: Mapping[Obstacle, str] = {
    "unanswerable": "whose right answer is a refusal anyway",
    "own text": "whose question contains its own source text",
    "general answer": "whose answer is too short or general to be searched for",
    "nothing to hide": "whose evidence and answer are not in the corpus",
    "too much to hide": "for which too many passages would be hidden",
}
MAX_NAMED_ITEMS = 10
"""Maximum number of accepted items that are listed by name when the release leaves them out."""

show_heading("Freeze", "Accepted items become a named release that never changes. Freezing sends nothing to other machines.")
bench = open_workbench()
every = bench.release_browser.preview()
if not every.items:
    show_empty(
        "Nothing is accepted yet",
        "A release holds accepted items: review some drafts first.",
        "pages/annotate/review.py",
        "Go to Review",
    )
    stop()

form, preview = st.columns([2, 3], gap="large")
with form:
    name = st.text_input("Name", max_chars=64, placeholder="for example v1.0", key="freeze_name")
    tasks = st.multiselect("Tasks", every.tasks, placeholder="all", key="freeze_tasks")
    domains = st.multiselect("Domains", every.domains, placeholder="all", key="freeze_domains")
    parted = st.selectbox(
        "Splits", list(SPLITS), key="freeze_splits", help="Items on the same document are always in the same split."
    )
    split = SPLITS[parted]
    if split == "":
        split = st.text_input("Shares", placeholder="dev=0.2,test=0.8", key="freeze_shares")
    seed = st.number_input("Seed", 0, 2**31, 0, key="freeze_seed", disabled=split is None)

content = bench.release_browser.preview(tasks, domains) if tasks or domains else every
with form:
    reason = ""
    if content.unlicensed:
        show_warning(
            f"{content.unlicensed:,} of the {content.documents:,} documents have no licence. Set licences on the page "
            "Corpus, or give a reason to include them."
        )
        reason = st.text_input(
            "Reason to include documents without a licence",
            max_chars=500,
            key="freeze_reason",
            placeholder="stored in the manifest and on the card",
        )
    gold = st.toggle(
        "Include gold documents",
        key="freeze_gold",
        disabled=not content.sources,
        help=(
            "Let systems search the source documents of summaries and continuations: retrieval can then be measured, but "
            "a system may copy the answer."
        ),
    )
    near = st.toggle(
        "Also exclude near copies of the sources",
        key="freeze_near",
        disabled=not content.sources or gold,
        help=(
            "Systems do not search documents that contain at least half of a source document word for word, unless an "
            "item uses them; the release keeps them for audit."
        ),
    )
    unreviewed = st.toggle("Include variants that nobody has reviewed", key="freeze_unreviewed")
    twinned = st.toggle(
        "Make absence twins",
        key="freeze_absence",
        help=(
            "Runs also ask a share of the questions while all passages that prove the answer are hidden. The right answer "
            "is then a refusal."
        ),
    )
    share, most, absence_seed = 20, DEFAULT_MOST, DEFAULT_SEED
    if twinned:
        left_box, middle_box, right_box = st.columns(3)
        share = left_box.number_input("Share of items in %", 1, 100, share, key="freeze_absence_share")
        most = middle_box.number_input(
            "Most passages",
            1,
            10_000,
            most,
            key="freeze_absence_most",
            help=(
                "Maximum number of passages to hide for one item. An item for which more passages must be hidden gets no "
                "absence twin."
            ),
        )
        absence_seed = right_box.number_input("Seed of the draw", 0, 2**31, absence_seed, key="freeze_absence_seed")
    sealed = st.toggle(
        "Seal the gold answers",
        key="freeze_sealed",
        help=(
            "Exports have commitments in place of the gold answers until a lead opens the seal. Systems are scored on the page "
            "Board. Variants are left out."
        ),
    )
    open_splits: list[str] = []
    if sealed and split:
        names = [part.split("=")[0].strip() for part in split.split(",")]
        open_splits = st.multiselect("Splits that stay open", names, placeholder="none", key="freeze_open_splits")
    wanted = st.button(
        "Freeze",
        type="primary",
        icon=":material/ac_unit:",
        **guard("freeze releases", not name.strip() or not content.items),
    )

with preview:
    left = content.left_out
    for column, (label, value) in zip(
        st.columns(3),
        (("Items that go in", content.items), ("Documents", content.documents), ("Left out", sum(left.values()))),
        strict=True,
    ):
        column.metric(label, f"{value:,}")
    grid.show([cell._asdict() for cell in content.cells], "freeze_grid")
    if content.sources:
        many = f"{content.sources:,} {'document' if content.sources == 1 else 'documents'} that answers were taken from:"
        st.caption(f"{many} {'systems search them too.' if gold else 'in the release for audit, not in what systems search.'}")
    if left:
        st.caption("Left out: " + ", ".join(f"{n} {LEFT[status]}" for status, n in left.items()) + ".")
        if held := content.held_back:
            with st.container(key="freeze_held_back", gap=None):
                for item in held[:MAX_NAMED_ITEMS]:
                    label = escape(f"{shorten(item.question, 80)} ({WHY[item.why]})")
                    page, of = ("conversations", "conversation") if item.conversation else ("review", "item")
                    st.page_link(
                        f"pages/annotate/{page}.py",
                        label=label,
                        icon=":material/arrow_forward:",
                        query_params={of: item.conversation or item.id},
                    )
                if len(held) > MAX_NAMED_ITEMS:
                    st.caption(f"And {len(held) - MAX_NAMED_ITEMS:,} more items.")
        if left.get("drafted"):
            st.page_link("pages/annotate/review.py", label="Review waiting items", icon=":material/arrow_forward:")
    else:
        st.caption("No item is left out.")
    if kinds := content.documents_left_out:
        told = ", ".join(f"{n:,} of {domain} ({language})" for (domain, language), n in kinds.items())
        many = count_things(sum(kinds.values()), "document")
        st.caption(f"Left out of the corpus: {escape(many)}, because no item has their domain and language: {escape(told)}.")
    if content.variants:
        go_in = content.variants.get("accepted", 0) + (content.variants.get("drafted", 0) if unreviewed else 0)
        out = [
            f"{n:,} {VARIANTS[why]}"
            for why, n in content.variants.items()
            if why != "accepted" and not (unreviewed and why == "drafted")
        ]
        variant_counts = f"{count_things(go_in, 'variant')} {'goes' if go_in == 1 else 'go'} in"
        st.caption(f"{variant_counts}; left out: {', '.join(out)}." if out else f"{variant_counts}.")
        if alone := content.rewrites_read_by_one:
            st.caption(f"{count_things(alone, 'rewrite')} of them were read only by their writers.")
        if content.variants.get("drafted"):
            st.page_link("pages/annotate/variants.py", label="Review variants", icon=":material/arrow_forward:")

    if content.nugget_sets or content.nugget_sets_left_out:
        told = f"Nuggets of {count_things(content.nugget_sets, 'item')} go in"
        if content.nugget_sets_left_out:
            offline = count_things(content.nugget_sets_left_out, "item")
            told += f"; left out: those of {offline}, which the offline agent (no LLM) drafted"
        st.caption(f"{told}.")
        if content.nugget_sets_left_out:
            st.page_link(
                "pages/annotate/nuggets.py",
                label="Read drafted nuggets",
                icon=":material/arrow_forward:",
                query_params={"state": "drafted", "task": "all"},
            )

if wanted:
    try:
        with st.spinner("Freezing ..."):
            made = bench.releases.freeze(
                name.strip(),
                tasks=tasks or None,
                domains=domains or None,
                split=split or None,
                seed=int(seed),
                allow_unlicensed=reason.strip() or None,
                unreviewed_variants=unreviewed,
                include_gold=gold and bool(content.sources),
                without_near_copies=near and not gold and bool(content.sources),
                absence_share=share / 100 if twinned else 0.0,
                absence_seed=int(absence_seed),
                absence_most=int(most),
                sealed=sealed,
                open_splits=open_splits,
            )
    except BenchError as error:
        show_error(str(error))
    else:
        parts = [
            count_things(made.items, "item"),
            count_things(made.variants, "variant"),
            count_things(made.documents, "document"),
            *([f"nuggets of {count_things(made.nugget_sets, 'item')}"] if made.nugget_sets else []),
            *([count_things(made.absence_twins, "absence twin")] if twinned else []),
            *([f"gold answers of {count_things(made.sealed_items, 'item')} sealed"] if sealed else []),
            *([count_things(made.language_pairs, "language pair")] if made.language_pairs else []),
        ]
        show_success(f"{made.release} is frozen: {', '.join(parts)}. Hash {made.hash}.")
        if languages := made.unsearchable:
            missing = " or ".join(languages)
            show_warning(f"No document in {missing} can be searched: a run with a system that searches is refused.")
        if without := Counter(made.absence_obstacles.values()):
            reasons = ", ".join(f"{n:,} {OBSTACLES[why]}" for why, n in without.items())
            st.caption(f"Chosen for an absence twin, but without one: {reasons}.")
        if apart := made.language_pairs_left_out:
            reasons = "; ".join(f"{n:,}, because {MISFITS[why]}" for why, n in apart.items())
            st.caption(f"Language pairs left out, whose items may be in the release: {reasons}.")
        if documents := made.documents_left_out:
            named = ", ".join(document.title for document in documents[:MAX_NAMED_ITEMS])
            more = f" and {len(documents) - MAX_NAMED_ITEMS:,} more" if len(documents) > MAX_NAMED_ITEMS else ""
            st.caption(f"Documents left out: {escape(shorten(named, 1_000))}{more}.")
        st.page_link(
            "pages/release/browse.py",
            label=f"Open {escape(made.release)}",
            icon=":material/arrow_forward:",
            query_params={"release": made.release},
        )

counterfactual.show()
tiny.show_form()
language_pairs.show()
