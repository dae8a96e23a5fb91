"""Names are found in part, misspelt, in another order of words, in Chinese; what is unlike is not."""

import pytest

from core.tables.names import NameIndex, normalise_name

NAMES = [
    "Wei Zhang",
    "Zhang, Wei",
    "WEI_ZHANG",
    "Wei Zhan",
    "O'Brien, Dana",
    "José Ruíz",
    "王小明",
    "王小红",
    "Anna Ivarsdottir",
    None,
    "!!!",
    "Ilse Marn",
]
INDEX = NameIndex(NAMES)


def found(query: str, k: int = 10) -> list[object]:
    return [NAMES[place] for match in INDEX.search(query, k) for place in match.places]


def test_names_are_normalised_by_crags_rule() -> None:
    assert [normalise_name(n) for n in ("WEI_ZHANG", " Zhang,  Wei ", "O'Brien", "《王》", "!!!")] == [
        "wei zhang",
        "zhang wei",
        "obrien",
        "王",
        "!!!",
    ]


def test_the_same_name_comes_first_with_every_place_where_it_stands() -> None:
    best = INDEX.search("wei zhang")
    assert (best[0].places, best[0].similarity) == ((0, 2), 100.0)
    assert [NAMES[match.places[0]] for match in best[:3]] == ["Wei Zhang", "Zhang, Wei", "Wei Zhan"]
    assert INDEX.find_exact("Wei  ZHANG") == (0, 2)


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("obrien", "O'Brien, Dana"),
        ("Jose Ruiz", "José Ruíz"),
        ("Ana Ivarsdotir", "Anna Ivarsdottir"),
        ("小明", "王小明"),
        ("Marn", "Ilse Marn"),
        ("!!!", "!!!"),
        ("Ilsemarn", "Ilse Marn"),
    ],
)
def test_a_name_is_found_by_a_part_of_it_or_misspelt(query: str, first: str) -> None:
    assert found(query)[0] == first


def test_a_name_that_holds_the_whole_word_comes_before_one_that_is_like_it() -> None:
    index = NameIndex(["Durus Hantor", "Kator Rushantor", "Rushan Petor"])
    assert index.search("Rushantor")[0].places == (1,)


def test_what_shares_no_word_and_is_not_like_is_not_found() -> None:
    assert found("Quentin Orlov") == []
    assert found("") == []
    assert "José Ruíz" not in found("Wei Zhang")


def test_the_nearest_others_are_there_however_unlike() -> None:
    names = [NAMES[match.places[0]] for match in INDEX.find_nearest("Wei Zhang", 2)]
    assert names == ["Zhang, Wei", "Wei Zhan"]
    assert NameIndex([]).search("x") == []
