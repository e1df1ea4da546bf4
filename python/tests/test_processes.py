"""Processes: a fork says how, and spawn, forkserver and joblib's work."""

import multiprocessing
import os
import pickle

import joblib
import numpy as np
import pytest

import eigenmap

X = np.vstack([np.random.default_rng(0).normal(c, 0.2, (30, 3)) for c in (0, 4)])


def test_fork_says_how():
    """The child of a fork gets one sentence from every call, at once, and can end; the parent goes on."""
    e = eigenmap.KMeans(2).fit(X)
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        said = []
        for call in (lambda: eigenmap.KMeans(2).fit(X), lambda: e.predict(X), lambda: pickle.dumps(e), lambda: eigenmap.Corpus(["a b", "a c"]), eigenmap.version):
            try:
                call()
                said.append("")
            except eigenmap.EigenmapError as error:
                said.append(str(error))
        os.write(write, "\n".join(said).encode())
        os._exit(0)
    os.close(write)
    with os.fdopen(read) as said:
        lines = said.read().split("\n")
    assert os.waitpid(child, 0)[1] == 0
    assert len(lines) == 5 and all("fork" in line and "spawn" in line for line in lines[:4]) and lines[4] == ""
    np.testing.assert_array_equal(e.predict(X), e.labels_)


def test_fork_of_workers():
    """A pool of forks gets models, and says of a call what a fork lacks: it did not answer."""
    e = eigenmap.KMeans(2).fit(X)
    with multiprocessing.get_context("fork").Pool(1) as pool, pytest.raises(eigenmap.EigenmapError, match="spawn"):
        pool.apply_async(e.predict, (X,)).get(timeout=20)


@pytest.mark.parametrize("method", ["spawn", "forkserver"])
def test_start_methods(method):
    e = eigenmap.KMeans(2).fit(X)
    with multiprocessing.get_context(method).Pool(1) as pool:
        np.testing.assert_array_equal(pool.apply(e.predict, (X,)), e.labels_)
        np.testing.assert_array_equal(pool.apply(eigenmap.KMeans(2).fit_predict, (X,)), e.labels_)


def test_loky():
    e = eigenmap.KMeans(2).fit(X)
    got = joblib.Parallel(n_jobs=2, backend="loky")(joblib.delayed(e.predict)(X[i:]) for i in range(3))
    for i in range(3):
        np.testing.assert_array_equal(got[i], e.labels_[i:])
