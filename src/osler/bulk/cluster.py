"""A Dask cluster: one of local processes, or any that a scheduler's address names.

Work is given out a little ahead of what has come back (``window``), so that memory stays bounded
however fast the workers are, and comes back in the order in which it was given.
"""

from __future__ import annotations

import contextlib
import logging
import os
import platform
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from importlib.metadata import PackageNotFoundError, version
from types import TracebackType
from typing import Any, TypeVar

from osler.errors import AwayError, InputError, MissingExtra, RefusedError

log = logging.getLogger(__name__)

Context = TypeVar("Context")
LOCAL = "local"
SECONDS = 15
"""How long a scheduler, and its first worker, may take to answer."""
AGAIN = 3
"""How often work is given out again whose data was lost with a worker."""


class Cluster:
    """Workers to give work to; a context manager."""

    def __init__(self, address: str = LOCAL) -> None:
        try:
            import distributed
        except ImportError:
            raise MissingExtra("bulk work on a cluster", "dask") from None
        self._distributed = distributed
        # It tells every connection to whoever listens to the root logger.
        logging.getLogger("distributed").setLevel(logging.ERROR)
        self._stack = contextlib.ExitStack()
        try:
            self._connect(address)
            self._check()
        except BaseException:
            self._stack.close()
            raise

    def _connect(self, address: str) -> None:
        target: Any = address
        if address == LOCAL or address.startswith(f"{LOCAL}:"):
            target = self._stack.enter_context(self._local(address))
        try:
            self.client = self._stack.enter_context(
                self._distributed.Client(target, timeout=SECONDS, set_as_default=False)
            )
            self.client.wait_for_workers(1, timeout=SECONDS)
        except (OSError, TimeoutError) as error:
            what = "has no workers" if hasattr(self, "client") else "does not answer"
            raise AwayError(
                f"the Dask scheduler at {address} {what}",
                cure="start one with dask scheduler and dask worker, or take --on local",
            ) from error
        except ValueError:
            raise InputError(
                f"{address!r} is no address of a Dask scheduler",
                cure="such as tcp://host:8786, or local, or local:4 for four processes",
            ) from None

    def _local(self, address: str) -> Any:
        """Processes on this machine, of one thread each."""
        given = address.partition(":")[2]
        if given and not (given.isdigit() and int(given)):
            raise InputError(f"{address!r} names no number of processes", cure="such as local:2")
        single = dict.fromkeys(
            ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OSLER_THREADS"), "1"
        )
        with self._quiet():
            return self._distributed.LocalCluster(
                # Whoever reaches a scheduler can run code on it, and every user of the machine
                # reaches the loopback: the keys are made for this cluster and stay in memory.
                security=self._security(),
                protocol="tls://",
                n_workers=int(given) if given else os.cpu_count() or 1,
                threads_per_worker=1,
                processes=True,
                host="127.0.0.1",
                # None would still open a web server, on a port that two clusters fight over.
                dashboard_address="127.0.0.1:0",
                scheduler_kwargs={"dashboard": False},
                env=single,
                silence_logs=logging.ERROR,
            )

    def _security(self) -> Any:
        try:
            return self._distributed.security.Security.temporary()
        except ImportError:
            raise MissingExtra("bulk work on a cluster", "dask") from None

    def _quiet(self) -> Any:
        import dask

        return dask.config.set(
            {
                "distributed.admin.system-monitor.gil.enabled": False,
                # Dask cannot be told to open no web server, but to have nothing in it: what goes on
                # is nobody's business. A cluster of one's own may show its page.
                "distributed.scheduler.http.routes": [],
                "distributed.worker.http.routes": [],
            }
        )

    def _check(self) -> None:
        """The same osler everywhere, or rows of one version would stand beside another's."""
        own = version("osler")
        python = platform.python_version_tuple()[:2]
        try:
            versions = dict(self.client.run(version, "osler"))
            versions["the scheduler"] = self.client.run_on_scheduler(version, "osler")
            pythons = self.client.run(platform.python_version_tuple)
        except (PackageNotFoundError, ImportError):
            raise RefusedError(
                "a worker or the scheduler has no osler", cure=f"install osler {own} there"
            ) from None
        for where, installed in versions.items():
            if installed != own:
                raise RefusedError(
                    f"{where} has osler {installed}, this is osler {own}",
                    cure="install the same version everywhere",
                )
        for where, installed in pythons.items():
            if tuple(installed[:2]) != tuple(python):
                raise RefusedError(
                    f"{where} runs Python {'.'.join(installed[:2])}, this is {'.'.join(python)}",
                    cure="take the same Python everywhere",
                )

    @property
    def window(self) -> int:
        """Pieces of work that may be on their way: enough that no worker waits for the writer."""
        threads: int = sum(self.client.nthreads().values())
        return 2 * max(1, threads) + 1

    def map(
        self, function: Callable[..., Any], work: Iterable[tuple[Context, tuple[Any, ...]]]
    ) -> Iterator[tuple[Context, Any]]:
        """What ``function`` makes of each piece of work, with what the writer keeps beside it."""
        waiting: deque[tuple[Context, tuple[Any, ...], Any]] = deque()
        try:
            for context, arguments in work:
                waiting.append((context, arguments, self.submit(function, *arguments)))
                while len(waiting) >= self.window:
                    first, given, future = waiting.popleft()
                    yield first, self.result(future, function, given)
            while waiting:
                first, given, future = waiting.popleft()
                yield first, self.result(future, function, given)
        finally:
            # Whoever stops in the middle does not pay for what is still to come.
            for _, _, future in waiting:
                future.cancel()

    def submit(self, function: Callable[..., Any], *arguments: Any) -> Any:
        return self.client.submit(function, *arguments, pure=False)

    def result(self, future: Any, function: Callable[..., Any], given: tuple[Any, ...]) -> Any:
        """The outcome; work that was lost with its worker is given out again."""
        for _ in range(AGAIN):
            try:
                return future.result()
            except self._distributed.KilledWorker:
                raise AwayError(
                    "workers died again and again over the same piece of work",
                    cure="give them more memory; the same command goes on where it stopped",
                ) from None
            except self._distributed.CancelledError:
                log.info("work was lost with its worker and is given out again")
                self.client.wait_for_workers(1, timeout=SECONDS)
                future = self.submit(function, *given)
            except (OSError, TimeoutError):
                break
        raise AwayError(
            "the Dask scheduler does not answer any more",
            cure="the same command goes on where it stopped",
        )

    def close(self) -> None:
        self._stack.close()

    def __enter__(self) -> Cluster:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
