"""Coverage-guided fuzzing of the two readers that meet the most strangers' files: PubMed's XML and
FHIR's JSON. Needs ``pip install atheris`` (Linux, macOS); ``make fuzz`` says so where it is not.

    python tests/promises/atheris_readers.py pubmed -max_total_time=600
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

try:
    import atheris
except ImportError:
    sys.exit(
        "atheris is not installed: pip install atheris (it has wheels for CPython 3.11 to 3.13)"
    )

with atheris.instrument_imports(include=["osler.files", "osler.corpus", "osler.records"]):
    import osler.corpus.pubmed
    import osler.records.readers.fhir  # noqa: F401
    from promises import fuzzing
    from promises.seeds import seeds

READERS = ("pubmed", "fhir")


def main() -> None:
    name = sys.argv[1] if len(sys.argv) > 1 else ""
    if name not in READERS:
        raise SystemExit(f"name a reader: {', '.join(READERS)}")
    work = Path(tempfile.mkdtemp(prefix="osler-fuzz-"))
    corpus = work / "corpus"
    corpus.mkdir()
    seed = seeds(work / "seeds")[name]
    (corpus / "seed").write_bytes(seed.read_bytes())
    target = work / f"file{seed.suffix}"

    def one(data: bytes) -> None:
        target.write_bytes(data)
        fuzzing.read_all(name, target)

    atheris.Setup([sys.argv[0], *sys.argv[2:], str(corpus)], one)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
