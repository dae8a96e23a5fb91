"""Rationales on running text: why-questions about what a document keeps coming back to, from sentences that give reasons in at
least three places (level 3), and frames to fill about how it changed or what it is over several sections (level 4)."""

import re
from collections.abc import Iterator, Sequence

from rapidfuzz import fuzz

from core.ids import derived_id
from core.numbered import Numbered
from core.offline.corpus import Corpus
from core.offline.english.checks import is_avoided
from core.offline.english.documents import Prose
from core.offline.english.themes import Line, Theme, lines_of, themes
from core.offline.factoid import Claim, Rationale

PLACES = 3
"""Sentences, no neighbours, that a why-question needs."""
SECTIONS = 4
"""Sections, or years, that a frame needs."""
MOST = 6

_CAUSE = re.compile(
    r"\b(?:because|due to|owing to|as a result|resulting in|resulted in|the result of|led to|leading to|therefore|thus|"
    r"hence|in "
    r"order (?:to|that)|so (?:far )?that|caus(?:es?|ed|ing)|forced|enabl(?:es?|ed)|allow(?:s|ed|ing)|the reasons?|"
    r"since (?:he|she|it|they|the|no|nobody|a|its|their|earlier) |in response|in answer to|"
    r"prompted|intended|thanks to|on account of|on the ground|in consequence|which is why|for (?:this|that) reason|"
    r"explained by|"
    r"means that|meant that|made (?:it|that) possible|so as to|lest|by reason of|to (?:avoid|prevent|stop|protect|keep|ensure|"
    r"detect|reduce|save)\b|helped by|such that|designed to|the problem (?:of|was|is)|so as|the lesson|the ground|"
    r"attribut\w+|mainly|chiefly|for (?:fear|want|lack) of|"
    r"with the result|in consequence|on condition|in case|by (?:having|making|using|letting|printing|pointing)|the cause|"
    r", so (?:the|it|they)\b|as (?:nobody|no one|they)\b|, for (?:the|it|they|he|she|\w+s) )",
    re.IGNORECASE,
)
"""Words of cause and purpose, and of what was conceded."""
_CONTRAST = re.compile(
    r"\b(?:but|unless|provided that|despite|although|though|in spite of|however|rather than|instead|not [^,;]{2,40} but|"
    r"whereas|while|yet|only when|only if)\b"
)


def draft_prose_rationale(
    sentences: Numbered, corpus: Corpus, seed_text: str, avoid: str
) -> list[tuple[float, str, Rationale]]:
    """(worth, hash, rationale) of every theme that reasons are given for; a higher worth is better."""
    found = []
    for theme in themes(sentences, corpus):
        if theme.prose.is_tale:
            continue
        causal = [line for line in theme.lines if _CAUSE.search(line.text)]
        chosen = _chosen(causal if len(causal) >= PLACES else [line for line in theme.lines if _weight(line)])
        causes = sum(bool(_CAUSE.search(line.text)) for line in chosen)
        if len(chosen) < PLACES or causes < 2:
            continue
        seed = derived_id(seed_text, theme.words)
        question = _why(theme, int(seed[:6], 16))
        if is_avoided(question, avoid) or theme.words in avoid:
            continue
        claims = tuple(Claim(line.text, line.numbers) for line in chosen)
        sections = len({line.section for line in chosen})
        worth = min(causes, 4) + 0.5 * min(sections, 3) + 0.5 * theme.is_name
        found.append((worth, seed, Rationale(question, claims)))
    return found or list(_as_a_whole(sentences, corpus, seed_text, avoid))


def _as_a_whole(sentences: Numbered, corpus: Corpus, seed_text: str, avoid: str) -> Iterator[tuple[float, str, Rationale]]:
    """The reasons that stand in three sections of a document at least, when no one thing has enough of them."""
    for prose, lines in lines_of(sentences, corpus):
        if prose.is_tale:
            continue
        chosen = _chosen([line for line in lines if _CAUSE.search(line.text)])
        if len({line.section for line in chosen}) < PLACES or len(chosen) < PLACES:
            continue
        seed = derived_id(seed_text, prose.title)
        fronts = _WHOLE[_genre(prose)]
        question = fronts[int(seed[:6], 16) % len(fronts)].format(d=prose.name, we=prose.we)
        if not is_avoided(question, avoid):
            yield 1.0, seed, Rationale(question, tuple(Claim(line.text, line.numbers) for line in chosen))


