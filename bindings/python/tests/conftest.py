"""What several tests use."""

import numpy as np
import pytest

import sinew_ik as sk

ROBOT = """<robot name="three">
  <link name="base"/><link name="upper"/><link name="lower"/><link name="tool"/>
  <joint name="turn" type="continuous"><parent link="base"/><child link="upper"/><axis xyz="0 0 1"/></joint>
  <joint name="shoulder" type="revolute"><parent link="upper"/><child link="lower"/><origin xyz="0 0 0.5"/><axis xyz="0 1 0"/>
    <limit lower="-2" upper="2" effort="1" velocity="1.5"/></joint>
  <joint name="elbow" type="revolute"><parent link="lower"/><child link="tool"/><origin xyz="0 0 0.4"/><axis xyz="0 1 0"/>
    <limit lower="-2.5" upper="2.5" effort="1" velocity="2"/></joint>
  <link name="tip"/>
  <joint name="tip_joint" type="fixed"><parent link="tool"/><child link="tip"/><origin xyz="0 0 0.3"/></joint>
</robot>"""


@pytest.fixture(scope="session")
def arm() -> sk.Rig:
    return sk.rig("arm")


@pytest.fixture(scope="session")
def human() -> sk.Rig:
    return sk.rig("humanoid")


@pytest.fixture(scope="session")
def robot(tmp_path_factory: pytest.TempPathFactory) -> sk.Rig:
    path = tmp_path_factory.mktemp("robot") / "three.urdf"
    path.write_text(ROBOT)
    return sk.load(path)


@pytest.fixture(scope="session")
def walk(human: sk.Rig) -> sk.Rig:
    return sk.walk(human, seconds=1.0, rate=30.0)


@pytest.fixture
def poses(arm: sk.Rig) -> tuple[np.ndarray, np.ndarray]:
    """Places and orientations that the arm can have."""
    random = np.random.default_rng(7)
    low, high = np.maximum(arm.q_lower, -1.5), np.minimum(arm.q_upper, 1.5)
    places, turns = arm.forward(random.uniform(low, high, (60, arm.dof)))
    return places[:, -1], turns[:, -1]
