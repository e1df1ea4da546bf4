"""Our estimators beside scikit-learn's, from Python: time, memory and scores in one run.

    make bench-python BENCHARGS=--quick

Every fit runs in a process of its own, several times in turn; the table has the median of the
time with the smallest and the largest, the memory that the fit added to the process at its peak,
and the agreement with the classes (ARI and NMI; of a transformer, of k-means on its coordinates).
"""

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import time
from pathlib import Path


def data(name):
    """Rows and classes."""
    import numpy as np
    from sklearn import datasets

    if name == "text":  # sparse: 3,000 documents of 20 topics
        import scipy.sparse as sp

        rng = np.random.default_rng(0)
        n, d, k, each = 3000, 4000, 20, 60
        y = np.arange(n) % k
        topical = rng.integers(0, d // k, (n, each)) + (y * (d // k))[:, None]
        common = (d * rng.power(0.5, (n, each))).astype(int)
        cols = np.where(rng.random((n, each)) < 0.3, topical, common)
        x = sp.csr_matrix((np.ones(n * each), (np.repeat(np.arange(n), each), cols.ravel())), shape=(n, d))
        x.sum_duplicates()
        norms = np.sqrt(np.asarray(x.multiply(x).sum(axis=1))).ravel()
        return sp.csr_matrix(sp.diags(1 / norms) @ x), y, k
    x, y = datasets.load_digits(return_X_y=True)
    return np.ascontiguousarray(x), y, 10


def pairs(k):
    """Task: data, ours and scikit-learn's, and whether a part of y is given."""
    import sklearn.cluster as cluster
    import sklearn.decomposition as dec
    import sklearn.manifold as manifold
    import sklearn.mixture as mixture
    import sklearn.semi_supervised as semi

    import eigenmap as em

    return {
        "SpectralEmbedding": (
            lambda: em.LaplacianEigenmaps(n_clusters=None, n_components=k),
            lambda: manifold.SpectralEmbedding(k, affinity="nearest_neighbors", n_neighbors=15, random_state=0)),
        "SpectralClustering": (
            lambda: em.LaplacianEigenmaps(k, normalize_rows=True),
            lambda: cluster.SpectralClustering(k, affinity="nearest_neighbors", n_neighbors=15, random_state=0)),
        "KMeans": (lambda: em.KMeans(k, n_init=10), lambda: cluster.KMeans(k, n_init=10, random_state=0)),
        "NMF": (lambda: em.NMF(k), lambda: dec.NMF(k, random_state=0, max_iter=200)),
        "TruncatedSVD": (lambda: em.LSI(50), lambda: dec.TruncatedSVD(50, algorithm="arpack", random_state=0)),
        "PCA": (lambda: em.PCA(30), lambda: dec.PCA(30, random_state=0)),
        "GaussianMixture": (lambda: em.GaussianMixture(k), lambda: mixture.GaussianMixture(k, random_state=0)),
        "Isomap": (lambda: em.Isomap(10), lambda: manifold.Isomap(n_components=10, n_neighbors=15)),
        "LocallyLinearEmbedding": (
            lambda: em.LocallyLinearEmbedding(10),
            lambda: manifold.LocallyLinearEmbedding(n_components=10, n_neighbors=15, random_state=0)),
        "LabelPropagation": (lambda: em.LabelPropagation(), lambda: semi.LabelSpreading(kernel="knn", n_neighbors=15)),
    }


TASKS = [
    ("text", "SpectralEmbedding"), ("text", "SpectralClustering"), ("text", "KMeans"), ("text", "NMF"),
    ("text", "TruncatedSVD"), ("digits", "SpectralEmbedding"), ("digits", "SpectralClustering"),
    ("digits", "KMeans"), ("digits", "PCA"), ("digits", "GaussianMixture"), ("digits", "Isomap"),
    ("digits", "LocallyLinearEmbedding"), ("digits", "LabelPropagation"),
]


def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def one(name, task, side):
    """One fit in this process."""
    import warnings

    import numpy as np
    from sklearn.cluster import KMeans
    from sklearn.metrics import adjusted_rand_score, normalized_mutual_info_score

    warnings.simplefilter("ignore")
    x, y, k = data(name)
    estimator = pairs(k)[task][side]()
    known = np.where(np.random.default_rng(0).random(len(y)) < 0.05, y, -1)
    before, began = peak(), time.perf_counter()
    if task == "LabelPropagation":
        found = estimator.fit(x, known).transduction_
    elif hasattr(estimator, "fit_predict") and task in ("SpectralClustering", "KMeans", "GaussianMixture"):
        found = estimator.fit_predict(x)
    else:
        found = estimator.fit_transform(x)
    took, memory = time.perf_counter() - began, peak() - before
    if found.ndim == 2:
        found = KMeans(k, n_init=3, random_state=0).fit(found / np.maximum(np.linalg.norm(found, axis=1, keepdims=True), 1e-12)).labels_
    json.dump({"seconds": took, "bytes": memory, "ari": adjusted_rand_score(y, found), "nmi": normalized_mutual_info_score(y, found)}, sys.stdout)


def measure(name, task, side):
    command = [sys.executable, __file__, "--one", name, task, str(side)]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True, timeout=900).stdout)


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--one", nargs=3, help=argparse.SUPPRESS)
    options.add_argument("--rounds", type=int, default=5, help="fits of each estimator")
    options.add_argument("--data", choices=["text", "digits"], help="the pairs of one of the data alone")
    options.add_argument("--quick", action="store_true", help="three fits of each")
    options.add_argument("--out", type=Path, help="folder for estimators.json and estimators.md")
    args = options.parse_args()
    if args.one:
        return one(args.one[0], args.one[1], int(args.one[2]))
    rounds = 3 if args.quick else args.rounds
    import sklearn

    import eigenmap

    lines = [
        "| data | scikit-learn's | ours | times as fast | memory, ours / theirs | ARI, ours / theirs | NMI, ours / theirs |",
        "|---|---|---:|---:|---:|---:|---:|",
    ]
    lines[0] = lines[0].replace("| scikit-learn's | ours |", "| estimator | ours | scikit-learn |")
    lines[1] += "---:|"
    results = []
    for name, task in TASKS:
        if args.data not in (None, name):
            continue
        runs = [[measure(name, task, side) for side in (0, 1)] for _ in range(rounds)]
        ours, theirs = zip(*runs)
        ratios = sorted(t["seconds"] / o["seconds"] for o, t in runs)
        cell = lambda all_, key: statistics.median(r[key] for r in all_)  # noqa: E731
        spread = lambda all_: f"{cell(all_, 'seconds'):.3g} s ({min(r['seconds'] for r in all_):.2g}-{max(r['seconds'] for r in all_):.2g})"  # noqa: E731
        lines.append(
            f"| {name} | {task} | {spread(ours)} | {spread(theirs)} | {statistics.median(ratios):.2g} ({ratios[0]:.2g}-{ratios[-1]:.2g}) "
            f"| {cell(ours, 'bytes') / 2**20:.0f} / {cell(theirs, 'bytes') / 2**20:.0f} MiB "
            f"| {cell(ours, 'ari'):.3f} / {cell(theirs, 'ari'):.3f} | {cell(ours, 'nmi'):.3f} / {cell(theirs, 'nmi'):.3f} |"
        )
        results.append({"data": name, "task": task, "ours": ours, "theirs": theirs})
        print(lines[-1], flush=True)
    print("\n".join(lines))
    if args.out:
        args.out.mkdir(parents=True, exist_ok=True)
        machine = {"cores": os.cpu_count(), "load": os.getloadavg(), "scikit-learn": sklearn.__version__, "eigenmap": eigenmap.version()}
        (args.out / "estimators.json").write_text(json.dumps({"machine": machine, "results": results}, indent=1))
        (args.out / "estimators.md").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
