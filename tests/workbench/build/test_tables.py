"""Tables come in with a proposed spec that a person corrects, are asked as one world, and never change under items."""

import io
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.errors import BenchError
from core.nouns import Item
from core.tables.distractors import mix_distractors
from core.tables.nouns import spec_record, tables_step
from store.items import items
from tests.waiting import until
from workbench import Workbench
from workbench.release.uploads import Upload

PEOPLE = "id,name,born\np1,Ira Vane,1950\np2,Odo Lisk,1961\np3,Ira Vane,1988\n"
FILMS = "id,title,director,votes\nf1,Lamp,p1,900\nf2,Fog,p2,60\nf3,Mill,p1,\n"


@pytest.fixture
def bench() -> Iterator[Workbench]:
    with Workbench.open(":memory:") as bench:
        yield bench


def files(folder: Path, **texts: str) -> Path:
    for name, text in texts.items():
        (folder / name.replace("__", ".")).write_text(text, encoding="utf-8")
    return folder


def test_files_of_a_folder_know_one_another_whatever_their_order(bench: Workbench, tmp_path: Path) -> None:
    found = {
        saved.card.stored.name: saved for saved in bench.tables.add([files(tmp_path, films__csv=FILMS, people__csv=PEOPLE)], {})
    }
    assert found["people"].notes == [
        "1 name is shared by 2 rows (Ira Vane: 2): a question that gives only such a name has several answers."
    ]
    assert [(r.name, r.to, r.back) for r in found["films"].card.stored.spec.relations] == [("director", "people", "films")]
    until(lambda: bench.tables.world().is_ready)
    world = bench.tables.world().value
    assert world is not None
    seen = bench.tables.call(world, "get_person_films", {"id": "p1"})
    assert not seen.ok  # the key is called person_id: "id" alone says nothing
    assert [film["title"] for film in bench.tables.call(world, "get_person_films", {"person_id": "p1"}).value] == [
        "Lamp",
        "Mill",
    ]


@pytest.mark.parametrize(
    ("specs", "why"),
    [
        ({"people": {"types": "text"}}, r'Table people in \S+tables\.json has "text" as its types, where an object belongs'),
        ({"people": {"types.born": 3}}, "has 3 as its types.born, where text belongs"),
        ({"people": {"attributes": "born"}}, 'has "born" as its attributes, where a list belongs'),
        ({"people": {"key": 1}}, "has 1 as its key, where text belongs"),
        ({"people": {"functions": [{"kind": "get", "name": "a", "limit": "many"}]}}, r"as its functions\[0\].limit"),
        ({"people": {"columns": None, "relations": [None]}}, r"has null as its relations\[0\], where an object belongs"),
        ({"people": "text"}, "is not an object of specs"),
        ('{"people": ' + "[" * 100_000, "nested too deeply"),
        ('{"people": {}, "people": {}}', "twice"),
        (b"\xff", "is not UTF-8 at its byte 1"),
    ],
)
def test_a_field_of_another_type_in_tables_json_is_named_and_nothing_is_kept(
    bench: Workbench, tmp_path: Path, specs: object, why: str
) -> None:
    content = specs if isinstance(specs, bytes) else (specs if isinstance(specs, str) else json.dumps(specs)).encode()
    (files(tmp_path, people__csv=PEOPLE) / "tables.json").write_bytes(content)
    with pytest.raises(BenchError, match=why) as raised:
        bench.tables.add([tmp_path], {})
    assert "\n" not in str(raised.value) and bench.tables.is_empty()


def test_a_folders_tables_json_and_settings_correct_what_is_proposed(bench: Workbench, tmp_path: Path) -> None:
    specs = {"people": {"entity": "painter", "types": {"born": "text"}}, "films": {"popularity": ""}}
    folder = files(tmp_path, people__csv=PEOPLE, films__csv=FILMS, tables__json=json.dumps(specs))
    found = {saved.card.stored.name: saved for saved in bench.tables.add([folder], {})}
    people, films = (found[name].card.stored.spec for name in ("people", "films"))
    assert (people.entity, people.columns["born"], films.popularity) == ("painter", "text", "")
    other = {"name": "pictures", "entity": "picture", "relations": [], "types.votes": "number"}
    with pytest.raises(
        BenchError, match=r"Two functions are called search_film, get_film, .*: name the entity of pictures diff"
    ):
        bench.tables.add([tmp_path / "films.csv"], {"name": "pictures", "relations": []})
    [one] = bench.tables.add([tmp_path / "films.csv"], other)
    spec = one.card.stored.spec
    assert (spec.name, spec.columns["votes"], spec.popularity) == ("pictures", "number", "votes")
    with pytest.raises(BenchError, match="--set applies to one table, but 2 files were given"):
        bench.tables.add([folder], {"key": "id"})


