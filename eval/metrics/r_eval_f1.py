"""r_eval_f1: R-Eval's reward, from 0 to 1 (`reward` in its code, also in HotpotQA's evaluation): token F1 after SQuAD's
normalisation. The value is 0 if one of the two texts is yes, no or noanswer and the other text differs, or if the texts have no
common token. English only: the published rule has no words for Chinese (see r_eval_f1_cjk). R-Eval's six response types and its
leaderboard are based on this reward and on whether a gold answer occurs in the texts that a system saw (section 3 and appendix
B of the paper, and its published code where the two differ).

The parts are 1 or 0. r_eval_f1.correct: the answer equals a gold answer after normalisation. r_eval_f1.useful: a gold answer
occurs in the texts that the system observed. r_eval_f1.scratchpad: a gold answer occurs in the texts that the system wrote or
observed."""

from core.text.text import bag_f1, f1_tokens, normalise_answer
from eval.metric import Metric, ScoringCase, Values, score_only

_SINGLE_WORD_ANSWERS = frozenset(("yes", "no", "noanswer"))


def compute_reward(prediction: str, gold: str, language: str) -> float:
    """Return the reward of an answer: its token F1 with the gold answer, 0..1, with R-Eval's rule for yes and no."""
    answer, reference = normalise_answer(prediction), normalise_answer(gold)
    if answer != reference and not _SINGLE_WORD_ANSWERS.isdisjoint((answer, reference)):
        return 0.0
    return bag_f1(f1_tokens(prediction, language), f1_tokens(gold, language))


def score_reward(case: ScoringCase) -> Values:
    """Return the best reward over the gold answers, and three parts that are 1 or 0, which R-Eval's response types need.

    correct: the answer equals a gold answer after normalisation; useful: a gold answer occurs in the texts that the system
    observed; scratchpad: a gold answer occurs in the texts that the system wrote or observed, including its own answer, as in
    the published code. A gold answer that is empty after normalisation counts as not occurring."""
    if not case.answers:
        return {"": None}
    golds = [gold for gold in map(normalise_answer, case.answers) if gold]
    seen, written = (normalise_answer("\n".join(texts)) for texts in (case.observed, case.scratchpad))
    return {
        "": max(compute_reward(case.prediction, gold, case.language) for gold in case.answers),
        "correct": float(normalise_answer(case.prediction) in golds),
        "useful": float(any(gold in seen for gold in golds)),
        "scratchpad": float(any(gold in written for gold in golds)),
    }


METRIC = Metric(
    version="2",
    score=score_reward,
    explain_language=score_only("en", why="its rule on yes and no is English"),
    reference="R-Eval's published code, which reads only the first gold answer: tests check the reward against a copy of it",
)
