"""The peers of bench: SciPy and scikit-learn on the matrices that bench has written.

Reads one JSON task a line from standard input, answers with one JSON line, and times only the
call that does the work: files are read, and kept, beforehand.
"""

import functools
import json
import sys
import time

try:
    import numpy as np
    import scipy
    import scipy.linalg
    import scipy.sparse as sp
    import scipy.sparse.linalg as spla
    import sklearn
    from sklearn.cluster import KMeans
    from sklearn.linear_model import lars_path
    from sklearn.neighbors import NearestNeighbors

    MISSING = None
except ImportError as err:
    MISSING = f"Python has no {err.name} (make bench-peers installs scikit-learn and SciPy)"


@functools.lru_cache(maxsize=8)
def load(path):
    if path.endswith(".npz"):
        m = sp.load_npz(path).tocsr()
        m.sort_indices()
        return m
    return np.load(path)


def timed(f):
    """Seconds, and what f returns; the processor time goes into the answer of the task."""
    start, busy = time.perf_counter(), time.process_time()
    result = f()
    timed.cpu = time.process_time() - busy
    return time.perf_counter() - start, result


def peak_mb():
    with open("/proc/self/status") as f:
        for line in f:
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) / 1024
    return 0.0


def versions(task):
    others, missing = [], []
    for name in ("faiss", "sparse_dot_topn", "numba", "sksparse", "primme"):
        try:
            module = __import__(name)
            others.append(f"{name} {getattr(module, '__version__', '')}".strip())
        except ImportError:
            missing.append(name)
    said = [
        f"scikit-learn {sklearn.__version__}",
        f"SciPy {scipy.__version__}",
        f"NumPy {np.__version__}",
        *others,
        f"Python {sys.version.split()[0]}",
    ]
    return {
        "versions": ", ".join(said)
        + (f"; missing: {', '.join(missing)}" if missing else "")
    }


def dense(task):
    """what = gram | gemm | eigh:k on .npy files."""
    m = [load(f) for f in task["files"]]
    what, _, k = task["what"].partition(":")
    if what == "gram":
        seconds, _ = timed(lambda: m[0].T @ m[0])
    elif what == "gemm":
        seconds, _ = timed(lambda: m[0].T @ m[1])
    else:
        n = m[0].shape[0]
        seconds, _ = timed(
            lambda: scipy.linalg.eigh(m[0], subset_by_index=(n - int(k), n - 1))
        )
    return {"seconds": seconds}


def knn(task):
    """The k nearest by cosine, brute force; the dot products go to out as float64, nearest first."""
    x = load(task["files"][0])
    model = NearestNeighbors(
        n_neighbors=task["k"], algorithm="brute", metric="cosine", n_jobs=-1
    )
    seconds, (dist, _) = timed(lambda: model.fit(x).kneighbors())
    if task.get("out"):
        np.ascontiguousarray(1 - dist, dtype="<f8").tofile(task["out"])
    return {"seconds": seconds, "peak_mb": peak_mb()}


