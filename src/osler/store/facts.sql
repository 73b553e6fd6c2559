-- Facts of patients (format 3). One row a fact; the columns are what questions filter on, the body
-- is the whole fact. Dates are ISO and may be partial; '' is "not said", in every text column.
CREATE TABLE IF NOT EXISTS facts (
    row            INTEGER PRIMARY KEY,
    id             TEXT    NOT NULL UNIQUE,      -- the source's own id inside its named source
    patient        TEXT    NOT NULL,             -- whom it is of, after joins that a person asked for
    kind           TEXT    NOT NULL,
    name           TEXT    NOT NULL,             -- as written
    name_key       TEXT    NOT NULL,             -- casefolded, single blanks
    status         TEXT    NOT NULL,
    certainty      TEXT    NOT NULL,
    role           TEXT    NOT NULL,
    relative       TEXT    NOT NULL DEFAULT '',
    start          TEXT    NOT NULL DEFAULT '',
    "end"          TEXT    NOT NULL DEFAULT '',
    recorded       TEXT    NOT NULL DEFAULT '',
    value          TEXT    NOT NULL DEFAULT '',  -- as written
    number         REAL,
    unit           TEXT    NOT NULL DEFAULT '',
    comparator     TEXT    NOT NULL DEFAULT '',
    low            REAL,
    high           REAL,
    interpretation TEXT    NOT NULL DEFAULT '',
    entity         TEXT    NOT NULL DEFAULT '',  -- its node in the graph of the records
    part_of        TEXT    NOT NULL DEFAULT '',  -- the fact of the whole record, where this is a part
    source         INTEGER NOT NULL,             -- the ledger's number of the file
    seq            INTEGER NOT NULL,
    body           BLOB    NOT NULL,
    checksum       INTEGER NOT NULL
);
CREATE INDEX IF NOT EXISTS facts_patient ON facts (patient, kind);
CREATE INDEX IF NOT EXISTS facts_name ON facts (kind, name_key);
CREATE INDEX IF NOT EXISTS facts_seq ON facts (seq);
CREATE INDEX IF NOT EXISTS facts_source ON facts (source);

CREATE INDEX IF NOT EXISTS facts_part_of ON facts (part_of) WHERE part_of != '';

CREATE TABLE IF NOT EXISTS fact_codes (
    code   TEXT    NOT NULL,
    system TEXT    NOT NULL,                     -- as written: http://loinc.org
    fact   INTEGER NOT NULL,                     -- facts.row
    PRIMARY KEY (code, system, fact)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS fact_codes_fact ON fact_codes (fact);

-- Which named source a file or folder is; where a person gave no name, its own.
CREATE TABLE IF NOT EXISTS sources (
    origin   TEXT PRIMARY KEY,
    name     TEXT    NOT NULL,
    checksum INTEGER NOT NULL
) WITHOUT ROWID;

-- Identifier systems by which a person said that two sources' patients are the same.
CREATE TABLE IF NOT EXISTS joins (
    system   TEXT PRIMARY KEY,
    checksum INTEGER NOT NULL
) WITHOUT ROWID;
