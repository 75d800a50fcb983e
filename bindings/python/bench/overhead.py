"""What Python costs, and what threads bring; see README.md."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path

import numpy as np

import sinew_ik as sk

REPEATS = 5


def least(function, repeats: int = REPEATS) -> float:
    """Seconds of the quickest of several calls."""
    times = []
    for _ in range(repeats):
        begun = time.perf_counter()
        function()
        times.append(time.perf_counter() - begun)
    return min(times)


def imports() -> float:
    code = "import numpy, time; t = time.perf_counter(); import sinew_ik; print(time.perf_counter() - t)"
    return min(float(subprocess.check_output([sys.executable, "-c", code])) for _ in range(REPEATS))


def points_of(motion: sk.Rig) -> np.ndarray:
    """Where pelvis, head, wrists and ankles of the humanoid are in each frame."""
    rotations, translations, _ = motion.motion()
    places, _ = motion.forward(motion.q_of(rotations, translations))
    joints = ["sacroiliac", "skullbase", "l_wrist", "r_wrist", "l_ankle", "r_ankle"]
    return places[:, [motion.joint_names.index(joint) for joint in joints]].astype(np.float32)


def crowd(human: sk.Rig, people: np.ndarray, drift: float, threads: int, count: int = 10_000, frames: int = 25) -> float:
    """Seconds of the median frame of a crowd, each elsewhere in the motion."""
    bodies = sk.SixPoint(human, count=count, threads=threads)
    random = np.random.default_rng(1)
    ways = (drift * random.normal(size=(count, 6, 3))).astype(np.float32)
    # Nobody comes to the end of the motion, and starts again elsewhere.
    begun = (37 * np.arange(count)) % (len(people) - frames)
    out, times = None, []
    for frame in range(frames):
        points = people[begun + frame] + frame * ways
        start = time.perf_counter()
        out = bodies.step(points, dt=1 / 60, out=out)
        times.append(time.perf_counter() - start)
    return float(np.median(times[3:]))


def main() -> None:
    folder = Path(sys.argv[1])
    task = json.loads((folder / "t2_panda.json").read_text())
    targets, start = np.array(task["targets"]), np.array(task["start"])
    places, turns = np.ascontiguousarray(targets[:, :3]), np.ascontiguousarray(targets[:, 3:])
    print(f"import beyond NumPy's own: {imports() * 1e3:.1f} ms")
    solver = sk.Solver(sk.load(folder / task["urdf"]), [sk.FrameTask(task["effectors"][0]["link"])])

    def one_by_one():
        for place, turn in zip(places, turns):
            solver.solve(place, turn, start)

    single = least(one_by_one) / len(places)
    inside = least(lambda: solver.solve(places, turns, start, threads=1)) / len(places)
    print(f"one Panda pose: {single * 1e6:.2f} µs from Python, {inside * 1e6:.2f} µs in a batch on one thread")
    # Nothing to solve: what remains is the way in and out.
    there = solver.solve(places[0], turns[0], start).q
    place, turn = places[0].copy(), turns[0].copy()
    empty = least(lambda: [solver.solve(place, turn, there) for _ in range(10_000)]) / 10_000
    print(f"a pose that is there already: {empty * 1e6:.2f} µs")
    for dtype in (np.float64, np.float32):
        ten = [np.tile(x, (10_000 // len(x) + 1, 1))[:10_000].astype(dtype) for x in (places, turns)]
        rates = {n: 10_000 / least(lambda: solver.solve(*ten, start.astype(dtype), threads=n)) for n in (1, 2)}
        met = solver.solve(*ten, start.astype(dtype)).reached.mean()
        print(f"batch of 10 000, {np.dtype(dtype)}: {rates[1]:.0f} a second on one thread, {rates[2]:.0f} on two ({rates[2] / rates[1]:.2f} times), {100 * met:.1f} % met")
    work = solver.solve(places, turns, start).iterations.astype(float)
    lanes = work[: len(work) // 8 * 8].reshape(-1, 8)
    print(f"lanes of eight would be busy {100 * lanes.mean() / lanes.max(1).mean():.0f} % of the time (iterations: mean {work.mean():.1f}, most {work.max():.0f})")
    human = sk.rig("humanoid")
    people = points_of(sk.walk(human, seconds=20.0))
    for words, drift in (("who walk", 0.0), ("whose points drift at random, 2 mm a frame, as nobody's do", 0.002)):
        for threads in (1, 2):
            took = crowd(human, people, drift, threads)
            print(f"10 000 six-point bodies {words}: {took * 1e3:.1f} ms a frame on {threads}, {took * 1e2:.2f} µs a body")


if __name__ == "__main__":
    main()
