"""Draws: one resampling for a table and all its slices, and so many clusters that each is drawn by itself."""

import math

import numpy as np
import pytest

from core.statistics.resampling import MIN_POISSON_CLUSTERS, Columns, draw, draw_many


def test_a_slice_is_a_column_of_the_whole_table() -> None:
    values = np.random.default_rng(1).random(60)
    names = [f"c{n // 2}" for n in range(60)]
    inside = np.arange(60) % 3 == 0
    whole = np.column_stack([values, np.where(inside, values, math.nan)])
    own = [name for name, is_in in zip(names, inside, strict=True) if is_in]
    both = draw_many([Columns(whole, names), Columns(values[inside][:, None], own)], 500, seed=3)
    assert both[1].resampled[0] == pytest.approx(both[0].resampled[1], nan_ok=True)
    alone = draw(values[inside][:, None], own, 500, 3, over=list(dict.fromkeys(names)))
    assert alone.resampled == pytest.approx(both[1].resampled, nan_ok=True), "whoever draws over the same clusters"
    assert draw(whole, names, 500, 3).resampled == pytest.approx(both[0].resampled, nan_ok=True)


@pytest.mark.parametrize("clusters", [MIN_POISSON_CLUSTERS - 1, MIN_POISSON_CLUSTERS])
def test_many_clusters_spread_as_theory_says(clusters: int) -> None:
    """Drawn out of all, and each by itself: the standard error of a mean of independent values."""
    values = np.random.default_rng(2).normal(5, 2, (clusters, 2))
    values[: clusters // 2, 1] = math.nan
    found = draw(values, [f"c{n}" for n in range(clusters)], 2_000, seed=1)
    for column, n in ((0, clusters), (1, clusters - clusters // 2)):
        assert found.resampled[column].mean() == pytest.approx(np.nanmean(values[:, column]), abs=0.005)
        assert found.resampled[column].std() == pytest.approx(np.nanstd(values[:, column]) / n**0.5, rel=0.06)
    again = draw(values, [f"c{n}" for n in range(clusters)], 2_000, seed=1)
    assert (again.resampled == found.resampled).all()
    assert (draw(values * 0 + 0.3, None, 50, 1).resampled[0] == 0.3).all(), "a constant stays one"
