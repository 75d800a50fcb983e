"""What a solver is asked: tasks and limits, named as users of mink and pink know them.

A task says *what* should be somewhere and how much a miss costs; *where* it should be is given to
:meth:`sinew_ik.Solver.solve`, as arrays, so that one solver serves any number of targets.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar, Sequence

__all__ = [
    "CollisionAvoidanceLimit",
    "ComTask",
    "FrameTask",
    "PostureTask",
    "RelativeFrameTask",
    "VelocityLimit",
]


@dataclass
class FrameTask:
    """A joint or link at a place, turned like this.

    :param frame: The joint or link.
    :param position_cost: What a metre off costs: a number, or one for each axis. Zero asks for no place.
    :param orientation_cost: What a radian off costs, in metres. Zero asks for no orientation.
    :param offset: Where the point is in the frame, in metres.
    :param offset_xyzw: How it is turned in the frame.
    :param priority: Zero comes first; only the method ``"priority"`` takes others.

    >>> FrameTask("flange", orientation_cost=0.0).frame
    'flange'
    """

    frame: str
    position_cost: float | Sequence[float] = 1.0
    orientation_cost: float | Sequence[float] = 1.0
    offset: Sequence[float] = (0.0, 0.0, 0.0)
    offset_xyzw: Sequence[float] = (0.0, 0.0, 0.0, 1.0)
    priority: int = 0
    relative_to: str | None = field(default=None, kw_only=True)
    _kind: ClassVar[str] = "frame"


@dataclass
class RelativeFrameTask(FrameTask):
    """A joint or link at a place in the frame of another, such as a hand on a tool that the other hand carries.

    >>> RelativeFrameTask("l_wrist", relative_to="r_wrist", orientation_cost=0.0).relative_to
    'r_wrist'
    """

    def __post_init__(self) -> None:
        if not self.relative_to:
            raise ValueError("relative_to: expected the joint or link whose frame the target is in")


@dataclass
class PostureTask:
    """What the other tasks leave free is drawn to this posture.

    :param q: The posture; the pose that the file opens with if none.
    :param cost: How much it draws. 0.05 is natural for a character.
    :param joint_costs: A factor for each number of ``q``.
    """

    q: Any = None
    cost: float = 0.05
    joint_costs: Any = None
    _kind: ClassVar[str] = "posture"


@dataclass
class ComTask:
    """The centre of mass stays above these points, for rigs whose file says what masses there are.

    :param support: The corners of the support, ``(corners, 3)``; their order does not matter.
    :param margin: How far inside of it, in metres.
    """

    support: Any
    margin: float = 0.0
    _kind: ClassVar[str] = "com"


@dataclass
class VelocityLimit:
    """No joint goes further from where it starts than these speeds allow in ``dt`` seconds.

    :param dt: The time step.
    :param velocities: Radians or metres a second, one for all or one for each number of ``q``; those of the file if
        none.
    """

    dt: float
    velocities: Any = None
    _kind: ClassVar[str] = "velocity"


@dataclass
class CollisionAvoidanceLimit:
    """The body's parts keep this far from each other, in metres. The parts are made from the rig."""

    distance: float = 0.0
    _kind: ClassVar[str] = "collision"
