"""Try the shortcuts on the questions of a release, and judge their answers and those of agents."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from core.cancellation import raise_if_cancelled
from core.nouns import Hit, Item, Span
from core.progress_reporter import ProgressReporter
from core.text.language import may_match
from eval.retriever import RetrieverContext, Search, retrievers
from eval.running.retrieval import prepare_search
from eval.shortcut import Form, ProbeKey, ShortcutAnswer, ShortcutContext, ShortcutQuestion, shortcuts
from eval.shortcuts._chance import ShortcutResult, judge_shortcuts
from store.engine.database import Database
from store.releases.releases import ReleaseMembers
from workbench.control import Control
from workbench.evaluate.running.run_preparation import index_files_of

PASSAGES = 5
"""Number of passages in which the sentence with the longest overlap is looked for."""
NOT_ASKED = ShortcutAnswer(None, "the agent was not asked", has_failed=True)


def try_shortcuts(
    database: Database,
    content: ReleaseMembers,
    params: Mapping[str, Any],
    replies: Mapping[ProbeKey, Mapping[str, ShortcutAnswer]],
    control: Control,
) -> list[ShortcutResult]:
    """Return the results of all shortcuts for the questions of the release, sorted by item. `params` are those of the job that
    makes the certificate; `replies` are the answers of agents. Raises Cancelled if the job stops."""
    questions = [_build_question(item) for item in sorted(content.items, key=lambda item: item.id)]
    chosen = {name: shortcuts()[name] for name in params["shortcuts"]}
    needs_corpus = any(one.needs_corpus for one in chosen.values())
    context = _build_context(database, content, questions if needs_corpus else [], control)
    answers: dict[ProbeKey, tuple[Form, Sequence[ShortcutAnswer]]] = {}
    for name, shortcut in chosen.items():
        if shortcut.answer is not None:
            progress = ProgressReporter(control.say, f"{shortcut.label}:", "questions", len(questions))
            answers[ProbeKey(name)] = shortcut.form, list(_report(shortcut.answer(questions, context), progress))
        for probe, own in replies.items():
            if probe.shortcut == name:
                answers[probe] = shortcut.form, [own.get(question.item, NOT_ASKED) for question in questions]
    control.say("Judging the answers.")
    return list(judge_shortcuts(questions, answers, params["threshold"], params["seed"]))


def _build_context(
    database: Database, content: ReleaseMembers, questions: Sequence[ShortcutQuestion], control: Control
) -> ShortcutContext:
    """Return what shortcuts receive besides the questions: the passages that BM25 finds among the documents that systems
    may search, by the indexes that runs use too."""
    context = RetrieverContext(files=index_files_of(database), report_progress=_make_teller(control))
    by_id = {document.id: document for document in content.retrieval}
    searches: dict[str, Search] = {}
    for language in sorted({question.language for question in questions}):
        if any(may_match(document.language, language) for document in content.retrieval):
            searches[language], _ = prepare_search(content.retrieval, language, retrievers()["bm25"], {}, context)
    found: dict[str, Sequence[Hit]] = {}

    def find(question: ShortcutQuestion) -> Sequence[Hit]:
        if question.item not in found:
            search = searches.get(question.language)
            found[question.item] = search(question.question, PASSAGES) if search else ()
        return found[question.item]

    def read(span: Span) -> str:
        return by_id[span.document].text[span.start : span.end]

    return ShortcutContext(find, read)


def _build_question(item: Item) -> ShortcutQuestion:
    choices = item.labels.get("choices")
    offered = tuple(map(str, choices)) if isinstance(choices, list | tuple) else ()
    return ShortcutQuestion(item.id, item.question, item.answers, item.language, offered)


def _report(answers: Iterator[ShortcutAnswer], progress: ProgressReporter) -> Iterator[ShortcutAnswer]:
    """Yield the answers, and report how many there are. Raises Cancelled if the job stops."""
    for number, answer in enumerate(answers, 1):
        if number % 100 == 0:
            raise_if_cancelled()
            progress.report_progress(number)
        yield answer


def _make_teller(control: Control) -> Callable[[str], None]:
    """Return a function that reports progress and raises Cancelled if the job stops."""

    def tell(message: str) -> None:
        control.say(message)
        raise_if_cancelled()

    return tell
