"""What a user would pick instead: scikit-learn's and UMAP's pipelines on the draws of the study.

    make study DATA=DIR OUT=DIR

Reads the files that `go run ./bench/cmd/draws` wrote, CORPUS-DRAW.npz with weighted documents and
classes, and writes into --out pipelines.csv, one line a draw and pipeline as soon as it is
computed, and pipelines.txt, means with their standard errors. A second call goes on from the
first. Every pipeline has its library's defaults but the number of clusters, the number of
dimensions that its name says, a seed, the number of the draw, 10 starts of k-means, at most 400
iterations of NMF, and cosine distances in UMAP of texts. No setting was searched.
"""

import argparse
import csv
import math
import statistics
import sys
import time
import warnings
from pathlib import Path

import numpy as np
import scipy.sparse as sp
from scipy.optimize import linear_sum_assignment
from sklearn.cluster import HDBSCAN, KMeans, SpectralClustering
from sklearn.decomposition import NMF, TruncatedSVD
from sklearn.metrics import normalized_mutual_info_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import Normalizer


def read(path):
    """Rows and classes."""
    f = np.load(path, allow_pickle=False)
    y = f["labels"].astype(int)
    if "X" in f.files:
        return f["X"], y
    return sp.csr_matrix((f["data"], f["indices"], f["indptr"]), shape=tuple(f["shape"])), y


def umap_of(x, seed):
    import umap

    metric = "cosine" if sp.issparse(x) else "euclidean"
    return umap.UMAP(n_components=5, metric=metric, random_state=seed, n_jobs=1).fit_transform(x)


class Draw:
    """The data of one draw. Pipelines that begin alike share the beginning."""

    def __init__(self, x, k, seed):
        self.x, self.k, self.seed, self.embedding = x, k, seed, None

    def umap(self):
        if self.embedding is None:
            self.embedding = umap_of(self.x, self.seed)
        return self.embedding

    def means(self, x):
        return KMeans(self.k, n_init=10, random_state=self.seed).fit_predict(x)


def svd_means(d):
    return d.means(make_pipeline(TruncatedSVD(100, random_state=d.seed), Normalizer()).fit_transform(d.x))


def spectral(d):
    return SpectralClustering(d.k, affinity="nearest_neighbors", random_state=d.seed).fit_predict(d.x)


PIPELINES = {
    "k-means": lambda d: d.means(d.x),
    "SVD 100 + k-means": svd_means,
    "NMF": lambda d: NMF(d.k, random_state=d.seed, max_iter=400).fit_transform(d.x).argmax(axis=1),
    "SpectralClustering": spectral,
    "UMAP 5 + k-means": lambda d: d.means(d.umap()),
    "UMAP 5 + HDBSCAN": lambda d: HDBSCAN(copy=True).fit_predict(d.umap()),
}


def accuracy(y, found):
    """Share of documents whose cluster is their class under the best matching; HDBSCAN's noise is
    one more cluster."""
    _, a = np.unique(y, return_inverse=True)
    _, b = np.unique(found, return_inverse=True)
    table = np.zeros((a.max() + 1, b.max() + 1), int)
    np.add.at(table, (a, b), 1)
    rows, cols = linear_sum_assignment(-table)
    return table[rows, cols].sum() / len(y)


def classes(files):
    """The classes of a corpus, over its draws: a draw may miss some."""
    return max(read(f)[1].max() for f in files) + 1


def done_before(path, of, by):
    """The lines of a table of draws, by the columns of and by and the draw."""
    if not path.exists():
        return {}
    with open(path, newline="") as f:
        return {(r[of], int(r["draw"]), r[by]): r for r in csv.DictReader(f)}


def compute(draws, out):
    path = out / "pipelines.csv"
    done = done_before(path, "corpus", "pipeline")
    corpora = sorted({f.name.rsplit("-", 1)[0] for f in draws.glob("*.npz")})
    if not corpora:
        sys.exit(f"pipelines: there are no draws in {draws}: write them with go run ./bench/cmd/draws")
    with open(path, "a", newline="") as f:
        w = csv.writer(f)
        if not done:
            w.writerow(["corpus", "draw", "pipeline", "accuracy", "nmi", "seconds"])
        for corpus in corpora:
            files = sorted(draws.glob(corpus + "-*.npz"), key=lambda p: int(p.stem.rsplit("-", 1)[1]))
            k = classes(files)
            for file in files:
                seed = int(file.stem.rsplit("-", 1)[1])
                x, y = read(file)
                draw = Draw(x, k, seed)
                for name, run in PIPELINES.items():
                    if (corpus, seed, name) in done or name == "NMF" and x.min() < 0:
                        continue  # NMF takes no negative values
                    begun = time.process_time()
                    try:
                        found = run(draw)
                    except ValueError as e:
                        sys.exit(f"pipelines: {name} on {file}: {e}")
                    line = [corpus, seed, name, f"{accuracy(y, found):.6f}",
                            f"{normalized_mutual_info_score(y, found, average_method='max'):.6f}",
                            f"{time.process_time() - begun:.2f}"]
                    w.writerow(line)
                    f.flush()
                    print(*line, sep=", ")


def estimate(values):
    error = statistics.stdev(values) / math.sqrt(len(values)) if len(values) > 1 else 0
    return f"{100 * statistics.mean(values):.1f}±{100 * error:.1f}"


def aligned(rows):
    """Lines of columns of equal width, and an empty line."""
    widths = [max(len(r[i]) for r in rows) for i in range(len(rows[0]))]
    return ["  ".join(c.ljust(n) for c, n in zip(r, widths)).rstrip() for r in rows] + [""]


def table(out):
    import sklearn
    import umap

    lines = done_before(out / "pipelines.csv", "corpus", "pipeline").values()
    corpora = sorted({r["corpus"] for r in lines})
    draws = 1 + max(int(r["draw"]) for r in lines)
    text = [f"Pipelines of scikit-learn {sklearn.__version__} and umap-learn {umap.__version__} on the draws of `eigenmap reproduce defaults`: {draws} draws,",
            "mean ± standard error in percent. NMI is I/max(H, H'). HDBSCAN finds its own number of clusters; noise is one more.",
            "Its seconds are without those of UMAP, whose embedding it shares with k-means.", ""]
    for key, title in (("accuracy", "Accuracy"), ("nmi", "NMI")):
        rows = [[title, *PIPELINES]]
        for corpus in corpora:
            row = [corpus.replace("_", " ")]
            for name in PIPELINES:
                values = [float(r[key]) for r in lines if r["corpus"] == corpus and r["pipeline"] == name]
                row.append(estimate(values) if values else "")
            rows.append(row)
        text += aligned(rows)
    seconds = {name: [float(r["seconds"]) for r in lines if r["pipeline"] == name] for name in PIPELINES}
    text += aligned([["CPU, s", *PIPELINES], ["all", *(f"{statistics.mean(s):.1f}" if s else "" for s in seconds.values())]])
    (out / "pipelines.txt").write_text("\n".join(text))
    print("\n".join(text))


def main(doc, compute, table):
    """Computes on the files of --draws, and makes the table of it, in --out."""
    p = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--draws", type=Path, required=True)
    p.add_argument("--out", type=Path, required=True)
    a = p.parse_args()
    a.out.mkdir(parents=True, exist_ok=True)
    warnings.simplefilter("ignore")
    compute(a.draws, a.out)
    table(a.out)


if __name__ == "__main__":
    main(__doc__, compute, table)