def draft_prose_frame(sentences: Numbered, corpus: Corpus, seed_text: str, avoid: str) -> list[tuple[float, str, Rationale]]:
    """(worth, hash, frame to fill) of every theme with a dated chain or with sentences in at least four sections."""
    found = []
    for theme in themes(sentences, corpus):
        seed = derived_id(seed_text, theme.words)
        if theme.prose.is_tale and not theme.is_name:
            continue
        chain = _chain(_surely(theme))
        if chain:
            first, last = chain[0].year, chain[-1].year
            what = f"the fortunes of {theme.words}" if theme.is_name else theme.words
            question = (
                f"How did {what} change between {first} and {last}, and what does the development show?",
                f"What overall development can be seen in {what} from {first} to {last}, and what drove it?",
            )[int(seed[:6], 16) % 2]
            worth, subject = len(chain) + 1.0, what
        else:
            chain = _one_each(theme.lines)
            if len(chain) < SECTIONS or _is_several(theme):
                continue
            question = (
                f"What overall picture of {theme.words} emerges from {theme.prose.name}, taken over its several sections?",
                f"What part does {theme.words} play in {theme.prose.name} as a whole?",
                f"What do the several accounts of {theme.words} in {theme.prose.name} show when they are put together?",
            )[int(seed[:6], 16) % 3]
            worth, subject = len(chain) + 1.0 * theme.is_name, f"the part that {theme.words} plays"
        if is_avoided(question, avoid) or theme.words in avoid:
            continue
        found.append((worth, seed, Rationale(question, tuple(Claim(s.text, s.numbers) for s in chain), theme=subject)))
    return found or list(_year_as_a_whole(sentences, corpus, seed_text, avoid))


def _year_as_a_whole(sentences: Numbered, corpus: Corpus, seed_text: str, avoid: str) -> Iterator[tuple[float, str, Rationale]]:
    """What the sections of a report say of its year."""
    for prose, lines in lines_of(sentences, corpus):
        chosen = _one_each(lines)
        if _genre(prose) != "report" or len(chosen) < SECTIONS:
            continue
        whose = f"{prose.we}'s position" if prose.is_company else "the position"
        question = f"What overall picture of {whose} emerges from {prose.name}, taken over its several sections?"
        if not is_avoided(question, avoid):
            claims = tuple(Claim(line.text, line.numbers) for line in chosen)
            yield 1.0, derived_id(seed_text, prose.title), Rationale(question, claims, theme=whose)


def best(found: Sequence[tuple[float, str, Rationale]], within: float = 1.0) -> Rationale | None:
    """One of those whose worth is nearly the highest, by its hash."""
    if not found:
        return None
    top = max(worth for worth, _, _ in found)
    return min((f for f in found if f[0] >= top - within), key=lambda f: f[1])[2]


def _weight(line: Line) -> float:
    causes = len({m[0].lower() for m in _CAUSE.finditer(line.text)})
    return min(2, causes) + 0.4 * bool(_CONTRAST.search(line.text))


def _chosen(lines: Sequence[Line]) -> list[Line]:
    """Up to MOST sentences, the strongest reason first, each next one strong and unlike those before it (maximal marginal
    relevance); no two neighbours, none weaker than a contrast."""
    left, chosen = list(lines), list[Line]()
    while left and len(chosen) < MOST:

        def gain(line: Line) -> float:
            alike = max((fuzz.token_set_ratio(line.text, c.text) / 100 for c in chosen), default=0.0)
            return 0.6 * _weight(line) - 0.9 * alike + 0.2 * (line.section not in {c.section for c in chosen})

        top = max(left, key=lambda line: (gain(line), -line.numbers[-1]))
        left = [line for line in left if min(abs(a - b) for a in line.numbers for b in top.numbers) > 1]
        if chosen and gain(top) < -0.35 and len(chosen) >= PLACES:
            break
        chosen.append(top)
    return chosen


def _surely(theme: Theme) -> list[Line]:
    """The lines that surely speak of one thing: of a name all; of a noun like "the bank" those that say it so, and none when
    some name ends with it, because then there may be several."""
    if theme.is_name:
        return list(theme.lines)
    noun = theme.words.split()[-1]
    if _is_several(theme) or not _DEVELOPS.search(theme.words):
        return []
    return [line for line in theme.lines if re.search(rf"\b[Tt]he (?:[a-z]+ )?{noun}\b", line.text)]


