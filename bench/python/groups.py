"""The number of clusters that `-k auto` finds in tables of few columns, whose groups are known.

    python bench/python/groups.py bin/eigenmap [--seed 0]

Normal groups whose nearest centres are 8, 6, 5, 4 or 3.5 standard deviations apart, 2 to 8 of them in 2 to 10
columns; moons, rings, groups of unlike sizes and of one stretched shape; tables of one group; and iris, wine and breast
cancer of scikit-learn. It prints a line for each table, and the share of right numbers for each kind.
"""

import argparse
import csv
import json
import subprocess
import tempfile
from collections import defaultdict
from pathlib import Path

import numpy as np
from sklearn import datasets


def normal_groups(rng, k, d, n, apart):
    """k normal groups of standard deviation 1, none further from its nearest than 1.6 times the least distance."""
    while True:
        centres = rng.normal(size=(k, d))
        between = np.linalg.norm(centres[:, None] - centres[None], axis=2) + np.eye(k) * 1e9
        if between.min(1).max() < 1.6 * between.min():
            break
    y = np.arange(n) % k
    return (centres * apart / between.min())[y] + rng.normal(size=(n, d)), y


def tables(seed):
    rng = np.random.default_rng(seed)
    for apart in (8, 6, 5, 4, 3.5):
        for k in (2, 3, 5, 8):
            for d in (2, 4, 10):
                for n in (300, 2000):
                    yield f"normal, {apart} apart", f"{k} in {d} columns, {n} rows", *normal_groups(rng, k, d, n, apart)
    for n in (300, 2000):
        yield "shapes", f"moons, {n} rows", *datasets.make_moons(n, noise=0.06, random_state=seed)
        yield "shapes", f"rings, {n} rows", *datasets.make_circles(n, noise=0.05, factor=0.4, random_state=seed)
        y = np.repeat([0, 1, 2], [n // 10 * 7, n // 10 * 2, n // 10])
        yield "shapes", f"7 : 2 : 1, {n} rows", np.array([[0, 0], [6, 0], [0, 6]])[y] + rng.normal(size=(len(y), 2)), y
        x, y = datasets.make_blobs(n, random_state=170)
        yield "shapes", f"stretched, {n} rows", x @ np.array([[0.6, -0.6], [-0.4, 0.8]]), y
        for d in (2, 4, 10):
            one = np.zeros(n, int)
            yield "one group", f"normal in {d} columns, {n} rows", rng.normal(size=(n, d)), one
            yield "one group", f"even in {d} columns, {n} rows", rng.random((n, d)), one
            yield "one group", f"long in {d} columns, {n} rows", rng.random((n, d)) * np.array([8] + [1] * (d - 1)), one
    for name, load in (("iris", datasets.load_iris), ("wine", datasets.load_wine), ("breast cancer", datasets.load_breast_cancer)):
        yield "scikit-learn's", name, *load(return_X_y=True)


def clustered(program, file):
    said = subprocess.run([program, "cluster", file, "-k", "auto", "--label-column", "class", "--confidence", "raw", "--json"],
                          capture_output=True, text=True, check=True).stdout
    return json.loads(said)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    found = defaultdict(list)
    with tempfile.TemporaryDirectory() as folder:
        for kind, name, x, y in tables(args.seed):
            file = Path(folder) / "table.csv"
            with file.open("w", newline="") as out:
                table = csv.writer(out)
                table.writerow([f"v{j}x" for j in range(x.shape[1])] + ["class"])
                table.writerows([f"{v:.6g}" for v in row] + [f"c{c}"] for row, c in zip(x, y))
            run = clustered(args.program, file)
            search, k = run["k_search"], len(set(y.tolist()))
            right = search["evidence"] == "weak" and not search.get("by_gap") if k == 1 else run["clusters"] == k
            found[kind].append((right, run["metrics"]["ari"]))
            print(f"{kind:20} {name:30} {k} classes, {run['clusters']} clusters, {search['evidence']}, others {search['runners_up']}, ARI {run['metrics']['ari']:.2f}", flush=True)
    print()
    for kind, list_ in found.items():
        print(f"{kind:20} right {sum(r for r, _ in list_)} of {len(list_)}, mean ARI {np.mean([a for _, a in list_]):.2f}")


if __name__ == "__main__":
    main()
