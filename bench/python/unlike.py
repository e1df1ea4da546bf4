"""Round groups of unlike sizes, which the default method and spectral part: adjusted Rand indices.

    python unlike.py EIGENMAP [--draws 3]

Groups of normal points lie 6 standard deviations apart, in 2 and in 20 columns.
"""

import argparse
import csv
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
from sklearn.metrics import adjusted_rand_score


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("eigenmap")
    parser.add_argument("--draws", type=int, default=3)
    a = parser.parse_args()
    rng = np.random.default_rng(0)
    for sizes in ([900, 60, 40], [300, 300, 300], [500, 100, 50, 20], [2000, 30, 30], [1000, 20]):
        truth = np.repeat(range(len(sizes)), sizes)
        for columns in (2, 20):
            centers = np.zeros((len(sizes), columns))
            for group in range(1, len(sizes)):
                centers[group, group % columns] = 6 * (1 + group // columns)
            found = {"diffusion": [], "spectral": []}
            for _ in range(a.draws):
                x = np.vstack([rng.normal(size=(n, columns)) + c for n, c in zip(sizes, centers)])
                with tempfile.TemporaryDirectory() as folder:
                    path = Path(folder) / "x.npy"
                    np.save(path, x)
                    for method, list_ in found.items():
                        subprocess.run([a.eigenmap, "cluster", path, "-k", str(len(sizes)), "--method", method, "--out",
                                        Path(folder) / "out", "--map=false", "--quiet"], check=True, capture_output=True)
                        with open(Path(folder) / "out" / "clusters.csv") as f:
                            list_.append(adjusted_rand_score(truth, [row["cluster"] for row in csv.DictReader(f)]))
            print(sizes, f"{columns} columns:", ", ".join(f"{m} {np.mean(v):.2f}" for m, v in found.items()), flush=True)


if __name__ == "__main__":
    sys.exit(main())
