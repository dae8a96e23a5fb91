"""The offline agent in Chinese: how sentences are read, what can be asked about them, and which question is the best."""
