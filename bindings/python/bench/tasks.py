"""Makes the files that compare.py and overhead.py read; see README.md."""

from __future__ import annotations

import argparse
import json
import math
import xml.etree.ElementTree as xml
from pathlib import Path

import numpy as np

import sinew_ik as sk
from compare import SIZES, Judge

FRAMES, FPS, SEED = 600, 60, 404
#: Pelvis, head, hands and feet of Talos.
LINKS = ["base_link", "head_2_link", "arm_left_7_link", "arm_right_7_link", "leg_left_6_link", "leg_right_6_link"]


def quaternion(rpy):
    """x, y, z, w of roll, pitch and yaw about fixed axes."""
    (sr, cr), (sp, cp), (sy, cy) = [(math.sin(a / 2), math.cos(a / 2)) for a in rpy]
    return [
        sr * cp * cy - cr * sp * sy,
        cr * sp * cy + sr * cp * sy,
        cr * cp * sy - sr * sp * cy,
        cr * cp * cy + sr * sp * sy,
    ]


def model_of(path):
    """The joints of a URDF, depth first, below a base that floats. What follows another joint is held."""

    def numbers(element, name):
        return [float(x) for x in (element.get(name) if element is not None and element.get(name) else "0 0 0").split()]

    below = {}
    for joint in xml.parse(path).getroot().findall("joint"):
        below.setdefault(joint.find("parent").get("link"), []).append(joint)
    children = {joint.find("child").get("link") for joints in below.values() for joint in joints}
    (base,) = set(below) - children
    still = {"p": [0.0] * 3, "rpy": [0.0] * 3, "q": [0.0, 0.0, 0.0, 1.0]}
    joints = [{"name": "root", "type": "free", "parent": "world", "child": base, "origin": still}]
    waiting = list(reversed(below.get(base, [])))
    while waiting:
        joint = waiting.pop()
        link = joint.find("child").get("link")
        waiting += reversed(below.get(link, []))
        origin, limit = joint.find("origin"), joint.find("limit")
        kind = {"continuous": "revolute"}.get(joint.get("type"), joint.get("type"))
        place, turn = numbers(origin, "xyz"), numbers(origin, "rpy")
        known = {"name": joint.get("name"), "type": kind, "parent": joint.find("parent").get("link"), "child": link}
        known["origin"] = {"p": place, "rpy": turn, "q": quaternion(turn)}
        if kind in ("revolute", "prismatic") and joint.find("mimic") is None:
            axis = np.array(numbers(joint.find("axis"), "xyz"))
            known["axis"] = (axis / np.linalg.norm(axis)).tolist()
            endless = limit is None or limit.get("lower") is None
            known["limit"] = [-math.pi, math.pi] if endless else [float(limit.get("lower")), float(limit.get("upper"))]
        else:
            known["type"] = "fixed"
        joints.append(known)
    return {"base": "world", "joints": joints}


def write_urdf(path, model, *, floating):
    """A URDF of a model, without meshes; with a base that floats for those that need it in the file."""
    joints = model["joints"]
    free = joints[0]["type"] == "free"
    links = dict.fromkeys([model["base"], *(joint["child"] for joint in joints)])
    if free and not floating:
        joints, links = joints[1:], dict.fromkeys(joint["child"] for joint in joints)
    # MuJoCo would throw away what does not move, and wants masses.
    out = ['<robot name="robot"><mujoco><compiler fusestatic="false" balanceinertia="true"/></mujoco>']
    mass = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'
    out += [f'<link name="{link}">{mass}</link>' for link in links]
    for joint in joints:
        kind = {"free": "floating"}.get(joint["type"], joint["type"])
        words = {key: " ".join(map(repr, joint["origin"][key])) for key in ("p", "rpy")}
        out.append(f'<joint name="{joint["name"]}" type="{kind}"><parent link="{joint["parent"]}"/><child link="{joint["child"]}"/>')
        out.append(f'<origin xyz="{words["p"]}" rpy="{words["rpy"]}"/>')
        if "axis" in joint:
            low, high = joint["limit"]
            out.append(f'<axis xyz="{" ".join(map(repr, joint["axis"]))}"/>')
            out.append(f'<limit lower="{low!r}" upper="{high!r}" effort="100" velocity="10"/>')
        out.append("</joint>")
    path.write_text("\n".join([*out, "</robot>"]))


def motion(model):
    """A smooth motion within the limits: every number swings at a pace of its own."""
    random = np.random.default_rng(SEED)
    time = np.arange(FRAMES) / FPS

    def swing(size):
        return size * np.sin(math.tau * random.uniform(0.1, 0.5) * time + random.uniform(0, math.tau))

    columns = []
    for joint in model["joints"]:
        if joint["type"] == "free":
            turns = np.stack([swing(0.1) for _ in range(3)])
            last = np.sqrt(1 - (turns**2).sum(0))
            columns += [swing(0.1), swing(0.1), 1.0 + swing(0.05), *turns, last]
        elif SIZES[joint["type"]]:
            low, high = joint["limit"]
            columns.append((low + high) / 2 + swing(min(0.2 * (high - low), 0.6)))
    return np.stack(columns, 1)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="what 'sinew eval tasks -o FOLDER' has written")
    parser.add_argument("--talos", type=Path, help="a URDF of Talos, for T4; that of robot_descriptions if none")
    given = parser.parse_args()
    panda = json.loads((given.folder / "t2_panda.json").read_text())
    write_urdf(given.folder / "panda.urdf", panda["model"], floating=False)
    (given.folder / "t2_panda.json").write_text(json.dumps({**panda, "urdf": "panda.urdf"}))
    if given.talos is None:
        from robot_descriptions import talos_description

        given.talos = Path(talos_description.URDF_PATH)
    model = model_of(given.talos)
    write_urdf(given.folder / "talos.urdf", model, floating=False)
    write_urdf(given.folder / "talos_floating.urdf", model, floating=True)
    rows, judge = motion(model), Judge({"model": model})
    places, turns = sk.pose_from_matrix(np.array([[judge.links(q)[link] for link in LINKS] for q in rows]).reshape(-1, 4, 4))
    targets = np.concatenate([places, turns], 1).reshape(FRAMES, len(LINKS), 7)
    task = {
        "task": "T4",
        "robot": "talos",
        "seed": SEED,
        "fps": FPS,
        "model": model,
        "urdf": "talos.urdf",
        "mjcf": "talos_floating.urdf",
        "effectors": [{"name": link, "kind": "pose", "link": link} for link in LINKS],
        "start": rows[0].tolist(),
        "targets": targets.tolist(),
    }
    (given.folder / "t4_talos.json").write_text(json.dumps(task))


if __name__ == "__main__":
    main()
