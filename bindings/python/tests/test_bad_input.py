"""Whatever is given, there is an exception that says what and where, or an answer; never a crash."""

import gc

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

import sinew_ik as sk

ARM = sk.rig("arm")
SOLVER = sk.Solver(ARM, [sk.FrameTask("flange")], restarts=2)
HUMAN = sk.rig("humanoid")
BODY = sk.SixPoint(HUMAN, count=2)

odd = st.one_of(
    arrays.arrays(
        dtype=st.sampled_from([np.float64, np.float32, np.int32, np.int64, np.bool_, np.complex128, "U3"]),
        shape=arrays.array_shapes(min_dims=0, max_dims=4, min_side=0, max_side=8),
    ),
    st.none(),
    st.text(max_size=3),
    st.integers(),
    st.floats(),
    st.lists(st.floats(), max_size=7),
    st.lists(st.lists(st.floats(-1, 1), min_size=3, max_size=3), max_size=4),
)

few = settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))


@few
@given(odd, odd, odd)
def test_solve_takes_or_refuses_anything(positions, orientations, q):
    try:
        solution = SOLVER.solve(positions, orientations, q, threads=1)
    except (ValueError, TypeError):
        return
    assert np.isfinite(solution.q).all()


@few
@given(
    arrays.arrays(np.float64, (2, 6, 3), elements=st.floats(allow_nan=True, allow_infinity=True)),
    st.floats(allow_nan=True),
)
def test_bodies_are_finite_whatever_is_tracked(positions, dt):
    try:
        rotations, translations = BODY.step(positions, dt=dt)
    except ValueError as error:
        assert "dt" in str(error)
        return
    assert np.isfinite(rotations).all() and np.isfinite(translations).all()


@few
@given(st.binary(max_size=300), st.sampled_from(["a.bvh", "a.urdf", "a.glb", "a.gltf", "a.vrm", "a.amc", "a.rig.toml", "a"]))
def test_files_are_read_or_refused(data, name):
    with pytest.raises(sk.SinewError):
        sk.read(data, name)


def test_words_say_what_and_where(arm, robot):
    good = np.zeros((4, 3)), np.tile([0.0, 0.0, 0.0, 1.0], (4, 1))
    cases = [
        ((np.zeros((4, 2)), good[1]), ValueError, r"positions: found shape \(4, 2\); expected \(3,\) or \(n, 3\)"),
        ((good[0], good[1][:3]), ValueError, "orientations_xyzw has 3 rows and positions has 4"),
        ((good[0], None), TypeError, "orientations_xyzw: missing"),
        ((good[0] + [[0], [0], [np.nan], [0]], good[1]), ValueError, r"positions: NaN at \(2, 0\)"),
        ((good[0], good[1] * 0), ValueError, "quaternion 0 has length 0.000"),
        ((good[0], good[1], np.zeros(3)), ValueError, r"q: found shape \(3,\); expected \(7,\)"),
        ((["a", "b", "c"], good[1][0]), TypeError, "positions: found dtype"),
        ((good[0].astype(complex), good[1]), TypeError, "positions: found dtype complex128"),
    ]
    solver = sk.Solver(arm, [sk.FrameTask("flange")])
    for arguments, kind, words in cases:
        with pytest.raises(kind, match=words):
            solver.solve(*arguments)
    with pytest.raises(sk.SinewError, match="there is no joint or link 'hand'.*flange"):
        sk.Solver(arm, [sk.FrameTask("hand")])
    with pytest.raises(sk.SinewError, match="no-such"):
        sk.Solver(arm, [sk.FrameTask("flange")], method="no-such")
    with pytest.raises(TypeError, match="is no task"):
        sk.Solver(arm, ["flange"])
    with pytest.raises(ValueError, match="at least one FrameTask"):
        sk.Solver(arm, [])
    with pytest.raises(ValueError, match="costs nothing"):
        sk.Solver(arm, [sk.FrameTask("flange", 0.0, 0.0)])
    with pytest.raises(ValueError, match="position_cost"):
        sk.Solver(arm, [sk.FrameTask("flange", -1.0)])
    with pytest.raises(sk.SinewError, match="masses"):
        sk.Solver(arm, [sk.FrameTask("flange"), sk.ComTask(np.eye(3))])
    with pytest.raises(sk.SinewError, match="humanoid"):
        sk.rig("humanoids")
    with pytest.raises(sk.SinewError, match="nowhere.bvh"):
        sk.load("nowhere.bvh")
    with pytest.raises(sk.SinewError, match="no motion"):
        sk.reconstruct(sk.rig("humanoid"))
    with pytest.raises(ValueError, match="relative_to"):
        sk.RelativeFrameTask("flange")


def test_empty_batches_and_a_million_rows(arm):
    solver = sk.Solver(arm, [sk.FrameTask("flange", orientation_cost=0)], follow=True)
    empty = solver.solve(np.zeros((0, 3)))
    assert empty.q.shape == (0, arm.dof) and empty.reached.shape == (0,) and empty.cause == []
    # Where it stands already: a million rows are a matter of seconds.
    tip = arm.forward(arm.q_opening)[0][-1]
    many = solver.solve(np.broadcast_to(tip, (1_000_000, 3)))
    assert many.q.shape == (1_000_000, arm.dof) and many.reached.all()


def test_more_threads_than_there_can_be(arm, poses):
    # A million threads took the interpreter with them.
    solver = sk.Solver(arm, [sk.FrameTask("flange")])
    assert np.array_equal(solver.solve(*poses, threads=1_000_000).q, solver.solve(*poses, threads=1).q)
    q = np.tile(arm.q_opening, (300, 1))
    assert np.array_equal(arm.forward(q, threads=1_000_000)[0], arm.forward(q)[0])
    assert sk.SixPoint(sk.rig("humanoid"), count=2, threads=1_000_000).rest_points().shape == (2, 6, 3)


def test_matrices_and_quaternions_of_other_kinds():
    with pytest.raises(TypeError, match="matrices: found dtype complex128"):
        sk.pose_from_matrix(np.eye(4, dtype=complex))
    with pytest.raises(ValueError, match=r"quaternions: found shape \(3,\)"):
        sk.xyzw_from_wxyz([1.0, 0.0, 0.0])


def test_strided_and_read_only_arrays(arm, poses):
    solver = sk.Solver(arm, [sk.FrameTask("flange")])
    wide = np.zeros((60, 6))
    wide[:, ::2] = poses[0]
    frozen = poses[1].copy()
    frozen.setflags(write=False)
    assert np.array_equal(solver.solve(wide[:, ::2], frozen).q, solver.solve(*poses).q)
    fortran = np.asfortranarray(poses[0])
    assert np.array_equal(solver.solve(fortran, frozen).q, solver.solve(*poses).q)


def test_a_rig_that_has_gone(poses):
    solver = sk.Solver(sk.rig("arm"), [sk.FrameTask("flange")])
    gc.collect()
    solution = solver.solve(*poses)
    del solver
    gc.collect()
    assert len(solution.cause) == 60


def test_two_threads_on_one_solver_are_refused_or_served(arm, poses):
    from concurrent.futures import ThreadPoolExecutor

    solver = sk.Solver(arm, [sk.FrameTask("flange")])
    wanted = solver.solve(*poses).q

    def ask(_):
        try:
            return np.array_equal(solver.solve(*poses).q, wanted)
        except RuntimeError as error:
            return "borrowed" in str(error).lower()

    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(ask, range(12)))
