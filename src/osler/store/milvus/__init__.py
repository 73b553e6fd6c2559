"""The engine on Milvus: a file (Milvus Lite) or a cluster, by the same code."""
