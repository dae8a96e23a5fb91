"""Questions on web pages, written by people: the form is kept as it is typed, pages come in as files or as pasted HTML, and
what is whole becomes an item with its pages as documents, which then waits for its review."""

from collections.abc import Mapping, Sequence
from typing import Any

from core.errors import BenchError
from core.ids import derived_id, new_id
from core.nouns import Document, Item, Provenance
from core.quality import crag
from core.readers.html_file import MAX_FILE_BYTES
from core.readers.page_encoding import DecodedPage, page_of
from core.readers.reading import Unfit
from core.readers.web_page import WebPage, web_page
from core.text.text import detect_language
from store.corpus import documents, web_pages
from store.drafting import web_drafts
from store.drafting.web_drafts import WebDraft
from store.engine.database import Database
from store.items import items
from workbench.roles import act

__all__ = ["FIELDS", "MOST", "TASK", "WebDraft", "WebQuestionStage"]

TASK = "web_question"
MOST = 50
"""Pages of one question."""
LONGEST = 20_000
"""Characters of one field."""
FIELDS: Mapping[str, Any] = {
    "question": "",
    "answer": "",
    "alternatives": "",
    "answer_url": "",
    "domain": "open",
    "question_type": "simple",
    "static_or_dynamic": "static",
    "query_time": "",
}
"""The form's fields with what they begin as; alternatives stand one a line."""
PAGE_FIELDS = ("page_url", "page_name", "page_snippet", "page_last_modified")


_SHOWN = ("title", "characters", "note")
"""What a draft's page tells its writer and no item keeps."""


