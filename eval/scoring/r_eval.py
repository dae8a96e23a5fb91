"""R-Eval's reward, and whether a gold answer stood in what a system saw: what its six response types and its leaderboard are
made of (section 3 and appendix B of the paper, and its published code where the two differ)."""

from core.text.text import bag_f1, f1_tokens, normalise_answer
from eval.metric import ScoringCase, Values

_SINGLE_WORD_ANSWERS = frozenset(("yes", "no", "noanswer"))


def compute_reward(prediction: str, gold: str, language: str) -> float:
    """0..1: token F1, with the rule on yes and no."""
    said, wanted = normalise_answer(prediction), normalise_answer(gold)
    if said != wanted and not _SINGLE_WORD_ANSWERS.isdisjoint((said, wanted)):
        return 0.0
    return bag_f1(f1_tokens(prediction, language), f1_tokens(gold, language))


def score_reward(case: ScoringCase) -> Values:
    """ "" = the best reward over the gold answers; correct = 1 when an answer equals a gold one after normalisation; useful = 1
    when a gold answer stands in what the system observed, `scratchpad` = the same of all that it wrote and saw, its own answer
    included, as the published code looks. A gold answer of which normalisation leaves nothing stands nowhere."""
    if not case.answers:
        return {"": None}
    golds = [gold for gold in map(normalise_answer, case.answers) if gold]
    seen, written = _normalise_texts(case.observed), _normalise_texts(case.scratchpad)
    return {
        "": max(compute_reward(case.prediction, gold, case.language) for gold in case.answers),
        "correct": float(normalise_answer(case.prediction) in golds),
        "useful": float(any(gold in seen for gold in golds)),
        "scratchpad": float(any(gold in written for gold in golds)),
    }


def _normalise_texts(texts: tuple[str, ...]) -> str:
    return normalise_answer("\n".join(texts))
