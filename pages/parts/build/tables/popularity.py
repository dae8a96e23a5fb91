"""How popularity is spread over a table's rows: three buckets of about equal mass."""

from collections.abc import Mapping
from typing import Any

import streamlit as st

from pages.parts.evaluate.results import paper_table
from pages.parts.ui.until_ready import until_ready
from workbench import opened


def show(card: Mapping[str, Any]) -> None:
    """Draw rows and mass of each bucket."""
    if not card["popularity"]:
        st.caption("This table has no popularity column, so its rows are in no bucket: name one under Spec.")
        return
    name = card["name"]
    found = until_ready(lambda: opened().tables.popularity(name), "Sorting rows by popularity", height=200)
    if found is None:
        return
    buckets = found["buckets"]
    order = [one["bucket"] for one in buckets]
    drawn = (("rows", "share"), (card["popularity"], "mass"))
    bars = [
        {"of": of, "bucket": one["bucket"], "share": one[field] or 0, "place": place}
        for of, field in drawn
        for place, one in enumerate(buckets)
    ]
    st.vega_lite_chart(
        {
            "data": {"values": bars},
            "mark": "bar",
            "height": 180,
            "encoding": {
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
                "color": {"field": "bucket", "type": "nominal", "sort": order, "title": None, "legend": {"orient": "top"}},
                "order": {"field": "place"},
                "tooltip": [{"field": "of"}, {"field": "bucket"}, {"field": "share", "format": ".1%"}],
            },
        }
    )
    ends = {"head": f"above {found['torso']:,}", "torso": f"up to {found['torso']:,}", "tail": f"up to {found['tail']:,}"}
    paper_table.show(
        [
            {"label": "Bucket", "align": "left"},
            {"label": card["popularity"]},
            {"label": "Rows"},
            {"label": "Share of popularity"},
            {"label": "Best known", "align": "left"},
        ],
        [
            {
                "cells": [
                    {"text": one["bucket"]},
                    {"text": ends[one["bucket"]]},
                    {"text": f"{one['rows']:,}"},
                    {"text": "–" if one["mass"] is None else f"{one['mass']:.1%}"},
                    {"text": ", ".join(one["examples"]) or "–"},
                ]
            }
            for one in buckets
        ],
        "tables_popularity",
        shape="narrow",
        notes=[
            f"{found['rows']:,} rows, sorted by {card['popularity']}; cut where the sum reaches a third and two thirds. "
            "Equal values lie in the lower bucket; a row without a value counts as 1."
        ],
    )
