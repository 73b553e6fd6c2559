"""What `add` and `embed` give to a cluster's workers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from osler.bulk.cluster import Cluster
from osler.bulk.work import Encoding, Linking, ReadingAhead
from osler.files.reader import Item, Reader
from osler.files.source import Source
from osler.store.ledger import DONE, Ledger

if TYPE_CHECKING:
    from osler.text.encoder import Encoder


def reading(
    cluster: Cluster,
    ledger: Ledger,
    sources: Sequence[Source],
    *,
    format: str | None,
    again: bool,
    options: Mapping[str, Any],
) -> Callable[[Reader, Source], Iterator[Item]]:
    """Files that were not read before, read ahead of the writer."""

    def wanted(fingerprint: str) -> bool:
        entry = ledger.find(fingerprint)
        return again or entry is None or entry.state != DONE

    return ReadingAhead(cluster, sources, format=format, options=options, wanted=wanted).items


def linking(cluster: Cluster) -> Linking:
    return Linking(cluster)


def encoding(cluster: Cluster, encoder: str | Path | Encoder, fingerprint: str) -> Encoding:
    return Encoding(cluster, encoder, fingerprint)
