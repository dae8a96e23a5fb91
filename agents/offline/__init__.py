"""The offline agent: a deterministic extractive drafter, answerer and judge that needs no key and no network."""
