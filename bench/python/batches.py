"""Non-negative factorisation by batches, ours and scikit-learn's in turn, on one thread.

python batches.py TDT2.mat: the documents as unit rows in an order that is drawn, 30 topics, batches of
1,000 rows. Prints, for each, the objective with the best coefficients on its topics as a share of that
of our factorisation of all rows at once from one start, and the median and extremes of the CPU seconds.
"""

import os
import statistics
import sys
import time
import warnings

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ[name] = "1"

import numpy as np
import scipy.io
from scipy import sparse
from sklearn.decomposition import MiniBatchNMF
from sklearn.preprocessing import normalize

import eigenmap

warnings.simplefilter("ignore")
TOPICS, SIZE, RUNS = 30, 1000, 5


def ours(size):
    return eigenmap.MiniBatchNMF(TOPICS, batch_size=size, n_init=1, n_jobs=1)


def theirs(passes):
    return MiniBatchNMF(TOPICS, batch_size=SIZE, random_state=0, max_iter=passes, max_no_improvement=None, tol=0)


def objective(X, H):
    m = ours(SIZE)
    m.components_, m.n_features_in_ = H, X.shape[1]
    W = m.transform(X)
    return 0.5 * (X.multiply(X).sum() - 2 * (np.asarray((X.T @ W).T) * H).sum() + ((W.T @ W) * (H @ H.T)).sum())


def main():
    X = normalize(sparse.csr_matrix(scipy.io.loadmat(sys.argv[1])["fea"], dtype=np.float64))
    X = X[np.random.default_rng(1).permutation(X.shape[0])]
    fits = {
        "ours, all rows at once": lambda: ours(X.shape[0]),
        "ours, one pass": lambda: ours(SIZE),
        "scikit-learn, one pass": lambda: theirs(1),
        "scikit-learn, five passes": lambda: theirs(5),
    }
    seconds, share = {name: [] for name in fits}, {}
    for _ in range(RUNS):
        for name, make in fits.items():
            began = time.process_time()
            m = make().fit(X)
            seconds[name].append(time.process_time() - began)
            share.setdefault(name, objective(X, m.components_))
    for name, s in seconds.items():
        print(f"{name}: objective {share[name] / share['ours, all rows at once']:.4f}, {statistics.median(s):.2f} s ({min(s):.2f}-{max(s):.2f})")


if __name__ == "__main__":
    main()
