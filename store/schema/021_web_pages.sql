-- The HTML of web pages that questions came with, by the hash of the HTML, packed by zlib: what a document was read from where
-- several pages say the same. It leaves the workspace only with an export that asks for it.
CREATE TABLE web_page (
    hash VARCHAR PRIMARY KEY,
    packed BLOB NOT NULL
);
