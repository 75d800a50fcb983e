"""Many files: order, broken files, killed workers, resuming."""

import functools
import json
import os
import signal
import sys
from pathlib import Path

import pytest

import sinew_ik as sk
from sinew_ik import corpus


def dies_once(path: str, marker: str) -> dict:
    """Kills its own process the first time that it sees the third file."""
    if path.endswith("2.bvh") and not os.path.exists(marker):
        Path(marker).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return corpus.describe(path)


def always_dies(path: str) -> dict:
    if path.endswith("2.bvh"):
        os.kill(os.getpid(), signal.SIGKILL)
    return corpus.describe(path)


@pytest.fixture(scope="module")
def motions(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    folder = tmp_path_factory.mktemp("motions")
    human = sk.rig("humanoid")
    for i in range(5):
        sk.walk(human, seconds=0.3 + 0.1 * i, rate=30.0).save(folder / f"{i}.bvh")
    return [str(folder / f"{i}.bvh") for i in range(5)]


def stripped(rows: list) -> list:
    return [{k: v for k, v in row.items() if k not in ("seconds", "attempts")} for row in rows]


def test_processes_give_what_one_process_gives_and_a_broken_file_is_a_row(motions, tmp_path):
    broken = tmp_path / "broken.bvh"
    broken.write_text("HIERARCHY\nROOT a\n{\n OFFSET 0 0 x\n")
    paths = [motions[0], str(broken), *motions[1:], str(tmp_path / "missing.bvh")]
    one = corpus.map_motions(paths, corpus.describe, executor="serial")
    two = corpus.map_motions(paths, corpus.describe, workers=2, progress=False)
    assert stripped(one) == stripped(two)
    assert [row["path"] for row in two] == paths
    assert [row["status"] for row in two] == ["ok", "failed", "ok", "ok", "ok", "ok", "failed"]
    assert "line 4" in two[1]["reason"] and "missing.bvh" in two[-1]["reason"]


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
def test_nothing_is_lost_when_a_worker_is_killed(motions, tmp_path):
    function = functools.partial(dies_once, marker=str(tmp_path / "died"))
    rows = corpus.map_motions(motions, function, workers=2)
    assert (tmp_path / "died").exists()
    assert [row["status"] for row in rows] == ["ok"] * 5 and max(row["attempts"] for row in rows) == 2
    rows = corpus.map_motions(motions, always_dies, workers=2)
    assert [row["status"] for row in rows] == ["ok", "ok", "failed", "ok", "ok"]
    assert "died 3 times" in rows[2]["reason"]


def test_a_pool_that_breaks_between_two_files_loses_none(motions, monkeypatch):
    # A worker that dies while another one ends breaks the pool before the next file is handed to it.
    from concurrent.futures import Future
    from concurrent.futures.process import BrokenProcessPool

    class Pool:
        given = 0

        def __init__(self, *_, **__): ...
        def __enter__(self):
            return self

        def __exit__(self, *_): ...
        def submit(self, function, *arguments):
            Pool.given += 1
            if Pool.given in (1, 4):
                raise BrokenProcessPool("a worker died")
            future = Future()
            future.set_result(function(*arguments))
            return future

    monkeypatch.setattr(corpus, "ProcessPoolExecutor", Pool)
    rows = corpus.map_motions(motions, corpus.describe, workers=2)
    assert [row["status"] for row in rows] == ["ok"] * 5 and [row["path"] for row in rows] == motions


def not_for_json(path: str) -> dict:
    return {"rig": sk.rig("arm")} if path.endswith("1.bvh") else corpus.describe(path)


def test_a_result_that_json_cannot_hold_is_a_row(motions, tmp_path):
    rows = corpus.map_motions(motions[:3], not_for_json, executor="serial", manifest=tmp_path / "rows.jsonl")
    assert [row["status"] for row in rows] == ["ok", "failed", "ok"] and "cannot be kept" in rows[1]["reason"]
    assert len((tmp_path / "rows.jsonl").read_text().splitlines()) == 3


def test_no_output_replaces_another_or_the_input(motions, tmp_path, capsys):
    sk.load(motions[0]).save(tmp_path / "a.bvh")
    sk.load(motions[0]).save(tmp_path / "a.glb")
    both = ["convert", str(tmp_path / "a.bvh"), str(tmp_path / "a.glb"), "--executor", "serial"]
    with pytest.raises(SystemExit):
        corpus.main([*both, "-o", str(tmp_path / "out")])
    assert "would both become" in capsys.readouterr().err
    assert corpus.main([*both, "-o", str(tmp_path / "out"), "--keep-endings"]) == 0
    assert sorted(p.name for p in (tmp_path / "out").glob("*.bvh")) == ["a.bvh.bvh", "a.glb.bvh"]
    before = (tmp_path / "a.bvh").read_bytes()
    assert corpus.main(["convert", str(tmp_path / "a.bvh"), "-o", str(tmp_path), "--executor", "serial"]) == 1
    assert "would replace the file" in capsys.readouterr().err and (tmp_path / "a.bvh").read_bytes() == before


def test_a_run_goes_on_where_it_was(motions, tmp_path, capsys):
    out = tmp_path / "out"
    command = ["reconstruct", *motions[:3], "-o", str(out), "--executor", "serial"]
    assert corpus.main(command) == 0
    manifest = out / "manifest.jsonl"
    lines = manifest.read_text().splitlines()
    assert len(lines) == 3 and (out / "1.bvh").exists()
    first = [(out / f"{i}.bvh").read_bytes() for i in range(3)]
    # Cut off in the middle of a line.
    manifest.write_text("\n".join(lines[:2]) + "\n" + lines[2][:20])
    (out / "2.bvh").unlink()
    assert corpus.main(command) == 0
    assert [(out / f"{i}.bvh").read_bytes() for i in range(3)] == first
    again = manifest.read_text().splitlines()
    assert again[:2] == lines[:2] and len(again) == 3
    row = json.loads(again[2])
    assert row["result"]["position_error"] < 0.1 and row["status"] == "ok"
    assert "3 of 3 files" in capsys.readouterr().out


def test_other_formats(motions, tmp_path):
    pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    import pyarrow.parquet

    assert corpus.main(["convert", motions[0], "-o", str(tmp_path), "--format", "parquet", "--executor", "serial"]) == 0
    table = pyarrow.parquet.read_table(tmp_path / "0.parquet")
    frames, joints = sk.load(motions[0]).motion()[0].shape[:2]
    assert table.num_rows == frames * joints


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
def test_ray_gives_the_same_and_loses_nothing(motions, tmp_path):
    ray = pytest.importorskip("ray", reason="ray is not installed")
    here = Path(__file__).parent
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, runtime_env={"env_vars": {"PYTHONPATH": str(here)}})
    try:
        function = functools.partial(dies_once, marker=str(tmp_path / "died"))
        rows = corpus.map_motions(motions, function, executor="ray", workers=2)
        wanted = corpus.map_motions(motions, function, executor="serial")
        assert stripped(rows) == stripped(wanted) and max(row["attempts"] for row in rows) == 2
    finally:
        ray.shutdown()
