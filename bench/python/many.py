"""Many groups in few columns, which are as many clusters: accuracies of programs that are told the number.

    python many.py EIGENMAP [EIGENMAP...] [--peers]

Groups of 12 rows and more, of unlike sizes and shapes, lie at places by chance. --peers runs scikit-learn's KMeans and
SpectralClustering, too.
"""

import argparse
import csv
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
from scipy.optimize import linear_sum_assignment
from sklearn.cluster import KMeans, SpectralClustering
from sklearn.metrics.cluster import contingency_matrix


def accuracy(truth, found):
    table = contingency_matrix(truth, found)
    return table[linear_sum_assignment(-table)].sum() / len(truth)


def groups(rng, number, columns, spread):
    places = rng.random((number, columns)) * number ** (1 / columns)
    if columns >= 10:
        places = rng.normal(size=(number, columns))
    sizes = rng.geometric(1 / 35, number) + 12
    turns = [np.linalg.qr(rng.normal(size=(columns, columns)))[0] for _ in range(number)]
    shapes = [turn * rng.uniform(0.4, 1.3, columns) for turn in turns]
    rows = [places[g] + spread * rng.normal(size=(sizes[g], columns)) @ shapes[g] for g in range(number)]
    return np.vstack(rows), np.repeat(range(number), sizes)


def of_program(program, x, number):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "x.npy"
        np.save(path, x)
        subprocess.run([program, "cluster", path, "-k", str(number), "--weighting", "tf", "--out", Path(folder) / "out",
                        "--map=false", "--quiet"], check=True, capture_output=True)
        with open(Path(folder) / "out" / "clusters.csv") as f:
            return [row["cluster"] for row in csv.DictReader(f)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("eigenmap", nargs="+")
    parser.add_argument("--peers", action="store_true")
    a = parser.parse_args()
    rng = np.random.default_rng(0)
    cases = (12, 2, 0.1), (20, 2, 0.1), (32, 3, 0.14), (50, 5, 0.2), (80, 2, 0.08), (45, 20, 0.9)
    for number, columns, spread in cases:
        found = {}
        for draw in range(3):
            x, truth = groups(rng, number, columns, spread)
            for program in a.eigenmap:
                found.setdefault(program, []).append(accuracy(truth, of_program(program, x, number)))
            if a.peers:
                peers = {"KMeans": KMeans(number, n_init=10, random_state=draw),
                         "SpectralClustering": SpectralClustering(number, affinity="nearest_neighbors",
                                                                  random_state=draw)}
                for name, peer in peers.items():
                    found.setdefault(name, []).append(accuracy(truth, peer.fit_predict(x)))
        means = ", ".join(f"{n} {np.mean(v):.3f}" for n, v in found.items())
        print(f"{number} groups, {columns} columns: {means}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
