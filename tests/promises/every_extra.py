"""Everything that a package of somebody else stands behind, in one process: the encoder by ONNX
Runtime and by torch, Milvus Lite, Dask, the page, the tools for assistants.

    python every_extra.py WORK

Prints what ran and what was missing, one name a line. ``everyday.py`` has the verbs and commands.
"""

from __future__ import annotations

import runpy
import sys
import time
from collections.abc import Callable
from pathlib import Path

from osler import Library
from osler.kinds import Document

TESTS = Path(__file__).parent.parent
PAPERS = [Document(id=f"{n}", title=f"Aspirin in stroke and asthma, part {n}") for n in range(5)]
WAIT = 3.0
"""Seconds for threads that report behind a program's back."""


def make_bert(folder: Path) -> Path:
    """The tiny encoder of the tests of ``text``."""
    home = runpy.run_path(str(TESTS / "text" / "conftest.py"))
    made: Path = home["make_bert"](folder)
    return made


def encoders(work: Path) -> Path:
    from osler.text.encoder import load_encoder

    folder = make_bert(work / "encoder")
    load_encoder(str(folder)).encode(["aspirin in stroke"])
    return folder


def onnx(work: Path) -> None:
    """By ONNX Runtime, whatever else is installed."""
    from osler.text.bert import bert_shape, read_config
    from osler.text.onnx_runtime import OnnxRuntime

    folder = make_bert(work / "onnx")
    shape = bert_shape(read_config(folder))
    assert shape is not None
    OnnxRuntime(folder, shape, weights_hash="x", layers=2)


def neural(work: Path) -> None:
    import torch
    import transformers

    assert torch.zeros(1).sum() == 0
    transformers.AutoConfig.from_pretrained(encoders(work))


def vectors(work: Path) -> None:
    folder = encoders(work)
    with Library.create(work / "vectors", encoder=str(folder)) as library:
        library.add_documents(PAPERS)
        library.embed()
        library.search("aspirin", method="vectors")
        library.search("aspirin", method="hybrid")


def milvus(work: Path) -> None:
    with Library.create(work / "milvus", engine="milvus") as library:
        library.add_documents(PAPERS)
        assert library.search("asthma", method="words").hits


def dask(work: Path) -> None:
    from osler.bulk.cluster import Cluster

    with Cluster("local:1") as cluster:
        assert cluster.client.submit(abs, -1).result() == 1


def page(work: Path) -> None:
    from starlette.testclient import TestClient

    from osler.serve.app import create_app

    with TestClient(create_app(work / "milvus"), base_url="http://127.0.0.1") as client:
        assert client.get("/api/v1/search?q=asthma&method=words").status_code == 200
        assert client.get("/").status_code == 200


def tools(work: Path) -> None:
    from osler.serve import mcp

    mcp.create_server(work / "milvus")


def chinese(work: Path) -> None:
    import jieba

    jieba.setLogLevel(60)
    assert list(jieba.cut("高血压患者"))


STEPS: tuple[Callable[[Path], object], ...] = (
    onnx, encoders, vectors, neural, milvus, dask, page, tools, chinese,
)  # fmt: skip


def main() -> None:
    from osler.errors import MissingExtra

    work = Path(sys.argv[1])
    for number, step in enumerate(STEPS):
        folder = work if step in (page, tools, milvus) else work / str(number)
        folder.mkdir(exist_ok=True)
        try:
            step(folder)
        except (ImportError, MissingExtra) as error:
            print(f"missing {step.__name__}: {error}", flush=True)
        else:
            print(step.__name__, flush=True)
    time.sleep(WAIT)


if __name__ == "__main__":
    main()
