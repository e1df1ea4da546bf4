"""The type hints: the package and a user's script pass mypy --strict, mistakes do not, and hints agree with what runs."""

import inspect
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, get_args, get_origin, get_type_hints

import numpy as np
import pytest

import eigenmap

HERE = Path(__file__).parent
# What a type checker finds beside the script: the package that was imported.
ENVIRONMENT = {**os.environ, "MYPYPATH": str(Path(eigenmap.__file__).parents[1])}

MISTAKES = """
import numpy as np
import eigenmap
X = np.zeros((9, 2))
eigenmap.LaplacianEigenmaps(neighbors=3)  # call-arg
eigenmap.LaplacianEigenmaps(solver="fast")  # arg-type
eigenmap.PCA("two")  # arg-type
eigenmap.KMeans(3).fit(X).label_  # attr-defined
eigenmap.Isomap().predict_proba(X)  # attr-defined
eigenmap.CLE().fit(X, must_link=[0, 1])  # arg-type
eigenmap.KMeans().fit(X, vectors=X, views=("words", "pictures"))  # arg-type
eigenmap.KMeans().fit(X).predict(X, vector=X)  # call-arg
"""


@pytest.fixture(scope="module")
def cache(tmp_path_factory):
    return tmp_path_factory.mktemp("mypy")


def mypy(*files, cwd, cache):
    pytest.importorskip("mypy", reason="there is no mypy here: pip install mypy")
    command = [sys.executable, "-m", "mypy", "--config-file", str(HERE / "mypy.ini"), "--cache-dir", str(cache), *files]
    if "site-packages" in ENVIRONMENT.get("MYPYPATH", ""):  # mypy finds the package by itself
        ENVIRONMENT.pop("MYPYPATH")
    return subprocess.run(command, capture_output=True, text=True, cwd=cwd, env=ENVIRONMENT)


def test_the_package_is_strict(tmp_path, cache):
    # A copy: mypy says nothing of packages that are installed.
    shutil.copytree(Path(eigenmap.__file__).parent, tmp_path / "eigenmap", ignore=shutil.ignore_patterns("*.so*", "__pycache__"))
    done = mypy("eigenmap", cwd=tmp_path, cache=cache)
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_strict_script(tmp_path, cache):
    (tmp_path / "typed.py").write_text((HERE / "typed.py").read_text())
    (tmp_path / "mistakes.py").write_text(MISTAKES)
    done = mypy("typed.py", "mistakes.py", cwd=tmp_path, cache=cache)
    want = [(i, line.rpartition("# ")[2]) for i, line in enumerate(MISTAKES.split("\n"), 1) if "  # " in line]
    said = [line for line in done.stdout.splitlines() if ": error:" in line]
    assert [(line.split(":")[0], int(line.split(":")[1]), line.rpartition("[")[2].strip("]")) for line in said] == [("mistakes.py", *w) for w in want], done.stdout
    run = subprocess.run([sys.executable, "typed.py"], capture_output=True, text=True, cwd=tmp_path)
    assert run.returncode == 0, run.stderr


def test_the_package_is_marked():
    assert Path(eigenmap.__file__).with_name("py.typed").exists()


@pytest.mark.parametrize("cls", eigenmap.all_estimators().values(), ids=eigenmap.all_estimators())
def test_attributes_have_their_types(cls):
    """What a fit sets has the type that the hints say, and every parameter has a hint."""
    hints = get_type_hints(cls)
    x = np.abs(np.random.default_rng(0).normal(size=(60, 4)))
    e = cls().fit(x, np.repeat([0, 1, -1], 20) if cls._labels == "required" else None)
    for name, value in vars(e).items():
        if not name.endswith("_") or name in e.get_params():
            continue
        hint = hints[name]
        if (kind := get_origin(hint)) is np.ndarray:
            dtype = get_args(get_args(hint)[1])[0]
            assert isinstance(value, np.ndarray) and (dtype is Any or value.dtype == dtype), name
        else:
            assert isinstance(value, kind or hint), name
    assert {p.annotation for p in inspect.signature(cls).parameters.values()}.isdisjoint({inspect.Parameter.empty})
