"""Bulk work on a Dask cluster: reading, linking and embedding, applied in order by one writer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from osler.lazy import lazy

if TYPE_CHECKING:
    from osler.bulk.cluster import Cluster

__all__ = ["Cluster"]
__getattr__ = lazy(__name__, {"Cluster": "osler.bulk.cluster"})
