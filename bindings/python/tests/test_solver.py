"""Solving: single poses and batches, both precisions, causes, tasks."""

import numpy as np
import pytest

import sinew_ik as sk


def test_what_is_solved_is_where_forward_kinematics_says(arm, poses):
    solver = sk.Solver(arm, [sk.FrameTask("flange")])
    solution = solver.solve(*poses)
    assert solution.q.shape == (60, arm.dof) and solution.q.dtype == np.float64
    assert solution.reached.mean() > 0.97
    places, turns = arm.forward(solution.q)
    near = np.linalg.norm(places[:, -1] - poses[0], axis=1)[solution.reached]
    assert near.max() < 1.1e-4
    dots = np.abs((turns[:, -1] * poses[1]).sum(1))[solution.reached]
    assert dots.min() > 1 - 1e-7
    assert np.all(solution.q >= arm.q_lower - 1e-6) and np.all(solution.q <= arm.q_upper + 1e-6)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_bits_do_not_depend_on_threads_and_rows_do_not_know_each_other(arm, poses, dtype):
    solver = sk.Solver(arm, [sk.FrameTask("flange")])
    places, turns = (x.astype(dtype) for x in poses)
    one = solver.solve(places, turns, threads=1)
    assert one.q.dtype == dtype
    for threads in (2, 3, 8):
        many = solver.solve(places, turns, threads=threads)
        assert np.array_equal(one.q, many.q) and np.array_equal(one.iterations, many.iterations)
    for i in (0, 17, 59):
        single = solver.solve(places[i], turns[i])
        assert single.q.shape == (arm.dof,) and np.array_equal(single.q, one.q[i])
        assert bool(single.reached) == bool(one.reached[i])
    backwards = solver.solve(places[::-1], turns[::-1])
    assert np.array_equal(backwards.q[::-1], one.q)


def test_starts_are_one_for_all_or_one_for_each(arm, poses):
    solver = sk.Solver(arm, [sk.FrameTask("flange")])
    start = np.full(arm.dof, 0.2)
    shared = solver.solve(*poses, start)
    each = solver.solve(*poses, np.tile(start, (60, 1)))
    assert np.array_equal(shared.q, each.q)
    there = solver.solve(poses[0], poses[1], shared.q)
    assert np.allclose(there.q[shared.reached], shared.q[shared.reached], atol=1e-3)


def test_causes_are_typed_and_have_words(arm):
    solver = sk.Solver(arm, [sk.FrameTask("flange", orientation_cost=0)])
    far = solver.solve([9.0, 0.0, 0.0])
    assert not far.reached and far.cause.kind == "out of reach" and far.cause.goal == "flange"
    assert far.cause.by > 7 and "out of reach" in str(far.cause)
    both = solver.solve([[9.0, 0.0, 0.0], [0.3, 0.3, 0.2]])
    assert both.cause[0].kind == "out of reach" and both.cause[1] is None
    assert both.cause_of(0) == both.cause[0]
    with pytest.raises(IndexError, match="row 2 of 2"):
        both.cause_of(2)


def test_a_robot_has_the_files_axes_names_and_zeros(robot):
    assert robot.q_names == ["turn", "shoulder", "elbow"] and robot.axes == "file"
    assert ("tip", "tip_joint") in robot.links
    assert robot.q_lower.tolist() == [-np.inf, -2.0, -2.5]
    places, _ = robot.forward(np.zeros(3))
    assert np.allclose(places[-1], [0, 0, 1.2]), "z is up"
    solver = sk.Solver(robot, [sk.FrameTask("tip", orientation_cost=0)])
    solution = solver.solve([0.5, 0.2, 0.6])
    assert solution.reached
    places, _ = robot.forward(solution.q)
    assert np.allclose(places[-1], [0.5, 0.2, 0.6], atol=2e-4)


