"""Jobs: the running, waiting and finished jobs, and the cost of agents over all jobs."""

import streamlit as st

from pages.parts.annotate.review.keys_help import stop
from pages.parts.ui import job_card
from pages.parts.ui.allowed import explain_refusal
from pages.parts.ui.heading import show_empty, show_heading
from workbench import open_workbench
from workbench.upkeep.upkeep import JobView

PAGE_SIZE = 50
"""Number of jobs on one page of the list."""

bench = open_workbench()


def show_details(row: JobView) -> None:
    """Show a job's parameters and its result, side by side."""
    asked, came = st.columns(2)
    with asked:
        st.markdown("**Asked for**")
        st.json(row.params, expanded=1)
    with came:
        st.markdown("**Came to**")
        if row.result is None:
            st.caption("No result yet: the job has not ended.")
        else:
            st.json({key: value for key, value in row.result.items() if key != "message"}, expanded=1)
        if row.error and row.error.lower() != row.end.lower():
            st.code(row.error, language=None, wrap_lines=True)


show_heading("Jobs", "Jobs run without a browser: pause or resume them here, and look at their results.")
running, _ = bench.upkeep.job_page(["running"])
for row in running:
    job_card.show(row.id)
named = st.query_params.get("job", "")
if named and not any(row.id.startswith(named) for row in running):
    job_card.show(named)  # a link from another page names the job

kinds = bench.upkeep.job_kinds()
if not kinds:
    show_empty(
        "No jobs yet",
        "Drafting, adding many documents and running systems are jobs; each appears here while it runs.",
        "pages/build/draft.py",
        "Draft items",
    )
    stop()

with st.container(horizontal=True, vertical_alignment="bottom"):
    states = st.pills("State", list(job_card.WORDS), selection_mode="multi", format_func=job_card.WORDS.__getitem__)
    chosen = st.pills("Kind", kinds, selection_mode="multi", format_func=lambda kind: kind.replace("_", " ").capitalize())
    filtered = "-".join((*states, *chosen))
    st.space("stretch")
    number = st.session_state.get(f"jobs_page_{filtered}", 1)
    rows, total_jobs = bench.upkeep.job_page(states, chosen, PAGE_SIZE, PAGE_SIZE * (number - 1))
    if total_jobs > PAGE_SIZE:
        st.pagination(-(-total_jobs // PAGE_SIZE), key=f"jobs_page_{filtered}")

if not rows:
    show_empty("No job matches", "Remove a filter to see the other jobs.")
else:
    sees_costs = not explain_refusal("see costs")
    table = st.dataframe(
        [
            {
                "What": row.about,
                "State": job_card.WORDS[row.state],
                "Done": row.done,
                "Of": row.total,
                **(
                    {"Calls": row.calls, "Cost": job_card.format_money(row.cost_usd) if row.calls else "–"}
                    if sees_costs
                    else {}
                ),
                "Took": "–" if row.seconds is None else job_card.format_duration(row.seconds),
                "Asked": row.created[:16].replace("T", " "),
                "Job": row.id[:8],
            }
            for row in rows
        ],
        hide_index=True,
        on_select="rerun",
        selection_mode="single-row",
        key=f"jobs_{number}_{filtered}",
        column_config={"What": st.column_config.TextColumn(width="large")},
    )
    picked = table.selection.rows
    opened_row = rows[picked[0]] if picked else None
    st.caption(
        f"{total_jobs:,} jobs. Tick one to see its details." if total_jobs != 1 else "1 job. Tick it to see its details."
    )
    if opened_row is not None:
        if opened_row.state != "running" and opened_row.id != named:
            job_card.show(opened_row.id)
        if sees_costs:
            show_details(opened_row)

costs = [] if explain_refusal("see costs") else bench.upkeep.agent_costs()
if costs:
    st.subheader("Agents, all jobs together", anchor=False)
    st.dataframe(
        [
            {
                "Agent": c.agent,
                "Calls": c.calls,
                "Failed": c.failed,
                "Tokens in": c.tokens_in,
                "Tokens out": c.tokens_out,
                "Thinking": c.tokens_thinking,
                "Cost": job_card.format_money(c.cost),
            }
            for c in costs
        ],
        hide_index=True,
        width="content",
        placeholder="–",
    )