class WebQuestionStage:
    """Verbs on questions that people write on web pages."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def drafts(self, person: str) -> list[WebDraft]:
        """What that person is writing, the newest first."""
        return web_drafts.list_drafts_of(self._db, person) if person.strip() else []

    @act("write questions")
    def begin(self, person: str) -> str:
        """A new draft; its id. Raises BenchError without a name."""
        if not person.strip():
            raise BenchError("A question needs a writer: give your name first.")
        draft = WebDraft(new_id(), person, {**FIELDS, "pages": []})
        web_drafts.put(self._db, draft)
        return draft.id

    def keep(self, person: str, id_: str, fields: Mapping[str, str]) -> None:
        """Keep what stands in the form; pages stay as they are. Raises BenchError when the draft is not this person's, or a
        text is too long."""
        draft = self._own(person, id_)
        for name, text in fields.items():
            if name not in FIELDS:
                raise BenchError(f"The form has no field {name}: load the page again.")
            if len(text) > LONGEST:
                raise BenchError(f"The {name.replace('_', ' ')} has {len(text):,} characters; at most {LONGEST:,} can be kept.")
        if any(draft.content.get(name) != text for name, text in fields.items()):
            web_drafts.put(self._db, WebDraft(id_, person, {**draft.content, **fields}))

    def add_page(self, person: str, id_: str, page: str | bytes, about: Mapping[str, str]) -> dict[str, Any]:
        """A page comes to the end of the draft's: HTML or text as pasted, or the bytes of a file. Returns it as it is kept,
        with its `title`, its `characters`, `why` it is
        less than the page, and a `note` on its encoding. Raises BenchError when it shows nothing."""
        draft = self._own(person, id_)
        if len(draft.content["pages"]) >= MOST:
            raise BenchError(f"A question may have {MOST} pages: take one away first.")
        if len(page) > MAX_FILE_BYTES:
            raise BenchError(
                f"The page has {len(page):,} characters, and one may have {MAX_FILE_BYTES:,}: take what you read of it."
            )
        told = {name: about.get(name, "").strip() for name in PAGE_FIELDS}
        where = told["page_name"] or told["page_url"] or "The page"
        try:
            html, note = page_of(page, where) if isinstance(page, bytes) else DecodedPage(page, "")
        except Unfit as unfit:
            raise BenchError(str(unfit)) from unfit
        found = self._read(html, told, str(draft.content["domain"]))
        if found.document is None:
            raise BenchError(f"{found.why.removesuffix('.')}: paste what the browser shows, or give a snippet.")
        kept = told | {"page_name": told["page_name"] or found.document.title, "document": found.document.id}
        if html.strip():
            web_pages.add(self._db, {web_pages.hash_of(html): web_pages.compress_page(html)})
            kept["html"] = web_pages.hash_of(html)
        shown = {**kept, "title": found.document.title, "characters": len(found.document.text), "why": found.why, "note": note}
        web_drafts.put(self._db, WebDraft(id_, person, {**draft.content, "pages": [*draft.content["pages"], shown]}))
        return shown

    def arrange(self, person: str, id_: str, order: Sequence[int]) -> None:
        """The pages in that order, by the places where they stand; those not named go."""
        draft = self._own(person, id_)
        pages = draft.content["pages"]
        kept = [pages[place] for place in dict.fromkeys(order) if 0 <= place < len(pages)]
        web_drafts.put(self._db, WebDraft(id_, person, {**draft.content, "pages": kept}))

    def drop(self, person: str, id_: str) -> None:
        """Throw the draft away."""
        self._own(person, id_)
        web_drafts.drop(self._db, id_)

    @act("write questions", "id_")
    def hand_in(self, person: str, id_: str) -> Item:
        """The draft becomes an item that waits for its review; its pages become documents. Raises BenchError, with all that is
        missing, when it is not whole."""
        draft = self._own(person, id_)
        if lacks := self.lacks(draft.content):
            raise BenchError(f"Not handed in: {'; '.join(lacks)}.")
        content = draft.content
        found = [self._read(self._html(page), page, content["domain"]) for page in content["pages"]]
        pages = [{key: value for key, value in page.items() if key not in _SHOWN} for page in content["pages"]]
        kept = [one.document for one in found if one.document is not None]
        made = _item(id_, content, pages, kept)
        documents.add(self._db, kept)
        items.add(self._db, [made], by=person)
        web_drafts.drop(self._db, id_)
        return made

    def lacks(self, content: Mapping[str, Any]) -> list[str]:
        """What keeps it from being handed in, in words after "Not handed in:"."""
        found = [f"it has no {name}" for name in ("question", "answer") if not str(content[name]).strip()]
        labelled = ("domain", "question_type", "static_or_dynamic")
        found += [f"it {why}" for name in labelled if (why := crag.fault(name, content[name]))]
        if not content["pages"]:
            found.append("it has no page: add at least one that the search found")
        try:
            crag.read_query_time(str(content["query_time"]).strip())
        except ValueError as error:
            found.append(f"it {error}")
        return found

    def _own(self, person: str, id_: str) -> WebDraft:
        draft = web_drafts.get(self._db, id_)
        if draft is None or draft.person != person:
            raise BenchError("This draft is not here any more, or is somebody else's: begin a new one.")
        return draft

    def _html(self, page: Mapping[str, Any]) -> str:
        return (web_pages.read(self._db, page["html"]) or "") if "html" in page else ""

    @staticmethod
    def _read(html: str, about: Mapping[str, Any], domain: str) -> WebPage:
        return web_page(
            html,
            snippet=about["page_snippet"],
            name=about["page_name"],
            url=about["page_url"],
            modified=about["page_last_modified"],
            domain=domain,
        )


def _item(id_: str, content: Mapping[str, Any], pages: Sequence[Mapping[str, Any]], found: Sequence[Document]) -> Item:
    others = [line.strip() for line in str(content["alternatives"]).splitlines() if line.strip()]
    question, url = str(content["question"]).strip(), str(content["answer_url"]).strip()
    labels = (
        {name: content[name] for name in ("question_type", "static_or_dynamic")}
        | {
            "popularity": "",
            "query_time": str(content["query_time"]).strip(),
            "crag": {"pages": [dict(page) for page in pages]},
        }
        | ({"answer_url": url} if url else {})
    )
    return Item(
        id=derived_id(TASK, id_),
        task=TASK,
        question=question,
        answers=(str(content["answer"]).strip(), *others),
        domain=content["domain"],
        language=detect_language(question),
        labels=labels,
        given=tuple(dict.fromkeys(document.id for document in found)),
        provenance=Provenance(origin="written"),
    )
