"""sinew-ik beside roboticstoolbox, mink and pink on T2 and T4; see README.md."""

from __future__ import annotations

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")

import json
import math
import sys
import time
from pathlib import Path

import numpy as np

TOLERANCE = 1e-4
STEPS = 200
FOLLOW_STEPS = 20
SIZES = {"fixed": 0, "revolute": 1, "prismatic": 1, "ball": 4, "free": 7}
clock = time.perf_counter_ns


def rotation(q):
    x, y, z, w = np.asarray(q) / np.linalg.norm(q)
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
        ]
    )


def matrix(place, q):
    m = np.eye(4)
    m[:3, :3], m[:3, 3] = rotation(q), place
    return m


class Judge:
    """Forward kinematics of a task's model: what decides."""

    def __init__(self, task):
        self.joints, self.base = task["model"]["joints"], task["model"]["base"]

    def links(self, q):
        world, at = {self.base: np.eye(4)}, 0
        for joint in self.joints:
            m = world[joint["parent"]] @ matrix(joint["origin"]["p"], joint["origin"]["q"])
            mine = q[at : at + SIZES[joint["type"]]]
            at += len(mine)
            if joint["type"] == "revolute":
                axis, half = np.array(joint["axis"]), 0.5 * mine[0]
                m = m @ matrix([0, 0, 0], [*(axis * math.sin(half)), math.cos(half)])
            elif joint["type"] == "prismatic":
                m = m @ matrix(np.array(joint["axis"]) * mine[0], [0, 0, 0, 1])
            elif joint["type"] == "free":
                m = m @ matrix(mine[:3], mine[3:])
            elif joint["type"] == "ball":
                m = m @ matrix([0, 0, 0], mine)
            world[joint["child"]] = m
        return world

    def errors(self, q, links, targets):
        world = self.links(q)
        worst = np.zeros(2)
        for link, target in zip(links, targets):
            m, wanted = world[link], matrix(target[:3], target[3:])
            angle = math.acos(min(1.0, max(-1.0, (np.trace(m[:3, :3].T @ wanted[:3, :3]) - 1) / 2)))
            worst = np.maximum(worst, [np.linalg.norm(m[:3, 3] - wanted[:3, 3]), angle])
        return worst


def sinew_t2(task, folder):
    import sinew_ik as sk

    rig = sk.load(folder / task["urdf"])
    solver = sk.Solver(rig, [sk.FrameTask(task["effectors"][0]["link"])])
    start = np.array(task["start"])
    for target in np.array(task["targets"]):
        place, turn = target[:3].copy(), target[3:].copy()
        begun = clock()
        q = solver.solve(place, turn, start).q
        yield clock() - begun, q


def toolbox_t2(task, folder):
    from roboticstoolbox import ET, ETS
    from spatialmath import SE3

    chain = ETS()
    for joint in task["model"]["joints"]:
        chain = chain * ET.SE3(SE3(matrix(joint["origin"]["p"], joint["origin"]["q"]), check=False))
        if joint["type"] == "revolute":
            chain = chain * ET.Rz(qlim=joint["limit"])
    start = np.array(task["start"])
    for target in task["targets"]:
        wanted = matrix(target[:3], target[3:])
        begun = clock()
        found = chain.ik_LM(wanted, q0=start, ilimit=30, slimit=100, tol=0.5 * TOLERANCE**2, joint_limits=True)
        yield clock() - begun, found.q


def small(error):
    return np.linalg.norm(error[:3]) < TOLERANCE and np.linalg.norm(error[3:]) < TOLERANCE


