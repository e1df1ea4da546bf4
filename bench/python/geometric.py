"""A large graph with a geometry: nearest neighbours of points in Gaussian blobs.

    python geometric.py POINTS FILE.npz

20 blobs in 5 dimensions with random centres and widths; each point is joined to its 15 nearest
neighbours, either way, with weights exp(-d²/2s²), where s is the median distance of the 15th. Its
smallest eigenvalues are crowded behind the 20 of the blobs. Needs scikit-learn. The same arguments
give the same file.
"""

import sys

import numpy as np
import scipy.sparse as sp
from sklearn.neighbors import NearestNeighbors

BLOBS, DIMENSIONS, NEIGHBOURS = 20, 5, 15


def points(n, rng):
    centres = 10 * rng.random((BLOBS, DIMENSIONS))
    widths = 0.3 + 0.9 * rng.random(BLOBS)
    blob = rng.integers(BLOBS, size=n)
    return centres[blob] + widths[blob, None] * rng.standard_normal((n, DIMENSIONS))


def affinity(x):
    n = len(x)
    distance, near = NearestNeighbors(n_neighbors=NEIGHBOURS, algorithm="kd_tree", n_jobs=-1).fit(x).kneighbors()
    weight = np.exp(-0.5 * (distance / np.median(distance[:, -1])) ** 2)
    rows = np.repeat(np.arange(n), NEIGHBOURS)
    w = sp.csr_matrix((weight.ravel(), (rows, near.ravel())), shape=(n, n))
    return w.maximum(w.T).tocsr()


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    sp.save_npz(sys.argv[2], affinity(points(int(sys.argv[1]), np.random.default_rng(1))), compressed=False)
