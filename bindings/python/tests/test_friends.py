"""Other people's viewers and robots, each in a short example that needs no screen."""

import sys
import types

import numpy as np
import pytest

import sinew_ik as sk
from sinew_ik import show

from conftest import ROBOT


def test_a_module_of_robot_descriptions(tmp_path, monkeypatch):
    path = tmp_path / "three.urdf"
    path.write_text(ROBOT)
    module = types.ModuleType("robot_descriptions.three_description")
    module.URDF_PATH = str(path)
    assert sk.load(module).q_names == ["turn", "shoulder", "elbow"]
    monkeypatch.setitem(sys.modules, "robot_descriptions", types.ModuleType("robot_descriptions"))
    monkeypatch.setitem(sys.modules, "robot_descriptions.three_description", module)
    assert sk.load("three_description").dof == 3
    with pytest.raises(sk.SinewError, match="no such module"):
        sk.load("nobody_description")


def test_rerun(robot, tmp_path):
    rerun = pytest.importorskip("rerun", reason="rerun-sdk is not installed")
    recording = rerun.RecordingStream("sinew_ik")
    recording.save(tmp_path / "three.rrd")
    show.log_rerun(robot, np.linspace([0, 0, 0], [1, 1, 1], 10), recording=recording)
    recording.flush()
    assert (tmp_path / "three.rrd").stat().st_size > 0


def test_viser(robot):
    viser = pytest.importorskip("viser", reason="viser is not installed")
    server = viser.ViserServer(host="127.0.0.1", port=0, verbose=False)
    try:
        handle = show.add_viser(server, robot)
        handle.points = show.bones(robot, [0.1, 0.2, 0.3]).astype(np.float32)
    finally:
        server.stop()