def mink_t2(task, folder):
    import mink
    import mujoco

    model = mujoco.MjModel.from_xml_path(str(folder / task["urdf"]))
    configuration = mink.Configuration(model)
    frame = mink.FrameTask(task["effectors"][0]["link"], "body", position_cost=1.0, orientation_cost=1.0, gain=1.0, lm_damping=1e-6)
    limits = [mink.ConfigurationLimit(model)]
    for target in task["targets"]:
        frame.set_target(mink.SE3.from_matrix(matrix(target[:3], target[3:])))
        configuration.update(np.array(task["start"]))
        begun = clock()
        for _ in range(STEPS):
            try:
                velocity = mink.solve_ik(configuration, [frame], 1.0, "daqp", damping=1e-6, limits=limits)
            except Exception:  # its solver found no step
                break
            configuration.integrate_inplace(velocity, 1.0)
            if small(frame.compute_error(configuration)):
                break
        yield clock() - begun, configuration.q.copy()


def pink_t2(task, folder):
    import pink
    import pinocchio as pin

    model = pin.buildModelFromUrdf(str(folder / task["urdf"]))
    data = model.createData()
    frame = pink.tasks.FrameTask(task["effectors"][0]["link"], position_cost=1.0, orientation_cost=1.0, lm_damping=1e-6, gain=1.0)
    limits = [pink.limits.ConfigurationLimit(model, config_limit_gain=1.0)]
    for target in task["targets"]:
        frame.set_target(pin.SE3(matrix(target[:3], target[3:])))
        begun = clock()
        configuration = pink.Configuration(model, data, np.array(task["start"]))
        for _ in range(STEPS):
            try:
                velocity = pink.solve_ik(configuration, [frame], 1.0, solver="daqp", limits=limits)
            except Exception:  # its solver found no step
                break
            configuration.integrate_inplace(velocity, 1.0)
            if small(frame.compute_error(configuration)):
                break
        yield clock() - begun, configuration.q.copy()


def sinew_t4(task, folder):
    import sinew_ik as sk

    rig = sk.load(folder / task["urdf"]).floating()
    solver = sk.Solver(rig, [sk.FrameTask(e["link"]) for e in task["effectors"]], follow=True, root="free")
    by_name = {}
    at = 0
    for joint in task["model"]["joints"]:
        by_name[joint["name"]] = (joint["type"], task["start"][at : at + SIZES[joint["type"]]])
        at += SIZES[joint["type"]]
    free = next(values for kind, values in by_name.values() if kind == "free")
    half = np.array(free[3:6])
    length = np.linalg.norm(half)
    vector = half / length * 2 * math.atan2(length, free[6]) if length > 1e-12 else np.zeros(3)
    q = np.array([*free[:3], *vector, *(by_name[name][1][0] for name in rig.q_names[6:])])
    for targets in np.array(task["targets"]):
        places, turns = targets[:, :3].copy(), targets[:, 3:].copy()
        begun = clock()
        q = solver.solve(places, turns, q).q
        took = clock() - begun
        angle = np.linalg.norm(q[3:6])
        turn = [*(q[3:6] / angle * math.sin(0.5 * angle)), math.cos(0.5 * angle)] if angle > 1e-12 else [0, 0, 0, 1]
        values = dict(zip(rig.q_names[6:], q[6:]))
        out = []
        for joint in task["model"]["joints"]:
            if joint["type"] == "free":
                out += [*q[:3], *turn]
            elif joint["type"] != "fixed":
                out.append(values[joint["name"]])
        yield took, np.array(out)


def pink_t4(task, folder):
    import pink
    import pinocchio as pin

    model = pin.buildModelFromUrdf(str(folder / task["urdf"]), pin.JointModelFreeFlyer())
    moving = [j for j in task["model"]["joints"] if j["type"] != "fixed"]
    index = [model.joints[model.getJointId("root_joint" if j["type"] == "free" else j["name"])].idx_q for j in moving]
    sizes = [SIZES[j["type"]] for j in moving]
    q, at = pin.neutral(model), 0
    for i, size in zip(index, sizes):
        q[i : i + size] = task["start"][at : at + size]
        at += size
    configuration = pink.Configuration(model, model.createData(), q)
    frames = [pink.tasks.FrameTask(e["link"], position_cost=1.0, orientation_cost=1.0, gain=1.0, lm_damping=1e-6) for e in task["effectors"]]
    posture = pink.tasks.PostureTask(cost=1e-3)
    posture.set_target(q)
    limits = [pink.limits.ConfigurationLimit(model, config_limit_gain=1.0)]
    step = 1.0 / task["fps"]
    for targets in task["targets"]:
        wanted = [pin.SE3(matrix(t[:3], t[3:])) for t in targets]
        begun = clock()
        for frame, target in zip(frames, wanted):
            frame.set_target(target)
        for _ in range(FOLLOW_STEPS):
            velocity = pink.solve_ik(configuration, [*frames, posture], step, solver="daqp", limits=limits)
            configuration.integrate_inplace(velocity, step)
            if max(np.abs(frame.compute_error(configuration)).max() for frame in frames) < TOLERANCE:
                break
        took = clock() - begun
        yield took, np.concatenate([configuration.q[i : i + size] for i, size in zip(index, sizes)])


