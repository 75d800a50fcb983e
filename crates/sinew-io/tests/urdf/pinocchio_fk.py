"""Where Pinocchio puts the links of a robot, for comparison with ours.

    pip install pin
    python pinocchio_fk.py robot.urdf [poses] [seed] > robot.fk.txt

Per pose the output has a line `pose`, a line `joint NAME NUMBERS` for every
joint that moves by itself (one number; x y angle for a planar joint; x y z and
a quaternion x y z w for a floating one) and a line `link NAME NUMBERS` for
every link: its position and its quaternion x y z w in the frame of the root.
"""

import math
import random
import sys

import pinocchio as pin


def value(kind, rng, low, high):
    """The numbers that describe a joint, and Pinocchio's coordinates for them."""
    angle = lambda: rng.uniform(-3.0, 3.0)
    if "FreeFlyer" in kind:
        place = [rng.uniform(-1.0, 1.0) for _ in range(3)]
        q = [rng.gauss(0.0, 1.0) for _ in range(4)]
        length = math.sqrt(sum(c * c for c in q))
        numbers = place + [c / length for c in q]
        return numbers, numbers
    if "Planar" in kind:
        x, y, a = rng.uniform(-1.0, 1.0), rng.uniform(-1.0, 1.0), angle()
        return [x, y, a], [x, y, math.cos(a), math.sin(a)]
    if "RUB" in kind or "Unbounded" in kind:
        a = angle()
        return [a], [math.cos(a), math.sin(a)]
    bounded = math.isfinite(low) and math.isfinite(high) and low < high
    # The turn on the circle is what counts, so the value stays within half of it.
    low, high = (max(low, -3.0), min(high, 3.0)) if bounded else (-1.0, 1.0)
    v = rng.uniform(min(low, high), max(low, high))
    return [v], [v]


def main():
    path = sys.argv[1]
    poses = int(sys.argv[2]) if len(sys.argv) > 2 else 5
    rng = random.Random(int(sys.argv[3]) if len(sys.argv) > 3 else 1)
    model = pin.buildModelFromUrdf(path, mimic=True)
    data = model.createData()
    for _ in range(poses):
        print("pose")
        q = pin.neutral(model)
        for j in range(1, model.njoints):
            joint = model.joints[j]
            if "Mimic" in joint.shortname():
                continue
            at, n = joint.idx_q, joint.nq
            low, high = model.lowerPositionLimit[at], model.upperPositionLimit[at]
            numbers, coordinates = value(joint.shortname(), rng, low, high)
            q[at : at + n] = coordinates
            print("joint", model.names[j], *(repr(float(v)) for v in numbers))
        pin.forwardKinematics(model, data, q)
        pin.updateFramePlacements(model, data)
        for f, frame in enumerate(model.frames):
            if frame.type == pin.FrameType.BODY and frame.name != "universe":
                m = data.oMf[f]
                numbers = list(m.translation) + list(pin.Quaternion(m.rotation).coeffs())
                print("link", frame.name, *(repr(float(v)) for v in numbers))


main()
