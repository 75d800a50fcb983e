"""Many motion files at once: on a pool of processes, or on a Ray cluster.

>>> from sinew_ik import corpus
>>> corpus.map_motions([], corpus.describe)
[]

Every file becomes one row, in the order asked, whatever happened to it: a file that cannot be read is a row with its reason, and
a worker that dies is replaced and its file done again. With a manifest the rows are kept as they come, and a
run that was cut off goes on where it was.

From a shell::

    python -m sinew_ik.corpus reconstruct motions/*.bvh -o out --format glb
"""

from __future__ import annotations

import argparse
import functools
import glob
import json
import os
import sys
import time
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import Any, Callable, Iterable

import sinew_ik

__all__ = ["describe", "main", "map_motions", "run_job"]

#: How often a file is tried whose worker dies.
ATTEMPTS = 3

Row = dict[str, Any]


def describe(path: str) -> Row:
    """What a file holds: joints, motions, frames and seconds."""
    rig = sinew_ik.load(path)
    lengths = [(len(rotations), frame_time) for rotations, _, frame_time in map(rig.motion, range(len(rig.motion_names)))]
    return {
        "joints": len(rig.joint_names),
        "motions": len(lengths),
        "frames": sum(frames for frames, _ in lengths),
        "motion_seconds": sum(frames * frame_time for frames, frame_time in lengths),
    }


def _identity(function: Callable[..., Any]) -> str:
    """What tells one job from another in a manifest."""
    if isinstance(function, functools.partial):
        words = [repr(a) for a in function.args] + [f"{k}={v!r}" for k, v in sorted(function.keywords.items())]
        return f"{_identity(function.func)}({', '.join(words)})"
    return f"{getattr(function, '__module__', '?')}.{getattr(function, '__qualname__', repr(function))}"


def _key(path: str, identity: str) -> list[Any]:
    try:
        stat = os.stat(path)
        return [path, stat.st_size, stat.st_mtime_ns, identity]
    except OSError:
        return [path, -1, -1, identity]


def _one(function: Callable[[str], Row], path: str) -> Row:
    """Does one file; never raises, because a broken file is a row."""
    begun = time.perf_counter()
    try:
        result = function(path)
        row: Row = {"status": "ok", "reason": None, "result": result}
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException as error:  # a panic of the native part is no Exception
        row = {"status": "failed", "reason": f"{type(error).__name__}: {error}", "result": None}
    row["seconds"] = time.perf_counter() - begun
    return row


class _Manifest:
    """Rows as lines of JSON, added as they come."""

    def __init__(self, path: str | os.PathLike[str] | None) -> None:
        self.rows: dict[str, Row] = {}
        self.path = path
        self.file = None
        if path is None:
            return
        whole = 0
        if os.path.exists(path):
            with open(path, "rb") as old:
                for line in old:
                    try:
                        row = json.loads(line)
                        self.rows[json.dumps(row["key"])] = row
                        whole += len(line)
                    except (ValueError, KeyError, TypeError):
                        break  # the line that a killed run was writing
            os.truncate(path, whole)
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        self.file = open(path, "a", encoding="utf-8")

    def done(self, key: list[Any]) -> Row | None:
        row = self.rows.get(json.dumps(key))
        return row if row and row["status"] == "ok" else None

    def add(self, row: Row) -> Row:
        """Keeps a row and returns it; what JSON cannot hold is a failure of that row alone."""
        if self.file:
            try:
                line = json.dumps(row)
            except (TypeError, ValueError) as error:
                row = {**row, "status": "failed", "reason": f"the result cannot be kept: {error}", "result": None}
                line = json.dumps(row)
            self.file.write(line + "\n")
            self.file.flush()
        return row

    def close(self) -> None:
        if self.file:
            self.file.close()


class _Bar:
    """A line on a terminal."""

    def __init__(self, total: int, shown: bool) -> None:
        self.total, self.done, self.failed = total, 0, 0
        self.shown = shown and total > 0 and sys.stderr.isatty()
        self.begun = time.perf_counter()

    def step(self, row: Row) -> None:
        self.done += 1
        self.failed += row["status"] != "ok"
        if self.shown:
            rate = self.done / max(time.perf_counter() - self.begun, 1e-9)
            part = 30 * self.done // self.total
            bar = "#" * part + "." * (30 - part)
            end = "\n" if self.done == self.total else ""
            print(f"\r[{bar}] {self.done}/{self.total}, {self.failed} failed, {rate:.1f} a second ", end=end, file=sys.stderr, flush=True)


