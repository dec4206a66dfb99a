"""`knownbad mutate` as a run: the same bytes from any processes, caches, progress, interrupts, clusters."""

from __future__ import annotations

import importlib.util
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from knownbad.config import project
from knownbad.errors import Exit
from knownbad.mutate import MutateOptions, cache_of, mutate
from knownbad.produce import tasks
from mutating import D20, PAYMENT, report, write
from test_cli import process, run, tree

# ---- the same bytes


def printed(home: Path, *arguments: object, **env: str) -> str:
    done = process("-m", "knownbad", "mutate", "--format", "json", *arguments, cwd=home, **env)
    assert done.returncode in (0, 1), done.stdout + done.stderr
    return done.stdout


def test_the_bytes_depend_neither_on_processes_nor_on_caches_nor_on_hash_seeds(home: Path) -> None:
    write(home / "schemas/wide.schema.json", wide(40))  # more than one process is given at a time
    first = printed(home, "--no-cache", PYTHONHASHSEED="1")
    assert json.loads(first)["contracts"][1]["mutants"] > 300
    assert not (home / ".knownbad_cache").exists()
    assert printed(home, "--jobs", "2", "--no-cache", PYTHONHASHSEED="2", LC_ALL="C") == first
    assert printed(home, PYTHONHASHSEED="3") == first
    assert (home / ".knownbad_cache").is_dir()
    assert printed(home, "--jobs", "2", PYTHONHASHSEED="4") == first
    assert printed(home) == first
    for name in ("answers.sqlite", "answers.sqlite-wal", "answers.sqlite-shm"):
        (home / ".knownbad_cache" / name).write_bytes(random.Random(7).randbytes(5000))
    assert printed(home) == first


