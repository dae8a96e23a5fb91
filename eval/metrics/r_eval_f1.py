"""r_eval_f1: R-Eval's reward (its code's `reward`, which HotpotQA's evaluation has too): token F1 after SQuAD's normalisation;
0 where one side is yes, no or noanswer and the other is not just that; 0 without a common token. English alone: the published
rule has no words for Chinese (see r_eval_f1_cjk)."""

from eval.metric import Metric
from eval.scoring.r_eval import score_reward

METRIC = Metric(
    version="2",
    low=0.0,
    high=1.0,
    score=score_reward,
    languages=("en",),
    reference="the published code's reward, retold by tests; best over the gold answers, where the code reads the first",
)
