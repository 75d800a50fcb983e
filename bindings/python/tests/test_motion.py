"""Whole bodies and motions."""

import doctest
import types

import numpy as np
import pytest

import sinew_ik as sk
from sinew_ik import _sinew, corpus, show, tasks


def test_six_points_of_a_motion_make_the_body_again(human, walk):
    rotations, translations, frame_time = walk.motion()
    q = walk.q_of(rotations, translations)
    places, _ = walk.forward(q)
    body = sk.SixPoint(human, count=1, dtype="float64")
    assert body.points[:4] == ["pelvis", "head", "left_wrist", "right_wrist"]
    # The joints that the points are, by where they rest.
    at_rest = human.forward(np.zeros(human.dof))[0]
    apart = np.linalg.norm(at_rest[None] - body.rest_points()[0][:, None], axis=2)
    found = apart.argmin(axis=1)
    assert apart.min(axis=1).max() < 1e-6
    for frame in places[:, found]:
        turns, shifts = body.step(frame[None], dt=frame_time)
    q = human.q_of(turns[0], shifts[0])
    wrists = human.forward(q)[0][found[2:4]]
    assert np.linalg.norm(wrists - places[-1, found[2:4]], axis=1).max() < 0.02


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_crowds_of_bodies_are_the_same_on_any_number_of_threads(human, dtype):
    random = np.random.default_rng(5)
    answers = []
    for threads in (1, 2, 5):
        bodies = sk.SixPoint(human, count=20, dtype=dtype, threads=threads)
        rest = bodies.rest_points()
        assert rest.shape == (20, 6, 3) and rest.dtype == dtype
        random = np.random.default_rng(5)
        for i in range(5):
            turns, shifts = bodies.step(rest + 0.01 * i * random.normal(size=rest.shape).astype(dtype), dt=1 / 60)
        answers.append((turns, shifts, bodies.reached))
    assert turns.dtype == dtype and turns.shape == (20, len(human.joint_names), 4)
    for other in answers[1:]:
        assert all(np.array_equal(a, b) for a, b in zip(answers[0], other))


def test_bodies_write_to_arrays_that_are_given(human):
    a, b = (sk.SixPoint(human, count=3) for _ in range(2))
    points = a.rest_points()
    points[:, 2, 1] += 0.1
    turns, shifts = a.step(points, dt=1 / 60)
    room = np.full_like(turns, np.nan), np.full_like(shifts, np.nan)
    written = b.step(points, dt=1 / 60, out=room)
    assert written[0] is room[0] and written[1] is room[1]
    assert np.array_equal(room[0], turns) and np.array_equal(room[1], shifts)
    still = np.array(turns)
    still.setflags(write=False)
    wrong = [
        ((turns[:2], shifts), ValueError, r"out\[0\]: found shape"),
        ((turns, shifts.astype(np.float64)), TypeError, r"out\[1\]: found float64; expected an array of float32"),
        ((turns, [1.0]), TypeError, r"out\[1\]: found <class 'list'>"),
        ((turns[:, :, ::-1], shifts), ValueError, r"out\[0\]: its rows"),
        ((still, shifts), ValueError, r"out\[0\]"),
        (turns, (TypeError, ValueError), None),
    ]
    for out, error, words in wrong:
        with pytest.raises(error, match=words):
            b.step(points, dt=1 / 60, out=out)


def test_points_that_are_not_seen_are_filled_in(human):
    body = sk.SixPoint(human)
    rest = body.rest_points()
    rest[:, 2] = np.nan
    body.step(rest, dt=0.01)
    assert body.filled.tolist() == [1] and not body.reached[0]
    body.reset()
    assert len(body.causes) == 1


def test_motions_go_out_and_come_back(walk, tmp_path):
    rotations, translations, frame_time = walk.motion()
    for ending in ("bvh", "glb"):
        path = tmp_path / f"walk.{ending}"
        walk.save(path)
        again = sk.load(path)
        other = again.motion()
        assert other[0].shape[0] == rotations.shape[0] and other[2] == pytest.approx(frame_time, rel=1e-3)
        joint = walk.joint_names[-1]
        mine = walk.forward(walk.q_of(rotations, translations))[0][:, -1]
        theirs = again.forward(again.q_of(other[0], other[1]))[0][:, again.joint_names.index(joint)]
        assert np.abs(mine - theirs).max() < 1e-3
    made = walk.with_motion(rotations[:5], translations[:5], frame_time=0.1, name="five")
    assert made.motion_names == ["five"] and made.motion("five")[0].shape[0] == 5
    with pytest.raises(KeyError, match="six"):
        made.motion("six")
    with pytest.raises(IndexError):
        made.motion(3)


def test_jobs(human, walk):
    rebuilt, told = sk.reconstruct(walk)
    assert told["frames"] == 30 and told["position_error"] < 0.05 and "left_wrist" in told["missed"]
    planted, summary = sk.plant(walk, ground="slope")
    assert summary["drift"] < 1e-3 and summary["contacts"]
    smooth = sk.filter(walk, character="light")
    assert smooth.motion()[0].shape == walk.motion()[0].shape
    other = sk.transfer(walk, sk.rig("humanoid"))
    assert other.motion()[0].shape[0] == 30
    reached, done, causes = sk.reach(human, right=[-0.2, 1.0, 0.5])
    assert done == [True] and causes[0] is None and reached.motion()[0].shape[0] == 1
    looking, seen, missed, _ = sk.look(human, at=[[0.5, 1.6, 2.0], [-0.5, 1.6, 2.0]])
    assert seen == [True, True] and max(missed) < 0.05 and looking.motion()[0].shape[0] == 2
    lamp = sk.rig("erik-g") if "erik-g" in sk.rig_names() else None
    if lamp is not None:
        _, seen, missed, _ = sk.look(lamp, toward_xyzw=[0.0, 0.3826834, 0.0, 0.9238795])
        assert len(seen) == 1
    heights = np.zeros((40, 40))
    uphill = sk.walk(human, sticks=np.tile([0.5, 0.1], (10, 1)), ground=(heights, 0.25))
    assert uphill.motion()[0].shape[0] == 10
    with pytest.raises(ValueError, match="ground"):
        sk.walk(human, ground="lava")


def test_pictures(arm, human):
    for rig in (arm, human):
        svg = rig._repr_html_()
        assert svg.startswith("<svg") and rig.name in svg
    assert arm.svg(np.full(arm.dof, 0.3)) != arm.svg()
    with pytest.raises(ValueError, match="one pose"):
        arm.svg(np.zeros((2, arm.dof)))


def test_every_example_in_the_docs():
    finder, runner = doctest.DocTestFinder(exclude_empty=True), doctest.DocTestRunner()
    for module in (sk, tasks, show, corpus):
        for test in finder.find(module, module.__name__):
            runner.run(test)
    # What is native has no source that the finder could look for.
    parser = doctest.DocTestParser()
    docs = [getattr(_sinew, name) for name in dir(_sinew)]
    docs += [getattr(kind, name) for kind in docs if isinstance(kind, type) for name in vars(kind)]
    count = 0
    for thing in docs:
        text = getattr(thing, "__doc__", None)
        if isinstance(text, str) and ">>>" in text and not isinstance(thing, types.ModuleType):
            runner.run(parser.get_doctest(text, {}, getattr(thing, "__name__", "?"), None, None))
            count += 1
    assert count >= 5 and runner.summarize(verbose=False).failed == 0
