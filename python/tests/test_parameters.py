"""Every parameter of every estimator refuses what it does not take, by its name."""

import inspect
import re
import warnings
from typing import Literal, get_args, get_origin, get_type_hints

import numpy as np
import pytest
from sklearn.datasets import make_blobs

import eigenmap

X, Y = make_blobs(40, centers=3, n_features=4, random_state=0)
X -= X.min()
PART = np.where(np.arange(40) < 20, Y, -1)
ALL = eigenmap.all_estimators() | {"MiniBatchKMeans": eigenmap.MiniBatchKMeans, "MiniBatchNMF": eigenmap.MiniBatchNMF}
OF_NO_KIND = [[1], {"a": 1}, object(), b"x", (), np.array([1, 2]), float("nan"), float("inf"), 1j]


def wrong(hint):
    """Values that no parameter of the hint takes: of other types, and out of range."""
    parts = get_args(hint) if get_origin(hint) is not Literal and get_args(hint) else (hint,)
    found = list(OF_NO_KIND)
    if not any(p is str or get_origin(p) is Literal for p in parts):
        found += ["2", "no such", ""]
    if any(get_origin(p) is Literal for p in parts) or str in parts and int in parts:
        found += ["no such"]
    if bool in parts:
        found += [2, -1, 0.5]
    else:
        found += [True]
    if int in parts or bool in parts:
        found += [1.5, -1.5]
    if int in parts:
        found += [-(10**30), 10**30]
    if type(None) not in parts:
        found += [None]
    return found


# Parameters for which numbers of any size are right.
ANY_SIZE = {("MiniBatchKMeans", "batch_size"), ("MiniBatchNMF", "batch_size")}


@pytest.mark.parametrize("name", ALL)
def test_wrong_parameters(name):
    cls = ALL[name]
    y = PART if getattr(cls, "_labels", "") == "required" else None
    good = cls().get_params()
    if good.get("n_clusters"):
        good["n_clusters"] = 3
    hints = get_type_hints(cls.__init__)
    for parameter in inspect.signature(cls.__init__).parameters:
        if parameter == "self":
            continue
        for value in wrong(hints[parameter]):
            if (name, parameter) in ANY_SIZE and type(value) is int and value > 0:
                continue
            what = f"{name}({parameter}={value!r})"
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                try:
                    cls(**{**good, parameter: value}).fit(X, y)
                except ValueError as e:
                    said = str(e)
                else:
                    raise AssertionError(f"{what} is taken")
            assert parameter in said, f"{what}: {said}"
            assert not re.search(r"--[a-z]|JSON|invalid literal|ambiguous", said), f"{what}: {said}"


def test_number_of_threads_of_functions():
    for n_jobs in (0, "2", 1.5, True, [1], 10**30):
        for call in (
            lambda: eigenmap.KMeans(2, n_jobs=n_jobs).fit(X),
            lambda: eigenmap.KMeans(2).fit(X).set_params(n_jobs=n_jobs).predict(X),
            lambda: eigenmap.eigsh(np.eye(9), 2, n_jobs=n_jobs),
            lambda: eigenmap.neighbors_graph(X, 3, n_jobs=n_jobs),
            lambda: eigenmap.affinity_graph(X, 3, n_jobs=n_jobs),
        ):
            with pytest.raises(ValueError, match="n_jobs"):
                call()


def test_parameters_of_numpy():
    """Numbers and truth values of NumPy count as Python's."""
    e = eigenmap.LaplacianEigenmaps(np.int64(3), n_neighbors=np.int32(5), tol=np.float32(1e-6), drop_zeros=np.True_, n_jobs=np.int8(1)).fit(X)
    np.testing.assert_array_equal(e.labels_, eigenmap.LaplacianEigenmaps(3, n_neighbors=5, tol=float(np.float32(1e-6)), drop_zeros=True).fit(X).labels_)


def test_numbers_of_numpy():
    a = X @ X.T
    plain = eigenmap.eigsh(a, k=2, random_state=3, maxiter=500, tol=0.5**20)[0]
    assert np.array_equal(eigenmap.eigsh(a, k=np.int32(2), random_state=np.int64(3), maxiter=np.int64(500), tol=np.float32(0.5**20))[0], plain)


def test_more_neighbours_than_rows():
    """The message names the parameter and the most that it may be."""
    X = np.random.default_rng(0).random((20, 3))
    for call in (lambda: eigenmap.DiffusionMaps(2, n_neighbors=20).fit(X), lambda: eigenmap.Isomap(n_neighbors=20).fit(X), lambda: eigenmap.neighbors_graph(X, 20), lambda: eigenmap.affinity_graph(X, 20)):
        with pytest.raises(ValueError, match="n_neighbors 20 is more than the 19 others of each of 20 documents"):
            call()