def test_several_contracts_of_like_size_go_to_processes_whole(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from knownbad import mutate as job

    for number in range(3):
        write(home / f"schemas/wide{number}.schema.json", wide(12))
    whole: list[str] = []
    together = job._together
    monkeypatch.setattr(job, "_together", lambda *given: whole.append("whole") or together(*given))
    assert report("--root", home, "--no-cache", "--jobs", "2") == report("--root", home, "--no-cache")
    assert whole == ["whole"]


def test_a_cache_that_cannot_be_is_as_none(home: Path) -> None:
    first = report("--root", home, "--no-cache")
    (home / ".knownbad_cache").write_text("a file")
    assert report("--root", home) == first
    (home / ".knownbad_cache").unlink()
    (home / ".knownbad_cache/answers.sqlite").mkdir(parents=True)
    assert report("--root", home) == first


def test_a_cache_is_only_made_in_a_project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    schema = write(tmp_path / "payment.json", PAYMENT)
    report("--schema", schema)
    assert set(tree(tmp_path)) == {"payment.json"}


def test_a_second_run_after_an_edit_asks_only_what_the_edit_can_change(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from knownbad import check

    asked: list[str] = []
    answer = check.find
    monkeypatch.setattr(check, "find", lambda engine, m: asked.append(m.class_) or answer(engine, m))
    report("--root", home)
    assert asked
    asked.clear()
    report("--root", home)
    assert asked == []


def test_answers_about_large_schemas_from_an_earlier_run_count_as_asked(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise a second run would ask others, and tell more than the first."""
    from knownbad import prove

    monkeypatch.setattr(prove, "LARGE", 0)
    monkeypatch.setattr(prove, "WHOLE", 2)
    monkeypatch.setattr(prove.Prover, "_by_places", lambda self, mutation: "")
    member = {"type": "object", "properties": {"a": {"const": 1}}, "required": ["a"], "minProperties": 1}
    hard = {
        "$schema": D20,
        "allOf": [member, {"minProperties": 1}, {"anyOf": [{"minProperties": 1}, {"type": "null"}]}],
    }
    write(home / "schemas/hard.schema.json", hard)
    first = report("--root", home, "--contract", "hard", "--no-cache")
    assert first["undecided"] > 0
    assert report("--root", home, "--contract", "hard") == first
    assert report("--root", home, "--contract", "hard") == first


def test_progress_is_told_up_to_the_last_mutant(home: Path) -> None:
    found = project(home)
    told: list[tuple[str, int, int]] = []
    checked = mutate(found, tasks(found), MutateOptions(cache=cache_of(found)), lambda *step: told.append(step))
    assert told[-1] == ("payment", len(checked.mutants), len(checked.mutants))
    assert [done for _, done, _ in told] == sorted(done for _, done, _ in told)


# ---- interrupts


def wide(count: int) -> dict[str, Any]:
    """An object of many properties."""
    kinds: tuple[dict[str, Any], ...] = (
        {"type": "string", "minLength": 1, "maxLength": 8, "pattern": "^[a-z]*$"},
        {"type": "array", "items": {"type": "integer", "minimum": 1}, "maxItems": 3},
        {"anyOf": [{"type": "null"}, {"enum": ["a", "b"]}]},
    )
    members = {f"member{n}": kinds[n % len(kinds)] for n in range(count)}
    return {"$schema": D20, "type": "object", "properties": members, "additionalProperties": False}


def children(pid: int) -> Iterator[int]:
    """All processes below one, as /proc tells."""
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[1]) == pid:
            child = int(path.parent.name)
            yield child
            yield from children(child)


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def hearing() -> None:
    """Ctrl-C is heard, also where the tests run in the background and ignore it."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc to see processes")
@pytest.mark.parametrize("whole_group", [True, False], ids=["Ctrl-C", "only the main process"])
def test_an_interrupt_ends_soon_with_130_and_leaves_nothing_behind(home: Path, whole_group: bool) -> None:
    write(home / "schemas/payment.schema.json", wide(600))
    for path in (home / "fixtures/payment/good.json", home / "negative/payment/unpaid.json"):
        path.unlink()
    (home / "negative/payment/number.json").write_text("7")
    before = tree(home)
    command = [sys.executable, "-m", "knownbad", "mutate", "-j", "2", "--write", "--no-cache"]
    env = {**os.environ, "PYTHONPATH": str(Path(mutate.__code__.co_filename).parents[1])}
    with subprocess.Popen(
        command, cwd=home, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True, text=True,
        preexec_fn=hearing,
    ) as running:  # fmt: skip
        deadline = time.monotonic() + 60
        while len(list(children(running.pid))) < 2 and time.monotonic() < deadline:
            time.sleep(0.05)
        time.sleep(1.5)
        workers = list(children(running.pid))
        assert len(workers) >= 2
        assert running.poll() is None, "the schema is too small for this test"
        begun = time.monotonic()
        if whole_group:
            os.killpg(running.pid, signal.SIGINT)
        else:
            running.send_signal(signal.SIGINT)
        try:
            _, errors = running.communicate(timeout=30)
        except subprocess.TimeoutExpired:
            os.killpg(running.pid, signal.SIGKILL)  # else leaving the block would wait for it
            raise
        took = time.monotonic() - begun
    assert running.returncode == 130, errors
    assert "interrupted" in errors
    assert "Traceback" not in errors
    assert took < 10
    until = time.monotonic() + 5
    while [pid for pid in workers if alive(pid)] and time.monotonic() < until:
        time.sleep(0.1)
    assert [pid for pid in workers if alive(pid)] == []
    assert tree(home) == before


# ---- clusters

CLUSTER = """\
import sys
from distributed import LocalCluster

if __name__ == "__main__":
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None, host="127.0.0.1") as cluster:
        print(cluster.scheduler_address, flush=True)
        sys.stdin.read()
"""


@pytest.fixture
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of the scheduler of a Dask cluster on this machine."""
    pytest.importorskip("distributed")
    folder = tmp_path_factory.mktemp("cluster")
    script = write(folder / "cluster.py", CLUSTER)
    path = str(Path(mutate.__code__.co_filename).parents[1])
    env = {**os.environ, "PYTHONPATH": path, "DASK_TEMPORARY_DIRECTORY": str(folder)}
    with subprocess.Popen(
        [sys.executable, str(script)], cwd=folder, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as running:
        assert running.stdout is not None
        assert running.stdin is not None
        yield running.stdout.readline().strip()
        running.stdin.close()
        running.wait(30)


@pytest.mark.slow
def test_a_dask_cluster_gives_the_same_bytes(home: Path, cluster: str) -> None:
    write(home / "schemas/wide.schema.json", wide(40))
    alone = printed(home, "--no-cache")
    assert cluster.startswith("tcp://")
    assert printed(home, "--no-cache", "--backend", "dask", "--scheduler", cluster, "--jobs", "2") == alone


@pytest.mark.slow
def test_ray_gives_the_same_bytes(home: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Only where ray is installed, which is large: `pip install 'knownbad[ray]'`."""
    if importlib.util.find_spec("ray") is None:
        pytest.skip("no ray here")
    alone = printed(home, "--no-cache")
    own = {"RAY_TMPDIR": str(tmp_path_factory.mktemp("ray")), "RAY_USAGE_STATS_ENABLED": "0",
           "PYTHONPATH": os.pathsep.join(sys.path)}  # fmt: skip
    assert printed(home, "--no-cache", "--backend", "ray", "--jobs", "2", **own) == alone


def test_a_scheduler_that_does_not_answer_is_unreachable(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    distributed = pytest.importorskip("distributed")

    def unanswered(address: str, **_: Any) -> None:
        raise OSError(f"timed out connecting to {address}")

    monkeypatch.setattr(distributed, "Client", unanswered)
    result = run("mutate", "--root", home, "--backend", "dask", "--scheduler", "tcp://127.0.0.1:1")
    assert result.exit_code == Exit.UNREACHABLE
    assert "no Dask scheduler answers" in result.stderr


def test_a_backend_that_is_not_installed_is_bad_input_with_a_fix(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for backend, package in (("dask", "distributed"), ("ray", "ray")):
        monkeypatch.setitem(sys.modules, package, None)
        result = run("mutate", "--root", home, "--backend", backend)
        assert result.exit_code == Exit.BAD_INPUT
        assert f"pip install 'knownbad[{backend}]'" in result.stderr
