#!/usr/bin/env python3
"""Opens a GLB and a BVH file in Blender and compares where the joints are.

An optional check, run by hand. It needs Python 3.11 and Blender as a module:

    python3.11 -m venv venv
    venv/bin/pip install bpy
    sinew convert walk.bvh walk.glb     # or any file with one motion
    sinew convert walk.glb again.bvh    # centimetres, Y up
    venv/bin/python compare.py again.bvh walk.glb

The recording itself can be compared as well, with the unit and the axis that
`sinew info` says it was read with:

    venv/bin/python compare.py walk.bvh walk.glb --unit 0.056444444444444 --up Y

Prints the farthest that a joint stands from its twin over frames spread over
the motion, in metres. Exits with 1 if that is 1e-4 or more, or if a joint of
one file is missing in the other.
"""

import argparse
import contextlib
import os
import re
import sys

import bpy

LIMIT = 1e-4


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bvh")
    parser.add_argument("glb")
    parser.add_argument("--unit", type=float, default=0.01, help="metres in one unit of the BVH file")
    parser.add_argument("--up", choices=["Y", "Z"], default="Y", help="the BVH file's axis that points up")
    parser.add_argument("--frames", type=int, default=25, help="how many frames to look at")
    return parser.parse_args()


@contextlib.contextmanager
def quiet():
    """Blender's importers write to the process's own standard output."""
    kept = os.dup(1)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    try:
        yield
    finally:
        os.dup2(kept, 1)
        os.close(kept)
        os.close(nowhere)


def motion_of(path):
    """The frame time and the number of rows that the file really has."""
    with open(path, encoding="utf-8", errors="replace") as file:
        head, _, rows = file.read().partition("Frame Time:")
    time, _, rows = rows.lstrip().partition("\n")
    assert "Frames" in head, f"{path} has no motion"
    return float(time), sum(1 for row in re.split(r"[\r\n]+", rows) if row.strip())


def armature_after(importer):
    before = set(bpy.data.objects)
    with quiet():
        importer()
    found = [o for o in bpy.data.objects if o not in before and o.type == "ARMATURE"]
    assert len(found) == 1, f"expected one armature, found {len(found)}"
    return found[0]


def first_key(armature):
    """The frame of the first key; the importers do not agree on where to begin."""
    return armature.animation_data.action.frame_range[0]


def places(armature, frame):
    whole = int(frame // 1)
    bpy.context.scene.frame_set(whole, subframe=frame - whole)
    bpy.context.view_layer.update()
    return {bone.name: armature.matrix_world @ bone.head for bone in armature.pose.bones}


def main():
    args = arguments()
    bpy.ops.wm.read_factory_settings(use_empty=True)
    frame_time, rows = motion_of(args.bvh)
    # Blender puts the keys of a GLB at seconds times this rate. It is a whole
    # number, so the two files' frames are matched by time and not by number.
    rate = max(1, round(1.0 / frame_time))
    bpy.context.scene.render.fps = rate
    bpy.context.scene.render.fps_base = 1.0

    forward = {"Y": "-Z", "Z": "Y"}[args.up]
    bvh = armature_after(
        lambda: bpy.ops.import_anim.bvh(
            filepath=args.bvh,
            global_scale=args.unit,
            axis_forward=forward,
            axis_up=args.up,
            rotate_mode="NATIVE",
        )
    )
    glb = armature_after(lambda: bpy.ops.import_scene.gltf(filepath=args.glb))

    worst, where, count = 0.0, "", 0
    for row in sorted({round(i * (rows - 1) / max(1, args.frames - 1)) for i in range(args.frames)}):
        a = places(bvh, first_key(bvh) + row)
        b = places(glb, first_key(glb) + row * frame_time * rate)
        missing = set(a) ^ set(b)
        if missing:
            print(f"only one of the two files has: {', '.join(sorted(missing)[:10])}")
            return 1
        for name, place in a.items():
            off = (place - b[name]).length
            count += 1
            if off > worst:
                worst, where = off, f"'{name}' in frame {row}"
    verdict = "the same places" if worst < LIMIT else "DIFFERENT PLACES"
    print(f"{args.bvh}, {args.glb}: {len(a)} joints, {count} places, worst {worst:.2e} m ({where}): {verdict}")
    return 0 if worst < LIMIT else 1


if __name__ == "__main__":
    sys.exit(main())
