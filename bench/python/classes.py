"""The number of clusters that `-k auto` finds in texts, vectors and images of a few classes, which are drawn.

    python bench/python/classes.py bin/eigenmap DATA [--seed 0] [--beside ANOTHER]

DATA is the folder of the original data sets. 2 to 20 classes are drawn by the seed: sections of Debian's descriptions by
their words or their vectors of a language model, parts of 20 Newsgroups, topics of Reuters' counts of terms, digits of
USPS and of MNIST's training half, objects of COIL20, and topics of TDT2 by its counts or in 100 directions of a
truncated SVD of tf-idf; 4,000 documents of each draw at most. It prints a line for each draw, and means, of one program
or of two.
"""

import argparse
import csv
import gzip
import json
import subprocess
import tarfile
import tempfile
from collections import defaultdict
from pathlib import Path

import numpy as np
import scipy.io
import scipy.sparse
from sklearn.decomposition import TruncatedSVD
from sklearn.feature_extraction.text import TfidfTransformer
from sklearn.metrics import adjusted_rand_score


def idx(file, header):
    return np.frombuffer(gzip.open(file).read(), np.uint8)[header:]


def newsgroups(data):
    """Messages without their headers, and their groups."""
    texts, groups = [], []
    with tarfile.open(data / "20news-bydate.tar.xz") as files:
        for member in files:
            if member.isfile():
                texts.append(files.extractfile(member).read().decode("latin1").split("\n\n", 1)[-1])
                groups.append(member.name.split("/")[-2])
    return np.array(texts, object), np.array(groups)


def large(counts, classes, least=40):
    """The rows of classes of at least so many."""
    names, sizes = np.unique(classes, return_counts=True)
    inside = np.isin(classes, names[sizes >= least])
    return counts[inside], classes[inside]


def corpora(data):
    """Name, rows, classes, and how many classes are drawn."""
    texts = Path(__file__).parents[2] / "examples/debian/packages.jsonl.gz"
    packages = [json.loads(line) for line in gzip.open(texts, "rt")]
    sections = np.array([p["label"] for p in packages])
    yield "Debian, words", np.array([p["text"] for p in packages], object), sections, (2, 2, 3, 3, 4, 5, 6, 8, 12)
    yield "newsgroups", *newsgroups(data), (2, 2, 2, 3, 3, 4, 5, 6, 8, 12, 20)
    reuters = scipy.io.loadmat(data / "Reuters21578.mat")
    yield "Reuters", *large(reuters["fea"].tocsr(), reuters["gnd"].ravel()), (2, 2, 3, 4, 5, 6, 10, 16)
    yield "vectors", np.load(data / "debian-minilm.npy"), sections, (2, 2, 3, 3, 4, 5, 6, 8, 12)
    usps = scipy.io.loadmat(data / "USPS.mat")
    yield "USPS", usps["x"].T, usps["y"].ravel(), (2, 3, 4, 6, 8, 10)
    mnist = idx(data / "mnist-train-images-idx3-ubyte.gz", 16).reshape(-1, 784)
    yield "MNIST", mnist, idx(data / "mnist-train-labels-idx1-ubyte.gz", 8), (2, 3, 4, 6, 8, 10)
    coil = scipy.io.loadmat(data / "COIL20.mat")
    yield "COIL20", coil["fea"], coil["gnd"].ravel(), (3, 4, 6, 10, 20)
    tdt2 = scipy.io.loadmat(data / "TDT2.mat")
    yield "TDT2, words", *large(tdt2["fea"].tocsr(), tdt2["gnd"].ravel()), (2, 2, 3, 4, 6, 10, 20)
    weighted = TfidfTransformer().fit_transform(tdt2["fea"].tocsr())
    rows = TruncatedSVD(100, random_state=0).fit_transform(weighted)
    yield "TDT2", rows / np.linalg.norm(rows, axis=1, keepdims=True), tdt2["gnd"].ravel(), (2, 3, 4, 6, 10, 20)


def draws(data, seed):
    rng = np.random.default_rng(seed)
    for name, x, y, counts in corpora(data):
        for count in counts:
            inside = np.flatnonzero(np.isin(y, rng.choice(np.unique(y), count, replace=False)))
            if len(inside) > 4000:
                inside = np.sort(rng.choice(inside, 4000, replace=False))
            yield name, count, x[inside], y[inside]


def written(x, work):
    """The file of the documents: texts, counts or numbers."""
    if scipy.sparse.issparse(x):
        scipy.sparse.save_npz(work / "x.npz", x)
        return work / "x.npz"
    if x.dtype == object:
        (work / "x.jsonl").write_text("".join(json.dumps({"text": text}) + "\n" for text in x))
        return work / "x.jsonl"
    np.save(work / "x.npy", x.astype(np.float32))
    return work / "x.npy"


def clustered(program, file, work):
    out = work / Path(program).name
    command = [program, "cluster", file, "-k", "auto", "--confidence", "raw", "--out", out]
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
            found, file = [], written(x, Path(work))
            for program in programs:
                labels = clustered(program, file, Path(work))
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
