-- The truth. Every change takes the next sequence number; every row carries a checksum.
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

CREATE TABLE documents (
    row      INTEGER PRIMARY KEY,
    id       TEXT    NOT NULL UNIQUE,
    seq      INTEGER NOT NULL,              -- of the last change
    born     INTEGER NOT NULL,              -- of the first
    deleted  INTEGER NOT NULL DEFAULT 0,    -- a tombstone, so that an old file brings nothing back
    revised  TEXT    NOT NULL DEFAULT '',
    content  INTEGER NOT NULL,              -- hash of the body: the same paper again is no change
    body     BLOB    NOT NULL,
    checksum INTEGER NOT NULL
);
CREATE INDEX documents_seq ON documents (seq);
CREATE INDEX documents_deleted ON documents (deleted);  -- counting must not read the bodies

-- Other names of a document: pmid, doi, pmcid, and ids that it had before it was joined.
CREATE TABLE names (
    scheme   TEXT NOT NULL,
    value    TEXT NOT NULL,
    document INTEGER NOT NULL,
    checksum INTEGER NOT NULL,
    PRIMARY KEY (scheme, value)
) WITHOUT ROWID;
CREATE INDEX names_document ON names (document);

-- 'knowledge' holds terminologies and graphs, 'records' the clinical knowledge base.
CREATE TABLE entities (
    row      INTEGER PRIMARY KEY,
    graph    TEXT    NOT NULL,
    id       TEXT    NOT NULL,
    seq      INTEGER NOT NULL,
    source   INTEGER NOT NULL,
    body     BLOB    NOT NULL,
    checksum INTEGER NOT NULL,
    UNIQUE (graph, id)
);

CREATE TABLE triples (
    row      INTEGER PRIMARY KEY,
    graph    TEXT    NOT NULL,
    head     TEXT    NOT NULL,
    relation TEXT    NOT NULL,
    tail     TEXT    NOT NULL,
    place    TEXT    NOT NULL DEFAULT '',
    seq      INTEGER NOT NULL,
    source   INTEGER NOT NULL,
    checksum INTEGER NOT NULL,
    UNIQUE (graph, head, relation, tail, place)
);

CREATE TABLE pairs (
    row      INTEGER PRIMARY KEY,
    id       TEXT    NOT NULL UNIQUE,
    seq      INTEGER NOT NULL,
    source   INTEGER NOT NULL,
    body     BLOB    NOT NULL,
    checksum INTEGER NOT NULL
);

-- What people decided: the relevance of a document to a query or topic.
CREATE TABLE queries (
    id       TEXT PRIMARY KEY,
    text     TEXT NOT NULL,
    seq      INTEGER NOT NULL,
    checksum INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE judgements (
    query    TEXT    NOT NULL,
    document TEXT    NOT NULL,
    grade    INTEGER NOT NULL,
    seq      INTEGER NOT NULL,
    checksum INTEGER NOT NULL,
    PRIMARY KEY (query, document)
) WITHOUT ROWID;

CREATE TABLE searches (
    name     TEXT PRIMARY KEY,
    body     BLOB NOT NULL,
    seq      INTEGER NOT NULL,
    checksum INTEGER NOT NULL
) WITHOUT ROWID;

-- The ledger: which files were read, how far, and what came of them.
CREATE TABLE files (
    number      INTEGER PRIMARY KEY,
    fingerprint TEXT    NOT NULL UNIQUE,
    name        TEXT    NOT NULL,
    format      TEXT    NOT NULL,
    state       TEXT    NOT NULL,           -- reading, done, failed
    position    INTEGER NOT NULL DEFAULT 0, -- items of it that are committed
    counts      TEXT    NOT NULL DEFAULT '{}',
    error       TEXT    NOT NULL DEFAULT '',
    checksum    INTEGER NOT NULL
);
CREATE TABLE rejects (
    file     INTEGER NOT NULL,
    place    TEXT    NOT NULL,
    id       TEXT    NOT NULL,
    reason   TEXT    NOT NULL,
    checksum INTEGER NOT NULL
);
CREATE INDEX rejects_file ON rejects (file);
