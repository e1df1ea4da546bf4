"""Our estimators beside scikit-learn's, from Python: time, memory and scores in one run.

    make bench-python BENCHARGS=--quick

Every fit runs in a process of its own, several times in turn. The table has the median of the time
with the smallest and the largest, the processor's time, which other programs disturb less, the
memory that the fit added to the process at its peak, and the agreement with the classes (ARI and
NMI; of a transformer, of k-means on its coordinates; of a classifier, on the rows whose class it was
not given), each ours before scikit-learn's. --corpora DIR has two original data sets in place of the
small ones: the topics of TDT2 (rows of tf-idf of unit length) and the digits of USPS. Only
scikit-learn's fit is timed where ours has found the classes or the coordinates of all rows with it,
and its predict or transform too.
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


def data(name, folder):
    """Rows and classes."""
    import numpy as np
    from sklearn import datasets

    if name == "TDT2":
        import scipy.io
        from sklearn.feature_extraction.text import TfidfTransformer

        tdt2 = scipy.io.loadmat(Path(folder) / "TDT2.mat")
        counts = tdt2["fea"].tocsr()
        counts = counts[:, counts.getnnz(axis=0) > 0]
        return TfidfTransformer(sublinear_tf=True).fit_transform(counts), tdt2["gnd"].ravel().astype(int), 30
    if name == "USPS":
        import scipy.io

        usps = scipy.io.loadmat(Path(folder) / "USPS.mat")
        return np.ascontiguousarray(usps["x"].T, float), usps["y"].ravel().astype(int), 10
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


def corpora_pairs():
    """Tasks of the original data sets: ours and scikit-learn's."""
    import sklearn.cluster as cluster
    import sklearn.decomposition as dec
    import sklearn.discriminant_analysis as discriminant
    import sklearn.kernel_ridge as ridge
    import sklearn.linear_model as linear
    import sklearn.mixture as mixture
    import sklearn.pipeline as pipeline
    import sklearn.preprocessing as preprocessing

    import eigenmap as em

    class Ridge(ridge.KernelRidge):
        """Of classes: the largest of the scores for each, whose width is the default's of SVC."""

        def fit(self, x, y):
            self.set_params(gamma=1 / (x.shape[1] * x.var()))
            self.binarizer = preprocessing.LabelBinarizer()
            return super().fit(x, self.binarizer.fit_transform(y))

        def predict(self, x):
            return self.binarizer.classes_[super().predict(x).argmax(axis=1)]

    return {
        "LDA": (lambda: em.LDA(), lambda: discriminant.LinearDiscriminantAnalysis()),
        "LogisticRegression": (lambda: em.LogisticRegression(), lambda: linear.LogisticRegression(max_iter=1000)),
        "KernelRidge": (lambda: em.KernelRidge(), lambda: Ridge(kernel="rbf")),
        "CoClustering": (lambda: em.CoClustering(30), lambda: cluster.SpectralCoclustering(30, n_init=10, svd_method="arpack", random_state=0)),
        "GaussianMixture of 20 components": (
            lambda: em.GaussianMixture(10, pca=20),
            lambda: pipeline.make_pipeline(dec.PCA(20, random_state=0), mixture.GaussianMixture(10, random_state=0))),
    }


# The share of the rows whose classes are given.
GIVEN = {"LDA": 0.5, "LogisticRegression": 0.2, "KernelRidge": 0.2, "LabelPropagation": 0.05}


def pairs(k):
    """Task: ours and scikit-learn's."""
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
        "NMF": (lambda: em.NMF(k, n_init=1, nmf_solver="hals"), lambda: dec.NMF(k, random_state=0, max_iter=200)),
        "TruncatedSVD": (lambda: em.LSI(50), lambda: dec.TruncatedSVD(50, algorithm="arpack", random_state=0)),
        "PCA": (lambda: em.PCA(30), lambda: dec.PCA(30, random_state=0)),
        "GaussianMixture": (lambda: em.GaussianMixture(k), lambda: mixture.GaussianMixture(k, random_state=0)),
        "Isomap": (lambda: em.Isomap(10), lambda: manifold.Isomap(n_components=10, n_neighbors=15)),
        "LocallyLinearEmbedding": (
            lambda: em.LocallyLinearEmbedding(10),
            lambda: manifold.LocallyLinearEmbedding(n_components=10, n_neighbors=15, random_state=0)),
        "LabelPropagation": (lambda: em.LabelPropagation(), lambda: semi.LabelSpreading(kernel="knn", n_neighbors=15)),
        **corpora_pairs(),
    }


TASKS = [
    ("text", "SpectralEmbedding"), ("text", "SpectralClustering"), ("text", "KMeans"), ("text", "NMF"),
    ("text", "TruncatedSVD"), ("digits", "SpectralEmbedding"), ("digits", "SpectralClustering"),
    ("digits", "KMeans"), ("digits", "PCA"), ("digits", "GaussianMixture"), ("digits", "Isomap"),
    ("digits", "LocallyLinearEmbedding"), ("digits", "LabelPropagation"),
]
CORPORA = [
    ("TDT2", "LogisticRegression"), ("TDT2", "CoClustering"), ("TDT2", "TruncatedSVD"), ("USPS", "LDA"),
    ("USPS", "LogisticRegression"), ("USPS", "KernelRidge"), ("USPS", "GaussianMixture of 20 components"), ("USPS", "NMF"),
    ("USPS", "SpectralClustering"), ("USPS", "LabelPropagation"),
]


