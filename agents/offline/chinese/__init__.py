"""The offline agent in Chinese: parsing sentences, building questions, and choosing the best one."""