def mink_t4(task, folder):
    import mink
    import mujoco

    model = mujoco.MjModel.from_xml_path(str(folder / task["mjcf"]))
    configuration = mink.Configuration(model)
    moving = [j for j in task["model"]["joints"] if j["type"] != "fixed"]

    def swapped(q, forward):
        out, at = [], 0
        for joint in moving:
            mine = list(q[at : at + SIZES[joint["type"]]])
            at += len(mine)
            if joint["type"] == "free":
                turn = mine[3:]
                mine[3:] = [turn[3], *turn[:3]] if forward else [*turn[1:], turn[0]]
            out += mine
        return np.array(out)

    configuration.update(swapped(task["start"], True))
    frames = [mink.FrameTask(e["link"], "body", position_cost=1.0, orientation_cost=1.0, gain=1.0, lm_damping=1e-6) for e in task["effectors"]]
    posture = mink.PostureTask(model, cost=1e-3)
    posture.set_target_from_configuration(configuration)
    limits = [mink.ConfigurationLimit(model)]
    step = 1.0 / task["fps"]
    for targets in task["targets"]:
        wanted = [mink.SE3.from_matrix(matrix(t[:3], t[3:])) for t in targets]
        begun = clock()
        for frame, target in zip(frames, wanted):
            frame.set_target(target)
        for _ in range(FOLLOW_STEPS):
            velocity = mink.solve_ik(configuration, [*frames, posture], step, "daqp", damping=1e-6, limits=limits)
            configuration.integrate_inplace(velocity, step)
            if max(np.abs(frame.compute_error(configuration)).max() for frame in frames) < TOLERANCE:
                break
        took = clock() - begun
        yield took, swapped(configuration.q, False)


def main() -> None:
    folder = Path(sys.argv[1])
    most = int(sys.argv[2]) if len(sys.argv) > 2 else None
    runs = {
        "t2_panda": {"sinew-ik": sinew_t2, "roboticstoolbox": toolbox_t2, "mink": mink_t2, "pink": pink_t2},
        "t4_talos": {"sinew-ik": sinew_t4, "mink": mink_t4, "pink": pink_t4},
    }
    print("| task | package | met % | median µs | p95 µs | solves a second |\n|---|---|---|---|---|---|")
    for name, packages in runs.items():
        task = json.loads((folder / f"{name}.json").read_text())
        task["targets"] = task["targets"][:most]
        judge, links = Judge(task), [e["link"] for e in task["effectors"]]
        wanted = [t if isinstance(t[0], list) else [t] for t in task["targets"]]
        for package, run in packages.items():
            try:
                answers = list(run(task, folder))
            except ImportError as error:
                print(f"| {name} | {package} | left out: {error} | | | |")
                continue
            times = np.array([took for took, _ in answers]) * 1e-3
            # A hair of slack: the packages' own tests round, too.
            met = np.mean([judge.errors(q, links, t).max() <= TOLERANCE * 1.01 for (_, q), t in zip(answers, wanted)])
            rate = 1e6 / times.mean()
            print(f"| {name} | {package} | {100 * met:.1f} | {np.median(times):.1f} | {np.percentile(times, 95):.1f} | {rate:.0f} |", flush=True)


if __name__ == "__main__":
    main()
