"""Rigs in other people's viewers: rerun and viser. Both are optional; a Jupyter notebook draws a rig by itself.

>>> import sinew_ik
>>> from sinew_ik import show
>>> show.bones(sinew_ik.rig("arm")).shape[1:]
(2, 3)
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ._sinew import Rig

__all__ = ["add_viser", "bones", "log_rerun"]


def bones(rig: Rig, q: Any = None) -> np.ndarray:
    """Lines from each joint's parent to the joint, ``(bones, 2, 3)``, or ``(n, bones, 2, 3)`` for a batch of ``q``."""
    places, _ = rig.forward(rig.q_opening if q is None else q)
    pairs = [(parent, joint) for joint, parent in enumerate(rig.parents) if parent >= 0]
    return places[..., np.array(pairs, dtype=int).reshape(-1, 2), :]


def log_rerun(rig: Rig, q: Any, *, entity: str = "rig", frame_time: float = 1 / 60, recording: Any = None) -> None:
    """Logs a pose, or a motion as ``(frames, dof)``, to rerun as lines."""
    import rerun

    lines = bones(rig, q)
    for i, frame in enumerate(lines if lines.ndim == 4 else lines[None]):
        rerun.set_time("time", duration=i * frame_time, recording=recording)
        rerun.log(entity, rerun.LineStrips3D(frame), recording=recording)


def add_viser(server: Any, rig: Rig, q: Any = None, *, name: str = "/rig", color: tuple[int, int, int] = (30, 30, 30)) -> Any:
    """Adds a rig to a viser server; ``handle.points = bones(rig, q)`` moves it."""
    lines = bones(rig, q).astype(np.float32)
    colors = np.broadcast_to(np.array(color, dtype=np.uint8), lines.shape)
    return server.scene.add_line_segments(name, points=lines, colors=colors)
