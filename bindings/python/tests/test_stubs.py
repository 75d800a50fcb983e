"""The stubs say what the native part has: every name, and every argument by its name and whether it has a default."""

import ast
import inspect
from pathlib import Path

import sinew_ik
from sinew_ik import _sinew

STUB = ast.parse((Path(sinew_ik.__file__).parent / "_sinew.pyi").read_text())


def public(names):
    return {name for name in names if not name.startswith("_") or name in ("__version__", "_repr_html_")}


def told(body):
    names = {}
    for part in body:
        if isinstance(part, ast.AnnAssign):
            names[part.target.id] = part
        elif isinstance(part, (ast.FunctionDef, ast.ClassDef)):
            names[part.name] = part
    return names


def arguments(function):
    given = function.args
    plain = [*given.posonlyargs, *given.args]
    defaults = [None] * (len(plain) - len(given.defaults)) + given.defaults
    pairs = [*zip(plain, defaults), *zip(given.kwonlyargs, given.kw_defaults)]
    return [(arg.arg, default is not None) for arg, default in pairs if arg.arg not in ("self", "cls")]


def arguments_here(function):
    parameters = inspect.signature(function).parameters.values()
    return [(p.name, p.default is not p.empty) for p in parameters if p.name not in ("self", "cls")]


def test_every_name_and_argument_is_in_the_stub():
    stub = told(STUB.body)
    assert public(stub) == public(vars(_sinew))
    for name, known in stub.items():
        thing = getattr(_sinew, name)
        if isinstance(known, ast.FunctionDef):
            assert arguments(known) == arguments_here(thing), name
        elif isinstance(known, ast.ClassDef) and name != "SinewError":
            members = told(known.body)
            assert public(members) == public(vars(thing)), name
            for member, inside in members.items():
                is_property = any(isinstance(d, ast.Name) and d.id == "property" for d in inside.decorator_list)
                if member == "__new__":
                    assert arguments(inside) == arguments_here(thing), name
                elif not is_property:
                    assert arguments(inside) == arguments_here(getattr(thing, member)), f"{name}.{member}"


def test_every_public_thing_has_words():
    bare = [name for name in sinew_ik.__all__ if not (getattr(sinew_ik, name).__doc__ or "").strip()]
    assert bare == []
    for kind in (sinew_ik.Rig, sinew_ik.Solution, sinew_ik.SixPoint, sinew_ik.Cause):
        assert [name for name in public(vars(kind)) if not (getattr(kind, name).__doc__ or "").strip()] == []
