"""The offline agent in English: parsing sentences, building questions, and choosing the best one."""
