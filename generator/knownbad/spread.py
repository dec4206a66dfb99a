"""Work spread over processes by joblib: on this machine (`loky`), or on a cluster of Dask or Ray."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from .errors import BadInput, Exit, Problem

BACKENDS = ("loky", "dask", "ray")
PATIENCE = 15
"""Seconds that a scheduler has to answer."""
ROUND = 4
"""How many pieces of work each process of a cluster gets in one round."""


@dataclass(frozen=True, slots=True)
class Spread:
    """Where the work is done: how many processes (on a cluster: at most), and the cluster's scheduler."""

    jobs: int = 1
    backend: str = "loky"
    scheduler: str | None = None

    @property
    def here(self) -> bool:
        """Whether everything is done in this process."""
        return self.jobs == 1 and self.backend == "loky"


def spread(function: Callable[..., Any], work: Sequence[tuple[Any, ...]], where: Spread) -> Iterator[Any]:
    """The results of `function` for each tuple of arguments, in no order. Raises BadInput when there is no cluster."""
    if where.here or len(work) < 2 and where.backend == "loky":
        yield from (function(*args) for args in work)
        return
    import joblib

    if where.backend == "loky":
        pool = joblib.Parallel(n_jobs=where.jobs, backend="loky", return_as="generator_unordered")
        yield from pool(joblib.delayed(function)(*args) for args in work)
        return
    with _cluster(where), joblib.parallel_config(where.backend, n_jobs=where.jobs):
        # These backends give results only when all are there, so there is a round for each step of the progress.
        pool, size = joblib.Parallel(), ROUND * joblib.effective_n_jobs(where.jobs)
        for start in range(0, len(work), size):
            yield from pool(joblib.delayed(function)(*args) for args in work[start : start + size])


@contextmanager
def _cluster(where: Spread) -> Iterator[None]:
    if where.backend == "dask":
        try:
            from distributed import Client
        except ImportError:
            raise _missing("dask", "distributed") from None
        try:
            client = Client(where.scheduler, timeout=PATIENCE) if where.scheduler else Client(processes=True)
        except (OSError, ValueError) as error:
            problem = Problem(f"no Dask scheduler answers: {error}", where.scheduler)
            raise BadInput(problem, Exit.UNREACHABLE) from None
        with client:
            yield
    elif where.backend == "ray":
        try:
            import ray
            from ray.util.joblib import register_ray
        except ImportError:
            raise _missing("ray", "ray") from None
        ray.init(address=where.scheduler or None, ignore_reinit_error=True, log_to_driver=False)
        register_ray()
        yield
    else:
        yield


def _missing(backend: str, package: str) -> BadInput:
    return BadInput(
        Problem(f"--backend {backend} needs the package {package}", fix=f"pip install 'knownbad[{backend}]'")
    )
