"""Eigenpairs of symmetric operators, and graphs of neighbours."""

from __future__ import annotations

import numbers
import os
from collections.abc import Callable
from typing import Any, Literal, Protocol, Union, cast

import numpy as np
import scipy.sparse as sp
from numpy.typing import ArrayLike, NDArray

from . import _native
from ._calls import json_of
from ._typing import MatrixLike, SparseLike


class OperatorLike(Protocol):
    """A scipy.sparse.linalg.LinearOperator, or what has its products."""

    @property
    def shape(self) -> Any: ...

    def matmat(self, X: Any) -> Any:
        """The product with a block of vectors."""


def threads_of(n_jobs: Any) -> Any:
    """Threads of a call; 0: one for each core."""
    if n_jobs is None:  # joblib sets the variable in its processes
        text = os.environ.get("OMP_NUM_THREADS", "")
        return int(text) if text.isdecimal() else 0
    if not isinstance(n_jobs, numbers.Integral) or isinstance(n_jobs, bool) or n_jobs == 0:
        raise ValueError(f"n_jobs is {n_jobs!r}, and must be a number of threads, -1 for one for each core, or None")
    n = int(n_jobs)
    if abs(n) > 1_000_000:
        raise ValueError(f"n_jobs is {n_jobs}, and must be at most 1000000 threads")
    return n if n > 0 else 0 if n == -1 else max(1, (os.cpu_count() or 1) + 1 + n)


def eigsh(
    A: Union[SparseLike, OperatorLike, ArrayLike],
    k: int = 6,
    M: Union[SparseLike, ArrayLike, None] = None,
    *,
    which: Literal["SA", "LA"] = "SA",
    tol: float = 1e-8,
    maxiter: int | None = None,
    ncv: int | None = None,
    block: int | None = None,
    solver: Literal["auto", "dense", "arpack", "lanczos", "shift-invert"] = "auto",
    verify: bool = False,
    return_eigenvectors: bool = True,
    random_state: int = 0,
    n_jobs: int | None = None,
) -> Any:
    """k eigenpairs at one end of the spectrum of a symmetric matrix or operator, all copies among them::

        values, vectors = eigenmap.eigsh(A, k=6)

    As scipy.sparse.linalg.eigsh, but the default end is the smallest. A is a SciPy matrix, an array,
    or a LinearOperator, whose ``matmat`` is called with blocks of vectors. One that is not symmetric
    raises ValueError. M is the diagonal of the mass in A y = λ M y: an array of n positive numbers or
    a diagonal matrix; vectors then have yᵀMy = 1.

    which: "SA" the smallest or "LA" the largest by algebraic value. tol: the largest residual,
    relative to the norm of A. maxiter: restarts, 300. ncv: vectors of the basis. block: vectors of a
    product. verify: count the eigenvalues below the last one by a factorisation (of matrices).
    solver "shift-invert" factors as well. It returns the values, ascending, and with
    return_eigenvectors an n × k array of the vectors. EigenmapError: it did not converge.
    """
    if which not in ("SA", "LA"):
        raise ValueError(f"which is {which!r}: it is 'SA', the smallest, or 'LA', the largest by algebraic value")
    shape = getattr(A, "shape", None) or np.shape(cast(ArrayLike, A))
    if len(shape) != 2 or shape[0] != shape[1]:
        raise ValueError(f"A is {' × '.join(map(str, shape))}: it must be square")
    n = int(shape[0])
    a: Any
    if sp.issparse(A):
        a = A
    elif isinstance(A, np.ndarray) or not hasattr(A, "matmat"):
        dense = np.asarray(A)
        if np.iscomplexobj(dense):
            raise ValueError("A is complex: eigsh takes real symmetric matrices")
        a = sp.csr_array(dense.astype(np.float64))
    else:
        a = _real(A.matmat)
    options: dict[str, Any] = {"tol": tol, "solver": solver, "verify": verify, "seed": random_state, "threads": threads_of(n_jobs)}
    options["names"] = ["max-iter=maxiter", "subspace=ncv", "seed=random_state", "threads=n_jobs"]
    options |= {name: v for name, v in (("max-iter", maxiter), ("subspace", ncv), ("block", block)) if v is not None}
    values, vectors = _native.symmetric(a, n, _native.count_of("k", k), which == "LA", _mass(M, n), options, return_eigenvectors)
    return (values, vectors.T) if return_eigenvectors else values


