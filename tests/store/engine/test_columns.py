"""Values and ids go to SQL in batches."""

from store.engine.columns import split_ids


def test_ids_are_looked_up_in_few_queries() -> None:
    """With lists of one size, a hundred times as many ids took a hundred times as many reads of a table a hundred times as
    long."""
    ids = range(50_000)
    lists = list(split_ids(ids))
    assert [len(one) for one in lists] == [2_000, 4_000, 8_000, 16_000, 16_000, 4_000]
    assert [id_ for one in lists for id_ in one] == list(ids)
    assert list(split_ids([])) == []
