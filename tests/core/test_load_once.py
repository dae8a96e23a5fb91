"""What takes long to load: by twenty threads at once, by two names, and when it fails."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from core.load_once import load_once
from core.text.words import words


def test_twenty_threads_that_ask_at_once_have_one_made():
    made: list[str] = []
    gate = threading.Barrier(20)

    @load_once()
    def slow(name: str) -> object:
        made.append(name)
        time.sleep(0.05)
        return object()

    def ask(n: int) -> object:
        gate.wait()
        return slow("a")

    with ThreadPoolExecutor(20) as pool:
        assert len(set(pool.map(ask, range(20)))) == 1
    assert made == ["a"]
    assert slow("b") is slow("b") and made == ["a", "b"]
    slow("a")
    assert made == ["a", "b", "a"], "at most one is kept"


def test_what_failed_is_tried_again():
    tries: list[int] = []

    @load_once()
    def fails() -> str:
        tries.append(1)
        if len(tries) == 1:
            raise OSError("not yet")
        return "there"

    with pytest.raises(OSError, match="not yet"):
        fails()
    assert fails() == "there" and len(tries) == 2


def test_the_chinese_dictionary_is_read_once_by_many_threads(monkeypatch, tmp_path):
    import jieba

    from core.text import words as module

    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))  # nothing is kept there yet
    reads: list[str] = []
    real = jieba.Tokenizer.gen_pfdict
    monkeypatch.setattr(jieba.Tokenizer, "gen_pfdict", staticmethod(lambda file: reads.append("read") or real(file)))
    monkeypatch.setattr(module, "jieba_tokenizer", load_once()(module.jieba_tokenizer.__wrapped__))
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda n: words("河面上有一座桥", "zh"), range(8)))
    assert reads == ["read"] and all(one == found[0] for one in found)
