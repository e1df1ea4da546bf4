"""The number of clusters that `-k auto` finds in vectors and images of a few classes, which are drawn.

    python bench/python/classes.py bin/eigenmap DATA [--seed 0] [--beside ANOTHER]

DATA is the folder of the original data sets. 2 to 20 classes are drawn by the seed: sections of Debian's descriptions by
their vectors of a language model, digits of USPS and of MNIST's training half (4,000 images), objects of COIL20, and
topics of TDT2 in 100 directions of a truncated SVD of tf-idf. It prints a line for each draw, and means, of one program
or of two.
"""

import argparse
import csv
import gzip
import json
import subprocess
import tempfile
from collections import defaultdict
from pathlib import Path

import numpy as np
import scipy.io
from sklearn.decomposition import TruncatedSVD
from sklearn.feature_extraction.text import TfidfTransformer
from sklearn.metrics import adjusted_rand_score


def idx(file, header):
    return np.frombuffer(gzip.open(file).read(), np.uint8)[header:]


def corpora(data):
    """Name, rows, classes, and how many classes are drawn."""
    texts = Path(__file__).parents[2] / "examples/debian/packages.jsonl.gz"
    sections = np.array([json.loads(line)["label"] for line in gzip.open(texts, "rt")])
    yield "vectors", np.load(data / "debian-minilm.npy"), sections, (2, 2, 3, 3, 4, 5, 6, 8, 12)
    usps = scipy.io.loadmat(data / "USPS.mat")
    yield "USPS", usps["x"].T, usps["y"].ravel(), (2, 3, 4, 6, 8, 10)
    mnist = idx(data / "mnist-train-images-idx3-ubyte.gz", 16).reshape(-1, 784)
    yield "MNIST", mnist, idx(data / "mnist-train-labels-idx1-ubyte.gz", 8), (2, 3, 4, 6, 8, 10)
    coil = scipy.io.loadmat(data / "COIL20.mat")
    yield "COIL20", coil["fea"], coil["gnd"].ravel(), (3, 4, 6, 10, 20)
    tdt2 = scipy.io.loadmat(data / "TDT2.mat")
    weighted = TfidfTransformer().fit_transform(tdt2["fea"].tocsr())
    rows = TruncatedSVD(100, random_state=0).fit_transform(weighted)
    yield "TDT2", rows / np.linalg.norm(rows, axis=1, keepdims=True), tdt2["gnd"].ravel(), (2, 3, 4, 6, 10, 20)


def draws(data, seed):
    rng = np.random.default_rng(seed)
    for name, x, y, counts in corpora(data):
        for count in counts:
            inside = np.flatnonzero(np.isin(y, rng.choice(np.unique(y), count, replace=False)))
            if name == "MNIST":
                inside = np.sort(rng.choice(inside, 4000, replace=False))
            yield name, count, x[inside].astype(np.float32), y[inside]


def clustered(program, x, work):
    np.save(work / "x.npy", x)
    out = work / Path(program).name
    command = [program, "cluster", work / "x.npy", "-k", "auto", "--confidence", "raw", "--out", out]
    subprocess.run(command, capture_output=True, check=True)
    with open(out / "clusters.csv") as file:
        return [line["cluster"] for line in csv.DictReader(file)]


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("program")
    p.add_argument("data", type=Path)
    p.add_argument("--seed", type=int, default=0)
    p.add_argument("--beside", help="another program, such as one of an earlier version")
    a = p.parse_args()
    programs = [a.program] + ([a.beside] if a.beside else [])
    means = defaultdict(list)
    with tempfile.TemporaryDirectory() as work:
        for name, count, x, y in draws(a.data, a.seed):
            found = []
            for program in programs:
                labels = clustered(program, x, Path(work))
                k, ari = len(set(labels)), adjusted_rand_score(y, labels)
                found.append((max(k / count, count / k) <= 1.5, ari))
                print(f"{name}, {count} classes, {len(y):,} rows: {k} clusters, ARI {ari:.3f}", flush=True)
            for kind in (name, "all", "2 to 6 classes" if count <= 6 else "more"):
                means[kind].append(found)
    for kind, found in means.items():
        both = np.mean(np.array(found, float), axis=0)
        said = "; beside it ".join(f"{100 * near:.0f} % within 1.5 times, ARI {ari:.3f}" for near, ari in both)
        print(f"{kind}, {len(found)} draws: {said}")


if __name__ == "__main__":
    main()
