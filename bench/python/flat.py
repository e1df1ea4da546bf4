"""Exact neighbours of dense rows: eigenmap graph beside faiss's IndexFlatL2, in turn.

    python flat.py EIGENMAP IMAGES.gz [--neighbors 15] [--runs 3] [--threads 2]

IMAGES.gz are MNIST's images (idx3-ubyte). Prints the seconds of each run, without reading, the
ratio of the medians, and the rate of the machine's sgemm with the time that one product of all rows
would take. Every neighbour that faiss finds must be an edge of our graph, but for ties in distance,
which are counted. Needs numpy and faiss-cpu.
"""

import argparse
import gzip
import json
import os
import statistics
import subprocess
import tempfile
import time

import faiss
import numpy as np


def flat(x, k):
    began = time.perf_counter()
    index = faiss.IndexFlatL2(x.shape[1])
    index.add(x)
    _, found = index.search(x, k + 1)
    return time.perf_counter() - began, found


def ours(program, path, k, threads, out):
    command = [program, "graph", path, "--neighbors", str(k), "--neighbors-method", "exact", "--threads", str(threads)]
    said = subprocess.run([*command, "--quiet", "--json", "--out", out], capture_output=True, text=True, check=True)
    return json.loads(said.stdout)["timings"]["graph"]


def lacking(x, found, path):
    """Neighbours that are no edges, and how many of these are nearer than the row's farthest edge."""
    w = np.load(path)
    first, column = w["indptr"], w["indices"]
    lacks = nearer = 0
    for i, row in enumerate(found):
        edges = column[first[i] : first[i + 1]]
        others = np.setdiff1d(row[row != i][: len(row) - 1], edges)
        if len(others):
            lacks += len(others)
            far = ((x[edges] - x[i]) ** 2).sum(1).max()
            nearer += int((((x[others] - x[i]) ** 2).sum(1) < far * (1 - 1e-6)).sum())
    return lacks, nearer


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("eigenmap")
    parser.add_argument("images")
    parser.add_argument("--neighbors", type=int, default=15)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--threads", type=int, default=2)
    a = parser.parse_args()
    faiss.omp_set_num_threads(a.threads)
    with gzip.open(a.images) as f:
        x = np.frombuffer(f.read()[16:], np.uint8).reshape(-1, 784).astype(np.float32)
    n, d = x.shape
    times = {"eigenmap": [], "faiss": []}
    with tempfile.TemporaryDirectory() as out:
        for _ in range(a.runs):
            times["eigenmap"].append(ours(a.eigenmap, a.images, a.neighbors, a.threads, out))
            seconds, found = flat(x, a.neighbors)
            times["faiss"].append(seconds)
        lacks, nearer = lacking(x, found, os.path.join(out, "affinity.npz"))
    for name, list_ in times.items():
        print(f"{name:9}", " ".join(f"{t:.2f}" for t in list_), "s")
    print(f"ratio     {statistics.median(times['faiss']) / statistics.median(times['eigenmap']):.2f}")
    print(f"{n} rows, {lacks} of faiss's {n * a.neighbors} neighbours are no edges, {nearer} of these nearer than an edge")
    part, other = x[:6000], x[6000:12000].copy()  # of one matrix with itself, numpy computes a half
    rate = 0.0
    for _ in range(3):
        began = time.perf_counter()
        part @ other.T
        rate = max(rate, 2 * len(part) ** 2 * d / (time.perf_counter() - began))
    print(f"sgemm     {rate / 1e9:.0f} GF/s by numpy: {2 * n * n * d / rate:.1f} s for one product of all rows")


if __name__ == "__main__":
    main()