def _is_several(theme: Theme) -> bool:
    noun = theme.words.split()[-1]
    return not theme.is_name and any(
        re.search(rf"\b{noun.capitalize()}\b", place.reading.bare[1:]) for place in theme.prose.places
    )


def _chain(lines: Sequence[Line]) -> list[Line]:
    """Sentences of rising years, at least four over at least three years; empty when there is none."""
    dated = sorted((line for line in lines if line.year), key=lambda line: (line.year or 0, line.numbers))
    chain: list[Line] = []
    for line in dated:
        if not chain or (line.year or 0) > (chain[-1].year or 0):
            chain.append(line)
    if len(chain) < SECTIONS or (chain[-1].year or 0) - (chain[0].year or 0) < 3:
        return []
    if len(chain) > MOST:
        last = len(chain) - 1
        chain = [chain[round(i * last / (MOST - 1))] for i in range(MOST)]
    return chain


def _one_each(lines: Sequence[Line]) -> list[Line]:
    """The weightiest sentence of each section, in order, at most MOST."""
    by_section: dict[int, Line] = {}
    for line in lines:
        held = by_section.get(line.section)
        if held is None or _weight(line) > _weight(held):
            by_section[line.section] = line
    found = sorted(by_section.values(), key=lambda line: -_weight(line))[:MOST]
    return sorted(found, key=lambda line: line.numbers)


def _why(theme: Theme, choice: int) -> str:
    prose, what = theme.prose, theme.words
    fronts = _FRONTS[_genre(prose)]
    return fronts[choice % len(fronts)].format(k=what, d=prose.name, we=prose.we)


def _genre(prose: Prose) -> str:
    if re.search(r" (?:v|vs|v\.) ", prose.title):
        return "judgment"
    if prose.we.startswith("the authors"):
        return "paper"
    low = prose.title.lower()
    if "report" in low:
        return "report"
    if re.search(r"\b(?:handbook|manual|user guide|documentation|specification|tutorial)\b", low):
        return "manual"
    return "account"


_DEVELOPS = re.compile(
    r"\b(?:bank|wall|theatre|gauge|works|town|trade|levy|price|record|rule|system|method|service|barrier|station|museum|press|"
    r"collection|building|population|economy|school|design|patent|firm|company|hall|house|bridge|harbour|library|garden|mill|"
    r"mine|industry|workshop|pottery|club|society|railway|line|charter|council|court|gates?|interface|format|project)$"
)
"""Things of which one asks how they changed."""
_WHOLE = {
    "judgment": ("What considerations led the court to its findings in {d}?", "How are the findings of {d} justified?"),
    "paper": ("What reasons do {we} give for what they did and found?", "How do {we} justify their method and conclusions?"),
    "report": ("How does {d} explain the main results and decisions of the year?",
               "What reasons does {d} give for what went well, what went wrong and what was decided?"),
    "manual": ("What reasons does {d} give for the rules and the design that it describes?",
               "Which problems and purposes explain the instructions of {d}?"),
    "account": ("What causes does {d} give for the main turns of what it tells?",
                "How does {d} explain why things came about as it tells them?"),
}  # fmt: skip
"""Genre -> questions about a document as a whole."""
_FRONTS = {
    "judgment": (
        "How was what the court held about {k} justified in {d}?",
        "What considerations led the court to its findings about {k} in {d}?",
        "Why did the court in {d} reach the conclusions that it did about {k}?",
    ),
    "paper": (
        "How do {we} justify what they do and conclude about {k}?",
        "What reasons do {we} give for their findings about {k}?",
        "Why, according to {we}, does the evidence on {k} look as it does?",
    ),
    "report": (
        "How does {d} explain what happened and what was decided in the matter of {k}?",
        "What reasons does {d} give for the decisions and results that concern {k}?",
        "Why did things go as they did with {k}, according to {d}?",
    ),
    "manual": (
        "What reasons does {d} give for the way in which {k} is made and used?",
        "Why does {d} describe and treat {k} in the way that it does?",
        "Which problems and purposes explain what {d} says about {k}?",
    ),
    "account": (
        "What causes and consequences does {d} connect with {k}?",
        "How does {d} explain what happened with {k}, and why?",
        "What considerations and circumstances, according to {d}, lay behind the story of {k}?",
        "Why did matters that concern {k} take the course told in {d}?",
    ),
}  # fmt: skip
"""Genre -> questions: {k} the theme, {d} the document, {we} its authors."""