def _real(matmat: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def product(x: Any) -> Any:
        y = np.asarray(matmat(x))
        if np.iscomplexobj(y):
            raise ValueError("the operator is complex: eigsh takes real symmetric ones")
        if y.shape != x.shape:
            raise ValueError(f"the operator makes {y.shape} of a block of {x.shape}")
        return y

    return product


def _mass(m: Any, n: int) -> NDArray[np.float64] | None:
    if m is None:
        return None
    if sp.issparse(m):
        if m.shape != (n, n) or (m - sp.diags_array(m.diagonal())).count_nonzero():
            raise ValueError("M must be a diagonal matrix of the size of A, or the array of its diagonal")
        m = m.diagonal()
    m = np.ascontiguousarray(m, dtype=np.float64)
    if m.shape != (n,):
        raise ValueError(f"M has the shape {m.shape}: give its diagonal, {n} numbers")
    return cast("NDArray[np.float64]", m)


def _rows(x: MatrixLike) -> Any:
    if sp.issparse(x):
        return x
    a = np.asarray(x)
    if a.ndim != 2:
        raise ValueError(f"X has {a.ndim} dimensions: it must have rows and columns")
    return a if a.dtype == np.float32 else a.astype(np.float64)


def neighbors_graph(
    X: MatrixLike,
    n_neighbors: int = 15,
    *,
    neighbors_method: Literal["auto", "exact", "approx"] = "auto",
    random_state: int = 0,
    n_jobs: int | None = None,
) -> Any:
    """The nearest neighbours of each row of X, as it is: a SciPy CSR array of Euclidean distances.

    The n_neighbors entries of a row are ordered by distance, the nearest first, without the row
    itself; ``graph.indices.reshape(len(X), n_neighbors)`` are the neighbours.
    """
    options: dict[str, Any] = {"neighbors-method": neighbors_method, "seed": random_state, "threads": threads_of(n_jobs)}
    options["names"] = ["neighbors=n_neighbors", "neighbors-method=neighbors_method", "seed=random_state", "threads=n_jobs"]
    return _native.matrix_graph("neighbors", _rows(X), _native.count_of("n_neighbors", n_neighbors), json_of(options))


def affinity_graph(
    X: MatrixLike,
    n_neighbors: int | None = None,
    *,
    epsilon: float | None = None,
    edge_weight: Literal["dot", "binary", "heat", "poly"] | None = None,
    symmetry: Literal["union", "mutual", "sum"] = "union",
    random_state: int = 0,
    n_jobs: int | None = None,
    **options: Any,
) -> Any:
    """The affinity graph of the rows of X, as they are: a symmetric SciPy CSR array without a diagonal.

    It is what ``precomputed=True`` of the estimators takes. n_neighbors: 15. epsilon joins all rows
    within this distance instead. Other options are as of the estimators: heat_width, heat_rule,
    local_neighbor, poly_degree, poly_offset, neighbors_method.
    """
    given = {"neighbors": n_neighbors, "epsilon": epsilon, "edge-weight": edge_weight, "symmetry": symmetry}
    given |= {name.replace("_", "-"): value for name, value in options.items()}
    given = {name: value for name, value in given.items() if value is not None}
    names = ["neighbors=n_neighbors", "seed=random_state", "threads=n_jobs", *(f"{name.replace('_', '-')}={name}" for name in ("edge_weight", *options))]
    return _native.matrix_graph("affinity", _rows(X), json_of({**given, "seed": random_state, "threads": threads_of(n_jobs), "names": names}))