def flat(task):
    """what = faiss: the k nearest of dense rows by IndexFlatL2; sgemm: half the time of x·xᵀ in float32, from a part."""
    x = load(task["files"][0]).astype(np.float32)
    n, d = x.shape
    if task["what"] == "faiss":
        try:
            import faiss
        except ImportError:
            raise RuntimeError("Python has no faiss (make bench-peers installs faiss-cpu)")

        def search():
            index = faiss.IndexFlatL2(d)
            index.add(x)
            return index.search(x, task["k"] + 1)

        return {"seconds": timed(search)[0], "note": f"faiss {faiss.__version__}"}
    m = min(6000, n // 2)
    part, other = x[:m], x[m : 2 * m].copy()
    seconds = min(timed(lambda: part @ other.T)[0] for _ in range(3))
    timed.cpu *= (n / m) ** 2 / 2
    return {
        "seconds": seconds * (n / m) ** 2 / 2,
        "note": f"{2 * m * m * d / seconds / 1e9:.0f} GF/s",
    }


def shift_invert(s, k, v0, library):
    """The pairs of s next to 1 by eigsh with a factor of (1 + 1e-10) I - s."""
    n = s.shape[0]
    a = (sp.identity(n) * (1 + 1e-10) - s).tocsc()
    if library == "CHOLMOD":
        try:
            from sksparse.cholmod import cholesky
        except ImportError:
            raise RuntimeError("Python has no sksparse (PyPI's scikit-sparse, which needs the headers of SuiteSparse)")
        solve = cholesky(a)
    else:
        solve = spla.splu(a, permc_spec="MMD_AT_PLUS_A", diag_pivot_thresh=0, options={"SymmetricMode": True}).solve
    inverse = spla.LinearOperator((n, n), matvec=solve)
    nu, u = spla.eigsh(inverse, k=k, which="LM", tol=1e-12, v0=v0)
    return 1 + 1e-10 - 1 / nu, u


def eigen(task):
    """The k largest pairs of a symmetric .npz matrix; what = eigsh | eigsh with N vectors | shift-invert by CHOLMOD or SuperLU | PRIMME | lobpcg."""
    s = load(task["files"][0])
    rng = np.random.default_rng(task["seed"])
    n, k, tol = s.shape[0], task["k"], task["tol"]
    what, v0 = task["what"], rng.standard_normal(n)
    if what.startswith("eigsh"):
        vectors = int(what.split()[2]) if " " in what else None
        seconds, (mu, u) = timed(
            lambda: spla.eigsh(s, k=k, which="LA", tol=tol, v0=v0, ncv=vectors)
        )
    elif what.startswith("shift-invert"):
        seconds, (mu, u) = timed(lambda: shift_invert(s, k, v0, what.split()[2]))
    elif what == "PRIMME":
        try:
            import primme
        except ImportError:
            raise RuntimeError("Python has no primme (make bench-peers compiles it)")
        seconds, (mu, u) = timed(
            lambda: primme.eigsh(s, k=k, which="LA", tol=tol, v0=v0[:, None])
        )
    else:
        x = rng.standard_normal((n, k))
        seconds, (mu, u) = timed(
            lambda: spla.lobpcg(s, x, largest=True, tol=tol, maxiter=1000)
        )
    order = np.argsort(-mu)
    mu, u = mu[order], u[:, order]
    residual = np.linalg.norm(s @ u - u * mu, axis=0) / np.linalg.norm(u, axis=0)
    return {
        "seconds": seconds,
        "values": mu.tolist(),
        "note": f"residual {residual.max():.0e}",
    }


@functools.lru_cache(maxsize=2)
def explicit_pencils(graph, given, classes):
    """PᵀW_kP and PᵀD_kP of every class k by the formulas of Chen et al. 2010, sections 3.2.1 and 3.2.2."""
    w = load(graph).tocoo()
    known = np.loadtxt(given, dtype=int)
    n = len(known)
    labelled = known >= 0
    keep = ~(labelled[w.row] & labelled[w.col])
    free = sp.csr_matrix((w.data[keep], (w.row[keep], w.col[keep])), shape=(n, n))
    unlabelled = np.flatnonzero(~labelled)
    pencils = []
    for k in range(classes):
        wk = free
        p = np.zeros(n)
        for side, sign in ((known == k, 1.0), (labelled & (known != k), -1.0)):
            at = np.flatnonzero(side)
            i, j = np.repeat(at, len(at)), np.tile(at, len(at))
            wk = wk + sp.csr_matrix((np.ones(len(i)), (i, j)), shape=(n, n))
            p[at] = sign
        cols = np.arange(2, 2 + len(unlabelled))
        pk = sp.hstack(
            [
                np.ones((n, 1)),
                p[:, None],
                sp.csr_matrix(
                    (np.ones(len(unlabelled)), (unlabelled, cols - 2)),
                    shape=(n, len(unlabelled)),
                ),
            ]
        ).tocsr()
        degree = sp.diags(np.asarray(wk.sum(axis=1)).ravel())
        pencils.append(
            ((pk.T @ wk @ pk).tocsc(), (pk.T @ degree @ pk).tocsc())
        )
    return pencils


def maps(task):
    """The second smallest pair of every class's explicit pencil, one after the other."""
    pencils = explicit_pencils(*task["files"], task["k"])
    rng = np.random.default_rng(task["seed"])

    # Smallest λ of the Laplacian form is largest 1 − λ of the affinity form, which ARPACK finds three times sooner;
    # shift-invert takes seconds a pencil on such graphs.
    def solve():
        return [
            1
            - np.sort(
                spla.eigsh(
                    s, k=2, M=m, which="LA", tol=task["tol"],
                    v0=rng.standard_normal(s.shape[0]),
                )[0]
            )[0]
            for s, m in pencils
        ]

    seconds, values = timed(solve)
    return {"seconds": seconds, "values": values, "note": "largest end of PᵀWP, PᵀDP"}


@functools.lru_cache(maxsize=1)
def centred(path):
    x = np.asfortranarray(load(path).toarray())
    x -= x.mean(axis=0)
    return x


def paths(task):
    """Lasso paths of k steps for every column of the second file on the rows of the first, centred and dense; values are the last coefficients."""
    x, y = centred(task["files"][0]), load(task["files"][1])
    y = y - y.mean(axis=0)
    seconds, last = timed(
        lambda: [
            lars_path(x, y[:, j], method="lasso", max_iter=task["k"])[2][:, -1]
            for j in range(y.shape[1])
        ]
    )
    return {
        "seconds": seconds,
        "values": np.concatenate(last).tolist(),
        "peak_mb": peak_mb(),
    }


def kmeans(task):
    x = load(task["files"][0])
    model = KMeans(
        n_clusters=task["k"],
        n_init=task["restarts"],
        init="k-means++",
        max_iter=300,
        tol=0,
        random_state=task["seed"] % 2**32,
    )
    seconds, _ = timed(lambda: model.fit(x))
    return {"seconds": seconds, "values": [model.inertia_]}


TASKS = {
    "versions": versions,
    "dense": dense,
    "knn": knn,
    "flat": flat,
    "eigen": eigen,
    "maps": maps,
    "paths": paths,
    "kmeans": kmeans,
}

for line in sys.stdin:
    task = json.loads(line)
    try:
        timed.cpu = 0.0
        answer = {"error": MISSING} if MISSING else TASKS[task["task"]](task)
        answer.setdefault("cpu", timed.cpu)
    except Exception as err:
        answer = {"error": f"{type(err).__name__}: {err}"}
    print(json.dumps(answer), flush=True)
