"""Eigenpairs of operators, graphs as arrays, single precision and a limit of memory."""

import subprocess
import sys

import numpy as np
import pytest
import scipy.sparse as sp
from scipy.sparse.linalg import LinearOperator, aslinearoperator

import eigenmap

N = 400
PATH = sp.diags_array([-np.ones(N - 1), 2 * np.ones(N), -np.ones(N - 1)], offsets=[-1, 0, 1]).tocsr()
VALUES = 2 - 2 * np.cos(np.arange(1, N + 1) * np.pi / (N + 1))


@pytest.mark.parametrize("a", [PATH, PATH.toarray(), aslinearoperator(PATH), PATH.tocoo()], ids=["sparse", "dense", "operator", "coo"])
@pytest.mark.parametrize("which", ["SA", "LA"])
def test_eigsh(a, which):
    mass = 1 + np.abs(np.sin(np.arange(N)))
    root = sp.diags_array(np.sqrt(mass))
    want = VALUES[:5] if which == "SA" else VALUES[-5:]
    w, v = eigenmap.eigsh(a, 5, which=which)
    np.testing.assert_allclose(w, want, atol=1e-10)
    np.testing.assert_allclose(v.T @ v, np.eye(5), atol=1e-8)
    np.testing.assert_allclose(PATH @ v, v * w, atol=1e-6)
    b = root @ (a if not isinstance(a, LinearOperator) else PATH) @ root
    b = aslinearoperator(b) if isinstance(a, LinearOperator) else b
    for m in (mass, sp.diags_array(mass).tocsr()):
        w, v = eigenmap.eigsh(b, 5, m, which=which)
        np.testing.assert_allclose(w, want, atol=1e-10)
        np.testing.assert_allclose(v.T @ (mass[:, None] * v), np.eye(5), atol=1e-8)
    assert eigenmap.eigsh(a, 2, return_eigenvectors=False).shape == (2,)


def test_eigsh_finds_copies():
    """A ring has each eigenvalue but two twice."""
    ring = sp.diags_array([1.0, 1.0, 1.0, 1.0], offsets=[-1, 1, 1 - N, N - 1], shape=(N, N)).tocsr()
    for solver in ("lanczos", "dense"):
        w = eigenmap.eigsh(ring, 7, which="LA", solver=solver, return_eigenvectors=False)
        np.testing.assert_allclose(w, 2 * np.cos(2 * np.pi * np.array([3, 3, 2, 2, 1, 1, 0]) / N), atol=1e-9)
    w = eigenmap.eigsh(PATH, 3, solver="shift-invert", verify=True, return_eigenvectors=False)
    np.testing.assert_allclose(w, VALUES[:3], atol=1e-10)


def test_eigsh_refuses():
    def fails(x):
        raise ZeroDivisionError("mine")

    skew = PATH.toarray()
    skew[0, 1] = 5
    for a, options, error, text in (
        (skew, {}, ValueError, "not symmetric"),
        (aslinearoperator(skew), {}, ValueError, "not symmetric"),
        (LinearOperator((N, N), matvec=fails, matmat=fails, dtype=float), {}, ZeroDivisionError, "mine"),
        (aslinearoperator(PATH * 1j), {}, ValueError, "complex"),
        (PATH[:5], {}, ValueError, "square"),
        (PATH, {"which": "LM"}, ValueError, "SA"),
        (PATH, {"k": N + 1}, ValueError, "401"),
        (PATH, {"M": np.zeros(N)}, ValueError, "positive"),
        (PATH, {"M": np.ones(3)}, ValueError, "400 numbers"),
        (PATH, {"M": PATH}, ValueError, "diagonal"),
        (PATH, {"solver": "qr"}, ValueError, "qr"),
        (PATH, {"solver": "lanczos", "maxiter": 1, "tol": 1e-15}, eigenmap.EigenmapError, "maxiter|converged"),
    ):
        with pytest.raises(error, match=text):
            eigenmap.eigsh(a, **{"k": 5, **options})


