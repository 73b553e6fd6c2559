"""Servers that a test starts for itself on a free port of this machine, and ends with it."""

from __future__ import annotations

import contextlib
import os
import pwd
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path


class Unavailable(Exception):
    """The server cannot be had here; the message says why."""


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def wait_for(port: int, process: subprocess.Popen[bytes], seconds: float = 120) -> None:
    """Until somebody answers at the port."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline and process.poll() is None:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
    raise Unavailable(f"{process.args!r} does not start")


class MilvusServer:
    """Milvus Lite as a server of its own, to be killed and started again."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.port = free_port()
        self.process: subprocess.Popen[bytes] | None = None

    @property
    def uri(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        code = (
            "from milvus_lite.cmdline import main; import sys; "
            f"sys.exit(main(['server', '--data-dir', {str(self.folder)!r}, '--host', '127.0.0.1', "
            f"'--port', '{self.port}']))"
        )
        self.process = subprocess.Popen(
            [sys.executable, "-c", code], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        wait_for(self.port, self.process)

    def kill(self) -> None:
        if self.process is not None:
            self.process.send_signal(signal.SIGKILL)
            self.process.wait()
            self.process = None


@contextlib.contextmanager
def postgres(folder: Path) -> Iterator[str]:
    """The address of a PostgreSQL server with an empty database, under an account that may run
    one."""
    from sqlalchemy import create_engine
    from sqlalchemy.exc import DBAPIError

    try:
        import psycopg  # noqa: F401
    except ImportError:
        raise Unavailable("psycopg is not installed") from None
    initdb, server = _postgres_program("initdb"), _postgres_program("postgres")
    if initdb is None or server is None:
        raise Unavailable("PostgreSQL is not installed")
    account = _account(folder) if os.geteuid() == 0 else []
    data = str(folder / "data")
    initialised = subprocess.run(
        [*account, initdb, "-D", data, "-U", "osler", "-A", "trust", "-E", "UTF8", "--no-sync"],
        capture_output=True,
        cwd="/",
    )
    if initialised.returncode:
        raise Unavailable("PostgreSQL could not be set up here")
    port = free_port()
    listening = ["-p", str(port), "-h", "127.0.0.1", "-k", str(folder), "-F"]
    running = subprocess.Popen(
        [*account, server, "-D", data, *listening],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        cwd="/",
    )
    try:
        engine = create_engine(f"postgresql+psycopg://osler@127.0.0.1:{port}/postgres")
        deadline = time.monotonic() + 90
        while True:
            try:
                with engine.connect():
                    break
            except DBAPIError:
                if time.monotonic() > deadline or running.poll() is not None:
                    raise Unavailable("PostgreSQL did not start here") from None
                time.sleep(0.05)
        engine.dispose()
        yield f"postgresql://osler@127.0.0.1:{port}/postgres"
    finally:
        running.terminate()
        running.wait(timeout=30)


def _postgres_program(name: str) -> str | None:
    places = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"))
    return shutil.which(name) or (str(places[-1]) if places else None)


def _account(folder: Path) -> list[str]:
    """What stands before a command of the server, which refuses to run as root."""
    try:
        owner = pwd.getpwnam("postgres")
    except KeyError:
        raise Unavailable("there is no account to run PostgreSQL under") from None
    os.chown(folder, owner.pw_uid, owner.pw_gid)
    for parent in list(folder.parents)[:3]:
        parent.chmod(parent.stat().st_mode | 0o011)
    user, group = f"--reuid={owner.pw_uid}", f"--regid={owner.pw_gid}"
    return ["setpriv", user, group, "--clear-groups"]


@contextlib.contextmanager
def dask_cluster(folder: Path) -> Iterator[str]:
    """The address of a Dask scheduler with one worker."""
    if not shutil.which("dask", path=str(Path(sys.executable).parent)):
        raise Unavailable("Dask is not installed")
    port = free_port()
    address = f"tcp://127.0.0.1:{port}"
    dask = [sys.executable, "-m", "dask"]
    # A worker as a user would start it, with the weights that ship.
    env = {name: value for name, value in os.environ.items() if not name.startswith("OSLER_")}
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "env": env}
    scheduler = subprocess.Popen(
        [*dask, "scheduler", "--host", "127.0.0.1", "--port", str(port), "--no-dashboard"],
        cwd=folder,
        **quiet,  # type: ignore[call-overload]
    )
    worker: subprocess.Popen[bytes] | None = None
    try:
        wait_for(port, scheduler)
        one = ["--nworkers", "1", "--nthreads", "1", "--no-dashboard", "--no-nanny"]
        worker = subprocess.Popen([*dask, "worker", address, *one], cwd=folder, **quiet)  # type: ignore[call-overload]
        yield address
    finally:
        for process in (worker, scheduler):
            if process is not None:
                process.terminate()
                process.wait(timeout=30)