def test_what_a_file_leaves_out_is_told_with_the_table_that_it_became(bench: Workbench, tmp_path: Path) -> None:
    (tmp_path / "lines.csv").write_text("id,name\n1,North\n2\n3,South,more\n", encoding="utf-8")
    left_out = "2 rows were left out: not 2 cells as the header has (first: line 3 has 1)."
    for settings in ({}, {"entity": "railway"}):
        [told] = bench.tables.add([tmp_path / "lines.csv"], settings)
        assert (told.card.stored.rows, told.notes[0]) == (1, left_out)


def test_nothing_is_kept_when_one_table_is_refused(bench: Workbench, tmp_path: Path) -> None:
    folder = files(tmp_path, people__csv=PEOPLE, films__csv=FILMS, tables__json='{"films": {"key": "director"}}')
    with pytest.raises(BenchError, match=r"In 2 rows the key director stands more than once \(1 value: p1\)"):
        bench.tables.add([folder], {})
    assert bench.tables.is_empty()
    for content, why in (("[1]", "is not an object of specs"), ("{", "is not JSON")):
        (tmp_path / "tables.json").write_text(content)
        with pytest.raises(BenchError, match=why):
            bench.tables.add([folder], {})
    with pytest.raises(BenchError, match="does not exist"):
        bench.tables.add([tmp_path / "nowhere"], {})


def test_other_rows_are_a_new_snapshot_and_items_keep_the_one_they_were_made_from(bench: Workbench, tmp_path: Path) -> None:
    [saved] = bench.tables.add([files(tmp_path, people__csv=PEOPLE) / "people.csv"], {})
    first = saved.card.stored
    items.add(
        bench.database,
        [
            Item(
                "q",
                "template_question",
                "When was p1 born?",
                ("1950",),
                status="accepted",
                steps=(tables_step({"people": first.hash}),),
            )
        ],
    )
    assert bench.tables.card("people").accepted_from == 1
    files(tmp_path, people__csv=PEOPLE.replace("1950", "1951"))
    [second] = bench.tables.add([tmp_path / "people.csv"], {})
    assert (second.replaced, second.items_on_replaced, second.card.snapshots) == (first.hash, 1, 2)
    assert bench.tables.tables()["people"].cell(0, "born") == 1951
    assert bench.tables.tables([first.hash])["people"].cell(0, "born") == 1950
    [same] = bench.tables.add([tmp_path / "people.csv"], {})
    assert (same.is_new, same.card) == (False, second.card)
    corrected = bench.tables.correct("people", {"entity": "painter"}).card.stored
    assert (corrected.data, corrected.spec.entity, corrected.spec.label) == (second.card.stored.data, "painter", "name")
    bench.tables.remove("people")
    assert bench.tables.is_empty()
    assert bench.tables.tables([first.hash])["people"].cell(0, "born") == 1950
    with pytest.raises(BenchError, match="No table people is in use"):
        bench.tables.remove("people")


def test_uploaded_files_are_read_and_saved_beside_the_page(bench: Workbench) -> None:
    sent = {"../people.csv": PEOPLE, "films.csv": FILMS}
    uploads = [Upload(name, io.BytesIO(text.encode()), len(text)) for name, text in sent.items()]
    name = bench.tables.take(uploads)
    while (drafts := bench.tables.load_drafts(name).value) is None:
        pass
    assert [(draft.file, draft.proposal.spec.entity) for draft in drafts] == [("people.csv", "person"), ("films.csv", "film")]
    records = [spec_record(draft.proposal.spec) for draft in drafts]
    token = bench.tables.save(drafts, records)
    while (saved := bench.tables.load_saved(token).value) is None:
        pass
    assert [table.card.stored.name for table in saved] == ["people", "films"]
    refused = bench.tables.save(drafts[:1], [records[0] | {"key": "name"}])
    with pytest.raises(BenchError, match="the key name stands more than once"):
        while bench.tables.load_saved(refused):
            pass
    with pytest.raises(BenchError, match="no longer kept"):
        bench.tables.load_drafts("gone")