def test_several_tasks_and_a_relative_one(human):
    tasks = [
        sk.FrameTask("r_wrist", orientation_cost=0),
        sk.RelativeFrameTask("l_wrist", orientation_cost=0, relative_to="r_wrist"),
        sk.PostureTask(),
    ]
    solver = sk.Solver(human, tasks)
    assert solver.frames == ["r_wrist", "l_wrist"]
    solution = solver.solve([[-0.1, 1.2, 0.4], [0.3, 0.0, 0.0]])
    assert solution.reached
    batch = solver.solve(np.tile([[[-0.1, 1.2, 0.4], [0.3, 0.0, 0.0]]], (4, 1, 1)))
    assert batch.reached.all() and np.array_equal(batch.q[3], solution.q)


def test_velocity_limits_hold(robot):
    solver = sk.Solver(robot, [sk.FrameTask("tip", orientation_cost=0), sk.VelocityLimit(dt=0.1)])
    start = np.array([0.1, 0.2, 0.3])
    solution = solver.solve([0.5, 0.2, 0.6], q=start)
    moved = np.abs(solution.q - start)
    assert moved[1] <= 0.15 + 1e-9 and moved[2] <= 0.2 + 1e-9
    assert solution.cause is None or solution.cause.kind == "speed"


def test_a_body_keeps_clear_of_itself(human):
    solver = sk.Solver(human, [sk.FrameTask("l_wrist", orientation_cost=0), sk.CollisionAvoidanceLimit(0.0)])
    solution = solver.solve([-0.1, 1.2, 0.35])
    assert solution.q.shape == (human.dof,) and np.isfinite(solution.q).all()
    single = solver.solve(np.array([-0.1, 1.2, 0.35], np.float32))
    assert single.q.dtype == np.float32 and np.isfinite(single.q).all()


@pytest.mark.parametrize("method", ["robust", "ewbik", "fabrik", "ccd", "dls", "sdls", "priority"])
def test_methods(method):
    solver = sk.Solver(sk.rig("chain:6"), [sk.FrameTask("tip", orientation_cost=0)], method=method)
    solution = solver.solve([0.4, 0.5, 0.1])
    assert solver.method == method and solution.position_error < 0.05


def test_following_goes_on_from_the_last_solve(arm):
    solver = sk.Solver(arm, [sk.FrameTask("flange", orientation_cost=0)], follow=True)
    q = solver.solve([0.3, 0.4, 0.2]).q
    for i in range(20):
        solution = solver.solve([0.3, 0.4 - 0.005 * i, 0.2], q=q)
        assert np.abs(solution.q - q).max() < 0.25
        q = solution.q
    solver.forget()


def test_matrices_and_other_orders_of_quaternions():
    random = np.random.default_rng(3)
    q = random.normal(size=(50, 4))
    q /= np.linalg.norm(q, axis=1, keepdims=True)
    x, y, z, w = q.T
    r = np.empty((50, 4, 4))
    r[:] = np.eye(4)
    r[:, 0, :3] = np.stack([1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)], -1)
    r[:, 1, :3] = np.stack([2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)], -1)
    r[:, 2, :3] = np.stack([2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)], -1)
    place, back = sk.pose_from_matrix(r)
    assert np.allclose(np.abs((back * q).sum(1)), 1.0) and place.shape == (50, 3)
    assert np.array_equal(sk.xyzw_from_wxyz(q[:, [3, 0, 1, 2]]), q)
    for half_turn in ([1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0]):
        m = np.eye(4)
        m[:3, :3] = 2 * np.outer(half_turn[:3], half_turn[:3]) - np.eye(3)
        assert np.allclose(np.abs(sk.pose_from_matrix(m)[1]), half_turn)


def test_a_base_that_floats(robot):
    floating = robot.floating()
    assert floating.dof == robot.dof + 6
    solver = sk.Solver(floating, [sk.FrameTask("base"), sk.FrameTask("tip", orientation_cost=0)])
    solution = solver.solve([[1.0, 2.0, 0.1], [1.3, 2.2, 0.9]], [0.0, 0.0, 0.0, 1.0])
    assert solution.reached
    places, _ = floating.forward(solution.q)
    assert np.allclose(places[0], [1.0, 2.0, 0.1], atol=2e-4) and np.allclose(places[-1], [1.3, 2.2, 0.9], atol=2e-4)
    assert np.allclose(solution.q[:3], [1.0, 2.0, 0.1], atol=2e-4), "in the file's axes"