def map_motions(
    paths: Iterable[str | os.PathLike[str]],
    function: Callable[[str], Row],
    *,
    executor: str = "processes",
    workers: int | None = None,
    manifest: str | os.PathLike[str] | None = None,
    progress: bool = True,
) -> list[Row]:
    """Calls ``function`` with every path and returns a row for each, in the order of the paths.

    :param paths: Files.
    :param function: Takes a path and returns what JSON can hold; it goes to other processes, so it is a function of a module, or a
        ``functools.partial`` of one.
    :param executor: ``"processes"``, ``"ray"`` (a cluster, or this machine if none is connected) or ``"serial"``.
    :param workers: How many; as many as there are cores if none.
    :param manifest: A file that rows are added to as they come. What is in it already, for the same file and job, is not
        done again.
    :param progress: Whether a terminal shows a bar.

    A row has ``path``, ``status`` (``"ok"`` or ``"failed"``), ``reason``, ``result``, ``seconds`` and ``attempts``.
    """
    run = {"processes": _processes, "ray": _ray, "serial": _serial}.get(executor)
    if run is None:
        raise ValueError(f"executor: {executor!r}; expected 'processes', 'ray' or 'serial'")
    if workers is not None and workers < 1:
        raise ValueError(f"workers: {workers}; expected one or more")
    if not callable(function):
        raise TypeError(f"function: found {type(function).__name__}; expected a function of a path")
    names = [os.fsdecode(path) for path in paths]
    identity = _identity(function)
    keys = [_key(name, identity) for name in names]
    book = _Manifest(manifest)
    rows: list[Row | None] = [book.done(key) for key in keys]
    todo = [i for i, row in enumerate(rows) if row is None]
    bar = _Bar(len(todo), progress)

    def finish(i: int, row: Row, attempts: int) -> None:
        row = {"path": names[i], **row, "attempts": attempts, "key": keys[i]}
        rows[i] = row = book.add(row)
        bar.step(row)

    try:
        run(function, names, todo, workers or os.cpu_count() or 1, finish)
    finally:
        book.close()
    return [row for row in rows if row is not None]


def _serial(function: Callable[[str], Row], names: list[str], todo: list[int], workers: int, finish: Callable[..., None]) -> None:
    for i in todo:
        finish(i, _one(function, names[i]), 1)


def _died(attempts: int) -> Row:
    return {"status": "failed", "reason": f"the worker died {attempts} times on this file", "result": None, "seconds": 0.0}


def _processes(function: Callable[[str], Row], names: list[str], todo: list[int], workers: int, finish: Callable[..., None]) -> None:
    import multiprocessing

    # A fresh interpreter for each: a copy of this one would have its threads' locks without the threads.
    context = multiprocessing.get_context("spawn")
    attempts = dict.fromkeys(todo, 0)
    waiting = list(reversed(todo))
    # Files whose worker died are tried again one at a time, so that a deadly file harms no other.
    suspects: list[int] = []
    while waiting or suspects:
        alone = not waiting
        queue = suspects if alone else waiting
        with ProcessPoolExecutor(1 if alone else min(workers, len(queue)), mp_context=context) as pool:
            running: dict[Any, int] = {}
            try:
                while queue or running:
                    # Few at a time: what is on its way when a worker dies is to be done again.
                    while queue and len(running) < (1 if alone else 2 * workers):
                        # It is taken off the queue when it is on its way: a pool that has broken takes nothing.
                        running[pool.submit(_one, function, names[queue[-1]])] = queue[-1]
                        attempts[queue.pop()] += 1
                    for future in wait(running, return_when=FIRST_COMPLETED).done:
                        i = running[future]
                        row = _unless_unpicklable(future)
                        del running[future]
                        finish(i, row, attempts[i])
            except BrokenProcessPool:
                for future, i in running.items():
                    if future.done() and future.exception() is None:
                        finish(i, future.result(), attempts[i])
                    elif attempts[i] >= ATTEMPTS:
                        finish(i, _died(attempts[i]), attempts[i])
                    else:
                        suspects.append(i)