def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def one(name, task, side, folder):
    """One fit in this process."""
    import warnings

    import numpy as np
    from sklearn.cluster import KMeans
    from sklearn.metrics import adjusted_rand_score, normalized_mutual_info_score

    warnings.simplefilter("ignore")
    x, y, k = data(name, folder)
    estimator = pairs(k)[task][side]()
    known = np.where(np.random.default_rng(0).random(len(y)) < GIVEN.get(task, 0), y, -1)
    before, busy, began = peak(), time.process_time(), time.perf_counter()
    if task == "LabelPropagation":
        found = estimator.fit(x, known).transduction_
    elif task == "LDA":
        found = estimator.fit(x[known >= 0], known[known >= 0]).transform(x) if side else estimator.fit_transform(x, known)
    elif task in GIVEN and side:
        found = estimator.fit(x[known >= 0], known[known >= 0]).predict(x)
    elif task in GIVEN:
        found = estimator.fit(x, known).labels_
    elif task == "CoClustering":
        found = estimator.fit(x)
        found = found.row_labels_ if side else found.labels_
    elif hasattr(estimator, "fit_predict") and task.split()[0] in ("SpectralClustering", "KMeans", "GaussianMixture"):
        found = estimator.fit_predict(x)
    else:
        found = estimator.fit_transform(x)
    took, busy, memory = time.perf_counter() - began, time.process_time() - busy, peak() - before
    if found.ndim == 2:
        found = KMeans(k, n_init=3, random_state=0).fit(found / np.maximum(np.linalg.norm(found, axis=1, keepdims=True), 1e-12)).labels_
    if task in GIVEN:
        found, y = np.asarray(found)[known < 0], y[known < 0]
    json.dump({"seconds": took, "cpu": busy, "bytes": memory, "ari": adjusted_rand_score(y, found), "nmi": normalized_mutual_info_score(y, found)}, sys.stdout)


def measure(name, task, side, threads, folder):
    command = [sys.executable, __file__, "--one", name, task, str(side), *(["--corpora", folder] if folder else [])]
    limits = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), str(threads)) if threads else {}
    out = subprocess.run(command, check=True, capture_output=True, text=True, timeout=900, env={**os.environ, **limits}).stdout
    return json.loads(out)


def row(name, task, runs):
    """A line of the table; runs are pairs of ours and theirs."""
    ours, theirs = zip(*runs)
    ratios = sorted(t["seconds"] / o["seconds"] for o, t in runs)

    def median(side, key):
        return statistics.median(r[key] for r in side)

    def spread(side):
        times = [r["seconds"] for r in side]
        return f"{median(side, 'seconds'):.3g} s" + (f" ({min(times):.2g}-{max(times):.2g})" if len(times) > 1 else "")

    range_ = f" ({ratios[0]:.2g}-{ratios[-1]:.2g})" if len(ratios) > 1 else ""
    return (
        f"| {name} | {task} | {spread(ours)} | {spread(theirs)} | {statistics.median(ratios):.2g}{range_} "
        f"| {median(ours, 'cpu'):.3g} / {median(theirs, 'cpu'):.3g} "
        f"| {median(ours, 'bytes') / 2**20:.0f} / {median(theirs, 'bytes') / 2**20:.0f} "
        f"| {median(ours, 'ari'):.3f} / {median(theirs, 'ari'):.3f} | {median(ours, 'nmi'):.3f} / {median(theirs, 'nmi'):.3f} |"
    )


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--one", nargs=3, help=argparse.SUPPRESS)
    options.add_argument("--rounds", type=int, default=5, help="fits of each estimator")
    options.add_argument("--quick", action="store_true", help="three fits of each")
    options.add_argument("--threads", type=int, help="threads of each fit, ours and scikit-learn's; else one for each core")
    options.add_argument("--data", choices=["text", "digits", "TDT2", "USPS"], help="the pairs of one of the data alone")
    options.add_argument("--corpora", type=Path, help="the folder of the original data sets: TDT2 and USPS in place of the small data")
    options.add_argument("--out", type=Path, help="folder for estimators.json and estimators.md, written after each round")
    args = options.parse_args()
    if args.one:
        return one(args.one[0], args.one[1], int(args.one[2]), args.corpora)
    import sklearn

    import eigenmap

    results = {(name, task): [] for name, task in (CORPORA if args.corpora else TASKS) if args.data in (None, name)}
    load = [os.getloadavg()[0]]
    for done in range(1, 1 + (3 if args.quick else args.rounds)):
        for (name, task), runs in results.items():
            runs.append([measure(name, task, side, args.threads, args.corpora) for side in (0, 1)])
            load.append(os.getloadavg()[0])
            print(row(name, task, runs), file=sys.stderr, flush=True)
        about = (
            f"{os.cpu_count()} cores, {args.threads or 'any number of'} threads for a fit; scikit-learn {sklearn.__version__}; "
            f"medians of {done} fits of each, in turn; the machine's load was {min(load):.1f} to {max(load):.1f}."
        )
        lines = [
            "| data | estimator | ours | scikit-learn | times as fast | CPU seconds | memory, MiB | ARI | NMI |",
            "|---|---|---:|---:|---:|---:|---:|---:|---:|",
            *(row(*key, runs) for key, runs in results.items()),
        ]
        if args.out:
            args.out.mkdir(parents=True, exist_ok=True)
            machine = {"cores": os.cpu_count(), "threads": args.threads, "load": load, "scikit-learn": sklearn.__version__, "eigenmap": eigenmap.version()}
            fits = [{"data": name, "task": task, "fits": runs} for (name, task), runs in results.items()]
            (args.out / "estimators.json").write_text(json.dumps({"machine": machine, "results": fits}, indent=1))
            (args.out / "estimators.md").write_text("\n".join([*lines, "", about, ""]))
    print("\n".join([*lines, "", about]))


if __name__ == "__main__":
    main()
