"""Bulk work on a Dask cluster: reading, linking and embedding, applied in order by one writer."""
