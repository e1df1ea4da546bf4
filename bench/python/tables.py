"""Tables in unlike units: the program's default, and each column as it is or over its deviation.

    python tables.py EIGENMAP [FILE.csv ...] [--seeds 3]

A file is a table of numbers with a header, whose last column is the class. Without files, the
tables are the three of scikit-learn: wine, breast cancer and iris. Prints accuracy and NMI (over
the larger entropy), means of the seeds from 0 on: the program's default, with --weighting tf and
with --weighting standard, and k-means and UMAP of 5 with k-means (if umap-learn is installed) on
the columns as they are and after StandardScaler.
"""

import argparse
import csv
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path

import numpy as np
from scipy.optimize import linear_sum_assignment
from scipy.stats import entropy
from sklearn import datasets
from sklearn.cluster import KMeans
from sklearn.metrics import mutual_info_score
from sklearn.preprocessing import StandardScaler

try:
    import umap
except ImportError:
    umap = None


def scores(classes, found):
    _, a = np.unique(classes, return_inverse=True)
    _, b = np.unique(found, return_inverse=True)
    table = np.zeros((a.max() + 1, b.max() + 1))
    np.add.at(table, (a, b), 1)
    row, column = linear_sum_assignment(-table)
    larger = max(entropy(table.sum(0)), entropy(table.sum(1)))
    return table[row, column].sum() / len(a), mutual_info_score(a, b) / larger


def ours(eigenmap, path, classes, seed, *flags):
    k = str(len(set(classes)))
    with tempfile.TemporaryDirectory() as out:
        subprocess.run([eigenmap, "cluster", path, "-k", k, "--seed", str(seed), "--quiet", "--out", out, *flags],
                       check=True, capture_output=True)
        with open(Path(out) / "clusters.csv", newline="") as f:
            return scores(classes, [r["cluster"] for r in csv.DictReader(f)])


def peer(x, classes, seed, embed):
    if embed:
        x = umap.UMAP(n_components=5, random_state=seed, n_jobs=1).fit_transform(x)
    return scores(classes, KMeans(len(set(classes)), n_init=10, random_state=seed).fit_predict(x))


def bundled(folder):
    for load in datasets.load_wine, datasets.load_breast_cancer, datasets.load_iris:
        d = load(as_frame=True)
        frame = d.data.assign(**{"class": d.target_names[d.target]})
        path = Path(folder) / (load.__name__.removeprefix("load_") + ".csv")
        frame.to_csv(path, index=False)
        yield str(path)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("eigenmap")
    parser.add_argument("files", nargs="*")
    parser.add_argument("--seeds", type=int, default=3)
    a = parser.parse_args()
    warnings.simplefilter("ignore")
    heads = ["default", "tf", "standard", "k-means", "k-means, scaled"] + ["UMAP", "UMAP, scaled"] * (umap is not None)
    print(f"{'table':14}" + "".join(f"{h:>17}" for h in heads))
    with tempfile.TemporaryDirectory() as folder:
        for path in a.files or bundled(folder):
            with open(path, newline="") as f:
                rows = list(csv.reader(f))[1:]
            x, classes = np.array([r[:-1] for r in rows], float), [r[-1] for r in rows]
            scaled = StandardScaler().fit_transform(x)
            ways = [lambda s, flags=flags: ours(a.eigenmap, path, classes, s, *flags)
                    for flags in ((), ("--weighting", "tf"), ("--weighting", "standard"))]
            ways += [lambda s, data=data, e=e: peer(data, classes, s, e)
                     for e in (False, True)[:1 + (umap is not None)] for data in (x, scaled)]
            line = f"{Path(path).stem:14}"
            for way in ways:
                accuracy, nmi = np.mean([way(s) for s in range(a.seeds)], axis=0)
                line += f"{f'{accuracy:.3f} / {nmi:.3f}':>17}"
            print(line, flush=True)


if __name__ == "__main__":
    sys.exit(main())
