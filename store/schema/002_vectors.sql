-- Embeddings, computed once per text and model: a cache, every row of which can be made again. key = the model's identity
-- and the text's hash with a slash between; vector = its float32 numbers, little-endian.
CREATE TABLE vector (
    key VARCHAR PRIMARY KEY,
    vector BLOB NOT NULL
);
