"""Let people write questions about web pages. The form is stored while people fill it in; they add web pages as files or as
pasted HTML. A finished question becomes an item that waits for review, with its pages as documents."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from core.as_json import Json
from core.errors import BenchError
from core.ids import derived_id, new_id
from core.nouns import Document, Item, Provenance
from core.quality import crag
from core.readers.html_file import MAX_FILE_BYTES
from core.readers.page_encoding import DecodedPage, decode_page
from core.readers.reading import BadFile
from core.readers.web_page import WebPage, web_page
from core.text.text import detect_language
from store.corpus import documents, web_pages
from store.drafting import web_drafts
from store.drafting.web_drafts import WebDraft
from store.engine.database import Database
from store.items import items
from workbench.roles import requires

__all__ = ["FIELDS", "MAX_PAGES", "TASK", "WebDraft", "WebQuestionStage"]

TASK = "web_question"
MAX_PAGES = 50
"""Maximum number of web pages of one question."""
MAX_FIELD_CHARACTERS = 20_000
FIELDS = {
    "question": "",
    "answer": "",
    "alternatives": "",
    "answer_url": "",
    "domain": "open",
    "question_type": "simple",
    "static_or_dynamic": "static",
    "query_time": "",
}
"""Dict from each field of the form to its value at the beginning; alternative answers are written one per line."""
PAGE_FIELDS = ("page_url", "page_name", "page_snippet", "page_last_modified")
_ONLY_IN_DRAFTS = ("title", "characters", "note")
"""Fields of a web page that its writer sees in the form but that the finished item does not contain."""


class WebQuestionStage:
    """Methods with which people write questions about web pages."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def drafts(self, person: str) -> list[WebDraft]:
        """Return the questions that this person has begun but not handed in, newest first."""
        return web_drafts.list_drafts_of(self._db, person) if person.strip() else []

    @requires("write questions")
    def begin(self, person: str) -> str:
        """Begin a new question and return its id. Raises BenchError if the person gives no name."""
        if not person.strip():
            raise BenchError("A question needs a writer: give your name first.")
        draft = WebDraft(new_id(), person, {**FIELDS, "pages": []})
        web_drafts.put(self._db, draft)
        return draft.id

    def keep(self, person: str, id_: str, fields: Mapping[str, str]) -> None:
        """Store the fields of the form for a web question as typed so far. Raises BenchError if the question is not this
        person's, or if a text is too long."""
        draft = self._load_own(person, id_)
        for name, text in fields.items():
            if name not in FIELDS:
                raise BenchError(f"The form has no field {name}: load the page again.")
            if len(text) > MAX_FIELD_CHARACTERS:
                raise BenchError(
                    f"The {name.replace('_', ' ')} has {len(text):,} characters; at most {MAX_FIELD_CHARACTERS:,} can be "
                    f"stored."
                )
        if any(draft.content.get(name) != text for name, text in fields.items()):
            self._put(draft, fields)

    def add_page(self, person: str, id_: str, page: str | bytes, about: Mapping[str, str]) -> dict[str, Json]:
        """Add a web page (pasted HTML or text, or the bytes of a file) to the person's question, as the last page.

        Return the page as it is stored: `title`, number of `characters`, the reason `why` it is shorter than the original, and
        a `note` about its encoding. Raises BenchError if the page shows no text."""
        draft = self._load_own(person, id_)
        if len(draft.content["pages"]) >= MAX_PAGES:
            raise BenchError(f"A question can have at most {MAX_PAGES} web pages: remove one first.")
        if len(page) > MAX_FILE_BYTES:
            raise BenchError(
                f"The page has {len(page):,} characters; at most {MAX_FILE_BYTES:,} are allowed: paste only the part that you "
                "read."
            )
        fields = {name: about.get(name, "").strip() for name in PAGE_FIELDS}
        where = fields["page_name"] or fields["page_url"] or "The page"
        try:
            html, note = decode_page(page, where) if isinstance(page, bytes) else DecodedPage(page, "")
        except BadFile as unfit:
            raise BenchError(str(unfit)) from unfit
        read = _read_page(html, fields, str(draft.content["domain"]))
        if read.document is None:
            raise BenchError(f"{read.why.removesuffix('.')}: paste the text that the browser shows, or give a snippet.")
        kept = fields | {"page_name": fields["page_name"] or read.document.title, "document": read.document.id}
        if html.strip():
            web_pages.add(self._db, {web_pages.hash_page(html): web_pages.compress_page(html)})
            kept["html"] = web_pages.hash_page(html)
        seen: dict[str, Json] = {
            "title": read.document.title,
            "characters": len(read.document.text),
            "why": read.why,
            "note": note,
        }
        shown: dict[str, Json] = {**kept, **seen}
        self._put(draft, {"pages": [*draft.content["pages"], shown]})
        return shown

    def arrange(self, person: str, id_: str, order: Sequence[int]) -> None:
        """Sort the question's web pages by `order`, a list of their positions; pages that are not in the list are removed."""
        draft = self._load_own(person, id_)
        pages = draft.content["pages"]
        self._put(draft, {"pages": [pages[place] for place in dict.fromkeys(order) if 0 <= place < len(pages)]})

    def drop(self, person: str, id_: str) -> None:
        """Delete a web question that a person has begun but not handed in."""
        self._load_own(person, id_)
        web_drafts.drop(self._db, id_)

    @requires("write questions", "id_")
    def hand_in(self, person: str, id_: str) -> Item:
        """Turn the question into an item that waits for review, with its web pages as documents. Raises BenchError with a list
        of everything that is missing."""
        content = self._load_own(person, id_).content
        if missing := self.list_missing(content):
            raise BenchError(f"Not handed in: {'; '.join(missing)}.")
        read = [_read_page(self._load_html(page), page, content["domain"]) for page in content["pages"]]
        pages = [{key: value for key, value in page.items() if key not in _ONLY_IN_DRAFTS} for page in content["pages"]]
        sources = [page.document for page in read if page.document is not None]
        item = _make_item(id_, content, pages, sources)
        documents.add(self._db, sources)
        items.add(self._db, [item], by=person)
        web_drafts.drop(self._db, id_)
        return item

    def list_missing(self, content: Mapping[str, Any]) -> list[str]:
        """Return what the question still lacks, as texts that complete the message "Not handed in: ..."."""
        missing = [f"it has no {name}" for name in ("question", "answer") if not str(content[name]).strip()]
        labels = ("domain", "question_type", "static_or_dynamic")
        missing += [f"it {why}" for name in labels if (why := crag.explain_label_fault(name, content[name]))]
        if not content["pages"]:
            missing.append("it has no page: add at least one that the search found")
        try:
            crag.read_query_time(str(content["query_time"]).strip())
        except ValueError as error:
            missing.append(f"it {error}")
        return missing

    def _load_own(self, person: str, id_: str) -> WebDraft:
        draft = web_drafts.get(self._db, id_)
        if draft is None or draft.person != person:
            raise BenchError("This draft no longer exists, or belongs to somebody else: begin a new one.")
        return draft

    def _put(self, draft: WebDraft, changes: Mapping[str, Any]) -> None:
        web_drafts.put(self._db, WebDraft(draft.id, draft.person, {**draft.content, **changes}))

    def _load_html(self, page: Mapping[str, Any]) -> str:
        return (web_pages.read(self._db, page["html"]) or "") if "html" in page else ""