def _unless_unpicklable(future: Any) -> Row:
    try:
        row: Row = future.result()
        return row
    except BrokenProcessPool:
        raise
    except Exception as error:
        return {"status": "failed", "reason": f"{type(error).__name__}: {error}", "result": None, "seconds": 0.0}


def _ray(function: Callable[[str], Row], names: list[str], todo: list[int], workers: int, finish: Callable[..., None]) -> None:
    try:
        import ray
    except ImportError:
        raise ImportError("executor='ray' needs the package ray: pip install 'sinew-ik[ray]'") from None
    if not ray.is_initialized():
        ray.init(num_cpus=workers, include_dashboard=False, log_to_driver=False)
    # A worker that is killed, and a machine that goes with all of its workers.
    lost = (ray.exceptions.WorkerCrashedError, ray.exceptions.NodeDiedError, ray.exceptions.ObjectLostError)
    task = ray.remote(_one).options(num_cpus=1, max_retries=0)
    attempts = dict.fromkeys(todo, 0)
    waiting = list(reversed(todo))
    running: dict[Any, int] = {}
    while waiting or running:
        while waiting and len(running) < 2 * workers:
            i = waiting.pop()
            attempts[i] += 1
            running[task.remote(function, names[i])] = i
        for reference in ray.wait(list(running))[0]:
            i = running.pop(reference)
            try:
                finish(i, ray.get(reference), attempts[i])
            except lost:
                if attempts[i] >= ATTEMPTS:
                    finish(i, _died(attempts[i]), attempts[i])
                else:
                    waiting.append(i)
            except ray.exceptions.RayError as error:
                row = {"status": "failed", "reason": f"{type(error).__name__}: {error}", "result": None, "seconds": 0.0}
                finish(i, row, attempts[i])


def _save(rig: sinew_ik.Rig, path: str) -> list[str]:
    """Writes a motion in the format that the ending says; Parquet has a row for each frame and joint."""
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    if not path.endswith(".parquet"):
        return rig.save(path)
    import numpy as np
    import pyarrow
    import pyarrow.parquet

    rotations, translations, frame_time = rig.motion()
    frames, joints = rotations.shape[:2]
    columns: dict[str, Any] = {
        "frame": np.repeat(np.arange(frames, dtype=np.int32), joints),
        "joint": np.tile(np.arange(joints, dtype=np.int32), frames),
    }
    for k, name in enumerate(["qx", "qy", "qz", "qw"]):
        columns[name] = np.ascontiguousarray(rotations[..., k].ravel())
    for k, name in enumerate(["x", "y", "z"]):
        columns[name] = np.ascontiguousarray(translations[..., k].ravel())
    about = {"joint_names": json.dumps(rig.joint_names), "frame_time": repr(frame_time)}
    table = pyarrow.table(columns).replace_schema_metadata(about)
    # Whole or not at all, also where two workers write the same file.
    part = f"{path}.{os.getpid()}.part"
    pyarrow.parquet.write_table(table, part)
    os.replace(part, path)
    return []


def _output(path: str, root: str, output: str, format: str, keep_ending: bool) -> str:
    """Where the result of a file goes: below ``output``, in the folder that it has below ``root``."""
    name = os.path.relpath(path, root)
    return os.path.join(output, (name if keep_ending else os.path.splitext(name)[0]) + "." + format)


def run_job(
    path: str,
    *,
    job: str,
    root: str,
    output: str,
    format: str,
    options: tuple[tuple[str, Any], ...] = (),
    keep_ending: bool = False,
) -> Row:
    """Reads a motion, does a job with it and writes the result below ``output``, in the folder that it has below ``root``.

    With ``keep_ending`` the result of ``a.amc`` is ``a.amc.bvh``, which tells it from that of ``a.glb``.
    """
    given = dict(options)
    place = _output(path, root, output, format, keep_ending)
    if os.path.exists(place) and os.path.samefile(place, path):
        raise ValueError(f"the result would replace the file that is read; choose another folder than {output!r}")
    rig = sinew_ik.load(path)
    figures: Row = {}
    if job == "reconstruct":
        rig, told = sinew_ik.reconstruct(rig, **given)
        figures = {key: told[key] for key in ("frames", "position_error", "orientation_error", "filled", "missed")}
    elif job == "plant":
        rig, told = sinew_ik.plant(rig, **given)
        figures = {key: told[key] for key in ("drift", "depth", "lowered")}
        figures["contacts"] = len(told["contacts"])
    elif job == "filter":
        rig = sinew_ik.filter(rig, **given)
    elif job == "transfer":
        name = given["onto"]
        onto = sinew_ik.load(name) if os.path.exists(name) else sinew_ik.rig(name)
        rig = sinew_ik.transfer(rig, onto)
    elif job != "convert":
        raise ValueError(f"job: {job!r}; expected reconstruct, plant, filter, transfer or convert")
    figures["notes"] = _save(rig, place)
    figures["output"] = place
    return figures


