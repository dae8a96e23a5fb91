"""What a simulated user counts as learnt, how it words a question again, and when it leaves."""

from core.nouns import Item, Step, Trace
from core.quality.conversations import ConversationTurn, turn_label
from eval.conversations.user import USER_LEFT, UserState, is_learnt, read_state, word_again

GOAL = "Find out who owned the mill, Ada or Bert, and when that person was born."


def item(number: int, question: str, answer: str, standalone: str = "") -> Item:
    label = turn_label(ConversationTurn("c", number, 2, standalone, GOAL))
    return Item(f"c{number}", "conversation", question, (answer,), labels={"conversation": label})


FIRST = item(1, "Who owned the mill, Ada or Bert?", "Ada")
SECOND = item(2, "When was she born?", "1731", "When was Ada born?")


def trace(one: Item, *messages: str, answer: str | None, replies: tuple[str, ...] = (), stop: str = "answered") -> Trace:
    steps = []
    for at, message in enumerate(messages):
        steps.append(Step("thought", message, about={"user": at + 1}))
        steps += [Step("output", replies[at], about={"reply": 1})] if at < len(replies) else []
    return Trace("r", one.id, answer=answer, steps=tuple(steps), stop=stop)


def test_a_fact_is_learnt_from_an_answer_that_contains_it() -> None:
    assert is_learnt("It was Ada, I think.", ("Ada",), ["Who owned the mill?"])
    assert not is_learnt("It was Bert.", ("Ada",), []) and not is_learnt(None, ("Ada",), []) and not is_learnt("", ("Ada",), [])
    assert not is_learnt("Cannot be answered from the given text, not even about Ada", ("Ada",), [])
    assert is_learnt("是阿格尼丝。", ("阿格尼丝",), ["谁记下最后一个低潮？"])


def test_the_words_of_the_user_are_not_learnt_when_a_system_repeats_them() -> None:
    assert not is_learnt(GOAL, ("Ada",), [GOAL])
    assert not is_learnt("Ada or Bert", ("Ada",), [FIRST.question])
    assert is_learnt("Ada", ("Ada",), [FIRST.question]) and is_learnt("ada.", ("Ada",), [FIRST.question])
    assert is_learnt("Ada Quill or Bert", ("Ada", "Ada Quill"), [FIRST.question]), "the other gold answer was not said"


def test_the_state_counts_messages_without_anything_new() -> None:
    state = read_state([FIRST], {"c1": trace(FIRST, FIRST.question, "again", answer="Bert", replies=("no idea",))})
    assert state is not None and (state.idle, state.learnt, state.said) == (2, (), (FIRST.question, "again"))
    assert [one.answer for one in state.before] == ["no idea", "Bert"]
    learnt = read_state([FIRST], {"c1": trace(FIRST, FIRST.question, answer="Ada")})
    assert learnt is not None and (learnt.idle, learnt.learnt) == (0, ("c1",))
    failed = read_state([FIRST], {"c1": trace(FIRST, FIRST.question, answer=None, stop="timeout")})
    assert failed is not None and (failed.idle, failed.before) == (1, ())
    left = read_state([FIRST], {"c1": trace(FIRST, answer=None, stop=USER_LEFT)})
    assert left is not None and left.idle == 0 and read_state([FIRST], {}) is None


def test_a_second_wording_tells_no_fact_that_is_not_learnt() -> None:
    assert word_again(FIRST, [], UserState()) == f"{GOAL} {FIRST.question}"
    assert word_again(SECOND, [FIRST], UserState(learnt=("c1",))) == "When was Ada born?"
    assert word_again(SECOND, [FIRST], UserState()) == f"{FIRST.question} {SECOND.question}"