def test_the_sample_tables_have_the_seven_functions_of_the_academic_domain(bench: Workbench) -> None:
    saved = bench.tables.load_samples()
    assert {table.card.stored.name: table.card.stored.rows for table in saved} == {
        "persons": 200,
        "publications": 420,
        "coauthors": 2370,
        "interests": 685,
        "companies": 64,
        "prices": 1536,
        "chief_executives": 122,
    }
    assert all(table.is_new for table in saved)
    assert not any(table.is_new for table in bench.tables.load_samples())
    until(lambda: bench.tables.world().is_ready)
    world = bench.tables.world().value
    assert world is not None
    registry = bench.tables.registry(world)
    assert {
        "searchPerson",
        "searchPublication",
        "getCoauthors",
        "getPersonPubs",
        "getPersonInterest",
        "getPublication",
        "getPersonBasicInfo",
    } < set(registry)
    fields = {"person_id", "name", "interests", "num_citation", "num_pubs", "organization"}
    namesakes = registry.call("searchPerson", {"name": "Jonah Pell"}).value
    assert [set(person) for person in namesakes[:3]] == [fields] * 3
    assert [person["name"] for person in namesakes[:4]].count("Jonah Pell") == 3
    cited = [person["num_citation"] for person in namesakes[:3]]
    assert cited == sorted(cited, reverse=True)
    one = registry.call("searchPerson", {"name": "Una Drey", "interest": "coastal law"}).value[0]
    assert "coastal law" in registry.call("getPersonInterest", {"person_id": one["person_id"]}).value
    info = registry.call("getPersonBasicInfo", {"person_id": one["person_id"]}).value
    assert list(info) == ["person_id", "name", "gender", "organization", "position", "bio", "education_experience", "email"]
    pubs = registry.call("getPersonPubs", {"person_id": one["person_id"]}).value
    assert list(pubs[0]) == ["pub_id", "title", "num_citation", "year", "authors_name_list"]
    assert one["name"] in pubs[0]["authors_name_list"]
    paper = registry.call("getPublication", {"pub_id": pubs[0]["pub_id"]}).value
    assert list(paper) == ["abstract", "author_list", "num_citation", "year", "pdf_link", "venue"]
    assert {"person_id": one["person_id"], "name": one["name"]} in paper["author_list"]
    others = registry.call("getCoauthors", {"person_id": one["person_id"]}).value
    assert {author["person_id"] for author in paper["author_list"]} - {one["person_id"]} <= {o["person_id"] for o in others}
    assert list(registry.call("searchPublication", {"publication_info": pubs[0]["title"]}).value[0]) == [
        "pub_id",
        "title",
        "year",
    ]


def test_the_sample_companies_answer_as_of_the_question(bench: Workbench) -> None:
    bench.tables.load_samples()
    until(lambda: bench.tables.world().is_ready)
    world = bench.tables.world().value
    assert world is not None
    then, now = (bench.tables.registry(world, when) for when in ("2024-03-10", "2026-01-01"))
    old = then.call("get_company_prices", {"ticker": "MATI"}).value
    assert [price["date"] for price in old] == ["2024-02-28", "2024-01-28"]
    assert now.call("get_company_prices", {"ticker": "MATI"}).text.startswith("10 of 24 results: ")
    versions = world["chief_executives"].find_rows("ticker", "SEMU")
    assert len(versions) == 1
    leaders = [
        bench.tables.call(world, "get_chief_executive", {"ticker": "SEMU"}, when).value["ceo"]
        for when in ("2018-01-01", "2021-01-01")
    ]
    assert leaders == ["Nestor Eskil", "Aldous Varga"]


def test_popularity_is_told_by_bucket(bench: Workbench) -> None:
    bench.tables.load_samples()
    working = bench.tables.popularity("persons")
    while working.value is None:
        working = bench.tables.popularity("persons")
    rows = {one.bucket: one.rows for one in working.value.buckets}
    assert sum(rows.values()) == 200
    assert rows["head"] < rows["torso"] < rows["tail"]
    assert sum(one.mass for one in working.value.buckets) == pytest.approx(1)
    with pytest.raises(BenchError, match="Table prices has no popularity column"):
        bench.tables.popularity("prices")


def test_subjects_stand_among_distractors_and_the_noise_is_told(bench: Workbench) -> None:
    bench.tables.load_samples()
    world = bench.tables.tables()
    found = mix_distractors(world, {"persons": ["P068", "P002"]}, others=10, nearest=3, seed=4)
    told = found.told["persons"]
    assert (told["subjects"], told["seed"]) == (2, 4)
    assert told["noise"] == told["distractors"] / 2 == (len(found.tables["persons"]) - 2) / 2
    assert told["distractors"] == 19  # ten at random, three near names each, three namesakes
    names = [found.tables["persons"].cell(place, "name") for place in range(len(found.tables["persons"]))]
    assert names.count("Jonah Pell") == 3
    assert len(found.tables["publications"]) == 420
    assert found.tables.hashes["persons"] != world.hashes["persons"]
    assert "P068" in str(bench.tables.call(found.tables, "searchPerson", {"name": "Jonah Pell"}).value)
