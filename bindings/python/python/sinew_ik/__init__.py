"""Inverse kinematics for characters and robots.

Poses are arrays, and a first axis makes a batch of anything:

>>> import numpy as np, sinew_ik as sk
>>> arm = sk.rig("arm")
>>> solver = sk.Solver(arm, [sk.FrameTask("flange", orientation_cost=0.0)])
>>> solution = solver.solve([0.4, 0.3, 0.2])
>>> bool(solution.reached), solution.q.shape
(True, (7,))
>>> many = solver.solve(np.random.default_rng(1).uniform(-0.3, 0.3, (100, 3)))
>>> many.q.shape
(100, 7)

``float32`` arrays are solved by the engine in single precision and give ``float32``, all others by the one in double precision.
What is unreachable is no error: the solution is the nearest pose, and ``solution.cause`` says why. Errors are exceptions: what
the engine or a file refuses is :class:`SinewError`, wrong shapes and numbers are ``ValueError`` and ``TypeError``.
"""

from __future__ import annotations

import os
from types import ModuleType
from typing import Any

import numpy as np

from . import _sinew
from ._sinew import (
    Cause,
    Rig,
    SinewError,
    SixPoint,
    Solution,
    __version__,
    available_threads,
    filter,
    look,
    plant,
    reach,
    read,
    reconstruct,
    rig,
    rig_names,
    transfer,
    walk,
)
from .tasks import (
    CollisionAvoidanceLimit,
    ComTask,
    FrameTask,
    PostureTask,
    RelativeFrameTask,
    VelocityLimit,
)

__all__ = [
    "Cause",
    "CollisionAvoidanceLimit",
    "ComTask",
    "FrameTask",
    "PostureTask",
    "RelativeFrameTask",
    "Rig",
    "SinewError",
    "SixPoint",
    "Solution",
    "Solver",
    "VelocityLimit",
    "__version__",
    "available_threads",
    "filter",
    "load",
    "look",
    "plant",
    "pose_from_matrix",
    "reach",
    "read",
    "reconstruct",
    "rig",
    "rig_names",
    "transfer",
    "walk",
    "xyzw_from_wxyz",
]


def load(path: str | os.PathLike[str] | ModuleType) -> Rig:
    """Reads a file: URDF, BVH, ASF or AMC, glTF, GLB, VRM or a rig file.

    A module of the package ``robot_descriptions`` that has a ``URDF_PATH`` will do as well, and so will its name
    (``"panda_description"``), if that package is installed and no file has the name.
    """
    if isinstance(path, ModuleType):
        try:
            return _sinew.load(path.URDF_PATH)
        except AttributeError:
            raise SinewError(f"{path.__name__} has no URDF_PATH") from None
    name = os.fspath(path)
    if isinstance(name, str) and name.endswith("_description") and not os.path.exists(name):
        import importlib

        try:
            module = importlib.import_module(f"robot_descriptions.{name}")
        except ImportError as error:
            raise SinewError(f"{name}: no such file, and no such module of robot_descriptions ({error})") from None
        return load(module)
    return _sinew.load(name)


def xyzw_from_wxyz(quaternions: Any) -> np.ndarray:
    """Quaternions as MuJoCo and Eigen's constructor have them, in the order of this package.

    >>> xyzw_from_wxyz([1.0, 0.0, 0.0, 0.0]).tolist()
    [0.0, 0.0, 0.0, 1.0]
    """
    q = np.asarray(quaternions)
    if q.ndim == 0 or q.shape[-1] != 4:
        raise ValueError(f"quaternions: found shape {q.shape}; expected (..., 4)")
    return np.roll(q, -1, axis=-1)


