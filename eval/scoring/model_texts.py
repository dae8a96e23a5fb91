"""Check which texts a model can read: it must know their language, which is measured on a sample, and no text may be longer
than its input."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence

from core.retrieval.embeddings import Reader, explain_unusable
from eval.metric import NO_GOLD, ScoringCase, Unscored

SAMPLE_TEXTS = 200
"""Number of texts per language by which it is measured whether a model knows the language."""


def find_unknown_languages(model: Reader, texts: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return a dict from each language that the model does not know to the reason; the languages are those of the (text,
    language) pairs."""
    samples: Mapping[str, list[str]] = defaultdict(list)
    for text, language in texts:
        if len(samples[language]) < SAMPLE_TEXTS:
            samples[language].append(text)
    unknown = [language for language, sample in samples.items() if sample and explain_unusable(model, language, sample)]
    return {language: f"not available for {language} with this model" for language in unknown}


def explain_unread_cases(
    cases: Sequence[ScoringCase], model: Reader, count_tokens: Callable[[str], int], max_tokens: int | None
) -> dict[int, Unscored | None]:
    """Return a dict from id() of each case to the reason why the model cannot compare the case's texts; None = the model can
    compare them."""
    unknown = find_unknown_languages(model, ((t, case.language) for case in cases for t in (*case.answers, case.prediction)))

    def explain(case: ScoringCase) -> Unscored | None:
        if case.language in unknown:
            return Unscored(unknown[case.language])
        if not case.answers:
            return NO_GOLD
        longest = max(map(count_tokens, (case.prediction, *case.answers)))
        is_read = max_tokens is None or longest <= max_tokens
        return None if is_read else Unscored(f"a text has {longest} tokens, and the model reads at most {max_tokens}")

    return {id(case): explain(case) for case in cases}
