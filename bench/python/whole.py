"""From a file to clusters by what a user would write with SciPy or scikit-learn, in one process.

    python whole.py FILE CLUSTERS scipy|scikit-learn

FILE is a .mat or .npz of the bench, or a .tar.xz of texts. scipy: rows of unit length, the 15
nearest neighbours by sparse_dot_topn or, without it, by scikit-learn's brute force, their union as
a graph weighted by cosines, eigenvectors by eigsh to 1e-8, and scikit-learn's k-means with 10
starts. scikit-learn: SpectralClustering on the graph of 15 neighbours. Prints a line of JSON: what
searched the neighbours, and the accuracy if the file has classes.
"""

import json
import os
import sys
import tarfile

import numpy as np
import scipy.io
import scipy.sparse as sp
from scipy.optimize import linear_sum_assignment
from scipy.sparse.linalg import eigsh
from sklearn.cluster import KMeans, SpectralClustering
from sklearn.preprocessing import normalize

NEIGHBOURS = 15


def read(path):
    if path.endswith(".mat"):
        m = scipy.io.loadmat(path)
        return sp.csr_matrix(m["fea"], dtype=float), m["gnd"].ravel()
    if path.endswith(".npz"):
        f = np.load(path)
        return sp.csr_matrix((f["data"], f["indices"], f["indptr"]), shape=tuple(f["shape"])), f["labels"]
    from sklearn.feature_extraction.text import TfidfVectorizer

    texts = []
    with tarfile.open(path) as archive:
        for member in archive:
            if member.isfile() and member.name.count("/") > 1:
                texts.append(archive.extractfile(member).read().decode("utf-8", "replace"))
    return TfidfVectorizer(stop_words="english", min_df=2, max_df=0.5).fit_transform(texts), None


def nearest(x):
    """The graph of neighbours, each row's without itself, and what found it."""
    try:
        from sparse_dot_topn import sp_matmul_topn
    except ImportError:
        from sklearn.neighbors import kneighbors_graph

        near = kneighbors_graph(x, NEIGHBOURS, mode="distance", metric="cosine")
        near.data = 1 - near.data
        return near, "brute force (sparse_dot_topn is missing: make bench-peers installs it)"
    near = sp_matmul_topn(x, x.T.tocsr(), top_n=NEIGHBOURS + 1, n_threads=os.cpu_count()).tocsr()
    near.setdiag(0)
    near.eliminate_zeros()
    return near, "sparse_dot_topn"


def by_scipy(x, k):
    x = normalize(x)
    near, by = nearest(x)
    w = near.maximum(near.T).tocsr()
    scale = np.asarray(w.sum(axis=1)).ravel()
    scale = np.where(scale > 0, 1 / np.sqrt(np.maximum(scale, 1e-300)), 0)
    s = sp.diags(scale) @ w @ sp.diags(scale)
    _, u = eigsh(s.tocsr(), k=k, which="LA", tol=1e-8, v0=np.random.default_rng(0).standard_normal(len(scale)))
    return KMeans(k, n_init=10, random_state=0).fit_predict(u * scale[:, None]), by


def by_scikit(x, k):
    model = SpectralClustering(k, affinity="nearest_neighbors", n_neighbors=NEIGHBOURS, random_state=0)
    return model.fit_predict(normalize(x)), "SpectralClustering"


def accuracy(classes, found):
    a, b = (np.unique(v, return_inverse=True)[1] for v in (classes, found))
    table = np.zeros((a.max() + 1, b.max() + 1))
    np.add.at(table, (a, b), 1)
    i, j = linear_sum_assignment(-table)
    return table[i, j].sum() / len(a)


def main():
    path, k, how = sys.argv[1], int(sys.argv[2]), sys.argv[3]
    x, classes = read(path)
    found, by = (by_scipy if how == "scipy" else by_scikit)(x, k)
    answer = {"by": by, "documents": x.shape[0]}
    if classes is not None:
        answer["accuracy"] = accuracy(classes, found)
    print(json.dumps(answer))


if __name__ == "__main__":
    main()
