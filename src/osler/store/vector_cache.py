"""A content-addressed cache of vectors that outlives rebuilds.

It answers "the vector of this text under this encoder"; what it holds is dear and kept.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
import xxhash

from osler.store.truth import checksum, private, storage_errors

Floats = npt.NDArray[np.float32]


def text_key(text: str) -> bytes:
    return xxhash.xxh3_128_digest(text.encode("utf-8", "surrogatepass"))


class VectorCache:
    """Vectors by encoder and text, as 16-bit floats (an error of about 1e-5 in a cosine)."""

    def __init__(self, path: Path) -> None:
        with storage_errors("the vector cache"):
            private(path)
            self._db = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
            self._db.execute("PRAGMA journal_mode = WAL")
            self._db.execute("PRAGMA busy_timeout = 10000")
            self._db.execute(
                "CREATE TABLE IF NOT EXISTS vectors (encoder TEXT NOT NULL, text BLOB NOT NULL, "
                "vector BLOB NOT NULL, checksum INTEGER NOT NULL, PRIMARY KEY (encoder, text)) "
                "WITHOUT ROWID"
            )

    def get(self, encoder: str, keys: Sequence[bytes]) -> dict[bytes, Floats]:
        by_key: dict[bytes, Floats] = {}
        with storage_errors("the vector cache"):
            for start in range(0, len(keys), 500):
                part = keys[start : start + 500]
                marks = ",".join("?" * len(part))
                for key, blob, expected in self._db.execute(
                    "SELECT text, vector, checksum FROM vectors WHERE encoder = ? AND text IN "
                    f"({marks})",
                    (encoder, *part),
                ):
                    # A damaged vector is as good as none: it is made again.
                    if checksum(encoder, key, blob) == expected:
                        by_key[key] = np.frombuffer(blob, np.float16).astype(np.float32)
        return by_key

    def forget(self, keys: Sequence[bytes]) -> int:
        """Take the vectors of some texts out, under every encoder, and their bytes with them; how
        many there were."""
        gone = 0
        with storage_errors("the vector cache"):
            self._db.execute("PRAGMA secure_delete = ON")
            (encoders,) = self._db.execute(
                "SELECT json_group_array(DISTINCT encoder) FROM vectors"
            ).fetchone()
            for encoder in json.loads(encoders):
                for start in range(0, len(keys), 500):
                    part = keys[start : start + 500]
                    marks = ",".join("?" * len(part))
                    gone += self._db.execute(
                        f"DELETE FROM vectors WHERE encoder = ? AND text IN ({marks})",
                        (encoder, *part),
                    ).rowcount
            # What was written lately stands in the log too.
            self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        return gone

    def put(self, encoder: str, keys: Sequence[bytes], vectors: Floats) -> None:
        rows = []
        for key, vector in zip(keys, vectors.astype(np.float16), strict=True):
            blob = vector.tobytes()
            rows.append((encoder, key, blob, checksum(encoder, key, blob)))
        with storage_errors("the vector cache"):
            self._db.execute("BEGIN IMMEDIATE")
            try:
                self._db.executemany("INSERT OR REPLACE INTO vectors VALUES (?, ?, ?, ?)", rows)
            except BaseException:
                self._db.execute("ROLLBACK")
                raise
            self._db.execute("COMMIT")

    def close(self) -> None:
        self._db.close()