def test_graphs():
    """Points on a circle: the two neighbours of each are in a ring."""
    angle = 2 * np.pi * np.arange(60) / 60
    x = np.column_stack([np.cos(angle), np.sin(angle)])
    for rows in (x, x.astype(np.float32), sp.csr_array(x)):
        g = eigenmap.neighbors_graph(rows, 2)
        near = g.indices.reshape(60, 2)
        assert (np.sort((near - np.arange(60)[:, None]) % 60, axis=1) == [1, 59]).all()
        np.testing.assert_allclose(g.data, 2 * np.sin(np.pi / 60), rtol=1e-5)
    w = eigenmap.affinity_graph(x, 2, edge_weight="binary")
    assert w.nnz == 120 and (w != w.T).nnz == 0
    e = eigenmap.LaplacianEigenmaps(None, 2, precomputed=True).fit(w)
    np.testing.assert_allclose(e.eigenvalues_, [1 - np.cos(2 * np.pi / 60)] * 2, atol=1e-12)
    again = eigenmap.LaplacianEigenmaps(None, 2, n_neighbors=2, edge_weight="binary").fit(x)
    assert (again.affinity_matrix_ != w).nnz == 0
    assert (e.affinity_matrix_ != w).nnz == 0
    assert not hasattr(eigenmap.KMeans(2).fit(x), "affinity_matrix_")
    with pytest.raises(ValueError, match="n_neighbors"):
        eigenmap.affinity_graph(x, 0)
    with pytest.raises(ValueError, match="59"):
        eigenmap.neighbors_graph(x, 60)
    with pytest.raises(ValueError, match="epsilons"):
        eigenmap.affinity_graph(x, epsilons=1)
    del w
    assert (g.indices.reshape(60, 2) == near).all()  # the arrays live as long as their views


def test_affinity_of_copies():
    """Rows that equal others have neighbours as well, where they count once in the fit."""
    x = np.vstack([np.random.default_rng(0).normal(size=(30, 3))] * 2)
    e = eigenmap.LaplacianEigenmaps(2, n_neighbors=5, duplicates="once").fit(x)
    w = e.affinity_matrix_
    assert w.shape == (60, 60) and (w != w.T).nnz == 0 and (np.diff(w.indptr) > 0).all()


def test_single_precision_gives_the_same():
    x = np.random.default_rng(0).normal(size=(200, 5)).astype(np.float32)
    s = sp.random_array((200, 40), density=0.2, rng=np.random.default_rng(0), format="csr", dtype=np.float32)
    for e in (eigenmap.LaplacianEigenmaps(3), eigenmap.KMeans(3), eigenmap.PCA(2), eigenmap.Isomap()):
        for rows in (x, s, np.asfortranarray(x)):
            got = e.fit(rows)
            a = got.labels_ if hasattr(got, "labels_") else got.embedding_
            got = e.fit(rows.astype(np.float64))
            np.testing.assert_array_equal(a, got.labels_ if hasattr(got, "labels_") else got.embedding_)
            if hasattr(e, "predict") and getattr(e, "n_clusters", None):
                np.testing.assert_array_equal(e.predict(rows), e.predict(rows.astype(np.float64)))


MEMORY = """
import resource
import numpy as np, scipy.sparse as sp
import eigenmap
rows, cols = 400_000, 60
x = np.random.default_rng(0).random((rows, cols), dtype=np.float32)
fit = lambda x: eigenmap.KMeans(2, n_init=1, kmeans_iter=1, normalize="none").fit(x)
fit(x[:100])
peak = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
before = peak()
fit(x)
print((peak() - before) / x.nbytes)
"""


def test_single_precision_is_not_copied():
    """A fit of 400,000 rows and 96 MB in single precision needs less than one copy of them."""
    out = subprocess.run([sys.executable, "-c", MEMORY], check=True, capture_output=True, text=True).stdout
    assert float(out) < 0.6, f"the fit took {out} times the memory of the matrix"


def test_memory_limit():
    x = np.random.default_rng(0).random((2000, 5))
    with eigenmap.memory_limit("100kB"), pytest.raises(eigenmap.EigenmapError, match="memory_limit"):
        eigenmap.LaplacianEigenmaps(3).fit(x)
    with eigenmap.memory_limit(2**30):
        eigenmap.LaplacianEigenmaps(3).fit(x)
    with eigenmap.memory_limit("much"), pytest.raises(ValueError, match="memory"):
        eigenmap.LaplacianEigenmaps(3).fit(x)
