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
    for threads in (1, 2):
        bodies = sk.SixPoint(human, count=10_000, threads=threads)
        rest = bodies.rest_points()
        random = np.random.default_rng(1)
        ways = 0.002 * random.normal(size=rest.shape).astype(np.float32)
        frame = [0]

        def step():
            frame[0] += 1
            bodies.step(rest + frame[0] * ways, dt=1 / 60)

        step()
        took = least(step, 20)
        print(f"10 000 six-point bodies a frame: {took * 1e3:.1f} ms on {threads}, {took * 1e2:.2f} µs a body")


if __name__ == "__main__":
    main()
