"""The demo's records are what the simulator writes."""

from __future__ import annotations

from importlib import resources
from pathlib import Path

from osler_papers.simulator import simulate


def test_the_demo_holds_what_the_simulator_writes(tmp_path: Path) -> None:
    simulate(tmp_path, scale=0.02, topics=("medications", "relations", "risk"))
    shipped = Path(str(resources.files("osler.demo"))) / "records"
    names = {
        folder: {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}
        for folder in (tmp_path, shipped)
    }
    assert names[shipped] == names[tmp_path]
    for name in names[shipped]:
        assert (shipped / name).read_bytes() == (tmp_path / name).read_bytes(), name
