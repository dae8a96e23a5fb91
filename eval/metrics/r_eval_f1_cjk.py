"""r_eval_f1_cjk: r_eval_f1, from 0 to 1, with Chinese split into words by jieba, without punctuation. For English
answers, r_eval_f1_cjk equals r_eval_f1."""

from eval.metric import Metric, score_only
from eval.metrics.r_eval_f1 import score_reward

METRIC = Metric(
    version="2",
    score=score_reward,
    explain_language=score_only("en", "zh", why="its rule on yes and no is English; token_f1 scores every language"),
    reference="r_eval_f1 in English, checked by tests; none in Chinese",
)
