"""Drawings with more lines than colours, without values, and with long names."""

from eval.figures.bars import draw_stacked_bars
from eval.figures.drawing import MAX_LINES, FigurePanel, PlottedValue, draw_panels
from eval.figures.scatter import Plane, ScatterPoint, draw_scatter


def test_of_thirty_lines_those_with_the_highest_means_are_drawn_and_the_others_counted() -> None:
    lines = [(f"system {n:02d}", [PlottedValue(n / 30), PlottedValue(None)]) for n in range(30)] + [
        ("none", [PlottedValue(None), PlottedValue(None)])
    ]
    drawn = draw_panels([FigurePanel("F1", ["a", "b"], lines)])
    assert [f"system {n:02d}" in drawn for n in range(30)] == [n >= 30 - MAX_LINES for n in range(30)]
    assert ">none<" not in drawn
    assert f"Not drawn: {30 - MAX_LINES} more, none with a higher mean, 1 without a value. The table has all." in drawn
    calls = draw_panels([FigurePanel("Calls", ["a", "b"], lines)], is_low_good=True)
    assert [f"system {n:02d}" in calls for n in range(30)] == [n < MAX_LINES for n in range(30)]
    assert f"{30 - MAX_LINES} more, none with a lower mean" in calls


def test_few_lines_are_all_drawn_and_nothing_is_said() -> None:
    drawn = draw_panels([FigurePanel("F1", ["a"], [("one", [PlottedValue(0.5)]), ("other", [PlottedValue(0.0)])])])
    assert ">one<" in drawn and ">other<" in drawn and "Not drawn" not in drawn


def test_names_under_an_axis_stand_level_where_they_have_room_else_aslant_and_cut_with_the_whole_beside() -> None:
    few = draw_panels(
        [FigurePanel("F1", ["10 (to 1,280 tokens)", "50 (to 6,400 tokens)"], [("one", [PlottedValue(0.5)] * 2)])], across=1
    )
    assert "rotate" not in few and "50 (to 6,400 tokens)" in few
    many = draw_panels([FigurePanel("F1", ["social sciences and law"] * 9, [("one", [PlottedValue(0.5)] * 9)])], across=1)
    assert "rotate(-35" in many and "social scien…<title>social sciences and law</title>" in many


def test_a_long_name_beside_a_bar_widens_the_drawing() -> None:
    name = "vanilla dense lexical_vectors (offline), chunk_tokens 256, top_k 4"
    assert 'width="860"' in draw_stacked_bars([("short", [1.0])], ["a"]) and 'width="860"' not in draw_stacked_bars(
        [(name, [1.0])], ["a"]
    )


def test_points_bear_numbers_where_colours_repeat() -> None:
    points = [ScatterPoint(f"arm {n}", n, 0.5) for n in range(MAX_LINES + 1)]
    assert f">{MAX_LINES + 1} arm {MAX_LINES}<" in draw_scatter([Plane("p", "calls", 10, points)], "accuracy", 1.0)
    assert ">arm 2<" in draw_scatter([Plane("p", "calls", 10, points[:3])], "accuracy", 1.0)
