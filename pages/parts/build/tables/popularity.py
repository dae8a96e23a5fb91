"""How popularity is spread over a table's rows: three groups of rows (head, torso, tail) that each have about a third of the
total popularity."""

import streamlit as st

from pages.parts.evaluate.results import paper_table
from pages.parts.ui.grid import cells, columns
from pages.parts.ui.until_ready import until_ready
from workbench import open_workbench
from workbench.build.templates.tables import TableCard

ENCODING = {
    "y": {
        "field": "of",
        "type": "nominal",
        "sort": None,
        "title": None,
        "scale": {"paddingInner": 0.25},
        "axis": {"labelLimit": 160, "labelPadding": 8},
    },
    "x": {
        "field": "share",
        "type": "quantitative",
        "title": None,
        "scale": {"domain": [0, 1]},
        "axis": {"format": "%", "tickCount": 4},
    },
    "order": {"field": "place"},
    "tooltip": [{"field": "of"}, {"field": "bucket"}, {"field": "share", "format": ".1%"}],
}


def show(card: TableCard) -> None:
    """Show the number of rows and the sum of popularity in each group."""
    name, column = card.stored.name, card.stored.spec.popularity
    if not column:
        st.caption("This table has no popularity column, so its rows have no group (head, torso, tail): set one under Spec.")
        return
    spread = until_ready(lambda: open_workbench().tables.popularity(name), "Sorting rows by popularity", height=200)
    if spread is None:
        return
    bars = [
        {"of": of, "bucket": bucket.bucket, "share": share or 0, "place": place}
        for place, bucket in enumerate(spread.buckets)
        for of, share in (("rows", bucket.share), (column, bucket.mass))
    ]
    order = [bucket.bucket for bucket in spread.buckets]
    color = {"field": "bucket", "type": "nominal", "sort": order, "title": None, "legend": {"orient": "top"}}
    st.vega_lite_chart({"data": {"values": bars}, "mark": "bar", "height": 180, "encoding": {**ENCODING, "color": color}})
    ends = {"head": f"above {spread.torso:,}", "torso": f"up to {spread.torso:,}", "tail": f"up to {spread.tail:,}"}
    rows = [
        cells(
            bucket.bucket,
            ends[bucket.bucket],
            f"{bucket.rows:,}",
            "–" if bucket.mass is None else f"{bucket.mass:.1%}",
            ", ".join(bucket.examples) or "–",
        )
        for bucket in spread.buckets
    ]
    figures = columns(column, "Rows", "Share of popularity")
    paper_table.show(
        [*columns("Bucket", align="left"), *figures, *columns("Best known", align="left")],
        [{"cells": row} for row in rows],
        "tables_popularity",
        shape="narrow",
        notes=[
            (
                f"{spread.rows:,} rows, sorted by {column}. The groups end where the sum reaches a third and two thirds. "
                "Rows with equal values are in the same, less popular group; a row without a value counts as popularity 1."
            )
        ],
    )