def pose_from_matrix(matrices: Any) -> tuple[np.ndarray, np.ndarray]:
    """Places ``(..., 3)`` and quaternions x, y, z, w ``(..., 4)`` of matrices ``(..., 4, 4)``.

    >>> place, turn_xyzw = pose_from_matrix(np.eye(4))
    >>> turn_xyzw.tolist()
    [0.0, 0.0, 0.0, 1.0]
    """
    m = np.asarray(matrices)
    if m.dtype.kind not in "biuf":
        raise TypeError(f"matrices: found dtype {m.dtype}; expected real numbers")
    if m.dtype != np.float32:
        m = m.astype(np.float64)
    if m.shape[-2:] != (4, 4):
        raise ValueError(f"matrices: found shape {m.shape}; expected (..., 4, 4)")
    r = m[..., :3, :3]
    # Of the four ways to read a quaternion off a matrix, the one with the largest divisor (Shepperd 1978).
    d = np.diagonal(r, axis1=-2, axis2=-1)
    trace = d.sum(-1)
    candidates = np.concatenate([d, trace[..., None]], -1)
    which = candidates.argmax(-1)
    q = np.empty(m.shape[:-2] + (4,), m.dtype)
    for k in range(4):
        rows = which == k
        if not np.any(rows):
            continue
        a = r[rows]
        if k == 3:
            w = 1.0 + trace[rows]
            v = np.stack([a[:, 2, 1] - a[:, 1, 2], a[:, 0, 2] - a[:, 2, 0], a[:, 1, 0] - a[:, 0, 1], w], -1)
        else:
            i, j, l = k, (k + 1) % 3, (k + 2) % 3
            v = np.empty((a.shape[0], 4), m.dtype)
            v[:, i] = 1.0 + a[:, i, i] - a[:, j, j] - a[:, l, l]
            v[:, j] = a[:, j, i] + a[:, i, j]
            v[:, l] = a[:, l, i] + a[:, i, l]
            v[:, 3] = a[:, l, j] - a[:, j, l]
        q[rows] = v / np.linalg.norm(v, axis=-1, keepdims=True)
    return m[..., :3, 3].copy(), q


class Solver(_sinew.Solver):
    """Solves tasks on a rig, one pose or many.

    :param rig: The rig.
    :param tasks: Tasks and limits; at least one :class:`FrameTask`.
    :param method: ``"robust"`` (Levenberg-Marquardt with limits and restarts), or ``"ewbik"``, ``"fabrik"``, ``"ccd"``, ``"dls"``, ...
    :param follow: For targets that move a little from solve to solve: it looks nowhere else and makes no jump.
    :param root: ``"hold"`` keeps a free root where it is, ``"free"`` lets it travel, ``"auto"`` does so if a task is on it.
    :param position_tolerance: Near enough, in metres.
    :param orientation_tolerance: Near enough, in radians.
    :param restarts: How often it may start again elsewhere.
    :param seed: Chooses the starts; the same seed gives the same bits.

    >>> import sinew_ik as sk
    >>> solver = sk.Solver(sk.rig("arm"), [sk.FrameTask("flange")])
    >>> far = solver.solve([9.0, 0.0, 0.0], [0.0, 0.0, 0.0, 1.0])
    >>> bool(far.reached), far.cause.kind
    (False, 'out of reach')
    """

    def solve(
        self,
        positions: Any = None,
        orientations_xyzw: Any = None,
        q: Any = None,
        *,
        threads: int | None = None,
    ) -> Solution:
        """Solves for targets, from ``q`` or the pose that the file opens with.

        :param positions: ``(3,)``, or ``(n, 3)`` for a batch; with several tasks that ask for a place ``(tasks, 3)`` or
            ``(n, tasks, 3)``, in the order of the tasks. In the axes that ``rig.axes`` names; of a
            :class:`RelativeFrameTask` in its frame.
        :param orientations_xyzw: The same for quaternions, x, y, z, w.
        :param q: Where to start, ``(dof,)`` for all rows or ``(n, dof)``.
        :param threads: For a batch; as many as there are if ``None``. The bits do not depend on it.
        """
        return super().solve(positions, orientations_xyzw, q, threads=threads)