def main(arguments: list[str] | None = None) -> int:
    """The command ``python -m sinew_ik.corpus``; returns how it ended: 0, or 1 if a file failed."""
    parser = argparse.ArgumentParser(prog="python -m sinew_ik.corpus", description="Does a job with many motion files.")
    parser.add_argument("job", choices=["reconstruct", "plant", "filter", "transfer", "convert"])
    parser.add_argument("inputs", nargs="+", metavar="FILE", help="files, folders or patterns")
    parser.add_argument("-o", "--output", required=True, metavar="FOLDER")
    parser.add_argument("--format", default="bvh", choices=["bvh", "glb", "parquet"])
    parser.add_argument("--executor", default="processes", choices=["processes", "ray", "serial"])
    parser.add_argument("--workers", type=int)
    parser.add_argument("--points", action="append", help="reconstruct: which points are taken, such as six or head")
    parser.add_argument("--method", help="reconstruct: by which method")
    parser.add_argument("--ground", help="plant: on which ground")
    parser.add_argument("--character", help="filter: default, light or heavy")
    parser.add_argument("--onto", help="transfer: the body, a file or a rig by name")
    parser.add_argument("--keep-endings", action="store_true", help="a.amc becomes a.amc.bvh, beside that of a.glb")
    parser.add_argument("--manifest", help="where rows are kept; manifest.jsonl in the output folder by default")
    given = parser.parse_args(arguments)
    if given.job == "transfer" and not given.onto:
        parser.error("transfer needs --onto")
    paths: list[str] = []
    for name in given.inputs:
        if os.path.isdir(name):
            endings = (".bvh", ".amc", ".glb", ".gltf", ".vrm", ".vrma")
            paths += sorted(str(p) for p in Path(name).rglob("*") if p.suffix.lower() in endings)
        else:
            paths += sorted(glob.glob(name)) or [name]
    paths = list(dict.fromkeys(os.path.abspath(path) for path in paths))
    root = os.path.commonpath([os.path.dirname(path) for path in paths]) if paths else "."
    mine = {"reconstruct": ["points", "method"], "plant": ["ground"], "filter": ["character"], "transfer": ["onto"]}
    options = tuple((k, getattr(given, k)) for k in mine.get(given.job, []) if getattr(given, k) is not None)
    taken: dict[str, str] = {}
    for path in paths:
        place = _output(path, root, given.output, given.format, given.keep_endings)
        other = taken.setdefault(place, path)
        if other != path:
            parser.error(f"{other} and {path} would both become {place}; --keep-endings tells them apart")
    job = functools.partial(run_job, job=given.job, root=root, output=given.output, format=given.format, options=options)
    if given.keep_endings:
        job = functools.partial(job, keep_ending=True)
    os.makedirs(given.output, exist_ok=True)
    manifest = given.manifest or os.path.join(given.output, "manifest.jsonl")
    begun = time.perf_counter()
    rows = map_motions(paths, job, executor=given.executor, workers=given.workers, manifest=manifest)
    took = time.perf_counter() - begun
    failed = [row for row in rows if row["status"] != "ok"]
    for row in failed:
        print(f"{row['path']}: {row['reason']}", file=sys.stderr)
    print(f"{len(rows) - len(failed)} of {len(rows)} files in {took:.1f} s; {manifest}")
    return 1 if failed else 0


if __name__ == "__main__":
    # By its real name, which the workers can import.
    import sinew_ik.corpus

    raise SystemExit(sinew_ik.corpus.main())