def _read_page(html: str, about: Mapping[str, Any], domain: str) -> WebPage:
    return web_page(
        html,
        snippet=about["page_snippet"],
        name=about["page_name"],
        url=about["page_url"],
        modified=about["page_last_modified"],
        domain=domain,
    )


def _find_language(documents: Sequence[Document]) -> str:
    """Return the language of most of the documents, or "en" if there are none."""
    languages = Counter(document.language for document in documents).most_common(1)
    return languages[0][0] if languages else "en"


def _make_item(id_: str, content: Mapping[str, Any], pages: Sequence[Mapping[str, Any]], sources: Sequence[Document]) -> Item:
    others = [line.strip() for line in str(content["alternatives"]).splitlines() if line.strip()]
    question, url = str(content["question"]).strip(), str(content["answer_url"]).strip()
    labels = {
        **{name: content[name] for name in ("question_type", "static_or_dynamic")},
        "popularity": "",
        "query_time": str(content["query_time"]).strip(),
        "crag": {"pages": [dict(page) for page in pages]},
        **({"answer_url": url} if url else {}),
    }
    return Item(
        id=derived_id(TASK, id_),
        task=TASK,
        question=question,
        answers=(str(content["answer"]).strip(), *others),
        domain=content["domain"],
        language=detect_language(question, _find_language(sources)),
        labels=labels,
        given=tuple(dict.fromkeys(document.id for document in sources)),
        provenance=Provenance(origin="written"),
    )
